#ifndef MODELS_TASK_NAMES_H
#define MODELS_TASK_NAMES_H
#include "models/taskgraph/task_graph.h"

/* The tasks of a graph by name. */
struct task_names {
	uint32_t *slot; /* [n_slots], a power of two: open addressing; TASK_GRAPH_NONE: free */
	size_t n_slots, n;
};

/* TASK_GRAPH_NONE: no such task. */
uint32_t task_names_find(const struct task_names *names, const struct task_graph *g,
			 const char *name);
/* A task of g whose name is not there yet. Errors: NOMEM. */
enum err_code task_names_add(struct task_names *names, const struct task_graph *g, uint32_t task,
			     struct err *e);
void task_names_release(struct task_names *names);

#endif
