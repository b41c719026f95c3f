#include "models/taskgraph/graph_run.h"

#include <math.h>

#include "models/taskgraph/graph_run_state.h"

/* ---- tasks begin ---- */

static void touch(struct graph_run *r, int32_t proc)
{
	if (!r->is_touched[proc])
		r->touched[r->n_touched++] = (uint32_t)proc;
	r->is_touched[proc] = true;
}

static void start(struct graph_run *r, uint32_t t)
{
	const struct task *task = &r->g->task[t];
	uint32_t station = graph_run_station(r, t);
	int32_t proc = r->a->proc[t];

	r->a->start_s[t] = r->now_s;
	if (r->cause[t].edge != TASK_GRAPH_NONE && r->arrival_s[t] == r->now_s) {
		r->cause[t].before = r->g->edge[r->cause[t].edge].from;
	} else {
		r->cause[t].before = proc != TASK_ANY_PROC ? r->last[proc] : TASK_GRAPH_NONE;
		r->cause[t].edge = TASK_GRAPH_NONE;
	}
	if (proc != TASK_ANY_PROC)
		r->busy[proc] = true;
	if (station != TASK_GRAPH_NONE && graph_run_demand_s(r, task->bytes) > 0)
		graph_run_join(r, station, t, task->seconds, task->bytes);
	else
		graph_run_push(r, r->now_s + task->seconds, TASK_ENDS, t);
}

static void enqueue(struct graph_run *r, uint32_t t, size_t queue)
{
	double key = r->m->rule == SCHEDULE_LONGEST ? -r->remaining_s[t] : r->now_s;

	ready_queues_push(&r->ready, queue, t, key);
}

/* All messages of a task that has a processor are there. */
static void messages_are_in(struct graph_run *r, uint32_t t)
{
	int32_t proc = r->a->proc[t];

	if (r->is_any[t] || proc == TASK_ANY_PROC) {
		start(r, t); /* its processor was kept for it, or is its own */
	} else {
		enqueue(r, t, (size_t)proc);
		touch(r, proc);
	}
}

static void wait_for_messages(struct graph_run *r, uint32_t t)
{
	if (r->arrival_s[t] > r->now_s)
		graph_run_push(r, r->arrival_s[t], MESSAGES_ARE_IN, t);
	else
		messages_are_in(r, t);
}

static void note_arrival(struct graph_run *r, uint32_t t, uint32_t edge, double at_s)
{
	if (r->cause[t].edge == TASK_GRAPH_NONE || at_s > r->arrival_s[t]) {
		r->arrival_s[t] = at_s;
		r->cause[t].edge = edge;
	}
}

static void arrive(struct graph_run *r, uint32_t t, uint32_t edge, double at_s)
{
	note_arrival(r, t, edge, at_s);
	if (--r->missing[t] == 0)
		wait_for_messages(r, t);
}

/* ---- tasks for any processor ---- */

/* The first idle processor, TASK_ANY_PROC if there is none. */
static int32_t first_idle(struct graph_run *r)
{
	uint32_t proc;

	while ((proc = ready_queues_first(&r->idle, 0)) != READY_NONE) {
		if (!r->busy[proc])
			return (int32_t)proc;
		ready_queues_pop(&r->idle, 0);
		r->is_listed[proc] = false;
	}
	return TASK_ANY_PROC;
}

/* Where the last message comes from, if that is idle: any other place would wait for it. */
static int32_t choose_proc(const struct graph_run *r, uint32_t t, int32_t otherwise)
{
	const struct task_graph *g = r->g;
	double latest_s = -1;
	int32_t proc = TASK_ANY_PROC;

	for (uint32_t k = g->in_first[t]; k < g->in_first[t + 1]; k++) {
		const struct task_edge *edge = &g->edge[g->in_edge[k]];
		double there_s = r->a->end_s[edge->from] + edge->seconds;

		if (there_s > latest_s) {
			latest_s = there_s;
			proc = r->a->proc[edge->from];
		}
	}
	return proc != TASK_ANY_PROC && !r->busy[proc] ? proc : otherwise;
}

