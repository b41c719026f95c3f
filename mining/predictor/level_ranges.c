#include "mining/predictor/level_ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

enum { MOST_RANGES = sizeof((struct level_ranges){0}.item) / sizeof(struct level_range) };

static bool is_of_settings(const struct level_range *r)
{
	return r->n_of > 1;
}

static bool is_of_amount(const struct level_range *r)
{
	return r->lo == 0 && !is_of_settings(r);
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
		all[k] = (struct level_range){1, {{text, (double)k}}, size, INFINITY, -INFINITY};
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

/* On all nodes together in an application without nodes; NaN: there is nothing to pack. */
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
		out->item[out->n - 1] = (struct level_range){1, {{what, code}}, size, 0, hi};
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

/* ---- settings together ---- */

/* Different values of a numeric tunable; with more it is an amount. */
enum { MOST_VALUES = 32, NO_VALUE = MOST_VALUES };
#define LEAST_EXPECTED 2.0

struct tested_column {
	size_t column;
	size_t n_values;
	double value[MOST_VALUES];
	unsigned char *place; /* by configuration: of its value, or NO_VALUE */
};

struct sized {
	double size;
	size_t config;
};

struct found_range {
	struct level_range range;
	double expected; /* runs beyond it */
	size_t place;	 /* that it was found in */
};

struct settings_finder {
	const struct config_table *t;
	size_t n_settings;
	struct tested_column *setting;
	size_t n_sized;
	struct sized *sized; /* in descending order of size */
	size_t n, room;
	struct found_range *found;
	bool no_memory;
	struct counts *counts;
};

/* false: it sets nothing, or has too many values, or one. */
static bool find_values(const struct config_table *t, size_t column, struct tested_column *out)
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

static void sort_by_size(struct settings_finder *f, size_t size)
{
	f->n_sized = 0;
	for (size_t i = 0; i < f->t->n; i++) {
		const double v = config_table_row(f->t, i)[size];

		if (!isnan(v))
			f->sized[f->n_sized++] = (struct sized){v, i};
	}
	qsort(f->sized, f->n_sized, sizeof *f->sized, by_descending_size);
}

static void add_range(struct settings_finder *f, struct level_range range, double expected)
{
	if (!(expected >= LEAST_EXPECTED) || f->no_memory)
		return;
	if (f->n == f->room) {
		struct found_range *more = realloc(f->found, (2 * f->room + 64) * sizeof *more);

		f->no_memory = !more;
		if (!more)
			return;
		f->found = more;
		f->room = 2 * f->room + 64;
	}
	f->found[f->n] = (struct found_range){range, expected, f->n};
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

static struct level_range together(const struct tested_column *const *of, const size_t *value,
				   size_t n, size_t size, double hi)
{
	struct level_range r = {.n_of = n, .size = size, .hi = hi};

	for (size_t k = 0; k < n; k++)
		r.of[k] = (struct setting_value){of[k]->column, of[k]->value[value[k]]};
	return r;
}

/* From the largest size down: where two values meet for the first time there is the most of it.
 */
static void keep_pairs(struct settings_finder *f, const struct tested_column *a,
		       const struct tested_column *b, size_t size)
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
			add_range(f,
				  together((const struct tested_column *[]){a, b}, (size_t[]){x, y},
					   2, size, hi),
				  expected(n_a[x], n_b[y], from));
		}
		for (size_t i = from; i < to; i++) {
			n_a[a->place[f->sized[i].config]]++;
			n_b[b->place[f->sized[i].config]]++;
		}
	}
}

/* Configurations by the values of three settings: n[x * y * z values], and sums over one or two. */
struct counts {
	size_t n_values[3];
	size_t *of_all;
	size_t pair[3][MOST_VALUES][MOST_VALUES]; /* by the setting that is left out */
	size_t one[3][MOST_VALUES];
	size_t n;
};

static size_t place_in(const struct counts *c, const size_t *value)
{
	return (value[0] * c->n_values[1] + value[1]) * c->n_values[2] + value[2];
}

