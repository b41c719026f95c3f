#include "models/taskgraph/task_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

struct task_graph *task_graph_new(void)
{
	return calloc(1, sizeof(struct task_graph));
}

void task_graph_free(struct task_graph *g)
{
	if (!g)
		return;
	free(g->task);
	free(g->names);
	free(g->edge);
	free(g->out_first);
	free(g->in_first);
	free(g->in_edge);
	free(g->order);
	free(g);
}

const char *task_kind_name(enum task_kind kind)
{
	static const char *const name[] = {"compute", "send", "receive"};

	return name[kind];
}

/* ---- building ---- */

static bool room_for_task(struct task_graph *g)
{
	size_t cap = g->task_cap ? 2 * g->task_cap : 64;
	struct task *larger;

	if (g->n_tasks < g->task_cap)
		return true;
	larger = realloc(g->task, cap * sizeof *larger);
	if (!larger)
		return false;
	g->task = larger;
	g->task_cap = cap;
	return true;
}

static bool room_for_edge(struct task_graph *g)
{
	size_t cap = g->edge_cap ? 2 * g->edge_cap : 64;
	struct task_edge *larger;

	if (g->n_edges < g->edge_cap)
		return true;
	larger = realloc(g->edge, cap * sizeof *larger);
	if (!larger)
		return false;
	g->edge = larger;
	g->edge_cap = cap;
	return true;
}

static bool room_for_name(struct task_graph *g, size_t len)
{
	size_t cap = g->names_cap ? g->names_cap : 1024;
	char *larger;

	if (len >= UINT32_MAX - g->names_len)
		return false;
	if (g->names_len + len < g->names_cap)
		return true;
	while (cap <= g->names_len + len)
		cap *= 2;
	larger = realloc(g->names, cap);
	if (!larger)
		return false;
	g->names = larger;
	g->names_cap = cap;
	return true;
}

static bool is_amount(double x)
{
	return isfinite(x) && x >= 0;
}

static bool is_proc(int32_t proc)
{
	return proc >= TASK_ANY_PROC && proc < TASK_GRAPH_MAX_PROCS;
}

static bool check_task(struct task_graph *g, const char *name, const struct task *t)
{
	if (!is_amount(t->seconds) || !is_amount(t->bytes))
		err_set(&g->why, ERR_ARG,
			"task %s: %g s and %g bytes must be finite and not negative", name,
			t->seconds, t->bytes);
	else if (!is_proc(t->proc) || !is_proc(t->peer))
		err_set(&g->why, ERR_ARG, "task %s: processors count from 0 to %d", name,
			TASK_GRAPH_MAX_PROCS - 1);
	else if (g->n_tasks >= TASK_GRAPH_MAX_TASKS)
		err_set(&g->why, ERR_ARG, "a task graph takes up to %u tasks",
			TASK_GRAPH_MAX_TASKS);
	return !g->why.code;
}

uint32_t task_graph_add_task(struct task_graph *g, const char *name, const struct task *t)
{
	size_t len = strlen(name);
	struct task *copy;

	if (g->why.code || !check_task(g, name, t))
		return TASK_GRAPH_NONE;
	if (!room_for_task(g) || !room_for_name(g, len)) {
		err_set(&g->why, ERR_NOMEM, "a graph of %zu tasks", g->n_tasks + 1);
		return TASK_GRAPH_NONE;
	}
	copy = &g->task[g->n_tasks];
	*copy = *t;
	copy->name_at = (uint32_t)g->names_len;
	memcpy(g->names + g->names_len, name, len + 1);
	g->names_len += len + 1;
	if (t->proc >= g->n_procs)
		g->n_procs = t->proc + 1;
	return (uint32_t)g->n_tasks++;
}

static bool check_edge(struct task_graph *g, const struct task_edge *k)
{
	if (k->from >= g->n_tasks || k->to >= g->n_tasks)
		err_set(&g->why, ERR_ARG, "edge %zu joins tasks %u and %u of %zu", g->n_edges,
			k->from, k->to, g->n_tasks);
	else if (!is_amount(k->seconds) || !is_amount(k->bytes))
		err_set(&g->why, ERR_ARG,
			"edge from %s to %s: %g s and %g bytes must be finite and not negative",
			task_graph_name(g, k->from), task_graph_name(g, k->to), k->seconds,
			k->bytes);
	else if (g->n_edges >= TASK_GRAPH_MAX_EDGES)
		err_set(&g->why, ERR_ARG, "a task graph takes up to %u edges",
			TASK_GRAPH_MAX_EDGES);
	return !g->why.code;
}

