#include "mining/predictor/trend_posterior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"

enum { MAX_CONFIGS = 1000 };

/* Columns whose logs correlate more are one to a trend: what they leave varies by 1 % of that. */
#define TOGETHER 0.9999

#define INTERCEPT_SD 5.0
#define TREND_DRIFT (2 * STRUCTURE_DRIFT)

/* The share of the correlation that is believed in drift: fully collinear columns would make the
 * matrix singular. */
#define DRIFT_CORRELATION 0.9

/* ln of a value that a power law cannot mean. */
#define WILD 1e3

struct exponent_prior exponent_prior_of(const struct application *app, const struct log_range *r)
{
	/* dense and sparse work on grids and matrices: from linear to cubic */
	static const struct exponent_prior problem = {1.5, 1}, amount = {1, 0.5},
					   resource = {-0.7, 0.5}, beside = {0, 0.15},
					   tunable = {0, 0.5}, unknown = {0, 1};
	/* a level of refinement: 1.6 to 6.7 times as long; a share: to 1 / (1 - x)^1.5, or less */
	static const struct exponent_prior step = {1.2, 0.7}, share = {0.5, 1};
	const size_t column = r->column;
	const bool has_procs =
		app->i_procs != SIZE_MAX && app->column[app->i_procs].role != COL_DERIVED;

	if (r->scale != SCALE_RATIO)
		return r->scale == SCALE_STEPS ? step : share;
	if (r->shift > 0)
		return unknown;
	switch (app->column[column].role) {
	case COL_PROBLEM:
		return problem;
	case COL_WORKLOAD:
		return amount;
	case COL_RESOURCE:
		/* processes count already: nodes and processes a node must not count again */
		if (has_procs && (column == app->i_nodes || column == app->i_ppn))
			return beside;
		return resource;
	case COL_TUNABLE:
		return tunable;
	case COL_DERIVED:
	case COL_ROLE_COUNT:
		break;
	}
	return unknown;
}

static size_t n_first_order(const struct log_polynomial *columns)
{
	return 1 + columns->n_inputs + columns->n_levels;
}

/* Curvature counts with the square of a range, and ranges come widest first. */
enum { CURVED_INPUTS = 8 };

static size_t n_curved(const struct log_polynomial *columns)
{
	return columns->n_inputs < CURVED_INPUTS ? columns->n_inputs : CURVED_INPUTS;
}

static size_t n_second_order(const struct log_polynomial *columns)
{
	return n_curved(columns) * (n_curved(columns) + 1) / 2;
}

/* u[n_first_order()] at a row. */
static void put_first_order(const struct trend_posterior *m, const struct log_polynomial *columns,
			    const double *row, double *u)
{
	size_t k = 0;

	u[k++] = 1;
	for (size_t i = 0; i < m->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];
		const double x = row[r->column];

		u[k++] = isnan(x) ? 0 : log_range_coordinate(r, x) - m->centre[i];
	}
	for (size_t i = 0; i < columns->n_levels; i++)
		u[k++] = row[columns->level[i].column] == columns->level[i].code ? 1 : 0;
}

/* u[p] at a row. Squares and products go on straight beyond the range of the runs, as at its end:
 * what exponents do there is drift. */
static void put_terms(const struct trend_posterior *m, const struct log_polynomial *columns,
		      const double *row, double *u)
{
	double beyond[CURVED_INPUTS], within[CURVED_INPUTS];
	size_t k = n_first_order(columns);

	put_first_order(m, columns, row, u);
	for (size_t i = 0; i < m->n_inputs && i < CURVED_INPUTS; i++) {
		beyond[i] = log_range_excess(&columns->range[i], row[columns->range[i].column]);
		within[i] = u[1 + i] - beyond[i];
		for (size_t j = 0; j <= i; j++)
			u[k++] = (within[i] * within[j] + within[i] * beyond[j] +
				  beyond[i] * within[j]) /
				 (i == j ? 2 : 1);
	}
}

static size_t taken(const struct config_table *t, size_t n, size_t i)
{
	return n == t->n ? i : (size_t)((double)i * (double)t->n / (double)n);
}

