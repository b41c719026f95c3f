#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "domain/configuration.h"
#include "mining/cases/rule_miners.h"
#include "mining/cases/slowdown_table.h"
#include "mining/numerics/group_by.h"
#include "mining/numerics/rank_tests.h"

/* What can be chosen, one attribute at a time: a tunable, or the columns of the processor grid
 * together, which can only move together while the processors stay. */
struct attribute {
	const char *name;
	const size_t *column;
	size_t n_columns;
};

/* The choices of the configurations that can be compared: not those without a slow-down (alone in
 * their case, or with an absurd time). More than ATTRIBUTE_MAX_CONFIGURATIONS say no more: then
 * whole cases are taken evenly, up to about that many. */
enum { ATTRIBUTE_MAX_CONFIGURATIONS = 200000 };

struct attribute_table {
	const struct slowdown_table *t; /* borrowed */
	struct attribute *attribute; /* the grid first, then tunables that vary and are no copies */
	size_t n_attributes;
	size_t n;
	uint32_t *config; /* of item i: its index in t */
	/* Item by item the number of its case, then its choices: side by side, as looking them up
	 * among all columns of a million runs takes longer than everything else. */
	double *x;	  /* n * n_columns */
	size_t *column;	  /* of x: the application's column; SIZE_MAX: the case */
	size_t n_columns; /* of x */
	size_t *own;	  /* what attribute[].column points to */
};

/* Items in sets that agree in everything (case and all other choices) but one attribute. A set may
 * hold a single one. Configurations that miss the attribute are left out. */
struct attribute_sets {
	const struct slowdown_table *t;	   /* borrowed */
	const struct attribute *attribute; /* borrowed */
	size_t n;
	uint32_t *config; /* of item i: its index in t */
	uint32_t *value;  /* 0..n_values-1 */
	size_t n_values;
	uint32_t *value_config; /* a configuration that has the value */
	size_t n_sets;
	uint32_t *start; /* items of a set: member[start[s] .. start[s + 1] - 1] */
	uint32_t *member;
};

static bool is_choice(const struct column *c)
{
	return c->role == COL_TUNABLE || c->candidates == CAND_GRID;
}

static bool has_column(const struct attribute *a, size_t column)
{
	for (size_t k = 0; k < a->n_columns; k++) {
		if (a->column[k] == column)
			return true;
	}
	return false;
}

static void list_attributes(struct attribute_table *a)
{
	const struct group_flag *grid = application_grid(a->t->app);
	struct attribute shape = {0};

	if (grid) {
		shape = (struct attribute){grid->flag, grid->column, grid->n};
		a->attribute[a->n_attributes++] = shape;
	}
	for (size_t i = 0; i < a->t->n_columns; i++) {
		const struct column *c = &a->t->app->column[i];

		a->own[i] = i;
		if (is_choice(c) && a->t->use[i] != USE_NONE && !has_column(&shape, i))
			a->attribute[a->n_attributes++] =
				(struct attribute){c->name, &a->own[i], 1};
	}
}

static void list_columns(struct attribute_table *a)
{
	a->column[a->n_columns++] = SIZE_MAX;
	for (size_t i = 0; i < a->t->n_columns; i++) {
		if (is_choice(&a->t->app->column[i]))
			a->column[a->n_columns++] = i;
	}
}

/* Cases are spread by the golden ratio: every k-th one could be always of the same size. */
static bool takes(const struct slowdown_table *t, size_t i)
{
	double share = (double)ATTRIBUTE_MAX_CONFIGURATIONS / (double)t->n;

	return !isnan(t->log_slowdown[i]) &&
	       (share >= 1 || t->stratum[i] * UINT32_C(2654435769) < share * 4294967296.0);
}

static enum err_code gather(struct attribute_table *a, struct err *e)
{
	const struct slowdown_table *t = a->t;
	double *x;

	for (size_t i = 0; i < t->n; i++)
		a->n += takes(t, i);
	a->config = calloc(a->n + 1, sizeof *a->config);
	a->x = calloc(a->n * a->n_columns + 1, sizeof *a->x);
	if (!a->config || !a->x)
		return err_set(e, ERR_NOMEM, "choices of %zu configurations", a->n);
	x = a->x;
	a->n = 0;
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i);

		if (!takes(t, i))
			continue;
		a->config[a->n++] = (uint32_t)i;
		*x++ = t->stratum[i];
		for (size_t k = 1; k < a->n_columns; k++)
			*x++ = row[a->column[k]];
	}
	return ERR_OK;
}

