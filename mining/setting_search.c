#include "mining/setting_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A beam search over conjunctions of ranges, one condition after the other: for the conditions
 * found so far, all ranges of every other choice are tried at once from sums by group. */

enum {
	MAX_PARTS = 3,	   /* more conditions than that nobody follows */
	BEAM = 3,	   /* conjunctions that are carried on */
	MAX_EXTENDED = 12, /* the best choices alone are those that are added to others */
	MAX_INTERVALS = SETTING_GROUPS * (SETTING_GROUPS + 1) / 2
};

/* Rules are to be short, and in the words of what people set: a condition on a column that derives
 * from that has to be clearly better. [log time], choices. */
#define COST_OF_CONDITION 0.01
#define COST_OF_DERIVED 0.03
/* Of ranges that differ by less than this, or by this part of what they save, the widest. */
#define SLACK 0.003
#define SLACK_PART 0.03

double setting_part_cost(const struct setting_cases *s, size_t choice)
{
	bool derived = s->t->app->column[s->choice[choice]].role == COL_DERIVED;

	return derived ? COST_OF_DERIVED : COST_OF_CONDITION;
}

/* ---- preparation ---- */

void setting_search_release(struct setting_search *q)
{
	free(q->weight);
	free(q->groups);
	free(q->first_single);
	free(q->single);
	free(q->saved);
	*q = (struct setting_search){0};
}

static enum err_code weigh(struct setting_search *q, struct err *e)
{
	uint32_t *n_in_block = calloc(q->s->t->n_blocks + 1, sizeof *n_in_block);
	double n_blocks = 0;

	if (!n_in_block)
		return err_set(e, ERR_NOMEM, "weights of %zu cases", q->n);
	for (size_t i = 0; i < q->n; i++)
		n_blocks += n_in_block[q->s->block[q->which[i]]]++ == 0;
	for (size_t i = 0; i < q->n; i++)
		q->weight[i] = 1 / (n_blocks * n_in_block[q->s->block[q->which[i]]]);
	free(n_in_block);
	return ERR_OK;
}

/* Ranges of an ordered choice, sets of the best levels of another; all of it is no setting. */
static void list_singles(struct setting_search *q)
{
	q->n_singles = 0;
	for (size_t k = 0; k < q->s->n_choices; k++) {
		const struct choice_groups *g = &q->groups[k];

		q->first_single[k] = q->n_singles;
		for (size_t lo = 0; lo < (g->ordered ? g->n : 1); lo++) {
			for (size_t hi = lo; hi < g->n; hi++) {
				if (lo > 0 || hi + 1 < g->n)
					q->single[q->n_singles++] =
						(struct setting_part){k, lo, hi};
			}
		}
	}
	q->first_single[q->s->n_choices] = q->n_singles;
}

/* What each single setting of choice k saves on case i, among the configurations in the mask (NULL:
 * all); NaN where there is none. */
static void try_case(const struct setting_search *q, size_t i, size_t k, const unsigned char *mask,
		     double saved[MAX_INTERVALS])
{
	const struct setting_cases *s = q->s;
	const struct choice_groups *g = &q->groups[k];
	const unsigned char *code = s->choice_code + k * s->n;
	const struct setting_part *part = q->single + q->first_single[k];
	size_t c = q->which[i], n = q->first_single[k + 1] - q->first_single[k];
	/* [group + 1]: up to that group; the last one catches what is in none. */
	double count[SETTING_GROUPS + 2] = {0}, sum[SETTING_GROUPS + 2] = {0};

	for (size_t m = s->first[c]; m < s->first[c + 1]; m++) {
		size_t at = g->of[code[m]] + 1u;

		if (!mask || mask[m]) {
			count[at]++;
			sum[at] += s->slowdown[m];
		}
	}
	for (size_t at = 1; at <= g->n; at++) {
		count[at] += count[at - 1];
		sum[at] += sum[at - 1];
	}
	for (size_t j = 0; j < n; j++) {
		double in = count[part[j].hi + 1] - count[part[j].lo];

		saved[j] = in > 0 ? s->mean[c] - (sum[part[j].hi + 1] - sum[part[j].lo]) / in : 0;
	}
}

static void fill_singles(struct setting_search *q)
{
	double saved[MAX_INTERVALS];

	for (size_t i = 0; i < q->n; i++) {
		for (size_t k = 0; k < q->s->n_choices; k++) {
			size_t at = i * q->n_singles + q->first_single[k];

			try_case(q, i, k, NULL, saved);
			for (size_t j = 0; j < q->first_single[k + 1] - q->first_single[k]; j++)
				q->saved[at + j] = (float)(q->weight[i] * saved[j]);
		}
	}
}

