#include "mining/evaluate/reliability.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

/* ---- one ---- */

double promise_median(double *x, size_t n)
{
	return n > 0 ? gsl_stats_median(x, 1, n) : (double)NAN;
}

/* A timeout took longer than wall_s, nobody knows how much. */
static enum kept by(double limit_s, const struct kb_outcome *run)
{
	if (isnan(limit_s))
		return KEPT_UNKNOWN;
	if (run->timed_out)
		return run->wall_s >= limit_s ? KEPT_NO : KEPT_UNKNOWN;
	return run->wall_s <= limit_s ? KEPT_YES : KEPT_NO;
}

static enum kept inside(const struct reliability *p, const struct kb_outcome *run)
{
	enum kept below_hi = by(p->hi_s, run);

	if (below_hi != KEPT_YES)
		return below_hi;
	return run->wall_s >= p->lo_s ? KEPT_YES : KEPT_NO;
}

enum err_code reliability_judge(const struct reliability *p, const struct kb_outcome *run, size_t n,
				struct reliability_outcome *out, struct err *e)
{
	struct reliability_outcome o = {.n_runs = n, .median_s = NAN, .next_ratio = NAN};
	double *wall_s = n > 0 ? calloc(n, sizeof *wall_s) : NULL;

	if (n > 0 && !wall_s)
		return err_set(e, ERR_NOMEM, "the outcome of a recommendation");
	for (size_t i = 0; i < n; i++) {
		enum kept in_time = by(p->deadline_s, &run[i]);

		wall_s[i] = run[i].wall_s;
		o.n_in_time += in_time == KEPT_YES;
		o.n_late += in_time == KEPT_NO;
	}
	o.median_s = promise_median(wall_s, n);
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

/* ---- many ---- */

const char *calibration_verdict_name(enum calibration_verdict v)
{
	static const char *const name[] = {
		[CALIBRATION_TOO_FEW] = "too few to judge",
		[CALIBRATION_AS_PROMISED] = "as promised",
		[CALIBRATION_LESS] = "less often than promised",
		[CALIBRATION_MORE] = "more often than promised",
	};

	return name[v];
}

static int by_run(const void *a, const void *b)
{
	int64_t x = ((const struct kept_promise *)a)->run_id;
	int64_t y = ((const struct kept_promise *)b)->run_id;

	return (x > y) - (x < y);
}

static enum calibration_verdict judge(const struct calibration *c)
{
	double off = c->kept - c->promised;

	if (c->n_runs < CALIBRATION_MIN)
		return CALIBRATION_TOO_FEW;
	/* Two standard errors: one judgement in twenty is wrong. */
	if (fabs(off) <= 2 * c->error)
		return CALIBRATION_AS_PROMISED;
	return off < 0 ? CALIBRATION_LESS : CALIBRATION_MORE;
}

/* The error counts runs, not promises: those that one run answers are kept or broken together. */
void calibration_of(struct kept_promise *item, size_t n, struct calibration *out)
{
	struct calibration c = {.promised = NAN, .kept = NAN, .error = NAN};
	double sum = 0, variance = 0;
	int64_t last = 0;

	if (n > 0)
		qsort(item, n, sizeof *item, by_run);
	for (size_t i = 0; i < n; i++) {
		double p = item[i].probability;

		if (item[i].kept == KEPT_UNKNOWN)
			continue;
		c.n_runs += c.n == 0 || item[i].run_id != last;
		last = item[i].run_id;
		c.n++;
		c.n_kept += item[i].kept == KEPT_YES;
		sum += p;
		variance += p * (1 - p);
	}
	if (c.n > 0) {
		double count = (double)c.n;

		c.promised = sum / count;
		c.kept = (double)c.n_kept / count;
		c.error = sqrt(variance / count / (double)c.n_runs);
		c.verdict = judge(&c);
	}
	*out = c;
}
