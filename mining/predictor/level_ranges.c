#include "mining/predictor/level_ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

enum { MOST_RANGES = sizeof((struct level_ranges){0}.item) / sizeof(struct level_range) };

static bool is_of_pair(const struct level_range *r)
{
	return r->with != SIZE_MAX;
}

static bool is_of_amount(const struct level_range *r)
{
	return r->lo == 0 && !is_of_pair(r);
}

static bool is_size_of_problem(const struct application *app, size_t c)
{
	const struct column *col = &app->column[c];

	return col->type != COL_TEXT && (col->role == COL_PROBLEM || col->role == COL_WORKLOAD);
}

static bool is_size(const struct application *app, size_t c)
{
	const struct column *col = &app->column[c];

	return is_size_of_problem(app, c) ||
	       (col->type != COL_TEXT &&
		(col->role == COL_RESOURCE || c == app->i_nodes || c == app->i_procs));
}

/* Of one column of sizes: all[n_levels + 1], by level, the last of all of them. */
static void find_ranges(const struct config_table *t, size_t text, size_t size,
			struct level_range *all, size_t n_levels)
{
	for (size_t k = 0; k <= n_levels; k++)
		all[k] = (struct level_range){text, (double)k, SIZE_MAX, NAN,
					      size, INFINITY,  -INFINITY};
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);
		const double code = row[text], v = row[size];

		if (!(code >= 0 && code < (double)n_levels) || isnan(v))
			continue;
		for (size_t k = (size_t)code;; k = n_levels) {
			all[k].lo = fmin(all[k].lo, v);
			all[k].hi = fmax(all[k].hi, v);
			if (k == n_levels)
				break;
		}
	}
}

static void keep_narrower(const struct level_range *all, size_t n_levels, struct level_ranges *out)
{
	const struct level_range *whole = &all[n_levels];

	for (size_t k = 0; k < n_levels && out->n < MOST_RANGES && whole->lo > 0; k++) {
		if (all[k].lo < all[k].hi && (all[k].lo > whole->lo || all[k].hi < whole->hi))
			out->item[out->n++] = all[k];
	}
}

/* ---- processes and threads on a node ---- */

/* On all nodes together in a class without nodes; NaN: there is nothing to pack. */
static double packing_of(const struct application *app, const double *row)
{
	double procs = (double)NAN;

	if (app->i_ppn != SIZE_MAX)
		procs = row[app->i_ppn];
	else if (app->i_procs != SIZE_MAX && app->i_nodes != SIZE_MAX)
		procs = row[app->i_procs] / row[app->i_nodes];
	else if (app->i_procs != SIZE_MAX && app->i_threads != SIZE_MAX)
		procs = row[app->i_procs];
	if (app->i_threads == SIZE_MAX)
		return procs;
	return isnan(procs) ? row[app->i_threads] : procs * row[app->i_threads];
}

/* Of a resource that does not scale, or of LEVEL_PACKING. */
static double amount_of(const struct application *app, size_t what, const double *row)
{
	return what == LEVEL_PACKING ? packing_of(app, row) : row[what];
}

static bool is_more(double amount, double code)
{
	/* an infinite one has no tolerance */
	return amount > (isfinite(code) ? code + 1e-9 * fabs(code) : code);
}

/* The most below `above`, or -INFINITY. */
static double amount_below(const struct config_table *t, size_t what, double above)
{
	double most = -INFINITY;

	for (size_t i = 0; i < t->n; i++) {
		const double amount = amount_of(t->app, what, config_table_row(t, i));

		if (is_more(above, amount) && amount > most)
			most = amount;
	}
	return most;
}

/* The most of a size that was run with more than `code`. */
static double most_with(const struct config_table *t, size_t what, double code, size_t size)
{
	double most = -INFINITY;

	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);

		if (is_more(amount_of(t->app, what, row), code))
			most = fmax(most, row[size]);
	}
	return most;
}

/* From the largest amount on; with smaller ones no smaller sizes were run. */
static void keep_packed(const struct config_table *t, size_t what, size_t size,
			struct level_ranges *out)
{
	const double whole = most_with(t, what, -INFINITY, size);
	double last = whole;

