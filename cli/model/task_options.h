#ifndef CLI_TASK_OPTIONS_H
#define CLI_TASK_OPTIONS_H
#include "base/err.h"
#include "cli/frame/context.h"

/* What is asked of a task: --it 20 --jt 20 ... (or --set it=20,jt=20), else what follows for one
 * processor from the configuration given with --problem. asked[TASK_VARIABLES], NaN: not given.
 * Errors: USAGE, ARG. */
enum err_code task_options_read(struct context *c, double *asked, struct err *e);

#endif
