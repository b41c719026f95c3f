#ifndef RECOMMEND_EVIDENCE_H
#define RECOMMEND_EVIDENCE_H
#include "base/err.h"
#include "recommend/recommend.h"

/* The configurations seen in runs that are nearest to row, nearest first, at most max; each by its
 * run of median time. Distance is Euclidean in the logs of problem, workload, tunables and
 * resources: 0.69 is a factor of two in one of them; another category counts as that much. A value
 * that the run lacks counts the same. *out is NULL when there are no runs. Errors: NOMEM. */
enum err_code evidence_near_runs(const struct dataset *runs, const double *row, size_t max,
				 struct near_run **out, size_t *n_out, struct err *e);
void near_runs_free(struct near_run *near, size_t n);

#endif
