#ifndef KB_KB_RUN_INDEX_H
#define KB_KB_RUN_INDEX_H
#include "kb/kb.h"

/* Knowledge: the runs of an application on a machine, arranged for questions, which must not take
 * longer the more runs there are. Made by mining/run_index.h, asked by recommend/choose/evidence.h.
 * It holds numbers of runs, so it is good for exactly the runs it was made from; while these are
 * others, it is as if there were none. */

/* A box around configurations, as its node of a tree. */
struct kb_index_node {
	int64_t number;	 /* 1: the box of all; the halves of box k are 2 k and 2 k + 1 */
	size_t first, n; /* its configurations [first .. first + n - 1]; n = 0: it has halves */
};

struct kb_run_index {
	const struct dataset *runs; /* borrowed */
	struct kb_index_node *node;
	size_t n_nodes;
	double *lo, *hi; /* n_nodes * n_columns: the box; NaN: not bounded */
	/* Of each configuration, box after box: its run of median time, by index into runs, and how
	 * many of its runs ended. */
	uint32_t *run, *n_runs;
	size_t n_configurations; /* > 0 */
	uint32_t *sample;	 /* the runs that candidates are taken from, by index into runs */
	size_t n_sample;
	const int64_t *unended; /* the numbers of runs that did not end, ascending; borrowed */
	size_t n_unended;
	const int64_t *failing; /* those among them that are stored as ok, and count as failed;
				 * ascending; borrowed */
	size_t n_failing;
};

/* Replace what is stored. in NULL: there is no index any more. */
enum err_code kb_put_run_index(struct kb *kb, int64_t app_id, int64_t machine_id,
			       const struct kb_run_index *in, struct err *e);

/* The runs of the sample, in run_id order. *out is NULL when there is no index of today's runs.
 * Errors: DAMAGED. */
enum err_code kb_load_run_sample(struct kb *kb, const struct application *a, int64_t app_id,
				 int64_t machine_id, struct dataset **out, struct err *e);

/* All runs that did not end, in run_id order, with the status that they count with. *out is NULL
 * when there is no index of today's runs, or one that does not tell. Errors: DAMAGED. */
enum err_code kb_load_unended_runs(struct kb *kb, const struct application *a, int64_t app_id,
				   int64_t machine_id, struct dataset **out, struct err *e);

/* What looks for something among the configurations. */
struct kb_index_visitor {
	void *arg;
	/* How far the nearest thing in the box lo[n_columns] .. hi[n_columns] may be: the nearer
	 * half is opened first. INFINITY: nothing in it is wanted (any more). */
	double (*distance)(void *arg, const double *lo, const double *hi);
	/* The configurations of a box: run i is the median of n_runs[i]. */
	enum err_code (*take)(void *arg, const struct dataset *runs, const size_t *n_runs,
			      struct err *e);
};
/* *found: there is an index of today's runs, and it was searched. Errors: DAMAGED, those of the
 * visitor. */
enum err_code kb_search_run_index(struct kb *kb, const struct application *a, int64_t app_id,
				  int64_t machine_id, const struct kb_index_visitor *v, bool *found,
				  struct err *e);
/* Read all of it: *found as above. Errors: DAMAGED. */
enum err_code kb_check_run_index(struct kb *kb, const struct application *a, int64_t app_id,
				 int64_t machine_id, bool *found, struct err *e);

/* The identity of the runs themselves, with the numbers they have in this base. (A snapshot tells
 * their content: a file that is undone and imported again is the same one, its runs have other
 * numbers.) */
enum err_code kb_runs_identity(struct kb *kb, int64_t app_id, int64_t machine_id, char out[65],
			       struct err *e);

#endif