static void count(const struct config_table *t, const struct tested_column *const *of,
		  struct counts *c)
{
	for (int k = 0; k < 3; k++)
		c->n_values[k] = of[k]->n_values;
	memset(c->of_all, 0, c->n_values[0] * c->n_values[1] * c->n_values[2] * sizeof *c->of_all);
	memset(c->pair, 0, sizeof c->pair);
	memset(c->one, 0, sizeof c->one);
	c->n = 0;
	for (size_t i = 0; i < t->n; i++) {
		const size_t v[3] = {of[0]->place[i], of[1]->place[i], of[2]->place[i]};

		if (v[0] == NO_VALUE || v[1] == NO_VALUE || v[2] == NO_VALUE)
			continue;
		c->n++;
		c->of_all[place_in(c, v)]++;
		c->pair[0][v[1]][v[2]]++;
		c->pair[1][v[0]][v[2]]++;
		c->pair[2][v[0]][v[1]]++;
		for (int k = 0; k < 3; k++)
			c->one[k][v[k]]++;
	}
}

/* As expected() of three settings that never met: what each two do together explains how often all
 * three do (no interaction of three in a 2 x 2 x 2 table, Bartlett 1935): n_111 n_100 n_010 n_001 =
 * n_110 n_101 n_011 n_000. 0 where two never met, which says so already. */
static double expected_of_three(const struct counts *c, const size_t *v)
{
	const size_t n_12 = c->pair[2][v[0]][v[1]], n_13 = c->pair[1][v[0]][v[2]],
		     n_23 = c->pair[0][v[1]][v[2]];
	const size_t n_1 = c->one[0][v[0]] - n_12 - n_13, n_2 = c->one[1][v[1]] - n_12 - n_23,
		     n_3 = c->one[2][v[2]] - n_13 - n_23;
	const size_t none = c->n - n_1 - n_2 - n_3 - n_12 - n_13 - n_23;

	return (double)n_12 * (double)n_13 * (double)n_23 * (double)none /
	       ((double)(n_1 + 1) * (double)(n_2 + 1) * (double)(n_3 + 1));
}

/* Three settings that no configuration has together. */
static void keep_threes(struct settings_finder *f, const struct tested_column *const *of)
{
	struct counts *c = f->counts;
	size_t v[3];

	count(f->t, of, c);
	for (v[0] = 0; v[0] < of[0]->n_values; v[0]++) {
		for (v[1] = 0; v[1] < of[1]->n_values; v[1]++) {
			for (v[2] = 0; v[2] < of[2]->n_values; v[2]++) {
				if (c->of_all[place_in(c, v)] == 0)
					add_range(f, together(of, v, 3, SIZE_MAX, 0),
						  expected_of_three(c, v));
			}
		}
	}
}

/* Two that no configuration has. */
static void keep_unmet(struct settings_finder *f, const struct tested_column *a,
		       const struct tested_column *b)
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
				add_range(f,
					  together((const struct tested_column *[]){a, b},
						   (size_t[]){x, y}, 2, SIZE_MAX, 0),
					  expected(n_a[x], n_b[y], n_all));
		}
	}
}

static void find_ranges_of_settings(struct settings_finder *f)
{
	for (size_t size = 0; size < f->t->n_columns; size++) {
		if (!is_size_of_problem(f->t->app, size))
			continue;
		sort_by_size(f, size);
		for (size_t i = 0; i < f->n_settings; i++) {
			for (size_t k = 0; k < i; k++)
				keep_pairs(f, &f->setting[k], &f->setting[i], size);
		}
	}
	for (size_t i = 0; i < f->n_settings; i++) {
		for (size_t k = 0; k < i; k++) {
			keep_unmet(f, &f->setting[k], &f->setting[i]);
			for (size_t j = 0; j < k; j++)
				keep_threes(f, (const struct tested_column *[]){&f->setting[j],
										&f->setting[k],
										&f->setting[i]});
		}
	}
}

/* The order of those that are as likely is the one that they were found in. */
static int by_expected(const void *a, const void *b)
{
	const struct found_range *x = a, *y = b;

	if (x->expected != y->expected)
		return compare_doubles(&y->expected, &x->expected);
	return (x->place > y->place) - (x->place < y->place);
}

/* Where there is no room for all, those that chance explains least. */
static enum err_code add_settings(const struct config_table *t, struct level_ranges *out,
				  struct err *e)
{
	struct settings_finder f = {.t = t};
	unsigned char *place = calloc(t->n_columns * t->n + 1, 1);
	enum err_code rc = ERR_OK;

