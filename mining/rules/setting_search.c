#include "mining/rules/setting_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- single conditions ---- */

/* Rules are to be short, and in the words of what people set: a condition on a column that derives
 * from that has to be clearly better. [log time], choices. */
#define COST_OF_CONDITION 0.01
#define COST_OF_DERIVED 0.06

void single_conditions_release(struct single_conditions *q)
{
	free(q->weight);
	free(q->groups);
	free(q->item);
	free(q->first);
	free(q->saved);
	free(q->there);
	*q = (struct single_conditions){0};
}

double single_conditions_cost(const struct single_conditions *q, size_t choice)
{
	const struct column *c = &q->s->t->app->column[q->s->choice[choice]];

	return c->role == COL_DERIVED ? COST_OF_DERIVED : COST_OF_CONDITION;
}

static enum err_code weigh(struct single_conditions *q, struct err *e)
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
static void list_items(struct single_conditions *q)
{
	q->n_items = 0;
	for (size_t k = 0; k < q->s->n_choices; k++) {
		const struct choice_groups *g = &q->groups[k];

		q->first[k] = q->n_items;
		for (size_t lo = 0; lo < (g->ordered ? g->n : 1); lo++) {
			for (size_t hi = lo; hi < g->n; hi++) {
				if (lo > 0 || hi + 1 < g->n)
					q->item[q->n_items++] =
						(struct single_condition){k, lo, hi};
			}
		}
	}
	q->first[q->s->n_choices] = q->n_items;
}

/* The settings of choice k on case i, among its configurations in the mask (NULL: all): what each
 * saves, NaN where none has it. */
static void single_conditions_try(const struct single_conditions *q, size_t i, size_t k,
				  const unsigned char *mask, double saved[SETTING_MAX_RANGES])
{
	const struct setting_cases *s = q->s;
	const struct choice_groups *g = &q->groups[k];
	const unsigned char *code = s->choice_code + k * s->n;
	const struct single_condition *item = q->item + q->first[k];
	size_t c = q->which[i], n = q->first[k + 1] - q->first[k];
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
		double in = count[item[j].hi + 1] - count[item[j].lo];

		saved[j] = in > 0 ? s->mean[c] - (sum[item[j].hi + 1] - sum[item[j].lo]) / in
				  : (double)NAN;
	}
}

static void fill(struct single_conditions *q)
{
	double saved[SETTING_MAX_RANGES];

	for (size_t i = 0; i < q->n; i++) {
		for (size_t k = 0; k < q->s->n_choices; k++) {
			size_t at = i * q->n_items + q->first[k];

			single_conditions_try(q, i, k, NULL, saved);
			for (size_t j = 0; j < q->first[k + 1] - q->first[k]; j++) {
				bool there = !isnan(saved[j]);

				q->there[at + j] = there;
				q->saved[at + j] = there ? (float)(q->weight[i] * saved[j]) : 0;
			}
		}
	}
}

enum err_code single_conditions_make(const struct setting_cases *s, const uint32_t *which, size_t n,
				     struct single_conditions *out, struct err *e)
{
	struct single_conditions q = {.s = s, .which = which, .n = n};
	enum err_code rc = ERR_OK;

	q.weight = calloc(n + 1, sizeof *q.weight);
	q.groups = calloc(s->n_choices + 1, sizeof *q.groups);
	q.first = calloc(s->n_choices + 1, sizeof *q.first);
	q.item = calloc(s->n_choices * SETTING_MAX_RANGES + 1, sizeof *q.item);
	if (!q.weight || !q.groups || !q.first || !q.item) {
		rc = err_set(e, ERR_NOMEM, "settings of %zu columns", s->n_choices);
		goto done;
	}
	if ((rc = weigh(&q, e)))
		goto done;
	for (size_t k = 0; k < s->n_choices; k++)
		choice_groups_make(s, k, which, q.weight, n, &q.groups[k]);
	list_items(&q);
	q.saved = malloc((n * q.n_items + 1) * sizeof *q.saved);
	q.there = malloc(n * q.n_items + 1);
	if (q.saved && q.there)
		fill(&q);
	else
		rc = err_set(e, ERR_NOMEM, "%zu settings of %zu cases", q.n_items, n);
done:
	if (rc)
		single_conditions_release(&q);
	else
		*out = q;
	return rc;
}

