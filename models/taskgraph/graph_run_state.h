#ifndef MODELS_GRAPH_RUN_STATE_H
#define MODELS_GRAPH_RUN_STATE_H
#include "models/taskgraph/contention.h"
#include "models/taskgraph/event_queue.h"
#include "models/taskgraph/ready_queue.h"
#include "models/taskgraph/graph_run.h"
#include "models/taskgraph/task_stations.h"

/* Private to graph_run.c: what is known at one time of the sweep through a graph. */

enum event_kind {
	TASK_ENDS,	/* id: task, which uses no station */
	STATION_MOVES,	/* id: station, where an activity ends unless something has come between */
	MESSAGES_ARE_IN /* id: task, whose last message arrives */
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

/* Errors: ARG, NOMEM. */
enum err_code graph_run_init(struct graph_run *r);
void graph_run_release(struct graph_run *r);

/* Functions that may fail leave their error in r->rc. */
void graph_run_push(struct graph_run *r, double time_s, enum event_kind kind, uint32_t id);

/* The station that an activity wants, TASK_GRAPH_NONE if it wants none; how much of it; that
 * something changes there; that the activity begins. */
uint32_t graph_run_station(const struct graph_run *r, size_t activity);
double graph_run_demand_s(const struct graph_run *r, double bytes);
void graph_run_note_change(struct graph_run *r, uint32_t station);
void graph_run_join(struct graph_run *r, uint32_t station, size_t activity, double seconds,
		    double bytes);

#endif
