#include "mining/predictor/log_polynomial.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/training/holdout.h"
#include "mining/numerics/ridge_fit.h"

/* Squares and products see a column only within the range of the runs, so that a parabola does not
 * run away where nothing was measured; powers go on. */

enum {
	MAX_CONFIGS = 2000, /* of more, evenly taken ones: no coefficient moves by its error */
	MIN_CONFIGS = 5
};

/* Ridge penalties, in units of observations: a coefficient of standardised inputs is as likely as
 * that many runs say. Chosen small; they only decide what the runs leave open. */
#define PENALTY_LINEAR 0.01
#define PENALTY_SQUARE 0.1

/* How far beyond everything seen a level counts that never was: two doublings, a choice. */
#define UNSEEN_LEVEL_LOG 1.3862943611198906

static bool applies(const struct application *app)
{
	(void)app;
	return true;
}

#define OF_THE_WHOLE 1e-6

double column_scale_at(enum column_scale scale, double shift, double x)
{
	switch (scale) {
	case SCALE_STEPS:
		return fmin(fmax(x, -1e300), 1e300);
	case SCALE_SHARE:
		return -log(fmax(1 - x, OF_THE_WHOLE));
	case SCALE_PERCENT:
		return -log(fmax(1 - x / 100, OF_THE_WHOLE));
	case SCALE_RATIO:
	case SCALE_COUNT:
		break;
	}
	return log(fmin(fmax(x + shift, 1e-300), 1e300));
}

/* No particles at all, where all runs had some: half of the least that was run stands for it, for
 * the logarithm of nothing would be a time of nothing. */
double log_range_coordinate(const struct log_range *r, double x)
{
	if (r->scale == SCALE_RATIO && !(r->shift > 0) && x <= 0)
		return r->lo - M_LN2;
	return column_scale_at(r->scale, r->shift, x);
}

double log_range_value(const struct log_range *r, double coordinate)
{
	switch (r->scale) {
	case SCALE_STEPS:
		return coordinate;
	case SCALE_SHARE:
		return -expm1(-coordinate);
	case SCALE_PERCENT:
		return -100 * expm1(-coordinate);
	case SCALE_RATIO:
	case SCALE_COUNT:
		break;
	}
	return exp(coordinate) - r->shift;
}

double log_range_excess(const struct log_range *r, double x)
{
	double l;

	if (isnan(x))
		return 0;
	l = log_range_coordinate(r, x);
	return l > r->hi ? l - r->hi : l < r->lo ? l - r->lo : 0;
}

/* An input, standardised to [-1, 1] over the range seen. */
static double standardised(const struct log_range *r, double x)
{
	return (2 * log_range_coordinate(r, x) - r->lo - r->hi) / (r->hi - r->lo);
}

void log_polynomial_terms(const struct log_polynomial *m, const double *row, double *term)
{
	double z[LOG_POLYNOMIAL_MAX_INPUTS], in_range[LOG_POLYNOMIAL_MAX_INPUTS];
	size_t k = 0;

	term[k++] = 1;
	for (size_t i = 0; i < m->n_inputs; i++) {
		double x = row[m->range[i].column];

		/* a missing value stands in the middle of the range */
		z[i] = isnan(x) ? 0 : standardised(&m->range[i], x);
		in_range[i] = fmin(fmax(z[i], -1), 1);
		term[k++] = z[i];
	}
	for (size_t i = 0; i < m->n_inputs && m->degree == 2; i++) {
		for (size_t j = 0; j <= i; j++)
			term[k++] = in_range[i] * in_range[j];
	}
	for (size_t i = 0; i < m->n_levels; i++)
		term[k++] = row[m->level[i].column] == m->level[i].code ? 1 : 0;
	assert(k == m->n_terms);
}

void log_polynomial_count_terms(struct log_polynomial *m)
{
	size_t n = 0;

	while (n < m->n_ranges && n < LOG_POLYNOMIAL_MAX_INPUTS && m->range[n].hi > m->range[n].lo)
		n++;
	m->n_inputs = n;
	m->n_terms = 1 + n + (m->degree == 2 ? n * (n + 1) / 2 : 0) + m->n_levels;
}

/* Each level seen gets an effect; the penalty makes them differences from the mean of all. */
static void add_levels(const struct config_table *t, size_t column, struct log_polynomial *m)
{
	size_t n = t->app->column[column].levels.n;

	for (size_t code = 0; code < n && m->n_levels < LOG_POLYNOMIAL_MAX_LEVELS; code++) {
		bool seen = false;

		for (size_t i = 0; i < t->n && !seen; i++)
			seen = config_table_row(t, i)[column] == (double)code;
		if (seen)
			m->level[m->n_levels++] = (struct log_level){column, (double)code};
	}
}

