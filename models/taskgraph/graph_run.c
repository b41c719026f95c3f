#include "models/taskgraph/graph_run.h"

#include <math.h>
#include <stdlib.h>

#include "models/taskgraph/contention.h"
#include "models/taskgraph/event_queue.h"
#include "models/taskgraph/task_graph_analysis.h"

/* The station of the network that each activity of a graph wants: task t is activity t, edge k is
 * activity n_tasks + k. */
struct task_stations {
	size_t n;	   /* stations */
	uint32_t *station; /* [n_tasks + n_edges]; TASK_GRAPH_NONE: none */
};

enum event_kind {
	TASK_ENDS,	 /* id: task, which uses no station */
	STATION_MOVES,	 /* id: station, where an activity ends unless something has come between */
	MESSAGES_ARE_IN, /* id: task, whose last message arrives */
	MESSAGE_IS_IN	 /* id: edge, to a task that fires at fewer messages than come */
};

/* Tasks go through these: waits for messages (missing > 0), ready (in a queue), runs, done. A task
 * for any processor is ready when the tasks before it have ended; it is then given a processor,
 * which is kept for it, and waits for the messages that are not local. */
struct graph_run {
	const struct task_graph *g;
	const struct task_machine *m;
	struct task_analysis *a;
	struct task_cause *cause; /* [n_tasks]; .edge: the last message so far */
	bool any;		  /* tasks without a processor may go to any */
	bool *is_any;		  /* [n_tasks]: such a task */
	double now_s;
	size_t n_ended; /* tasks */

	uint32_t *missing;   /* [n_tasks]: messages (tasks for any: tasks before it) to come */
	double *arrival_s;   /* [n_tasks]: of the last message so far */
	double *remaining_s; /* [n_tasks]: for SCHEDULE_LONGEST */
	struct event_queue events;

	/* A queue for each processor, and at [procs] that of the tasks for any. */
	struct ready_queues ready;
	bool *busy;	   /* [procs] */
	uint32_t *last;	   /* [procs]: the task that ended last */
	uint32_t *touched; /* [procs]: with something new to decide; each once */
	bool *is_touched;
	size_t n_touched;
	struct ready_queues idle; /* one queue of processors, some of which may be busy again */
	bool *is_listed;	  /* [procs]: in it */

	struct task_stations stations;
	struct contention contention;
	double *edge_arrival_s; /* [n_edges], where tasks for any wait; NaN: not yet */
	uint32_t *changed;	/* stations to settle at the end of the instant */
	size_t n_changed;

	enum err_code rc; /* the first error: what follows does nothing */
	struct err *e;
};

static void task_stations_release(struct task_stations *s)
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

/* is_placed: the tasks run where the graph says; false: some may run anywhere. Errors: ARG (ports
 * or links, and not known between which processors something moves), NOMEM. */
static enum err_code task_stations_find(const struct task_graph *g, enum task_network network,
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

/* Functions that may fail leave their error in r->rc. */
static void graph_run_push(struct graph_run *r, double time_s, enum event_kind kind, uint32_t id)
{
	if (!r->rc && !isfinite(time_s))
		r->rc = err_set(r->e, ERR_ARG, "the time of the graph is too large for a number");
	if (!r->rc)
		r->rc = event_queue_push(&r->events, (struct event){time_s, (uint32_t)kind, id},
					 r->e);
}

/* The station that an activity wants, TASK_GRAPH_NONE if it wants none; how much of it; that
 * something changes there; that the activity begins. */
static uint32_t graph_run_station(const struct graph_run *r, size_t activity)
{
	return r->stations.station ? r->stations.station[activity] : TASK_GRAPH_NONE;
}

static void graph_run_note_change(struct graph_run *r, uint32_t station)
{
	if (!r->contention.station[station].is_changed)
		r->changed[r->n_changed++] = station;
}

static double graph_run_demand_s(const struct graph_run *r, double bytes)
{
	return bytes / r->m->bytes_per_s;
}

static void graph_run_join(struct graph_run *r, uint32_t station, size_t activity, double seconds,
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

static void graph_run_release(struct graph_run *r)
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

/* Errors: ARG, NOMEM. */
static enum err_code graph_run_init(struct graph_run *r)
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

/* Of a task that does not wait for all its messages the order of their arrival counts, not that in
 * which they leave. */
static bool fires_early(const struct graph_run *r, uint32_t t)
{
	return task_graph_awaited(r->g, t) < r->g->in_first[t + 1] - r->g->in_first[t];
}

static void message_is_in(struct graph_run *r, uint32_t edge)
{
	const uint32_t t = r->g->edge[edge].to;

	if (r->missing[t] == 0)
		return; /* it has fired */
	r->arrival_s[t] = r->now_s;
	r->cause[t].edge = edge;
	if (--r->missing[t] == 0)
		messages_are_in(r, t);
}

static void arrive(struct graph_run *r, uint32_t t, uint32_t edge, double at_s)
{
	if (fires_early(r, t)) {
		graph_run_push(r, at_s, MESSAGE_IS_IN, edge);
		return;
	}
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
	case MESSAGE_IS_IN:
		message_is_in(r, event->id);
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

/* A task for any processor goes where its last message comes from. */
static enum err_code check_firing(const struct graph_run *r, struct err *e)
{
	for (uint32_t t = 0; t < r->g->n_tasks; t++) {
		if (r->any && r->a->proc[t] == TASK_ANY_PROC && fires_early(r, t))
			return err_set(e, ERR_ARG,
				       "task %s fires at %u of its messages and may run on any "
				       "processor: give it proc=, and processors enough",
				       task_graph_name(r->g, t), task_graph_awaited(r->g, t));
	}
	return ERR_OK;
}

static void begin(struct graph_run *r)
{
	for (uint32_t t = 0; t < r->g->n_tasks; t++) {
		r->missing[t] = task_graph_awaited(r->g, t);
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
	if (!(r.rc = graph_run_init(&r)) && !(r.rc = check_firing(&r, e)))
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
