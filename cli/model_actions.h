#ifndef CLI_MODEL_ACTIONS_H
#define CLI_MODEL_ACTIONS_H
#include "base/err.h"
#include "cli/context.h"
#include "cli/options.h"
#include "models/model_list.h"

/* What `lemnos model` does, one file an action (cmd_model_ACTION.c); the command itself is
 * cmd_model.c. */

extern const struct option_spec opt_model_max_procs, opt_store, opt_model_from;
extern const struct option_spec opt_held_out, opt_model_plot;
extern const struct option_spec opt_latency_factors, opt_latency_model_only;

/* The one that is no formula, for lists; models/ does not know it. */
extern const struct model model_smpi;

enum err_code model_list_run(struct context *c, struct err *e);
enum err_code model_run_run(struct context *c, struct err *e);
/* `run smpi` */
enum err_code model_smpi_run(struct context *c, struct err *e);
enum err_code model_latency_run(struct context *c, struct err *e);
enum err_code model_project_run(struct context *c, struct err *e);
enum err_code model_task_run(struct context *c, struct err *e);
enum err_code model_compose_run(struct context *c, struct err *e);
enum err_code model_components_run(struct context *c, struct err *e);
enum err_code model_compare_run(struct context *c, struct err *e);
enum err_code model_graph_run(struct context *c, struct err *e);

#endif
