#include "mining/predictor/level_interactions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/predictor/trend_posterior.h"

enum { MAX_CONFIGS = 1000, MOST_EXPLAINED = 3 };

/* The share of an exponent's prior deviation by which levels differ: a choice. */
#define SHARE_OF_PRIOR 0.5
/* The least spread of ln x, of what one level was run with, that a slope is taken over. */
#define LEAST_SPREAD 0.05
/* Less of a range than that is said. */
#define NARROW 0.5

static const struct level_interaction *cell_of(const struct level_interactions *m,
					       const struct log_polynomial *columns, size_t level,
					       size_t input)
{
	return &m->cell[level * columns->n_inputs + input];
}

static double prior_sd(const struct log_polynomial *columns, size_t input)
{
	const struct log_range *r = &columns->range[input];

	return SHARE_OF_PRIOR * exponent_prior_of(columns->app, r).sd;
}

/* ---- what the runs say ---- */

/* Of residuals, at the configurations of one level. */
struct slope {
	double value, se; /* se infinite: not told */
};

/* What a power law or a sum of them leaves of ln time, at some configurations. */
struct law_residuals {
	const struct config_table *t;
	const struct log_polynomial *columns;
	size_t n;
	size_t *pick; /* of t */
	double *left;
};

static void residuals_release(struct law_residuals *r)
{
	free(r->pick);
	free(r->left);
}

/* Of the pooled power law. */
static double pooled_log(const struct log_polynomial *columns, const double *term)
{
	double sum = 0;

	for (size_t j = 0; j < columns->n_terms; j++)
		sum += columns->coefficient[j] * term[j];
	return sum;
}

/* trend NULL: of the pooled power law. */
static enum err_code residuals_make(const struct config_table *t,
				    const struct log_polynomial *columns,
				    const struct posynomial *trend, struct law_residuals *out,
				    struct err *e)
{
	struct law_residuals r = {.t = t,
				  .columns = columns,
				  .pick = calloc(t->n + 1, sizeof *r.pick),
				  .left = calloc(MAX_CONFIGS, sizeof *r.left)};

	if (!r.pick || !r.left) {
		residuals_release(&r);
		return err_set(e, ERR_NOMEM, "residuals of %zu levels", columns->n_levels);
	}
	r.n = config_table_pick(t, MAX_CONFIGS, r.pick);
	for (size_t k = 0; k < r.n; k++) {
		double term[LOG_POLYNOMIAL_MAX_TERMS];

		log_polynomial_terms(columns, config_table_row(t, r.pick[k]), term);
		r.left[k] = log(t->time_s[r.pick[k]]) -
			    (trend ? posynomial_log(trend, term) : pooled_log(columns, term));
	}
	*out = r;
	return ERR_OK;
}

static void look_at(const struct law_residuals *of, size_t level, size_t input,
		    struct level_interaction *cell, struct slope *slope)
{
	const struct log_range *r = &of->columns->range[input];
	const struct log_level *l = &of->columns->level[level];
	double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0, known = 0;

	*cell = (struct level_interaction){.lo = INFINITY, .hi = -INFINITY};
	for (size_t k = 0; k < of->n; k++) {
		const double *row = config_table_row(of->t, of->pick[k]);
		const double x = row[r->column];
		double dx, dy;

		if (row[l->column] != l->code || isnan(x))
			continue;
		cell->lo = fmin(cell->lo, log_range_coordinate(r, x));
		cell->hi = fmax(cell->hi, log_range_coordinate(r, x));
		/* sums of squares about the mean (Welford, Technometrics 4(3), 1962) */
		known++;
		dx = log_range_coordinate(r, x) - mean_x;
		dy = of->left[k] - mean_y;
		mean_x += dx / known;
		mean_y += dy / known;
		xx += dx * (log_range_coordinate(r, x) - mean_x);
		xy += dx * (of->left[k] - mean_y);
		yy += dy * (of->left[k] - mean_y);
	}
	*slope = (struct slope){0, INFINITY};
	if (known < 3 || xx < known * LEAST_SPREAD * LEAST_SPREAD)
		return;
	slope->value = xy / xx;
	slope->se = sqrt(fmax(yy - xy * xy / xx, 0) / (known - 2) / xx);
}

