#include "mining/rules/model_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/cases/slowdown_table.h"

/* ---- what is explained ---- */

void time_target_release(struct time_target *g)
{
	slowdown_table_free(g->table);
	free(g->y);
	free(g->log_base);
	free(g->factor);
	free(g->log_x);
	*g = (struct time_target){0};
}

static enum err_code add_base(struct time_target *g, const struct predictor *base, struct err *e)
{
	g->on_model = predictor_is_structural(base);
	g->log_base = malloc(g->table->n * sizeof *g->log_base + 1);
	if (!g->log_base)
		return err_set(e, ERR_NOMEM, "%zu predictions", g->table->n);
	for (size_t i = 0; i < g->table->n; i++) {
		const double time_s = predictor_time_s(base, slowdown_row(g->table, i));

		g->log_base[i] = time_s > 0 && isfinite(time_s) ? log(time_s) : (double)NAN;
		if (g->on_model)
			g->y[i] -= g->log_base[i];
	}
	return ERR_OK;
}

static enum err_code put_typical(struct time_target *g, struct err *e)
{
	double *work = malloc(g->table->n * sizeof *work + 1);

	if (!work)
		return err_set(e, ERR_NOMEM, "%zu times", g->table->n);
	for (size_t i = 0; i < g->table->n; i++)
		work[i] = g->y[i];
	g->typical = gsl_stats_median(work, 1, g->table->n);
	free(work);
	return ERR_OK;
}

enum err_code time_target_make(const struct slowdown_table *t, const struct predictor *base,
			       size_t most, struct time_target *out, struct err *e)
{
	struct time_target g = {0};
	enum err_code rc;

	if ((rc = sample_fold(t, NULL, 0, most, &g.table, e)))
		return rc;
	g.y = malloc(g.table->n * sizeof *g.y + 1);
	if (!g.y) {
		rc = err_set(e, ERR_NOMEM, "%zu times", g.table->n);
		goto done;
	}
	for (size_t i = 0; i < g.table->n; i++)
		g.y[i] = g.table->log_time[i];
	if ((base && (rc = add_base(&g, base, e))) || (!g.on_model && (rc = put_typical(&g, e))))
		goto done;
	*out = g;
	return ERR_OK;
done:
	time_target_release(&g);
	return rc;
}

/* A number that is positive wherever it was seen, and varies. */
static bool may_enter(const struct slowdown_table *t, size_t column)
{
	const struct column_bins *b = &t->bins[column];

	return t->use[column] != USE_NONE && b->ordered && b->n > 1 && b->low[0] > 0;
}

enum err_code time_target_add_factors(struct time_target *g, struct err *e)
{
	const struct slowdown_table *t = g->table;
	size_t n = 0;

	g->factor = calloc(t->n_columns + 1, sizeof *g->factor);
	for (size_t c = 0; g->factor && c < t->n_columns; c++) {
		if (may_enter(t, c))
			g->factor[n++] = c;
	}
	g->log_x = malloc(n * t->n * sizeof *g->log_x + 1);
	if (!g->factor || !g->log_x)
		return err_set(e, ERR_NOMEM, "%zu columns of %zu configurations", n, t->n);
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i);

		for (size_t k = 0; k < n; k++) {
			double x = row[g->factor[k]];

			g->log_x[k * t->n + i] = x > 0 && isfinite(x) ? log(x) : (double)NAN;
		}
	}
	g->data = (struct power_data){t->n, g->y, n, g->factor, g->log_x};
	return ERR_OK;
}

/* ---- a tree ---- */

/* A leaf carries so many configurations, and so many more for each number of its formula. */
enum { LEAF_MIN = 20, LEAF_MIN_PER_NUMBER = 10 };

/* Residuals beyond this many robust standard deviations count as just that far. */
#define CLIP 3.0
/* The least gain of a split, in variances of the residuals: the largest of some hundred chi-squared
 * values (columns times thresholds) of pure noise is about 2 log(400). */
