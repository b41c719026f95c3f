#include "domain/dataset.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"

static const char *const source_name[SOURCE_COUNT] = {"measured", "simulated", "modelled"};
static const char *const status_name[RUN_STATUS_COUNT] = {"ok", "failed", "timeout"};

const char *run_source_name(enum run_source s)
{
	return s < SOURCE_COUNT ? source_name[s] : "unknown";
}

const char *run_status_name(enum run_status s)
{
	return s < RUN_STATUS_COUNT ? status_name[s] : "unknown";
}

static int index_of(const char *const *name, int n, const char *text)
{
	for (int i = 0; i < n; i++) {
		if (strcmp(name[i], text) == 0)
			return i;
	}
	return -1;
}

int run_source_from(const char *text)
{
	return index_of(source_name, SOURCE_COUNT, text);
}

int run_status_from(const char *text)
{
	return index_of(status_name, RUN_STATUS_COUNT, text);
}

struct dataset *dataset_new(const struct application *app)
{
	struct dataset *d = calloc(1, sizeof *d);

	if (!d)
		return NULL;
	d->app = app;
	d->n_columns = app->n_columns;
	return d;
}

void dataset_free(struct dataset *d)
{
	if (!d)
		return;
	free(d->x);
	free(d->wall_s);
	free(d->run_id);
	free(d->machine_id);
	free(d->import_id);
	free(d->source);
	free(d->status);
	free(d->n_repeats);
	free(d->flagged);
	free(d);
}

/* realloc() with the product checked; old stays valid on failure. */
static void *resize(void *old, size_t cap, size_t element)
{
	assert(cap > 0 && element > 0);
	return cap <= SIZE_MAX / element ? realloc(old, cap * element) : NULL;
}

/* d->cap grows only when all columns did, so a failure in between loses nothing. */
static bool reserve(struct dataset *d, size_t cap)
{
	void *grown;

	if (!(grown = resize(d->x, cap, d->n_columns * sizeof *d->x)))
		return false;
	d->x = grown;
	if (!(grown = resize(d->wall_s, cap, sizeof *d->wall_s)))
		return false;
	d->wall_s = grown;
	if (!(grown = resize(d->run_id, cap, sizeof *d->run_id)))
		return false;
	d->run_id = grown;
	if (!(grown = resize(d->machine_id, cap, sizeof *d->machine_id)))
		return false;
	d->machine_id = grown;
	if (!(grown = resize(d->import_id, cap, sizeof *d->import_id)))
		return false;
	d->import_id = grown;
	if (!(grown = resize(d->source, cap, sizeof *d->source)))
		return false;
	d->source = grown;
	if (!(grown = resize(d->status, cap, sizeof *d->status)))
		return false;
	d->status = grown;
	if (!(grown = resize(d->n_repeats, cap, sizeof *d->n_repeats)))
		return false;
	d->n_repeats = grown;
	if (!(grown = resize(d->flagged, cap, sizeof *d->flagged)))
		return false;
	d->flagged = grown;
	d->cap = cap;
	return true;
}

static enum err_code no_memory(const struct dataset *d, struct err *e)
{
	return err_set(e, ERR_NOMEM, "out of memory after %zu runs", d->n);
}

enum err_code dataset_add(struct dataset *d, const double *row, double wall_s, int64_t run_id,
			  int64_t machine_id, enum run_source source, enum run_status status,
			  uint32_t n_repeats, struct err *e)
{
	size_t i = d->n;
	double *x;

	if (d->n == d->cap) {
		/* Three halves: large loads waste less than with doubling. */
		size_t cap = d->cap < 64 ? 64 : d->cap + d->cap / 2;

		if (cap <= d->cap || !reserve(d, cap))
			return no_memory(d, e);
	}
	x = d->x + i * d->n_columns;
	memcpy(x, row, d->n_columns * sizeof *x);
	configuration_derive(d->app, x);
	d->wall_s[i] = wall_s;
	d->run_id[i] = run_id;
	d->machine_id[i] = machine_id;
	d->import_id[i] = 0;
	d->source[i] = (unsigned char)source;
	d->status[i] = (unsigned char)status;
	d->n_repeats[i] = n_repeats;
	d->flagged[i] = 0;
	d->n++;
	return ERR_OK;
}

