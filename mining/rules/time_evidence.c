#include "mining/rules/time_evidence.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/numerics/rank_tests.h"
#include "mining/numerics/group_by.h"

/* Less is not worth following a rule for. */
#define MIN_GAIN 0.01

enum err_code cv_residuals_make(const struct time_target *g, struct cv_residuals *out,
				struct err *e)
{
	struct cv_residuals h = {.g = g};

	h.leaf = malloc(g->table->n * sizeof *h.leaf + 1);
	h.formula = malloc(g->table->n * sizeof *h.formula + 1);
	if (!h.leaf || !h.formula) {
		cv_residuals_release(&h);
		return err_set(e, ERR_NOMEM, "%zu configurations held out", g->table->n);
	}
	for (size_t i = 0; i < g->table->n; i++) {
		h.leaf[i] = SIZE_MAX;
		h.formula[i] = NAN;
	}
	*out = h;
	return ERR_OK;
}

void cv_residuals_release(struct cv_residuals *h)
{
	free(h->leaf);
	free(h->formula);
	*h = (struct cv_residuals){0};
}

void cv_residuals_put(struct cv_residuals *h, size_t i, const struct model_tree *judged,
		      const struct model_tree *blind, size_t n_leaves)
{
	const struct slowdown_table *t = h->g->table;
	size_t leaf = model_tree_leaf(blind, n_leaves, t, i);

	if (isnan(h->g->y[i]))
		return;
	h->leaf[i] = model_tree_leaf(judged, n_leaves, t, i);
	if (leaf != SIZE_MAX)
		h->formula[i] = power_formula_log(&blind->node[leaf].formula, slowdown_row(t, i));
}

/* The error in y with the rule, and without. Where the formula is not known, there is no rule. */
static double error_with(const struct cv_residuals *h, size_t i)
{
	return h->g->y[i] - (isnan(h->formula[i]) ? h->g->typical : h->formula[i]);
}

static double error_without(const struct cv_residuals *h, size_t i)
{
	return h->g->y[i] - h->g->typical;
}

/* By block that is held out together: sums over the configurations in a leaf. */
struct block_sums {
	double *y, *gain; /* gain: how much nearer the formula is, |log| */
	size_t *n;
	size_t n_blocks;
};

static enum err_code sum_blocks(const struct cv_residuals *h, size_t leaf, struct block_sums *b,
				struct err *e)
{
	const struct slowdown_table *t = h->g->table;

	b->y = calloc(t->n_blocks + 1, sizeof *b->y);
	b->gain = calloc(t->n_blocks + 1, sizeof *b->gain);
	b->n = calloc(t->n_blocks + 1, sizeof *b->n);
	if (!b->y || !b->gain || !b->n)
		return err_set(e, ERR_NOMEM, "means of %zu blocks", t->n_blocks);
	for (size_t i = 0; i < t->n; i++) {
		if (h->leaf[i] != leaf)
			continue;
		b->y[t->block[i]] += error_without(h, i);
		b->gain[t->block[i]] += fabs(error_without(h, i)) - fabs(error_with(h, i));
		b->n[t->block[i]]++;
	}
	for (size_t k = 0; k < t->n_blocks; k++) {
		if (b->n[k] == 0)
			continue;
		b->y[b->n_blocks] = b->y[k] / (double)b->n[k];
		b->gain[b->n_blocks++] = b->gain[k] / (double)b->n[k];
	}
	return ERR_OK;
}

/* Effect with its interval, and the chance that the formula is no better than none. */
static enum err_code test_blocks(const struct cv_residuals *h, size_t leaf,
				 struct rule_evidence *out, struct err *e)
{
	struct block_sums b = {0};
	struct mean_test effect, gain;
	enum err_code rc = sum_blocks(h, leaf, &b, e);

	if (!rc && b.n_blocks > 1) {
		mean_t_test(b.y, b.n_blocks, 0.9, &effect);
		mean_t_test(b.gain, b.n_blocks, 0.9, &gain);
		out->effect = exp(effect.mean);
		out->lo = exp(effect.lo);
		out->hi = exp(effect.hi);
		out->p_value = gain.mean > 0 ? gain.p / 2 : 1;
	}
	free(b.y);
	free(b.gain);
	free(b.n);
	return rc;
}