	for (double code = amount_below(t, what, amount_below(t, what, INFINITY));
	     isfinite(code) && whole > 0 && out->n < MOST_RANGES;
	     code = amount_below(t, what, code)) {
		const double hi = most_with(t, what, code, size);

		if (!(hi < whole) || !(hi > 0))
			return;
		if (hi != last)
			out->n++;
		out->item[out->n - 1] =
			(struct level_range){what, code, SIZE_MAX, NAN, size, 0, hi};
		last = hi;
	}
}

/* Processes or threads on a node, and what some runs did without. Sides of a grid scale. */
static bool is_beside_scale(const struct config_table *t, size_t column)
{
	const struct column *c = &t->app->column[column];
	bool without = column == t->app->i_ppn || column == t->app->i_threads;

	if (c->role != COL_RESOURCE || c->type == COL_TEXT)
		return false;
	for (size_t i = 0; i < t->n && !without; i++)
		without = config_table_row(t, i)[column] == 0;
	return without;
}

static void add_packed(const struct config_table *t, struct level_ranges *out)
{
	const struct application *app = t->app;

	for (size_t size = 0; size < app->n_columns; size++) {
		if (!is_size_of_problem(app, size))
			continue;
		keep_packed(t, LEVEL_PACKING, size, out);
		for (size_t k = 0; k < app->n_columns; k++) {
			if (is_beside_scale(t, k))
				keep_packed(t, k, size, out);
		}
	}
}

/* ---- pairs of settings ---- */

/* Different values of a numeric tunable; with more it is an amount. */
enum { MOST_VALUES = 32, NO_VALUE = MOST_VALUES };
#define LEAST_EXPECTED 2.0

struct setting {
	size_t column;
	size_t n_values;
	double value[MOST_VALUES];
	unsigned char *place; /* by configuration: of its value, or NO_VALUE */
};

struct sized {
	double size;
	size_t config;
};

struct found_pair {
	struct level_range range;
	double expected; /* runs beyond it */
	size_t place;	 /* that it was found in */
};

struct pair_finder {
	const struct config_table *t;
	size_t n_settings;
	struct setting *setting;
	size_t n_sized;
	struct sized *sized; /* in descending order of size */
	size_t n, room;
	struct found_pair *found;
	bool no_memory;
};

/* false: it sets nothing, or has too many values, or one. */
static bool find_values(const struct config_table *t, size_t column, struct setting *out)
{
	const struct column *c = &t->app->column[column];

	out->column = column;
	out->n_values = 0;
	if (c->type != COL_TEXT && c->role != COL_TUNABLE)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const double v = config_table_row(t, i)[column];
		size_t k = 0;

		out->place[i] = NO_VALUE;
		if (isnan(v))
			continue;
		while (k < out->n_values && out->value[k] != v)
			k++;
		if (k == MOST_VALUES)
			return false;
		if (k == out->n_values)
			out->value[out->n_values++] = v;
		out->place[i] = (unsigned char)k;
	}
	return out->n_values > 1;
}

static int by_descending_size(const void *a, const void *b)
{
	return compare_doubles(&((const struct sized *)b)->size, &((const struct sized *)a)->size);
}

static void sort_by_size(struct pair_finder *f, size_t size)
{
	f->n_sized = 0;
	for (size_t i = 0; i < f->t->n; i++) {
		const double v = size == SIZE_MAX ? 0 : config_table_row(f->t, i)[size];

		if (!isnan(v))
			f->sized[f->n_sized++] = (struct sized){v, i};
	}
	qsort(f->sized, f->n_sized, sizeof *f->sized, by_descending_size);
}

static void add_pair(struct pair_finder *f, struct level_range range, double expected)
{
	if (!(expected >= LEAST_EXPECTED) || f->no_memory)
		return;
	if (f->n == f->room) {
		struct found_pair *more = realloc(f->found, (2 * f->room + 64) * sizeof *more);

		f->no_memory = !more;
		if (!more)
			return;
		f->found = more;
		f->room = 2 * f->room + 64;
	}
	f->found[f->n] = (struct found_pair){range, expected, f->n};
	f->n++;
}