enum err_code setting_search_open(const struct setting_cases *s, const uint32_t *which, size_t n,
				  struct setting_search *out, struct err *e)
{
	struct setting_search q = {.s = s, .which = which, .n = n};
	enum err_code rc;

	q.weight = calloc(n + 1, sizeof *q.weight);
	q.groups = calloc(s->n_choices + 1, sizeof *q.groups);
	q.first_single = calloc(s->n_choices + 1, sizeof *q.first_single);
	q.single = calloc(s->n_choices * MAX_INTERVALS + 1, sizeof *q.single);
	if (!q.weight || !q.groups || !q.first_single || !q.single) {
		rc = err_set(e, ERR_NOMEM, "settings of %zu columns", s->n_choices);
		goto done;
	}
	if ((rc = weigh(&q, e)))
		goto done;
	for (size_t k = 0; k < s->n_choices; k++)
		choice_groups_make(s, k, which, q.weight, n, &q.groups[k]);
	list_singles(&q);
	q.saved = malloc((n * q.n_singles + 1) * sizeof *q.saved);
	if (q.saved)
		fill_singles(&q);
	else
		rc = err_set(e, ERR_NOMEM, "%zu settings of %zu cases", q.n_singles, n);
done:
	if (rc)
		setting_search_release(&q);
	else
		*out = q;
	return rc;
}

/* ---- what a setting is worth ---- */

/* Sums over cases: of weight times saving, and of squares. */
struct tally {
	double saved, w2_saved, w2_saved2;
};

static void tally_add(struct tally *t, double weight, double saved)
{
	t->saved += weight * saved;
	t->w2_saved += weight * weight * saved;
	t->w2_saved2 += weight * weight * saved * saved;
}

/* What the setting can be trusted to save: one standard error less than it seems to. Of thousands
 * that are tried the luckiest would win otherwise. w2: the sum of all squared weights. */
static double trusted(const struct tally *t, double w2)
{
	double variance = t->w2_saved2 - t->saved * (2 * t->w2_saved - t->saved * w2);

	return t->saved - sqrt(fmax(0, variance));
}

/* ---- the search ---- */

struct candidate {
	struct setting_part part[MAX_PARTS];
	size_t n;
	double score; /* what it can be trusted to save, costs of conditions taken off */
};

/* Are the choices the same? Candidates come with theirs in any order. */
static bool same_choices(const struct candidate *a, const struct candidate *b)
{
	size_t n_same = 0;

	for (size_t k = 0; k < a->n; k++) {
		for (size_t l = 0; l < b->n; l++)
			n_same += a->part[k].choice == b->part[l].choice;
	}
	return a->n == b->n && n_same == a->n;
}

static bool uses(const struct candidate *a, size_t choice)
{
	for (size_t k = 0; k < a->n; k++) {
		if (a->part[k].choice == choice)
			return true;
	}
	return false;
}

/* Best first, at most BEAM, no two of the same choices. */
struct beam {
	struct candidate item[BEAM];
	size_t n;
};

static void beam_offer(struct beam *b, const struct candidate *c)
{
	size_t at;

	for (at = 0; at < b->n && b->item[at].score >= c->score; at++) {
		if (same_choices(&b->item[at], c))
			return;
	}
	if (at == BEAM)
		return;
	for (size_t k = at; k < b->n; k++) { /* one of the same choices makes room */
		if (same_choices(&b->item[k], c)) {
			memmove(&b->item[k], &b->item[k + 1], (b->n - k - 1) * sizeof b->item[0]);
			b->n--;
			break;
		}
	}
	if (b->n == BEAM)
		b->n--;
	memmove(&b->item[at + 1], &b->item[at], (b->n - at) * sizeof b->item[0]);
	b->item[at] = *c;
	b->n++;
}

/* Which configurations have all parts but number `without`. */
static void mark(const struct setting_search *q, const struct candidate *c, size_t without,
		 unsigned char *mask)
{
	const struct setting_cases *s = q->s;

	memset(mask, 1, s->n);
	for (size_t k = 0; k < c->n; k++) {
		const struct setting_part *part = &c->part[k];
		const unsigned char *code = s->choice_code + part->choice * s->n;
		const unsigned char *group = q->groups[part->choice].of;

		for (size_t m = 0; m < s->n && k != without; m++)
			mask[m] &= group[code[m]] >= part->lo && group[code[m]] <= part->hi;
	}
}

/* The best range of choice k as part number `at` of *c, whose other parts are marked: of those that
 * are about as good as the best, the widest. false: there is none. */
