#ifndef RECOMMEND_RATE_PROCESS_H
#define RECOMMEND_RATE_PROCESS_H
#include <stddef.h>
#include "base/err.h"
#include "mining/predictor/predictor.h"

/* Which configuration without runs is likely faster than the fastest that was run, from the runs of
 * the very problem that is asked about.
 *
 * A Gaussian process (Matern 5/2, a length for each column) of the rate -t_min / t, t_min the least
 * time that was measured: on that scale the fast configurations, among which the choice is made,
 * lie apart, and slow ones, however slow, lie together near 0; of log time it is the other way
 * round. It has no trend, so that far from the runs it returns to their mean rate, and promises
 * nothing there. Measured: docs/choice.md. */
struct rate_process;

/* rows[n * app->n_columns], time_s[n] > 0 [s]: configurations of one problem. *out stays NULL where
 * they are too few to tell, nothing varies, or the predictor knows more: it has a structure, or
 * learned from other problems as much as from this one. Errors: NUMERIC, NOMEM. */
enum err_code rate_process_fit(const struct predictor *predictor, const struct application *app,
			       const double *rows, const double *time_s, size_t n,
			       struct rate_process **out, struct err *e);
void rate_process_free(struct rate_process *p);

/* t_min over the rate that is one standard deviation worse than expected [s]: less than t_min where
 * it is probably faster than all that was run; INFINITY: at that rate it never ends. */
double rate_process_score_s(const struct rate_process *p, const double *row);

#endif
