#include "tune/tune_filter.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[TUNE_FILTERS] = {"none", "iqr", "trimmed", "cluster", "robust"};

int tune_filter_by_name(const char *name)
{
	for (int f = 0; name && f < TUNE_FILTERS; f++) {
		if (!strcmp(name, names[f]))
			return f;
	}
	return -1;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double mean(const double *t, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += t[i];
	return sum / n;
}

/* Quantile p of sorted times. */
static double quantile(const double *t, int n, double p)
{
	const double at = p * (n - 1);
	const int below = (int)at;

	return below + 1 < n ? t[below] + (at - below) * (t[below + 1] - t[below]) : t[n - 1];
}

/* The mean of the sorted times from low to high, both included; the median where rounding leaves
 * none. */
static double mean_within(const double *t, int n, double low, double high)
{
	int first = 0, last = n;

	while (first < n && t[first] < low)
		first++;
	while (last > first && t[last - 1] > high)
		last--;
	return last > first ? mean(t + first, last - first) : quantile(t, n, 0.5);
}

static double robust_mean(const double *t, int n)
{
	const double median = quantile(t, n, 0.5);
	double deviation[TUNE_FILTER_MAX] = {0}, reach;

	for (int i = 0; i < n; i++)
		deviation[i] = fabs(t[i] - median);
	qsort(deviation, (size_t)n, sizeof *deviation, by_value);
	reach = 3 * 1.4826 * quantile(deviation, n, 0.5);
	return mean_within(t, n, median - reach, median + reach);
}

static double squares(const double *t, int n)
{
	const double m = mean(t, n);
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += (t[i] - m) * (t[i] - m);
	return sum;
}

static double cluster_mean(const double *t, int n)
{
	const double all = squares(t, n);
	double least = all;
	int cut = 0;

	for (int i = 1; i < n; i++) {
		const double within = squares(t, i) + squares(t + i, n - i);

		if (within < least) {
			least = within;
			cut = i;
		}
	}
	if (!cut || least > 0.1 * all)
		return mean(t, n);
	return cut >= n - cut ? mean(t, cut) : mean(t + cut, n - cut);
}

double tune_filter_mean(enum tune_filter filter, const double *time_s, int n)
{
	double t[TUNE_FILTER_MAX], low, high;
	int cut;

	assert(n >= 1 && n <= TUNE_FILTER_MAX);
	memcpy(t, time_s, (size_t)n * sizeof *t);
	if (n < 3)
		return mean(t, n);
	qsort(t, (size_t)n, sizeof *t, by_value);
	switch (filter) {
	case TUNE_FILTER_IQR:
		low = quantile(t, n, 0.25);
		high = quantile(t, n, 0.75);
		return mean_within(t, n, low - 1.5 * (high - low), high + 1.5 * (high - low));
	case TUNE_FILTER_TRIMMED:
		cut = n / 5;
		return mean(t + cut, n - 2 * cut);
	case TUNE_FILTER_CLUSTER:
		return cluster_mean(t, n);
	case TUNE_FILTER_ROBUST:
		return robust_mean(t, n);
	default:
		return mean(t, n);
	}
}