/* One for the levels [first, end) of a column. */
static double deviation(const struct slope *slope, size_t n, double prior)
{
	double sum = prior * prior, n_told = 1;

	for (size_t i = 0; i < n; i++) {
		const double square = slope[i].se * slope[i].se;
		const double w = prior * prior / (prior * prior + square);

		if (!(w > 0))
			continue;
		sum += w * fmax(slope[i].value * slope[i].value - square, 0);
		n_told += w;
	}
	return sqrt(sum / n_told);
}

/* Levels of one column follow each other. */
static size_t end_of_column(const struct log_polynomial *columns, size_t level)
{
	size_t end = level + 1;

	while (end < columns->n_levels &&
	       columns->level[end].column == columns->level[level].column)
		end++;
	return end;
}

static void keep_slope(const struct slope *own, double sd, struct level_interaction *c)
{
	const double square = own->se * own->se;
	const double told = isinf(square) ? 0 : sd * sd / (sd * sd + square);

	c->slope = told * own->value;
	c->slope_sd = sd * sqrt(1 - told);
}

/* The slopes of each level by each input, or what they have in common. */
static void look_at_levels(const struct law_residuals *of, bool each, struct level_interactions *m)
{
	const struct log_polynomial *columns = of->columns;
	struct level_interaction seen[LOG_POLYNOMIAL_MAX_LEVELS];
	struct slope slope[LOG_POLYNOMIAL_MAX_LEVELS] = {{0, 0}};
	size_t end;

	for (size_t first = 0; first < columns->n_levels; first = end) {
		end = end_of_column(columns, first);
		for (size_t i = 0; i < columns->n_inputs; i++) {
			double sd;

			for (size_t l = first; l < end; l++)
				look_at(of, l, i, &seen[l], &slope[l]);
			sd = deviation(slope + first, end - first, prior_sd(columns, i));
			for (size_t l = first; l < end; l++) {
				struct level_interaction *c = &m->cell[l * columns->n_inputs + i];

				seen[l].sd = sd;
				if (each)
					keep_slope(&slope[l], sd, c);
				else
					*c = seen[l];
			}
		}
	}
}

enum err_code level_interactions_make(const struct config_table *t,
				      const struct log_polynomial *columns,
				      struct level_interactions *out, struct err *e)
{
	struct level_interactions m = {.n = columns->n_levels * columns->n_inputs};
	struct law_residuals pooled;
	enum err_code rc;

	if ((rc = residuals_make(t, columns, NULL, &pooled, e)))
		return rc;
	m.cell = calloc(m.n + 1, sizeof *m.cell);
	if (m.cell) {
		look_at_levels(&pooled, false, &m);
		*out = m;
	} else {
		rc = err_set(e, ERR_NOMEM, "interactions of %zu levels", columns->n_levels);
	}
	residuals_release(&pooled);
	return rc;
}

enum err_code level_interactions_add_slopes(const struct config_table *t,
					    const struct log_polynomial *columns,
					    const struct posynomial *trend,
					    struct level_interactions *m, struct err *e)
{
	struct law_residuals of_trend;
	enum err_code rc = residuals_make(t, columns, trend, &of_trend, e);

	if (rc)
		return rc;
	look_at_levels(&of_trend, true, m);
	residuals_release(&of_trend);
	return ERR_OK;
}

void level_interactions_release(struct level_interactions *m)
{
	free(m->cell);
	*m = (struct level_interactions){0};
}

/* ---- at a row ---- */

