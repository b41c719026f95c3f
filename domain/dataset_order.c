#include "domain/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows in the order of a hash of their configuration, repeats side by side. A hash, because whoever
 * takes every k-th row, or draws from them by number, must not fall into step with a grid of
 * configurations, as in the order of their values. Ordered by the upper half of the hash in two
 * passes of a radix sort; the few that share it are compared. */

enum { RADIX_BITS = 16, RADIX = 1 << RADIX_BITS };

struct place {
	uint64_t hash;
	size_t i;
};

/* FNV-1a over 64-bit words, with the mixing step of MurmurHash3; -0 and every NaN are made one. */
static uint64_t hash_of(const double *row, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++) {
		double v = isnan(row[i]) ? (double)NAN : row[i] + 0.0;
		uint64_t bits;

		memcpy(&bits, &v, sizeof bits);
		h = (h ^ bits) * 1099511628211u;
		h ^= h >> 29;
	}
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdu;
	return h ^ h >> 33;
}

static int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

static int compare_integers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* All that is said of a run, its number last: of equal ones it does not matter which comes first.
 */
static int compare_runs(const struct dataset *d, size_t a, size_t b)
{
	const double *x = dataset_row(d, a), *y = dataset_row(d, b);
	int order = 0;

	for (size_t c = 0; c < d->n_columns && !order; c++)
		order = compare_numbers(x[c], y[c]);
	if (order || (order = d->source[a] - d->source[b]) ||
	    (order = d->status[a] - d->status[b]) ||
	    (order = compare_numbers(d->wall_s[a], d->wall_s[b])) ||
	    (order = compare_integers(d->n_repeats[a], d->n_repeats[b])) ||
	    (order = compare_integers(d->machine_id[a], d->machine_id[b])))
		return order;
	return compare_integers(d->run_id[a], d->run_id[b]);
}

static void radix_pass(const struct place *from, struct place *to, size_t n, int shift,
		       size_t *start)
{
	size_t before = 0;

	memset(start, 0, RADIX * sizeof *start);
	for (size_t i = 0; i < n; i++)
		start[from[i].hash >> shift & (RADIX - 1)]++;
	for (size_t k = 0; k < RADIX; k++) {
		const size_t count = start[k];

		start[k] = before;
		before += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[from[i].hash >> shift & (RADIX - 1)]++] = from[i];
}

static bool shares_upper_half(const struct place *a, const struct place *b)
{
	return a->hash >> 2 * RADIX_BITS == b->hash >> 2 * RADIX_BITS;
}

/* Heap sort: qsort() takes no argument for the runs that the places are of. */
static void sift_down(const struct dataset *d, struct place *p, size_t from, size_t n)
{
	for (size_t child; (child = 2 * from + 1) < n; from = child) {
		struct place top = p[from];

		if (child + 1 < n && compare_runs(d, p[child].i, p[child + 1].i) < 0)
			child++;
		if (compare_runs(d, top.i, p[child].i) >= 0)
			return;
		p[from] = p[child];
		p[child] = top;
	}
}

static void sort_alike(const struct dataset *d, struct place *p, size_t n)
{
	for (size_t k = n / 2; k-- > 0;)
		sift_down(d, p, k, n);
	for (size_t left = n; left-- > 1;) {
		struct place last = p[left];

		p[left] = p[0];
		p[0] = last;
		sift_down(d, p, 0, left);
	}
}

static void sort_places(const struct dataset *d, struct place *p, struct place *work, size_t *start)
{
	size_t end;

	radix_pass(p, work, d->n, 2 * RADIX_BITS, start);
	radix_pass(work, p, d->n, 3 * RADIX_BITS, start);
	for (size_t at = 0; at < d->n; at = end) {
		for (end = at + 1; end < d->n && shares_upper_half(&p[at], &p[end]);)
			end++;
		if (end > at + 1)
			sort_alike(d, p + at, end - at);
	}
}

/* Run i of `from` becomes run k of `to`. */
static void put_run(const struct dataset *from, size_t i, struct dataset *to, size_t k)
{
	memcpy(to->x + k * to->n_columns, dataset_row(from, i), to->n_columns * sizeof *to->x);
	to->wall_s[k] = from->wall_s[i];
	to->run_id[k] = from->run_id[i];
	to->machine_id[k] = from->machine_id[i];
	to->source[k] = from->source[i];
	to->status[k] = from->status[i];
	to->n_repeats[k] = from->n_repeats[i];
	to->flagged[k] = from->flagged[i];
}

/* Place k gets run p[k].i, cycle by cycle, so that nothing is held twice but one run. p is used
 * up. */
static void permute(struct dataset *d, struct place *p, struct dataset *spare)
{
	for (size_t k = 0; k < d->n; k++) {
		size_t hole = k;

		if (p[k].i == k)
			continue;
		put_run(d, k, spare, 0);
		while (p[hole].i != k) {
			const size_t from = p[hole].i;

			put_run(d, from, d, hole);
			p[hole].i = hole;
			hole = from;
		}
		put_run(spare, 0, d, hole);
		p[hole].i = hole;
	}
}

enum err_code dataset_order_by_content(struct dataset *d, struct err *e)
{
	struct place *p = calloc(d->n + 1, sizeof *p), *work = calloc(d->n + 1, sizeof *work);
	size_t *start = calloc(RADIX, sizeof *start);
	unsigned char *first = calloc(d->n + 1, 1);
	struct dataset *spare = NULL;
	enum err_code rc = ERR_OK;

	if (!p || !work || !start || !first) {
		rc = err_set(e, ERR_NOMEM, "the order of %zu runs", d->n);
		goto done;
	}
	if (d->n < 2)
		goto done;
	first[0] = 1;
	if ((rc = dataset_subset(d, first, &spare, e)))
		goto done;
	for (size_t i = 0; i < d->n; i++)
		p[i] = (struct place){hash_of(dataset_row(d, i), d->n_columns), i};
	sort_places(d, p, work, start);
	permute(d, p, spare);
done:
	dataset_free(spare);
	free(first);
	free(start);
	free(work);
	free(p);
	return rc;
}
