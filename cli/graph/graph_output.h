#ifndef CLI_GRAPH_OUTPUT_H
#define CLI_GRAPH_OUTPUT_H
#include "cli/graph/graph_options.h"

/* What `lemnos model graph` found, in the format that was asked for: the time and what it is made
 * of, where it goes, and the path that explains it. Errors: NOMEM. */
enum err_code graph_output_print(const struct context *c, const struct graph_question *q,
				 const struct task_graph *g, const struct task_analysis *a,
				 double critical_s, struct err *e);

/* The static graph of a configuration. Errors: ARG, NOMEM. */
struct wavefront_static;
enum err_code graph_static_print(const struct context *c, const struct wavefront_static *s,
				 struct err *e);

#endif
