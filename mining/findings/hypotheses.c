#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/findings/attribute_sets.h"
#include "mining/numerics/rank_tests.h"
#include "mining/cases/rule_miners.h"

/* Performance hypotheses as in ADCL (Gabriel and Huang, "Runtime optimization of application level
 * communication patterns", HIPS 2007). Where we differ: ADCL chooses while the program runs, so
 * that its counter depends on the order of the trials. Here all sets are at hand: the value with
 * most votes is the hypothesis, and its counter goes up with every set that it won and down with
 * every one that it lost, in any order. Sets without the value (it is no divisor of that size) say
 * nothing about it. */

/* Two times are told apart when they are this many standard deviations of noise apart. */
#define DECIDED_SD 2.0

#define NO_CONTEST UINT32_MAX
#define UNDECIDED (UINT32_MAX - 1)

struct contest {
	struct attribute_sets sets;
	uint32_t *winner; /* value, by set; NO_CONTEST: it holds one value, UNDECIDED: noise */
	uint32_t *votes;  /* by value */
};

static double item_time(const struct contest *c, uint32_t item)
{
	return c->sets.t->log_time[c->sets.config[item]];
}

/* Could noise among repeats have put the first before the second? */
static bool within_noise(const struct contest *c, uint32_t first, uint32_t second)
{
	const struct slowdown_table *t = c->sets.t;
	double sd = t->noise * sqrt(1.0 / t->n_runs[c->sets.config[first]] +
				    1.0 / t->n_runs[c->sets.config[second]]);

	return item_time(c, second) - item_time(c, first) <= DECIDED_SD * sd;
}

static uint32_t find_winner(const struct contest *c, size_t set)
{
	const uint32_t *member = c->sets.member + c->sets.start[set];
	size_t n = c->sets.start[set + 1] - c->sets.start[set];
	const uint32_t *value = c->sets.value;
	uint32_t first = member[0], second = NO_CONTEST;

	for (size_t k = 1; k < n; k++) {
		if (item_time(c, member[k]) < item_time(c, first))
			first = member[k];
	}
	for (size_t k = 0; k < n; k++) {
		if (value[member[k]] != value[first] &&
		    (second == NO_CONTEST || item_time(c, member[k]) < item_time(c, second)))
			second = member[k];
	}
	if (second == NO_CONTEST)
		return NO_CONTEST;
	return within_noise(c, first, second) ? UNDECIDED : value[first];
}

/* Even votes: the smaller value, as the order of the runs must not matter. */
static bool value_below(const struct attribute_sets *s, size_t a, size_t b)
{
	const double *x = slowdown_row(s->t, s->value_config[a]);
	const double *y = slowdown_row(s->t, s->value_config[b]);

	for (size_t k = 0; k < s->attribute->n_columns; k++) {
		size_t column = s->attribute->column[k];

		if (x[column] != y[column])
			return x[column] < y[column];
	}
	return false;
}

/* Let the sets vote. Returns the value with most votes; *n_voted counts those that got any. */
static size_t hold_votes(struct contest *c, int64_t *n_sets, size_t *n_voted)
{
	size_t best = 0;

	for (size_t s = 0; s < c->sets.n_sets; s++) {
		c->winner[s] = find_winner(c, s);
		*n_sets += c->winner[s] != NO_CONTEST;
		if (c->winner[s] < UNDECIDED)
			c->votes[c->winner[s]]++;
	}
	*n_voted = 0;
	for (size_t v = 0; v < c->sets.n_values; v++) {
		*n_voted += c->votes[v] > 0;
		if (c->votes[v] > c->votes[best] ||
		    (c->votes[v] == c->votes[best] && value_below(&c->sets, v, best)))
			best = v;
	}
	return best;
}

/* log(time of the other values / time of the favoured one) in a set, the mean of their logs; NaN
 * when the set lacks either. *item: that of the favoured value. */
static double set_gain(const struct contest *c, size_t set, size_t value, uint32_t *item)
{
	double own = INFINITY, others = 0, n_others = 0;

	for (uint32_t k = c->sets.start[set]; k < c->sets.start[set + 1]; k++) {
		uint32_t member = c->sets.member[k];

		if (c->sets.value[member] != value) {
			others += item_time(c, member);
			n_others++;
		} else if (item_time(c, member) < own) {
			own = item_time(c, member);
			*item = member;
		}
	}
	return isinf(own) || n_others == 0 ? (double)NAN : others / n_others - own;
}

/* gain[0..*n_gains-1]: the mean of every block that has one, so that a problem with many sets
 * counts as much as one with few. n_gain: as many zeros as blocks. Counts agreement on the way. */
static void collect_gains(const struct contest *c, size_t value, double *gain, double *n_gain,
			  size_t *n_gains, struct hypothesis *h)
{
	const struct slowdown_table *t = c->sets.t;
	size_t n = 0;

	for (size_t s = 0; s < c->sets.n_sets; s++) {
		uint32_t item = 0, block;
		double g = set_gain(c, s, value, &item);

		if (isnan(g))
			continue;
		block = t->block[c->sets.config[item]];
		gain[block] += g;
		n_gain[block]++;
		h->n_agree += c->winner[s] == value;
		if (c->winner[s] != UNDECIDED)
			h->confidence += c->winner[s] == value ? 1 : -1;
	}
	for (size_t b = 0; b < t->n_blocks; b++) {
		if (n_gain[b] > 0)
			gain[n++] = gain[b] / n_gain[b];
	}
	*n_gains = n;
}