/* ---- the search ---- */

/* A beam search over conjunctions, one condition after the other: for the conditions found so far,
 * all ranges of every other choice are tried at once from sums by group. */

enum {
	MAX_PARTS = 3,	 /* more conditions than that nobody follows */
	BEAM = 3,	 /* conjunctions that are carried on */
	MAX_EXTENDED = 8 /* the best choices alone are those that are added to others */
};

/* Of ranges that differ by less than this, or by this part of what they save, the widest. */
#define SLACK 0.003
#define SLACK_PART 0.03

struct setting_candidate {
	size_t part[MAX_PARTS]; /* which single settings, of different choices */
	size_t n;
	double score; /* what it can be trusted to save, costs of conditions taken off */
};

struct work {
	const struct single_conditions *q;
	unsigned char *mask; /* of configuration m: it has all parts that are marked */
	double *alone; /* of case i: what the marked parts save by themselves, in sum; NaN: one of
			* them is not there */
	double w2;     /* sum of the squares of all weights */
};

static size_t choice_of(const struct work *w, const struct setting_candidate *c, size_t k)
{
	return w->q->item[c->part[k]].choice;
}

/* ---- what a setting is worth ---- */

/* Sums over cases: of weight times saving, of squares, and of the weight of cases where the saving
 * was seen, and where it was guessed. */
struct tally {
	double saved, w2_saved, w2_saved2;
	double seen, guessed;
};

static void tally_add(struct tally *t, double weight, double saved)
{
	t->saved += weight * saved;
	t->w2_saved += weight * weight * saved;
	t->w2_saved2 += weight * weight * saved * saved;
}

/* What the setting can be trusted to save: one standard error less than it seems to. Of thousands
 * that are tried the luckiest would win otherwise. */
static double trusted(const struct tally *t, double w2)
{
	double variance = t->w2_saved2 - t->saved * (2 * t->w2_saved - t->saved * w2);

	return t->guessed > t->seen ? -INFINITY : t->saved - sqrt(fmax(0, variance));
}

/* Where each condition could be had but by chance no run combines them, they are taken to act
 * independently: few runs in many columns would leave nothing but the widest ranges otherwise. A
 * condition that cannot be had at all, as npe_j >= 4 on two processors, saves nothing. */
static void tally_case(const struct work *w, size_t i, size_t k, bool marked,
		       struct tally tally[SETTING_MAX_RANGES])
{
	const struct single_conditions *q = w->q;
	size_t first = i * q->n_items + q->first[k];
	double weight = q->weight[i], saved[SETTING_MAX_RANGES];

	single_conditions_try(q, i, k, marked ? w->mask : NULL, saved);
	for (size_t j = 0; j < q->first[k + 1] - q->first[k]; j++) {
		if (!isnan(saved[j])) {
			tally_add(&tally[j], weight, saved[j]);
			tally[j].seen += weight;
		} else if (marked && q->there[first + j] && !isnan(w->alone[i])) {
			tally_add(&tally[j], weight, w->alone[i] + q->saved[first + j] / weight);
			tally[j].guessed += weight;
		}
	}
}

/* The best range of choice k as part number `at` of *c; the other parts, if any, are marked. Of
 * those that are about as good as the best, the widest. false: there is none. */
static bool fit_part(const struct work *w, bool marked, size_t k, size_t at,
		     struct setting_candidate *c)
{
	const struct single_condition *item = w->q->item + w->q->first[k];
	size_t n = w->q->first[k + 1] - w->q->first[k], pick = n;
	struct tally tally[SETTING_MAX_RANGES] = {{0}};
	double worth[SETTING_MAX_RANGES], best = -INFINITY;

