#ifndef MINING_SORT_DOUBLES_H
#define MINING_SORT_DOUBLES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/err.h"

/* Doubles in ascending order, for rank statistics over a million of them. NaN is not allowed. */

/* order[n]: the indices of x by value; equal values (-0 and 0 are not) by index. O(n): a radix
 * sort, several times as fast as comparing. Errors: NOMEM. */
enum err_code sort_doubles(const double *x, size_t n, size_t *order, struct err *e);

/* A number that is ordered as the doubles are, and back: the bits, with those of negative numbers
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
