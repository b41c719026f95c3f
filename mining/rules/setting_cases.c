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
