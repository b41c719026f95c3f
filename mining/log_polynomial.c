#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/point_model.h"
#include "mining/ridge_fit.h"

/* The predictors that need no structural model: log time as a polynomial of degree 1 ("power-law":
 * t = c x1^a1 x2^a2 ...) or 2 ("log-quadratic") in the logs of the numeric columns, plus one effect
 * for each level of a text column. Squares and products see a column only within the range of the
 * runs, so that a parabola does not run away where nothing was measured; powers go on. */

enum {
	MAX_INPUTS = 16, /* numeric columns; those that vary most come first */
	MAX_LEVELS = 64, /* effects of text columns */
	MAX_TERMS = 1 + MAX_INPUTS + MAX_INPUTS * (MAX_INPUTS + 1) / 2 + MAX_LEVELS,
	MAX_CONFIGS = 2000, /* of more, evenly taken ones: no coefficient moves by its error */
	MIN_CONFIGS = 5
};

/* Ridge penalties, in units of observations: a coefficient of standardised inputs is as likely as
 * that many runs say. Chosen small; they only decide what the runs leave open. */
#define PENALTY_LINEAR 0.01
#define PENALTY_SQUARE 0.1

struct input {
	size_t column;
	double shift;  /* 0, or what makes the column positive: log(x + shift) */
	double lo, hi; /* range of the log seen */
};

struct level {
	size_t column;
	double code;
};

struct log_polynomial {
	const struct application *app; /* borrowed */
	int degree;
	size_t n_inputs;
	struct input input[MAX_INPUTS];
	size_t n_levels;
	struct level level[MAX_LEVELS];
	size_t n_terms;
	double coefficient[MAX_TERMS];
	double scale;
	size_t n_configs;
};

static bool applies(const struct application *app)
{
	(void)app;
	return true;
}

/* Standardised to [-1, 1] over the range seen. */
static double standardised(const struct input *in, double x)
{
	double l = log(fmax(x + in->shift, 1e-300));

	return in->hi > in->lo ? (2 * l - in->lo - in->hi) / (in->hi - in->lo) : 0;
}

static void put_terms(const struct log_polynomial *m, const double *row, double *term)
{
	double z[MAX_INPUTS], in_range[MAX_INPUTS];
	size_t k = 0;

	term[k++] = 1;
	for (size_t i = 0; i < m->n_inputs; i++) {
		double x = row[m->input[i].column];

		/* a missing value stands in the middle of the range */
		z[i] = isnan(x) ? 0 : standardised(&m->input[i], x);
		in_range[i] = fmin(fmax(z[i], -1), 1);
		term[k++] = z[i];
	}
	for (size_t i = 0; i < m->n_inputs && m->degree == 2; i++) {
		for (size_t j = 0; j <= i; j++)
			term[k++] = in_range[i] * in_range[j];
	}
	for (size_t i = 0; i < m->n_levels; i++)
		term[k++] = row[m->level[i].column] == m->level[i].code ? 1 : 0;
}

static size_t count_terms(const struct log_polynomial *m)
{
	size_t n = m->n_inputs;

	return 1 + n + (m->degree == 2 ? n * (n + 1) / 2 : 0) + m->n_levels;
}

static void add_levels(const struct config_table *t, size_t column, struct log_polynomial *m)
{
	size_t n = t->app->column[column].levels.n;
	size_t n_seen = 0;

	for (size_t code = 0; code < n && m->n_levels < MAX_LEVELS; code++) {
		bool seen = false;

		for (size_t i = 0; i < t->n && !seen; i++)
			seen = config_table_row(t, i)[column] == (double)code;
		/* the first level seen is the base that the others are compared with */
		if (seen && n_seen++ > 0)
			m->level[m->n_levels++] = (struct level){column, (double)code};
	}
}

static int by_range_descending(const void *a, const void *b)
{
	const struct input *x = a, *y = b;
	double rx = x->hi - x->lo, ry = y->hi - y->lo;

	if (rx != ry)
		return rx < ry ? 1 : -1;
	return (x->column > y->column) - (x->column < y->column);
}

/* A numeric column that varies becomes an input. */
static void add_input(const struct config_table *t, size_t column, struct input *all, size_t *n)
{
	double lo = INFINITY, hi = -INFINITY, shift;

	for (size_t i = 0; i < t->n; i++) {
		double x = config_table_row(t, i)[column];

		if (!isnan(x)) {
			lo = fmin(lo, x);
			hi = fmax(hi, x);
		}
	}
	if (!(hi > lo))
		return;
	shift = lo > 0 ? 0 : 1 - lo;
	all[(*n)++] = (struct input){column, shift, log(lo + shift), log(hi + shift)};
}

