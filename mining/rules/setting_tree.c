#include "mining/rules/setting_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CONTEXT_GROUPS = 8, /* a context is split between this many groups of values */
	MIN_CASES = 5,	    /* on each side of a split */
	MIN_BLOCKS = 3
};

/* Two rules instead of one have to save this much over all cases [log time], and this many standard
 * errors. Choices: the best of many splits always seems to save something. */
#define WORTH_A_SPLIT 0.01
#define SURE_OF_SPLIT 2.0

static bool holds_for(const struct conjunction *where, const struct setting_cases *s, size_t c)
{
	for (size_t k = 0; k < where->n; k++) {
		size_t at = 0;

		while (s->context[at] != where->of[k].column)
			at++;
		if (!bin_condition_holds(&where->of[k], s->context_code[at * s->n_cases + c]))
			return false;
	}
	return true;
}

size_t setting_tree_find(const struct setting_tree *tree, unsigned depth,
			 const struct setting_cases *s, size_t c)
{
	size_t at = 0;

	for (unsigned d = 0; d < depth && tree->node[at].split; d++) {
		size_t side = 2 * at + 1;

		if (!holds_for(&tree->node[side].where, s, c))
			side++;
		if (!holds_for(&tree->node[side].where, s, c))
			return SIZE_MAX;
		at = side;
	}
	return at;
}

static unsigned level(size_t at)
{
	unsigned above = 0;

	for (; at > 0; at = (at - 1) / 2)
		above++;
	return above;
}

bool setting_tree_is_end(const struct setting_tree *tree, unsigned depth, size_t at)
{
	bool reached = at == 0 || tree->node[(at - 1) / 2].split;

	return reached && (level(at) == depth || (level(at) < depth && !tree->node[at].split));
}

unsigned setting_tree_depth(const struct setting_tree *tree)
{
	unsigned depth = 0;

	for (size_t at = 0; at < TREE_NODES; at++) {
		if (tree->node[at].split)
			depth = level(at) + 1;
	}
	return depth;
}

/* ---- candidates for a split ---- */

/* Values of a context in groups of about equal weight; a text level is a group (the last takes
 * those left over). */
struct context_groups {
	size_t n;
	bool ordered;
	unsigned char of[256];
	unsigned char high[CONTEXT_GROUPS]; /* highest code in it, or the level */
};

static void group_context(const struct single_conditions *q, size_t k, struct context_groups *out)
{
	const struct setting_cases *s = q->s;
	const unsigned char *code = s->context_code + k * s->n_cases;
	double weight[256] = {0}, below = 0, total = 0;
	size_t n_seen = 0;

	for (size_t i = 0; i < q->n; i++)
		weight[code[q->which[i]]] += q->weight[i];
	for (size_t b = 0; b < BIN_MISSING; b++) {
		n_seen += weight[b] > 0;
		total += weight[b];
	}
	*out = (struct context_groups){.ordered = s->t->bins[s->context[k]].ordered};
	memset(out->of, CONTEXT_GROUPS, sizeof out->of);
	for (size_t b = 0; b < BIN_MISSING; b++) {
		bool has_room = out->ordered && n_seen > CONTEXT_GROUPS &&
				below < total * (double)out->n / CONTEXT_GROUPS;

		if (weight[b] == 0)
			continue;
		if (out->n == 0 || (out->n < CONTEXT_GROUPS && !has_room))
			out->n++;
		out->of[b] = (unsigned char)(out->n - 1);
		out->high[out->n - 1] = (unsigned char)b;
		below += weight[b];
	}
}

struct setting_split {
	struct bin_condition left, right;
	double saved; /* by one condition on each side, over all cases; 0: there is no split */
};

static void write_sides(const struct single_conditions *q, size_t k, const struct context_groups *g,
			size_t group, struct setting_split *out)
{
	size_t column = q->s->context[k], n_bins = q->s->t->bins[column].n;

	out->left = out->right = (struct bin_condition){.column = column, .is_set = !g->ordered};
	if (g->ordered) {
		out->left.hi = g->high[group];
		out->right.lo = (unsigned char)(g->high[group] + 1);
		out->right.hi = (unsigned char)(n_bins - 1);
		return;
	}
	for (size_t b = 0; b < BIN_MISSING; b++) {
		struct bin_condition *side = g->of[b] == group ? &out->left : &out->right;

		if (g->of[b] < CONTEXT_GROUPS)
			side->set[b / 64] |= UINT64_C(1) << (b % 64);
	}
}

