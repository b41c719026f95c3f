#ifndef MINING_RANK_TESTS_H
#define MINING_RANK_TESTS_H
#include <stddef.h>
#include "base/err.h"

/* Rank statistics. Ties get mean ranks and the variance is corrected for them. Values are finite
 * (rank_values: not NaN). */

/* ranks[i] of x[i], from 1, ties at their mean. Errors: NOMEM. */
enum err_code rank_values(const double *x, size_t n, double *ranks, struct err *e);

struct rank_correlation {
	double rho;    /* Spearman; NaN when a side is constant or n < 3 */
	double lo, hi; /* 95 %, Fisher z with the variance of Bonett and Wright (2000) */
	double p;      /* two-sided: t with n - 2 degrees of freedom, but at least 2 / n! */
};
enum err_code spearman(const double *x, const double *y, size_t n, struct rank_correlation *out,
		       struct err *e);

struct signed_rank {
	size_t n;      /* differences that are not zero */
	double w_plus; /* sum of the ranks of the positive ones */
	double p;      /* two-sided: exact, ties included, for n <= 50, else normal with continuity
			* correction; 1 when n = 0 */
	double shift;  /* Hodges-Lehmann estimate of the median difference; NaN: n = 0 */
	double lo, hi; /* 95 % interval of it (Hollander and Wolfe 1999, section 3.3); -INFINITY,
			* INFINITY: too few differences to have one (n < 6) */
};
/* Wilcoxon signed rank test of median 0. More than 2000 differences: shift and its interval come
 * from an evenly spaced sample of 2000 of the sorted ones. Errors: NOMEM. */
enum err_code signed_rank_test(const double *d, size_t n, struct signed_rank *out, struct err *e);

struct friedman {
	double chi2;	   /* corrected for ties, k - 1 degrees of freedom */
	double p;	   /* chi-squared */
	double difference; /* of two rank sums that alpha tells apart, all pairs together (Nemenyi:
			    * studentized range, infinite degrees of freedom) */
};
/* x[n_blocks * k], row-major: small is rank 1. rank_sum[k] is filled. Errors: NOMEM, ARG (k < 2 or
 * no block). */
enum err_code friedman_test(const double *x, size_t n_blocks, size_t k, double alpha,
			    double *rank_sum, struct friedman *out, struct err *e);

/* p[n] in place to the adjusted values of Benjamini and Hochberg (1995): reject those <= q to keep
 * the false discovery rate at q. NaN stays NaN and does not count. Errors: NOMEM. */
enum err_code benjamini_hochberg(double *p, size_t n, struct err *e);

/* Mean of n values (one per block held out together) with a central interval, Student's t. n = 1:
 * lo = -INFINITY, hi = INFINITY, p = 1; n = 0: mean NaN besides. p: two-sided of mean 0. */
struct mean_test {
	double mean, lo, hi, p;
};
void mean_t_test(const double *x, size_t n, double level, struct mean_test *out);

#endif
