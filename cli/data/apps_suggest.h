#ifndef CLI_APPS_SUGGEST_H
#define CLI_APPS_SUGGEST_H
#include "cli/frame/context.h"

/* `lemnos apps suggest`: terms for a definition, from runs. */
extern const struct option_spec opt_suggest_machine, opt_suggest_output;

enum err_code apps_suggest_run(struct context *c, struct err *e);

#endif
