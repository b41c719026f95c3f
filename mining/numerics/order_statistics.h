#ifndef MINING_ORDER_STATISTICS_H
#define MINING_ORDER_STATISTICS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/err.h"

/* Sorted values and their quantiles, also for the rooms that do not know GSL. No value is NaN. */

/* Ascending, in a time that grows as n does. Needs no memory, but is faster with some. */
void order_sort(double *x, size_t n);
/* The quantile q in [0, 1] of sorted x[0..n-1], n >= 1: linear between the order statistics, which
 * stand at 0, 1 / (n - 1), ..., 1. */
double order_quantile(const double *sorted, size_t n, double q);
/* order[n]: the indices of x by value; equal values (-0 and 0 are not) by index. O(n): a radix
 * sort, several times as fast as comparing. Errors: NOMEM. */
enum err_code sort_doubles(const double *x, size_t n, size_t *order, struct err *e);

/* An integer that is ordered as the doubles are, and back: the bits, with those of negative numbers
 * inverted. */
static inline uint64_t value_key(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static inline double value_of_key(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

#endif
