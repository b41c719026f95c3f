#include "models/taskgraph/task_stations.h"

#include <stdlib.h>

void task_stations_release(struct task_stations *s)
{
	free(s->station);
	*s = (struct task_stations){0};
}

/* The ends of what an activity moves; false: it moves nothing between processors. */
struct ends {
	int32_t from, to;
};

static bool edge_ends(const struct task_graph *g, const struct task_edge *k, struct ends *out)
{
	*out = (struct ends){g->task[k->from].proc, g->task[k->to].proc};
	return k->bytes > 0 && (out->from != out->to || out->from == TASK_ANY_PROC);
}

static bool task_ends(const struct task *t, struct ends *out)
{
	*out = t->kind == TASK_SEND ? (struct ends){t->proc, t->peer}
				    : (struct ends){t->peer, t->proc};
	return t->bytes > 0 && (out->from != out->to || out->from == TASK_ANY_PROC);
}

static enum err_code check_ends(const struct task_graph *g, struct ends ends, uint32_t task,
				struct err *e)
{
	if (ends.from != TASK_ANY_PROC && ends.to != TASK_ANY_PROC)
		return ERR_OK;
	return err_set(e, ERR_ARG,
		       "links and ports are between processors, and task %s does not say which: "
		       "give it proc= (and peer= if it moves bytes itself), or share a bus",
		       task_graph_name(g, task));
}

/* ---- links: pairs of processors ---- */

static uint64_t pair_of(struct ends ends)
{
	return (uint64_t)(uint32_t)ends.from << 32 | (uint32_t)ends.to;
}

static int compare_pairs(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The pairs that move something, sorted, each once. */
static size_t collect_pairs(const struct task_graph *g, uint64_t *pair)
{
	struct ends ends;
	size_t n = 0, n_unique = 0;

	for (size_t t = 0; t < g->n_tasks; t++) {
		if (task_ends(&g->task[t], &ends))
			pair[n++] = pair_of(ends);
	}
	for (size_t k = 0; k < g->n_edges; k++) {
		if (edge_ends(g, &g->edge[k], &ends))
			pair[n++] = pair_of(ends);
	}
	qsort(pair, n, sizeof *pair, compare_pairs);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || pair[i] != pair[i - 1])
			pair[n_unique++] = pair[i];
	}
	return n_unique;
}

/* ---- stations ---- */

struct assignment {
	const struct task_graph *g;
	enum task_network network;
	bool is_placed;
	const uint64_t *pair; /* [n]: links; NULL: ports or a bus */
	size_t n;
};

static uint32_t link_between(const struct assignment *a, struct ends ends)
{
	const uint64_t key = pair_of(ends);
	const uint64_t *found = bsearch(&key, a->pair, a->n, sizeof key, compare_pairs);

	return (uint32_t)(found - a->pair);
}

static enum err_code station_between(const struct assignment *a, struct ends ends, uint32_t task,
				     uint32_t *station, struct err *e)
{
	enum err_code rc;

	if (a->network == NETWORK_BUS) {
		*station = 0;
		return ERR_OK;
	}
	if (!a->is_placed)
		return err_set(e, ERR_ARG,
			       "links and ports are between processors, and tasks that may run on "
			       "any have none beforehand: share a bus, or leave the number of "
			       "processors to the graph");
	if ((rc = check_ends(a->g, ends, task, e)))
		return rc;
	*station = a->pair ? link_between(a, ends) : (uint32_t)ends.to;
	return ERR_OK;
}

static enum err_code assign(const struct assignment *a, uint32_t *station, struct err *e)
{
	const struct task_graph *g = a->g;
	struct ends ends;
	enum err_code rc = ERR_OK;

	for (uint32_t t = 0; t < g->n_tasks && !rc; t++) {
		station[t] = TASK_GRAPH_NONE;
		if (task_ends(&g->task[t], &ends))
			rc = station_between(a, ends, t, &station[t], e);
	}
	for (size_t k = 0; k < g->n_edges && !rc; k++) {
		uint32_t from = g->edge[k].from;
		bool unknown = g->task[from].proc == TASK_ANY_PROC;

		station[g->n_tasks + k] = TASK_GRAPH_NONE;
		if (edge_ends(g, &g->edge[k], &ends) || (!a->is_placed && g->edge[k].bytes > 0))
			rc = station_between(a, ends, unknown ? from : g->edge[k].to,
					     &station[g->n_tasks + k], e);
	}
	return rc;
}

static size_t count_stations(const struct assignment *a)
{
	int32_t procs = a->g->n_procs;

	switch (a->network) {
	case NETWORK_UNSHARED:
		return 0;
	case NETWORK_BUS:
		return 1;
	case NETWORK_PORTS:
		/* a task's peer may be a processor that runs nothing */
		for (size_t t = 0; t < a->g->n_tasks; t++)
			procs = a->g->task[t].peer >= procs ? a->g->task[t].peer + 1 : procs;
		return (size_t)procs;
	default:
		return a->n;
	}
}

enum err_code task_stations_find(const struct task_graph *g, enum task_network network,
				 bool is_placed, struct task_stations *out, struct err *e)
{
	const size_t n_activities = g->n_tasks + g->n_edges;
	struct assignment a = {.g = g, .network = network, .is_placed = is_placed};
	struct task_stations s = {0};
	uint64_t *pair = NULL;
	enum err_code rc;

	if (network == NETWORK_LINKS && is_placed) {
		pair = calloc(n_activities, sizeof *pair);
		a.pair = pair;
		if (!pair)
			return err_set(e, ERR_NOMEM, "the links of %zu messages", n_activities);
		a.n = collect_pairs(g, pair);
	}
	s.n = count_stations(&a);
	s.station = calloc(n_activities, sizeof *s.station);
	rc = s.station ? assign(&a, s.station, e)
		       : err_set(e, ERR_NOMEM, "the links of %zu messages", n_activities);
	free(pair);
	if (rc)
		task_stations_release(&s);
	else
		*out = s;
	return rc;
}
