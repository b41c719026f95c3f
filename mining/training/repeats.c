#include "mining/training/repeats.h"

#include <math.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

/* Gaps this many standard deviations wide hardly ever part repeats that belong together. */
#define GAP_SDS 5.0
/* No smaller gap is a disturbance worth the name. */
#define MIN_LOG_GAP 0.1
/* The two fastest of three normal repeats differ by 0.7 standard deviations in the median, those of
 * two by 0.95, those of ten by 0.4: one number for all, as the gap need not be exact. */
#define MEDIAN_FIRST_GAP 0.7

double repeats_log_gap(const double *sorted, const size_t *first, size_t n_configs, double *work)
{
	size_t n = 0;

	for (size_t i = 0; i < n_configs; i++) {
		if (first[i + 1] - first[i] >= 2)
			work[n++] = log(sorted[first[i] + 1] / sorted[first[i]]);
	}
	if (n == 0)
		return MIN_LOG_GAP;
	return fmax(GAP_SDS * gsl_stats_median(work, 1, n) / MEDIAN_FIRST_GAP, MIN_LOG_GAP);
}

/* The repeats [*from, *from + result) that agree. */
static size_t agreeing(const double *sorted, size_t n, double log_gap, size_t *from)
{
	const double factor = exp(log_gap);
	size_t best = 0, start = 0;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && sorted[i] <= factor * sorted[i - 1])
			continue;
		if (i - start > best) {
			best = i - start;
			*from = start;
		}
		start = i;
	}
	return best;
}

double repeats_median(const double *sorted, size_t n, double log_gap, size_t *n_agree)
{
	size_t from = 0, n_kept = agreeing(sorted, n, log_gap, &from);

	if (n_agree)
		*n_agree = n_kept;
	return gsl_stats_median_from_sorted_data(sorted + from, 1, n_kept);
}

/* Unbiased variance of the logs of x[0..n-1], n >= 2. */
static double log_variance(const double *x, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(x[i] / x[0]);
	for (size_t i = 0; i < n; i++) {
		double d = log(x[i] / x[0]) - sum / (double)n;

		squares += d * d;
	}
	return squares / (double)(n - 1);
}

double repeats_noise(const double *sorted, const size_t *first, size_t n_configs, double log_gap,
		     double *work)
{
	size_t n = 0;

	for (size_t i = 0; i < n_configs; i++) {
		size_t from = 0;
		size_t k = agreeing(sorted + first[i], first[i + 1] - first[i], log_gap, &from);

		/* the median of chi^2 / k at k degrees of freedom is (1 - 2 / (9 k))^3
		 * (Wilson and Hilferty, 1931) */
		if (k >= 2)
			work[n++] = log_variance(sorted + first[i] + from, k) /
				    pow(1 - 2 / (9 * (double)(k - 1)), 3);
	}
	return n > 0 ? sqrt(gsl_stats_median(work, 1, n)) : NAN;
}
