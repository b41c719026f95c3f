#include "mining/rules/setting_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/cases/slowdown_table.h"

void setting_cases_release(struct setting_cases *s)
{
	free(s->first);
	free(s->config);
	free(s->slowdown);
	free(s->mean);
	free(s->block);
	free(s->choice);
	free(s->rests_on);
	free(s->choice_code);
	free(s->context);
	free(s->context_code);
	*s = (struct setting_cases){0};
}

/* Scattered as if drawn, but the same every time. Not every k-th: in a factorial design that is
 * always the same value of some column (splitmix64's finaliser; Steele et al., OOPSLA 2014). */
static uint64_t scatter(uint64_t i)
{
	i += UINT64_C(0x9e3779b97f4a7c15);
	i = (i ^ (i >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	i = (i ^ (i >> 27)) * UINT64_C(0x94d049bb133111eb);
	return i ^ (i >> 31);
}

/* of stratum s: its number among the cases taken, SLOWDOWN_NONE for the others; and what share of
 * its configurations to keep, in units of 2^-32. */
struct sampling {
	uint32_t *number;
	uint64_t *share;
};

static bool usable(const struct slowdown_table *t, size_t i)
{
	return !isnan(t->log_slowdown[i]);
}

static size_t choose_cases(const struct slowdown_table *t, size_t max_cases, size_t max_configs,
			   struct sampling *take)
{
	size_t n_able = 0, n_taken = 0, able = 0, room;

	memset(take->number, 0xff, t->n_strata * sizeof *take->number);
	/* share holds the counts first */
	for (size_t i = 0; i < t->n; i++)
		take->share[t->stratum[i]] += usable(t, i);
	for (size_t s = 0; s < t->n_strata; s++)
		n_able += take->share[s] >= SETTING_MIN_MEMBERS;
	if (n_able == 0)
		return 0;
	if (max_cases > n_able)
		max_cases = n_able;
	room = max_configs / max_cases;
	if (room < SETTING_MIN_MEMBERS)
		room = SETTING_MIN_MEMBERS;
	for (size_t s = 0; s < t->n_strata; s++) {
		uint64_t n = take->share[s];

		if (n < SETTING_MIN_MEMBERS)
			continue;
		able++;
		if (able * max_cases / n_able > n_taken)
			take->number[s] = (uint32_t)n_taken++;
		take->share[s] = n <= room ? UINT64_C(1) << 32 : (room << 32) / n;
	}
	return n_taken;
}

static bool taken(const struct slowdown_table *t, const struct sampling *take, size_t i)
{
	uint32_t s = t->stratum[i];

	return take->number[s] != SLOWDOWN_NONE && usable(t, i) &&
	       scatter(i) >> 32 < take->share[s];
}

/* Configurations sorted into their cases, in their order within each. */
static enum err_code gather_configs(struct setting_cases *s, const struct sampling *take,
				    struct err *e)
{
	const struct slowdown_table *t = s->t;
	size_t *next;

	s->first = calloc(s->n_cases + 2, sizeof *s->first);
	s->mean = calloc(s->n_cases + 1, sizeof *s->mean);
	s->block = calloc(s->n_cases + 1, sizeof *s->block);
	if (!s->first || !s->mean || !s->block)
		return err_set(e, ERR_NOMEM, "%zu cases to choose in", s->n_cases);
	/* first[c + 2] counts, then first[c + 1] is where the next one of case c goes */
	for (size_t i = 0; i < t->n; i++) {
		if (taken(t, take, i))
			s->first[take->number[t->stratum[i]] + 2]++;
	}
	for (size_t c = 0; c < s->n_cases; c++)
		s->first[c + 2] += s->first[c + 1];
	s->n = s->first[s->n_cases + 1];
	s->config = calloc(s->n + 1, sizeof *s->config);
	s->slowdown = calloc(s->n + 1, sizeof *s->slowdown);
	if (!s->config || !s->slowdown)
		return err_set(e, ERR_NOMEM, "%zu configurations to choose from", s->n);
	next = s->first + 1;
	for (size_t i = 0; i < t->n; i++) {
		size_t c, at;

		if (!taken(t, take, i))
			continue;
		c = take->number[t->stratum[i]];
		at = next[c]++;
		s->config[at] = (uint32_t)i;
		s->slowdown[at] = t->log_slowdown[i];
		s->mean[c] += t->log_slowdown[i];
		s->block[c] = t->block[i];
	}
	for (size_t c = 0; c < s->n_cases; c++)
		s->mean[c] /= fmax(1, (double)(s->first[c + 1] - s->first[c]));
	return ERR_OK;
}

/* Add to set[] the columns that people set which stand behind a column. */
static void find_origins(const struct application *a, size_t column, unsigned char *set)
{
	const struct column *c = &a->column[column];

	if (c->role != COL_DERIVED) {
		set[column] = slowdown_depends_on_choice(a, column);
		return;
	}
	for (size_t i = 0; i < column; i++) {
		if (expr_uses(c->derived, i))
			find_origins(a, i, set);
	}
}

bool setting_cases_related(const struct setting_cases *s, size_t k, size_t l)
{
	size_t n = s->t->n_columns;

	for (size_t c = 0; c < n; c++) {
		if (s->rests_on[k * n + c] && s->rests_on[l * n + c])
			return true;
	}
	return false;
}

static enum err_code gather_columns(struct setting_cases *s, struct err *e)
{
	const struct slowdown_table *t = s->t;

	s->choice = calloc(t->n_columns + 1, sizeof *s->choice);
	s->context = calloc(t->n_columns + 1, sizeof *s->context);
	s->rests_on = calloc(t->n_columns, t->n_columns);
	if (!s->choice || !s->context || !s->rests_on)
		return err_set(e, ERR_NOMEM, "%zu columns", t->n_columns);
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->use[c] == USE_CONTEXT)
			s->context[s->n_contexts++] = c;
		if (t->use[c] != USE_CHOICE)
			continue;
		find_origins(t->app, c, s->rests_on + s->n_choices * t->n_columns);
		s->choice[s->n_choices++] = c;
	}
	return ERR_OK;
}