#define MIN_GAIN 12.0
/* log time: a variance that nobody wants explained (0.01 % of the time) */
#define EXPLAINED 1e-8

struct tree_split {
	double gain; /* in squared error; 0: none is worth it */
	struct bin_condition side[2];
};

struct growth {
	const struct slowdown_table *t;
	const struct power_data *d;
	size_t max_terms, leaf_min;
	struct model_tree *tree;
	/* The rows of node k are row[first[k] .. first[k] + n[k] - 1]. */
	uint32_t *row;
	size_t first[MODEL_TREE_NODES], n[MODEL_TREE_NODES], depth[MODEL_TREE_NODES];
	struct tree_split split[MODEL_TREE_NODES];
	double *residual, *work; /* [d->n] of the node at hand, in the order of its rows */
	uint32_t *moved;	 /* [d->n] */
};

/* What the rows of a node have per code of a column. */
struct bin_sums {
	double sum[MAX_BINS + 1];
	size_t n[MAX_BINS + 1];
	/* the codes that occur: ascending, those of text by their mean */
	unsigned char order[MAX_BINS];
	size_t n_codes;
};

static double mean_of(const struct bin_sums *b, unsigned char code)
{
	return b->sum[code] / (double)b->n[code];
}

static void order_codes(struct bin_sums *b, bool by_mean)
{
	b->n_codes = 0;
	for (size_t code = 0; code < MAX_BINS; code++) {
		size_t at = b->n_codes;

		if (b->n[code] == 0)
			continue;
		for (; by_mean && at > 0; at--) {
			if (mean_of(b, b->order[at - 1]) <= mean_of(b, (unsigned char)code))
				break;
			b->order[at] = b->order[at - 1];
		}
		b->order[at] = (unsigned char)code;
		b->n_codes++;
	}
}

static void sum_bins(const struct growth *g, size_t node, size_t column, struct bin_sums *b)
{
	const unsigned char *code = slowdown_codes(g->t, column);
	const uint32_t *row = g->row + g->first[node];

	memset(b->sum, 0, sizeof b->sum);
	memset(b->n, 0, sizeof b->n);
	for (size_t k = 0; k < g->n[node]; k++) {
		b->sum[code[row[k]]] += g->residual[k];
		b->n[code[row[k]]]++;
	}
	order_codes(b, !g->t->bins[column].ordered);
}

/* The two sides of a cut after the first `cut` codes in order. */
static void put_sides(const struct growth *g, size_t column, const struct bin_sums *b, size_t cut,
		      struct bin_condition side[2])
{
	const struct column_bins *bins = &g->t->bins[column];

	memset(side, 0, 2 * sizeof *side);
	side[0].column = side[1].column = column;
	if (bins->ordered) {
		side[0].hi = b->order[cut - 1];
		side[1].lo = (unsigned char)(side[0].hi + 1);
		side[1].hi = (unsigned char)(bins->n - 1);
		return;
	}
	for (size_t k = 0; k < b->n_codes; k++) {
		struct bin_condition *s = &side[k >= cut];

		s->set[b->order[k] / 64] |= UINT64_C(1) << (b->order[k] % 64);
	}
	side[0].is_set = side[1].is_set = true;
}

static void try_column(struct growth *g, size_t node, size_t column, struct tree_split *best)
{
	struct bin_sums b;
	double all = 0, left = 0;
	size_t n_all = 0, n_left = 0, cut = 0;
	double least = best->gain;

	sum_bins(g, node, column, &b);
	for (size_t k = 0; k < b.n_codes; k++) {
		all += b.sum[b.order[k]];
		n_all += b.n[b.order[k]];
	}
	for (size_t k = 0; k + 1 < b.n_codes; k++) {
		double n, gain;

		left += b.sum[b.order[k]];
		n_left += b.n[b.order[k]];
		if (n_left < g->leaf_min || n_all - n_left < g->leaf_min)
			continue;
		n = (double)n_left;
		gain = left * left / n + (all - left) * (all - left) / ((double)n_all - n) -
		       all * all / (double)n_all;
		if (gain > least) {
			least = gain;
			cut = k + 1;
		}
	}
	if (cut > 0) {
		best->gain = least;
		put_sides(g, column, &b, cut, best->side);
	}
}