static void find_centre(const struct config_table *t, size_t n,
			const struct log_polynomial *columns, struct trend_posterior *m)
{
	for (size_t i = 0; i < m->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];
		double sum = 0;
		size_t known = 0;

		for (size_t k = 0; k < n; k++) {
			const double x = config_table_row(t, taken(t, n, k))[r->column];

			if (isnan(x))
				continue;
			sum += log_range_coordinate(r, x);
			known++;
		}
		m->centre[i] = known > 0 ? sum / (double)known : r->lo;
	}
}

/* R = 0.9 correlations + 0.1 I is a posterior's matrix: of standardised inputs as observations of
 * noise 1, under priors of variance 10. */
static enum err_code factor_drift(const double *u, size_t n, size_t p, struct trend_posterior *m,
				  double *scaled, struct err *e)
{
	double prior_sd[LOG_POLYNOMIAL_MAX_INPUTS];

	for (size_t i = 0; i < m->n_inputs; i++) {
		double sum = 0;

		for (size_t k = 0; k < n; k++)
			sum += u[k * p + 1 + i] * u[k * p + 1 + i];
		for (size_t k = 0; k < n; k++)
			scaled[k * m->n_inputs + i] =
				sum > 0 ? u[k * p + 1 + i] * sqrt(DRIFT_CORRELATION / sum) : 0;
		prior_sd[i] = 1 / sqrt(1 - DRIFT_CORRELATION);
	}
	return linear_posterior_factor(scaled, NULL, n, m->n_inputs, prior_sd, 1, m->drift, e);
}

/* Of two parts of a program, with exponents a and b and shares s and 1 - s of the time, ln t has
 * the second derivatives s (1 - s) (a - b)_i (a - b)_j. Both from the prior of exponents, and s as
 * likely anywhere from 0 to 1: the mean of s^2 (1 - s)^2 is 1/30, of (a - b)_i^2 (a - b)_j^2
 * 4 sd_i^2 sd_j^2, and 12 sd_i^4 where j is i. But from one part to the other an exponent changes
 * by (a - b)_i, not more: so neither does it over the whole range of the runs. */
static double second_derivative_sd(double sd_i, double range_i, double sd_j, double range_j,
				   bool same)
{
	const double sd = (same ? sqrt(12) : 2) * sd_i * sd_j / sqrt(30);

	return fmin(sd, sqrt(2) * fmin(sd_i / range_j, sd_j / range_i));
}

static void put_prior_sd(const struct log_polynomial *columns, double *sd)
{
	size_t k = 0;

	sd[k++] = INTERCEPT_SD;
	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];

		sd[k++] = exponent_prior_of(columns->app, r).sd;
	}
	for (size_t i = 0; i < columns->n_levels; i++)
		sd[k++] = TREND_LEVEL_PRIOR_SD;
	for (size_t i = 0; i < n_curved(columns); i++) {
		const struct log_range *a = &columns->range[i];

		for (size_t j = 0; j <= i; j++) {
			const struct log_range *b = &columns->range[j];

			sd[k++] = second_derivative_sd(sd[1 + i], a->hi - a->lo, sd[1 + j],
						       b->hi - b->lo, i == j);
		}
	}
}

static void put_prior_mean(const struct log_polynomial *columns, double *mean)
{
	memset(mean, 0, LOG_POLYNOMIAL_MAX_TERMS * sizeof *mean);
	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];

		mean[1 + i] = exponent_prior_of(columns->app, r).mean;
	}
}

/* Fewer runs for each coefficient than that leave noise to be told by its prior, too. */
enum { RUNS_PER_COEFFICIENT = 2 };

