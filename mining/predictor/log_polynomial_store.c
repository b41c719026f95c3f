#include "mining/predictor/log_polynomial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns and levels are stored by name, as the meaning of a parameter, so that a fit survives a
 * change of their order. */

static enum err_code add(struct kb_fit *fit, const char *prefix, size_t i, const char *field,
			 double value, const char *unit, const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "%s_%zu%s%s", prefix, i, *field ? "_" : "", field);
	return kb_fit_add(fit, name, value, NAN, unit, meaning, e);
}

static enum err_code store_columns(const struct log_polynomial *m, struct kb_fit *fit,
				   struct err *e)
{
	const struct column *column = m->app->column;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n_ranges && !rc; i++) {
		const struct log_range *r = &m->range[i];

		if ((rc = add(fit, "range", i, "column", (double)r->column, "",
			      column[r->column].name, e)) ||
		    (rc = add(fit, "range", i, "shift", r->shift, "", "log(x + shift)", e)) ||
		    (rc = add(fit, "range", i, "lo", r->lo, "log", "least seen", e)))
			break;
		rc = add(fit, "range", i, "hi", r->hi, "log", "most seen", e);
	}
	for (size_t i = 0; i < m->n_levels && !rc; i++) {
		const struct log_level *l = &m->level[i];
		const struct column *c = &column[l->column];

		if ((rc = add(fit, "level", i, "column", (double)l->column, "", c->name, e)))
			break;
		rc = add(fit, "level", i, "", l->code, "", c->levels.name[(size_t)l->code], e);
	}
	return rc;
}

enum err_code log_polynomial_store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct log_polynomial *m = state;
	enum err_code rc;

	if ((rc = kb_fit_add(fit, "degree", m->degree, NAN, "", "of the polynomial", e)) ||
	    (rc = kb_fit_add(fit, "scale", m->scale, NAN, "log s", "robust misfit", e)) ||
	    (rc = kb_fit_add(fit, "n_configs", (double)m->n_configs, NAN, "", "configurations",
			     e)) ||
	    (rc = kb_fit_add(fit, "n_ranges", (double)m->n_ranges, NAN, "", "numeric columns",
			     e)) ||
	    (rc = kb_fit_add(fit, "n_levels", (double)m->n_levels, NAN, "",
			     "levels of text columns", e)) ||
	    (rc = store_columns(m, fit, e)))
		return rc;
	for (size_t j = 0; j < m->n_terms && !rc; j++)
		rc = add(fit, "term", j, "", m->coefficient[j], "log s", "coefficient", e);
	return rc;
}

static bool load_range(const struct kb_fit *fit, const struct application *app, size_t i,
		       struct log_range *out)
{
	const struct kb_param *column = kb_fit_find(fit, "range_%zu_column", i);

	if (!column)
		return false;
	out->column = application_column(app, column->meaning);
	out->shift = kb_fit_number(fit, "range_%zu_shift", i);
	out->lo = kb_fit_number(fit, "range_%zu_lo", i);
	out->hi = kb_fit_number(fit, "range_%zu_hi", i);
	return out->column != SIZE_MAX && !isnan(out->shift + out->lo + out->hi);
}

static bool load_level(const struct kb_fit *fit, const struct application *app, size_t i,
		       struct log_level *out)
{
	const struct kb_param *column = kb_fit_find(fit, "level_%zu_column", i);
	const struct kb_param *level = kb_fit_find(fit, "level_%zu", i);
	size_t code;

	if (!column || !level)
		return false;
	out->column = application_column(app, column->meaning);
	if (out->column == SIZE_MAX)
		return false;
	code = levels_find(&app->column[out->column].levels, level->meaning);
	/* -1, which no row has: a level of runs that are gone */
	out->code = code == SIZE_MAX ? -1 : (double)code;
	return true;
}

/* The count stored under name; SIZE_MAX when it is missing or more than most. */
static size_t load_count(const struct kb_fit *fit, const char *name, size_t most)
{
	double n = kb_fit_value(fit, name);

	return n >= 0 && n <= (double)most ? (size_t)n : SIZE_MAX;
}

static bool load_all(const struct kb_fit *fit, struct log_polynomial *m)
{
	const size_t n_ranges = load_count(fit, "n_ranges", LOG_POLYNOMIAL_MAX_RANGES);
	const size_t n_levels = load_count(fit, "n_levels", LOG_POLYNOMIAL_MAX_LEVELS);

	m->degree = kb_fit_value(fit, "degree") > 1 ? 2 : 1;
	m->scale = kb_fit_value(fit, "scale");
	m->n_configs = load_count(fit, "n_configs", (size_t)1 << 52);
	if (!(m->scale > 0) || m->n_configs == SIZE_MAX || n_ranges == SIZE_MAX ||
	    n_levels == SIZE_MAX)
		return false;
	for (; m->n_ranges < n_ranges; m->n_ranges++) {
		if (!load_range(fit, m->app, m->n_ranges, &m->range[m->n_ranges]))
			return false;
	}
	for (; m->n_levels < n_levels; m->n_levels++) {
		if (!load_level(fit, m->app, m->n_levels, &m->level[m->n_levels]))
			return false;
	}
	log_polynomial_count_terms(m);
	for (size_t j = 0; j < m->n_terms; j++) {
		m->coefficient[j] = kb_fit_number(fit, "term_%zu", j);
		if (isnan(m->coefficient[j]))
			return false;
	}
	return true;
}

enum err_code log_polynomial_load(const struct kb_fit *fit, const struct application *app,
				  void **state, struct err *e)
{
	struct log_polynomial *m = calloc(1, sizeof *m);

	if (!m)
		return err_set(e, ERR_NOMEM, "regression");
	m->app = app;
	if (!load_all(fit, m)) {
		free(m);
		return err_set(e, ERR_NOTMINED,
			       "the fit does not suit application %s: run `lemnos mine`",
			       app->name);
	}
	*state = m;
	return ERR_OK;
}