/* Derived columns are there already: copied, not computed again. */
static void copy_run(const struct dataset *from, size_t i, struct dataset *to)
{
	size_t k = to->n++;

	memcpy(to->x + k * to->n_columns, dataset_row(from, i), to->n_columns * sizeof *to->x);
	to->wall_s[k] = from->wall_s[i];
	to->run_id[k] = from->run_id[i];
	to->machine_id[k] = from->machine_id[i];
	to->import_id[k] = from->import_id[i];
	to->source[k] = from->source[i];
	to->status[k] = from->status[i];
	to->n_repeats[k] = from->n_repeats[i];
	to->flagged[k] = from->flagged[i];
}

enum err_code dataset_subset(const struct dataset *d, const unsigned char *keep,
			     struct dataset **out, struct err *e)
{
	struct dataset *kept = dataset_new(d->app);
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += keep[i] != 0;
	if (!kept || (n > 0 && !reserve(kept, n))) {
		dataset_free(kept);
		return no_memory(d, e);
	}
	for (size_t i = 0; i < d->n; i++) {
		if (keep[i])
			copy_run(d, i, kept);
	}
	assert(kept->n == n);
	*out = kept;
	return ERR_OK;
}

/* Rows in the order of a hash of their configuration, repeats side by side. A hash, because whoever
 * takes every k-th row, or draws from them by number, must not fall into step with a grid of
 * configurations, as in the order of their values. Ordered by the upper half of the hash in two
 * passes of a radix sort; the few that share it are compared. */

enum { RADIX_BITS = 16, RADIX = 1 << RADIX_BITS };

struct row_place {
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

static void radix_pass(const struct row_place *from, struct row_place *to, size_t n, int shift,
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

static bool shares_upper_half(const struct row_place *a, const struct row_place *b)
{
	return a->hash >> 2 * RADIX_BITS == b->hash >> 2 * RADIX_BITS;
}

/* Heap sort: qsort() takes no argument for the runs that the places are of. */
static void sift_down(const struct dataset *d, struct row_place *p, size_t from, size_t n)
{
	for (size_t child; (child = 2 * from + 1) < n; from = child) {
		struct row_place top = p[from];

		if (child + 1 < n && compare_runs(d, p[child].i, p[child + 1].i) < 0)
			child++;
		if (compare_runs(d, top.i, p[child].i) >= 0)
			return;
		p[from] = p[child];
		p[child] = top;
	}
}

static void sort_alike(const struct dataset *d, struct row_place *p, size_t n)
{
	for (size_t k = n / 2; k-- > 0;)
		sift_down(d, p, k, n);
	for (size_t left = n; left-- > 1;) {
		struct row_place last = p[left];

		p[left] = p[0];
		p[0] = last;
		sift_down(d, p, 0, left);
	}
}

static void sort_places(const struct dataset *d, struct row_place *p, struct row_place *work,
			size_t *start)
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
	to->import_id[k] = from->import_id[i];
	to->source[k] = from->source[i];
	to->status[k] = from->status[i];
	to->n_repeats[k] = from->n_repeats[i];
	to->flagged[k] = from->flagged[i];
}

/* Place k gets run p[k].i, cycle by cycle, so that nothing is held twice but one run. p is used
 * up. */
static void permute(struct dataset *d, struct row_place *p, struct dataset *spare)
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
	struct row_place *p = calloc(d->n + 1, sizeof *p), *work = calloc(d->n + 1, sizeof *work);
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
		p[i] = (struct row_place){hash_of(dataset_row(d, i), d->n_columns), i};
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
