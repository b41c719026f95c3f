#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/findings/effects_contrast.h"
#include "mining/findings/effects_interactions.h"
#include "mining/cases/rule_miners.h"
#include "mining/cases/sample.h"

/* What matters, column by column. Every configuration has one vote, however often an auto-tuner
 * went back to it; a case counts no more than CASE_CAP of them. */

/* Configurations looked at, in whole cases. A rank correlation of that many is known to 0.003. */
enum { EFFECT_SAMPLE = 100000 };

static char *text_of(struct strbuf *s)
{
	return s->failed ? NULL : strdup(strbuf_text(s));
}

static enum err_code describe_contrast(const struct rank_strata *slow, size_t column,
				       struct column_effect *out, struct err *e)
{
	struct group_contrast c = {.effect = NAN, .lo = NAN, .hi = NAN};
	struct strbuf best = STRBUF_INIT, worst = STRBUF_INIT;
	struct column_groups g;
	enum err_code rc = ERR_OK;

	column_groups_make(slow->t, column, GROUPS_MAX, &g);
	if (g.n >= 2 && slow->t->use[column] == USE_CHOICE)
		rc = group_contrast(slow, column, &g, &c, e);
	out->effect = c.effect;
	out->effect_lo = c.lo;
	out->effect_hi = c.hi;
	if (!rc && !isnan(c.effect)) {
		column_groups_put(slow->t, column, &g, c.best, &best);
		column_groups_put(slow->t, column, &g, c.worst, &worst);
	}
	out->best = text_of(&best);
	out->worst = text_of(&worst);
	if (!rc && (!out->best || !out->worst))
		rc = err_set(e, ERR_NOMEM, "effect of a column");
	strbuf_release(&best);
	strbuf_release(&worst);
	return rc;
}

/* Ranks of text levels mean nothing, and context does not vary within cases. */
static enum err_code describe_column(const struct rank_strata *time, const struct rank_strata *slow,
				     size_t column, struct column_effect *out, struct err *e)
{
	struct rank_correlation with_time = {NAN, NAN, NAN, NAN}, with_slow = with_time;
	const struct slowdown_table *t = time->t;
	bool ordered = t->bins[column].ordered;
	enum err_code rc = ERR_OK;

	out->column = strdup(t->app->column[column].name);
	if (!out->column)
		return err_set(e, ERR_NOMEM, "effect of a column");
	if (ordered)
		rc = rank_strata_correlate(time, column, &with_time, e);
	if (!rc && ordered && t->use[column] == USE_CHOICE)
		rc = rank_strata_correlate(slow, column, &with_slow, e);
	out->time_rho = with_time.rho;
	out->time_lo = with_time.lo;
	out->time_hi = with_time.hi;
	out->time_p = with_time.p;
	out->slow_rho = with_slow.rho;
	out->slow_lo = with_slow.lo;
	out->slow_hi = with_slow.hi;
	out->slow_p = with_slow.p;
	return rc ? rc : describe_contrast(slow, column, out, e);
}

/* Many columns were asked: each family of p values is adjusted for that. */
static enum err_code adjust(struct column_effect *effect, size_t n, struct err *e)
{
	double *p = calloc(2 * n + 1, sizeof *p);
	enum err_code rc;

	if (!p)
		return err_set(e, ERR_NOMEM, "p values of %zu columns", n);
	for (size_t i = 0; i < n; i++) {
		p[i] = effect[i].time_p;
		p[n + i] = effect[i].slow_p;
	}
	if (!(rc = benjamini_hochberg(p, n, e)) && !(rc = benjamini_hochberg(p + n, n, e))) {
		for (size_t i = 0; i < n; i++) {
			effect[i].time_p = p[i];
			effect[i].slow_p = p[n + i];
		}
	}
	free(p);
	return rc;
}

static int compare(double x, double y)
{
	return (x > y) - (x < y);
}

static double or_zero(double x)
{
	return isnan(x) ? 0 : x;
}

/* What matters most to a choice comes first, then what goes with time. */
static int by_weight(const void *a, const void *b)
{
	const struct column_effect *x = a, *y = b;
	int order = compare(or_zero(y->effect), or_zero(x->effect));

	if (order == 0)
		order = compare(fabs(or_zero(y->time_rho)), fabs(or_zero(x->time_rho)));
	return order ? order : strcmp(x->column, y->column);
}

static enum err_code describe_columns(const struct slowdown_table *t, struct findings *out,
				      double *strength, struct err *e)
{
	struct rank_strata time = {0}, slow = {0};
	enum err_code rc;

	if ((rc = rank_strata_of_time(t, &time, e)) || (rc = rank_strata_of_slowdown(t, &slow, e)))
		goto done;
	for (size_t c = 0; c < t->n_columns && !rc; c++) {
		struct column_effect *effect = &out->effect[out->n_effects];

		if (t->use[c] == USE_NONE)
			continue;
		out->n_effects++;
		rc = describe_column(&time, &slow, c, effect, e);
		strength[c] = t->use[c] == USE_CHOICE ? log(fmax(1, or_zero(effect->effect)))
						      : fabs(or_zero(effect->time_rho));
	}
	if (!rc)
		rc = adjust(out->effect, out->n_effects, e);
	if (!rc && out->n_effects > 0)
		qsort(out->effect, out->n_effects, sizeof *out->effect, by_weight);
done:
	rank_strata_release(&time);
	rank_strata_release(&slow);
	return rc;
}

enum err_code mine_effects(const struct slowdown_table *t, const struct progress *p,
			   struct findings *out, struct err *e)
{
	struct slowdown_table *sample = NULL;
	double *strength = calloc(t->n_columns + 1, sizeof *strength);
	enum err_code rc = ERR_OK;

	out->effect = calloc(t->n_columns + 1, sizeof *out->effect);
	if (!strength || !out->effect)
		rc = err_set(e, ERR_NOMEM, "effects of %zu columns", t->n_columns);
	else if (!progress_step(p, "finding what matters", 0, 2))
		rc = err_set(e, ERR_INTERRUPTED, "interrupted while finding what matters");
	else if (!(rc = sample_fold(t, NULL, 0, EFFECT_SAMPLE, &sample, e)) &&
		 !(rc = describe_columns(sample, out, strength, e)))
		rc = find_interactions(t, strength, p, out, e);
	slowdown_table_free(sample);
	free(strength);
	return rc;
}