/* Runs with both of two settings, if n_a have the one, n_b the other, and none of n both: if they
 * are independent, both is to n_a as n_b is to neither (Lincoln and Petersen's estimate, with
 * Chapman's 1 for where there is none). n_a n_b / n would be too few, as those with both are not
 * among n_a and n_b. */
static double expected(size_t n_a, size_t n_b, size_t n)
{
	return (double)n_a * (double)n_b / (double)(n - n_a - n_b + 1);
}

/* From the largest size down: where two values meet for the first time there is the most of it.
 */
static void keep_pairs(struct pair_finder *f, const struct setting *a, const struct setting *b,
		       size_t size)
{
	size_t n_a[MOST_VALUES + 1] = {0}, n_b[MOST_VALUES + 1] = {0};
	bool met[MOST_VALUES + 1][MOST_VALUES + 1] = {{false}};

	for (size_t from = 0, to; from < f->n_sized; from = to) {
		const double hi = f->sized[from].size;

		for (to = from; to < f->n_sized && f->sized[to].size == hi; to++) {
			const size_t x = a->place[f->sized[to].config];
			const size_t y = b->place[f->sized[to].config];

			if (x == NO_VALUE || y == NO_VALUE || met[x][y] || !(hi > 0))
				continue;
			met[x][y] = true;
			add_pair(f,
				 (struct level_range){a->column, a->value[x], b->column,
						      b->value[y], size, 0, hi},
				 expected(n_a[x], n_b[y], from));
		}
		for (size_t i = from; i < to; i++) {
			n_a[a->place[f->sized[i].config]]++;
			n_b[b->place[f->sized[i].config]]++;
		}
	}
}

/* Those that no configuration has. */
static void keep_unmet(struct pair_finder *f, const struct setting *a, const struct setting *b)
{
	size_t n[MOST_VALUES + 1][MOST_VALUES + 1] = {{0}};
	size_t n_a[MOST_VALUES] = {0}, n_b[MOST_VALUES] = {0}, n_all = 0;

	for (size_t i = 0; i < f->t->n; i++)
		n[a->place[i]][b->place[i]]++;
	for (size_t x = 0; x < a->n_values; x++) {
		for (size_t y = 0; y < b->n_values; y++) {
			n_a[x] += n[x][y];
			n_b[y] += n[x][y];
			n_all += n[x][y];
		}
	}
	for (size_t x = 0; x < a->n_values; x++) {
		for (size_t y = 0; y < b->n_values; y++) {
			if (n[x][y] == 0)
				add_pair(f,
					 (struct level_range){a->column, a->value[x], b->column,
							      b->value[y], SIZE_MAX, 0, 0},
					 expected(n_a[x], n_b[y], n_all));
		}
	}
}

static void find_pairs(struct pair_finder *f)
{
	for (size_t size = 0; size <= f->t->n_columns; size++) {
		const bool all = size == f->t->n_columns;

		if (!all && !is_size_of_problem(f->t->app, size))
			continue;
		sort_by_size(f, size);
		for (size_t i = 0; i < f->n_settings; i++) {
			for (size_t k = 0; k < i; k++) {
				if (all)
					keep_unmet(f, &f->setting[k], &f->setting[i]);
				else
					keep_pairs(f, &f->setting[k], &f->setting[i], size);
			}
		}
	}
}

/* The order of those that are as likely is the one that they were found in. */
static int by_expected(const void *a, const void *b)
{
	const struct found_pair *x = a, *y = b;

	if (x->expected != y->expected)
		return compare_doubles(&y->expected, &x->expected);
	return (x->place > y->place) - (x->place < y->place);
}

/* Where there is no room for all, those that chance explains least. */
static enum err_code add_pairs(const struct config_table *t, struct level_ranges *out,
			       struct err *e)
{
	struct pair_finder f = {.t = t};
	unsigned char *place = calloc(t->n_columns * t->n + 1, 1);
	enum err_code rc = ERR_OK;

