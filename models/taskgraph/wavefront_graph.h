#ifndef MODELS_WAVEFRONT_GRAPH_H
#define MODELS_WAVEFRONT_GRAPH_H
#include "base/strbuf.h"
#include "models/pipeline.h"
#include "models/taskgraph/task_graph.h"

/* The task graphs of one iteration of a pipelined wavefront (Deelman et al., "POEMS", WOSP 1998,
 * section 3.2, figures 4 and 5), for the same program, messages and meetings as pipeline.h: the
 * critical path of the dynamic graph is the time of pipeline_evaluate() to the last bit.
 *
 * Each processor and block has these tasks, where it has the neighbour, named like
 * compute.i1.j1.o1.a1.k1 (column, row, octant, angle group, k block, all from 1):
 *   receive-i, receive-j   a message that does not block: its receive. A blocking one: 0 s, when
 *                          the message's header has come and the receive is posted
 *   transfer-i, transfer-j blocking messages only: the rest of the receive, with the bytes
 *   compute
 *   send-i, send-j         the send; of a blocking one what follows the meeting
 * A message leaves when its send is called, which is when the task before the send ends: its edge
 * comes from there, not from the send. Processor (i, j) has the number j npe_i + i, from 0. */
enum wavefront_task {
	WAVE_RECEIVE_I,
	WAVE_TRANSFER_I,
	WAVE_RECEIVE_J,
	WAVE_TRANSFER_J,
	WAVE_COMPUTE,
	WAVE_SEND_I,
	WAVE_SEND_J,
	WAVE_N_TASKS
};
const char *wavefront_task_name(enum wavefront_task kind);
enum task_kind wavefront_task_kind(enum wavefront_task kind);

struct wavefront_graph {
	const struct pipeline *p;
	const double *ew_bytes, *ns_bytes; /* [npe_j], [npe_i] */
	int octants;			   /* the first so many of the 8 of an iteration */
};

/* Errors: ARG (what pipeline_check() refuses, octants outside 1 .. 8). */
enum err_code wavefront_graph_check(const struct wavefront_graph *w, struct err *e);

/* Errors: ARG (as above; more than
 * TASK_GRAPH_MAX_TASKS tasks), NOMEM. */
enum err_code wavefront_graph_build(const struct wavefront_graph *w, struct task_graph **out,
				    struct err *e);

/* How many tasks of a kind the dynamic graph has, without building it. */
double wavefront_graph_count(const struct wavefront_graph *w, enum wavefront_task kind);

/* The static task graph of a wavefront: its loops, the classes of tasks within them and how they
 * depend on each other, as small as the program text whatever the problem (Deelman et al., "POEMS",
 * WOSP 1998, sections 2.1 and 3.2, figure 4). Every task of the dynamic graph is an instance of a
 * class. */
struct wavefront_class {
	enum wavefront_task kind;
	const char *cost;   /* of an instance, in symbols */
	const char *on;	    /* the processors that have it */
	double n_instances; /* in the dynamic graph */
	double total_s;	    /* of all instances */
};

struct wavefront_dependence {
	enum wavefront_task from, to;
	const char *where; /* which instances: "the next block of the processor" */
	bool is_message;   /* between processors */
};

struct wavefront_static {
	int64_t npe_i, npe_j, octants, angle_groups, k_blocks;
	struct wavefront_class class[WAVE_N_TASKS]; /* those with instances, in program order */
	size_t n_classes;
	struct wavefront_dependence dependence[2 * WAVE_N_TASKS + 4];
	size_t n_dependences;
};

/* Errors: ARG (as wavefront_graph_check()). There is no limit to the tasks of the dynamic graph. */
enum err_code wavefront_static_of(const struct wavefront_graph *w, struct wavefront_static *out,
				  struct err *e);

/* In Graphviz' language, the loops as boxes around the classes. */
void wavefront_static_dot(const struct wavefront_static *s, struct strbuf *out);

#endif
