#include "mining/training/holdout.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>

const struct holdout_info holdout_info[HOLDOUT_COUNT] = {
	[HOLDOUT_CONFIGS] = {"configurations", "unseen configurations", 5},
	[HOLDOUT_PROBLEMS] = {"problems", "unseen problems", 5},
	[HOLDOUT_MORE_PROCS] = {"processors", "larger processor counts", 2},
	[HOLDOUT_LARGER_PROBLEMS] = {"sizes", "larger problems", 2},
};

/* Of an extrapolating split, the share of configurations that is trained on, by fold. */
static const double trained_share[] = {0.5, 0.75};

static uint64_t mix(uint64_t h, double v)
{
	uint64_t bits;

	v = isnan(v) ? NAN : v + 0.0;
	memcpy(&bits, &v, sizeof bits);
	h = (h ^ bits) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* A hash of the columns of a row that make it a configuration, or only of those of the problem. */
static uint64_t row_key(const struct application *app, const double *row, int problem_only,
			unsigned seed)
{
	uint64_t h = 0xcbf29ce484222325u + seed;

	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role == COL_DERIVED ||
		    (problem_only && app->column[c].role != COL_PROBLEM))
			continue;
		h = mix(h, row[c]);
	}
	return h;
}

double holdout_size(enum holdout kind, const struct application *app, const double *row)
{
	double size = 1;

	if (kind == HOLDOUT_MORE_PROCS) {
		size_t c = app->i_procs != SIZE_MAX ? app->i_procs : app->i_nodes;

		return c == SIZE_MAX ? 1 : row[c];
	}
	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role == COL_PROBLEM && app->column[c].type != COL_TEXT &&
		    row[c] > 0)
			size *= row[c];
	}
	return size;
}

static double known_size(enum holdout kind, const struct application *app, const double *row)
{
	double size = holdout_size(kind, app, row);

	return isnan(size) ? 1 : size;
}

/* The size up to which is trained: that below which the share lies, but never the largest. Equal
 * sizes stay together. */
static double size_cut(const double *sorted, size_t n, double share)
{
	size_t i = (size_t)(share * (double)(n - 1));

	while (i > 0 && sorted[i] == sorted[n - 1])
		i--;
	return sorted[i];
}

/* Where an extrapolating fold cuts; INFINITY: where the one before it did, so it tests nothing. */
static enum err_code find_size(const struct config_table *t, struct holdout_fold *f, struct err *e)
{
	double *sorted = calloc(t->n + 1, sizeof *sorted);

	if (!sorted)
		return err_set(e, ERR_NOMEM, "split of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++)
		sorted[i] = known_size(f->kind, t->app, config_table_row(t, i));
	gsl_sort(sorted, 1, t->n);
	f->size = size_cut(sorted, t->n, trained_share[f->fold]);
	if (f->fold > 0 && f->size == size_cut(sorted, t->n, trained_share[f->fold - 1]))
		f->size = INFINITY;
	free(sorted);
	return ERR_OK;
}

enum err_code holdout_fold_make(enum holdout kind, int fold, unsigned seed,
				const struct config_table *t, struct holdout_fold *out,
				struct err *e)
{
	struct holdout_fold f = {.kind = kind, .fold = fold, .seed = seed, .size = INFINITY};
	enum err_code rc = ERR_OK;

	if (kind == HOLDOUT_MORE_PROCS || kind == HOLDOUT_LARGER_PROBLEMS)
		rc = find_size(t, &f, e);
	if (!rc)
		*out = f;
	return rc;
}

bool holdout_fold_takes(const struct holdout_fold *f, const struct application *app,
			const double *row)
{
	uint64_t n_folds = (uint64_t)holdout_info[f->kind].n_folds;

	if (f->kind == HOLDOUT_CONFIGS || f->kind == HOLDOUT_PROBLEMS)
		return row_key(app, row, f->kind == HOLDOUT_PROBLEMS, f->seed) % n_folds ==
		       (uint64_t)f->fold;
	return known_size(f->kind, app, row) > f->size;
}

uint64_t holdout_row_hash(const struct application *app, const double *row, unsigned seed)
{
	return row_key(app, row, 0, seed);
}

enum err_code holdout_split(enum holdout kind, int fold, unsigned seed,
			    const struct config_table *t, unsigned char *test, int *possible,
			    struct err *e)
{
	struct holdout_fold f;
	size_t n_test = 0;
	enum err_code rc = holdout_fold_make(kind, fold, seed, t, &f, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < t->n; i++) {
		test[i] = holdout_fold_takes(&f, t->app, config_table_row(t, i));
		n_test += test[i];
	}
	*possible = n_test > 0 && n_test < t->n;
	return ERR_OK;
}

enum err_code holdout_training_runs(const struct dataset *runs, const struct config_table *t,
				    const unsigned char *test, struct dataset **out, struct err *e)
{
	unsigned char *keep = calloc(runs->n + 1, 1);
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "training part of %zu runs", runs->n);
	for (size_t i = 0; i < runs->n; i++)
		keep[i] = t->config_of[i] != SIZE_MAX && !test[t->config_of[i]];
	rc = dataset_subset(runs, keep, out, e);
	free(keep);
	return rc;
}

