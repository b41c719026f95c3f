#ifndef MINING_VALUE_OF_INFORMATION_H
#define MINING_VALUE_OF_INFORMATION_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/numerics/posterior_samples.h"

/* What a run is worth to somebody who has to choose one of several configurations: preposterior
 * analysis (Raiffa and Schlaifer, "Applied statistical decision theory", 1961, ch. 4-5), with
 * correlated beliefs as in Frazier, Powell and Dayanik, "The knowledge-gradient policy for
 * correlated normal beliefs", INFORMS J. Computing 21(4), 2009. They value a run by what the
 * choice gains on average; we do by the chance to choose right (the 0-1 loss, with an indifference
 * zone as in Bechhofer, Ann. Math. Stat. 25, 1954), because a deadline that is missed has no price
 * that we know. */

/* One configuration to choose. */
struct option {
	double log_time;  /* log of the predicted time [log s] */
	double log_limit; /* good enough if the typical time is not above; INFINITY: always */
	double stop_s;	  /* a run of it is stopped then, if it is not good enough */
	double level;	  /* counts first, the less the better: nodes, or 0 for all */
	double log_price; /* of a second; then time * price counts, the less the better */
	double nodes;
};

/* Option i is place i of the samples. Right, if all were known, would be the option that is good
 * enough and best by level and price, and every other whose price is not above it by more than
 * `tolerance` (a share); none where none is good enough: that is option n, to decline. */
struct choice_problem {
	const struct option *option;
	size_t n;
	double tolerance;
};

struct expectation {
	double wrong; /* probability, of whoever decides for the option that is most probably right
		       */
	/* Half the sum of p (1 - p) over the options, p the probability of each to be right: the
	 * expected quadratic score of Brier, Monthly Weather Review 78, 1950; for two exclusive
	 * ones p (1 - p). It falls with all that is learnt, where `wrong` stays for a run that
	 * would change the choice only together with another (Frazier and Powell, "Paradoxes in
	 * learning and the marginal value of information", Decision Analysis 7(4), 2010). */
	double brier;
	/* By whoever submits the option that is expected to waste least: what it takes over the
	 * right one, or all of one that is stopped. Linear loss, as the authors above have it. */
	double wasted_node_hours;
};

/* right[n + 1]: probability of each option to be right, before any run. Errors: NOMEM. */
enum err_code choice_chances(const struct choice_problem *c, const struct posterior_samples *d,
			     double *right, struct err *e);

/* What to expect without and with the outcome of one more run at place r. By Jensen's inequality,
 * which holds for the draws as well, wrong and brier never rise, and stay if the run tells nothing
 * of the options. wasted_node_hours are left 0 unless `waste`. Errors: NOMEM. */
enum err_code voi_foresee(const struct choice_problem *c, const struct posterior_samples *d,
			  size_t r, double noise_sd, bool waste, struct expectation *before,
			  struct expectation *after, struct err *e);

#endif
