#ifndef MODELS_WAVEFRONT_STATIC_H
#define MODELS_WAVEFRONT_STATIC_H
#include "base/strbuf.h"
#include "models/taskgraph/wavefront_graph.h"

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
