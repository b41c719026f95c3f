#include "mining/evaluate/scoring_rules.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

const double interval_level[INTERVAL_LEVELS] = {0.5, 0.8, 0.9, 0.95};

double interval_score(double lo_s, double hi_s, double run_s, double level)
{
	double l = log(lo_s), u = log(hi_s), x = log(run_s), a = 1 - level;

	return (u - l) + 2 / a * fmax(l - x, 0) + 2 / a * fmax(x - u, 0);
}

double binomial_error(double share, size_t n)
{
	return sqrt(share * (1 - share) / (double)n);
}

/* Where all runs took the same time an interval may be that time and nothing else: by more than the
 * last digits of arithmetic, which no clock shows, a run lies outside. */
static bool is_covered(double run_s, double lo_s, double hi_s)
{
	const double slack = 1e-9 * run_s;

	return run_s >= lo_s - slack && run_s <= hi_s + slack;
}

static void count_run(struct scoring_rules *c, const struct forecast *f, double run_s)
{
	c->n_runs++;
	for (int k = 0; k < INTERVAL_LEVELS; k++)
		c->n_covered[k] += is_covered(run_s, f->lo_s[k], f->hi_s[k]);
	c->sum_score += interval_score(f->lo_s[LEVEL_90], f->hi_s[LEVEL_90], run_s,
				       interval_level[LEVEL_90]);
	for (int k = 0; k < RELIABILITY_BINS; k++) {
		int at = (int)(f->p_meet[k] * RELIABILITY_BINS);
		struct reliability_bin *bin =
			&c->bin[at < RELIABILITY_BINS ? at : RELIABILITY_BINS - 1];

		bin->n++;
		bin->n_met += run_s <= f->deadline_s[k];
		bin->sum_promised += f->p_meet[k];
	}
}

enum err_code scoring_rules_add(struct scoring_rules *c, const struct forecast *f,
				double measured_s, const double *run_s, size_t n_runs,
				struct err *e)
{
	if (c->n == c->cap) {
		size_t cap = 2 * c->cap + 64;
		struct tested *grown = realloc(c->tested, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu tested configurations", cap);
		c->tested = grown;
		c->cap = cap;
	}
	c->tested[c->n++] = (struct tested){
		.measured_s = measured_s,
		.predicted_s = f->time_s,
		.lo_s = f->lo_s[LEVEL_90],
		.hi_s = f->hi_s[LEVEL_90],
	};
	for (size_t i = 0; i < n_runs; i++)
		count_run(c, f, run_s[i]);
	return ERR_OK;
}

void scoring_rules_release(struct scoring_rules *c)
{
	free(c->tested);
	*c = (struct scoring_rules){0};
}

static enum err_code summarise_errors(const struct scoring_rules *c, struct scores *out,
				      struct err *e)
{
	struct error_list error = {0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->n && !rc; i++)
		rc = error_list_add(&error, c->tested[i].predicted_s / c->tested[i].measured_s - 1,
				    e);
	if (!rc)
		error_list_summarise(&error, &out->median_error, &out->p90_error, &out->bias);
	error_list_release(&error);
	return rc;
}

static enum err_code summarise_widths(const struct scoring_rules *c, struct scores *out,
				      struct err *e)
{
	double *ratio = calloc(c->n + 1, sizeof *ratio);

	if (!ratio)
		return err_set(e, ERR_NOMEM, "%zu intervals", c->n);
	for (size_t i = 0; i < c->n; i++)
		ratio[i] = c->tested[i].hi_s / c->tested[i].lo_s;
	gsl_sort(ratio, 1, c->n);
	out->width = gsl_stats_median_from_sorted_data(ratio, 1, c->n);
	free(ratio);
	return ERR_OK;
}

enum err_code scoring_rules_summarise(const struct scoring_rules *c, struct scores *out,
				      struct err *e)
{
	struct scores s = {.interval_score = c->sum_score / (double)c->n_runs};
	enum err_code rc;