static enum err_code find_noise(const struct config_table *t, const double *u, const double *weight,
				size_t n, const struct log_polynomial *columns,
				const double *prior_sd, struct trend_posterior *m, struct err *e)
{
	const size_t p = n_first_order(columns);
	double mean[LOG_POLYNOMIAL_MAX_TERMS], centre = 0;
	double *y;
	enum err_code rc;

	if (n > RUNS_PER_COEFFICIENT * p)
		return ERR_OK;
	y = calloc(n + 1, sizeof *y);
	if (!y)
		return err_set(e, ERR_NOMEM, "noise of %zu configurations", n);
	for (size_t k = 0; k < n; k++)
		centre += log(t->time_s[taken(t, n, k)]) / (double)n;
	for (size_t k = 0; k < n; k++)
		y[k] = log(t->time_s[taken(t, n, k)]) - centre;
	put_prior_mean(columns, mean);
	rc = linear_posterior_noise(u, weight, y, n, p, mean, prior_sd, &m->few_runs_noise, e);
	free(y);
	return rc;
}

/* ---- of each part of a sum ---- */

/* d ln time / d coefficient of each part at a row. */
static void put_gradient(const struct log_polynomial *columns, const struct posynomial *trend,
			 const double *row, double *u)
{
	double term[LOG_POLYNOMIAL_MAX_TERMS];

	log_polynomial_terms(columns, row, term);
	/* infinite ones of two signs would add up to nonsense */
	for (size_t j = 0; j < trend->p; j++)
		term[j] = fmin(fmax(term[j], -WILD), WILD);
	posynomial_gradient(trend, term, u);
}

/* Of a part's coefficients, on inputs from -1 to 1. */
static void put_part_prior_sd(const struct log_polynomial *columns, double *sd)
{
	size_t k = 0;

	sd[k++] = INTERCEPT_SD;
	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];

		sd[k++] = exponent_prior_of(columns->app, r).sd * (r->hi - r->lo) / 2;
	}
	for (size_t i = 0; i < columns->n_levels; i++)
		sd[k++] = TREND_LEVEL_PRIOR_SD;
}

enum err_code trend_posterior_add_parts(const struct config_table *t,
					const struct log_polynomial *columns,
					const struct posynomial *trend, struct trend_posterior *m,
					struct err *e)
{
	const size_t n = t->n < MAX_CONFIGS ? t->n : MAX_CONFIGS;
	const size_t n_parts = trend->n_terms < 2 ? 0 : trend->n_terms * trend->p;
	double prior_sd[POSYNOMIAL_MAX_COEFFICIENTS];
	double *u, *weight, *parts;
	enum err_code rc;

	free(m->parts);
	m->parts = NULL;
	m->n_parts = 0;
	if ((rc = level_interactions_add_slopes(t, columns, trend, &m->interactions, e)))
		return rc;
	if (n_parts == 0)
		return ERR_OK;
	u = calloc(n * n_parts + 1, sizeof *u);
	weight = calloc(n + 1, sizeof *weight);
	parts = calloc(n_parts * n_parts, sizeof *parts);
	if (!u || !weight || !parts) {
		rc = err_set(e, ERR_NOMEM, "posterior of %zu coefficients", n_parts);
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		put_gradient(columns, trend, config_table_row(t, taken(t, n, i)), u + i * n_parts);
		weight[i] = config_table_weight(t, taken(t, n, i));
	}
	for (size_t k = 0; k < trend->n_terms; k++)
		put_part_prior_sd(columns, prior_sd + k * trend->p);
	if ((rc = linear_posterior_factor(
		     u, weight, n, n_parts, prior_sd,
		     fmax(fmax(trend->scale, m->few_runs_noise), POSTERIOR_MIN_NOISE), parts, e)))
		goto done;
	m->parts = parts;
	m->n_parts = n_parts;
	parts = NULL;
done:
	free(u);
	free(weight);
	free(parts);
	return rc;
}

static double parts_sd(const struct trend_posterior *m, const struct log_polynomial *columns,
		       const struct posynomial *trend, const double *row)
{
	double u[POSYNOMIAL_MAX_COEFFICIENTS], work[POSYNOMIAL_MAX_COEFFICIENTS];

	if (m->n_parts == 0)
		return 0;
	put_gradient(columns, trend, row, u);
	return linear_posterior_sd(m->parts, m->n_parts, u, work);
}

/* ---- all ---- */

