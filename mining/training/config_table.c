#include "mining/training/config_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

/* Gaps this many standard deviations wide hardly ever part repeats that belong together. */
#define GAP_SDS 5.0
/* No smaller gap is a disturbance worth the name. */
#define MIN_LOG_GAP 0.1
/* The two fastest of three normal repeats differ by 0.7 standard deviations in the median, those of
 * two by 0.95, those of ten by 0.4: one number for all, as the gap need not be exact. */
#define MEDIAN_FIRST_GAP 0.7

double repeats_log_gap(const double *sorted, const size_t *first, size_t n_configs, double *work)
{
	size_t n = 0;

	for (size_t i = 0; i < n_configs; i++) {
		if (first[i + 1] - first[i] >= 2)
			work[n++] = log(sorted[first[i] + 1] / sorted[first[i]]);
	}
	if (n == 0)
		return MIN_LOG_GAP;
	return fmax(GAP_SDS * gsl_stats_median(work, 1, n) / MEDIAN_FIRST_GAP, MIN_LOG_GAP);
}

/* The repeats [*from, *from + result) that agree. */
static size_t agreeing(const double *sorted, size_t n, double log_gap, size_t *from)
{
	const double factor = exp(log_gap);
	size_t best = 0, start = 0;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && sorted[i] <= factor * sorted[i - 1])
			continue;
		if (i - start > best) {
			best = i - start;
			*from = start;
		}
		start = i;
	}
	return best;
}

double repeats_median(const double *sorted, size_t n, double log_gap, size_t *n_agree)
{
	size_t from = 0, n_kept = agreeing(sorted, n, log_gap, &from);

	if (n_agree)
		*n_agree = n_kept;
	return gsl_stats_median_from_sorted_data(sorted + from, 1, n_kept);
}

/* Unbiased variance of the logs of x[0..n-1], n >= 2. */
static double log_variance(const double *x, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(x[i] / x[0]);
	for (size_t i = 0; i < n; i++) {
		double d = log(x[i] / x[0]) - sum / (double)n;

		squares += d * d;
	}
	return squares / (double)(n - 1);
}

double repeats_noise(const double *sorted, const size_t *first, size_t n_configs, double log_gap,
		     double *work)
{
	size_t n = 0;

	for (size_t i = 0; i < n_configs; i++) {
		size_t from = 0;
		size_t k = agreeing(sorted + first[i], first[i + 1] - first[i], log_gap, &from);

		/* the median of chi^2 / k at k degrees of freedom is (1 - 2 / (9 k))^3
		 * (Wilson and Hilferty, 1931) */
		if (k >= 2)
			work[n++] = log_variance(sorted + first[i] + from, k) /
				    pow(1 - 2 / (9 * (double)(k - 1)), 3);
	}
	return n > 0 ? sqrt(gsl_stats_median(work, 1, n)) : NAN;
}

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

static bool is_same_value(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

bool config_rows_equal(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n && a != b; i++) {
		if (!is_same_value(a[i], b[i]))
			return false;
	}
	return true;
}

bool config_rows_differ_alone(const struct application *app, const double *a, const double *b,
			      size_t column)
{
	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role != COL_DERIVED &&
		    is_same_value(a[c], b[c]) == (c == column))
			return false;
	}
	return true;
}

/* The runs of a data set by their rows: an open-addressing table of run indices + 1. */
struct row_index {
	const struct dataset *runs;
	size_t n_slots;
	size_t *slot;
	const double *last; /* the row that was looked for last: repeats mostly follow each other */
	size_t first_like_last;
};

/* The first run indexed with the row of run i: i itself, if there was none. */
static size_t first_like(struct row_index *ix, size_t i)
{
	const size_t n = ix->runs->n_columns;
	const double *row = dataset_row(ix->runs, i);
	size_t at;

	if (row == ix->last)
		return ix->first_like_last;
	at = (size_t)(row_hash(row, n) & (ix->n_slots - 1));
	while (ix->slot[at] && !config_rows_equal(dataset_row(ix->runs, ix->slot[at] - 1), row, n))
		at = (at + 1) & (ix->n_slots - 1);
	if (!ix->slot[at])
		ix->slot[at] = i + 1;
	ix->last = row;
	return ix->first_like_last = ix->slot[at] - 1;
}

static bool has_time(const struct dataset *runs, size_t i, enum run_status status)
{
	return runs->status[i] == status && runs->wall_s[i] > 0 && isfinite(runs->wall_s[i]);
}

/* What is found on the way to a table. */
struct table_plan {
	struct row_index index;
	size_t n_configs;
	size_t *config_of;     /* by run, as in the table */
	unsigned char *source; /* by configuration: the best there is */
	size_t n_cut;
	size_t *cut_run;   /* runs of the data set that were cut */
	size_t *cut_first; /* the first run of the same configuration, finished or not */
};

static void plan_release(struct table_plan *p)
{
	free(p->index.slot);
	free(p->config_of);
	free(p->source);
	free(p->cut_run);
	free(p->cut_first);
}

static enum err_code plan_reserve(struct table_plan *p, const struct dataset *runs, struct err *e)
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

static void number_configs(struct table_plan *p, const struct dataset *runs)
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
static void drop_outdone(struct table_plan *p, const struct dataset *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		size_t c = p->config_of[i];

		if (c != SIZE_MAX && runs->source[i] > p->source[c])
			p->config_of[i] = SIZE_MAX;
	}
}