static int by_width_descending(const void *a, const void *b)
{
	const struct log_range *x = a, *y = b;
	double wx = x->hi - x->lo, wy = y->hi - y->lo;

	if (wx != wy)
		return wx < wy ? 1 : -1;
	return (x->column > y->column) - (x->column < y->column);
}

/* The range of a numeric column that has values. */
static void add_range(const struct config_table *t, size_t column,
		      const struct log_polynomial *like, struct log_range *all, size_t *n)
{
	double lo = INFINITY, hi = -INFINITY, shift;
	struct log_range *r = &all[*n];

	for (size_t i = 0; i < t->n; i++) {
		double x = config_table_row(t, i)[column];

		if (!isnan(x)) {
			lo = fmin(lo, x);
			hi = fmax(hi, x);
		}
	}
	if (!(hi >= lo))
		return;
	shift = lo > 0 ? 0 : 1 - lo;
	*r = (struct log_range){.column = column, .shift = shift};
	for (size_t i = 0; like && i < like->n_ranges; i++) {
		if (like->range[i].column == column)
			*r = like->range[i];
	}
	r->shift = shift;
	r->lo = column_scale_at(r->scale, shift, lo);
	r->hi = column_scale_at(r->scale, shift, hi);
	(*n)++;
}

static enum err_code read_columns(const struct config_table *t, const struct log_polynomial *like,
				  struct log_polynomial *m, struct err *e)
{
	struct log_range *all = calloc(t->n_columns + 1, sizeof *all);
	size_t n = 0;

	if (!all)
		return err_set(e, ERR_NOMEM, "inputs of a regression");
	for (size_t c = 0; c < t->n_columns; c++) {
		const struct column *col = &t->app->column[c];

		if (col->role == COL_DERIVED)
			continue;
		if (col->type == COL_TEXT)
			add_levels(t, c, m);
		else
			add_range(t, c, like, all, &n);
	}
	qsort(all, n, sizeof *all, by_width_descending);
	m->n_ranges = n < LOG_POLYNOMIAL_MAX_RANGES ? n : LOG_POLYNOMIAL_MAX_RANGES;
	memcpy(m->range, all, m->n_ranges * sizeof *all);
	free(all);
	log_polynomial_count_terms(m);
	return ERR_OK;
}

/* Least squares of weight w: those of an observation times sqrt(w). */
static void weigh(double weight, double *x, size_t n_terms, double *y)
{
	if (weight >= 1)
		return;
	for (size_t j = 0; j < n_terms; j++)
		x[j] *= sqrt(weight);
	*y *= sqrt(weight);
}

static enum err_code solve(const struct config_table *t, struct log_polynomial *m, struct err *e)
{
	const size_t n = t->n < MAX_CONFIGS ? t->n : MAX_CONFIGS;
	double *x = calloc(n * m->n_terms + 1, sizeof *x), *y = calloc(n + 1, sizeof *y);
	double penalty[LOG_POLYNOMIAL_MAX_TERMS];
	enum err_code rc;

	if (!x || !y) {
		rc = err_set(e, ERR_NOMEM, "regression of %zu configurations", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at =
			t->n <= MAX_CONFIGS ? i : (size_t)((double)i * (double)t->n / (double)n);

		log_polynomial_terms(m, config_table_row(t, at), x + i * m->n_terms);
		y[i] = log(t->time_s[at]);
		weigh(config_table_weight(t, at), x + i * m->n_terms, m->n_terms, &y[i]);
	}
	for (size_t j = 0; j < m->n_terms; j++)
		penalty[j] = j <= m->n_inputs || j >= m->n_terms - m->n_levels ? PENALTY_LINEAR
									       : PENALTY_SQUARE;
	penalty[0] = 1e-9; /* the mean is free; only singularity is kept away */
	rc = ridge_fit(x, y, n, m->n_terms, penalty, 1e-3, m->coefficient, &m->scale, e);
done:
	free(x);
	free(y);
	return rc;
}

double log_range_constant(const struct log_range *r)
{
	const double x = log_range_value(r, r->lo), whole = round(x);

	/* an integer that went through a logarithm, and back */
	return fabs(x - whole) <= 1e-9 * fabs(x) + 1e-12 ? whole : x;
}

void log_polynomial_fill_constants(const struct log_polynomial *m, double *row)
{
	for (size_t i = m->n_inputs; i < m->n_ranges; i++) {
		const struct log_range *r = &m->range[i];

		/* a default of the definition goes before */
		if (r->hi > r->lo || !isnan(row[r->column]) ||
		    !isnan(m->app->column[r->column].dflt))
			continue;
		row[r->column] = log_range_constant(r);
	}
}

static enum err_code fit_like(const struct config_table *t, int degree,
			      const struct log_polynomial *like, struct log_polynomial **out,
			      struct err *e)
{
	struct log_polynomial *m = calloc(1, sizeof *m);
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "regression");
	m->app = t->app;
	m->degree = degree;
	m->n_configs = t->n;
	if ((rc = read_columns(t, like, m, e)) || (rc = solve(t, m, e)))
		goto fail;
	*out = m;
	return ERR_OK;
fail:
	free(m);
	return rc;
}

