#ifndef CLI_MODEL_ACTIONS_H
#define CLI_MODEL_ACTIONS_H
#include "base/err.h"
#include "cli/context.h"
#include "cli/options.h"

/* What `lemnos model` does, one file an action (cmd_model_ACTION.c); the command itself is
 * cmd_model.c. */

extern const struct option_spec opt_model_max_procs, opt_store, opt_model_from;
extern const struct option_spec opt_held_out, opt_model_plot;

enum err_code model_list_run(struct context *c, struct err *e);
enum err_code model_run_run(struct context *c, struct err *e);
enum err_code model_project_run(struct context *c, struct err *e);
enum err_code model_task_run(struct context *c, struct err *e);
enum err_code model_compose_run(struct context *c, struct err *e);
enum err_code model_components_run(struct context *c, struct err *e);
enum err_code model_compare_run(struct context *c, struct err *e);

#endif
