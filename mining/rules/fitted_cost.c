#include "mining/rules/fitted_cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

/* Sweeps over all columns; a sweep that changes less ends them. */
enum { MAX_SWEEPS = 200 };
static const double least_change = 1e-10;

/* Of the variance of "the part holds" so much must be its own, or the other choices decide it. */
static const double least_own = 0.02;

/* A column as the regression sees it. */
struct factor {
	uint32_t *level; /* [n] */
	size_t n_levels;
	double *x; /* [n] log value, centred; NULL: no slope */
	double squares;
};

struct regression {
	size_t n;
	struct factor *factor; /* the case first */
	size_t n_factors;
	double *sum, *count; /* scratch: by level */
};

static void regression_release(struct regression *g)
{
	for (size_t j = 0; j < g->n_factors; j++) {
		free(g->factor[j].level);
		free(g->factor[j].x);
	}
	free(g->factor);
	free(g->sum);
	free(g->count);
}

/* Take the means by level, then the slope, out of y. Returns the largest change. */
static double sweep(const struct regression *g, const struct factor *f, double *y)
{
	double change = 0, slope = 0;

	memset(g->sum, 0, f->n_levels * sizeof *g->sum);
	memset(g->count, 0, f->n_levels * sizeof *g->count);
	for (size_t k = 0; k < g->n; k++) {
		g->sum[f->level[k]] += y[k];
		g->count[f->level[k]]++;
	}
	for (size_t k = 0; k < g->n; k++) {
		double mean = g->sum[f->level[k]] / g->count[f->level[k]];

		y[k] -= mean;
		change = fmax(change, fabs(mean));
	}
	for (size_t k = 0; f->x && k < g->n; k++)
		slope += f->x[k] * y[k] / f->squares;
	for (size_t k = 0; f->x && k < g->n; k++) {
		y[k] -= slope * f->x[k];
		change = fmax(change, fabs(slope * f->x[k]));
	}
	return change;
}

static void free_of_factors(const struct regression *g, double *y)
{
	for (int i = 0; i < MAX_SWEEPS; i++) {
		double change = 0;

		for (size_t j = 0; j < g->n_factors; j++)
			change = fmax(change, sweep(g, &g->factor[j], y));
		if (change < least_change)
			break;
	}
}

/* ---- columns ---- */

/* Codes of many bins in FITTED_LEVELS, of about equal numbers. */
static void set_levels(const struct slowdown_table *t, const uint32_t *item, size_t n, size_t c,
		       struct factor *f)
{
	const unsigned char *code = slowdown_codes(t, c);
	size_t count[MAX_BINS + 1] = {0}, below = 0, n_bins = t->bins[c].n;
	uint32_t level[MAX_BINS + 1];
	bool coarse = t->bins[c].ordered && n_bins > FITTED_LEVELS;

	for (size_t k = 0; k < n; k++)
		count[code[item[k]]]++;
	for (size_t b = 0; b <= MAX_BINS; b++) {
		level[b] = coarse && b < MAX_BINS ? (uint32_t)(below * FITTED_LEVELS / (n + 1))
						  : (uint32_t)b;
		below += count[b];
	}
	if (coarse) /* a missing value is a level of its own */
		level[BIN_MISSING] = FITTED_LEVELS;
	f->n_levels = MAX_BINS + 1;
	for (size_t k = 0; k < n; k++)
		f->level[k] = level[code[item[k]]];
}

/* No slope where a value is missing or not > 0, or where the levels say it all. */
static void set_slope(const struct slowdown_table *t, const uint32_t *item, size_t n, size_t c,
		      struct factor *f)
{
	double mean = 0;
	bool usable = t->bins[c].ordered && t->bins[c].n > FITTED_LEVELS;

	for (size_t k = 0; k < n && usable; k++) {
		double value = slowdown_row(t, item[k])[c];

		usable = value > 0;
		f->x[k] = usable ? log(value) : 0;
		mean += f->x[k] / (double)n;
	}
	f->squares = 0;
	for (size_t k = 0; k < n && usable; k++) {
		f->x[k] -= mean;
		f->squares += f->x[k] * f->x[k];
	}
	if (!usable || !(f->squares > 0)) {
		free(f->x);
		f->x = NULL;
	}
}