/* How far x lies beyond what the level was run with, and not beyond all runs. */
static double excess(const struct log_range *r, const struct level_interaction *c, double x)
{
	const double l = fmin(fmax(log_range_coordinate(r, x), r->lo), r->hi);

	return l > c->hi ? l - c->hi : l < c->lo ? c->lo - l : 0;
}

/* The next cell of a row at or after *at, which counts levels times inputs, or NULL. */
static const struct level_interaction *next_cell(const struct level_interactions *m,
						 const struct log_polynomial *columns,
						 const double *row, size_t *at)
{
	for (; *at < m->n; *at += columns->n_inputs - *at % columns->n_inputs) {
		const struct log_level *l = &columns->level[*at / columns->n_inputs];

		if (row[l->column] == l->code)
			return &m->cell[*at];
	}
	return NULL;
}

double level_interactions_variance(const struct level_interactions *m,
				   const struct log_polynomial *columns, const double *row)
{
	const struct level_interaction *c;
	double sum = 0;

	for (size_t at = 0; (c = next_cell(m, columns, row, &at)); at++) {
		const struct log_range *r = &columns->range[at % columns->n_inputs];
		const double x = row[r->column];

		if (!isnan(x) && c->hi >= c->lo)
			sum += pow(c->sd * excess(r, c, x), 2);
	}
	return sum;
}

double level_interactions_shift(const struct level_interactions *m,
				const struct log_polynomial *columns, const double *row,
				double *variance)
{
	const struct level_interaction *c;
	double sum = 0, squares = 0;

	for (size_t at = 0; (c = next_cell(m, columns, row, &at)); at++) {
		const struct log_range *r = &columns->range[at % columns->n_inputs];
		const double beyond = log_range_excess(r, row[r->column]);

		/* a process is linear in what scales the machine: it goes on by itself */
		if (columns->app->column[r->column].role != COL_RESOURCE)
			sum += c->slope * beyond;
		squares += pow(c->slope_sd * beyond, 2);
	}
	if (variance)
		*variance = squares;
	return sum;
}

/* ---- in words ---- */

static void put_cell(const struct log_polynomial *columns, size_t level, size_t input,
		     const struct level_interaction *c, struct strbuf *out)
{
	const struct log_range *r = &columns->range[input];
	const struct column *text = &columns->app->column[columns->level[level].column];
	const double lo = log_range_value(r, c->lo), hi = log_range_value(r, c->hi);

	strbuf_printf(out, "%s %s ran with %s ", text->name,
		      text->levels.name[(size_t)columns->level[level].code],
		      columns->app->column[r->column].name);
	if (c->lo == c->hi)
		strbuf_printf(out, "%.6g only", hi);
	else if (c->lo <= r->lo)
		strbuf_printf(out, "up to %.6g only", hi);
	else if (c->hi >= r->hi)
		strbuf_printf(out, "from %.6g only", lo);
	else
		strbuf_printf(out, "%.6g to %.6g only", lo, hi);
}

/* Did every level of a column run with one value of the input only, as where a case's name stands
 * for its sizes? */
static bool is_settled(const struct level_interactions *m, const struct log_polynomial *columns,
		       size_t column, size_t input)
{
	size_t n = 0;

	for (size_t l = 0; l < columns->n_levels; l++) {
		const struct level_interaction *c = cell_of(m, columns, l, input);

		if (columns->level[l].column != column || columns->level[l].code < 0)
			continue;
		if (c->lo != c->hi)
			return false;
		n++;
	}
	return n > 1;
}

/* Append "nx, ny had one value for each case" of a column of levels. */
static void put_settled(const struct level_interactions *m, const struct log_polynomial *columns,
			size_t column, struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < columns->n_inputs; i++) {
		if (!is_settled(m, columns, column, i))
			continue;
		strbuf_printf(out, "%s%s", out->len > 0 ? ", " : "",
			      columns->app->column[columns->range[i].column].name);
		n++;
	}
	if (n > 0)
		strbuf_printf(out, " had one value for each %s", columns->app->column[column].name);
}