/* How many of ids 0..n_ids-1 occur among the configurations in a leaf? */
static enum err_code count_distinct(const struct cv_residuals *h, size_t leaf, const uint32_t *id,
				    size_t n_ids, int64_t *out, struct err *e)
{
	unsigned char *seen = calloc(n_ids + 1, 1);
	int64_t n = 0;

	if (!seen)
		return err_set(e, ERR_NOMEM, "%zu groups", n_ids);
	for (size_t i = 0; i < h->g->table->n; i++) {
		if (h->leaf[i] == leaf) {
			n += !seen[id[i]];
			seen[id[i]] = 1;
		}
	}
	free(seen);
	*out = n;
	return ERR_OK;
}

static enum err_code count_problems(const struct cv_residuals *h, size_t leaf, int64_t *out,
				    struct err *e)
{
	const struct slowdown_table *t = h->g->table;
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	uint32_t *problem = malloc(t->n * sizeof *problem + 1);
	struct row_key key = {.x = t->runs->x, .n_columns = t->n_columns, .column = column};
	size_t n = 0;
	enum err_code rc;

	if (!column || !problem) {
		rc = err_set(e, ERR_NOMEM, "problems of %zu configurations", t->n);
		goto done;
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_PROBLEM)
			column[key.n_key++] = c;
	}
	if (!(rc = group_by(&key, t->first_run, t->n, problem, NULL, &n, e)))
		rc = count_distinct(h, leaf, problem, n, out, e);
done:
	free(column);
	free(problem);
	return rc;
}

/* What is said configuration by configuration. */
static enum err_code measure(const struct cv_residuals *h, size_t leaf, struct rule_evidence *out,
			     struct err *e)
{
	const struct slowdown_table *t = h->g->table;
	double *error = malloc(t->n * sizeof *error + 1);
	double explained = 0;
	size_t n = 0, n_nearer = 0;

	if (!error)
		return err_set(e, ERR_NOMEM, "errors of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		double with = error_with(h, i), without = error_without(h, i);

		if (h->leaf[i] != leaf)
			continue;
		explained += without * without - with * with;
		n_nearer += fabs(with) < fabs(without);
		error[n++] = fabs(with);
	}
	if (n > 0) {
		out->held_out_error = gsl_stats_median(error, 1, n);
		out->confidence = (double)n_nearer / (double)n;
		out->usefulness = fmax(explained / gsl_stats_tss(t->log_time, 1, t->n), 0);
	}
	free(error);
	return ERR_OK;
}

enum err_code time_evidence(const struct cv_residuals *h, size_t leaf, struct rule_evidence *out,
			    struct err *e)
{
	const struct slowdown_table *t = h->g->table;
	enum err_code rc;

	*out = (struct rule_evidence){.effect = 1,
				      .lo = 0,
				      .hi = INFINITY,
				      .versus_others = NAN,
				      .p_value = 1,
				      .held_out_error = NAN};
	if ((rc = measure(h, leaf, out, e)) || (rc = test_blocks(h, leaf, out, e)) ||
	    (rc = count_distinct(h, leaf, t->stratum, t->n_strata, &out->n_cases, e)))
		return rc;
	return count_problems(h, leaf, &out->n_problems, e);
}

/* Mean |log error| of predictions that follow a leaf so far; NaN: none lies in it. */
static double followed_error(const struct cv_residuals *h, size_t leaf, double weight)
{
	const struct time_target *g = h->g;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < g->table->n; i++) {
		double base, error;

		if (h->leaf[i] != leaf || isnan(g->log_base[i]))
			continue;
		base = g->on_model ? 0 : g->log_base[i];
		error = g->y[i] - base;
		if (!isnan(h->formula[i]))
			error -= weight * (h->formula[i] - base);
		sum += fabs(error);
		n++;
	}
	return n > 0 ? sum / (double)n : (double)NAN;
}

/* Does following the leaf so far make predictions worse? */
static bool does_harm(const struct cv_residuals *h, size_t leaf, double weight)
{
	return followed_error(h, leaf, weight) > followed_error(h, leaf, 0);
}

double time_weight(const struct cv_residuals *h, size_t n, size_t leaf)
{
	double best = 0, least;

	if (!h->g->log_base)
		return 0;
	least = (1 - MIN_GAIN) * followed_error(h, leaf, 0);
	for (double weight = 0.25; weight <= 1; weight += 0.25) {
		double error = followed_error(h, leaf, weight);
		bool harmless = error < least;

		for (size_t k = 1; k < n && harmless; k++)
			harmless = !does_harm(&h[k], leaf, weight);
		if (harmless) {
			least = error;
			best = weight;
		}
	}
	return best;
}