/* Residuals of the node's rows, clipped; returns their squared error. */
static double put_residuals(struct growth *g, size_t node)
{
	const struct power_formula *f = &g->tree->node[node].formula;
	const uint32_t *row = g->row + g->first[node];
	double reach, error = 0;

	for (size_t k = 0; k < g->n[node]; k++) {
		double fitted = power_formula_log_at(f, g->d, row[k]);

		/* a factor that only this row lacks: it says nothing about splits */
		g->residual[k] = isnan(fitted) ? 0 : g->d->y[row[k]] - fitted;
		g->work[k] = fabs(g->residual[k]);
	}
	reach = CLIP * 1.4826 * gsl_stats_median(g->work, 1, g->n[node]);
	for (size_t k = 0; k < g->n[node]; k++) {
		double r = g->residual[k];

		if (reach > 0)
			r = g->residual[k] = fmin(fmax(r, -reach), reach);
		error += r * r;
	}
	return error;
}

static void find_split(struct growth *g, size_t node)
{
	struct tree_split *best = &g->split[node];
	double variance = put_residuals(g, node) / (double)g->n[node];

	best->gain = 0;
	if (g->depth[node] == MODEL_TREE_DEPTH || g->n[node] < 2 * g->leaf_min ||
	    variance < EXPLAINED)
		return;
	best->gain = MIN_GAIN * variance;
	best->side[0].column = SIZE_MAX;
	for (size_t c = 0; c < g->t->n_columns; c++) {
		if (g->t->use[c] != USE_NONE && g->t->bins[c].n > 1)
			try_column(g, node, c, best);
	}
	if (best->side[0].column == SIZE_MAX)
		best->gain = 0;
}

static enum err_code open_node(struct growth *g, size_t node, struct err *e)
{
	enum err_code rc = power_formula_fit(g->d, g->row + g->first[node], g->n[node],
					     g->max_terms, &g->tree->node[node].formula, e);

	if (!rc)
		find_split(g, node);
	return rc;
}

/* The rows of a node, those of its first child first, then those of the second; the others, whose
 * value is missing, are in neither. */
static void divide_rows(struct growth *g, size_t node, size_t child)
{
	const struct tree_split *s = &g->split[node];
	const unsigned char *code = slowdown_codes(g->t, s->side[0].column);
	uint32_t *row = g->row + g->first[node];
	size_t at = 0;

	for (size_t side = 0; side < 2; side++) {
		g->first[child + side] = g->first[node] + at;
		for (size_t k = 0; k < g->n[node]; k++) {
			if (bin_condition_holds(&s->side[side], code[row[k]]))
				g->moved[at++] = row[k];
		}
		g->n[child + side] = g->first[node] + at - g->first[child + side];
		g->depth[child + side] = g->depth[node] + 1;
	}
	memcpy(row, g->moved, at * sizeof *row);
}

/* *done: no leaf is left that is worth splitting. */
static enum err_code split_best(struct growth *g, bool *done, struct err *e)
{
	struct model_tree *m = g->tree;
	size_t best = SIZE_MAX, child = m->n_nodes;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < m->n_nodes; k++) {
		if (m->node[k].child == 0 && g->split[k].gain > 0 &&
		    (best == SIZE_MAX || g->split[k].gain > g->split[best].gain))
			best = k;
	}
	*done = best == SIZE_MAX;
	if (*done)
		return ERR_OK;
	divide_rows(g, best, child);
	for (size_t side = 0; side < 2 && !rc; side++) {
		struct tree_node *node = &m->node[child + side];

		node->enter = g->split[best].side[side];
		/* there is room: conditions are at most as many as the tree is deep */
		conjunction_and(&m->node[best].path, &node->enter, &node->path);
		rc = open_node(g, child + side, e);
	}
	m->node[best].child = child;
	m->node[best].order = m->n_leaves++;
	m->n_nodes += 2;
	return rc;
}