enum err_code trend_posterior_make(const struct config_table *t,
				   const struct log_polynomial *columns, double noise_sd,
				   struct trend_posterior *out, struct err *e)
{
	const size_t n = t->n < MAX_CONFIGS ? t->n : MAX_CONFIGS;
	struct trend_posterior m = {.n_inputs = columns->n_inputs,
				    .p = n_first_order(columns) + n_second_order(columns)};
	const size_t p_first = n_first_order(columns);
	double prior_sd[LOG_POLYNOMIAL_MAX_TERMS];
	double *u = calloc(n * m.p + 1, sizeof *u), *weight = calloc(n + 1, sizeof *weight);
	double *scaled = calloc(n * m.n_inputs + 1, sizeof *scaled);
	enum err_code rc;

	m.factor = calloc(m.p * m.p, sizeof *m.factor);
	if (!u || !weight || !scaled || !m.factor) {
		rc = err_set(e, ERR_NOMEM, "posterior of %zu coefficients", m.p);
		goto done;
	}
	find_centre(t, n, columns, &m);
	for (size_t k = 0; k < n; k++) {
		put_first_order(&m, columns, config_table_row(t, taken(t, n, k)), u + k * p_first);
		weight[k] = config_table_weight(t, taken(t, n, k));
	}
	put_prior_sd(columns, prior_sd);
	if ((rc = factor_drift(u, n, p_first, &m, scaled, e)) ||
	    (rc = find_noise(t, u, weight, n, columns, prior_sd, &m, e)))
		goto done;
	for (size_t k = 0; k < n; k++)
		put_terms(&m, columns, config_table_row(t, taken(t, n, k)), u + k * m.p);
	if ((rc = linear_posterior_factor(
		     u, weight, n, m.p, prior_sd,
		     fmax(fmax(noise_sd, m.few_runs_noise), POSTERIOR_MIN_NOISE), m.factor, e)) ||
	    (rc = level_interactions_make(t, columns, &m.interactions, e)))
		goto done;
	*out = m;
	m.factor = NULL;
done:
	free(u);
	free(weight);
	free(scaled);
	free(m.factor);
	return rc;
}

void trend_posterior_release(struct trend_posterior *m)
{
	free(m->factor);
	free(m->parts);
	m->factor = m->parts = NULL;
	level_interactions_release(&m->interactions);
}

/* Variance from columns of which the trend knows no exponent, and from levels never seen. */
static double unseen_variance(const struct log_polynomial *columns, const double *row,
			      bool with_terms)
{
	const struct application *app = columns->app;
	double sum = 0;

	for (size_t i = columns->n_inputs; i < columns->n_ranges; i++) {
		const struct log_range *r = &columns->range[i];
		const double beyond = log_range_excess(r, row[r->column]);

		if (beyond == 0)
			continue;
		sum += pow(beyond * (with_terms && application_terms_use(app, r->column)
					     ? STRUCTURE_DRIFT
					     : exponent_prior_of(app, r).sd),
			   2);
	}
	for (size_t c = 0; c < app->n_columns; c++) {
		bool seen = app->column[c].type != COL_TEXT || isnan(row[c]);

		for (size_t i = 0; i < columns->n_levels && !seen; i++)
			seen = columns->level[i].column == c && columns->level[i].code == row[c];
		if (!seen)
			sum += TREND_LEVEL_PRIOR_SD * TREND_LEVEL_PRIOR_SD;
	}
	return sum;
}

/* How far a row lies beyond the runs, columns that move together counted once. */
static double drifted(const struct trend_posterior *m, const struct log_polynomial *columns,
		      const double *row)
{
	double d[LOG_POLYNOMIAL_MAX_INPUTS], work[LOG_POLYNOMIAL_MAX_INPUTS];
	bool beyond = false;

	for (size_t i = 0; i < m->n_inputs; i++) {
		d[i] = log_range_excess(&columns->range[i], row[columns->range[i].column]);
		beyond = beyond || d[i] != 0;
	}
	return beyond ? linear_posterior_sd(m->drift, m->n_inputs, d, work) : 0;
}

double trend_posterior_untried_sd(const struct trend_posterior *m,
				  const struct log_polynomial *columns, const double *row)
{
	const double drift = TREND_DRIFT * drifted(m, columns, row);

	return fmin(sqrt(drift * drift + unseen_variance(columns, row, false) +
			 level_interactions_variance(&m->interactions, columns, row)),
		    TREND_MAX_SD);
}

