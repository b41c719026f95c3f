#ifndef MINING_REPEATS_H
#define MINING_REPEATS_H
#include <stddef.h>

/* What the repeats of one configuration say of it. Disturbances are common, one-sided and large (a
 * competing process can multiply a time), so that with three repeats even the median is often a
 * disturbed one. The repeats that agree are the largest group without a gap between neighbours;
 * of equally large groups the fastest. Two that agree on being slow outvote a fast one: that is no
 * disturbance but a second way to run. */

/* The largest ratio between neighbours that is still agreement, as a log: several times what the
 * two fastest repeats of a configuration usually differ by. sorted[first[i] .. first[i + 1] - 1],
 * ascending [s]: the repeats of configuration i. work[n_configs]. */
double repeats_log_gap(const double *sorted, const size_t *first, size_t n_configs, double *work);

/* The median of those that agree of sorted[0..n-1], n >= 1, ascending [s]; *n_agree (may be NULL):
 * how many do. */
double repeats_median(const double *sorted, size_t n, double log_gap, size_t *n_agree);

/* Standard deviation of log time from one repeat to the next, robust: by the median over the
 * configurations with two or more that agree. NaN: there are none. work[n_configs]. */
double repeats_noise(const double *sorted, const size_t *first, size_t n_configs, double log_gap,
		     double *work);

#endif
