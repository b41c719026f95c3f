#ifndef RECOMMEND_PLACEMENT_H
#define RECOMMEND_PLACEMENT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "recommend/space/recommend.h"

/* How processors come to stand on nodes, how many nodes there are, whether the memory suffices. */
struct placement {
	const struct application *app;
	const struct machine *machine;
	int64_t max_nodes;
	const char *max_nodes_origin;
	/* Cores of a node: the machine's, else as many as runs used; 0: neither says. What runs
	 * used fills nodes, but forbids nothing that somebody asks for by name. */
	double cores;
	bool cores_seen_only;
	double max_procs; /* INFINITY: no limit but the nodes */
	/* What the request fixes; NaN where it does not. */
	double fixed_nodes, fixed_ppn;
	double fixed_procs; /* procs itself, or the whole grid */
	bool memory_checked;
};

/* given: the request's row with its derived columns. Errors: ARG (more nodes fixed than there are;
 * a limit on nodes where runs tell only of processes or GPUs: who sets it does not mean these;
 * fewer than the processors fixed need;
 * nothing says how many there are; procs is not what the grid makes). */
enum err_code placement_init(struct placement *p, const struct advice_request *q,
			     const double *given, struct err *e);

/* false: nobody knows of nodes, and each process counts as one. */
bool placement_has_nodes(const struct placement *p);
/* Nor of processes or threads: GPUs are what is counted. */
bool placement_counts_gpus(const struct placement *p);
/* The most processors times threads that a run put on a node; 0: no run says. */
double placement_cores_seen(const struct dataset *runs);

/* "256 nodes (the machine's size)", "16 GPUs (the most GPUs seen in runs)" */
void placement_put_limit(const struct placement *p, struct strbuf *out);

/* The processors a grid may have, at most and at least. */
double placement_most_procs(const struct placement *p);
double placement_least_procs(const struct placement *p);
/* The processors on n nodes, whatever the threads turn out to be. */
double placement_procs_on(const struct placement *p, double n);

/* Put procs processors on as few nodes as hold them, or on those that are fixed: sets nodes and ppn
 * (and procs, unless it is derived). One processor a node where neither the machine nor a run says
 * how many cores a node has. False: they do not fit. */
bool placement_put(const struct placement *p, double procs, double *row);
/* Does a row whose resources are set already stay within the limits? */
bool placement_within(const struct placement *p, const double *row);

/* What a complete row uses; 1 where the application has no such resource. */
double placement_procs(const struct placement *p, const double *row);
double placement_nodes(const struct placement *p, const double *row);
/* What is paid for by the hour: the nodes; where nobody knows of these, a core for each thread of
 * each process, or GPUs where the runs have neither. */
double placement_paid(const struct placement *p, const double *row);

/* Bytes on the fullest node when processors are spread evenly; NaN if not known. */
double placement_memory_bytes(const struct placement *p, const double *row);
bool placement_fits_memory(const struct placement *p, const double *row);

#endif