/* Between the two: after all finished runs are indexed, before numbers are dropped. */
static void find_cut(struct table_plan *p, const struct dataset *runs)
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
static enum err_code fill(struct config_table *t, const struct dataset *runs,
			  const struct table_plan *p, struct err *e)
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
static void mark_longest(struct config_table *t, const struct table_plan *p, size_t *by_first)
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
			      const struct table_plan *p, struct err *e)
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
	struct table_plan p = {.n_configs = 0};
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

/* Some of the configurations of a table, as a table of their own or as a list. */

static bool keeps_cut(const struct config_table *t, const unsigned char *keep,
		      const unsigned char *keep_cut, size_t k)
{
	if (keep_cut)
		return keep_cut[k];
	return t->cut[k].config == SIZE_MAX || !keep || keep[t->cut[k].config];
}

/* new_place[i]: of configuration i in s, SIZE_MAX if it is not there. */
static void copy_configs(const struct config_table *t, const unsigned char *keep,
			 struct config_table *s, size_t *new_place)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t c = s->n;

		new_place[i] = !keep || keep[i] ? c : SIZE_MAX;
		if (new_place[i] == SIZE_MAX)
			continue;
		memcpy(s->x + c * s->n_columns, config_table_row(t, i),
		       s->n_columns * sizeof *s->x);
		s->time_s[c] = t->time_s[i];
		s->n_repeats[c] = t->n_repeats[i];
		s->source[c] = t->source[i];
		memcpy(s->run_s + s->first[c], t->run_s + t->first[i],
		       t->n_repeats[i] * sizeof *s->run_s);
		s->first[c + 1] = s->first[c] + t->n_repeats[i];
		s->n++;
	}
}

static void copy_cut(const struct config_table *t, const unsigned char *keep,
		     const unsigned char *keep_cut, const size_t *new_place, struct config_table *s)
{
	for (size_t k = 0; k < t->n_cut; k++) {
		struct cut_run cut = t->cut[k];

		if (!keeps_cut(t, keep, keep_cut, k))
			continue;
		memcpy(s->cut_x + s->n_cut * s->n_columns, config_table_cut_row(t, k),
		       s->n_columns * sizeof *s->cut_x);
		if (cut.config != SIZE_MAX)
			cut.config = new_place[cut.config];
		s->cut[s->n_cut++] = cut;
	}
}

enum err_code config_table_split(const struct config_table *t, const unsigned char *keep,
				 const unsigned char *keep_cut, struct config_table **out,
				 struct err *e)
{
	size_t *new_place = calloc(t->n + 1, sizeof *new_place);
	struct config_table *s;
	size_t n = 0, n_runs = 0;

	if (!new_place)
		return err_set(e, ERR_NOMEM, "part of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		if (!keep || keep[i]) {
			n++;
			n_runs += t->n_repeats[i];
		}
	}
	if (n == 0) {
		free(new_place);
		return err_set(e, ERR_NODATA, "no configuration is left of %zu", t->n);
	}
	s = config_table_alloc(t->app, n, n_runs, t->n_cut);
	if (!s) {
		free(new_place);
		return err_set(e, ERR_NOMEM, "table of %zu configurations", n);
	}
	s->noise = t->noise;
	memcpy(s->weight, t->weight, sizeof s->weight);
	copy_configs(t, keep, s, new_place);
	copy_cut(t, keep, keep_cut, new_place, s);
	free(new_place);
	*out = s;
	return ERR_OK;
}

enum err_code config_table_subset(const struct config_table *t, const unsigned char *keep,
				  struct config_table **out, struct err *e)
{
	return config_table_split(t, keep, NULL, out, e);
}

enum run_source config_table_best_source(const struct config_table *t, size_t *n_of)
{
	size_t n[SOURCE_COUNT] = {0};
	int best = 0;

	for (size_t i = 0; i < t->n; i++)
		n[t->source[i]]++;
	while (best + 1 < SOURCE_COUNT && n[best] == 0)
		best++;
	if (n_of)
		memcpy(n_of, n, sizeof n);
	return (enum run_source)best;
}

size_t config_table_pick(const struct config_table *t, size_t most, size_t *pick)
{
	size_t n_of[SOURCE_COUNT], seen[SOURCE_COUNT] = {0}, taken[SOURCE_COUNT] = {0};
	size_t share[SOURCE_COUNT], n = 0;

	config_table_best_source(t, n_of);
	for (int s = 0; s < SOURCE_COUNT; s++) {
		share[s] = n_of[s] < most ? n_of[s] : most;
		most -= share[s];
	}
	for (size_t i = 0; i < t->n; i++) {
		unsigned char s = t->source[i];

		/* the k-th of share is number floor(k n_of / share) of its source */
		if (taken[s] < share[s] &&
		    seen[s] == (size_t)((double)taken[s] * (double)n_of[s] / (double)share[s])) {
			pick[n++] = i;
			taken[s]++;
		}
		seen[s]++;
	}
	return n;
}

enum err_code config_table_sample(const struct config_table *t, size_t most,
				  struct config_table **out, struct err *e)
{
	size_t *pick = calloc(t->n + 1, sizeof *pick), n;
	unsigned char *keep = calloc(t->n + 1, 1);
	enum err_code rc;

	if (!pick || !keep) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", t->n);
	} else {
		n = config_table_pick(t, most, pick);
		for (size_t i = 0; i < n; i++)
			keep[pick[i]] = 1;
		rc = config_table_subset(t, keep, out, e);
	}
	free(pick);
	free(keep);
	return rc;
}