/* Are there cases and blocks enough for a rule where the condition on context k holds? */
static bool enough(const struct single_conditions *q, size_t k, const struct bin_condition *side,
		   unsigned char *block_seen)
{
	const unsigned char *code = q->s->context_code + k * q->s->n_cases;
	size_t n_cases = 0, n_blocks = 0;

	memset(block_seen, 0, q->s->t->n_blocks);
	for (size_t i = 0; i < q->n; i++) {
		uint32_t block = q->s->block[q->which[i]];

		if (!bin_condition_holds(side, code[q->which[i]]))
			continue;
		n_cases++;
		n_blocks += !block_seen[block];
		block_seen[block] = 1;
	}
	return n_cases >= MIN_CASES && n_blocks >= MIN_BLOCKS;
}

/* What every single setting saves over some cases, times their weight. */
struct single_sums {
	double weight;
	float *saved;
};

static void sums_join(const float *saved, size_t n_items, double weight, struct single_sums *to)
{
	to->weight += weight;
	for (size_t k = 0; k < n_items; k++)
		to->saved[k] += saved[k];
}

/* What the best single setting saves in the cases of *all without those of *but (NULL: none), cost
 * of the condition taken off; times their weight. */
static double best_single(const struct single_conditions *q, const struct single_sums *all,
			  const struct single_sums *but)
{
	double best = 0, weight = all->weight - (but ? but->weight : 0);

	for (size_t k = 0; k < q->s->n_choices; k++) {
		double cost = weight * single_conditions_cost(q, k);

		for (size_t j = q->first[k]; j < q->first[k + 1]; j++)
			best = fmax(best, all->saved[j] - (but ? but->saved[j] : 0.0F) - cost);
	}
	return best;
}

struct split_work {
	struct single_sums all, group[CONTEXT_GROUPS];
	float *sums; /* theirs */
	unsigned char *block_seen;
};

/* Sums by group of context k: an ordered one's then of all groups up to each. */
static void sum_groups(const struct single_conditions *q, size_t k, const struct context_groups *g,
		       struct split_work *w)
{
	const unsigned char *code = q->s->context_code + k * q->s->n_cases;
	size_t n = q->n_items;

	memset(w->sums, 0, (CONTEXT_GROUPS + 1) * n * sizeof *w->sums);
	w->all.weight = 0;
	for (size_t group = 0; group < CONTEXT_GROUPS; group++)
		w->group[group].weight = 0;
	for (size_t i = 0; i < q->n; i++) {
		unsigned char group = g->of[code[q->which[i]]];

		if (group < CONTEXT_GROUPS)
			sums_join(q->saved + i * n, n, q->weight[i], &w->group[group]);
	}
	for (size_t group = 0; group < g->n; group++) {
		const struct single_sums *before = &w->group[group - (group > 0)];

		sums_join(w->group[group].saved, n, w->group[group].weight, &w->all);
		if (group > 0 && g->ordered)
			sums_join(before->saved, n, before->weight, &w->group[group]);
	}
}

static void try_context(const struct single_conditions *q, size_t k, struct split_work *w,
			struct setting_split *best)
{
	struct context_groups g;

	group_context(q, k, &g);
	if (g.n < 2)
		return;
	sum_groups(q, k, &g, w);
	for (size_t group = 0; group + g.ordered < g.n; group++) {
		struct setting_split made;

		made.saved = best_single(q, &w->group[group], NULL) +
			     best_single(q, &w->all, &w->group[group]);
		if (made.saved <= best->saved)
			continue;
		write_sides(q, k, &g, group, &made);
		if (enough(q, k, &made.left, w->block_seen) &&
		    enough(q, k, &made.right, w->block_seen))
			*best = made;
	}
}

static enum err_code find_split(const struct single_conditions *q, struct setting_split *out,
				struct err *e)
{
	struct split_work w;
	enum err_code rc = ERR_OK;

