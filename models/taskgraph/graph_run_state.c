#include "models/taskgraph/graph_run_state.h"

#include <math.h>
#include <stdlib.h>

void graph_run_push(struct graph_run *r, double time_s, enum event_kind kind, uint32_t id)
{
	if (!r->rc && !isfinite(time_s))
		r->rc = err_set(r->e, ERR_ARG, "the time of the graph is too large for a number");
	if (!r->rc)
		r->rc = event_queue_push(&r->events, (struct event){time_s, (uint32_t)kind, id},
					 r->e);
}

uint32_t graph_run_station(const struct graph_run *r, size_t activity)
{
	return r->stations.station ? r->stations.station[activity] : TASK_GRAPH_NONE;
}

void graph_run_note_change(struct graph_run *r, uint32_t station)
{
	if (!r->contention.station[station].is_changed)
		r->changed[r->n_changed++] = station;
}

double graph_run_demand_s(const struct graph_run *r, double bytes)
{
	return bytes / r->m->bytes_per_s;
}

void graph_run_join(struct graph_run *r, uint32_t station, size_t activity, double seconds,
		    double bytes)
{
	double demand = graph_run_demand_s(r, bytes);

	if (r->rc)
		return;
	if (!isfinite(demand)) {
		r->rc = err_set(r->e, ERR_ARG, "%g bytes at %g bytes/s take too long for a number",
				bytes, r->m->bytes_per_s);
		return;
	}
	graph_run_note_change(r, station);
	r->rc = contention_join(&r->contention, station, (uint32_t)activity, fmax(seconds, demand),
				demand, r->now_s, r->e);
}

void graph_run_release(struct graph_run *r)
{
	free(r->is_any);
	free(r->missing);
	free(r->arrival_s);
	free(r->remaining_s);
	event_queue_release(&r->events);
	ready_queues_release(&r->ready);
	free(r->busy);
	free(r->last);
	free(r->touched);
	free(r->is_touched);
	ready_queues_release(&r->idle);
	free(r->is_listed);
	task_stations_release(&r->stations);
	contention_release(&r->contention);
	free(r->edge_arrival_s);
	free(r->changed);
}

static enum err_code init_network(struct graph_run *r, struct err *e)
{
	const struct task_graph *g = r->g;
	enum err_code rc;

	if (r->m->network == NETWORK_UNSHARED)
		return ERR_OK;
	if ((rc = task_stations_find(g, r->m->network, !r->any, &r->stations, e)) ||
	    (rc = contention_init(&r->contention, g->n_tasks + g->n_edges, r->stations.n, e)))
		return rc;
	r->edge_arrival_s = calloc(g->n_edges + 1, sizeof *r->edge_arrival_s);
	r->changed = calloc(r->stations.n + 1, sizeof *r->changed);
	if (!r->edge_arrival_s || !r->changed)
		return err_set(e, ERR_NOMEM, "messages of %zu tasks", g->n_tasks);
	return ERR_OK;
}

enum err_code graph_run_init(struct graph_run *r)
{
	const size_t n = r->g->n_tasks, procs = (size_t)r->a->procs;
	struct err *e = r->e;
	enum err_code rc;

	r->is_any = calloc(n, sizeof *r->is_any);
	r->missing = calloc(n, sizeof *r->missing);
	r->arrival_s = calloc(n, sizeof *r->arrival_s);
	r->remaining_s = calloc(n, sizeof *r->remaining_s);
	r->busy = calloc(procs + 1, sizeof *r->busy);
	r->last = calloc(procs + 1, sizeof *r->last);
	r->touched = calloc(procs + 1, sizeof *r->touched);
	r->is_touched = calloc(procs + 1, sizeof *r->is_touched);
	r->is_listed = calloc(procs + 1, sizeof *r->is_listed);
	if (!r->is_any || !r->missing || !r->arrival_s || !r->remaining_s || !r->busy || !r->last ||
	    !r->touched || !r->is_touched || !r->is_listed)
		return err_set(e, ERR_NOMEM, "the times of %zu tasks", n);
	if ((rc = ready_queues_init(&r->ready, n, procs + 1, e)) ||
	    (rc = ready_queues_init(&r->idle, procs, 1, e)))
		return rc;
	if (r->m->rule == SCHEDULE_LONGEST)
		critical_path_remaining(r->g, r->remaining_s);
	return init_network(r, e);
}