	f.setting = calloc(t->n_columns + 1, sizeof *f.setting);
	f.sized = calloc(t->n + 1, sizeof *f.sized);
	if (!f.setting || !f.sized || !place) {
		rc = err_set(e, ERR_NOMEM, "pairs of settings of %zu configurations", t->n);
		goto out;
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		f.setting[f.n_settings].place = place + c * t->n;
		f.n_settings += find_values(t, c, &f.setting[f.n_settings]);
	}
	find_pairs(&f);
	if (f.no_memory)
		rc = err_set(e, ERR_NOMEM, "%zu ranges of pairs of settings", f.n);
	else if (f.n > 0)
		qsort(f.found, f.n, sizeof *f.found, by_expected);
	for (size_t i = 0; !rc && i < f.n && out->n < MOST_RANGES; i++)
		out->item[out->n++] = f.found[i].range;
out:
	free(f.found);
	free(f.sized);
	free(f.setting);
	free(place);
	return rc;
}

/* ---- all ---- */

enum err_code level_ranges_make(const struct config_table *t, struct level_ranges *out,
				struct err *e)
{
	const struct application *app = t->app;

	out->n = 0;
	for (size_t text = 0; text < app->n_columns; text++) {
		const size_t n_levels = app->column[text].levels.n;
		struct level_range *all;

		if (app->column[text].type != COL_TEXT || n_levels < 2)
			continue;
		all = calloc(n_levels + 1, sizeof *all);
		if (!all)
			return err_set(e, ERR_NOMEM, "ranges of %zu levels", n_levels);
		for (size_t size = 0; size < app->n_columns; size++) {
			if (!is_size(app, size))
				continue;
			find_ranges(t, text, size, all, n_levels);
			keep_narrower(all, n_levels, out);
		}
		free(all);
	}
	if (app->model) /* a structure tells what they do */
		return ERR_OK;
	add_packed(t, out);
	return add_pairs(t, out, e);
}

static bool applies(const struct level_range *r, const struct application *app, const double *row)
{
	if (is_of_amount(r))
		return is_more(amount_of(app, r->column, row), r->code);
	return row[r->column] == r->code && (!is_of_pair(r) || row[r->with] == r->with_code);
}

/* Settings that never met are as far from all runs as twice a size. */
static double log2_beyond(const struct level_range *r, const double *row)
{
	double v;

	if (r->size == SIZE_MAX)
		return 1;
	v = row[r->size];
	if (v < r->lo)
		return v > 0 ? log2(r->lo / v) : INFINITY;
	return v > r->hi ? log2(v / r->hi) : 0;
}

double level_ranges_beyond(const struct level_ranges *m, const struct application *app,
			   const double *row)
{
	double worst = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct level_range *r = &m->item[i];

		if (applies(r, app, row))
			worst = fmax(worst, log2_beyond(r, row));
	}
	return worst;
}

static const char *name_of(const struct application *app, size_t column)
{
	return column == LEVEL_PACKING ? "processes and threads" : app->column[column].name;
}

/* " solver amg" */
static void put_setting(const struct application *app, size_t column, double code,
			struct strbuf *out)
{
	const struct column *c = &app->column[column];

	strbuf_printf(out, " %s ", c->name);
	if (c->type == COL_TEXT)
		strbuf_puts(out, c->levels.name[(size_t)code]);
	else
		strbuf_printf(out, "%.6g", code);
}

/* So many sentences are read. */
enum { MOST_SAID = 4 };

void level_ranges_explain(const struct level_ranges *m, const struct application *app,
			  struct strbuf *out)
{
	for (size_t i = 0; i < m->n && i < MOST_SAID; i++) {
		const struct level_range *r = &m->item[i];

		if (is_of_amount(r)) {
			strbuf_printf(out, " More than %.6g %s %s run with %s up to %.6g only.",
				      r->code, name_of(app, r->column),
				      r->column == LEVEL_PACKING ? "on a node were" : "was",
				      app->column[r->size].name, r->hi);
			continue;
		}
		put_setting(app, r->column, r->code, out);
		if (is_of_pair(r)) {
			strbuf_puts(out, " with");
			put_setting(app, r->with, r->with_code, out);
		}
		if (r->size == SIZE_MAX)
			strbuf_puts(out, " was not run.");
		else if (is_of_pair(r))
			strbuf_printf(out, " was run with %s up to %.6g only.",
				      app->column[r->size].name, r->hi);
		else
			strbuf_printf(out, " was run with %s from %.6g to %.6g only.",
				      app->column[r->size].name, r->lo, r->hi);
	}
	if (m->n > MOST_SAID)
		strbuf_printf(out, " %zu more levels or settings have such limits.",
			      m->n - MOST_SAID);
}

