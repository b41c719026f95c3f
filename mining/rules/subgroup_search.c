#include "mining/rules/subgroup_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONDITIONS = 3, BEAM = 6 };

/* A further condition must raise the score by this factor: short rules are read. */
#define WORTH_A_CONDITION 1.08

/* What a contrast is made of. */
struct contrast_sums {
	double sum, variance;
};

struct beam_search {
	const struct case_contrast *c;
	size_t min_in;
	struct subgroup beam[BEAM]; /* of the present length, best first */
	size_t n_beam;
	uint32_t *member;	     /* items of the parent, [n] */
	uint32_t *sorted;	     /* the same by code of a column */
	double *n_parent;	     /* by case: items of the parent */
	double *n_present;	     /* by case: those of them that have a value */
	struct contrast_sums parent; /* of its members */
	double *n_head;		     /* by case: items of the head being counted */
};

/* What adding one item of a case to a set with `inside` of its items does to
 * sum w (x - mean x)^2 = sum w (n_in - n_in^2 / n). */
static double variance_step(const struct case_contrast *c, uint32_t s, double inside)
{
	return c->weight[s] * (1 - (2 * inside + 1) / c->size[s]);
}

static double score_of(struct contrast_sums s)
{
	return s.variance > 1e-9 ? s.sum / sqrt(s.variance) : 0;
}

static void keep(struct beam_search *q, const struct subgroup *found)
{
	size_t at;

	for (size_t k = 0; k < q->n_beam; k++) {
		if (q->beam[k].score == found->score) /* the same items, said in another way */
			return;
	}
	if (q->n_beam == BEAM && found->score <= q->beam[BEAM - 1].score)
		return;
	at = q->n_beam < BEAM ? q->n_beam++ : BEAM - 1;
	for (; at > 0 && q->beam[at - 1].score < found->score; at--)
		q->beam[at] = q->beam[at - 1];
	q->beam[at] = *found;
}

static void offer(struct beam_search *q, const struct conjunction *parent,
		  const struct bin_condition *more, double score, size_t n_in, double at_least)
{
	struct subgroup found = {.score = score};

	if (n_in >= q->min_in && score > at_least && conjunction_and(parent, more, &found.what) &&
	    found.what.n <= MAX_CONDITIONS)
		keep(q, &found);
}

/* The codes of the members, in the order to sweep them: by value, or for text by mean slow-down,
 * the slowest last. first[k] is where the k-th begins in q->sorted. */
struct code_sweep {
	unsigned char code[MAX_BINS];
	size_t first[MAX_BINS + 1];
	size_t n;
};

static void order_levels(struct code_sweep *w, const double *mean)
{
	for (size_t k = 1; k < w->n; k++) {
		unsigned char code = w->code[k];
		size_t at = k;

		for (; at > 0 && mean[w->code[at - 1]] > mean[code]; at--)
			w->code[at] = w->code[at - 1];
		w->code[at] = code;
	}
}

static void sort_members(struct beam_search *q, size_t n_member, size_t column,
			 struct code_sweep *w)
{
	const struct case_contrast *c = q->c;
	const unsigned char *code = slowdown_codes(c->t, column);
	size_t count[MAX_BINS + 1] = {0}, start[MAX_BINS + 1];
	double mean[MAX_BINS + 1] = {0};

	for (size_t m = 0; m < n_member; m++) {
		unsigned char b = code[c->item[q->member[m]]];

		count[b]++;
		mean[b] += c->y[q->member[m]];
	}
	w->n = 0;
	for (size_t b = 0; b < MAX_BINS; b++) {
		if (count[b] > 0) {
			mean[b] /= (double)count[b];
			w->code[w->n++] = (unsigned char)b;
		}
	}
	if (!c->t->bins[column].ordered)
		order_levels(w, mean);
	w->first[0] = 0;
	for (size_t k = 0; k < w->n; k++) {
		start[w->code[k]] = w->first[k];
		w->first[k + 1] = w->first[k] + count[w->code[k]];
	}
	for (size_t m = 0; m < n_member; m++) {
		unsigned char b = code[c->item[q->member[m]]];

		if (b != BIN_MISSING)
			q->sorted[start[b]++] = q->member[m];
	}
}

/* The first `n` codes of the sweep (head), or those from n on (tail), as a condition. */
static struct bin_condition part_of(const struct beam_search *q, const struct code_sweep *w,
				    size_t column, size_t n, bool head)
{
	struct bin_condition part = {.column = column};

	if (q->c->t->bins[column].ordered) {
		/* Open towards the end: what lies beyond the members belongs to it. */
		part.lo = head ? 0 : w->code[n];
		part.hi = head ? w->code[n - 1] : (unsigned char)(q->c->t->bins[column].n - 1);
		return part;
	}
	part.is_set = true;
	for (size_t k = head ? 0 : n; k < (head ? n : w->n); k++)
		part.set[w->code[k] / 64] |= UINT64_C(1) << (w->code[k] % 64);
	return part;
}

/* Over items item[0..n-1], which n_in[] counts by case. */
static struct contrast_sums add_up(const struct case_contrast *c, const uint32_t *item, size_t n,
				   double *n_in)
{
	struct contrast_sums total = {0, 0};

	for (size_t s = 0; s < c->n_strata; s++)
		n_in[s] = 0;
	for (size_t m = 0; m < n; m++) {
		uint32_t s = c->stratum[item[m]];

		total.sum += c->weight[s] * c->y[item[m]];
		total.variance += variance_step(c, s, n_in[s]++);
	}
	return total;
}