enum err_code log_polynomial_fit(const struct config_table *t, int degree,
				 struct log_polynomial **out, struct err *e)
{
	if (t->n < MIN_CONFIGS)
		return err_set(e, ERR_NODATA, "%zu configuration%s: a regression wants %d or more",
			       t->n, t->n == 1 ? "" : "s", MIN_CONFIGS);
	return fit_like(t, degree, NULL, out, e);
}

enum err_code log_polynomial_fit_like(const struct config_table *t,
				      const struct log_polynomial *like,
				      struct log_polynomial **out, struct err *e)
{
	return fit_like(t, 1, like, out, e);
}

static enum err_code fit_degree(const struct config_table *t, int degree, void **state,
				struct err *e)
{
	struct log_polynomial *m = NULL;
	enum err_code rc = log_polynomial_fit(t, degree, &m, e);

	if (!rc)
		*state = m;
	return rc;
}

static enum err_code fit_quadratic(const struct config_table *t, const struct fit_input *in,
				   const void *like, void **state, struct err *e)
{
	(void)in;
	(void)like;
	return fit_degree(t, 2, state, e);
}

static enum err_code fit_power_law(const struct config_table *t, const struct fit_input *in,
				   const void *like, void **state, struct err *e)
{
	(void)in;
	(void)like;
	return fit_degree(t, 1, state, e);
}

static void predict(const void *state, const double *x, size_t n, size_t n_columns, double *time_s)
{
	const struct log_polynomial *m = state;
	double term[LOG_POLYNOMIAL_MAX_TERMS];

	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		log_polynomial_terms(m, x + i * n_columns, term);
		for (size_t j = 0; j < m->n_terms; j++)
			sum += m->coefficient[j] * term[j];
		/* exp of anything wilder is no time anybody could wait for */
		time_s[i] = exp(fmin(fmax(sum, -60), 60));
	}
}

static bool level_seen(const struct log_polynomial *m, size_t column, double code)
{
	for (size_t i = 0; i < m->n_levels; i++) {
		if (m->level[i].column == column && m->level[i].code == code)
			return true;
	}
	return false;
}

/* How far, on log scale, the columns from range[first] on and the text columns lie beyond what was
 * seen of them. A column that never varied belongs to them: of its effect the runs know nothing.
 * Missing values lie nowhere. */
static double beyond(const struct log_polynomial *m, const double *row, size_t first)
{
	double most = 0;

	for (size_t i = first; i < m->n_ranges; i++) {
		const struct log_range *r = &m->range[i];

		if (!isnan(row[r->column])) {
			double l = log_range_coordinate(r, row[r->column]);

			most = fmax(most, fmax(r->lo - l, l - r->hi));
		}
	}
	for (size_t c = 0; c < m->app->n_columns; c++) {
		if (m->app->column[c].type == COL_TEXT && !isnan(row[c]) &&
		    !level_seen(m, c, row[c]))
			most = fmax(most, UNSEEN_LEVEL_LOG);
	}
	return most;
}

/* What support is judged by: the inputs that vary most, each for itself; how large the problem and
 * how many the processors are in all, as columns each within its range may multiply to more than
 * was ever seen; and all other columns as one. */
enum { N_TOTALS = 2 };
static const enum holdout total[N_TOTALS] = {HOLDOUT_LARGER_PROBLEMS, HOLDOUT_MORE_PROCS};

static size_t n_own_features(const struct log_polynomial *m)
{
	const size_t most = PREDICTOR_KIND_MAX_FEATURES - N_TOTALS - 1;

	return m->n_inputs < most ? m->n_inputs : most;
}

size_t log_polynomial_features(const void *state, const double *row, double *out)
{
	const struct log_polynomial *m = state;
	size_t own = n_own_features(m), n = own;

	for (size_t i = 0; i < own; i++)
		out[i] = m->range[i].scale == SCALE_RATIO
				 ? row[m->range[i].column] + m->range[i].shift
				 : exp(log_range_coordinate(&m->range[i], row[m->range[i].column]));
	for (size_t i = 0; i < N_TOTALS; i++)
		out[n++] = holdout_size(total[i], m->app, row);
	out[n++] = exp(beyond(m, row, own));
	return n;
}

const char *log_polynomial_feature_name(const void *state, size_t i)
{
	static const char *const name[] = {"size of the problem", "processors", "other columns"};
	const struct log_polynomial *m = state;
	size_t own = n_own_features(m);

	return i < own ? m->app->column[m->range[i].column].name : name[i - own];
}

