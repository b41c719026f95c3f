#include "mining/rules/rule_residuals.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

/* One configuration as the rule sees it. */
struct seen {
	bool speaks;  /* the condition holds, and a ratio is known */
	bool follows; /* the setting holds; true for rules without one */
	double ratio;
	double other; /* time: the ratio without the rule */
};

/* The configurations of a case that the rule speaks of. */
struct seen_case {
	bool spoken;	  /* there are any */
	size_t n_follow;  /* that follow the setting */
	double log_sum;	  /* of their ratios */
	uint32_t slowest; /* of them */
};

struct residual_maker {
	const struct slowdown_table *table;
	const struct rule *rule;
	struct rule_test *test;
	const struct predictor *base;
	struct seen *seen;     /* [table->n] */
	struct seen_case *met; /* [table->n_strata] */
	struct rule_residuals out;
};

/* ---- ratios ---- */

/* Without the rule a time rule's runs would be told their structural prediction, or where there is
 * none the geometric mean of their times. */
static double log_mean_time(const struct residual_maker *m)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->table->n; i++) {
		if (!rule_condition_holds(m->test, slowdown_row(m->table, i)))
			continue;
		sum += m->table->log_time[i];
		n++;
	}
	return n ? sum / (double)n : 0;
}

static void see_time(struct residual_maker *m, size_t i, const double *row, double log_typical)
{
	struct seen *s = &m->seen[i];
	double formula = rule_formula(m->test, row), log_other = log_typical;
	struct prediction p = {0};

	if (m->rule->on_model) {
		predictor_predict(m->base, row, 1, &p);
		log_other = log(p.time_s);
		formula *= p.time_s;
	}
	s->ratio = exp(m->table->log_time[i] - log(formula));
	s->other = exp(m->table->log_time[i] - log_other);
	s->speaks = isfinite(s->ratio) && isfinite(s->other);
}

static void see_choice(struct residual_maker *m, size_t i, const double *row)
{
	struct seen *s = &m->seen[i];

	s->ratio = exp(m->table->log_slowdown[i]);
	s->speaks = isfinite(s->ratio);
	s->follows = m->rule->kind != RULE_SETTING || rule_setting_holds(m->test, row);
}

static void see_all(struct residual_maker *m)
{
	const struct slowdown_table *t = m->table;
	bool is_time = m->rule->kind == RULE_TIME;
	double log_typical = is_time ? log_mean_time(m) : 0;

	if (is_time && m->rule->on_model && !m->base)
		return;
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i);

		if (!rule_condition_holds(m->test, row))
			continue;
		if (is_time)
			see_time(m, i, row, log_typical);
		else
			see_choice(m, i, row);
		if (m->seen[i].speaks)
			m->met[t->stratum[i]].spoken = true;
	}
}

/* ---- both sides ---- */

static void share_out(struct residual_maker *m)
{
	const struct slowdown_table *t = m->table;
	struct rule_residuals *w = &m->out;

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &m->seen[i];
		double slow = exp(t->log_slowdown[i]);

		if (m->rule->kind == RULE_TIME && s->speaks) {
			w->with[w->n_with++] = s->ratio;
			w->without[w->n_without++] = s->other;
		} else if (m->rule->kind == RULE_SETTING && s->speaks) {
			if (s->follows)
				w->with[w->n_with++] = s->ratio;
			else
				w->without[w->n_without++] = s->ratio;
		} else if (m->rule->kind == RULE_CHOICE && s->speaks) {
			w->with[w->n_with++] = s->ratio;
		} else if (m->rule->kind == RULE_CHOICE && m->met[t->stratum[i]].spoken &&
			   isfinite(slow)) {
			w->without[w->n_without++] = slow;
		}
	}
}

/* ---- counter-examples ---- */

/* How much a configuration speaks against a choice or time rule; 0: not at all. */
static double contradiction(const struct rule *r, const struct seen *s)
{
	double error;

	if (!s->speaks)
		return 0;
	if (r->kind == RULE_CHOICE)
		return s->ratio <= RULE_NEAR_BEST ? 1 / s->ratio : 0;
	error = fabs(log(s->ratio));
	return error > fabs(log(s->other)) ? error : 0;
}