static enum err_code grow(struct growth *g, const unsigned char *leave_out, struct err *e)
{
	bool done = false;
	enum err_code rc;

	for (size_t i = 0; i < g->d->n; i++) {
		if (!isnan(g->d->y[i]) && !(leave_out && leave_out[i]))
			g->row[g->n[0]++] = (uint32_t)i;
	}
	if (g->n[0] < g->leaf_min)
		return ERR_OK;
	if ((rc = open_node(g, 0, e)))
		return rc;
	g->tree->n_nodes = g->tree->n_leaves = 1;
	while (!rc && !done && g->tree->n_leaves < MODEL_TREE_LEAVES)
		rc = split_best(g, &done, e);
	return rc;
}

enum err_code model_tree_grow(const struct slowdown_table *t, const struct power_data *d,
			      const unsigned char *leave_out, size_t max_terms,
			      struct model_tree *out, struct err *e)
{
	struct growth *g = calloc(1, sizeof *g);
	struct model_tree *tree = calloc(1, sizeof *tree);
	enum err_code rc = ERR_OK;

	if (g) {
		g->t = t;
		g->d = d;
		g->tree = tree;
		g->max_terms = max_terms;
		g->leaf_min = LEAF_MIN_PER_NUMBER * (max_terms + 1);
		if (g->leaf_min < LEAF_MIN)
			g->leaf_min = LEAF_MIN;
		g->row = malloc(d->n * sizeof *g->row + 1);
		g->moved = malloc(d->n * sizeof *g->moved + 1);
		g->residual = malloc(d->n * sizeof *g->residual + 1);
		g->work = malloc(d->n * sizeof *g->work + 1);
	}
	if (!g || !tree || !g->row || !g->moved || !g->residual || !g->work)
		rc = err_set(e, ERR_NOMEM, "tree over %zu configurations", d->n);
	else if (!(rc = grow(g, leave_out, e)))
		*out = *tree;
	if (g) {
		free(g->row);
		free(g->moved);
		free(g->residual);
		free(g->work);
	}
	free(g);
	free(tree);
	return rc;
}

size_t model_tree_leaf(const struct model_tree *m, size_t n_leaves, const struct slowdown_table *t,
		       size_t i)
{
	size_t at = 0;

	while (m->node[at].child != 0 && m->node[at].order < n_leaves) {
		size_t child = m->node[at].child;
		unsigned char code = slowdown_codes(t, m->node[child].enter.column)[i];

		if (bin_condition_holds(&m->node[child].enter, code))
			at = child;
		else if (bin_condition_holds(&m->node[child + 1].enter, code))
			at = child + 1;
		else
			return SIZE_MAX;
	}
	return m->n_nodes > 0 ? at : SIZE_MAX;
}

/* ---- a tree and its judges ---- */

/* Sizes that are compared: formulas of 0..POWER_FORMULA_TERMS columns, trees
 * of 1..MODEL_TREE_LEAVES leaves; leaves 0 is no tree at all. */
enum { N_TERMS = POWER_FORMULA_TERMS + 1, N_LEAVES = MODEL_TREE_LEAVES + 1 };

struct tree_comparison {
	struct model_tree tree[N_TERMS][TIME_FOLDS];
	double error[N_TERMS][N_LEAVES][TIME_FOLDS]; /* mean |y - formula| of the fold */
};

static enum err_code grow_without(const struct time_target *g, const unsigned char *fold,
				  unsigned which, size_t max_terms, struct model_tree *out,
				  struct err *e)
{
	unsigned char *leave_out = calloc(g->table->n + 1, sizeof *leave_out);
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
static void choose_size(const struct tree_comparison *c, size_t *terms, size_t *leaves)
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
			     const struct progress *p, struct tree_comparison *c, struct err *e)
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
	struct tree_comparison *c = calloc(1, sizeof *c);
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
