#include "mining/predictor/level_ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANGES = sizeof((struct level_ranges){0}.item) / sizeof(struct level_range) };

static bool is_of_amount(const struct level_range *r)
{
	return r->lo == 0;
}

static bool is_size(const struct application *app, size_t c)
{
	const struct column *col = &app->column[c];

	if (col->type == COL_TEXT)
		return false;
	return col->role == COL_PROBLEM || col->role == COL_WORKLOAD || col->role == COL_RESOURCE ||
	       c == app->i_nodes || c == app->i_procs;
}

/* Of one column of sizes: all[n_levels + 1], by level, the last of all of them. */
static void find_ranges(const struct config_table *t, size_t text, size_t size,
			struct level_range *all, size_t n_levels)
{
	for (size_t k = 0; k <= n_levels; k++)
		all[k] = (struct level_range){text, size, (double)k, INFINITY, -INFINITY};
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
		out->item[out->n - 1] = (struct level_range){what, size, code, 0, hi};
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
		const struct column *c = &app->column[size];

		if ((c->role != COL_PROBLEM && c->role != COL_WORKLOAD) || c->type == COL_TEXT)
			continue;
		keep_packed(t, LEVEL_PACKING, size, out);
		for (size_t k = 0; k < app->n_columns; k++) {
			if (is_beside_scale(t, k))
				keep_packed(t, k, size, out);
		}
	}
}

/* ---- both ---- */

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
	if (!app->model) /* a structure tells what they do */
		add_packed(t, out);
	return ERR_OK;
}

double level_ranges_beyond(const struct level_ranges *m, const struct application *app,
			   const double *row)
{
	double worst = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct level_range *r = &m->item[i];
		const double v = row[r->size];

		if (is_of_amount(r) ? !is_more(amount_of(app, r->text, row), r->code)
				    : row[r->text] != r->code)
			continue;
		if (v < r->lo && !is_of_amount(r))
			worst = fmax(worst, v > 0 ? log2(r->lo / v) : INFINITY);
		if (v > r->hi)
			worst = fmax(worst, log2(v / r->hi));
	}
	return worst;
}

static const char *name_of(const struct application *app, size_t text)
{
	return text == LEVEL_PACKING ? "processes and threads" : app->column[text].name;
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
				      r->code, name_of(app, r->text),
				      r->text == LEVEL_PACKING ? "on a node were" : "was",
				      app->column[r->size].name, r->hi);
			continue;
		}
		strbuf_printf(out, " %s %s was run with %s from %.6g to %.6g only.",
			      name_of(app, r->text),
			      app->column[r->text].levels.name[(size_t)r->code],
			      app->column[r->size].name, r->lo, r->hi);
	}
	if (m->n > MOST_SAID)
		strbuf_printf(out, " %zu more levels have such limits.", m->n - MOST_SAID);
}

/* ---- in the knowledge base ---- */

/* What stands for the level where there is none. */
static const char MORE[] = "more than";

static enum err_code put(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[48];

	snprintf(name, sizeof name, "level_range_%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

enum err_code level_ranges_store(const struct level_ranges *m, const struct application *app,
				 struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct level_range *r = &m->item[i];
		const char *size = app->column[r->size].name, *name = name_of(app, r->text);

		if ((rc = put(fit, "column", i, (double)r->text, name, e)) ||
		    (rc = put(fit, "level", i, r->code,
			      is_of_amount(r) ? MORE
					      : app->column[r->text].levels.name[(size_t)r->code],
			      e)) ||
		    (rc = put(fit, "lo", i, r->lo, size, e)))
			return rc;
		rc = put(fit, "hi", i, r->hi, size, e);
	}
	return rc;
}

/* A level may have another code by now. */
static bool load_one(const struct kb_fit *fit, const struct application *app, size_t i,
		     struct level_range *out)
{
	const struct kb_param *column = kb_fit_find(fit, "level_range_column_%zu", i),
			      *level = kb_fit_find(fit, "level_range_level_%zu", i),
			      *lo = kb_fit_find(fit, "level_range_lo_%zu", i),
			      *hi = kb_fit_find(fit, "level_range_hi_%zu", i);
	size_t code;

	if (!column->meaning || !level || !level->meaning || !lo || !lo->meaning || !hi)
		return false;
	out->size = application_column(app, lo->meaning);
	out->lo = lo->value;
	out->hi = hi->value;
	out->text = application_column(app, column->meaning);
	out->code = level->value;
	if (out->size == SIZE_MAX || !(out->lo >= 0) || !(out->hi >= out->lo && out->hi > 0))
		return false;
	if (is_of_amount(out))
		return out->text != SIZE_MAX ? app->column[out->text].type != COL_TEXT
					     : !strcmp(column->meaning, name_of(app, SIZE_MAX));
	if (out->text == SIZE_MAX || app->column[out->text].type != COL_TEXT)
		return false;
	code = levels_find(&app->column[out->text].levels, level->meaning);
	out->code = (double)code;
	return code != SIZE_MAX;
}

void level_ranges_load(const struct kb_fit *fit, const struct application *app,
		       struct level_ranges *out)
{
	out->n = 0;
	for (size_t i = 0; i < MOST_RANGES && kb_fit_find(fit, "level_range_column_%zu", i); i++)
		out->n += load_one(fit, app, i, &out->item[out->n]);
}