static void attribute_table_release(struct attribute_table *a)
{
	free(a->attribute);
	free(a->config);
	free(a->x);
	free(a->column);
	free(a->own);
	*a = (struct attribute_table){0};
}

/* Errors: NOMEM. */
static enum err_code attribute_table_make(const struct slowdown_table *t,
					  struct attribute_table *out, struct err *e)
{
	struct attribute_table a = {.t = t};
	enum err_code rc;

	a.attribute = calloc(t->n_columns + 1, sizeof *a.attribute);
	a.column = calloc(t->n_columns + 1, sizeof *a.column);
	a.own = calloc(t->n_columns + 1, sizeof *a.own);
	if (!a.attribute || !a.column || !a.own) {
		rc = err_set(e, ERR_NOMEM, "choices among %zu columns", t->n_columns);
	} else {
		list_attributes(&a);
		list_columns(&a);
		rc = gather(&a, e);
	}
	if (rc)
		attribute_table_release(&a);
	else
		*out = a;
	return rc;
}

/* Columns of x: those of the attribute, or what a set agrees in: the case and every other choice
 * but copies of one, which would leave nothing to vary. */
static size_t key_columns(const struct attribute_table *a, const struct attribute *of,
			  bool of_attribute, size_t *column)
{
	size_t n = 0;

	for (size_t k = 0; k < a->n_columns; k++) {
		bool in = k > 0 && has_column(of, a->column[k]);
		bool copy = k > 0 && a->t->use[a->column[k]] == USE_NONE;

		if (of_attribute ? in : !in && !copy)
			column[n++] = k;
	}
	return n;
}

/* The items that have the attribute, and its values. */
static enum err_code group_by_value(const struct attribute_table *a, struct row_key *key,
				    uint32_t *item, struct attribute_sets *s, struct err *e)
{
	enum err_code rc;

	for (size_t i = 0; i < a->n; i++) {
		bool known = true;

		for (size_t k = 0; k < key->n_key; k++)
			known = known && !isnan(a->x[i * a->n_columns + key->column[k]]);
		if (!known)
			continue;
		s->config[s->n] = a->config[i];
		item[s->n++] = (uint32_t)i;
	}
	rc = group_by(key, item, s->n, s->value, s->value_config, &s->n_values, e);
	for (size_t v = 0; v < s->n_values; v++)
		s->value_config[v] = a->config[s->value_config[v]];
	return rc;
}

static void attribute_sets_release(struct attribute_sets *s)
{
	free(s->config);
	free(s->start);
	*s = (struct attribute_sets){0};
}

/* Errors: NOMEM. */
static enum err_code attribute_sets_make(const struct attribute_table *a, size_t i_attribute,
					 struct attribute_sets *out, struct err *e)
{
	const struct attribute *of = &a->attribute[i_attribute];
	struct attribute_sets s = {.t = a->t, .attribute = of};
	size_t *column = calloc(a->n_columns, sizeof *column);
	uint32_t *item = calloc(a->n + 1, sizeof *item), *set = calloc(a->n + 1, sizeof *set);
	struct row_key key = {.x = a->x, .n_columns = a->n_columns, .column = column};
	enum err_code rc;

	s.config = calloc(3 * a->n + 1, sizeof *s.config);
	if (!column || !item || !set || !s.config) {
		rc = err_set(e, ERR_NOMEM, "sets of %zu configurations", a->n);
		goto done;
	}
	s.value = s.config + a->n;
	s.value_config = s.value + a->n;
	key.n_key = key_columns(a, of, true, column);
	if ((rc = group_by_value(a, &key, item, &s, e)))
		goto done;
	key.n_key = key_columns(a, of, false, column);
	if (!(rc = group_by(&key, item, s.n, set, NULL, &s.n_sets, e)))
		rc = group_members(set, s.n, s.n_sets, &s.start, &s.member, e);
done:
	free(column);
	free(item);
	free(set);
	if (rc)
		attribute_sets_release(&s);
	else
		*out = s;
	return rc;
}

/* "10"; of a grid "4x2". */
static void attribute_put_value(const struct attribute_sets *s, size_t value, struct strbuf *out)
{
	const double *row = slowdown_row(s->t, s->value_config[value]);

	for (size_t k = 0; k < s->attribute->n_columns; k++) {
		size_t column = s->attribute->column[k];

		strbuf_puts(out, k > 0 ? "x" : "");
		configuration_put_value(s->t->app, column, row[column], out);
	}
}

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