	*out = (struct setting_split){.saved = 0};
	w.sums = calloc((CONTEXT_GROUPS + 1) * q->n_items + 1, sizeof *w.sums);
	w.block_seen = malloc(q->s->t->n_blocks + 1);
	if (w.sums && w.block_seen) {
		w.all.saved = w.sums;
		for (size_t g = 0; g < CONTEXT_GROUPS; g++)
			w.group[g].saved = w.sums + (g + 1) * q->n_items;
		for (size_t k = 0; k < q->s->n_contexts; k++)
			try_context(q, k, &w, out);
	} else {
		rc = err_set(e, ERR_NOMEM, "contexts of %zu settings", q->n_items);
	}
	free(w.sums);
	free(w.block_seen);
	return rc;
}

/* ---- growing ---- */

/* What following a setting saves in a case: nothing where it cannot be had. */
static double saves(const struct setting_cases *s, size_t c, const struct conjunction *setting)
{
	struct setting_contrast seen = setting_cases_contrast(s, c, setting);

	return seen.n_in > 0 ? s->mean[c] - seen.in : 0;
}

/* Do the settings of both sides together save enough over the one of all? */
static bool worthwhile(const struct single_conditions *q, const struct setting_node *all,
		       const struct setting_node side[2])
{
	double mean = 0, w2 = 0, w2_more = 0, w2_more2 = 0;

	for (size_t i = 0; i < q->n; i++) {
		size_t c = q->which[i];
		double w = q->weight[i], more = -saves(q->s, c, &all->setting);

		for (size_t k = 0; k < 2; k++) {
			if (holds_for(&side[k].where, q->s, c))
				more += saves(q->s, c, &side[k].setting);
		}
		mean += w * more;
		w2 += w * w;
		w2_more += w * w * more;
		w2_more2 += w * w * more * more;
	}
	return mean >= WORTH_A_SPLIT &&
	       mean >= SURE_OF_SPLIT * sqrt(fmax(0, w2_more2 - mean * (2 * w2_more - mean * w2)));
}

/* The cases of one side, searched. which[] has room for all of them. */
static enum err_code open_side(const struct single_conditions *q, const struct setting_node *side,
			       uint32_t *which, struct single_conditions *out, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		if (holds_for(&side->where, q->s, q->which[i]))
			which[n++] = q->which[i];
	}
	return single_conditions_make(q->s, which, n, out, e);
}

/* Split node `at`, of which q holds the cases, and what comes of it as deep as pays. */
static enum err_code grow(const struct single_conditions *q, struct setting_tree *tree, size_t at,
			  unsigned depth, struct err *e)
{
	struct setting_node *node = &tree->node[at], *side = &tree->node[2 * at + 1];
	struct single_conditions inner[2] = {{0}};
	uint32_t *which = malloc((2 * q->n + 1) * sizeof *which);
	struct setting_split split;
	enum err_code rc;

	if (!which)
		return err_set(e, ERR_NOMEM, "split of %zu cases", q->n);
	if ((rc = find_split(q, &split, e)) || split.saved <= 0 ||
	    !conjunction_and(&node->where, &split.left, &side[0].where) ||
	    !conjunction_and(&node->where, &split.right, &side[1].where))
		goto done;
	for (size_t k = 0; k < 2 && !rc; k++) {
		if (!(rc = open_side(q, &side[k], which + k * q->n, &inner[k], e)))
			rc = setting_search(&inner[k], &side[k].setting, e);
	}
	if (rc || !worthwhile(q, node, side))
		goto done;
	node->split = true;
	for (size_t k = 0; k < 2 && depth + 1 < TREE_DEPTH && !rc; k++)
		rc = grow(&inner[k], tree, 2 * at + 1 + k, depth + 1, e);
done:
	single_conditions_release(&inner[0]);
	single_conditions_release(&inner[1]);
	free(which);
	return rc;
}

enum err_code setting_tree_learn(const struct setting_cases *s, const uint32_t *which, size_t n,
				 struct setting_tree *out, struct err *e)
{
	struct setting_tree tree = {{{.split = false}}};
	struct single_conditions q;
	enum err_code rc = single_conditions_make(s, which, n, &q, e);

	if (rc)
		return rc;
	if (!(rc = setting_search(&q, &tree.node[0].setting, e)) &&
	    !(rc = grow(&q, &tree, 0, 0, e)))
		*out = tree;
	single_conditions_release(&q);
	return rc;
}
