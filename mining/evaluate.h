#ifndef MINING_EVALUATE_H
#define MINING_EVALUATE_H
#include <stddef.h>
#include "base/err.h"
#include "mining/holdout.h"
#include "mining/predictor.h"

/* Back-test: hold out runs, fit to the rest, predict what was held out, and say how good and how
 * honest the predictions were. Truth is the median of a configuration's repeats for errors, every
 * single run for coverage. */
struct evaluation {
	enum holdout protocol;
	const char *predictor;
	size_t n_train, n_test; /* configurations, summed over folds */
	double median_error;	/* median of |predicted / measured - 1| */
	double p90_error;	/* its 90th percentile */
	double bias;		/* median of predicted / measured - 1 */
	double coverage;	/* share of held-out runs within the central 90 % interval */
	double width;		/* median of upper over lower end of that interval */
};

/* One row per (protocol, predictor): out[n_predictors * HOLDOUT_COUNT], in that order of loops:
 * protocols outside. *n_out counts those that were possible. seed varies the random splits.
 * Errors: NODATA (nothing can be held out), INTERRUPTED, NOMEM, ARG. */
enum err_code evaluate(const struct fit_input *in, const char *const *predictors,
		       size_t n_predictors, unsigned seed, struct evaluation *out, size_t *n_out,
		       struct err *e);

#endif
