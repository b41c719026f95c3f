#ifndef RECOMMEND_EVALUATE_PROMISES_H
#define RECOMMEND_EVALUATE_PROMISES_H
#include <stdint.h>
#include "base/err.h"
#include "mining/training/fit_input.h"

/* Are promises kept of configurations that were chosen, for what was predicted of them? The least
 * of many noisy predictions is too good; intervals that hold on average over all configurations may
 * not hold for the chosen one.
 *
 * Half of the configurations of each problem are seen. Of the others the one is chosen that costs
 * least by the promise at a confidence (CHEAPEST, rank.h) without a deadline: did a run keep the
 * promise itself? And for each deadline at the quartiles of the problem's times the cheapest, and
 * the one on the fewest nodes, which leaves less room: did a run keep that, of which p_meet was
 * said? */
enum { PROMISE_LEVELS = 4 };
extern const double promise_level[PROMISE_LEVELS]; /* 0.5, 0.8, 0.9, 0.95 */

struct promise_scores {
	size_t n_promised; /* choices without a deadline */
	double kept;	   /* share of their runs within the promise */
	/* Questions with a deadline that had an answer: [0] the cheapest, [1] on the fewest nodes.
	 */
	size_t n_answered[2];
	double said[2], hit[2]; /* mean p_meet of the answers; share of their runs in time */
};

struct promise_request {
	const struct fit_input *in;
	const char *predictor; /* NULL: the first that applies */
	int n_draws;
	uint64_t seed;
};

/* Errors: ARG, NODATA (no problem was measured in ten configurations), INTERRUPTED, NOMEM. */
enum err_code evaluate_promises(const struct promise_request *q,
				struct promise_scores out[PROMISE_LEVELS], struct err *e);

#endif