static void keep_worst(struct residual_maker *m, size_t i, double badness, double *worst_badness)
{
	struct rule_residuals *w = &m->out;
	size_t at = w->n_worst;

	w->n_counter++;
	while (at > 0 && worst_badness[at - 1] < badness)
		at--;
	if (at == RULE_WITNESS_SHOWN)
		return;
	if (w->n_worst < RULE_WITNESS_SHOWN)
		w->n_worst++;
	for (size_t k = w->n_worst - 1; k > at; k--) {
		w->worst[k] = w->worst[k - 1];
		worst_badness[k] = worst_badness[k - 1];
	}
	w->worst[at] = (struct rule_counter_example){m->table->first_run[i], m->seen[i].ratio};
	worst_badness[at] = badness;
}

static void note_follower(struct residual_maker *m, uint32_t i)
{
	const struct seen *s = &m->seen[i];
	struct seen_case *met = &m->met[m->table->stratum[i]];

	if (!s->speaks || !s->follows)
		return;
	if (met->n_follow == 0 || s->ratio > m->seen[met->slowest].ratio)
		met->slowest = i;
	met->n_follow++;
	met->log_sum += log(s->ratio);
}

/* A setting speaks about cases, and chooses in each what follows it, any of it. */
static void gather_cases(struct residual_maker *m, double *worst_badness)
{
	for (size_t i = 0; i < m->table->n; i++)
		note_follower(m, (uint32_t)i);
	for (size_t k = 0; k < m->table->n_strata; k++) {
		const struct seen_case *met = &m->met[k];
		double mean = met->n_follow ? exp(met->log_sum / (double)met->n_follow) : 0;

		m->out.n_checked += met->n_follow > 0;
		if (mean > 1 + m->rule->within)
			keep_worst(m, met->slowest, mean, worst_badness);
	}
}

static void gather_counter_examples(struct residual_maker *m)
{
	double worst_badness[RULE_WITNESS_SHOWN] = {0};

	if (m->rule->kind == RULE_SETTING) {
		gather_cases(m, worst_badness);
		return;
	}
	for (size_t i = 0; i < m->table->n; i++) {
		double badness = contradiction(m->rule, &m->seen[i]);

		m->out.n_checked += m->seen[i].speaks;
		if (badness > 0)
			keep_worst(m, i, badness, worst_badness);
	}
}

/* ---- the whole ---- */

static enum err_code reserve(struct residual_maker *m, struct err *e)
{
	size_t n = m->table->n + 1;

	m->seen = calloc(n, sizeof *m->seen);
	m->met = calloc(m->table->n_strata + 1, sizeof *m->met);
	m->out.with = calloc(n, sizeof *m->out.with);
	m->out.without = calloc(n, sizeof *m->out.without);
	return m->seen && m->met && m->out.with && m->out.without
		       ? ERR_OK
		       : err_set(e, ERR_NOMEM, "the runs of rule %s", m->rule->id);
}

enum err_code rule_residuals_make(const struct slowdown_table *t, const struct rule *r,
				  const struct predictor *base, struct rule_residuals *out,
				  struct err *e)
{
	struct residual_maker m = {.table = t, .rule = r, .base = base};
	enum err_code rc;

	if ((rc = rule_test_new(t->app, r, &m.test, e)) || (rc = reserve(&m, e)))
		goto done;
	if (r->kind != RULE_INVARIANT) { /* an invariant says nothing of times */
		see_all(&m);
		share_out(&m);
		gather_counter_examples(&m);
	}
	qsort(m.out.with, m.out.n_with, sizeof *m.out.with, compare_doubles);
	qsort(m.out.without, m.out.n_without, sizeof *m.out.without, compare_doubles);
	*out = m.out;
	m.out = (struct rule_residuals){0};
done:
	rule_test_free(m.test);
	rule_residuals_release(&m.out);
	free(m.seen);
	free(m.met);
	return rc;
}

void rule_residuals_release(struct rule_residuals *w)
{
	free(w->with);
	free(w->without);
	*w = (struct rule_residuals){0};
}
