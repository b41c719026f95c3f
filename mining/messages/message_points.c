#include "mining/messages/message_points.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_sort.h>

/* Beyond these a number is a mistake (of unit, most likely), and squares might overflow. */
static const double max_bytes = 9007199254740992.0; /* 2^53: larger counts are not exact */
static const double min_roundtrip_s = 1e-12;
static const double max_roundtrip_s = 1e6;

static enum err_code check(const double *bytes, const double *roundtrip_s, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (!(bytes[i] >= 0 && bytes[i] <= max_bytes))
			return err_set(e, ERR_ARG, "bytes[%zu] = %g is not a message size >= 0", i,
				       bytes[i]);
		if (!(roundtrip_s[i] >= min_roundtrip_s && roundtrip_s[i] <= max_roundtrip_s))
			return err_set(
				e, ERR_ARG,
				"roundtrip_s[%zu] = %g s is not a time from 1e-12 s to 1e6 s", i,
				roundtrip_s[i]);
	}
	return ERR_OK;
}

static int by_bytes_then_cost(const void *a, const void *b)
{
	const struct message_point *p = a, *q = b;

	if (p->bytes != q->bytes)
		return p->bytes < q->bytes ? -1 : 1;
	return (p->cost_s > q->cost_s) - (p->cost_s < q->cost_s);
}

/* The median of ascending repeats. Where the two in the middle of an even number are far apart, the
 * upper one is a disturbed run (disturbances only ever make a message slower) and does not count.
 */
static double median_cost_s(const struct message_point *repeat, size_t n)
{
	static const double far_apart = 1.5;
	double low = repeat[(n - 1) / 2].cost_s, high = repeat[n / 2].cost_s;

	return high > far_apart * low ? low : (low + high) / 2;
}

/* Make one point of each size, of points sorted by size and cost. Returns the number of sizes. */
static size_t keep_medians(struct message_point *p, size_t n)
{
	size_t n_size = 0;

	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && p[end].bytes == p[first].bytes; end++)
			;
		p[first].cost_s = median_cost_s(p + first, end - first);
		p[n_size++] = p[first];
	}
	return n_size;
}

enum err_code message_points_collect(const double *bytes, const double *roundtrip_s, size_t n,
				     struct message_point **out, size_t *n_out, struct err *e)
{
	struct message_point *p;
	enum err_code rc;
	size_t n_size;

	if ((rc = check(bytes, roundtrip_s, n, e)))
		return rc;
	p = malloc((n + 1) * sizeof *p); /* + 1: n may be 0 */
	if (!p)
		return err_set(e, ERR_NOMEM, "%zu ping-pong times", n);

	for (size_t i = 0; i < n; i++)
		p[i] = (struct message_point){.bytes = bytes[i], .cost_s = roundtrip_s[i] / 2};
	qsort(p, n, sizeof *p, by_bytes_then_cost);
	n_size = keep_medians(p, n);
	if (n_size <= MESSAGE_RANGE_MIN_SIZES) {
		free(p);
		return err_set(
			e, ERR_NODATA,
			"ping-pong data of %zu message size%s: a fit needs at least %d, from "
			"a few bytes to a megabyte or so",
			n_size, n_size == 1 ? "" : "s", MESSAGE_RANGE_MIN_SIZES + 1);
	}
	*out = p;
	*n_out = n_size;
	return ERR_OK;
}

/* How far p[1] lies off the chord from p[0] to p[2], in units of a point's relative error: its
 * standard deviation is 1 % if each point's is 1 % and the three lie on a line. */
static double off_chord(const struct message_point *p)
{
	double share = (p[1].bytes - p[0].bytes) / (p[2].bytes - p[0].bytes);
	double before = (1 - share) * p[0].cost_s / p[1].cost_s;
	double after = share * p[2].cost_s / p[1].cost_s;

	return fabs(1 - before - after) / sqrt(1 + before * before + after * after);
}

enum err_code message_points_noise(const struct message_point *p, size_t n, double *out,
				   struct err *e)
{
	/* Even if every range has but three sizes, one chord in three lies within a range: the
	 * lower third of the distances tells of noise only. */
	static const double third_of_abs_normal = 0.43072729929545756; /* P(|Z| < it) = 1/3 */
	size_t n_chord = n - 2;
	double *off = malloc(n_chord * sizeof *off);

	if (!off)
		return err_set(e, ERR_NOMEM, "noise of %zu message sizes", n);
	for (size_t i = 0; i < n_chord; i++)
		off[i] = off_chord(&p[i]);
	gsl_sort(off, 1, n_chord);
	*out = off[(n_chord - 1) / 3] / third_of_abs_normal;
	free(off);
	return ERR_OK;
}

/* Can a line with no negative intercept and slope pass near both points, p[i]'s cost being as high
 * as it is? In such a range a larger message costs more, but not more than in proportion. */
static bool in_one_range(const struct message_point *p, size_t i, size_t other, double tolerance)
{
	double limit_s = p[other].cost_s * (1 + tolerance);

	if (other > i)
		return p[i].cost_s <= limit_s;
	return p[i].cost_s * p[other].bytes <= limit_s * p[i].bytes;
}

/* A range has three sizes or more, so p[i] shares one with two neighbours in a row. */
static bool is_disturbed(const struct message_point *p, size_t n, size_t i, double tolerance)
{
	size_t reach = MESSAGE_RANGE_MIN_SIZES - 1;

	for (size_t first = i > reach ? i - reach : 0; first <= i && first + reach < n; first++) {
		bool fits = true;

		for (size_t k = first; k <= first + reach; k++)
			fits = fits && (k == i || in_one_range(p, i, k, tolerance));
		if (fits)
			return false;
	}
	return true;
}

size_t message_points_drop_disturbed(struct message_point *p, size_t n, double noise)
{
	/* Closer than 10 %, real curves (caches, alignment) would look disturbed. */
	double tolerance = fmax(0.1, 6 * noise);
	size_t n_kept = 0;

	for (size_t i = 0; i < n; i++)
		p[i].disturbed = is_disturbed(p, n, i, tolerance);
	for (size_t i = 0; i < n; i++) {
		if (!p[i].disturbed)
			p[n_kept++] = p[i];
	}
	return n_kept;
}
