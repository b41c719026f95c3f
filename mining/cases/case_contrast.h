#ifndef MINING_CASE_CONTRAST_H
#define MINING_CASE_CONTRAST_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/cases/slowdown_table.h"

/* How much slower some choices are than the others of their cases. Time is centred within each
 * case, so that problems of any size add up: the contrast of a set R is the coefficient of "in R"
 * in a regression of log slow-down with one constant per case,
 *
 *	beta = sum w (x - mean x)(y - mean y) / sum w (x - mean x)^2,   x = 1 in R, else 0.
 *
 * A case weighs at most as much as CASE_CAP configurations, so that one which an auto-tuner
 * searched for long does not speak for all. */
enum { CASE_CAP = 32 };

struct case_contrast {
	const struct slowdown_table *t; /* borrowed */
	size_t n;			/* configurations that can be compared */
	uint32_t *item;			/* their index in t */
	double *y;			/* log slow-down, centred within the case */
	uint32_t *stratum; /* of item k, 0..n_strata-1, only cases with two items and more */
	size_t n_strata;
	double *size;	/* items of a case */
	double *weight; /* of each of its items */
};

enum err_code case_contrast_make(const struct slowdown_table *t, struct case_contrast *out,
				 struct err *e);
void case_contrast_release(struct case_contrast *c);

/* The contrast of the items with in[k] != 0. */
struct contrast {
	double beta;	 /* log ratio of times in over out; NaN: nothing to compare */
	double variance; /* sum w (x - mean x)^2: a number of configurations */
	double p;	 /* one-sided, of beta <= 0: t over blocks, clustered; 1 where fewer than
			  * three blocks tell */
	size_t n_in, n_blocks;
};
/* Errors: NOMEM. */
enum err_code case_contrast_measure(const struct case_contrast *c, const unsigned char *in,
				    struct contrast *out, struct err *e);
/* Take the effect beta of R out of y. */
enum err_code case_contrast_remove(struct case_contrast *c, const unsigned char *in, double beta,
				   struct err *e);
/* Weighted sum of squares of y; a contrast explains beta^2 * variance of it. */
double case_contrast_squares(const struct case_contrast *c);
/* Robust standard deviation of y. */
enum err_code case_contrast_spread(const struct case_contrast *c, double *out, struct err *e);

#endif
