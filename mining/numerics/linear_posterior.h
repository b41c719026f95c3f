#ifndef MINING_LINEAR_POSTERIOR_H
#define MINING_LINEAR_POSTERIOR_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "kb/kb.h"

/* The posterior covariance of a linear model y = F b + noise, b normal with standard deviations
 * prior_sd about any mean, noise normal of standard deviation noise_sd: A^-1 with
 *   A = diag(1 / prior_sd^2) + F' W F / noise_sd^2
 * (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eq. 2.8). A direction
 * of F in which no observation varies keeps its prior. It does not depend on y. */

/* Posteriors of times count no less noise than this, ln time: repeats differ by that much
 * somewhere. */
#define POSTERIOR_MIN_NOISE 0.05

/* factor[p * p]: the lower triangle of L, L L' = A, row-major, zeros above. f[n * p] row-major;
 * weight[n]: of each observation, NULL: 1. prior_sd[p] > 0; n may be 0. Errors: NUMERIC (not
 * positive definite), NOMEM. */
enum err_code linear_posterior_factor(const double *f, const double *weight, size_t n, size_t p,
				      const double *prior_sd, double noise_sd, double *factor,
				      struct err *e);
/* sqrt(u' A^-1 u): how far off the mean at u[p] may be. work[p] is scratch. O(p^2). */
double linear_posterior_sd(const double *factor, size_t p, const double *u, double *work);
/* The noise that observations y[n] of such a model are likely to have, where they are too few to
 * tell it: the root of the mean of sigma^2 over seven nodes of ln sigma from 0.003 to 0.4, each
 * weighed by the marginal likelihood of y and by a prior of median 0.03 and deviation 1 of ln
 * sigma. For y in logs. Errors: NUMERIC, NOMEM. */
enum err_code linear_posterior_noise(const double *f, const double *weight, const double *y,
				     size_t n, size_t p, const double *prior_mean,
				     const double *prior_sd, double *noise_sd, struct err *e);

/* Cholesky factors, a[p * p] with zeros above the diagonal, among the numbers of a fit: PREFIX0,
 * PREFIX1, ..., row by row. */

/* Errors: NOMEM. */
enum err_code triangle_store(const char *prefix, const double *a, size_t p, struct kb_fit *fit,
			     struct err *e);
/* a[p * p], zeros at first. false: numbers are missing, no numbers, or no factor's (its diagonal is
 * positive). */
bool triangle_load(const struct kb_fit *fit, const char *prefix, double *a, size_t p);

#endif
