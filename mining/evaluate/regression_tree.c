#include "mining/evaluate/regression_tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mining/cases/conjunction.h"

enum {
	LEAF_MIN = 5, /* configurations; of the order of what other programs take (rpart: 7) */
	LEAVES_MAX = 512,
	NODES_MAX = 2 * LEAVES_MAX - 1,
	FOLDS = 5
};

struct cart_split {
	double gain;		    /* in squared error; 0: none is worth it */
	struct bin_condition first; /* who goes to the first child */
	bool missing_first;
};

struct cart_node {
	double mean;
	struct cart_split split;
	size_t child; /* and child + 1; 0: none */
	size_t order; /* it was the order-th to be split, from 1 */
};

struct regression_tree {
	const struct slowdown_table *t; /* borrowed */
	struct cart_node node[NODES_MAX];
	size_t n_nodes;
	size_t n_leaves; /* in use: nodes split later than that are leaves */
};

struct cart_growth {
	const struct slowdown_table *t;
	struct regression_tree *tree;
	uint32_t *row, *moved; /* the rows of node k: row[first[k] .. first[k] + n[k] - 1] */
	size_t first[NODES_MAX], n[NODES_MAX];
};

/* What the rows of a node have per code of a column. */
struct tree_code_sums {
	double sum[MAX_BINS + 1];
	size_t n[MAX_BINS + 1];
	unsigned char order[MAX_BINS]; /* codes that occur: ascending, those of text by mean */
	size_t n_codes;
};

static double mean_of(const struct tree_code_sums *s, unsigned char code)
{
	return s->sum[code] / (double)s->n[code];
}

static void sum_codes(const struct cart_growth *g, size_t node, size_t column,
		      struct tree_code_sums *s)
{
	const unsigned char *code = slowdown_codes(g->t, column);
	const uint32_t *row = g->row + g->first[node];
	bool by_mean = !g->t->bins[column].ordered;

	memset(s, 0, sizeof *s);
	for (size_t k = 0; k < g->n[node]; k++) {
		s->sum[code[row[k]]] += g->t->log_time[row[k]];
		s->n[code[row[k]]]++;
	}
	for (size_t c = 0; c < MAX_BINS; c++) {
		size_t at = s->n_codes;

		if (s->n[c] == 0)
			continue;
		for (; by_mean && at > 0 &&
		       mean_of(s, s->order[at - 1]) > mean_of(s, (unsigned char)c);
		     at--)
			s->order[at] = s->order[at - 1];
		s->order[at] = (unsigned char)c;
		s->n_codes++;
	}
}

/* The first `cut` codes in order. */
static void put_first(const struct cart_growth *g, size_t column, const struct tree_code_sums *s,
		      size_t cut, struct bin_condition *out)
{
	*out = (struct bin_condition){.column = column};
	if (g->t->bins[column].ordered) {
		out->hi = s->order[cut - 1];
		return;
	}
	out->is_set = true;
	for (size_t k = 0; k < cut; k++)
		out->set[s->order[k] / 64] |= UINT64_C(1) << (s->order[k] % 64);
}

static void try_column(const struct cart_growth *g, size_t node, size_t column,
		       struct cart_split *best)
{
	struct tree_code_sums s;
	double all = 0, first = 0;
	size_t n_all = 0, n_first = 0;

	sum_codes(g, node, column, &s);
	for (size_t k = 0; k < s.n_codes; k++) {
		all += s.sum[s.order[k]];
		n_all += s.n[s.order[k]];
	}
	for (size_t k = 0; k + 1 < s.n_codes; k++) {
		double n, n_second, gain;

		first += s.sum[s.order[k]];
		n_first += s.n[s.order[k]];
		if (n_first < LEAF_MIN || n_all - n_first < LEAF_MIN)
			continue;
		n = (double)n_first;
		n_second = (double)(n_all - n_first);
		gain = first * first / n + (all - first) * (all - first) / n_second -
		       all * all / (double)n_all;
		if (gain > best->gain) {
			best->gain = gain;
			best->missing_first = 2 * n_first > n_all;
			put_first(g, column, &s, k + 1, &best->first);
		}
	}
}

static void open_node(struct cart_growth *g, size_t node)
{
	struct cart_node *at = &g->tree->node[node];
	const uint32_t *row = g->row + g->first[node];
	double sum = 0;

	*at = (struct cart_node){.mean = 0};
	for (size_t k = 0; k < g->n[node]; k++)
		sum += g->t->log_time[row[k]];
	at->mean = sum / (double)g->n[node];
	if (g->n[node] < 2 * LEAF_MIN)
		return;
	for (size_t c = 0; c < g->t->n_columns; c++) {
		if (g->t->use[c] != USE_NONE && g->t->bins[c].n > 1)
			try_column(g, node, c, &at->split);
	}
}

static bool goes_first(const struct cart_split *s, unsigned char code)
{
	return code == BIN_MISSING ? s->missing_first : bin_condition_holds(&s->first, code);
}

