#include "mining/cases/column_bins.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/order_statistics.h"

enum {
	/* Bins of a column with many values: each holds 1.6 % of them. */
	QUANTILE_BINS = 64,
	/* Values that the bounds of those bins are taken from, evenly spaced. */
	SAMPLE = 16384,
	/* Slots of the set of distinct values, a power of two well above MAX_BINS. */
	SET_SIZE = 1024
};

/* The distinct values, while there are few. */
struct value_set {
	double slot[SET_SIZE];
	bool used[SET_SIZE];
	size_t n;
};

static bool set_add(struct value_set *s, double value)
{
	uint64_t bits;
	size_t at;

	value += 0.0; /* -0 is 0 */
	memcpy(&bits, &value, sizeof bits);
	bits *= UINT64_C(0x9e3779b97f4a7c15);
	at = bits >> 54;
	while (s->used[at] && s->slot[at] != value)
		at = (at + 1) % SET_SIZE;
	if (s->used[at])
		return true;
	if (s->n == MAX_BINS)
		return false;
	s->used[at] = true;
	s->slot[at] = value;
	s->n++;
	return true;
}

static bool reserve(struct column_bins *b, size_t n)
{
	b->low = calloc(2 * n, sizeof *b->low);
	if (b->low)
		b->high = b->low + n;
	return b->low != NULL;
}

static enum err_code text_bins(const double *value, size_t n, struct column_bins *b, struct err *e)
{
	if (!reserve(b, MAX_BINS))
		return err_set(e, ERR_NOMEM, "levels of a column");
	for (size_t i = 0; i < n; i++) {
		if (value[i] >= (double)b->n && value[i] < MAX_BINS)
			b->n = (size_t)value[i] + 1;
	}
	for (size_t k = 0; k < b->n; k++)
		b->low[k] = b->high[k] = (double)k;
	b->exact = true;
	return ERR_OK;
}

/* *done: there were few enough distinct values. */
static enum err_code exact_bins(const double *value, size_t n, struct column_bins *b, bool *done,
				struct err *e)
{
	struct value_set *set = calloc(1, sizeof *set);
	enum err_code rc = ERR_OK;

	if (!set)
		return err_set(e, ERR_NOMEM, "distinct values of a column");
	*done = true;
	for (size_t i = 0; i < n && *done; i++) {
		if (!isnan(value[i]) && (i == 0 || value[i] != value[i - 1]))
			*done = set_add(set, value[i]);
	}
	if (!*done)
		goto done;
	if (!reserve(b, MAX_BINS)) {
		rc = err_set(e, ERR_NOMEM, "bins of a column");
		goto done;
	}
	for (size_t at = 0; at < SET_SIZE; at++) {
		if (set->used[at])
			b->low[b->n++] = set->slot[at];
	}
	order_sort(b->low, b->n);
	memcpy(b->high, b->low, b->n * sizeof *b->high);
	b->exact = true;
done:
	free(set);
	return rc;
}

/* Upper bounds of the bins, from a sample; *n of them, the last one infinite. Of a sample that
 * missed all values, sample[0] is 0 and the only other bound. */
static void quantile_bounds(double *sample, size_t n_sample, double bound[QUANTILE_BINS], size_t *n)
{
	order_sort(sample, n_sample);
	*n = 0;
	for (size_t k = 1; k < QUANTILE_BINS; k++) {
		double at = sample[k * n_sample / QUANTILE_BINS];

		if (*n == 0 || at > bound[*n - 1])
			bound[(*n)++] = at;
	}
	bound[(*n)++] = INFINITY;
}

static size_t bound_of(const double *bound, size_t n, double value)
{
	size_t lo = 0, hi = n - 1;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (value <= bound[mid])
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static enum err_code quantile_bins(const double *value, size_t n, struct column_bins *b,
				   struct err *e)
{
	double bound[QUANTILE_BINS];
	size_t n_bound, n_sample = 0, step = n / SAMPLE + 1;
	double *sample = calloc(SAMPLE + 1, sizeof *sample);
	enum err_code rc = ERR_OK;

	if (!sample)
		return err_set(e, ERR_NOMEM, "a sample of a column");
	for (size_t i = 0; i < n; i += step) {
		if (!isnan(value[i]))
			sample[n_sample++] = value[i];
	}
	if (!reserve(b, QUANTILE_BINS)) {
		rc = err_set(e, ERR_NOMEM, "bins of a column");
		goto done;
	}
	quantile_bounds(sample, n_sample, bound, &n_bound);
	for (size_t k = 0; k < n_bound; k++) {
		b->low[k] = INFINITY;
		b->high[k] = -INFINITY;
	}
	for (size_t i = 0; i < n; i++) {
		size_t k;

		if (isnan(value[i]))
			continue;
		k = bound_of(bound, n_bound, value[i]);
		b->low[k] = fmin(b->low[k], value[i]);
		b->high[k] = fmax(b->high[k], value[i]);
	}
	for (size_t k = 0; k < n_bound; k++) {
		if (b->low[k] <= b->high[k]) {
			b->low[b->n] = b->low[k];
			b->high[b->n++] = b->high[k];
		}
	}
done:
	free(sample);
	return rc;
}

enum err_code column_bins_make(const double *value, size_t n, bool text, struct column_bins *out,
			       struct err *e)
{
	struct column_bins b = {.ordered = !text};
	bool done = text;
	enum err_code rc;

	rc = text ? text_bins(value, n, &b, e) : exact_bins(value, n, &b, &done, e);
	if (!rc && !done)
		rc = quantile_bins(value, n, &b, e);
	if (rc) {
		column_bins_release(&b);
		return rc;
	}
	b.whole = b.exact;
	for (size_t k = 0; k < b.n && b.whole; k++)
		b.whole = b.low[k] == floor(b.low[k]);
	*out = b;
	return ERR_OK;
}

void column_bins_release(struct column_bins *b)
{
	free(b->low);
	*b = (struct column_bins){0};
}

unsigned char column_bins_code(const struct column_bins *b, double value)
{
	size_t lo = 0;

	if (isnan(value) || b->n == 0)
		return BIN_MISSING;
	if (!b->ordered)
		return value < (double)b->n ? (unsigned char)value : BIN_MISSING;
	/* Without a branch on the values, which nobody can foresee. */
	for (size_t n = b->n; n > 1;) {
		size_t half = n / 2;

		lo += value >= b->low[lo + half] ? half : 0;
		n -= half;
	}
	return (unsigned char)lo;
}

double column_bins_edge(const struct column_bins *b, size_t bin)
{
	double from = b->high[bin], below;

	if (b->whole || bin + 1 >= b->n)
		return from;
	below = b->low[bin + 1];
	/* The fewest significant digits that still fall into the gap. */
	for (int digits = 1; digits < 17; digits++) {
		char text[32];
		double at;

		snprintf(text, sizeof text, "%.*g", digits, from + (below - from) / 2);
		at = strtod(text, NULL);
		if (at >= from && at < below)
			return at;
	}
	return from;
}