void task_graph_add_edge(struct task_graph *g, const struct task_edge *edge)
{
	if (g->why.code || !check_edge(g, edge))
		return;
	if (room_for_edge(g))
		g->edge[g->n_edges++] = *edge;
	else
		err_set(&g->why, ERR_NOMEM, "a graph of %zu edges", g->n_edges + 1);
}

/* ---- finishing ---- */

/* first[t] = edges whose `from` (or `to`) is less than t: where a counting sort puts those of t. */
static void count_edges(const struct task_graph *g, bool by_from, uint32_t *first)
{
	memset(first, 0, (g->n_tasks + 1) * sizeof *first);
	for (size_t k = 0; k < g->n_edges; k++)
		first[(by_from ? g->edge[k].from : g->edge[k].to) + 1]++;
	for (size_t t = 0; t < g->n_tasks; t++)
		first[t + 1] += first[t];
}

/* The edges in the order of `from`, then of their number. Stable: equal graphs are equal bytes. */
static void sort_edges(const struct task_graph *g, const uint32_t *first, uint32_t *at,
		       struct task_edge *sorted)
{
	memcpy(at, first, g->n_tasks * sizeof *at);
	for (size_t k = 0; k < g->n_edges; k++)
		sorted[at[g->edge[k].from]++] = g->edge[k];
}

/* Kahn's algorithm, first in, first out: order[] is its own queue. Returns how many tasks could be
 * ordered; waiting[t] is left above 0 for the others. */
static size_t find_order(const struct task_graph *g, const struct task_edge *edge,
			 const uint32_t *out_first, uint32_t *waiting, uint32_t *order)
{
	size_t n = 0;

	memset(waiting, 0, g->n_tasks * sizeof *waiting);
	for (size_t k = 0; k < g->n_edges; k++)
		waiting[edge[k].to]++;
	for (uint32_t t = 0; t < g->n_tasks; t++) {
		if (waiting[t] == 0)
			order[n++] = t;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t t = order[i];

		for (uint32_t k = out_first[t]; k < out_first[t + 1]; k++) {
			if (--waiting[edge[k].to] == 0)
				order[n++] = edge[k].to;
		}
	}
	return n;
}

/* "a -> b -> c -> a"; cycle[] goes back. Of a long one the beginning. */
static void put_cycle(const struct task_graph *g, const uint32_t *cycle, size_t n,
		      struct strbuf *text)
{
	enum { SHOWN = 8 };

	for (size_t i = 0; i < n && i < SHOWN; i++)
		strbuf_printf(text, "%s -> ", task_graph_name(g, cycle[n - 1 - i]));
	if (n > SHOWN)
		strbuf_printf(text, "(%zu more) -> ", n - SHOWN);
	strbuf_puts(text, task_graph_name(g, cycle[n - 1]));
}

/* Every task that is left waits for another one that is left: going back from one of them must come
 * round. into[t] is an edge that t waits for; seen[] and cycle[] are work space. Returns the edge
 * that closes the cycle: the last one of it that was added. */
static uint32_t find_cycle(const struct task_graph *g, const uint32_t *waiting, uint32_t *into,
			   uint32_t *seen, uint32_t *cycle, struct strbuf *text)
{
	uint32_t t = 0, closing;
	size_t n = 0;

	for (size_t k = 0; k < g->n_edges; k++) {
		if (waiting[g->edge[k].from] > 0)
			into[g->edge[k].to] = (uint32_t)k;
	}
	while (waiting[t] == 0)
		t++;
	memset(seen, 0, g->n_tasks * sizeof *seen);
	while (!seen[t]) {
		seen[t] = 1;
		t = g->edge[into[t]].from;
	}
	/* t is on the cycle now. Begin with the edge that was added last. */
	for (uint32_t at = g->edge[into[t]].from, end = t; at != end; at = g->edge[into[at]].from)
		t = into[at] > into[t] ? at : t;
	closing = into[t];
	t = g->edge[closing].from;
	for (uint32_t at = t; n == 0 || at != t; at = g->edge[into[at]].from)
		cycle[n++] = at;
	put_cycle(g, cycle, n, text);
	return closing;
}