static enum err_code choose_inputs(const struct config_table *t, struct log_polynomial *m,
				   struct err *e)
{
	struct input *all = calloc(t->n_columns + 1, sizeof *all);
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
			add_input(t, c, all, &n);
	}
	qsort(all, n, sizeof *all, by_range_descending);
	m->n_inputs = n < MAX_INPUTS ? n : MAX_INPUTS;
	memcpy(m->input, all, m->n_inputs * sizeof *all);
	free(all);
	return ERR_OK;
}

static enum err_code solve(const struct config_table *t, struct log_polynomial *m, struct err *e)
{
	const size_t n = t->n < MAX_CONFIGS ? t->n : MAX_CONFIGS;
	double *x = calloc(n * m->n_terms + 1, sizeof *x), *y = calloc(n + 1, sizeof *y);
	double penalty[MAX_TERMS];
	enum err_code rc;

	if (!x || !y) {
		rc = err_set(e, ERR_NOMEM, "regression of %zu configurations", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at =
			t->n <= MAX_CONFIGS ? i : (size_t)((double)i * (double)t->n / (double)n);

		put_terms(m, config_table_row(t, at), x + i * m->n_terms);
		y[i] = log(t->time_s[at]);
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

static enum err_code fit_degree(const struct config_table *t, int degree, void **state,
				struct err *e)
{
	struct log_polynomial *m = calloc(1, sizeof *m);
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "regression");
	m->app = t->app;
	m->degree = degree;
	m->n_configs = t->n;
	if (t->n < MIN_CONFIGS) {
		rc = err_set(e, ERR_NODATA, "%zu configuration%s: a regression wants %d or more",
			     t->n, t->n == 1 ? "" : "s", MIN_CONFIGS);
		goto fail;
	}
	if ((rc = choose_inputs(t, m, e)))
		goto fail;
	m->n_terms = count_terms(m);
	if ((rc = solve(t, m, e)))
		goto fail;
	*state = m;
	return ERR_OK;
fail:
	free(m);
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
	double term[MAX_TERMS];

	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		put_terms(m, x + i * n_columns, term);
		for (size_t j = 0; j < m->n_terms; j++)
			sum += m->coefficient[j] * term[j];
		/* exp of anything wilder is no time anybody could wait for */
		time_s[i] = exp(fmin(fmax(sum, -60), 60));
	}
}

/* The inputs that vary most. A level never seen is put beyond every range. */
static size_t features(const void *state, const double *row, double *out)
{
	const struct log_polynomial *m = state;
	size_t n = m->n_inputs < POINT_MODEL_MAX_FEATURES ? m->n_inputs : POINT_MODEL_MAX_FEATURES;

	for (size_t i = 0; i < n; i++) {
		out[i] = row[m->input[i].column] + m->input[i].shift;
	}
	return n;
}

static const char *feature_name(const void *state, size_t i)
{
	const struct log_polynomial *m = state;

	return m->app->column[m->input[i].column].name;
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

/* ---- storage: inputs and levels are named by column and level, so that they survive a change of
 * column order ---- */

static enum err_code store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct log_polynomial *m = state;
	char name[160];
	enum err_code rc;

	if ((rc = kb_fit_add(fit, "degree", m->degree, NAN, "", "of the polynomial", e)) ||
	    (rc = kb_fit_add(fit, "scale", m->scale, NAN, "log s", "robust misfit", e)) ||
	    (rc = kb_fit_add(fit, "n_configs", (double)m->n_configs, NAN, "", "configurations", e)))
		return rc;
	for (size_t i = 0; i < m->n_inputs; i++) {
		const struct input *in = &m->input[i];
		const char *column = m->app->column[in->column].name;

		snprintf(name, sizeof name, "input_%zu_column", i);
		if ((rc = kb_fit_add(fit, name, (double)in->column, NAN, "", column, e)))
			return rc;
		snprintf(name, sizeof name, "input_%zu_shift", i);
		if ((rc = kb_fit_add(fit, name, in->shift, NAN, "", "log(x + shift)", e)))
			return rc;
		snprintf(name, sizeof name, "input_%zu_lo", i);
		if ((rc = kb_fit_add(fit, name, in->lo, NAN, "log", "least seen", e)))
			return rc;
		snprintf(name, sizeof name, "input_%zu_hi", i);
		if ((rc = kb_fit_add(fit, name, in->hi, NAN, "log", "most seen", e)))
			return rc;
	}
	for (size_t i = 0; i < m->n_levels; i++) {
		const struct column *c = &m->app->column[m->level[i].column];

		snprintf(name, sizeof name, "level_%zu_column", i);
		if ((rc = kb_fit_add(fit, name, (double)m->level[i].column, NAN, "", c->name, e)))
			return rc;
		snprintf(name, sizeof name, "level_%zu", i);
		if ((rc = kb_fit_add(fit, name, m->level[i].code, NAN, "",
				     c->levels.name[(size_t)m->level[i].code], e)))
			return rc;
	}
	for (size_t j = 0; j < m->n_terms; j++) {
		snprintf(name, sizeof name, "term_%zu", j);
		if ((rc = kb_fit_add(fit, name, m->coefficient[j], NAN, "log s", "coefficient", e)))
			return rc;
	}
	return ERR_OK;
}

static const struct kb_param *find_param(const struct kb_fit *fit, const char *name)
{
	for (size_t i = 0; i < fit->n_param; i++) {
		if (!strcmp(fit->param[i].name, name))
			return &fit->param[i];
	}
	return NULL;
}

static const struct kb_param *find_numbered(const struct kb_fit *fit, const char *prefix, size_t i,
					    const char *field)
{
	char name[160];

	snprintf(name, sizeof name, "%s_%zu%s%s", prefix, i, *field ? "_" : "", field);
	return find_param(fit, name);
}

static double numbered_value(const struct kb_fit *fit, const char *prefix, size_t i,
			     const char *field)
{
	const struct kb_param *p = find_numbered(fit, prefix, i, field);

	return p ? p->value : NAN;
}

static bool load_inputs(const struct kb_fit *fit, const struct application *app,
			struct log_polynomial *m)
{
	const struct kb_param *p;

