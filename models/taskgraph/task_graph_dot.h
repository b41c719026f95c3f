#ifndef MODELS_TASK_GRAPH_DOT_H
#define MODELS_TASK_GRAPH_DOT_H
#include "base/strbuf.h"
#include "models/taskgraph/critical_path.h"
#include "models/taskgraph/task_graph.h"

/* A finished graph in Graphviz' language: computation as boxes, sends and receives as ellipses,
 * with their times; messages with their times and bytes. The tasks and messages of the path are
 * drawn thick and red; where a task began because the one before it left the processor, a dashed
 * line says so. path may be NULL. Errors: NOMEM. */
enum err_code task_graph_dot(const struct task_graph *g, const struct task_path *path,
			     struct strbuf *out, struct err *e);

/* "text" as a DOT string, quoted; a newline in it starts a new line. */
void dot_put_text(struct strbuf *out, const char *text);

#endif
