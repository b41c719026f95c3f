#ifndef MODELS_TASK_GRAPH_H
#define MODELS_TASK_GRAPH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* A parallel program as a graph without cycles: tasks that take time, and edges that say which task
 * must end before another starts, with what the message between them costs. The dynamic task graph
 * of Deelman et al., "POEMS", WOSP 1998, section 2.1.
 *
 * Built by adding tasks, then edges, then task_graph_finish(). Everything is in arrays over tasks
 * and edges, so that a million tasks cost a few dozen bytes each and one allocation an array. */

enum task_kind { TASK_COMPUTE, TASK_SEND, TASK_RECEIVE, TASK_N_KINDS };

/* No processor given: anybody's. */
#define TASK_ANY_PROC (-1)
/* What stands for no task and no edge. */
#define TASK_GRAPH_NONE UINT32_MAX
/* More would take gigabytes. */
#define TASK_GRAPH_MAX_TASKS 10000000u
#define TASK_GRAPH_MAX_EDGES 100000000u
#define TASK_GRAPH_MAX_PROCS 10000000

struct task {
	double seconds;	     /* on an otherwise idle machine */
	double bytes;	     /* that it moves between peer and proc while it runs */
	int32_t proc;	     /* on which it runs; TASK_ANY_PROC */
	int32_t peer;	     /* the other end of its bytes; TASK_ANY_PROC */
	enum task_kind kind; /* a send or receive is processor time spent on a message */
	uint32_t fires_at;   /* it starts when so many messages are in; 0: all */
	uint32_t name_at;    /* set by task_graph_add_task() */
};

/* `to` starts (or, if it fires at fewer messages than come, may start) after `from` has ended and
 * the message has arrived, `seconds` later if the two are on
 * different processors; between tasks of one processor a message costs nothing. */
struct task_edge {
	uint32_t from, to;
	double seconds;
	double bytes; /* on their way during these seconds */
};

struct task_graph {
	size_t n_tasks, n_edges;
	int32_t n_procs; /* 1 + the largest proc of a task; 0: none is given */

	struct task *task;	/* [n_tasks] */
	char *names;		/* NUL-terminated, one after the other */
	struct task_edge *edge; /* [n_edges]; once finished in the order of `from`, then as added */
	/* once finished: the edges from task t are out_first[t] .. out_first[t + 1] - 1; the edges
	 * to it are in_edge[in_first[t]] .. in_edge[in_first[t + 1] - 1], ascending */
	uint32_t *out_first, *in_first; /* [n_tasks + 1] */
	uint32_t *in_edge;		/* [n_edges] */
	uint32_t *order;		/* [n_tasks]: every task after those it waits for */

	/* while it is built */
	size_t task_cap, edge_cap, names_len, names_cap;
	struct err why; /* the first thing that went wrong */
};

/* NULL: out of memory. */
struct task_graph *task_graph_new(void);
void task_graph_free(struct task_graph *g);

/* Add, and get the number of the task: 0, 1, 2, ... The name is copied; that names differ is for
 * the caller to see to. What is wrong (a time or size that is negative or not finite, a processor
 * or task that cannot be, too many, no memory) is remembered, and what follows is ignored:
 * task_graph_finish() reports it. */
uint32_t task_graph_add_task(struct task_graph *g, const char *name, const struct task *t);
void task_graph_add_edge(struct task_graph *g, const struct task_edge *edge);

/* Sort the edges, check that there is no cycle, find an order. If there is a cycle, the message
 * tells it, *closing (may be NULL) is its edge that was added last, and g->edge is as it was. So it
 * is with the messages to a task that fires at more than come.
 * Errors: ARG (what was added, a task that fires at more messages than come, or
 * a cycle; else *closing is TASK_GRAPH_NONE), NOMEM. */
enum err_code task_graph_finish(struct task_graph *g, uint32_t *closing, struct err *e);

static inline const char *task_graph_name(const struct task_graph *g, uint32_t task)
{
	return g->names + g->task[task].name_at;
}

/* What the message of an edge takes, the tasks being where the graph says. */
static inline double task_graph_message_s(const struct task_graph *g, uint32_t edge)
{
	const struct task_edge *k = &g->edge[edge];
	int32_t proc = g->task[k->from].proc;

	return proc != TASK_ANY_PROC && proc == g->task[k->to].proc ? 0 : k->seconds;
}

/* How many of the messages to a task it waits for. */
static inline uint32_t task_graph_awaited(const struct task_graph *g, uint32_t task)
{
	const uint32_t n = g->in_first[task + 1] - g->in_first[task], at = g->task[task].fires_at;

	return at > 0 && at < n ? at : n;
}

/* The sum of the tasks' seconds. */
double task_graph_work_s(const struct task_graph *g);

/* "compute", "send", "receive". */
const char *task_kind_name(enum task_kind kind);

#endif
