#ifndef MODELS_CRITICAL_PATH_H
#define MODELS_CRITICAL_PATH_H
#include "models/taskgraph/task_graph.h"

/* A chain of tasks, each of which started when the one before let it: by its message, or by leaving
 * the processor to it. */
struct task_path {
	size_t n;
	uint32_t *task; /* [n], first to last */
	uint32_t *
		edge; /* [n]: which led to the task; TASK_GRAPH_NONE: the processor, or the start */
};
void task_path_release(struct task_path *p);

/* The longest chain of tasks and messages of a finished graph: no schedule on any number of
 * processors takes less, unless it brings tasks together that exchange messages. Of equally long
 * ones that with the lowest numbers, seen from the end. *length_s is its time; path may be NULL.
 * Errors: ARG (a time too large for a number), NOMEM. */
enum err_code critical_path_find(const struct task_graph *g, double *length_s,
				 struct task_path *path, struct err *e);

/* remaining_s[n_tasks]: the longest chain from the start of each task to the end of all. */
void critical_path_remaining(const struct task_graph *g, double *remaining_s);

/* Walk back from task `last` to the beginning: before(context, task, &edge) is the task that let
 * `task` start, TASK_GRAPH_NONE at the beginning, and edge as in struct task_path. Errors: NOMEM.
 */
typedef uint32_t task_path_before(const void *context, uint32_t task, uint32_t *edge);
enum err_code task_path_walk(task_path_before *before, const void *context, uint32_t last,
			     struct task_path *out, struct err *e);

#endif
