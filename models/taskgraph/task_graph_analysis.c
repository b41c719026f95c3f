#include "models/taskgraph/task_graph_analysis.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "models/pipeline.h"
#include "models/taskgraph/graph_run.h"
#include "models/taskgraph/wavefront_graph.h"

const char *schedule_rule_name(enum schedule_rule rule)
{
	static const char *const name[] = {"fifo", "longest"};

	return name[rule];
}

const char *task_network_name(enum task_network network)
{
	static const char *const name[] = {"none", "bus", "ports", "links"};

	return name[network];
}

void task_analysis_release(struct task_analysis *a)
{
	free(a->start_s);
	free(a->end_s);
	free(a->proc);
	task_path_release(&a->path);
	*a = (struct task_analysis){0};
}

static enum err_code check(const struct task_machine *m, struct err *e)
{
	if (m->procs < 0 || m->procs > TASK_GRAPH_MAX_PROCS)
		return err_set(e, ERR_ARG, "%d processors: 0 (as the graph says) to %d", m->procs,
			       TASK_GRAPH_MAX_PROCS);
	if (m->network != NETWORK_UNSHARED && !(isfinite(m->bytes_per_s) && m->bytes_per_s > 0))
		return err_set(e, ERR_ARG, "a bandwidth of %g bytes/s must be finite and above 0",
			       m->bytes_per_s);
	return ERR_OK;
}

/* Where tasks must run. Returns whether some may run anywhere. */
static bool assign_procs(const struct task_graph *g, const struct task_machine *m,
			 struct task_analysis *a)
{
	bool any = false;

	a->procs = m->procs > 0 ? m->procs : g->n_procs;
	a->is_reassigned = a->procs < g->n_procs;
	for (size_t t = 0; t < g->n_tasks; t++) {
		a->proc[t] = a->is_reassigned ? TASK_ANY_PROC : g->task[t].proc;
		any |= m->procs > 0 && a->proc[t] == TASK_ANY_PROC;
	}
	return any;
}

/* ---- where the time goes ---- */

/* Time taken in `took_s` by something that takes `alone_s` alone. */
static void split(double took_s, double alone_s, double *alone, double *contention)
{
	double more_s = took_s - alone_s;

	*alone += more_s > 0 ? alone_s : took_s;
	*contention += more_s > 0 ? more_s : 0;
}

static void add_task(const struct task_graph *g, const struct task_analysis *a, uint32_t t,
		     bool is_shared, struct task_times *sum)
{
	double *own = g->task[t].kind == TASK_COMPUTE ? &sum->compute_s : &sum->comm_s;

	if (is_shared)
		split(a->end_s[t] - a->start_s[t], g->task[t].seconds, own, &sum->contention_s);
	else
		*own += g->task[t].seconds;
}

static void add_message(const struct task_graph *g, const struct task_analysis *a, size_t i,
			bool is_shared, struct task_times *sum)
{
	uint32_t t = a->path.task[i], edge = a->path.edge[i];
	double took_s = i > 0 ? a->start_s[t] - a->end_s[a->path.task[i - 1]] : 0;

	if (is_shared && edge != TASK_GRAPH_NONE)
		split(took_s, g->edge[edge].seconds, &sum->comm_s, &sum->contention_s);
	else
		sum->comm_s += took_s;
}

static void sum_path(const struct task_graph *g, bool is_shared, struct task_analysis *a)
{
	struct task_times sum = {0};

	for (size_t i = 0; i < a->path.n; i++) {
		add_message(g, a, i, is_shared, &sum);
		add_task(g, a, a->path.task[i], is_shared, &sum);
	}
	a->on_path = sum;
}

static void sum_procs(const struct task_graph *g, bool is_shared, struct task_analysis *a)
{
	struct task_times sum = {0};

	for (uint32_t t = 0; t < g->n_tasks; t++) {
		if (a->proc[t] != TASK_ANY_PROC)
			add_task(g, a, t, is_shared, &sum);
	}
	/* What is left over from sums in different orders is rounding. */
	sum.waiting_s =
		fmax(0, a->procs * a->time_s - sum.compute_s - sum.comm_s - sum.contention_s);
	a->on_procs = sum;
}

static uint32_t cause_before(const void *context, uint32_t task, uint32_t *edge)
{
	const struct task_cause *cause = context;

	*edge = cause[task].edge;
	return cause[task].before;
}

static uint32_t last_to_end(const struct task_graph *g, const struct task_analysis *a)
{
	uint32_t last = 0;

	for (uint32_t t = 1; t < g->n_tasks; t++) {
		if (a->end_s[t] > a->end_s[last])
			last = t;
	}
	return last;
}

static enum err_code analyse(const struct task_graph *g, const struct task_machine *m,
			     const struct progress *progress, struct task_cause *cause,
			     struct task_analysis *a, struct err *e)
{
	bool is_shared = m->network != NETWORK_UNSHARED;
	bool any = assign_procs(g, m, a);
	uint32_t last;
	enum err_code rc = graph_run(g, m, any, progress, a, cause, e);

	if (rc)
		return rc;
	last = last_to_end(g, a);
	a->time_s = a->end_s[last];
	if ((rc = task_path_walk(cause_before, cause, last, &a->path, e)))
		return rc;
	sum_path(g, is_shared, a);
	sum_procs(g, is_shared, a);
	return ERR_OK;
}

enum err_code task_graph_analyse(const struct task_graph *g, const struct task_machine *m,
				 const struct progress *progress, struct task_analysis *out,
				 struct err *e)
{
	struct task_analysis a = {0};
	struct task_cause *cause = NULL;
	enum err_code rc = check(m, e);

	if (rc)
		return rc;
	a.start_s = calloc(g->n_tasks, sizeof *a.start_s);
	a.end_s = calloc(g->n_tasks, sizeof *a.end_s);
	a.proc = calloc(g->n_tasks, sizeof *a.proc);
	cause = calloc(g->n_tasks, sizeof *cause);
	if (a.start_s && a.end_s && a.proc && cause)
		rc = analyse(g, m, progress, cause, &a, e);
	else
		rc = err_set(e, ERR_NOMEM, "the times of %zu tasks", g->n_tasks);
	free(cause);
	if (rc)
		task_analysis_release(&a);
	else
		*out = a;
	return rc;
}

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

static enum err_code analyse_iteration(const struct pipeline_case *c, const struct task_machine *m,
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
		rc = analyse_iteration(&c, &m, out, e);
	pipeline_case_release(&c);
	return rc;
}