/* ---- in the knowledge base ---- */

/* What stands for the level where there is none, and for the size of settings that never met. */
static const char MORE[] = "more than", VALUE[] = "the value", NOT_RUN[] = "not run";

static enum err_code put(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[48];

	snprintf(name, sizeof name, "level_range_%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

static const char *level_of(const struct application *app, size_t column, double code)
{
	const struct column *c = &app->column[column];

	return c->type == COL_TEXT ? c->levels.name[(size_t)code] : VALUE;
}

static enum err_code store_one(const struct level_range *r, const struct application *app, size_t i,
			       struct kb_fit *fit, struct err *e)
{
	const char *size = r->size == SIZE_MAX ? NOT_RUN : app->column[r->size].name;
	const char *level = is_of_amount(r) ? MORE : level_of(app, r->column, r->code);
	enum err_code rc;

	if ((rc = put(fit, "column", i, (double)r->column, name_of(app, r->column), e)) ||
	    (rc = put(fit, "level", i, r->code, level, e)) ||
	    (rc = put(fit, "lo", i, r->lo, size, e)) || (rc = put(fit, "hi", i, r->hi, size, e)) ||
	    !is_of_pair(r))
		return rc;
	if ((rc = put(fit, "with", i, (double)r->with, name_of(app, r->with), e)))
		return rc;
	return put(fit, "with_level", i, r->with_code, level_of(app, r->with, r->with_code), e);
}

enum err_code level_ranges_store(const struct level_ranges *m, const struct application *app,
				 struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++)
		rc = store_one(&m->item[i], app, i, fit, e);
	return rc;
}

/* A level may have another code by now. */
static bool load_setting(const struct application *app, const struct kb_param *column,
			 const struct kb_param *level, size_t *out_column, double *out_code)
{
	size_t code;

	if (!column->meaning || !level || !level->meaning)
		return false;
	*out_column = application_column(app, column->meaning);
	*out_code = level->value;
	if (*out_column == SIZE_MAX)
		return !strcmp(column->meaning, name_of(app, LEVEL_PACKING));
	if (app->column[*out_column].type != COL_TEXT)
		return !strcmp(level->meaning, MORE) || !strcmp(level->meaning, VALUE);
	code = levels_find(&app->column[*out_column].levels, level->meaning);
	*out_code = (double)code;
	return code != SIZE_MAX;
}

static bool load_one(const struct kb_fit *fit, const struct application *app, size_t i,
		     struct level_range *out)
{
	const struct kb_param *column = kb_fit_find(fit, "level_range_column_%zu", i),
			      *level = kb_fit_find(fit, "level_range_level_%zu", i),
			      *lo = kb_fit_find(fit, "level_range_lo_%zu", i),
			      *hi = kb_fit_find(fit, "level_range_hi_%zu", i),
			      *with = kb_fit_find(fit, "level_range_with_%zu", i),
			      *with_level = kb_fit_find(fit, "level_range_with_level_%zu", i);

	*out = (struct level_range){.with = SIZE_MAX, .with_code = NAN};
	if (!load_setting(app, column, level, &out->column, &out->code) || !lo || !lo->meaning ||
	    !hi)
		return false;
	if (with && !load_setting(app, with, with_level, &out->with, &out->with_code))
		return false;
	out->size = application_column(app, lo->meaning);
	out->lo = lo->value;
	out->hi = hi->value;
	if (is_of_pair(out) && !strcmp(lo->meaning, NOT_RUN))
		return out->column != LEVEL_PACKING;
	return out->size != SIZE_MAX && out->lo >= 0 && out->hi >= out->lo && out->hi > 0 &&
	       (is_of_amount(out) || out->column != LEVEL_PACKING);
}

void level_ranges_load(const struct kb_fit *fit, const struct application *app,
		       struct level_ranges *out)
{
	out->n = 0;
	for (size_t i = 0; i < MOST_RANGES && kb_fit_find(fit, "level_range_column_%zu", i); i++)
		out->n += load_one(fit, app, i, &out->item[out->n]);
}
