#include "domain/dataset.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
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

/* ---- rows that runs share ---- */

/* A hash table with open addresses of rows + 1, at most half full. */
struct shared_rows {
	size_t n_slots;
	uint32_t *slot;
	size_t n_key; /* leading columns; behind them are those that are derived of them only */
};

static void shared_free(struct shared_rows *s)
{
	if (s)
		free(s->slot);
	free(s);
}

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

static double *row_at(const struct dataset *d, size_t row)
{
	return d->rows + row * d->n_columns;
}

/* Where the row is, or is to be. */
static uint32_t *slot_of(const struct dataset *d, const struct shared_rows *s, const double *row)
{
	size_t at = hash_of(row, s->n_key) & (s->n_slots - 1);

	while (s->slot[at] && memcmp(row_at(d, s->slot[at] - 1), row, s->n_key * sizeof *row) != 0)
		at = (at + 1) & (s->n_slots - 1);
	return &s->slot[at];
}

/* Room for one more row: false, and all is as it was, without memory. */
static bool make_room(struct dataset *d)
{
	struct shared_rows *s = d->shared, wider = {.n_slots = 2 * s->n_slots, .n_key = s->n_key};

	if (d->n_rows + 1 <= s->n_slots / 2)
		return true;
	if (!(wider.slot = calloc(wider.n_slots, sizeof *wider.slot)))
		return false;
	for (size_t r = 0; r < d->n_rows; r++)
		*slot_of(d, &wider, row_at(d, r)) = (uint32_t)r + 1;
	free(s->slot);
	s->slot = wider.slot;
	s->n_slots = wider.n_slots;
	return true;
}

enum err_code dataset_share_rows(struct dataset *d, struct err *e)
{
	struct shared_rows *s = calloc(1, sizeof *s);

	assert(d->n == 0 && !d->shared);
	for (size_t i = 0; s && i < d->n_columns; i++) {
		if (d->app->column[i].role != COL_DERIVED)
			s->n_key = i + 1;
	}
	if (s)
		s->slot = calloc(s->n_slots = 64, sizeof *s->slot);
	if (!s || !s->slot) {
		shared_free(s);
		return err_set(e, ERR_NOMEM, "rows that runs share");
	}
	d->shared = s;
	return ERR_OK;
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
	free(d->rows);
	free(d->row_of);
	shared_free(d->shared);
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