void level_interactions_explain(const struct level_interactions *m,
				const struct log_polynomial *columns, struct strbuf *out)
{
	size_t n_said = 0;

	for (size_t l = 0; m->n > 0 && l < columns->n_levels && n_said < MOST_EXPLAINED; l++) {
		const size_t column = columns->level[l].column;

		if (l == 0 || columns->level[l - 1].column != column)
			put_settled(m, columns, column, out);
		if (columns->level[l].code < 0) /* of runs that are gone */
			continue;
		for (size_t i = 0; i < columns->n_inputs && n_said < MOST_EXPLAINED; i++) {
			const struct log_range *r = &columns->range[i];
			const struct level_interaction *c = cell_of(m, columns, l, i);

			if (!(c->hi >= c->lo) || c->hi - c->lo >= NARROW * (r->hi - r->lo) ||
			    is_settled(m, columns, column, i))
				continue;
			strbuf_puts(out, out->len > 0 ? ", " : "");
			put_cell(columns, l, i, c, out);
			n_said++;
		}
	}
}

/* ---- in the knowledge base ---- */

static enum err_code add(struct kb_fit *fit, const char *what, size_t i, double value,
			 const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "interaction_%s_%zu", what, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

static bool is_whole(const struct level_interaction *c, const struct log_range *r)
{
	return c->lo <= r->lo && c->hi >= r->hi;
}

enum err_code level_interactions_store(const struct level_interactions *m,
				       const struct log_polynomial *columns, struct kb_fit *fit,
				       struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct level_interaction *c = &m->cell[i];

		if ((c->slope != 0 || c->slope_sd > 0) &&
		    ((rc = add(fit, "slope", i, c->slope, "of the level, less that of all", e)) ||
		     (rc = add(fit, "slope_sd", i, c->slope_sd, "what is not known of it", e))))
			break;
		if (is_whole(c, &columns->range[i % columns->n_inputs]) || !(c->hi >= c->lo))
			continue;
		if ((rc = add(fit, "lo", i, c->lo, "log(x + shift), least of a level", e)) ||
		    (rc = add(fit, "hi", i, c->hi, "log(x + shift), most of a level", e)))
			break;
		rc = add(fit, "sd", i, c->sd, "of its exponent from that of all", e);
	}
	return rc;
}

enum err_code level_interactions_load(const struct kb_fit *fit,
				      const struct log_polynomial *columns,
				      struct level_interactions *out, struct err *e)
{
	struct level_interactions m = {.n = columns->n_levels * columns->n_inputs};
	size_t i;

	m.cell = calloc(m.n + 1, sizeof *m.cell);
	if (!m.cell)
		return err_set(e, ERR_NOMEM, "interactions of %zu levels", columns->n_levels);
	for (i = 0; i < m.n; i++)
		m.cell[i] = (struct level_interaction){.lo = INFINITY, .hi = -INFINITY};
	for (size_t k = 0; k < fit->n_param; k++) {
		const struct kb_param *p = &fit->param[k];

		if (!isfinite(p->value))
			continue;
		if (sscanf(p->name, "interaction_slope_%zu", &i) == 1 && i < m.n)
			m.cell[i].slope = p->value;
		else if (sscanf(p->name, "interaction_slope_sd_%zu", &i) == 1 && i < m.n)
			m.cell[i].slope_sd = p->value;
		else if (sscanf(p->name, "interaction_lo_%zu", &i) == 1 && i < m.n)
			m.cell[i].lo = p->value;
		else if (sscanf(p->name, "interaction_hi_%zu", &i) == 1 && i < m.n)
			m.cell[i].hi = p->value;
		else if (sscanf(p->name, "interaction_sd_%zu", &i) == 1 && i < m.n)
			m.cell[i].sd = p->value;
	}
	*out = m;
	return ERR_OK;
}
