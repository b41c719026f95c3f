#include "mining/rules/time_trees.h"

#include <math.h>
#include <stdlib.h>

/* Sizes that are compared: formulas of 0..POWER_FORMULA_TERMS columns, trees
 * of 1..MODEL_TREE_LEAVES leaves; leaves 0 is no tree at all. */
enum { N_TERMS = POWER_FORMULA_TERMS + 1, N_LEAVES = MODEL_TREE_LEAVES + 1 };

struct comparison {
	struct model_tree tree[N_TERMS][TIME_FOLDS];
	double error[N_TERMS][N_LEAVES][TIME_FOLDS]; /* mean |y - formula| of the fold */
};

static enum err_code grow_without(const struct time_target *g, const unsigned char *fold,
				  unsigned which, size_t max_terms, struct model_tree *out,
				  struct err *e)
{
	unsigned char *leave_out = malloc(g->table->n + 1);
	enum err_code rc;

	if (!leave_out)
		return err_set(e, ERR_NOMEM, "fold of %zu configurations", g->table->n);
	for (size_t i = 0; i < g->table->n; i++)
		leave_out[i] = fold[g->table->block[i]] == which;
	rc = model_tree_grow(g->table, &g->data, leave_out, max_terms, out, e);
	free(leave_out);
	return rc;
}

/* error[leaves]: of one configuration, added. */
static void add_errors(const struct time_target *g, const struct model_tree *m, size_t i,
		       double *sum)
{
	double error = fabs(g->y[i] - g->typical);
	size_t at = SIZE_MAX;

	sum[0] += error;
	for (size_t leaves = 1; leaves < N_LEAVES; leaves++) {
		size_t leaf = model_tree_leaf(m, leaves, g->table, i);

		if (leaf != SIZE_MAX && leaf != at) {
			double f = power_formula_log_at(&m->node[leaf].formula, &g->data, i);

			error = fabs(g->y[i] - (isnan(f) ? g->typical : f));
		} else if (leaf == SIZE_MAX) {
			error = fabs(g->y[i] - g->typical);
		}
		at = leaf;
		sum[leaves] += error;
	}
}

static void measure_fold(const struct time_target *g, const unsigned char *fold, unsigned which,
			 const struct model_tree *m, double error[N_LEAVES][TIME_FOLDS])
{
	double sum[N_LEAVES] = {0};
	size_t n = 0;

	for (size_t i = 0; i < g->table->n; i++) {
		if (fold[g->table->block[i]] == which && !isnan(g->y[i])) {
			add_errors(g, m, i, sum);
			n++;
		}
	}
	for (size_t leaves = 0; leaves < N_LEAVES; leaves++)
		error[leaves][which] = n > 0 ? sum[leaves] / (double)n : 0;
}

static double mean(const double *x)
{
	double sum = 0;

	for (int f = 0; f < TIME_FOLDS; f++)
		sum += x[f];
	return sum / TIME_FOLDS;
}

/* Is a's error within one standard error of that of the best (Breiman et al. 1984, section 3.4.3)?
 * Of their difference, fold by fold: folds differ in how hard they are. */
static bool as_good(const double *a, const double *best)
{
	double excess = mean(a) - mean(best), sum = 0;

	for (int f = 0; f < TIME_FOLDS; f++) {
		double d = a[f] - best[f] - excess;

		sum += d * d;
	}
	return excess <= sqrt(sum / (TIME_FOLDS - 1) / TIME_FOLDS);
}

/* The smallest tree, by the numbers in its formulas, that is as good as the best. */
static void choose_size(const struct comparison *c, size_t *terms, size_t *leaves)
{
	const double *best = c->error[0][0];
	size_t least = SIZE_MAX;

	for (size_t m = 0; m < N_TERMS; m++) {
		for (size_t k = 1; k < N_LEAVES; k++)
			best = mean(c->error[m][k]) < mean(best) ? c->error[m][k] : best;
	}
	for (size_t m = 0; m < N_TERMS; m++) {
		for (size_t k = 0; k < N_LEAVES; k++) {
			if (k * (m + 1) < least && as_good(c->error[m][k], best)) {
				least = k * (m + 1);
				*terms = m;
				*leaves = k;
			}
		}
	}
}

static enum err_code compare(const struct time_target *g, const unsigned char *fold,
			     const struct progress *p, struct comparison *c, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (unsigned k = 0; k < N_TERMS * TIME_FOLDS && !rc; k++) {
		unsigned m = k / TIME_FOLDS, f = k % TIME_FOLDS;

		if (!progress_step(p, "looking for time rules", k, N_TERMS * TIME_FOLDS))
			return err_set(e, ERR_INTERRUPTED, "interrupted while mining time rules");
		rc = grow_without(g, fold, f, m, &c->tree[m][f], e);
		if (!rc)
			measure_fold(g, fold, f, &c->tree[m][f], c->error[m]);
	}
	return rc;
}

enum err_code time_trees_grow(const struct time_target *g, const unsigned char *fold,
			      const struct progress *p, struct time_trees *out, struct err *e)
{
	struct comparison *c = calloc(1, sizeof *c);
	enum err_code rc;

	if (!c)
		return err_set(e, ERR_NOMEM, "trees of %d sizes", N_TERMS * MODEL_TREE_LEAVES);
	rc = compare(g, fold, p, c, e);
	if (!rc) {
		choose_size(c, &out->max_terms, &out->n_leaves);
		for (int f = 0; f < TIME_FOLDS; f++)
			out->fold[f] = c->tree[out->max_terms][f];
	}
	if (!rc && out->n_leaves > 0)
		rc = model_tree_grow(g->table, &g->data, NULL, out->max_terms, &out->whole, e);
	if (!rc && out->whole.n_leaves < out->n_leaves)
		out->n_leaves = out->whole.n_leaves;
	free(c);
	return rc;
}
