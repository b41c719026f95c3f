#include "models/taskgraph/task_graph_iteration.h"

#include <math.h>
#include <stddef.h>

#include "models/pipeline.h"
#include "models/taskgraph/wavefront_graph.h"

/* All blocks of an iteration, on the processor with the most cells. */
static double busiest_s(const struct pipeline *p)
{
	double most_s = 0;
	double blocks = 8 * (double)p->angle_groups * ((double)p->k_blocks - 1 + p->last_share);

	for (int64_t i = 0; i < p->npe_i * p->npe_j; i++)
		most_s = fmax(most_s, p->work_s[i]);
	return blocks * most_s;
}

static void take(const struct task_analysis *a, double work_s, struct sweep_time *out)
{
	const struct task_times *path = &a->on_path;
	double compute_s = fmin(work_s, path->compute_s);

	*out = (struct sweep_time){
		.time_s = a->time_s,
		.parts = {.compute_s = compute_s,
			  .fill_s = path->compute_s - compute_s,
			  .comm_s = path->comm_s,
			  .sync_s = path->contention_s + path->waiting_s},
	};
}

static enum err_code analyse(const struct pipeline_case *c, const struct task_machine *m,
			     struct sweep_time *out, struct err *e)
{
	const struct wavefront_graph w = {&c->p, c->ew_bytes, c->ns_bytes, 8};
	struct task_graph *g = NULL;
	struct task_analysis a = {0};
	enum err_code rc;

	if (!(rc = wavefront_graph_build(&w, &g, e)) &&
	    !(rc = task_graph_analyse(g, m, NULL, &a, e)))
		take(&a, busiest_s(&c->p), out);
	task_analysis_release(&a);
	task_graph_free(g);
	return rc;
}

enum err_code task_graph_iteration(const struct sweep *s, const struct message_cost *cost,
				   enum task_network network, double Wg_s, struct sweep_time *out,
				   struct err *e)
{
	struct task_machine m = {.network = network};
	struct pipeline_case c = {0};
	enum err_code rc = ERR_OK;

	if (network != NETWORK_UNSHARED)
		rc = message_cost_bandwidth(cost, &m.bytes_per_s, e);
	if (!rc && !(rc = pipeline_case_init(&c, s, cost, Wg_s, e)))
		rc = analyse(&c, &m, out, e);
	pipeline_case_release(&c);
	return rc;
}
