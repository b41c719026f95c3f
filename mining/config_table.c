#include "mining/config_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>

#include "mining/repeats.h"

static struct config_table *table_alloc(const struct application *app, size_t n_configs,
					size_t n_runs)
{
	struct config_table *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->app = app;
	t->n_columns = app->n_columns;
	t->x = calloc(n_configs * app->n_columns + 1, sizeof *t->x);
	t->time_s = calloc(n_configs + 1, sizeof *t->time_s);
	t->n_repeats = calloc(n_configs + 1, sizeof *t->n_repeats);
	t->first = calloc(n_configs + 1, sizeof *t->first);
	t->run_s = calloc(n_runs + 1, sizeof *t->run_s);
	if (t->x && t->time_s && t->n_repeats && t->first && t->run_s)
		return t;
	config_table_free(t);
	return NULL;
}

void config_table_free(struct config_table *t)
{
	if (!t)
		return;
	free(t->x);
	free(t->time_s);
	free(t->n_repeats);
	free(t->first);
	free(t->run_s);
	free(t->config_of);
	free(t);
}

/* FNV-1a over the bits of a row, with -0 and every NaN made one. */
static uint64_t row_hash(const double *row, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++) {
		double v = isnan(row[i]) ? NAN : row[i] + 0.0;
		uint64_t bits;

		memcpy(&bits, &v, sizeof bits);
		h = (h ^ bits) * 1099511628211u;
		h ^= h >> 29;
	}
	return h;
}

static int rows_equal(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
			return 0;
	}
	return 1;
}

/* config_of[i] = configuration of run i, SIZE_MAX for a run that does not count; returns the
 * number of configurations. slot[] is an open-addressing table of run indices + 1. */
static size_t number_configs(const struct dataset *runs, size_t *config_of, size_t *slot,
			     size_t n_slots)
{
	size_t n_configs = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const double *row = dataset_row(runs, i);
		size_t at;

		config_of[i] = SIZE_MAX;
		if (runs->status[i] != RUN_OK || !(runs->wall_s[i] > 0) ||
		    !isfinite(runs->wall_s[i]))
			continue;
		at = (size_t)(row_hash(row, runs->n_columns) & (n_slots - 1));
		while (slot[at] &&
		       !rows_equal(dataset_row(runs, slot[at] - 1), row, runs->n_columns))
			at = (at + 1) & (n_slots - 1);
		if (slot[at]) {
			config_of[i] = config_of[slot[at] - 1];
		} else {
			slot[at] = i + 1;
			config_of[i] = n_configs++;
		}
	}
	return n_configs;
}

/* Sorted repeats only: the runs of the table keep their order. */
static enum err_code take_medians(struct config_table *t, struct err *e)
{
	const size_t n_runs = t->first[t->n];
	double *sorted = calloc(n_runs + 1, sizeof *sorted), *work = calloc(t->n + 1, sizeof *work);
	double log_gap;

	if (!sorted || !work) {
		free(sorted);
		free(work);
		return err_set(e, ERR_NOMEM, "medians of %zu runs", n_runs);
	}
	memcpy(sorted, t->run_s, n_runs * sizeof *sorted);
	for (size_t c = 0; c < t->n; c++)
		gsl_sort(sorted + t->first[c], 1, t->n_repeats[c]);
	log_gap = repeats_log_gap(sorted, t->first, t->n, work);
	for (size_t c = 0; c < t->n; c++)
		t->time_s[c] = repeats_median(sorted + t->first[c], t->n_repeats[c], log_gap, NULL);
	t->noise = repeats_noise(sorted, t->first, t->n, log_gap, work);
	free(sorted);
	free(work);
	return ERR_OK;
}

/* Sort the runs into their configurations (a counting sort) and take medians. */
static enum err_code fill(struct config_table *t, const struct dataset *runs,
			  const size_t *config_of, size_t n_configs, struct err *e)
{
	size_t *next = calloc(n_configs + 1, sizeof *next);

	if (!next)
		return err_set(e, ERR_NOMEM, "table of %zu configurations", n_configs);
	t->n = n_configs;
	for (size_t i = 0; i < runs->n; i++) {
		if (config_of[i] != SIZE_MAX)
			t->n_repeats[config_of[i]]++;
	}
	for (size_t c = 0; c < n_configs; c++)
		next[c + 1] = t->first[c + 1] = t->first[c] + t->n_repeats[c];
	next[0] = 0;
	for (size_t i = 0; i < runs->n; i++) {
		size_t c = config_of[i];

		if (c == SIZE_MAX)
			continue;
		if (next[c] == t->first[c])
			memcpy(t->x + c * t->n_columns, dataset_row(runs, i),
			       t->n_columns * sizeof *t->x);
		t->run_s[next[c]++] = runs->wall_s[i];
	}
	free(next);

	return take_medians(t, e);
}

enum err_code config_table_make(const struct dataset *runs, struct config_table **out,
				struct err *e)
{
	struct config_table *t = NULL;
	size_t *config_of = NULL, *slot = NULL;
	size_t n_slots = 64, n_configs;
	enum err_code rc = ERR_OK;

	while (n_slots < 2 * runs->n)
		n_slots *= 2;
	config_of = calloc(runs->n + 1, sizeof *config_of);
	slot = calloc(n_slots, sizeof *slot);
	if (!config_of || !slot) {
		rc = err_set(e, ERR_NOMEM, "table of %zu runs", runs->n);
		goto done;
	}
	n_configs = number_configs(runs, config_of, slot, n_slots);
	if (n_configs == 0) {
		rc = err_set(e, ERR_NODATA, "no finished run with a time among %zu runs", runs->n);
		goto done;
	}
	t = table_alloc(runs->app, n_configs, runs->n);
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "table of %zu configurations", n_configs);
		goto done;
	}
	if ((rc = fill(t, runs, config_of, n_configs, e)))
		goto done;
	t->config_of = config_of;
	config_of = NULL;
	*out = t;
	t = NULL;
done:
	config_table_free(t);
	free(config_of);
	free(slot);
	return rc;
}

enum err_code config_table_subset(const struct config_table *t, const unsigned char *keep,
				  struct config_table **out, struct err *e)
{
	struct config_table *s;
	size_t n = 0, n_runs = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (keep[i]) {
			n++;
			n_runs += t->n_repeats[i];
		}
	}
	if (n == 0)
		return err_set(e, ERR_NODATA, "no configuration is left of %zu", t->n);
	s = table_alloc(t->app, n, n_runs);
	if (!s)
		return err_set(e, ERR_NOMEM, "table of %zu configurations", n);
	s->noise = t->noise;
	for (size_t i = 0; i < t->n; i++) {
		size_t c = s->n;

		if (!keep[i])
			continue;
		memcpy(s->x + c * s->n_columns, config_table_row(t, i),
		       s->n_columns * sizeof *s->x);
		s->time_s[c] = t->time_s[i];
		s->n_repeats[c] = t->n_repeats[i];
		memcpy(s->run_s + s->first[c], t->run_s + t->first[i],
		       t->n_repeats[i] * sizeof *s->run_s);
		s->first[c + 1] = s->first[c] + t->n_repeats[i];
		s->n++;
	}
	*out = s;
	return ERR_OK;
}