static enum err_code gather_codes(struct setting_cases *s, struct err *e)
{
	const struct slowdown_table *t = s->t;

	s->choice_code = malloc(s->n_choices * s->n + 1);
	s->context_code = malloc(s->n_contexts * s->n_cases + 1);
	if (!s->choice_code || !s->context_code)
		return err_set(e, ERR_NOMEM, "codes of %zu configurations", s->n);
	for (size_t k = 0; k < s->n_choices; k++) {
		const unsigned char *code = slowdown_codes(t, s->choice[k]);

		for (size_t i = 0; i < s->n; i++)
			s->choice_code[k * s->n + i] = code[s->config[i]];
	}
	for (size_t k = 0; k < s->n_contexts; k++) {
		const unsigned char *code = slowdown_codes(t, s->context[k]);

		for (size_t c = 0; c < s->n_cases; c++) {
			/* The middle one, should rounding make them differ a little. */
			size_t middle = (s->first[c] + s->first[c + 1]) / 2;

			s->context_code[k * s->n_cases + c] = s->first[c] < s->first[c + 1]
								      ? code[s->config[middle]]
								      : BIN_MISSING;
		}
	}
	return ERR_OK;
}

enum err_code setting_cases_make(const struct slowdown_table *t, size_t max_cases,
				 size_t max_configs, struct setting_cases *out, struct err *e)
{
	struct setting_cases s = {.t = t};
	struct sampling take = {
		.number = calloc(t->n_strata + 1, sizeof *take.number),
		.share = calloc(t->n_strata + 1, sizeof *take.share),
	};
	enum err_code rc;

	if (!take.number || !take.share) {
		rc = err_set(e, ERR_NOMEM, "sample of %zu cases", t->n_strata);
	} else {
		s.n_cases = choose_cases(t, max_cases, max_configs, &take);
		if (!(rc = gather_columns(&s, e)) && !(rc = gather_configs(&s, &take, e)))
			rc = gather_codes(&s, e);
	}
	free(take.number);
	free(take.share);
	if (rc)
		setting_cases_release(&s);
	else
		*out = s;
	return rc;
}

struct setting_contrast setting_cases_contrast(const struct setting_cases *s, size_t c,
					       const struct conjunction *setting)
{
	struct setting_contrast out = {0};

	for (size_t m = s->first[c]; m < s->first[c + 1]; m++) {
		if (conjunction_holds(setting, s->t, s->config[m])) {
			out.in += s->slowdown[m];
			out.n_in++;
		} else {
			out.out += s->slowdown[m];
			out.n_out++;
		}
	}
	out.in = out.n_in > 0 ? out.in / (double)out.n_in : (double)NAN;
	out.out = out.n_out > 0 ? out.out / (double)out.n_out : (double)NAN;
	return out;
}

/* ---- groups ---- */

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
