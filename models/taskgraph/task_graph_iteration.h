#ifndef MODELS_TASK_GRAPH_ITERATION_H
#define MODELS_TASK_GRAPH_ITERATION_H
#include "models/message_cost.h"
#include "models/sweep.h"
#include "models/taskgraph/task_graph_analysis.h"

/* One iteration of a wavefront by deterministic task graph analysis: its dynamic task graph
 * (wavefront_graph.h) on the processors that the program has, its messages sharing a network whose
 * bandwidth is that of the machine's largest messages. Unshared it is pipeline_iteration() to the
 * last bit.
 *
 * Parts: compute, the work of the busiest processor, or all computation of the critical path if
 * that is less; fill, the rest of that computation; comm, messages on the critical path; sync, what
 * sharing the network adds there. Errors: ARG (those of pipeline_case_init(),
 * wavefront_graph_build() and task_graph_analyse(); large messages that take no time per byte, and
 * a network to share), NUMERIC, NOMEM. */
enum err_code task_graph_iteration(const struct sweep *s, const struct message_cost *cost,
				   enum task_network network, double Wg_s, struct sweep_time *out,
				   struct err *e);

#endif
