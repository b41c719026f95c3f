#ifndef RECOMMEND_EVIDENCE_H
#define RECOMMEND_EVIDENCE_H
#include "base/err.h"
#include "recommend/recommend.h"

/* The configurations seen in runs that are nearest to row, nearest first (near_distance.h), at most
 * max; each by its run of median time. *out is NULL when there are no runs. Errors: NOMEM. */
enum err_code evidence_near_runs(const struct dataset *runs, const double *row, size_t max,
				 struct near_run **out, size_t *n_out, struct err *e);
/* The same of runs in the base: by the index of them (kb_run_index.h) as long as that is of today's
 * runs, else all are loaded. Errors: DAMAGED, those of kb_load_runs(). */
enum err_code evidence_near_stored(const struct stored_runs *stored, const struct application *app,
				   const double *row, size_t max, struct near_run **out,
				   size_t *n_out, struct err *e);
void near_runs_free(struct near_run *near, size_t n);

#endif
