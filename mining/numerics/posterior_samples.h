#ifndef MINING_POSTERIOR_SAMPLES_H
#define MINING_POSTERIOR_SAMPLES_H
#include <stddef.h>
#include "base/err.h"

/* What is not known about the times of several configurations ("places"), and what runs would tell.
 * The log of the typical time at place i is the predicted one plus an error; errors are jointly
 * normal with mean 0. A run at place r shows its error plus repeat noise, also normal; the outcome
 * is not known yet, so all that can be said is how much uncertainty will be left, and how far the
 * predictions may move by then. Both are kept as draws, so that any decision can be judged by them;
 * a run moves the draws by Matheron's rule (Wilson et al., "Pathwise conditioning of Gaussian
 * processes", JMLR 22, 2021), no matrix is factored again. The same seed always: equal input, equal
 * answer, and candidates are compared on common random numbers. */

enum {
	POSTERIOR_DRAWS = 4096, /* of what is left, in pairs of opposite sign: odd moments are 0 */
	POSTERIOR_PATHS = 32	/* of what runs will have shown */
};

struct posterior_samples {
	size_t n;	    /* places */
	double *covariance; /* n * n, of what is left after the runs learnt so far */
	double *left;	    /* POSTERIOR_DRAWS * n */
	double *noise;	    /* POSTERIOR_DRAWS standard normal draws: noise of the next run */
	double *shown;	    /* POSTERIOR_PATHS * n: how far predictions have moved */
	size_t n_paths;	    /* 1 before the first run, which moves them, then POSTERIOR_PATHS */
	void *random;	    /* the generator: a gsl_rng */
};

/* sd[n]: standard deviations of the log times; correlation[n * n], positive semi-definite with ones
 * on its diagonal. Errors: NOMEM. */
enum err_code posterior_samples_init(struct posterior_samples *d, const double *sd,
				     const double *correlation, size_t n, struct err *e);
void posterior_samples_release(struct posterior_samples *d);

/* A run to come at place r, with repeats that vary by noise_sd (of the log time). Its outcome in
 * standard deviations, z, is standard normal: it moves the prediction of place i by z * gain[i] and
 * takes gain[i] * outcome[m] off the draw m of what is left. gain[n], outcome[n_draws]; zero where
 * there is neither uncertainty nor noise. */
void preposterior_outcome(const struct posterior_samples *d, size_t r, double noise_sd,
			  double *gain, double *outcome, size_t n_draws);

/* That run is made: from now on its outcome is taken for known. Errors: NOMEM. */
enum err_code posterior_samples_condition_on(struct posterior_samples *d, size_t r, double noise_sd,
					     struct err *e);

/* n outcomes z that stand for all: the middles of equal shares of the normal distribution, scaled
 * to variance 1. */
void posterior_samples_outcomes(double *z, size_t n);

#endif
