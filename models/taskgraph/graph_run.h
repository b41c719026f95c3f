#ifndef MODELS_GRAPH_RUN_H
#define MODELS_GRAPH_RUN_H
#include "base/progress.h"
#include "models/taskgraph/task_graph_analysis.h"

/* Private to task_graph_analysis.c: the sweep through a graph in the order of time. */

/* Why a task began when it did. */
struct task_cause {
	uint32_t
		before; /* the task that ended last of those it waited for; TASK_GRAPH_NONE: none */
	uint32_t edge;	/* the message from it; TASK_GRAPH_NONE: the processor that it left */
};

/* Fills in start_s, end_s, proc and n_solutions of *a, whose arrays are there and whose
 * proc says where tasks must run; cause[n_tasks]. Tasks without a processor go to any of a->procs
 * if `any` is set, else each has its own. Errors: ARG, NUMERIC, NOMEM, INTERRUPTED. */
enum err_code graph_run(const struct task_graph *g, const struct task_machine *m, bool any,
			const struct progress *progress, struct task_analysis *a,
			struct task_cause *cause, struct err *e);

#endif
