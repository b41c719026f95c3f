#ifndef MINING_POSYNOMIAL_H
#define MINING_POSYNOMIAL_H
#include <stddef.h>
#include "base/err.h"

/* Time as a sum of power laws, each a positive coefficient times powers of the inputs: what the
 * parts of a parallel program follow, such as computation that shrinks with the processors, a
 * pipeline's fill that shrinks more slowly and messages that do not. The largest term decides far
 * out, so that the curve flattens where scaling ends, which no polynomial in logarithms does. In
 * the logarithm it is convex (Boyd, Kim, Vandenberghe and Hassibi, "A tutorial on geometric
 * programming", Optimization and Engineering 2007). */

enum { POSYNOMIAL_MAX_TERMS = 4, POSYNOMIAL_MAX_COEFFICIENTS = 120 };

struct posynomial {
	size_t n_terms;
	size_t p;			       /* inputs, the constant among them */
	double b[POSYNOMIAL_MAX_COEFFICIENTS]; /* n_terms * p: exponents, the constant's a log */
	double scale;			       /* robust spread of the residuals, log time */
};

/* What is likely of the exponents of the one power law that fits best: a penalty of
 * penalty (b - mean)^2 on each coefficient, in the units of a squared residual of
 * POSTERIOR_MIN_NOISE (linear_posterior.h).
 *
 * Where runs are too few for a second power law of its own, a part of the time may have exponents
 * that are known but for those of the first: a start-up, which depends on nothing; serial work,
 * which is like the rest but not on the processors (Amdahl, AFIPS 1967); messages, of which there
 * are more on more processors. Part k has the exponent same[k][j] b_j + plus[k][j] of input j, and
 * costs one coefficient, its size. The best is taken if the extended Bayesian information criterion
 * (Chen and Chen 2008) prefers it, of Laplace's distribution:
 *	2 n ln(sum |r| / sum |r'|) > ln n + 2 ln(n_parts),
 * or the best two, each of which adds that. */
enum { POSYNOMIAL_MAX_PARTS = 6, POSYNOMIAL_PARTS_TAKEN = 2 };
struct posynomial_prior {
	double mean[POSYNOMIAL_MAX_COEFFICIENTS];
	double penalty[POSYNOMIAL_MAX_COEFFICIENTS];
	size_t n_parts;
	double same[POSYNOMIAL_MAX_PARTS][POSYNOMIAL_MAX_COEFFICIENTS];
	double plus[POSYNOMIAL_MAX_PARTS][POSYNOMIAL_MAX_COEFFICIENTS];
};

/* log time y[n] as log sum_k exp(b_k x). x[n * p] row-major: 1, then inputs of about -1 to 1 in
 * which a power law is linear. Up to most_terms terms, fewer where n or the room for coefficients
 * do not suffice. Robust (soft L1); exponents are held near those of the one power law that fits
 * best, as far as the runs leave them open. prior (may be NULL: near 0): of that one. like (may be
 * NULL): an earlier fit to much the same times, its inputs for them in like_x[n * like->p]; the
 * search starts from its terms. Errors: NODATA (n == 0), ARG (p is 0 or more than
 * POSYNOMIAL_MAX_COEFFICIENTS), NUMERIC, NOMEM. */
enum err_code posynomial_fit(const double *x, const double *y, size_t n, size_t p,
			     size_t most_terms, const struct posynomial_prior *prior,
			     const struct posynomial *like, const double *like_x,
			     struct posynomial *out, struct err *e);
/* log time at x[p]. */
double posynomial_log(const struct posynomial *m, const double *x);
/* Of it, by b: u[n_terms * p]. */
void posynomial_gradient(const struct posynomial *m, const double *x, double *u);

#endif