/* A message to a task that was just given its processor. */
static void expect(struct graph_run *r, uint32_t t, uint32_t k)
{
	const struct task_edge *edge = &r->g->edge[k];
	uint32_t station = graph_run_station(r, r->g->n_tasks + k);
	bool is_local = r->a->proc[edge->from] == r->a->proc[t];
	bool is_shared = station != TASK_GRAPH_NONE && graph_run_demand_s(r, edge->bytes) > 0;
	double demand = is_shared ? graph_run_demand_s(r, edge->bytes) : 0;

	if (is_shared && isnan(r->edge_arrival_s[k])) {
		if (!is_local) {
			r->missing[t]++;
			return;
		}
		graph_run_note_change(r, station);
		contention_withdraw(&r->contention, station, (uint32_t)(r->g->n_tasks + k),
				    fmax(edge->seconds, demand), demand, r->now_s);
	}
	if (is_local)
		note_arrival(r, t, k, r->a->end_s[edge->from]);
	else
		note_arrival(r, t, k,
			     is_shared ? r->edge_arrival_s[k]
				       : r->a->end_s[edge->from] + edge->seconds);
}

static void place(struct graph_run *r, uint32_t t, int32_t proc)
{
	r->a->proc[t] = proc;
	r->busy[proc] = true;
	for (uint32_t k = r->g->in_first[t]; k < r->g->in_first[t + 1]; k++)
		expect(r, t, r->g->in_edge[k]);
	if (r->missing[t] == 0)
		wait_for_messages(r, t);
}

/* Give free processors what is ready: first what can only run there. */
static void dispatch(struct graph_run *r)
{
	int32_t idle;
	uint32_t t;

	for (size_t i = 0; i < r->n_touched; i++) {
		uint32_t proc = r->touched[i];

		r->is_touched[proc] = false;
		if (!r->busy[proc] && (t = ready_queues_pop(&r->ready, proc)) != READY_NONE)
			start(r, t);
	}
	r->n_touched = 0;
	while (r->any && ready_queues_first(&r->ready, (size_t)r->a->procs) != READY_NONE &&
	       (idle = first_idle(r)) != TASK_ANY_PROC) {
		t = ready_queues_pop(&r->ready, (size_t)r->a->procs);
		place(r, t, choose_proc(r, t, idle));
	}
}

/* ---- tasks end ---- */

static void send(struct graph_run *r, uint32_t k)
{
	const struct task_edge *edge = &r->g->edge[k];
	const uint32_t t = edge->to;
	uint32_t station = graph_run_station(r, r->g->n_tasks + k);
	int32_t from = r->a->proc[edge->from];
	bool is_local = from != TASK_ANY_PROC && from == r->a->proc[t];
	bool is_shared = station != TASK_GRAPH_NONE && graph_run_demand_s(r, edge->bytes) > 0;

	if (is_shared && !is_local)
		graph_run_join(r, station, r->g->n_tasks + k, edge->seconds, edge->bytes);
	if (r->is_any[t]) {
		if (--r->missing[t] == 0)
			enqueue(r, t, (size_t)r->a->procs);
	} else if (is_local || !is_shared) {
		arrive(r, t, k, is_local ? r->now_s : r->now_s + edge->seconds);
	}
}

static void end(struct graph_run *r, uint32_t t)
{
	int32_t proc = r->a->proc[t];

	r->a->end_s[t] = r->now_s;
	r->n_ended++;
	if (proc != TASK_ANY_PROC) {
		r->busy[proc] = false;
		r->last[proc] = t;
		touch(r, proc);
		if (r->any && !r->is_listed[proc]) {
			ready_queues_push(&r->idle, 0, (uint32_t)proc, 0);
			r->is_listed[proc] = true;
		}
	}
	for (uint32_t k = r->g->out_first[t]; k < r->g->out_first[t + 1]; k++)
		send(r, k);
}

static void end_message(struct graph_run *r, uint32_t k)
{
	uint32_t t = r->g->edge[k].to;

	if (!r->is_any[t]) {
		arrive(r, t, k, r->now_s);
		return;
	}
	r->edge_arrival_s[k] = r->now_s;
	if (r->a->proc[t] != TASK_ANY_PROC)
		arrive(r, t, k, r->now_s);
}

