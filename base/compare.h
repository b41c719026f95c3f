#ifndef BASE_COMPARE_H
#define BASE_COMPARE_H
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Orders for qsort() and bsearch(): of doubles, none of them NaN, and of pointers to texts. */
static inline int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of numbers where a NaN equals a NaN, and is behind all others. */
static inline bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static inline int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

#endif
