#ifndef TESTS_EVALUATE_CHOICE_H
#define TESTS_EVALUATE_CHOICE_H
#include <stdint.h>
#include "base/err.h"
#include "mining/training/fit_input.h"

/* The objective `time` against looking up the best measured run: of a factorial that was measured
 * completely a share is seen, drawn at random, and what is then chosen from all of it is compared
 * with the truth. Regret is the median time of the choice over the least there is; in a draw with
 * several problems their mean. */
struct regret_request {
	const struct fit_input *in;
	const char *predictor; /* NULL: the first that applies */
	double share;	       /* of the configurations of each problem, in (0, 1) */
	int n_draws;
	uint64_t seed;
	/* One problem alone, by number (decide.h); SIZE_MAX: all that were measured in
	 * ten configurations, with one predictor for them together. */
	size_t problem;
};

struct regret {
	int n_draws;	     /* in which a predictor could be fitted */
	double mean, lookup; /* regret: of the choice, of the best measured run */
	int n_worse;	     /* draws in which the choice is worse than look-up */
	/* What was promised of the choice without runs: its time at 50, 80, 90 and 95 %. */
	int n_unseen;
	int n_kept[4];
};
extern const double regret_promise[4];

/* Errors: ARG, NODATA (nothing was measured in ten configurations), INTERRUPTED, NOMEM. */
enum err_code evaluate_regret(const struct regret_request *q, struct regret *out, struct err *e);

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
