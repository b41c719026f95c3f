#include "mining/predictor/level_ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RANGES = sizeof((struct level_ranges){0}.item) / sizeof(struct level_range) };

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
	return ERR_OK;
}

double level_ranges_beyond(const struct level_ranges *m, const double *row)
{
	double worst = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct level_range *r = &m->item[i];
		const double v = row[r->size];

		if (row[r->text] != r->code)
			continue;
		if (v < r->lo)
			worst = fmax(worst, v > 0 ? log2(r->lo / v) : INFINITY);
		if (v > r->hi)
			worst = fmax(worst, log2(v / r->hi));
	}
	return worst;
}

/* So many sentences are read. */
enum { MOST_SAID = 4 };

void level_ranges_explain(const struct level_ranges *m, const struct application *app,
			  struct strbuf *out)
{
	for (size_t i = 0; i < m->n && i < MOST_SAID; i++) {
		const struct level_range *r = &m->item[i];
		const struct column *text = &app->column[r->text];

		strbuf_printf(out, " %s %s was run with %s from %.6g to %.6g only.", text->name,
			      text->levels.name[(size_t)r->code], app->column[r->size].name, r->lo,
			      r->hi);
	}
	if (m->n > MOST_SAID)
		strbuf_printf(out, " %zu more levels have such limits.", m->n - MOST_SAID);
}

/* ---- in the knowledge base ---- */

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
		const struct column *text = &app->column[r->text];
		const char *size = app->column[r->size].name;

		if ((rc = put(fit, "column", i, (double)r->text, text->name, e)) ||
		    (rc = put(fit, "level", i, r->code, text->levels.name[(size_t)r->code], e)) ||
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
	out->text = application_column(app, column->meaning);
	out->size = application_column(app, lo->meaning);
	if (out->text == SIZE_MAX || out->size == SIZE_MAX ||
	    app->column[out->text].type != COL_TEXT)
		return false;
	code = levels_find(&app->column[out->text].levels, level->meaning);
	out->code = (double)code;
	out->lo = lo->value;
	out->hi = hi->value;
	return code != SIZE_MAX && out->lo > 0 && out->hi >= out->lo;
}

void level_ranges_load(const struct kb_fit *fit, const struct application *app,
		       struct level_ranges *out)
{
	out->n = 0;
	for (size_t i = 0; i < MOST_RANGES && kb_fit_find(fit, "level_range_column_%zu", i); i++)
		out->n += load_one(fit, app, i, &out->item[out->n]);
}
