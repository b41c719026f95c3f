#include "mining/training/config_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>

#include "mining/training/repeats.h"

struct config_table *config_table_alloc(const struct application *app, size_t n_configs,
					size_t n_runs, size_t n_cut)
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
	t->source = calloc(n_configs + 1, sizeof *t->source);
	t->cut = calloc(n_cut + 1, sizeof *t->cut);
	t->cut_x = calloc(n_cut * app->n_columns + 1, sizeof *t->cut_x);
	for (int s = 0; s < SOURCE_COUNT; s++)
		t->weight[s] = 1;
	if (t->x && t->time_s && t->n_repeats && t->first && t->run_s && t->source && t->cut &&
	    t->cut_x)
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
	free(t->source);
	free(t->cut);
	free(t->cut_x);
	free(t);
}

/* ---- which runs are of one configuration ---- */

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

/* The runs of a data set by their rows: an open-addressing table of run indices + 1. */
struct row_index {
	const struct dataset *runs;
	size_t n_slots;
	size_t *slot;
};

/* The first run indexed with the row of run i: i itself, if there was none. */
static size_t first_like(struct row_index *ix, size_t i)
{
	const size_t n = ix->runs->n_columns;
	const double *row = dataset_row(ix->runs, i);
	size_t at = (size_t)(row_hash(row, n) & (ix->n_slots - 1));

	while (ix->slot[at] && !rows_equal(dataset_row(ix->runs, ix->slot[at] - 1), row, n))
		at = (at + 1) & (ix->n_slots - 1);
	if (!ix->slot[at])
		ix->slot[at] = i + 1;
	return ix->slot[at] - 1;
}

static bool has_time(const struct dataset *runs, size_t i, enum run_status status)
{
	return runs->status[i] == status && runs->wall_s[i] > 0 && isfinite(runs->wall_s[i]);
}

/* What is found on the way to a table. */
struct plan {
	struct row_index index;
	size_t n_configs;
	size_t *config_of;     /* by run, as in the table */
	unsigned char *source; /* by configuration: the best there is */
	size_t n_cut;
	size_t *cut_run;   /* runs of the data set that were cut */
	size_t *cut_first; /* the first run of the same configuration, finished or not */
};

static void plan_release(struct plan *p)
{
	free(p->index.slot);
	free(p->config_of);
	free(p->source);
	free(p->cut_run);
	free(p->cut_first);
}

static enum err_code plan_reserve(struct plan *p, const struct dataset *runs, struct err *e)
{
	p->index = (struct row_index){.runs = runs, .n_slots = 64};
	while (p->index.n_slots < 2 * runs->n)
		p->index.n_slots *= 2;
	p->index.slot = calloc(p->index.n_slots, sizeof *p->index.slot);
	p->config_of = calloc(runs->n + 1, sizeof *p->config_of);
	p->source = calloc(runs->n + 1, sizeof *p->source);
	p->cut_run = calloc(runs->n + 1, sizeof *p->cut_run);
	p->cut_first = calloc(runs->n + 1, sizeof *p->cut_first);
	if (p->index.slot && p->config_of && p->source && p->cut_run && p->cut_first)
		return ERR_OK;
	return err_set(e, ERR_NOMEM, "table of %zu runs", runs->n);
}

static void number_configs(struct plan *p, const struct dataset *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		size_t first, c;

		p->config_of[i] = SIZE_MAX;
		if (!has_time(runs, i, RUN_OK))
			continue;
		first = first_like(&p->index, i);
		c = p->config_of[i] = first == i ? p->n_configs++ : p->config_of[first];
		if (first == i || runs->source[i] < p->source[c])
			p->source[c] = runs->source[i];
	}
}

/* A run that was only simulated of a configuration that was measured says nothing. Only after all
 * are numbered: until then the first run of a configuration carries its number. */
static void drop_outdone(struct plan *p, const struct dataset *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		size_t c = p->config_of[i];

		if (c != SIZE_MAX && runs->source[i] > p->source[c])
			p->config_of[i] = SIZE_MAX;
	}
}

/* Between the two: after all finished runs are indexed, before numbers are dropped. */
static void find_cut(struct plan *p, const struct dataset *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		size_t first, c;

		if (!has_time(runs, i, RUN_TIMEOUT))
			continue;
		first = first_like(&p->index, i);
		c = p->config_of[first];
		if (c != SIZE_MAX && runs->source[i] > p->source[c])
			continue;
		p->cut_run[p->n_cut] = i;
		p->cut_first[p->n_cut++] = first;
	}
}

/* ---- the table ---- */

/* Repeats of lesser sources, which may come out of a formula, say nothing of the noise of measured
 * ones: sorted runs of the best source only, moved up. first[n + 1]: where they start. Returns the
 * number of configurations left. */
static size_t keep_best(const struct config_table *t, double *sorted, size_t *first)
{
	enum run_source best = config_table_best_source(t, NULL);
	size_t n = 0;

	for (size_t c = 0; c < t->n; c++) {
		if (t->source[c] != best)
			continue;
		memmove(sorted + first[n], sorted + t->first[c], t->n_repeats[c] * sizeof *sorted);
		first[n + 1] = first[n] + t->n_repeats[c];
		n++;
	}
	return n;
}

