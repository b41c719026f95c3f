#ifndef TUNE_FILTER_H
#define TUNE_FILTER_H

/* Means of test times without outliers. A choice is only as good as its filter: a single disturbed
 * test makes the fastest implementation look slow. The kinds are those of Benkert, Gabriel and
 * Resch, "Outlier Detection in Performance Data of Parallel Applications", IPDPS workshops 2008;
 * the parameters are ours, and stated here. */

enum tune_filter {
	TUNE_FILTER_NONE,
	/* Tukey's fences: what lies more than 1.5 interquartile ranges outside of the quartiles
	 * (linear interpolation between order statistics, R's type 7). */
	TUNE_FILTER_IQR,
	/* The fifth of the times at either end, rounded down. */
	TUNE_FILTER_TRIMMED,
	/* The smaller of two clusters, cut where the squares within are least; of two equally large
	 * the slower. Only if the cut takes away 90 % of the sum of squares, else there is one. */
	TUNE_FILTER_CLUSTER,
	/* More than 3 robust standard deviations (1.4826 MAD) from the median. */
	TUNE_FILTER_ROBUST,
	TUNE_FILTERS
};

/* The filter of this name, or -1. */
int tune_filter_by_name(const char *name);

enum { TUNE_FILTER_MAX = 64 };

/* The mean of those of time_s[0..n-1], 1 <= n <= TUNE_FILTER_MAX, that the filter leaves, at least
 * one. With fewer than three times there is no telling, and all are taken. */
double tune_filter_mean(enum tune_filter filter, const double *time_s, int n);

#endif