static enum err_code report_cycle(const struct task_graph *g, const uint32_t *waiting,
				  uint32_t *closing, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t *work = calloc(3 * g->n_tasks, sizeof *work);
	enum err_code rc;

	if (!work)
		return err_set(e, ERR_NOMEM, "a cycle of tasks");
	*closing = find_cycle(g, waiting, work, work + g->n_tasks, work + 2 * g->n_tasks, &text);
	rc = err_set(e, ERR_ARG, "the tasks wait for each other in a cycle: %s",
		     strbuf_text(&text));
	free(work);
	strbuf_release(&text);
	return rc;
}

static void index_in_edges(struct task_graph *g, uint32_t *at)
{
	count_edges(g, false, g->in_first);
	memcpy(at, g->in_first, g->n_tasks * sizeof *at);
	for (uint32_t k = 0; k < g->n_edges; k++)
		g->in_edge[at[g->edge[k].to]++] = k;
}

/* Of a task that fires at more messages than come, *closing is the one that was added last, if any
 * does. n_in[]: work space. */
static enum err_code check_firing(const struct task_graph *g, uint32_t *n_in, uint32_t *closing,
				  struct err *e)
{
	memset(n_in, 0, g->n_tasks * sizeof *n_in);
	for (size_t k = 0; k < g->n_edges; k++)
		n_in[g->edge[k].to]++;
	for (uint32_t t = 0; t < g->n_tasks; t++) {
		if (g->task[t].fires_at <= n_in[t])
			continue;
		for (uint32_t k = 0; k < g->n_edges; k++)
			*closing = g->edge[k].to == t ? k : *closing;
		return err_set(e, ERR_ARG, "task %s fires at %u messages, and %u come",
			       task_graph_name(g, t), g->task[t].fires_at, n_in[t]);
	}
	return ERR_OK;
}

static enum err_code finish(struct task_graph *g, uint32_t *work, uint32_t *closing, struct err *e)
{
	struct task_edge *sorted = calloc(g->n_edges + 1, sizeof *sorted);

	g->out_first = calloc(g->n_tasks + 1, sizeof *g->out_first);
	g->in_first = calloc(g->n_tasks + 1, sizeof *g->in_first);
	g->in_edge = calloc(g->n_edges + 1, sizeof *g->in_edge);
	g->order = calloc(g->n_tasks + 1, sizeof *g->order);
	if (!sorted || !g->out_first || !g->in_first || !g->in_edge || !g->order) {
		free(sorted);
		return err_set(e, ERR_NOMEM, "a graph of %zu tasks", g->n_tasks);
	}
	count_edges(g, true, g->out_first);
	sort_edges(g, g->out_first, work, sorted);
	if (find_order(g, sorted, g->out_first, work, g->order) < g->n_tasks) {
		free(sorted);
		return report_cycle(g, work, closing, e);
	}
	free(g->edge);
	g->edge = sorted;
	index_in_edges(g, work);
	return ERR_OK;
}

enum err_code task_graph_finish(struct task_graph *g, uint32_t *closing, struct err *e)
{
	uint32_t none = TASK_GRAPH_NONE, *work;
	enum err_code rc;

	closing = closing ? closing : &none;
	*closing = TASK_GRAPH_NONE;
	if (g->why.code)
		return err_set(e, g->why.code, "%s", g->why.msg);
	if (g->n_tasks == 0)
		return err_set(e, ERR_ARG, "a task graph has at least one task");
	work = calloc(g->n_tasks, sizeof *work);
	if (!work)
		return err_set(e, ERR_NOMEM, "a graph of %zu tasks", g->n_tasks);
	rc = check_firing(g, work, closing, e);
	if (!rc)
		rc = finish(g, work, closing, e);
	free(work);
	return rc;
}

/* ---- sums ---- */

double task_graph_work_s(const struct task_graph *g)
{
	double sum = 0;

	for (size_t t = 0; t < g->n_tasks; t++)
		sum += g->task[t].seconds;
	return sum;
}
