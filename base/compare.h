#ifndef BASE_COMPARE_H
#define BASE_COMPARE_H
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

#endif
