#ifndef MODELS_TASK_STATIONS_H
#define MODELS_TASK_STATIONS_H
#include "models/taskgraph/task_graph_analysis.h"

/* Which station of the network each activity of a graph wants: task t is activity t, edge k is
 * activity n_tasks + k. */
struct task_stations {
	size_t n;	   /* stations */
	uint32_t *station; /* [n_tasks + n_edges]; TASK_GRAPH_NONE: none */
};

/* is_placed: the tasks run where the graph says; false: some may run anywhere. Errors: ARG (ports
 * or links, and not known between which processors something moves), NOMEM. */
enum err_code task_stations_find(const struct task_graph *g, enum task_network network,
				 bool is_placed, struct task_stations *out, struct err *e);
void task_stations_release(struct task_stations *s);

#endif
