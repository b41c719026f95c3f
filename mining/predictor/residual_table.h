#ifndef MINING_RESIDUAL_TABLE_H
#define MINING_RESIDUAL_TABLE_H
#include <stddef.h>
#include "base/err.h"

/* The distribution of held-out residuals r = log(measured / predicted), empirical: no shape is
 * assumed. Of the n residuals at most RESIDUAL_TABLE_MAX order statistics are kept, evenly spaced.
 *
 * The quantile at prob is the order statistic of rank prob * (n + 1), interpolated, as in split
 * conformal prediction (Vovk, Gammerman, Shafer, "Algorithmic Learning in a Random World", 2005):
 * the next residual exceeds it with probability 1 - prob whatever the distribution. Ranks below 1
 * and above n, of which n residuals cannot tell, are given the extreme widened by a quarter of the
 * whole range: a choice of ours, towards doubt. */
enum { RESIDUAL_TABLE_MAX = 201 };

struct residual_table {
	size_t n;		      /* residuals it was made from; 0: empty */
	size_t n_kept;		      /* min(n, RESIDUAL_TABLE_MAX) */
	double r[RESIDUAL_TABLE_MAX]; /* ascending */
	double widened; /* factor on every residual; 1 unless borrowed from easier predictions */
};

/* Reorders r. n >= 1, all finite. */
void residual_table_make(double *r, size_t n, double widened, struct residual_table *out);
/* Widen t so that it covers what `with` does: of each quantile below the median the lower of both,
 * above it the higher. `widened` of both is 1. */
void residual_table_cover(struct residual_table *t, const struct residual_table *with);
/* Widen t so that its quantiles, also those that its few residuals cannot tell, are no nearer to 0
 * than those of a normal distribution of mean 0. */
void residual_table_cover_normal(struct residual_table *t, double sd);
/* prob in (0, 1). */
double residual_table_quantile(const struct residual_table *t, double prob);
/* P(residual <= r), in [1/(2n+2), 1 - 1/(2n+2)]: n residuals never make certain. */
double residual_table_cdf(const struct residual_table *t, double r);
/* The upper end of that: no residual, however large, is undercut with more. */
double residual_table_max_confidence(const struct residual_table *t);

#endif
