#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/err.h"
#include "mining/cases/case_contrast.h"
#include "mining/cases/rule_miners.h"
#include "mining/cases/slowdown_table.h"
#include "mining/findings/findings_private.h"

/* A pair of groups must have met in this share of the weight of the pair that met most, so that the
 * best and the worst are not of the rarest values. A choice. */
#define MIN_MEETINGS 0.2

enum { MIN_BLOCKS = 3 };

/* Of one case: log slow-downs by group. */
struct case_sums {
	double n[GROUPS_MAX], sum[GROUPS_MAX], squares[GROUPS_MAX];
};

static void sum_case(const struct rank_strata *s, size_t stratum, const unsigned char *code,
		     const struct column_groups *g, struct case_sums *out)
{
	memset(out, 0, sizeof *out);
	for (size_t k = s->start[stratum]; k < s->start[stratum + 1]; k++) {
		unsigned char group = g->of_code[code[s->config[k]]];

		if (group == GROUP_NONE)
			continue;
		out->n[group]++;
		out->sum[group] += s->value[k];
		out->squares[group] += s->value[k] * s->value[k];
	}
}

/* What two groups of a case are worth: the inverse of the variance of the difference of their
 * means, at most as if CASE_CAP configurations were halved between them. */
static double pair_weight(const struct case_sums *c, size_t a, size_t b)
{
	return fmin(CASE_CAP / 4.0, c->n[a] * c->n[b] / (c->n[a] + c->n[b]));
}

static double pair_difference(const struct case_sums *c, size_t from, size_t to)
{
	return c->sum[to] / c->n[to] - c->sum[from] / c->n[from];
}

/* Weighted differences of group means over all cases: of pair (a, b), a < b. */
struct pair_table {
	double weight[GROUPS_MAX][GROUPS_MAX], sum[GROUPS_MAX][GROUPS_MAX];
	double within, dof; /* squares about the means of groups, and their degrees of freedom */
};

static void compare_pairs(const struct rank_strata *s, const unsigned char *code,
			  const struct column_groups *g, struct pair_table *p)
{
	struct case_sums c;

	memset(p, 0, sizeof *p);
	for (size_t i = 0; i < s->n_strata; i++) {
		sum_case(s, i, code, g, &c);
		for (size_t a = 0; a < g->n; a++) {
			if (c.n[a] == 0)
				continue;
			p->within += fmax(0, c.squares[a] - c.sum[a] * c.sum[a] / c.n[a]);
			p->dof += c.n[a] - 1;
			for (size_t b = a + 1; b < g->n; b++) {
				double w = c.n[b] > 0 ? pair_weight(&c, a, b) : 0;

				p->weight[a][b] += w;
				p->sum[a][b] += w > 0 ? w * pair_difference(&c, a, b) : 0;
			}
		}
	}
}

/* false: no two groups met in a case. */
static bool pick_pair(const struct pair_table *p, size_t n, size_t *best, size_t *worst)
{
	double most = 0, largest = -1;

	for (size_t a = 0; a < n; a++) {
		for (size_t b = a + 1; b < n; b++)
			most = fmax(most, p->weight[a][b]);
	}
	for (size_t a = 0; a < n; a++) {
		for (size_t b = a + 1; b < n; b++) {
			double d = p->sum[a][b] / p->weight[a][b];

			if (p->weight[a][b] == 0 || p->weight[a][b] < MIN_MEETINGS * most ||
			    fabs(d) <= largest)
				continue;
			largest = fabs(d);
			*best = d >= 0 ? a : b;
			*worst = d >= 0 ? b : a;
		}
	}
	return most > 0;
}

/* The mean contrast of every block in which both groups met; of few blocks without an interval, as
 * Student's t of one degree of freedom spans twenty powers of ten. */
static enum err_code block_contrasts(const struct rank_strata *s, const unsigned char *code,
				     const struct column_groups *g, const struct group_contrast *of,
				     double level, struct mean_test *out, struct err *e)
{
	double *sum = calloc(2 * s->n_blocks + 1, sizeof *sum), *weight;
	struct case_sums c;
	size_t n = 0;

	if (!sum)
		return err_set(e, ERR_NOMEM, "contrasts of %zu blocks", s->n_blocks);
	weight = sum + s->n_blocks;
	for (size_t i = 0; i < s->n_strata; i++) {
		uint32_t block = s->block[s->start[i]];
		double w;

		sum_case(s, i, code, g, &c);
		if (c.n[of->best] == 0 || c.n[of->worst] == 0)
			continue;
		w = pair_weight(&c, of->best, of->worst);
		sum[block] += w * pair_difference(&c, of->best, of->worst);
		weight[block] += w;
	}
	for (size_t b = 0; b < s->n_blocks; b++) {
		if (weight[b] > 0)
			sum[n++] = sum[b] / weight[b];
	}
	mean_t_test(sum, n, level, out);
	if (n < MIN_BLOCKS) {
		out->lo = -INFINITY;
		out->hi = INFINITY;
	}
	free(sum);
	return ERR_OK;
}

/* Configurations speak for themselves: one variance for all, about the means of groups. */
static void pooled_contrast(const struct rank_strata *s, const unsigned char *code,
			    const struct column_groups *g, const struct group_contrast *of,
			    const struct pair_table *p, double level, struct mean_test *out)
{
	double sum = 0, total = 0, variance = 0, half;
	struct case_sums c;

	for (size_t i = 0; i < s->n_strata; i++) {
		double w;

		sum_case(s, i, code, g, &c);
		if (c.n[of->best] == 0 || c.n[of->worst] == 0)
			continue;
		w = pair_weight(&c, of->best, of->worst);
		sum += w * pair_difference(&c, of->best, of->worst);
		variance += w * w * (1 / c.n[of->best] + 1 / c.n[of->worst]);
		total += w;
	}
	*out = (struct mean_test){sum / total, -INFINITY, INFINITY, 1};
	if (p->dof < 1)
		return;
	half = gsl_cdf_tdist_Pinv((1 + level) / 2, p->dof) * sqrt(p->within / p->dof * variance) /
	       total;
	out->lo = out->mean - half;
	out->hi = out->mean + half;
}

/* s: by log slow-down. The interval is of the mean over blocks (over configurations, where blocks
 * are no larger), and wide enough for every pair of groups at once (Bonferroni), as these two were
 * picked by what they show. Errors: NOMEM. */
enum err_code group_contrast(const struct rank_strata *s, size_t column,
			     const struct column_groups *g, struct group_contrast *out,
			     struct err *e)
{
	const unsigned char *code = slowdown_codes(s->t, column);
	double n_pairs = (double)(g->n * (g->n - 1)) / 2, level = 1 - 0.05 / n_pairs;
	struct group_contrast c = {.effect = NAN, .lo = NAN, .hi = NAN};
	struct pair_table p;
	struct mean_test test;
	enum err_code rc = ERR_OK;

	compare_pairs(s, code, g, &p);
	if (pick_pair(&p, g->n, &c.best, &c.worst)) {
		if (s->t->block_kind == BLOCK_CONFIGURATION)
			pooled_contrast(s, code, g, &c, &p, level, &test);
		else
			rc = block_contrasts(s, code, g, &c, level, &test, e);
		if (rc)
			return rc;
		c.effect = exp(test.mean);
		if (isfinite(test.lo) && isfinite(test.hi)) {
			c.lo = exp(test.lo);
			c.hi = exp(test.hi);
		}
	}
	*out = c;
	return ERR_OK;
}

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