/* The value was picked for its wins before it is tested for them. Of two values the two-sided test
 * covers either pick; of k it takes k one-sided tests, k / 2 two-sided ones (Bonferroni). */
static double allow_for_picking(double p, size_t n_voted)
{
	return n_voted > 2 ? fmin(1, p * (double)n_voted / 2) : p;
}

static enum err_code test_gain(const struct contest *c, size_t value, size_t n_voted,
			       struct hypothesis *h, struct err *e)
{
	size_t n_blocks = c->sets.t->n_blocks, n_gains;
	double *gain = calloc(2 * n_blocks + 1, sizeof *gain);
	struct signed_rank r;
	enum err_code rc;

	if (!gain)
		return err_set(e, ERR_NOMEM, "gains of %zu blocks", n_blocks);
	collect_gains(c, value, gain, gain + n_blocks, &n_gains, h);
	if (!(rc = signed_rank_test(gain, n_gains, &r, e))) {
		h->gain = exp(r.shift);
		h->gain_lo = isinf(r.lo) ? (double)NAN : exp(r.lo);
		h->gain_hi = isinf(r.hi) ? (double)NAN : exp(r.hi);
		h->p = allow_for_picking(r.p, n_voted);
	}
	free(gain);
	return rc;
}

static enum err_code name_hypothesis(const struct attribute_sets *s, size_t value,
				     struct hypothesis *h, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	attribute_put_value(s, value, &text);
	h->attribute = strdup(s->attribute->name);
	h->value = strdup(strbuf_text(&text));
	if (!h->attribute || !h->value || text.failed)
		rc = err_set(e, ERR_NOMEM, "hypothesis on %s", s->attribute->name);
	strbuf_release(&text);
	return rc;
}

static void hypothesis_release(struct hypothesis *h)
{
	free(h->attribute);
	free(h->value);
	*h = (struct hypothesis){0};
}

/* *h keeps its zeros when no set tells the values of the attribute apart. */
static enum err_code judge_sets(struct contest *c, struct hypothesis *h, struct err *e)
{
	struct hypothesis made = {0};
	size_t value, n_voted;
	enum err_code rc;

	c->winner = calloc(c->sets.n_sets + c->sets.n_values + 1, sizeof *c->winner);
	if (!c->winner)
		return err_set(e, ERR_NOMEM, "votes of %zu sets", c->sets.n_sets);
	c->votes = c->winner + c->sets.n_sets;
	value = hold_votes(c, &made.n_sets, &n_voted);
	if (n_voted == 0)
		return ERR_OK;
	if ((rc = test_gain(c, value, n_voted, &made, e)) ||
	    (rc = name_hypothesis(&c->sets, value, &made, e))) {
		hypothesis_release(&made);
		return rc;
	}
	*h = made;
	return ERR_OK;
}

static enum err_code judge_attribute(const struct attribute_table *a, size_t i_attribute,
				     struct hypothesis *h, struct err *e)
{
	struct contest c = {0};
	enum err_code rc = attribute_sets_make(a, i_attribute, &c.sets, e);

	if (!rc)
		rc = judge_sets(&c, h, e);
	attribute_sets_release(&c.sets);
	free(c.winner);
	return rc;
}

static enum err_code adjust_p(struct hypothesis *h, size_t n, struct err *e)
{
	double *p = calloc(n + 1, sizeof *p);
	enum err_code rc;

	if (!p)
		return err_set(e, ERR_NOMEM, "%zu hypotheses", n);
	for (size_t i = 0; i < n; i++)
		p[i] = h[i].p;
	if (!(rc = benjamini_hochberg(p, n, e))) {
		for (size_t i = 0; i < n; i++)
			h[i].p = p[i];
	}
	free(p);
	return rc;
}

enum err_code mine_hypotheses(const struct slowdown_table *t, struct findings *out, struct err *e)
{
	struct attribute_table a;
	struct hypothesis *h;
	size_t n = 0;
	enum err_code rc;

	if ((rc = attribute_table_make(t, &a, e)))
		return rc;
	h = calloc(a.n_attributes + 1, sizeof *h);
	if (!h) {
		rc = err_set(e, ERR_NOMEM, "%zu hypotheses", a.n_attributes);
		attribute_table_release(&a);
		return rc;
	}
	for (size_t i = 0; i < a.n_attributes && !rc; i++) {
		rc = judge_attribute(&a, i, &h[n], e);
		n += h[n].attribute != NULL;
	}
	attribute_table_release(&a);
	if (!rc && !(rc = adjust_p(h, n, e))) {
		out->hypothesis = h;
		out->n_hypotheses = n;
		return ERR_OK;
	}
	for (size_t i = 0; i < n; i++)
		hypothesis_release(&h[i]);
	free(h);
	return rc;
}