static enum err_code add_factor(struct regression *g, struct err *e)
{
	struct factor *f = &g->factor[g->n_factors++];

	f->level = malloc((g->n + 1) * sizeof *f->level);
	f->x = malloc((g->n + 1) * sizeof *f->x);
	return f->level && f->x ? ERR_OK : err_set(e, ERR_NOMEM, "regression of %zu times", g->n);
}

static enum err_code regression_make(const struct slowdown_table *t, const uint32_t *item, size_t n,
				     const bool *varies, struct regression *g, struct err *e)
{
	size_t most_levels = (t->n_strata > MAX_BINS ? t->n_strata : MAX_BINS) + 1;
	enum err_code rc;

	g->n = n;
	g->factor = calloc(t->n_columns + 1, sizeof *g->factor);
	g->sum = calloc(most_levels, sizeof *g->sum);
	g->count = calloc(most_levels, sizeof *g->count);
	if (!g->factor || !g->sum || !g->count)
		return err_set(e, ERR_NOMEM, "regression of %zu times", n);
	if ((rc = add_factor(g, e)))
		return rc;
	free(g->factor[0].x);
	g->factor[0].x = NULL;
	g->factor[0].n_levels = t->n_strata;
	for (size_t k = 0; k < n; k++)
		g->factor[0].level[k] = t->stratum[item[k]];
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->use[c] != USE_CHOICE || varies[c] || t->app->column[c].role == COL_DERIVED)
			continue;
		if ((rc = add_factor(g, e)))
			return rc;
		set_levels(t, item, n, c, &g->factor[g->n_factors - 1]);
		set_slope(t, item, n, c, &g->factor[g->n_factors - 1]);
	}
	return ERR_OK;
}

/* ---- the coefficient ---- */

/* score and information: [2 * n_blocks], all 0. */
static void estimate(const struct slowdown_table *t, const uint32_t *item, size_t n,
		     const double *x, const double *y, double *score, struct rule_cost *out)
{
	double *information = score + t->n_blocks;
	double xx = 0, xy = 0, squares = 0, error = 0, beta, effective, half;
	int64_t n_problems = 0;

	for (size_t k = 0; k < n; k++) {
		xx += x[k] * x[k];
		xy += x[k] * y[k];
		information[t->block[item[k]]] += x[k] * x[k];
	}
	beta = xy / xx;
	for (size_t k = 0; k < n; k++)
		score[t->block[item[k]]] += x[k] * (y[k] - beta * x[k]);
	for (size_t b = 0; b < t->n_blocks; b++) {
		squares += information[b] * information[b];
		error += score[b] * score[b];
		n_problems += information[b] > 0;
	}
	effective = xx * xx / squares; /* as many equal blocks carry as much information */
	if (!(effective > 2))
		return;
	half = gsl_cdf_tdist_Pinv(0.95, effective - 1) * sqrt(error * effective / (effective - 1)) /
	       xx;
	out->ratio = exp(beta);
	out->lo = exp(beta - half);
	out->hi = exp(beta + half);
	out->n_sets = (int64_t)n;
	out->n_problems = n_problems;
}

enum err_code fitted_cost(const struct slowdown_table *t, const uint32_t *item,
			  const unsigned char *in, size_t n, const bool *varies,
			  struct rule_cost *out, struct err *e)
{
	struct regression g = {0};
	double *x = calloc(2 * n + 1, sizeof *x), *y;
	double *score = calloc(2 * t->n_blocks + 1, sizeof *score);
	double all = 0, own = 0, share = 0;
	enum err_code rc;

	if (!x || !score) {
		rc = err_set(e, ERR_NOMEM, "regression of %zu times", n);
		goto done;
	}
	y = x + n;
	if ((rc = regression_make(t, item, n, varies, &g, e)))
		goto done;
	for (size_t k = 0; k < n; k++) {
		x[k] = in[k] ? 1 : 0;
		y[k] = t->log_time[item[k]];
		share += x[k] / (double)n;
	}
	all = share * (1 - share) * (double)n;
	free_of_factors(&g, x);
	free_of_factors(&g, y);
	for (size_t k = 0; k < n; k++)
		own += x[k] * x[k];
	if (n > 0 && own > least_own * all)
		estimate(t, item, n, x, y, score, out);
done:
	regression_release(&g);
	free(x);
	free(score);
	return rc;
}
