#include "mining/numerics/order_statistics.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

/* By so many bits at a time; fewer numbers than that are sorted by comparing. */
enum { DIGIT_BITS = 11, DIGITS = 6, N_DIGIT = 1 << DIGIT_BITS };

static size_t digit_of(uint64_t key, int place)
{
	return key >> (place * DIGIT_BITS) & (N_DIGIT - 1);
}

/* to[n] = from[n], ordered by one digit, and as they were where that is equal. */
static void order_by_digit(const uint64_t *from, uint64_t *to, size_t n, int place)
{
	size_t start[N_DIGIT] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		start[digit_of(from[i], place)]++;
	for (size_t d = 0; d < N_DIGIT; d++) {
		const size_t count = start[d];

		start[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[digit_of(from[i], place)]++] = from[i];
}

/* Digit by digit, the last first (Knuth, "The Art of Computer Programming", vol. 3, section 5.2.5):
 * a tenth of the time that comparing takes for a million. An even count of digits ends in a. */
static void order_by_digits(double *x, size_t n, uint64_t *a, uint64_t *b)
{
	for (size_t i = 0; i < n; i++)
		a[i] = value_key(x[i]);
	for (int place = 0; place < DIGITS; place += 2) {
		order_by_digit(a, b, n, place);
		order_by_digit(b, a, n, place + 1);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = value_of_key(a[i]);
}

static bool is_ascending(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (!(x[i - 1] <= x[i]))
			return false;
	}
	return true;
}

void order_sort(double *x, size_t n)
{
	uint64_t *work;

	if (is_ascending(x, n))
		return;
	work = n > N_DIGIT ? malloc(2 * n * sizeof *work) : NULL;
	if (work)
		order_by_digits(x, n, work, work + n);
	else
		gsl_sort(x, 1, n);
	free(work);
}

double order_quantile(const double *sorted, size_t n, double q)
{
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n, q);
}

/* Indices go by a byte at a time: passes in which all bytes are equal are skipped. */
enum { BYTES = 8, N_BYTE = 256 };

struct keyed {
	uint64_t key;
	size_t index;
};

static size_t byte_of(uint64_t key, int place)
{
	return (size_t)(key >> (8 * place) & (N_BYTE - 1));
}

/* One stable pass over a byte. 0: all keys have the same one, and nothing was moved. The
 * low bytes of whole numbers are all zero, so most passes over such columns are free. */
static int scatter(const struct keyed *from, size_t n, int place, const size_t *count,
		   struct keyed *to)
{
	size_t next[N_BYTE];
	size_t at = 0;

	for (size_t b = 0; b < N_BYTE; b++) {
		if (count[b] == n)
			return 0;
		next[b] = at;
		at += count[b];
	}
	for (size_t i = 0; i < n; i++)
		to[next[byte_of(from[i].key, place)]++] = from[i];
	return 1;
}

enum err_code sort_doubles(const double *x, size_t n, size_t *order, struct err *e)
{
	size_t count[BYTES][N_BYTE] = {{0}};
	struct keyed *a = calloc(n + 1, sizeof *a), *b = calloc(n + 1, sizeof *b);

	if (!a || !b) {
		free(a);
		free(b);
		return err_set(e, ERR_NOMEM, "order of %zu values", n);
	}
	for (size_t i = 0; i < n; i++) {
		a[i] = (struct keyed){value_key(x[i]), i};
		for (int d = 0; d < BYTES; d++)
			count[d][byte_of(a[i].key, d)]++;
	}
	for (int d = 0; d < BYTES; d++) {
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