	if (!(grown = resize(d->row_of, cap, sizeof *d->row_of)))
		return false;
	d->row_of = grown;
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

static bool reserve_rows(struct dataset *d, size_t cap)
{
	double *grown = resize(d->rows, cap, d->n_columns * sizeof *grown);

	if (!grown)
		return false;
	d->rows = grown;
	d->cap_rows = cap;
	return true;
}

/* Three halves: large loads waste less than with doubling. */
static size_t more_than(size_t cap)
{
	return cap < 64 ? 64 : cap + cap / 2;
}

static enum err_code no_memory(const struct dataset *d, struct err *e)
{
	return err_set(e, ERR_NOMEM, "out of memory after %zu runs", d->n);
}

enum err_code dataset_add(struct dataset *d, const double *row, double wall_s, int64_t run_id,
			  int64_t machine_id, enum run_source source, enum run_status status,
			  uint32_t n_repeats, struct err *e)
{
	const size_t i = d->n;
	uint32_t *slot = NULL;
	double *x;

	if (d->n == UINT32_MAX - 1)
		return err_set(e, ERR_ARG, "more than %zu runs", d->n);
	if ((d->n == d->cap && !reserve(d, more_than(d->cap))) ||
	    (d->n_rows == d->cap_rows && !reserve_rows(d, more_than(d->cap_rows))) ||
	    (d->shared && !make_room(d)))
		return no_memory(d, e);
	x = row_at(d, d->n_rows);
	memcpy(x, row, d->n_columns * sizeof *x);
	if (d->shared)
		slot = slot_of(d, d->shared, x);
	if (slot && *slot) {
		d->row_of[i] = *slot - 1;
	} else {
		configuration_derive(d->app, x);
		d->row_of[i] = (uint32_t)d->n_rows++;
		if (slot)
			*slot = (uint32_t)d->n_rows;
	}
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

/* Element place[k] of a column becomes element k of another, in which there are n. Column by
 * column, as the processor fetches several of the places of one at a time. */
static void gather(const void *from, size_t size, const uint32_t *place, size_t n, void *to)
{
	const unsigned char *x = from;
	unsigned char *y = to;

	/* constant sizes, so that no function is called for each */
	if (size == 1) {
		for (size_t k = 0; k < n; k++)
			y[k] = x[place[k]];
	} else if (size == 4) {
		for (size_t k = 0; k < n; k++)
			memcpy(y + 4 * k, x + 4 * (size_t)place[k], 4);
	} else {
		assert(size == 8);
		for (size_t k = 0; k < n; k++)
			memcpy(y + 8 * k, x + 8 * (size_t)place[k], 8);
	}
}

/* All that is kept of a run, but for its configuration. */
enum { N_RUN_COLUMNS = 9 };
struct run_column {
	void *x;
	size_t size; /* of an element [bytes] */
};

static void list_run_columns(const struct dataset *d, struct run_column out[N_RUN_COLUMNS])
{
	const struct run_column all[N_RUN_COLUMNS] = {
		{d->row_of, sizeof *d->row_of},	      {d->wall_s, sizeof *d->wall_s},
		{d->run_id, sizeof *d->run_id},	      {d->machine_id, sizeof *d->machine_id},
		{d->import_id, sizeof *d->import_id}, {d->source, sizeof *d->source},
		{d->status, sizeof *d->status},	      {d->n_repeats, sizeof *d->n_repeats},
		{d->flagged, sizeof *d->flagged},
	};

	memcpy(out, all, sizeof all);
}

/* now[r]: which row of the subset row r becomes; UINT32_MAX: none. Returns how many there are. */
static size_t number_rows(const struct dataset *d, const unsigned char *keep, uint32_t *now)
{
	uint32_t n = 0;

	memset(now, 0xff, d->n_rows * sizeof *now);
	for (size_t i = 0; i < d->n; i++) {
		if (keep[i] && now[d->row_of[i]] == UINT32_MAX)
			now[d->row_of[i]] = n++;
	}
	return n;
}

/* Derived columns are there already: copied, not computed again. */
enum err_code dataset_subset(const struct dataset *d, const unsigned char *keep,
			     struct dataset **out, struct err *e)
{
	struct dataset *kept = dataset_new(d->app);
	uint32_t *now = calloc(d->n_rows + 1, sizeof *now), *place = NULL;
	struct run_column of_all[N_RUN_COLUMNS], of_kept[N_RUN_COLUMNS];
	enum err_code rc = ERR_OK;
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += keep[i] != 0;
	/* one more, as the place behind the last that is kept is written to, too */
	place = calloc(n + 1, sizeof *place);
	if (kept && now)
		kept->n_rows = number_rows(d, keep, now);
	if (!kept || !now || !place ||
	    (n > 0 && (!reserve(kept, n) || !reserve_rows(kept, kept->n_rows)))) {
		dataset_free(kept);
		rc = no_memory(d, e);
		goto done;
	}
	for (size_t r = 0; r < d->n_rows; r++) {
		if (now[r] != UINT32_MAX)
			memcpy(row_at(kept, now[r]), row_at(d, r), d->n_columns * sizeof *d->rows);
	}
	for (size_t i = 0; i < d->n; i++) {
		place[kept->n] = (uint32_t)i;
		kept->n += keep[i] != 0;
	}
	list_run_columns(d, of_all);
	list_run_columns(kept, of_kept);
	for (size_t c = 0; c < N_RUN_COLUMNS; c++)
		gather(of_all[c].x, of_all[c].size, place, n, of_kept[c].x);
	for (size_t k = 0; k < n; k++)
		kept->row_of[k] = now[kept->row_of[k]];
	*out = kept;
done:
	free(place);
	free(now);
	return rc;
}

/* Rows in the order of a hash of their configuration, repeats side by side. A hash, because whoever
 * takes every k-th row, or draws from them by number, must not fall into step with a grid of
 * configurations, as in the order of their values. Ordered by the upper half of the hash in two
 * passes of a radix sort; the few that share it are compared. */

enum { RADIX_BITS = 16, RADIX = 1 << RADIX_BITS };

struct row_place {
	uint32_t hash; /* its upper half */
	uint32_t i;
};

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

	for (size_t c = 0; c < d->n_columns && x != y && !order; c++)
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

	radix_pass(p, work, d->n, 0, start);
	radix_pass(work, p, d->n, RADIX_BITS, start);
	for (size_t at = 0; at < d->n; at = end) {
		for (end = at + 1; end < d->n && p[at].hash == p[end].hash;)
			end++;
		if (end > at + 1)
			sort_alike(d, p + at, end - at);
	}
}

/* Place k gets run place[k]. spare[n] is scratch. */
static void permute(struct dataset *d, const uint32_t *place, void *spare)
{
	struct run_column column[N_RUN_COLUMNS];

	list_run_columns(d, column);
	for (size_t c = 0; c < N_RUN_COLUMNS; c++) {
		gather(column[c].x, column[c].size, place, d->n, spare);
		memcpy(column[c].x, spare, d->n * column[c].size);
	}
}

/* Rows in the order in which runs come to them, cycle by cycle, so that nothing is held twice but
 * one row. now[r]: where row r belongs; from[n_rows] and spare[n_columns] are scratch. */
static void permute_rows(struct dataset *d, const uint32_t *now, uint32_t *from, double *spare)
{
	const size_t size = d->n_columns * sizeof *d->rows;

	for (size_t r = 0; r < d->n_rows; r++)
		from[now[r]] = (uint32_t)r;
	for (size_t k = 0; k < d->n_rows; k++) {
		size_t hole = k;

		if (from[k] == k)
			continue;
		memcpy(spare, row_at(d, k), size);
		while (from[hole] != k) {
			const size_t next = from[hole];

			memcpy(row_at(d, hole), row_at(d, next), size);
			from[hole] = (uint32_t)hole;
			hole = next;
		}
		memcpy(row_at(d, hole), spare, size);
		from[hole] = (uint32_t)hole;
	}
	for (size_t i = 0; i < d->n; i++)
		d->row_of[i] = now[d->row_of[i]];
}

enum err_code dataset_order_by_content(struct dataset *d, struct err *e)
{
	struct row_place *p = calloc(d->n + 1, sizeof *p), *work = calloc(d->n + 1, sizeof *work);
	size_t *start = calloc(RADIX, sizeof *start);
	unsigned char *mark = calloc(d->n + 1, 1);
	uint32_t *hash = calloc(2 * d->n_rows + 1, sizeof *hash), *place;
	double *spare = calloc(d->n_columns + 1, sizeof *spare);
	enum err_code rc = ERR_OK;

	if (!p || !work || !start || !mark || !hash || !spare) {
		rc = err_set(e, ERR_NOMEM, "the order of %zu runs", d->n);
		goto done;
	}
	if (d->n < 2)
		goto done;
	for (size_t r = 0; r < d->n_rows; r++)
		hash[r] = (uint32_t)(hash_of(row_at(d, r), d->n_columns) >> 32);
	for (size_t i = 0; i < d->n; i++)
		p[i] = (struct row_place){hash[d->row_of[i]], (uint32_t)i};
	sort_places(d, p, work, start);
	place = (uint32_t *)work;
	for (size_t k = 0; k < d->n; k++)
		place[k] = p[k].i;
	permute(d, place, p);
	/* what is looked for is no longer where it was */
	shared_free(d->shared);
	d->shared = NULL;
	memset(mark, 1, d->n);
	number_rows(d, mark, hash);
	permute_rows(d, hash, hash + d->n_rows, spare);
done:
	free(spare);
	free(hash);
	free(mark);
	free(start);
	free(work);
	free(p);
	return rc;
}
