#ifndef RECOMMEND_EVALUATE_REGRET_H
#define RECOMMEND_EVALUATE_REGRET_H
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
	/* One problem alone, by number (measured_problems.h); SIZE_MAX: all that were measured in
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

#endif
