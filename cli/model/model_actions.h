#ifndef CLI_MODEL_ACTIONS_H
#define CLI_MODEL_ACTIONS_H
#include <stdio.h>
#include "api/model_question.h"
#include "base/err.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"

/* What `lemnos model` does, one file an action (cmd_model_ACTION.c); the command itself is
 * cmd_model.c. */

extern const struct option_spec opt_project_per_proc, opt_project_efficiency;
extern const struct option_spec opt_model_max_procs, opt_store, opt_model_from;
extern const struct option_spec opt_held_out, opt_model_plot;
extern const struct option_spec opt_message_bytes, opt_ranking_first, opt_ideal_share;
extern const struct option_spec opt_latency_factors, opt_latency_model_only;

/* The one that is no formula, for lists; models/ does not know it. */
extern const struct model model_smpi;

/* "models:", a line each: a section of the command's help. */
void model_list_put_help(FILE *f);

enum err_code model_list_run(struct context *c, struct err *e);
enum err_code model_run_run(struct context *c, struct err *e);
/* `run smpi` */
enum err_code model_smpi_run(struct context *c, struct err *e);
enum err_code model_latency_run(struct context *c, struct err *e);
enum err_code model_project_run(struct context *c, struct err *e);
enum err_code model_task_run(struct context *c, struct err *e);
enum err_code model_message_run(struct context *c, struct err *e);
enum err_code model_ranking_run(struct context *c, struct err *e);
enum err_code model_collective_run(struct context *c, struct err *e);
/* `transfer FILE`: the states of a network, from the bandwidth curve of a ping-pong. Errors: USAGE,
 * PARSE, NODATA. */
enum err_code model_transfer_run(struct context *c, struct err *e);
enum err_code model_compose_run(struct context *c, struct err *e);
enum err_code model_components_run(struct context *c, struct err *e);
enum err_code model_compare_run(struct context *c, struct err *e);
enum err_code model_graph_run(struct context *c, struct err *e);

#endif
