#include "mining/predictor/noise_group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "mining/numerics/order_statistics.h"
#include "mining/numerics/rank_tests.h"

/* Over all groups asked about. */
#define CHANCE 0.02
/* Less is no reason to tell groups apart. */
#define LEAST_FACTOR 1.5

enum {
	MIN_GROUP = 4,
	MAX_LEVELS = 16 /* of more the column has no groups, only quantiles: it is asked at them */
};

static bool is_in(const struct noise_group *g, const double *row)
{
	return g->below ? row[g->column] <= g->at : row[g->column] >= g->at;
}

/* What the groups asked about are compared by. */
struct group_comparison {
	const double *const *rows;
	const double *off, *rank;
	size_t n, n_asked;
	double best; /* nats gained by the best of them */
	struct noise_group group;
	double chance; /* of the best */
};

/* One-sided, by the normal approximation of the rank sum, with continuity correction. */
static double rank_sum_chance(double sum, double n_in, double n_out)
{
	const double mean = n_in * (n_in + n_out + 1) / 2;
	const double sd = sqrt(n_in * n_out * (n_in + n_out + 1) / 12);

	return gsl_cdf_ugaussian_Q((sum - mean - 0.5) / sd);
}

static void ask(struct group_comparison *c, struct noise_group g)
{
	double in = 0, out = 0, ranks = 0, n_in = 0, n_out, gain;

	for (size_t i = 0; i < c->n; i++) {
		if (is_in(&g, c->rows[i])) {
			in += c->off[i];
			ranks += c->rank[i];
			n_in++;
		} else {
			out += c->off[i];
		}
	}
	n_out = (double)c->n - n_in;
	if (n_in < MIN_GROUP || 2 * n_in > (double)c->n)
		return;
	c->n_asked++;
	if (!(in > 0) || !(out > 0))
		return;
	g.factor = (in / n_in) / (out / n_out);
	gain = (double)c->n * log((in + out) / (double)c->n) - n_in * log(in / n_in) -
	       n_out * log(out / n_out);
	if (g.factor < LEAST_FACTOR || gain <= c->best)
		return;
	c->best = gain;
	c->group = g;
	c->chance = rank_sum_chance(ranks, n_in, n_out);
}

/* The different values of a column, or quantiles of them where there are many; value[n] is sorted
 * here. Returns how many, at its front. */
static size_t levels_of(double *value, size_t n)
{
	size_t k = 0;

	order_sort(value, n);
	for (size_t i = 0; i < n; i++) {
		if (k == 0 || value[i] > value[k - 1])
			value[k++] = value[i];
	}
	if (k <= MAX_LEVELS)
		return k;
	for (size_t i = 0; i < MAX_LEVELS; i++)
		value[i] = value[i * (k - 1) / (MAX_LEVELS - 1)];
	return MAX_LEVELS;
}

static void ask_column(struct group_comparison *c, size_t column, double *value)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (isfinite(c->rows[i][column]))
			value[n++] = c->rows[i][column];
	}
	n = levels_of(value, n);
	for (size_t i = 0; i < n && n > 1; i++) {
		ask(c, (struct noise_group){column, true, value[i], 1});
		ask(c, (struct noise_group){column, false, value[i], 1});
	}
}

enum err_code noise_group_find(const struct application *app, const double *const *rows,
			       const double *off, size_t n, struct noise_group *out, struct err *e)
{
	double *rank = calloc(n + 1, sizeof *rank), *value = calloc(n + 1, sizeof *value);
	struct group_comparison c = {.rows = rows, .off = off, .rank = rank, .n = n, .chance = 1};
	enum err_code rc = ERR_OK;

	*out = (struct noise_group){.factor = 1};
	if (!rank || !value) {
		rc = err_set(e, ERR_NOMEM, "noise of %zu configurations", n);
		goto done;
	}
	if (n < 2 * MIN_GROUP || (rc = rank_values(off, n, rank, e)))
		goto done;
	for (size_t k = 0; k < app->n_columns; k++) {
		if (app->column[k].type != COL_TEXT && app->column[k].role != COL_DERIVED)
			ask_column(&c, k, value);
	}
	if (c.best > 0 && c.chance * (double)c.n_asked < CHANCE)
		*out = c.group;
done:
	free(rank);
	free(value);
	return rc;
}

double noise_group_factor(const struct noise_group *g, const double *row)
{
	return g->factor > 1 && is_in(g, row) ? g->factor : 1;
}

void noise_group_explain(const struct noise_group *g, const struct application *app,
			 struct strbuf *out)
{
	if (g->factor > 1)
		strbuf_printf(out,
			      " Runs of %s %.10g and %s scatter %.1f times as much as others, and "
			      "so do their intervals.",
			      app->column[g->column].name, g->at, g->below ? "less" : "more",
			      g->factor);
}

static enum err_code add(struct kb_fit *fit, const char *name, double value, const char *meaning,
			 struct err *e)
{
	return kb_fit_add(fit, name, value, NAN, "1", meaning, e);
}

enum err_code noise_group_store(const struct noise_group *g, struct kb_fit *fit, struct err *e)
{
	enum err_code rc;

	if (!(g->factor > 1))
		return ERR_OK;
	if ((rc = add(fit, "noise_group_factor", g->factor, "of their noise to that of others",
		      e)) ||
	    (rc = add(fit, "noise_group_column", (double)g->column, "whose runs scatter more",
		      e)) ||
	    (rc = add(fit, "noise_group_below", g->below, "1: up to there, 0: from there on", e)))
		return rc;
	return add(fit, "noise_group_at", g->at, "the value that ends the group", e);
}

void noise_group_load(const struct kb_fit *fit, const struct application *app,
		      struct noise_group *out)
{
	const double factor = kb_fit_value(fit, "noise_group_factor");
	double column, at;

	*out = (struct noise_group){.factor = 1};
	if (!(factor > 1))
		return;
	column = kb_fit_value(fit, "noise_group_column");
	at = kb_fit_value(fit, "noise_group_at");
	if (column >= 0 && column < (double)app->n_columns && isfinite(at))
		*out = (struct noise_group){
			(size_t)column, kb_fit_value(fit, "noise_group_below") == 1, at, factor};
}