bool log_polynomial_level_was_run(const void *state, size_t column, double code)
{
	const struct log_polynomial *m = state;

	return level_seen(m, column, code) || m->n_levels == LOG_POLYNOMIAL_MAX_LEVELS;
}

static void explain(const void *state, struct strbuf *out)
{
	const struct log_polynomial *m = state;

	strbuf_printf(
		out,
		"Regression of log time, degree %d in the logs of %zu columns and %zu level "
		"effects, on %zu configurations (robust ridge; typical misfit %.1f %%). It has "
		"no model of the application: far from the runs it is a guess.",
		m->degree, m->n_inputs, m->n_levels, m->n_configs, 100 * m->scale);
}

/* ---- in the knowledge base ---- */

/* Columns and levels are stored by name, as the meaning of a parameter, so that a fit survives a
 * change of their order. */

static enum err_code add(struct kb_fit *fit, const char *prefix, size_t i, const char *field,
			 double value, const char *unit, const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "%s_%zu%s%s", prefix, i, *field ? "_" : "", field);
	return kb_fit_add(fit, name, value, NAN, unit, meaning, e);
}

/* Of a column in which 0 may be another matter. */
static enum err_code store_above_none(const struct log_range *r, size_t i, struct kb_fit *fit,
				      struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < 2 && r->above_none[k] > 0 && !rc; k++)
		rc = add(fit, "range", i, k ? "above_none_1" : "above_none_0", r->above_none[k], "",
			 "least values above 0", e);
	return rc;
}

/* Of a column whose scale is in doubt. */
static enum err_code store_scale_chance(const struct log_range *r, size_t i, struct kb_fit *fit,
					struct err *e)
{
	bool any = false;
	char field[32];
	enum err_code rc = ERR_OK;

	for (size_t s = 0; s < SCALE_COUNT && !rc; s++) {
		if (r->chance[s] == 0)
			continue;
		any = true;
		snprintf(field, sizeof field, "doubt_%zu", s);
		rc = add(fit, "range", i, field, r->chance[s], "", "that this scale holds", e);
	}
	any = any || r->above_none[0] > 0;
	if (rc || !any ||
	    (rc = add(fit, "range", i, "next_lo", r->next_lo, "", "value next to the least", e)))
		return rc;
	return add(fit, "range", i, "next_hi", r->next_hi, "", "value next to the most", e);
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
		if (!rc && r->scale != SCALE_RATIO)
			rc = add(fit, "range", i, "scale", r->scale, "",
				 "1: steps, 2: of 1 - x, 3: of 100 - x", e);
		if (!rc && !(rc = store_scale_chance(r, i, fit, e)))
			rc = store_above_none(r, i, fit, e);
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

/* What is not stored is 0: most columns have one scale. */
static void load_scale(const struct kb_fit *fit, size_t i, struct log_range *out)
{
	const double scale = kb_fit_number(fit, "range_%zu_scale", i);

	out->scale = scale >= 1 && scale < SCALE_COUNT ? (enum column_scale)scale : SCALE_RATIO;
	out->next_lo = kb_fit_number(fit, "range_%zu_next_lo", i);
	out->next_hi = kb_fit_number(fit, "range_%zu_next_hi", i);
	for (size_t s = 0; s < SCALE_COUNT && isfinite(out->next_lo + out->next_hi); s++) {
		const double chance = kb_fit_number(fit, "range_%zu_doubt_%zu", i, s);

		out->chance[s] = chance > 0 ? fmin(chance, 1) : 0;
	}
	for (size_t k = 0; k < 2; k++) {
		const double least = kb_fit_number(fit, "range_%zu_above_none_%zu", i, k);

		out->above_none[k] = least > 0 ? least : 0;
	}
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
	load_scale(fit, i, out);
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

const struct predictor_kind predictor_kind_log_quadratic = {
	.name = "log-quadratic",
	.title = "quadratic regression of log time",
	.applies = applies,
	.fit = fit_quadratic,
	.predict = predict,
	.features = log_polynomial_features,
	.feature_name = log_polynomial_feature_name,
	.level_was_run = log_polynomial_level_was_run,
	.explain = explain,
	.store = log_polynomial_store,
	.load = log_polynomial_load,
	.free = free,
};

const struct predictor_kind predictor_kind_power_law = {
	.name = "power-law",
	.title = "power law",
	.applies = applies,
	.fit = fit_power_law,
	.predict = predict,
	.features = log_polynomial_features,
	.feature_name = log_polynomial_feature_name,
	.level_was_run = log_polynomial_level_was_run,
	.explain = explain,
	.store = log_polynomial_store,
	.load = log_polynomial_load,
	.free = free,
};
