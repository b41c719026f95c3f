#ifndef RECOMMEND_EVIDENCE_H
#define RECOMMEND_EVIDENCE_H
#include "base/err.h"
#include "domain/application.h"
#include "recommend/space/recommend.h"

/* How far configurations are from each other: Euclidean in the logs of problem, workload, tunables
 * and resources. 0.69 is a factor of two in one of them; another category counts as that much, and
 * so does a value that the run lacks. What `row` lacks does not count. */
double near_distance(const struct application *app, const double *row, const double *run);
/* To the nearest run that could be between lo and hi (NaN: not bounded): no more than that. */
double near_box_distance(const struct application *app, const double *row, const double *lo,
			 const double *hi);
/* An order of configurations; 0: the same one. */
int near_compare(const struct application *app, const double *a, const double *b);

/* The configurations seen in runs that are nearest to row, nearest first, at most
 * max; each by its run of median time. *out is NULL when there are no runs. Errors: NOMEM. */
enum err_code evidence_nearest_runs(const struct dataset *runs, const double *row, size_t max,
				    struct nearest_run **out, size_t *n_out, struct err *e);
/* The nearest of the runs in the base: by the index of them (kb_run_index.h) as long as that is of
 * today's runs, else all are loaded. Errors: DAMAGED, those of kb_load_runs(). */
enum err_code evidence_near_stored(const struct stored_runs *stored, const struct application *app,
				   const double *row, size_t max, struct nearest_run **out,
				   size_t *n_out, struct err *e);
/* Put the configurations that failed or timed out among those found, at their distances: still at
 * most max. A configuration whose runs differ in how they ended is there once for each. Errors:
 * NOMEM, and nothing is changed. */
enum err_code evidence_add_unfinished(const struct dataset *runs, const double *row, size_t max,
				      struct nearest_run **near, size_t *n_near, struct err *e);
void nearest_runs_free(struct nearest_run *near, size_t n);

#endif
