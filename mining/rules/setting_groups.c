#include "mining/rules/setting_groups.h"

#include <math.h>
#include <string.h>

/* What is seen of each code: each case weighs the same, however many configurations it has. */
struct code_sums {
	double weight[256];
	double saved[256]; /* weight times what is saved over the mean of the case [log time] */
};

static void add_up(const struct setting_cases *s, size_t choice, const uint32_t *which,
		   const double *weight, size_t n, struct code_sums *out)
{
	const unsigned char *code = s->choice_code + choice * s->n;

	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < n; i++) {
		size_t c = which[i];
		double w = weight[i] / (double)(s->first[c + 1] - s->first[c]);

		for (size_t m = s->first[c]; m < s->first[c + 1]; m++) {
			out->weight[code[m]] += w;
			out->saved[code[m]] += w * (s->mean[c] - s->slowdown[m]);
		}
	}
}

static void put_in(struct choice_groups *g, size_t group, size_t code)
{
	g->of[code] = (unsigned char)group;
	if (group == g->n) {
		g->low[g->n++] = (unsigned char)code;
		g->high[group] = (unsigned char)code;
	}
	if (code > g->high[group])
		g->high[group] = (unsigned char)code;
}

/* How far a column's values reach on a log scale from one code to another; 0 where that is not
 * known. */
static double log_distance(const struct column_bins *b, size_t from, size_t to)
{
	return b->low[from] > 0 ? log(b->low[to] / b->low[from]) : 0;
}

/* Where there are more bins than groups, bounds follow the runs for one half and the logarithm of
 * the value for the other: block sizes from 1 to 100 matter most among the small ones. */
static void group_range(const struct column_bins *b, const struct code_sums *sums, size_t n_seen,
			struct choice_groups *out)
{
	double total = 0, range = 0, below = 0;
	size_t first = BIN_MISSING, last = 0;

	for (size_t code = 0; code < b->n; code++) {
		if (sums->weight[code] == 0)
			continue;
		total += sums->weight[code];
		first = first == BIN_MISSING ? code : first;
		range = log_distance(b, first, code);
	}
	for (size_t code = first; code < b->n; code++) {
		size_t group = out->n;

		if (sums->weight[code] == 0)
			continue;
		if (range > 0 && code > first)
			below += log_distance(b, last, code) / range;
		/* A heavy bin may have used up the share of several groups. */
		if (n_seen > SETTING_GROUPS && out->n > 0 &&
		    (below * SETTING_GROUPS < (range > 0 ? 2 : 1) * (double)out->n ||
		     out->n == SETTING_GROUPS))
			group = out->n - 1;
		put_in(out, group, code);
		below += sums->weight[code] / total;
		last = code;
	}
}

/* Best first; beyond the last group but one, levels share the last. A level seen once in a lucky
 * place is not the best: means are drawn to 0 as if two cases more had shown nothing. */
static void group_levels(struct code_sums *sums, double one_case, struct choice_groups *out)
{
	for (size_t code = 0; code < BIN_MISSING; code++)
		sums->saved[code] /= sums->weight[code] + 2 * one_case;
	for (;;) {
		size_t best = BIN_MISSING;

		for (size_t code = 0; code < BIN_MISSING; code++) {
			if (sums->weight[code] > 0 &&
			    (best == BIN_MISSING || sums->saved[code] > sums->saved[best]))
				best = code;
		}
		if (best == BIN_MISSING)
			return;
		put_in(out, out->n < SETTING_GROUPS ? out->n : SETTING_GROUPS - 1, best);
		sums->weight[best] = 0;
	}
}

void choice_groups_make(const struct setting_cases *s, size_t choice, const uint32_t *which,
			const double *weight, size_t n, struct choice_groups *out)
{
	struct code_sums sums;
	size_t n_seen = 0;

	add_up(s, choice, which, weight, n, &sums);
	for (size_t code = 0; code < BIN_MISSING; code++)
		n_seen += sums.weight[code] > 0;
	*out = (struct choice_groups){.ordered = s->t->bins[s->choice[choice]].ordered};
	memset(out->of, SETTING_GROUPS, sizeof out->of);
	if (out->ordered)
		group_range(&s->t->bins[s->choice[choice]], &sums, n_seen, out);
	else
		group_levels(&sums, n > 0 ? 1 / (double)n : 0, out);
}

struct bin_condition choice_groups_condition(const struct setting_cases *s, size_t choice,
					     const struct choice_groups *g, size_t lo, size_t hi)
{
	size_t column = s->choice[choice];
	struct bin_condition q = {.column = column, .is_set = !g->ordered};

	if (g->ordered) {
		q.lo = lo == 0 ? 0 : g->low[lo];
		q.hi = hi + 1 == g->n ? (unsigned char)(s->t->bins[column].n - 1) : g->high[hi];
		return q;
	}
	for (size_t code = 0; code < BIN_MISSING; code++) {
		if (g->of[code] >= lo && g->of[code] <= hi)
			q.set[code / 64] |= UINT64_C(1) << (code % 64);
	}
	return q;
}