	for (int k = 0; k < INTERVAL_LEVELS; k++) {
		s.coverage[k] = (double)c->n_covered[k] / (double)c->n_runs;
		s.coverage_error[k] = binomial_error(s.coverage[k], c->n_runs);
	}
	if ((rc = summarise_errors(c, &s, e)) || (rc = summarise_widths(c, &s, e)))
		return rc;
	*out = s;
	return ERR_OK;
}

enum err_code error_list_add(struct error_list *l, double value, struct err *e)
{
	if (l->n == l->cap) {
		size_t cap = 2 * l->cap + 64;
		double *grown = realloc(l->value, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu errors", cap);
		l->value = grown;
		l->cap = cap;
	}
	l->value[l->n++] = value;
	return ERR_OK;
}

void error_list_release(struct error_list *l)
{
	free(l->value);
	*l = (struct error_list){0};
}

void error_list_summarise(struct error_list *l, double *median, double *p90, double *bias)
{
	gsl_sort(l->value, 1, l->n);
	*bias = gsl_stats_median_from_sorted_data(l->value, 1, l->n);
	for (size_t i = 0; i < l->n; i++)
		l->value[i] = fabs(l->value[i]);
	gsl_sort(l->value, 1, l->n);
	*median = gsl_stats_median_from_sorted_data(l->value, 1, l->n);
	*p90 = gsl_stats_quantile_from_sorted_data(l->value, 1, l->n, 0.9);
}

/* ---- one recommendation and many ---- */

/* ---- one ---- */

double reliability_median(double *x, size_t n)
{
	return n > 0 ? gsl_stats_median(x, 1, n) : (double)NAN;
}

/* A timeout took longer than wall_s, nobody knows how much. */
static enum hit by(double limit_s, const struct kb_outcome *run)
{
	if (isnan(limit_s))
		return HIT_UNKNOWN;
	if (run->timed_out)
		return run->wall_s >= limit_s ? HIT_NO : HIT_UNKNOWN;
	return run->wall_s <= limit_s ? HIT_YES : HIT_NO;
}

static enum hit inside(const struct reliability *p, const struct kb_outcome *run)
{
	enum hit below_hi = by(p->hi_s, run);

	if (below_hi != HIT_YES)
		return below_hi;
	return run->wall_s >= p->lo_s ? HIT_YES : HIT_NO;
}

enum err_code reliability_judge(const struct reliability *p, const struct kb_outcome *run, size_t n,
				struct reliability_outcome *out, struct err *e)
{
	struct reliability_outcome o = {.n_runs = n, .median_s = NAN, .next_ratio = NAN};
	double *wall_s = n > 0 ? calloc(n, sizeof *wall_s) : NULL;

	if (n > 0 && !wall_s)
		return err_set(e, ERR_NOMEM, "the outcome of a recommendation");
	for (size_t i = 0; i < n; i++) {
		enum hit in_time = by(p->deadline_s, &run[i]);

		wall_s[i] = run[i].wall_s;
		o.n_in_time += in_time == HIT_YES;
		o.n_late += in_time == HIT_NO;
	}
	o.median_s = reliability_median(wall_s, n);
	free(wall_s);
	if (n > 0) {
		o.next_run_id = run[0].run_id;
		o.in_time = by(p->deadline_s, &run[0]);
		o.inside = inside(p, &run[0]);
		if (!run[0].timed_out)
			o.next_ratio = run[0].wall_s / p->predicted_s;
	}
	*out = o;
	return ERR_OK;
}

const char *reliability_verdict_name(enum reliability_verdict v)
{
	static const char *const name[] = {
		[RELIABILITY_TOO_FEW] = "too few to judge",
		[RELIABILITY_AS_PROMISED] = "as promised",
		[RELIABILITY_LESS] = "less often than promised",
		[RELIABILITY_MORE] = "more often than promised",
	};

	return name[v];
}

static int by_run(const void *a, const void *b)
{
	int64_t x = ((const struct judged_forecast *)a)->run_id;
	int64_t y = ((const struct judged_forecast *)b)->run_id;

	return (x > y) - (x < y);
}

static enum reliability_verdict judge(const struct reliability_summary *c)
{
	double off = c->hit_rate - c->promised;

	if (c->n_runs < RELIABILITY_MIN)
		return RELIABILITY_TOO_FEW;
	/* Two standard errors: one judgement in twenty is wrong. */
	if (fabs(off) <= 2 * c->error)
		return RELIABILITY_AS_PROMISED;
	return off < 0 ? RELIABILITY_LESS : RELIABILITY_MORE;
}

/* The error counts runs, not forecasts: one run decides all that it answers. */
void reliability_summarise(struct judged_forecast *item, size_t n, struct reliability_summary *out)
{
	struct reliability_summary c = {.promised = NAN, .hit_rate = NAN, .error = NAN};
	double sum = 0, variance = 0;
	int64_t last = 0;

	if (n > 0)
		qsort(item, n, sizeof *item, by_run);
	for (size_t i = 0; i < n; i++) {
		double p = item[i].probability;

		if (item[i].hit == HIT_UNKNOWN)
			continue;
		c.n_runs += c.n == 0 || item[i].run_id != last;
		last = item[i].run_id;
		c.n++;
		c.n_hits += item[i].hit == HIT_YES;
		sum += p;
		variance += p * (1 - p);
	}
	if (c.n > 0) {
		double count = (double)c.n;

		c.promised = sum / count;
		c.hit_rate = (double)c.n_hits / count;
		c.error = sqrt(variance / count / (double)c.n_runs);
		c.verdict = judge(&c);
	}
	*out = c;
}