	for (size_t i = 0; i < w->q->n; i++)
		tally_case(w, i, k, marked, tally);
	for (size_t j = 0; j < n; j++) {
		worth[j] = trusted(&tally[j], w->w2);
		best = fmax(best, worth[j]);
	}
	if (!isfinite(best))
		return false;
	best -= fmax(SLACK, SLACK_PART * best);
	for (size_t j = 0; j < n; j++) {
		size_t width = item[j].hi - item[j].lo;
		size_t widest = pick < n ? item[pick].hi - item[pick].lo : 0;

		if (worth[j] >= best &&
		    (pick == n || width > widest || (width == widest && worth[j] > worth[pick])))
			pick = j;
	}
	if (pick == n) /* a choice without a range has no best one */
		return false;
	c->part[at] = w->q->first[k] + pick;
	c->score = worth[pick];
	for (size_t p = 0; p < c->n; p++)
		c->score -= single_conditions_cost(w->q, choice_of(w, c, p));
	return true;
}

/* Mark all parts but number `without`. */
static void mark(const struct work *w, const struct setting_candidate *c, size_t without)
{
	const struct single_conditions *q = w->q;

	memset(w->mask, 1, q->s->n);
	memset(w->alone, 0, q->n * sizeof *w->alone);
	for (size_t p = 0; p < c->n; p++) {
		const struct single_condition *part = &q->item[c->part[p]];
		const unsigned char *code = q->s->choice_code + part->choice * q->s->n;
		const unsigned char *group = q->groups[part->choice].of;

		if (p == without)
			continue;
		for (size_t m = 0; m < q->s->n; m++)
			w->mask[m] &= group[code[m]] >= part->lo && group[code[m]] <= part->hi;
		for (size_t i = 0; i < q->n; i++) {
			size_t at = i * q->n_items + c->part[p];

			w->alone[i] += q->there[at] ? q->saved[at] / q->weight[i] : (double)NAN;
		}
	}
}

/* ---- the beam ---- */

/* Best first, at most BEAM, no two of the same choices. */
struct beam {
	struct setting_candidate item[BEAM];
	size_t n;
};

static bool uses(const struct work *w, const struct setting_candidate *c, size_t choice)
{
	for (size_t p = 0; p < c->n; p++) {
		if (choice_of(w, c, p) == choice)
			return true;
	}
	return false;
}

/* Candidates come with their choices in any order. */
static bool same_choices(const struct work *w, const struct setting_candidate *a,
			 const struct setting_candidate *b)
{
	for (size_t p = 0; p < a->n; p++) {
		if (!uses(w, b, choice_of(w, a, p)))
			return false;
	}
	return a->n == b->n;
}

static void beam_offer(const struct work *w, struct beam *b, const struct setting_candidate *c)
{
	size_t at = 0, drop;

	for (; at < b->n && b->item[at].score >= c->score; at++) {
		if (same_choices(w, &b->item[at], c))
			return;
	}
	if (at == BEAM)
		return;
	for (drop = at; drop < b->n && !same_choices(w, &b->item[drop], c);)
		drop++;
	if (drop == b->n && b->n < BEAM)
		b->n++;
	else if (drop == b->n)
		drop--;
	memmove(&b->item[at + 1], &b->item[at], (drop - at) * sizeof b->item[0]);
	b->item[at] = *c;
}

/* ---- the search ---- */

/* Every choice by itself, best first; returns their number. */
static size_t try_alone(const struct work *w, struct setting_candidate *order)
{
	size_t n = 0;

	for (size_t k = 0; k < w->q->s->n_choices; k++) {
		struct setting_candidate c = {.n = 1};
		size_t at = n;

		if (!fit_part(w, false, k, 0, &c))
			continue;
		for (; at > 0 && order[at - 1].score < c.score; at--)
			order[at] = order[at - 1];
		order[at] = c;
		n++;
	}
	return n;
}