	f.setting = calloc(t->n_columns + 1, sizeof *f.setting);
	f.sized = calloc(t->n + 1, sizeof *f.sized);
	f.counts = calloc(1, sizeof *f.counts);
	if (f.counts)
		f.counts->of_all = calloc((size_t)MOST_VALUES * MOST_VALUES * MOST_VALUES,
					  sizeof *f.counts->of_all);
	if (!f.setting || !f.sized || !place || !f.counts || !f.counts->of_all) {
		rc = err_set(e, ERR_NOMEM, "pairs of settings of %zu configurations", t->n);
		goto out;
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		f.setting[f.n_settings].place = place + c * t->n;
		f.n_settings += find_values(t, c, &f.setting[f.n_settings]);
	}
	find_ranges_of_settings(&f);
	if (f.no_memory)
		rc = err_set(e, ERR_NOMEM, "%zu ranges of pairs of settings", f.n);
	else if (f.n > 0)
		qsort(f.found, f.n, sizeof *f.found, by_expected);
	for (size_t i = 0; !rc && i < f.n && out->n < MOST_RANGES; i++)
		out->item[out->n++] = f.found[i].range;
out:
	free(f.found);
	if (f.counts)
		free(f.counts->of_all);
	free(f.counts);
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
	return add_settings(t, out, e);
}

static bool applies(const struct level_range *r, const struct application *app, const double *row)
{
	if (is_of_amount(r))
		return is_more(amount_of(app, r->of[0].column, row), r->of[0].code);
	for (size_t k = 0; k < r->n_of; k++) {
		if (row[r->of[k].column] != r->of[k].code)
			return false;
	}
	return true;
}

/* Doublings that settings count as that never met, though they were to be expected to: that there
 * is a reason, another law, has a chance of 1 - 0.95^4 = 0.19 then (REGIME_PER_DOUBLING). */
#define NEVER_MET 4.0

static double log2_beyond(const struct level_range *r, const double *row)
{
	double v;

	if (r->size == SIZE_MAX)
		return NEVER_MET;
	v = row[r->size];
	if (v < r->lo)
		return v > 0 ? log2(r->lo / v) : INFINITY;
	return v > r->hi ? log2(v / r->hi) : 0;
}

/* NULL: it is inside of all. */
static const struct level_range *farthest(const struct level_ranges *m,
					  const struct application *app, const double *row,
					  double *beyond)
{
	const struct level_range *worst = NULL;

	*beyond = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct level_range *r = &m->item[i];
		const double d = applies(r, app, row) ? log2_beyond(r, row) : 0;

		if (d > *beyond) {
			*beyond = d;
			worst = r;
		}
	}
	return worst;
}

double level_ranges_beyond(const struct level_ranges *m, const struct application *app,
			   const double *row)
{
	double beyond;

	(void)farthest(m, app, row, &beyond);
	return beyond;
}

static const char *name_of(const struct application *app, size_t column)
{
	return column == LEVEL_PACKING ? "processes and threads" : app->column[column].name;
}

/* "solver amg" */
static void put_setting(const struct application *app, const struct setting_value *v,
			struct strbuf *out)
{
	const struct column *c = &app->column[v->column];

	strbuf_printf(out, "%s ", c->name);
	if (c->type == COL_TEXT)
		strbuf_puts(out, c->levels.name[(size_t)v->code]);
	else
		strbuf_printf(out, "%.6g", v->code);
}

static void put_range(const struct level_range *r, const struct application *app,
		      struct strbuf *out)
{
	if (is_of_amount(r)) {
		strbuf_printf(out, "more than %.6g %s %s run with %s up to %.6g only",
			      r->of[0].code, name_of(app, r->of[0].column),
			      r->of[0].column == LEVEL_PACKING ? "on a node were" : "was",
			      app->column[r->size].name, r->hi);
		return;
	}
	for (size_t k = 0; k < r->n_of; k++) {
		strbuf_puts(out, k == 0 ? "" : k == 1 ? " with " : " and ");
		put_setting(app, &r->of[k], out);
	}
	if (r->size == SIZE_MAX)
		strbuf_puts(out, " was not run");
	else if (is_of_settings(r))
		strbuf_printf(out, " was run with %s up to %.6g only", app->column[r->size].name,
			      r->hi);
	else
		strbuf_printf(out, " was run with %s from %.6g to %.6g only",
			      app->column[r->size].name, r->lo, r->hi);
}

/* So many sentences are read. */
enum { MOST_SAID = 4 };