double trend_posterior_sd(const struct trend_posterior *m, const struct log_polynomial *columns,
			  const struct posynomial *trend, const double *row)
{
	double u[LOG_POLYNOMIAL_MAX_TERMS], work[LOG_POLYNOMIAL_MAX_TERMS], slopes;

	(void)level_interactions_shift(&m->interactions, columns, row, &slopes);
	put_terms(m, columns, row, u);
	/* both tell of coefficients */
	return fmin(hypot(fmax(linear_posterior_sd(m->factor, m->p, u, work),
			       parts_sd(m, columns, trend, row)),
			  hypot(sqrt(slopes), trend_posterior_untried_sd(m, columns, row))),
		    TREND_MAX_SD);
}

double trend_posterior_terms_sd(const struct trend_posterior *m,
				const struct log_polynomial *columns, const double *row,
				double terms_sd)
{
	const double drift = STRUCTURE_DRIFT * drifted(m, columns, row);
	const double sd =
		sqrt(terms_sd * terms_sd + drift * drift + unseen_variance(columns, row, true) +
		     level_interactions_variance(&m->interactions, columns, row));

	return sd < TREND_MAX_SD ? sd : TREND_MAX_SD;
}

double trend_prior_shift(const struct log_polynomial *columns, const double *row, bool with_terms,
			 double *of_resources)
{
	const struct application *app = columns->app;
	double sum = 0, resources = 0;

	for (size_t i = columns->n_inputs; i < columns->n_ranges; i++) {
		const struct log_range *r = &columns->range[i];
		const double beyond = r->hi == r->lo ? log_range_excess(r, row[r->column]) : 0;
		double shift;

		if (beyond == 0 || (with_terms && application_terms_use(app, r->column)))
			continue;
		shift = exponent_prior_of(app, r).mean * beyond;
		sum += shift;
		if (app->column[r->column].role == COL_RESOURCE)
			resources += shift;
	}
	if (of_resources)
		*of_resources = fmin(fmax(resources, -WILD), WILD);
	return fmin(fmax(sum, -WILD), WILD);
}

/* Of two inputs, from R = 0.9 correlations + 0.1 I and its factor. */
static double correlation(const struct trend_posterior *m, size_t i, size_t j)
{
	double sum = 0;

	for (size_t k = 0; k <= i && k <= j; k++)
		sum += m->drift[i * m->n_inputs + k] * m->drift[j * m->n_inputs + k];
	return sum / DRIFT_CORRELATION;
}

/* Is input j the first, or does none before it move together with it? */
static bool leads(const struct trend_posterior *m, size_t j)
{
	for (size_t i = 0; i < j; i++) {
		if (fabs(correlation(m, i, j)) > TOGETHER)
			return false;
	}
	return true;
}

/* "a, b and c never vary independently", of the inputs that move with the first. */
static void put_together(const struct trend_posterior *m, const struct log_polynomial *columns,
			 size_t first, struct strbuf *out)
{
	const struct column *column = columns->app->column;
	size_t left = 0;

	for (size_t j = first + 1; j < m->n_inputs; j++)
		left += fabs(correlation(m, first, j)) > TOGETHER;
	if (left == 0)
		return;
	strbuf_printf(out, "%s%s", out->len ? ", " : "", column[columns->range[first].column].name);
	for (size_t j = first + 1; j < m->n_inputs; j++) {
		if (fabs(correlation(m, first, j)) > TOGETHER)
			strbuf_printf(out, "%s%s", --left > 0 ? ", " : " and ",
				      column[columns->range[j].column].name);
	}
	strbuf_puts(out, " never vary independently");
}