static void divide(struct cart_growth *g, size_t node, size_t child)
{
	const struct cart_split *s = &g->tree->node[node].split;
	const unsigned char *code = slowdown_codes(g->t, s->first.column);
	uint32_t *row = g->row + g->first[node];
	size_t n_first = 0, n_second = 0;

	for (size_t k = 0; k < g->n[node]; k++) {
		if (goes_first(s, code[row[k]]))
			row[n_first++] = row[k];
		else
			g->moved[n_second++] = row[k];
	}
	memcpy(row + n_first, g->moved, n_second * sizeof *row);
	g->first[child] = g->first[node];
	g->n[child] = n_first;
	g->first[child + 1] = g->first[node] + n_first;
	g->n[child + 1] = n_second;
}

static size_t best_leaf(const struct regression_tree *m)
{
	size_t best = SIZE_MAX;

	for (size_t k = 0; k < m->n_nodes; k++) {
		if (m->node[k].child == 0 && m->node[k].split.gain > 0 &&
		    (best == SIZE_MAX || m->node[k].split.gain > m->node[best].split.gain))
			best = k;
	}
	return best;
}

/* From all configurations but those of blocks with fold[block] = without. */
static enum err_code grow(const struct slowdown_table *t, const unsigned char *fold,
			  unsigned without, struct regression_tree *out, struct err *e)
{
	struct cart_growth *g = calloc(1, sizeof *g);
	uint32_t *row = malloc(2 * t->n * sizeof *row + 1);
	size_t at;

	if (!g || !row) {
		free(g);
		free(row);
		return err_set(e, ERR_NOMEM, "tree over %zu configurations", t->n);
	}
	*g = (struct cart_growth){.t = t, .tree = out, .row = row, .moved = row + t->n};
	for (size_t i = 0; i < t->n; i++) {
		if (fold[t->block[i]] != without)
			row[g->n[0]++] = (uint32_t)i;
	}
	out->t = t;
	out->n_nodes = out->n_leaves = g->n[0] > 0;
	if (g->n[0] > 0)
		open_node(g, 0);
	while (out->n_leaves < LEAVES_MAX && (at = best_leaf(out)) != SIZE_MAX) {
		size_t child = out->n_nodes;

		divide(g, at, child);
		open_node(g, child);
		open_node(g, child + 1);
		out->node[at].child = child;
		out->node[at].order = out->n_leaves++;
		out->n_nodes += 2;
	}
	free(row);
	free(g);
	return ERR_OK;
}

/* error[k]: of the tree with k leaves, k = 1 .. LEAVES_MAX, as differences of one size to the next:
 * the node that a configuration ends in changes only where the path to it is split. */
static void add_error(const struct regression_tree *m, size_t i, double *error)
{
	size_t at = 0, from = 1;

	for (;;) {
		const struct cart_node *node = &m->node[at];
		double off = m->t->log_time[i] - node->mean;

		error[from] += off * off;
		if (node->child == 0)
			return;
		from = node->order + 1;
		error[from] -= off * off;
		at = node->child +
		     !goes_first(&node->split, slowdown_codes(m->t, node->split.first.column)[i]);
	}
}

/* The number of leaves with the least squared error on blocks that trees had not seen. */
static enum err_code choose_size(const struct slowdown_table *t, const unsigned char *fold,
				 struct regression_tree *work, size_t *n_leaves, struct err *e)
{
	double error[LEAVES_MAX + 1] = {0}, least;
	enum err_code rc;

	for (unsigned f = 0; f < FOLDS; f++) {
		if ((rc = grow(t, fold, f, work, e)))
			return rc;
		for (size_t i = 0; work->n_nodes > 0 && i < t->n; i++) {
			if (fold[t->block[i]] == f)
				add_error(work, i, error);
		}
	}
	*n_leaves = 1;
	least = error[1];
	for (size_t k = 2; k <= LEAVES_MAX; k++) {
		error[k] += error[k - 1];
		/* beyond rounding, or trees that grew no further would seem better */
		if (error[k] < least * (1 - 1e-9)) {
			least = error[k];
			*n_leaves = k;
		}
	}
	return ERR_OK;
}

enum err_code regression_tree_fit(const struct slowdown_table *t, struct regression_tree **out,
				  struct err *e)
{
	struct regression_tree *m = calloc(1, sizeof *m);
	unsigned char *fold = malloc(t->n_blocks + 1);
	size_t n_leaves;
	enum err_code rc;

	if (!m || !fold)
		rc = err_set(e, ERR_NOMEM, "tree over %zu configurations", t->n);
	else if (!(rc = slowdown_folds(t, FOLDS, fold, e)) &&
		 !(rc = choose_size(t, fold, m, &n_leaves, e)) &&
		 !(rc = grow(t, fold, FOLDS, m, e))) {
		m->n_leaves = n_leaves < m->n_leaves ? n_leaves : m->n_leaves;
		*out = m;
		m = NULL;
	}
	free(m);
	free(fold);
	return rc;
}

void regression_tree_free(struct regression_tree *m)
{
	free(m);
}

double regression_tree_log_time(const struct regression_tree *m, const double *row)
{
	size_t at = 0;

	while (m->node[at].child != 0 && m->node[at].order < m->n_leaves) {
		const struct cart_split *s = &m->node[at].split;
		const struct column_bins *bins = &m->t->bins[s->first.column];

		at = m->node[at].child +
		     !goes_first(s, column_bins_code(bins, row[s->first.column]));
	}
	return m->node[at].mean;
}

size_t regression_tree_leaves(const struct regression_tree *m)
{
	return m->n_leaves;
}