/* Is there a part that says something about what the choice rests on? mk <= 20 beside k_blocks >= 5
 * says the same thing twice. */
static bool related(const struct work *w, const struct setting_candidate *c, size_t choice)
{
	for (size_t p = 0; p < c->n; p++) {
		if (setting_cases_related(w->q->s, choice_of(w, c, p), choice))
			return true;
	}
	return false;
}

static void extend(const struct work *w, const struct setting_candidate *from,
		   const struct setting_candidate *alone, size_t n_alone, struct beam *to)
{
	size_t n_tried = 0;

	mark(w, from, SIZE_MAX);
	for (size_t a = 0; a < n_alone && n_tried < MAX_EXTENDED; a++) {
		struct setting_candidate c = *from;
		size_t choice = choice_of(w, &alone[a], 0);

		if (related(w, from, choice))
			continue;
		n_tried++;
		c.n++;
		if (fit_part(w, true, choice, from->n, &c))
			beam_offer(w, to, &c);
	}
}

/* Each condition was found before those that came after it: look again. */
static void polish(const struct work *w, struct setting_candidate *c)
{
	for (size_t p = 0; p < c->n && c->n > 1; p++) {
		struct setting_candidate again = *c;

		mark(w, c, p);
		if (fit_part(w, true, choice_of(w, c, p), p, &again) && again.score > c->score)
			*c = again;
	}
}

static struct setting_candidate best_of_all(const struct work *w,
					    const struct setting_candidate *alone, size_t n_alone)
{
	struct setting_candidate best = {.score = 0};
	struct beam beam = {.n = 0};

	for (size_t a = 0; a < n_alone; a++)
		beam_offer(w, &beam, &alone[a]);
	for (size_t n_parts = 1; beam.n > 0; n_parts++) {
		struct beam next = {.n = 0};

		if (beam.item[0].score > best.score)
			best = beam.item[0];
		for (size_t b = 0; b < beam.n && n_parts < MAX_PARTS; b++)
			extend(w, &beam.item[b], alone, n_alone, &next);
		beam = next;
	}
	polish(w, &best);
	return best;
}

static double squared_weights(const struct single_conditions *q)
{
	double sum = 0;

	for (size_t i = 0; i < q->n; i++)
		sum += q->weight[i] * q->weight[i];
	return sum;
}

double setting_search_single(const struct single_conditions *q)
{
	struct work w = {.q = q, .w2 = squared_weights(q)};
	double best = -INFINITY;

	for (size_t k = 0; k < q->s->n_choices; k++) {
		struct setting_candidate c = {.n = 1};

		if (fit_part(&w, false, k, 0, &c))
			best = fmax(best, c.score);
	}
	return best;
}

enum err_code setting_search(const struct single_conditions *q, struct conjunction *out,
			     struct err *e)
{
	struct work w = {
		.q = q,
		.mask = malloc(q->s->n + 1),
		.alone = calloc(q->n + 1, sizeof *w.alone),
		.w2 = squared_weights(q),
	};
	struct setting_candidate *alone = calloc(q->s->n_choices + 1, sizeof *alone), best;
	enum err_code rc = ERR_OK;

	if (!w.mask || !w.alone || !alone) {
		rc = err_set(e, ERR_NOMEM, "search among %zu choices", q->s->n_choices);
		goto done;
	}
	best = best_of_all(&w, alone, try_alone(&w, alone));
	out->n = 0;
	for (size_t p = 0; p < best.n; p++) {
		const struct single_condition *part = &q->item[best.part[p]];

		out->of[out->n++] = choice_groups_condition(
			q->s, part->choice, &q->groups[part->choice], part->lo, part->hi);
	}
done:
	free(w.mask);
	free(w.alone);
	free(alone);
	return rc;
}