/* Puts x among the values in order; false: there are too many. */
static bool put_value(struct level_column *c, double x)
{
	size_t i = c->n;

	while (i > 0 && c->value[i - 1] >= x)
		i--;
	if (i < c->n && c->value[i] == x)
		return true;
	if (c->n == LEVEL_MAX)
		return false;
	memmove(c->value + i + 1, c->value + i, (c->n - i) * sizeof *c->value);
	c->value[i] = x;
	c->n++;
	return true;
}

void level_columns_find(const struct config_table *t, struct level_columns *out)
{
	*out = (struct level_columns){.n = 0};
	for (size_t c = 0; c < t->n_columns && out->n < LEVEL_COLUMNS; c++) {
		struct level_column levels = {.column = c};
		bool few =
			t->app->column[c].role == COL_PROBLEM && t->app->column[c].type != COL_TEXT;

		for (size_t i = 0; i < t->n && few; i++) {
			const double x = config_table_row(t, i)[c];

			few = !isnan(x) && put_value(&levels, x);
		}
		if (few && levels.n >= LEVEL_MIN)
			out->item[out->n++] = levels;
	}
}

static bool is_new(const struct level_column *c, double x)
{
	if (!(x > c->value[0] && x < c->value[c->n - 1]))
		return false;
	for (size_t i = 0; i < c->n; i++) {
		if (c->value[i] == x)
			return false;
	}
	return true;
}

int level_columns_newness(const struct level_columns *m, const double *row)
{
	int n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += is_new(&m->item[i], row[m->item[i].column]);
	return n;
}

/* The k-th pair of inner levels, in the order of columns and values; false: there are no more. */
static bool nth_pair(const struct level_columns *m, size_t k, struct level_fold *out)
{
	for (size_t i = 0; i < m->n; i++) {
		for (size_t j = i + 1; j < m->n; j++) {
			const struct level_column *a = &m->item[i], *c = &m->item[j];
			const size_t pairs = (a->n - 2) * (c->n - 2);

			if (k < pairs) {
				*out = (struct level_fold){{a->column, c->column},
							   {a->value[1 + k / (c->n - 2)],
							    c->value[1 + k % (c->n - 2)]}};
				return true;
			}
			k -= pairs;
		}
	}
	return false;
}

size_t level_folds_make(const struct level_columns *m, struct level_fold out[LEVEL_FOLDS])
{
	struct level_fold ignored;
	size_t all = 0, n;

	if (m->n == 1) {
		const struct level_column *a = &m->item[0];

		n = a->n - 2 < LEVEL_FOLDS ? a->n - 2 : LEVEL_FOLDS;
		for (size_t k = 0; k < n; k++)
			out[k] = (struct level_fold){{a->column, SIZE_MAX},
						     {a->value[1 + k * (a->n - 2) / n], 0}};
		return n;
	}
	while (nth_pair(m, all, &ignored))
		all++;
	n = all < LEVEL_FOLDS ? all : LEVEL_FOLDS;
	/* from the middle of each share on, so that inner levels of both columns vary */
	for (size_t k = 0; k < n; k++)
		nth_pair(m, (2 * k + 1) * all / (2 * n), &out[k]);
	return n;
}

int level_fold_takes(const struct level_fold *f, const double *row)
{
	int n = 0;

	for (int k = 0; k < 2; k++)
		n += f->column[k] != SIZE_MAX && row[f->column[k]] == f->value[k];
	return n;
}