static bool fit_part(const struct setting_search *q, const unsigned char *mask, size_t k, size_t at,
		     struct candidate *c)
{
	const struct setting_part *part = q->single + q->first_single[k];
	size_t n = q->first_single[k + 1] - q->first_single[k], pick = n;
	struct tally tally[MAX_INTERVALS] = {{0}};
	double saved[MAX_INTERVALS], worth[MAX_INTERVALS], best = -INFINITY, w2 = 0;

	for (size_t i = 0; i < q->n; i++) {
		w2 += q->weight[i] * q->weight[i];
		try_case(q, i, k, mask, saved);
		for (size_t j = 0; j < n; j++)
			tally_add(&tally[j], q->weight[i], saved[j]);
	}
	for (size_t j = 0; j < n; j++) {
		worth[j] = trusted(&tally[j], w2);
		best = fmax(best, worth[j]);
	}
	if (n == 0)
		return false;
	best -= fmax(SLACK, SLACK_PART * best);
	for (size_t j = 0; j < n; j++) {
		size_t wider = pick < n ? part[pick].hi - part[pick].lo : 0;

		if (worth[j] >= best &&
		    (pick == n || part[j].hi - part[j].lo > wider ||
		     (part[j].hi - part[j].lo == wider && worth[j] > worth[pick])))
			pick = j;
	}
	c->part[at] = part[pick];
	c->score = worth[pick];
	for (size_t j = 0; j < c->n; j++)
		c->score -= setting_part_cost(q->s, c->part[j].choice);
	return true;
}

/* One condition: every choice by itself, best first into order[]; returns their number. */
static size_t start(const struct setting_search *q, struct candidate *order)
{
	size_t n = 0;

	for (size_t k = 0; k < q->s->n_choices; k++) {
		struct candidate c = {.n = 1};
		size_t at = n;

		if (!fit_part(q, NULL, k, 0, &c))
			continue;
		for (; at > 0 && order[at - 1].score < c.score; at--)
			order[at] = order[at - 1];
		order[at] = c;
		n++;
	}
	return n;
}

static void extend(const struct setting_search *q, const struct candidate *from,
		   const struct candidate *alone, size_t n_alone, unsigned char *mask,
		   struct beam *to)
{
	mark(q, from, SIZE_MAX, mask);
	for (size_t k = 0; k < n_alone && k < MAX_EXTENDED; k++) {
		struct candidate c = *from;

		if (uses(from, alone[k].part[0].choice))
			continue;
		c.n++;
		if (fit_part(q, mask, alone[k].part[0].choice, from->n, &c))
			beam_offer(to, &c);
	}
}

/* Each condition was found before those that came after it: look again. */
static void polish(const struct setting_search *q, unsigned char *mask, struct candidate *c)
{
	for (size_t k = 0; k < c->n && c->n > 1; k++) {
		struct candidate again = *c;

		mark(q, c, k, mask);
		if (fit_part(q, mask, c->part[k].choice, k, &again) && again.score > c->score)
			*c = again;
	}
}

static void write_setting(const struct setting_search *q, const struct candidate *c,
			  struct conjunction *out)
{
	*out = (struct conjunction){.n = 0};
	for (size_t k = 0; k < c->n; k++) {
		const struct setting_part *part = &c->part[k];

		out->of[out->n++] = choice_groups_condition(
			q->s, part->choice, &q->groups[part->choice], part->lo, part->hi);
	}
}

enum err_code setting_search_best(const struct setting_search *q, struct conjunction *out,
				  struct err *e)
{
	struct candidate *alone = calloc(q->s->n_choices + 1, sizeof *alone);
	unsigned char *mask = malloc(q->s->n + 1);
	struct candidate best = {.score = 0};
	struct beam beam = {.n = 0};
	size_t n_alone;

	if (!alone || !mask) {
		free(alone);
		free(mask);
		return err_set(e, ERR_NOMEM, "search among %zu choices", q->s->n_choices);
	}
	n_alone = start(q, alone);
	for (size_t k = 0; k < n_alone; k++)
		beam_offer(&beam, &alone[k]);
	for (size_t n_parts = 1; beam.n > 0; n_parts++) {
		struct beam next = {.n = 0};

		if (beam.item[0].score > best.score)
			best = beam.item[0];
		for (size_t k = 0; k < beam.n && n_parts < MAX_PARTS; k++)
			extend(q, &beam.item[k], alone, n_alone, mask, &next);
		beam = next;
	}
	polish(q, mask, &best);
	write_setting(q, &best, out);
	free(alone);
	free(mask);
	return ERR_OK;
}