static void move_station(struct graph_run *r, uint32_t station)
{
	uint32_t activity;

	if (r->contention.station[station].next_s > r->now_s)
		return; /* others came: it is later now */
	graph_run_note_change(r, station);
	r->contention.station[station].is_changed = true;
	while ((activity = contention_take_ended(&r->contention, station, r->now_s)) !=
	       CONTENTION_NONE) {
		if (activity < r->g->n_tasks)
			end(r, activity);
		else
			end_message(r, activity - (uint32_t)r->g->n_tasks);
	}
}

static void settle(struct graph_run *r)
{
	bool is_solved, any_solved = false;

	for (size_t i = 0; i < r->n_changed && !r->rc; i++) {
		uint32_t s = r->changed[i];

		r->rc = contention_settle(&r->contention, s, r->now_s, &is_solved, r->e);
		any_solved |= is_solved;
		if (!r->rc && r->contention.station[s].next != CONTENTION_NONE)
			graph_run_push(r, r->contention.station[s].next_s, STATION_MOVES, s);
	}
	r->n_changed = 0;
	r->a->n_solutions += any_solved;
}

/* ---- the sweep ---- */

static void happen(struct graph_run *r, const struct event *event)
{
	switch ((enum event_kind)event->kind) {
	case TASK_ENDS:
		end(r, event->id);
		break;
	case STATION_MOVES:
		move_station(r, event->id);
		break;
	case MESSAGES_ARE_IN:
		messages_are_in(r, event->id);
		break;
	}
}

/* All that happens at one time, then the new pace of the network. */
static void instant(struct graph_run *r)
{
	while (!r->rc && r->events.n > 0 && r->events.event[0].time_s <= r->now_s) {
		while (!r->rc && r->events.n > 0 && r->events.event[0].time_s <= r->now_s) {
			struct event event = event_queue_pop(&r->events);

			happen(r, &event);
		}
		dispatch(r);
	}
	settle(r);
}

static void begin(struct graph_run *r)
{
	for (uint32_t t = 0; t < r->g->n_tasks; t++) {
		r->missing[t] = r->g->in_first[t + 1] - r->g->in_first[t];
		r->cause[t] = (struct task_cause){TASK_GRAPH_NONE, TASK_GRAPH_NONE};
		r->is_any[t] = r->any && r->a->proc[t] == TASK_ANY_PROC;
	}
	for (size_t k = 0; r->edge_arrival_s && k < r->g->n_edges; k++)
		r->edge_arrival_s[k] = NAN;
	for (int32_t p = 0; p < r->a->procs; p++) {
		r->last[p] = TASK_GRAPH_NONE;
		r->is_listed[p] = r->any;
		if (r->any)
			ready_queues_push(&r->idle, 0, (uint32_t)p, 0);
	}
	for (uint32_t t = 0; t < r->g->n_tasks && !r->rc; t++) {
		if (r->missing[t] > 0)
			continue;
		if (r->is_any[t])
			enqueue(r, t, (size_t)r->a->procs);
		else
			messages_are_in(r, t);
	}
	dispatch(r);
	settle(r);
}

enum err_code graph_run(const struct task_graph *g, const struct task_machine *m, bool any,
			const struct progress *progress, struct task_analysis *a,
			struct task_cause *cause, struct err *e)
{
	struct graph_run r = {.g = g, .m = m, .a = a, .cause = cause, .any = any, .e = e};
	enum { ASK_EVERY = 64 }; /* instants: with many classes of messages each takes long */
	size_t n_instants = 0;

	a->n_solutions = 0;
	if (!(r.rc = graph_run_init(&r)))
		begin(&r);
	while (!r.rc && r.events.n > 0) {
		r.now_s = r.events.event[0].time_s;
		instant(&r);
		if (n_instants++ % ASK_EVERY == 0 && !r.rc &&
		    !progress_step(progress, "tasks", r.n_ended, g->n_tasks))
			r.rc = err_set(e, ERR_INTERRUPTED, "interrupted");
	}
	graph_run_release(&r);
	return r.rc;
}