/* What did not vary by itself, of the columns that terms use or of the others. */
static void put_untold(const struct trend_posterior *m, const struct log_polynomial *columns,
		       bool with_terms, bool of_terms, struct strbuf *out)
{
	const struct application *app = columns->app;

	for (size_t i = 0; i < m->n_inputs; i++) {
		const size_t column = columns->range[i].column;

		if (leads(m, i) && (with_terms && application_terms_use(app, column)) == of_terms)
			put_together(m, columns, i, out);
	}
	for (size_t i = columns->n_inputs; i < columns->n_ranges; i++) {
		const struct log_range *r = &columns->range[i];

		if (r->hi == r->lo &&
		    (with_terms && application_terms_use(app, r->column)) == of_terms)
			strbuf_printf(out, "%s%s was %.10g", out->len ? ", " : "",
				      app->column[r->column].name, log_range_constant(r));
	}
}

void trend_posterior_explain(const struct trend_posterior *m, const struct log_polynomial *columns,
			     bool with_terms, struct strbuf *out)
{
	struct strbuf nobody = STRBUF_INIT, terms = STRBUF_INIT;

	put_untold(m, columns, with_terms, false, &nobody);
	level_interactions_explain(&m->interactions, columns, &nobody);
	put_untold(m, columns, with_terms, true, &terms);
	if (nobody.len > 0)
		strbuf_printf(out,
			      " In these runs %s: what other values would do to time cannot be "
			      "told",
			      strbuf_text(&nobody));
	if (terms.len > 0)
		strbuf_printf(out, "%s %s: what other values would do to time only the terms tell",
			      nobody.len > 0 ? "; and" : " In these runs", strbuf_text(&terms));
	if (nobody.len + terms.len > 0)
		strbuf_putc(out, '.');
	out->failed |= nobody.failed || terms.failed;
	strbuf_release(&nobody);
	strbuf_release(&terms);
}

static enum err_code add(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "posterior_%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

enum err_code trend_posterior_store(const struct trend_posterior *m,
				    const struct log_polynomial *columns, struct kb_fit *fit,
				    struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n_inputs && !rc; i++)
		rc = add(fit, "centre", i, m->centre[i], "mean of log(x + shift)", e);
	if (rc || (rc = level_interactions_store(&m->interactions, columns, fit, e)) ||
	    (rc = triangle_store("posterior_factor_", m->factor, m->p, fit, e)) ||
	    (m->n_parts > 0 &&
	     (rc = triangle_store("posterior_parts_", m->parts, m->n_parts, fit, e))))
		return rc;
	return triangle_store("posterior_drift_", m->drift, m->n_inputs, fit, e);
}

enum err_code trend_posterior_load(const struct kb_fit *fit, const struct log_polynomial *columns,
				   const struct posynomial *trend, struct trend_posterior *out,
				   struct err *e)
{
	struct trend_posterior m = {.n_inputs = columns->n_inputs,
				    .p = n_first_order(columns) + n_second_order(columns),
				    .n_parts = trend->n_terms < 2 ? 0 : trend->n_terms * trend->p};
	size_t n_centre = 0, i;
	enum err_code rc;

	m.factor = calloc(m.p * m.p, sizeof *m.factor);
	m.parts = calloc(m.n_parts * m.n_parts + 1, sizeof *m.parts);
	if (!m.factor || !m.parts) {
		trend_posterior_release(&m);
		return err_set(e, ERR_NOMEM, "posterior of %zu coefficients", m.p);
	}
	for (size_t k = 0; k < fit->n_param; k++) {
		const struct kb_param *q = &fit->param[k];

		if (sscanf(q->name, "posterior_centre_%zu", &i) == 1 && i < m.n_inputs &&
		    isfinite(q->value)) {
			m.centre[i] = q->value;
			n_centre++;
		}
	}
	if (n_centre != m.n_inputs || !triangle_load(fit, "posterior_factor_", m.factor, m.p) ||
	    !triangle_load(fit, "posterior_parts_", m.parts, m.n_parts) ||
	    !triangle_load(fit, "posterior_drift_", m.drift, m.n_inputs)) {
		trend_posterior_release(&m);
		return err_set(e, ERR_NOTMINED,
			       "the fit lacks what its trend leaves open: run `lemnos mine`");
	}
	if ((rc = level_interactions_load(fit, columns, &m.interactions, e))) {
		trend_posterior_release(&m);
		return rc;
	}
	*out = m;
	return ERR_OK;
}