/* Sorted repeats only: the runs of the table keep their order. */
static enum err_code take_medians(struct config_table *t, struct err *e)
{
	const size_t n_runs = t->first[t->n];
	double *sorted = calloc(n_runs + 1, sizeof *sorted), *work = calloc(t->n + 1, sizeof *work);
	size_t *first = calloc(t->n + 1, sizeof *first), n_best;
	double log_gap;
	enum err_code rc = ERR_OK;

	if (!sorted || !work || !first) {
		rc = err_set(e, ERR_NOMEM, "medians of %zu runs", n_runs);
		goto done;
	}
	memcpy(sorted, t->run_s, n_runs * sizeof *sorted);
	for (size_t c = 0; c < t->n; c++)
		gsl_sort(sorted + t->first[c], 1, t->n_repeats[c]);
	log_gap = repeats_log_gap(sorted, t->first, t->n, work);
	for (size_t c = 0; c < t->n; c++)
		t->time_s[c] = repeats_median(sorted + t->first[c], t->n_repeats[c], log_gap, NULL);
	n_best = keep_best(t, sorted, first);
	t->noise = repeats_noise(sorted, first, n_best, log_gap, work);
done:
	free(sorted);
	free(work);
	free(first);
	return rc;
}

/* Sort the runs into their configurations (a counting sort) and take medians. */
static enum err_code fill(struct config_table *t, const struct dataset *runs, const struct plan *p,
			  struct err *e)
{
	size_t *next = calloc(p->n_configs + 1, sizeof *next);

	if (!next)
		return err_set(e, ERR_NOMEM, "table of %zu configurations", p->n_configs);
	t->n = p->n_configs;
	memcpy(t->source, p->source, t->n);
	for (size_t i = 0; i < runs->n; i++) {
		if (p->config_of[i] != SIZE_MAX)
			t->n_repeats[p->config_of[i]]++;
	}
	for (size_t c = 0; c < t->n; c++)
		next[c + 1] = t->first[c + 1] = t->first[c] + t->n_repeats[c];
	next[0] = 0;
	for (size_t i = 0; i < runs->n; i++) {
		size_t c = p->config_of[i];

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

/* The longest limit of each configuration that never finished; of equal ones the first. A run that
 * was only modelled does not finish one that was measured. by_first[]: by run of the data set, the
 * longest so far + 1. */
static void mark_longest(struct config_table *t, const struct plan *p, size_t *by_first)
{
	for (size_t k = 0; k < t->n_cut; k++) {
		size_t *best = &by_first[p->cut_first[k]];

		if ((t->cut[k].config == SIZE_MAX ||
		     t->cut[k].source < p->source[t->cut[k].config]) &&
		    (!*best || t->cut[k].limit_s > t->cut[*best - 1].limit_s))
			*best = k + 1;
	}
	for (size_t k = 0; k < t->n_cut; k++)
		t->cut[k].longest = by_first[p->cut_first[k]] == k + 1;
}

/* cut[].config as it was before runs were dropped. */
static enum err_code fill_cut(struct config_table *t, const struct dataset *runs,
			      const struct plan *p, struct err *e)
{
	size_t *by_first = calloc(runs->n + 1, sizeof *by_first);

	if (!by_first)
		return err_set(e, ERR_NOMEM, "limits of %zu runs", p->n_cut);
	t->n_cut = p->n_cut;
	for (size_t k = 0; k < t->n_cut; k++) {
		size_t i = p->cut_run[k];

		t->cut[k] = (struct cut_run){.limit_s = runs->wall_s[i],
					     .config = p->config_of[p->cut_first[k]],
					     .source = runs->source[i]};
		memcpy(t->cut_x + k * t->n_columns, dataset_row(runs, i),
		       t->n_columns * sizeof *t->cut_x);
	}
	mark_longest(t, p, by_first);
	free(by_first);
	return ERR_OK;
}

enum err_code config_table_make(const struct dataset *runs, struct config_table **out,
				struct err *e)
{
	struct config_table *t = NULL;
	struct plan p = {.n_configs = 0};
	enum err_code rc;

	if ((rc = plan_reserve(&p, runs, e)))
		goto done;
	number_configs(&p, runs);
	if (p.n_configs == 0) {
		rc = err_set(e, ERR_NODATA, "no finished run with a time among %zu runs", runs->n);
		goto done;
	}
	find_cut(&p, runs);
	t = config_table_alloc(runs->app, p.n_configs, runs->n, p.n_cut);
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "table of %zu configurations", p.n_configs);
		goto done;
	}
	if ((rc = fill_cut(t, runs, &p, e)))
		goto done;
	drop_outdone(&p, runs);
	if ((rc = fill(t, runs, &p, e)))
		goto done;
	t->config_of = p.config_of;
	p.config_of = NULL;
	*out = t;
	t = NULL;
done:
	config_table_free(t);
	plan_release(&p);
	return rc;
}
