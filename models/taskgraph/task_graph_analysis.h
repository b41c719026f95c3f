#ifndef MODELS_TASK_GRAPH_ANALYSIS_H
#define MODELS_TASK_GRAPH_ANALYSIS_H
#include "base/progress.h"
#include "models/message_cost.h"
#include "models/sweep.h"
#include "models/taskgraph/critical_path.h"
#include "models/taskgraph/task_graph.h"

/* Deterministic task graph analysis: when each task of a graph starts and ends on a machine, whose
 * processors are given to tasks by a scheduling rule and whose network is shared.
 *
 * Source: Adve, "Analyzing the Behavior and Performance of Parallel Programs", UW-Madison CS TR
 * 1201, 1993, as described in Deelman et al., "POEMS", WOSP 1998, section 4.2. Two levels: for each
 * set of activities under way, approximate mean value analysis gives their mean residence times,
 * which are taken as their times; a sweep through the graph, in the order of time, changes the set
 * as activities start and end. The set changes only when an activity ends, so no more networks are
 * solved than there are tasks, and messages that take time; fewer, where the numbers of activities
 * that are alike stay the same or one is alone.
 *
 * Where we differ: the thesis was not at hand. Messages are activities beside the tasks, as the
 * graphs of message-passing programs have them. Processors are never time-shared: each does one
 * task to its end. An activity wants one station of the network at most, so a network of queues
 * falls apart into its stations, which are solved each for itself. */

/* The ready task that a free processor takes. Ties: the lowest task number. */
enum schedule_rule {
	SCHEDULE_FIFO,	 /* the one that has been ready for longest */
	SCHEDULE_LONGEST /* the one with the longest chain of tasks and messages from it to the end
			  */
};

/* What the bytes of messages and tasks share. Each byte occupies its station 1 / bytes_per_s
 * seconds, which are part of the message's or task's own seconds (all of them, if they are fewer:
 * nothing is faster than its link). Bytes within a processor use nothing. */
enum task_network {
	NETWORK_UNSHARED,
	NETWORK_BUS,   /* one station for all */
	NETWORK_PORTS, /* each processor receives through one port */
	NETWORK_LINKS  /* a link from each processor to each other one */
};

struct task_machine {
	/* 0: tasks run where the graph says, and a task without a processor has one to itself.
	 * Otherwise so many processors: tasks without one go to any of them; if the graph names
	 * more processors than that, what it says is passed over, and all tasks go to any. A task
	 * for any processor is given one when all tasks that it waits for have ended: that from
	 * which its last message comes, if it is free, else the free one with the lowest number.
	 * The processor then waits for its messages. */
	int32_t procs;
	enum schedule_rule rule;
	enum task_network network;
	double bytes_per_s; /* > 0 unless the network is unshared */
};

/* Where time goes. */
struct task_times {
	double compute_s;
	double comm_s;	     /* sends, receives and messages, as the graph has them */
	double contention_s; /* what sharing the network adds */
	double waiting_s;    /* of processors: nothing to do */
};

struct task_analysis {
	double time_s;
	int32_t procs;		    /* of the machine or the graph; 0: every task has its own */
	bool is_reassigned;	    /* the graph's processors were passed over */
	double *start_s, *end_s;    /* [n_tasks] */
	int32_t *proc;		    /* [n_tasks]; TASK_ANY_PROC: its own */
	struct task_path path;	    /* what made it take so long: each began when the last ended */
	struct task_times on_path;  /* sums to time_s; never waits */
	struct task_times on_procs; /* of all processors, sums to procs * time_s; 0 if procs is 0 */
	size_t n_solutions;	    /* queueing networks solved */
};

/* Of a finished graph. Without a shared network and with a processor for each ready task, time_s is
 * the critical path to the last bit. Errors: ARG (procs outside 0 .. TASK_GRAPH_MAX_PROCS, a
 * bandwidth that is not finite and > 0, ports or links where it is not given who sends to whom, a
 * time too large for a number), NUMERIC, NOMEM, INTERRUPTED (progress may be NULL). */
enum err_code task_graph_analyse(const struct task_graph *g, const struct task_machine *m,
				 const struct progress *progress, struct task_analysis *out,
				 struct err *e);
void task_analysis_release(struct task_analysis *a);

/* "fifo", "longest"; "bus", ... */
const char *schedule_rule_name(enum schedule_rule rule);
const char *task_network_name(enum task_network network);

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