	for (; m->n_inputs < MAX_INPUTS; m->n_inputs++) {
		struct input *in = &m->input[m->n_inputs];

		if (!(p = find_numbered(fit, "input", m->n_inputs, "column")))
			break;
		in->column = application_column(app, p->meaning);
		in->shift = numbered_value(fit, "input", m->n_inputs, "shift");
		in->lo = numbered_value(fit, "input", m->n_inputs, "lo");
		in->hi = numbered_value(fit, "input", m->n_inputs, "hi");
		if (in->column == SIZE_MAX || isnan(in->shift + in->lo + in->hi))
			return false;
	}
	for (; m->n_levels < MAX_LEVELS; m->n_levels++) {
		struct level *l = &m->level[m->n_levels];
		size_t code;

		if (!(p = find_numbered(fit, "level", m->n_levels, "column")))
			break;
		l->column = application_column(app, p->meaning);
		p = find_numbered(fit, "level", m->n_levels, "");
		if (l->column == SIZE_MAX || !p)
			return false;
		code = levels_find(&app->column[l->column].levels, p->meaning);
		l->code =
			code == SIZE_MAX ? -1 : (double)code; /* a level that no run has any more */
	}
	return true;
}

static enum err_code load(const struct kb_fit *fit, const struct application *app, void **state,
			  struct err *e)
{
	struct log_polynomial *m = calloc(1, sizeof *m);
	bool good;

	if (!m)
		return err_set(e, ERR_NOMEM, "regression");
	m->app = app;
	m->degree = kb_fit_value(fit, "degree") > 1 ? 2 : 1;
	m->scale = kb_fit_value(fit, "scale");
	m->n_configs = (size_t)kb_fit_value(fit, "n_configs");
	good = load_inputs(fit, app, m);
	m->n_terms = count_terms(m);
	for (size_t j = 0; good && j < m->n_terms; j++) {
		const struct kb_param *p = find_numbered(fit, "term", j, "");

		good = p != NULL;
		m->coefficient[j] = good ? p->value : 0;
	}
	if (!good) {
		free(m);
		return err_set(e, ERR_NOTMINED,
			       "the fit does not suit application %s: run `lemnos mine`",
			       app->name);
	}
	*state = m;
	return ERR_OK;
}

const struct point_model point_model_log_quadratic = {
	.name = "log-quadratic",
	.title = "quadratic regression of log time",
	.applies = applies,
	.fit = fit_quadratic,
	.predict = predict,
	.features = features,
	.feature_name = feature_name,
	.explain = explain,
	.store = store,
	.load = load,
	.free = free,
};

const struct point_model point_model_power_law = {
	.name = "power-law",
	.title = "power law",
	.applies = applies,
	.fit = fit_power_law,
	.predict = predict,
	.features = features,
	.feature_name = feature_name,
	.explain = explain,
	.store = store,
	.load = load,
	.free = free,
};
