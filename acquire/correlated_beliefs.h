#ifndef ACQUIRE_CORRELATED_BELIEFS_H
#define ACQUIRE_CORRELATED_BELIEFS_H
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"

/* What is believed of the log times of many configurations, jointly normal: means and standard
 * deviations are a predictor's, correlations those that a Gaussian process has left after the runs
 * that were made. Its covariance is of Matern's form 3/2 over the columns that vary, positive
 * numbers as logarithms, each by its range; two levels of a text column differ by one range. */
struct correlated_beliefs {
	size_t n, n_inputs;
	double *z;		/* n * n_inputs */
	unsigned char *nominal; /* n_inputs */
	double *scale;		/* n: belief's standard deviation over the process's; 1 at first */
	/* The covariance of a and b is scale[a] scale[b] (k(a, b) - sum over r of
	 * root[r][a] root[r][b]), one root for each run learnt. */
	size_t n_roots, cap_roots;
	double *root;
	double *variance; /* n: of the process, what is left */
};

/* row[n * n_columns]. Errors: NOMEM. */
enum err_code correlated_beliefs_init(struct correlated_beliefs *b, const struct application *app,
				      const double *row, size_t n, struct err *e);
void correlated_beliefs_release(struct correlated_beliefs *b);

/* Point i is run, with noise of that variance in units of the process's own (1). Errors: NOMEM. */
enum err_code correlated_beliefs_learn(struct correlated_beliefs *b, size_t i,
				       double noise_variance, struct err *e);
/* Set scale so that standard deviations are sd[n]. */
void correlated_beliefs_rescale(struct correlated_beliefs *b, const double *sd);

/* out[n]: covariances of i with all, but its own variance with rounding. Faster than one by one. */
void correlated_beliefs_row(const struct correlated_beliefs *b, size_t i, double *out);
double correlated_beliefs_covariance(const struct correlated_beliefs *b, size_t i, size_t j);

#endif
