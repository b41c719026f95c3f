#ifndef CLI_GRAPH_PATH_H
#define CLI_GRAPH_PATH_H
#include "api/graph_question.h"
#include "cli/frame/context.h"

/* The path that explains the time of a task graph. */

/* For people: a line for each stay on a processor, the middle of a long path left out. Errors:
 * NOMEM. */
enum err_code graph_path_print(const struct context *c, const struct task_graph *g,
			       const struct task_analysis *a, struct err *e);

/* Every task of it: [{"task", "kind", "processor", "start_s", "end_s", "after"}]; NULL: out of
 * memory. */
struct json_t;
struct json_t *graph_path_json(const struct task_graph *g, const struct task_analysis *a);

#endif
