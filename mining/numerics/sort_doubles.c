#include "mining/numerics/sort_doubles.h"

#include <stdlib.h>

enum { DIGITS = 8, BUCKETS = 256 };

struct keyed {
	uint64_t key;
	size_t index;
};

static size_t digit_of(uint64_t key, int digit)
{
	return (size_t)(key >> (8 * digit) & (BUCKETS - 1));
}

/* One stable pass over a digit. false: all keys have the same one, and nothing was moved. The
 * low digits of whole numbers are all zero, so most passes over such columns are free. */
static int scatter(const struct keyed *from, size_t n, int digit, const size_t *count,
		   struct keyed *to)
{
	size_t next[BUCKETS];
	size_t at = 0;

	for (size_t b = 0; b < BUCKETS; b++) {
		if (count[b] == n)
			return 0;
		next[b] = at;
		at += count[b];
	}
	for (size_t i = 0; i < n; i++)
		to[next[digit_of(from[i].key, digit)]++] = from[i];
	return 1;
}

enum err_code sort_doubles(const double *x, size_t n, size_t *order, struct err *e)
{
	size_t count[DIGITS][BUCKETS] = {{0}};
	struct keyed *a = calloc(n + 1, sizeof *a), *b = calloc(n + 1, sizeof *b);

	if (!a || !b) {
		free(a);
		free(b);
		return err_set(e, ERR_NOMEM, "order of %zu values", n);
	}
	for (size_t i = 0; i < n; i++) {
		a[i] = (struct keyed){value_key(x[i]), i};
		for (int d = 0; d < DIGITS; d++)
			count[d][digit_of(a[i].key, d)]++;
	}
	for (int d = 0; d < DIGITS; d++) {
		if (scatter(a, n, d, count[d], b)) {
			struct keyed *sorted = b;

			b = a;
			a = sorted;
		}
	}
	for (size_t i = 0; i < n; i++)
		order[i] = a[i].index;
	free(a);
	free(b);
	return ERR_OK;
}