/* Every split of the members by a column: head and tail are counted in one pass. */
static void sweep_column(struct beam_search *q, const struct subgroup *parent, size_t n_member,
			 size_t column, double at_least)
{
	const struct case_contrast *c = q->c;
	struct contrast_sums head = {0, 0}, tail = q->parent;
	const double *n_all = q->n_parent;
	struct code_sweep w;

	sort_members(q, n_member, column, &w);
	if (w.n < 2)
		return;
	memset(q->n_head, 0, c->n_strata * sizeof *q->n_head);
	if (w.first[w.n] < n_member) { /* some have no value */
		tail = add_up(c, q->sorted, w.first[w.n], q->n_present);
		n_all = q->n_present;
	}
	for (size_t k = 0; k + 1 < w.n; k++) {
		struct bin_condition part;

		for (size_t m = w.first[k]; m < w.first[k + 1]; m++) {
			uint32_t s = c->stratum[q->sorted[m]];
			double y = c->weight[s] * c->y[q->sorted[m]];

			head.sum += y;
			tail.sum -= y;
			head.variance += variance_step(c, s, q->n_head[s]);
			tail.variance -= variance_step(c, s, n_all[s] - q->n_head[s] - 1);
			q->n_head[s]++;
		}
		part = part_of(q, &w, column, k + 1, true);
		offer(q, &parent->what, &part, score_of(head), w.first[k + 1], at_least);
		part = part_of(q, &w, column, k + 1, false);
		offer(q, &parent->what, &part, score_of(tail), w.first[w.n] - w.first[k + 1],
		      at_least);
	}
}

/* Add each condition on a column of these uses. */
static void extend(struct beam_search *q, const struct subgroup *parent, bool context_too)
{
	const struct slowdown_table *t = q->c->t;
	size_t n = 0;

	for (size_t k = 0; k < q->c->n; k++) {
		if (conjunction_holds(&parent->what, t, q->c->item[k]))
			q->member[n++] = (uint32_t)k;
	}
	q->parent = add_up(q->c, q->member, n, q->n_parent);
	for (size_t column = 0; column < t->n_columns; column++) {
		if (t->use[column] == USE_CHOICE || (context_too && t->use[column] == USE_CONTEXT))
			sweep_column(q, parent, n, column, parent->score * WORTH_A_CONDITION);
	}
}

/* Whole cases have no contrast, so a choice that is good here and bad there would be passed over:
 * choices are tried in the lower and upper half of every context column as well. */
static void extend_halves(struct beam_search *q)
{
	const struct slowdown_table *t = q->c->t;

	for (size_t column = 0; column < t->n_columns; column++) {
		struct subgroup half = {.what = {.n = 1}};
		struct code_sweep w;
		size_t middle = 1;

		if (t->use[column] != USE_CONTEXT)
			continue;
		for (size_t k = 0; k < q->c->n; k++)
			q->member[k] = (uint32_t)k;
		sort_members(q, q->c->n, column, &w);
		if (w.n < 2)
			continue;
		while (middle + 1 < w.n && w.first[middle] < w.first[w.n] / 2)
			middle++;
		half.what.of[0] = part_of(q, &w, column, middle, true);
		extend(q, &half, false);
		half.what.of[0] = part_of(q, &w, column, middle, false);
		extend(q, &half, false);
	}
}

/* A longer rule replaces a shorter one only if it is worth it. */
static void take_best(const struct beam_search *q, struct subgroup *best)
{
	if (q->n_beam > 0 && q->beam[0].score > best->score * WORTH_A_CONDITION)
		*best = q->beam[0];
}

static void search_release(struct beam_search *q)
{
	free(q->member);
	free(q->n_parent);
}

static bool search_reserve(struct beam_search *q)
{
	const size_t n = q->c->n, n_strata = q->c->n_strata;

	q->member = malloc((2 * n + 1) * sizeof *q->member);
	q->n_parent = calloc(3 * n_strata + 1, sizeof *q->n_parent);
	if (!q->member || !q->n_parent)
		return false;
	q->sorted = q->member + n;
	q->n_head = q->n_parent + n_strata;
	q->n_present = q->n_head + n_strata;
	return true;
}

static struct subgroup search_beam(struct beam_search *q)
{
	struct subgroup parents[BEAM] = {{.score = 0}}, best = {.score = 0};
	size_t n_parents = 1; /* of no condition: everything */

	for (int length = 1; length <= MAX_CONDITIONS && n_parents > 0; length++) {
		q->n_beam = 0;
		for (size_t k = 0; k < n_parents; k++)
			extend(q, &parents[k], true);
		take_best(q, &best);
		if (length == 1) {
			extend_halves(q); /* of two conditions: they have to be worth it */
			take_best(q, &best);
		}
		memcpy(parents, q->beam, sizeof parents);
		n_parents = q->n_beam;
	}
	return best;
}

enum err_code subgroup_find(const struct case_contrast *c, size_t min_in, struct subgroup *out,
			    struct err *e)
{
	struct beam_search q = {.c = c, .min_in = min_in};

	if (!search_reserve(&q)) {
		search_release(&q);
		return err_set(e, ERR_NOMEM, "search among %zu configurations", c->n);
	}
	*out = search_beam(&q);
	search_release(&q);
	return ERR_OK;
}
