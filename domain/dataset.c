#include "domain/dataset.h"

#include <assert.h>
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