void level_ranges_explain(const struct level_ranges *m, const struct application *app,
			  struct strbuf *out)
{
	for (size_t i = 0; i < m->n && i < MOST_SAID; i++) {
		const size_t start = out->len + 1;

		strbuf_putc(out, ' ');
		put_range(&m->item[i], app, out);
		strbuf_putc(out, '.');
		if (!out->failed && is_of_amount(&m->item[i]))
			out->buf[start] = 'M';
	}
	if (m->n > MOST_SAID)
		strbuf_printf(out, " %zu more levels or settings have such limits.",
			      m->n - MOST_SAID);
}

void level_ranges_explain_row(const struct level_ranges *m, const struct application *app,
			      const double *row, const char *before, struct strbuf *out)
{
	double beyond;
	const struct level_range *worst = farthest(m, app, row, &beyond);

	if (!worst)
		return;
	strbuf_puts(out, before);
	put_range(worst, app, out);
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

enum { MOST_TOGETHER = sizeof((struct level_range){0}.of) / sizeof(struct setting_value) };
static const char *const column_key[MOST_TOGETHER] = {"column", "with", "third"};
static const char *const level_key[MOST_TOGETHER] = {"level", "with_level", "third_level"};

static enum err_code store_setting(const struct level_range *r, size_t k,
				   const struct application *app, size_t i, struct kb_fit *fit,
				   struct err *e)
{
	const struct setting_value *v = &r->of[k];
	const char *level = VALUE;
	enum err_code rc;

	if (is_of_amount(r))
		level = MORE;
	else if (app->column[v->column].type == COL_TEXT)
		level = app->column[v->column].levels.name[(size_t)v->code];
	if ((rc = put(fit, column_key[k], i, (double)v->column, name_of(app, v->column), e)))
		return rc;
	return put(fit, level_key[k], i, v->code, level, e);
}

enum err_code level_ranges_store(const struct level_ranges *m, const struct application *app,
				 struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct level_range *r = &m->item[i];
		const char *size = r->size == SIZE_MAX ? NOT_RUN : app->column[r->size].name;

		for (size_t k = 0; k < MOST_TOGETHER && k < r->n_of && !rc; k++)
			rc = store_setting(r, k, app, i, fit, e);
		if (rc || (rc = put(fit, "lo", i, r->lo, size, e)))
			return rc;
		rc = put(fit, "hi", i, r->hi, size, e);
	}
	return rc;
}

static const struct kb_param *find(const struct kb_fit *fit, const char *what, size_t i)
{
	return kb_fit_find(fit, "level_range_%s_%zu", what, i);
}

/* A level may have another code by now. */
static bool load_setting(const struct kb_fit *fit, const struct application *app, size_t k,
			 size_t i, struct setting_value *out)
{
	const struct kb_param *column = find(fit, column_key[k], i),
			      *level = find(fit, level_key[k], i);
	size_t code;

	if (!column->meaning || !level || !level->meaning)
		return false;
	out->column = application_column(app, column->meaning);
	out->code = level->value;
	if (out->column == SIZE_MAX)
		return k == 0 && !strcmp(column->meaning, name_of(app, LEVEL_PACKING));
	if (app->column[out->column].type != COL_TEXT)
		return !strcmp(level->meaning, MORE) || !strcmp(level->meaning, VALUE);
	code = levels_find(&app->column[out->column].levels, level->meaning);
	out->code = (double)code;
	return code != SIZE_MAX;
}

static bool load_one(const struct kb_fit *fit, const struct application *app, size_t i,
		     struct level_range *out)
{
	const struct kb_param *lo = find(fit, "lo", i), *hi = find(fit, "hi", i);
	bool packing;

	*out = (struct level_range){0};
	for (; out->n_of < MOST_TOGETHER && find(fit, column_key[out->n_of], i); out->n_of++) {
		if (!load_setting(fit, app, out->n_of, i, &out->of[out->n_of]))
			return false;
	}
	if (!lo || !lo->meaning || !hi)
		return false;
	packing = out->of[0].column == LEVEL_PACKING;
	out->size = application_column(app, lo->meaning);
	out->lo = lo->value;
	out->hi = hi->value;
	if (is_of_settings(out) && !strcmp(lo->meaning, NOT_RUN))
		return !packing;
	return out->size != SIZE_MAX && out->lo >= 0 && out->hi >= out->lo && out->hi > 0 &&
	       (is_of_amount(out) || !packing);
}

void level_ranges_load(const struct kb_fit *fit, const struct application *app,
		       struct level_ranges *out)
{
	out->n = 0;
	for (size_t i = 0; i < MOST_RANGES && find(fit, column_key[0], i); i++)
		out->n += load_one(fit, app, i, &out->item[out->n]);
}
