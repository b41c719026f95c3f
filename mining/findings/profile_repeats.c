#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/findings/profile_parts.h"
#include "mining/numerics/group_by.h"

/* A repeat is an outlier when it lies above the median of the others by both: five times the noise
 * (one in 3 million by chance, were it normal), and 10 %, as noise is often underestimated. */
#define OUTLIER_SD 5.0
#define OUTLIER_RATIO 1.1

/* Regimes. Between the highest and the lowest point of a walk of n steps of variance 1 that comes
 * back to 0 lies more than x sqrt(n) with a chance of 2 (4 x^2 - 1) exp(-2 x^2) (Kuiper 1960): one
 * in 10^5 for this x, as the same runs are searched many times. The range, not the furthest point:
 * a disturbed stretch in the middle has a break at both. A shift must also be worth telling. */
#define REGIME_RANGE 2.8
#define REGIME_RATIO 1.05
enum { REGIME_MIN_RUNS = 10, MAX_REGIMES = 16 };

/* The runs of configurations with repeats, in order of run_id. */
struct repeats {
	const struct slowdown_table *t;
	size_t n;
	uint32_t *run;	  /* index in the data set */
	uint32_t *config; /* in the table */
	double *log_time;
	signed char *sign; /* of log time less the median of the configuration */
	/* Scratch by configuration: zero between uses. */
	double *before, *after, *n_before, *n_after;
	double *work;			    /* as long as there are runs */
	size_t end[MAX_REGIMES], n_regimes; /* regimes found: where they end, not in order */
};

static void repeats_release(struct repeats *r)
{
	free(r->run);
	free(r->config);
	free(r->log_time);
	free(r->sign);
	free(r->before);
	free(r->work);
}

static bool reserve(struct repeats *r, size_t n_runs, size_t n_configs)
{
	r->run = calloc(n_runs + 1, sizeof *r->run);
	r->config = calloc(n_runs + 1, sizeof *r->config);
	r->log_time = calloc(n_runs + 1, sizeof *r->log_time);
	r->sign = calloc(n_runs + 1, sizeof *r->sign);
	r->before = calloc(4 * n_configs + 1, sizeof *r->before);
	r->work = calloc(n_runs + 1, sizeof *r->work);
	if (!r->run || !r->config || !r->log_time || !r->sign || !r->before || !r->work)
		return false;
	r->after = r->before + n_configs;
	r->n_before = r->after + n_configs;
	r->n_after = r->n_before + n_configs;
	return true;
}

struct numbered_run {
	int64_t id;
	uint32_t run;
};

static int by_id(const void *a, const void *b)
{
	const struct numbered_run *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Runs come from the base in order; only others must be sorted. */
static enum err_code sort_runs(const struct dataset *d, uint32_t *run, size_t n, struct err *e)
{
	struct numbered_run *list;
	size_t k = 1;

	while (k < n && d->run_id[run[k - 1]] <= d->run_id[run[k]])
		k++;
	if (k >= n)
		return ERR_OK;
	list = calloc(n, sizeof *list);
	if (!list)
		return err_set(e, ERR_NOMEM, "order of %zu runs", n);
	for (k = 0; k < n; k++)
		list[k] = (struct numbered_run){.id = d->run_id[run[k]], .run = run[k]};
	qsort(list, n, sizeof *list, by_id);
	for (k = 0; k < n; k++)
		run[k] = list[k].run;
	free(list);
	return ERR_OK;
}

static enum err_code gather(const struct slowdown_table *t, struct repeats *r, struct err *e)
{
	const struct dataset *d = t->runs;
	enum err_code rc;

	for (size_t i = 0; i < d->n; i++) {
		uint32_t c = t->config_of_run[i];

		if (c != SLOWDOWN_NONE && t->n_runs[c] >= 2)
			r->run[r->n++] = (uint32_t)i;
	}
	if ((rc = sort_runs(d, r->run, r->n, e)))
		return rc;
	for (size_t k = 0; k < r->n; k++) {
		double over;

		r->config[k] = t->config_of_run[r->run[k]];
		r->log_time[k] = log(d->wall_s[r->run[k]]);
		over = r->log_time[k] - t->log_time[r->config[k]];
		r->sign[k] = (signed char)((over > 0) - (over < 0));
	}
	return ERR_OK;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of the sorted log times of one configuration. Those above the middle have all below it as
 * others, so that the median of the others is the same for all of them. */
static int64_t count_outliers(const double *x, size_t n, double noise)
{
	double others = n % 2 ? (x[(n - 1) / 2 - 1] + x[(n - 1) / 2]) / 2 : x[n / 2 - 1];
	double bound = others + fmax(log(OUTLIER_RATIO), OUTLIER_SD * noise);
	int64_t n_outliers = 0;

	for (size_t k = n; k-- > n / 2 + n % 2 && x[k] > bound;)
		n_outliers++;
	return n_outliers;
}

static enum err_code judge_configurations(const struct repeats *r, struct repeat_summary *out,
					  struct err *e)
{
	uint32_t *start = NULL, *member;
	double *spread = calloc(r->n + 1, sizeof *spread);
	size_t n_repeated = 0;
	enum err_code rc;

	if (!spread)
		return err_set(e, ERR_NOMEM, "noise of %zu repeats", r->n);
	if ((rc = group_members(r->config, r->n, r->t->n, &start, &member, e)))
		goto done;
	for (size_t c = 0; c < r->t->n; c++) {
		size_t n = start[c + 1] - start[c];

		if (n == 0)
			continue;
		for (size_t k = 0; k < n; k++)
			r->work[k] = r->log_time[member[start[c] + k]];
		spread[n_repeated++] = gsl_stats_sd(r->work, 1, n);
		qsort(r->work, n, sizeof *r->work, by_value);
		out->n_outliers += count_outliers(r->work, n, r->t->noise);
	}
	out->n_repeated = (int64_t)n_repeated;
	qsort(spread, n_repeated, sizeof *spread, by_value);
	out->noise_p90 = gsl_stats_quantile_from_sorted_data(spread, 1, n_repeated, 0.9);
done:
	free(start);
	free(spread);
	return rc;
}

/* Log ratio of the times of runs at..to-1 over those of from..at-1: the median over the
 * configurations that have runs in both. 0: none has. */
static double shift_at(struct repeats *r, size_t from, size_t at, size_t to)
{
	size_t n = 0;

	for (size_t k = from; k < to; k++) {
		uint32_t c = r->config[k];

		*(k < at ? &r->before[c] : &r->after[c]) += r->log_time[k];
		*(k < at ? &r->n_before[c] : &r->n_after[c]) += 1;
	}
	for (size_t k = from; k < to; k++) {
		uint32_t c = r->config[k];

		if (r->n_before[c] > 0 && r->n_after[c] > 0)
			r->work[n++] = r->after[c] / r->n_after[c] - r->before[c] / r->n_before[c];
		r->before[c] = r->after[c] = r->n_before[c] = r->n_after[c] = 0;
	}
	return n > 0 ? gsl_stats_median(r->work, 1, n) : 0;
}

/* Where the signs of from..to-1 stray furthest from their mean; 0: nowhere far enough. */
static size_t find_break(const struct repeats *r, size_t from, size_t to)
{
	double n = (double)(to - from), sum = 0, squares = 0, walk = 0, high = 0, low = 0, variance;
	size_t at_high = 0, at_low = 0;

	if (to - from < (size_t)2 * REGIME_MIN_RUNS)
		return 0;
	for (size_t k = from; k < to; k++) {
		sum += r->sign[k];
		squares += r->sign[k] * r->sign[k];
	}
	variance = squares / n - sum / n * (sum / n);
	for (size_t k = from; k + REGIME_MIN_RUNS < to; k++) {
		walk += r->sign[k] - sum / n;
		if (k + 1 < from + REGIME_MIN_RUNS)
			continue;
		if (walk > high) {
			high = walk;
			at_high = k + 1;
		} else if (walk < low) {
			low = walk;
			at_low = k + 1;
		}
	}
	if (high - low <= REGIME_RANGE * sqrt(variance * n))
		return 0;
	return high > -low ? at_high : at_low;
}

/* Binary segmentation: signs, so that no outlier makes a regime. */
static void split(struct repeats *r, size_t from, size_t to)
{
	size_t at = r->n_regimes < MAX_REGIMES ? find_break(r, from, to) : 0;

	if (at == 0 || fabs(shift_at(r, from, at, to)) < log(REGIME_RATIO))
		return;
	r->end[r->n_regimes++ - 1] = at;
	split(r, from, at);
	split(r, at, to);
}

static int by_position(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void find_regimes(struct repeats *r, struct repeat_summary *out)
{
	size_t from = 0;

	r->n_regimes = 1;
	split(r, 0, r->n);
	qsort(r->end, r->n_regimes - 1, sizeof *r->end, by_position);
	r->end[r->n_regimes - 1] = r->n;
	out->n_regimes = (int64_t)r->n_regimes;
	for (size_t i = 0; i + 1 < r->n_regimes; i++) {
		double shift = shift_at(r, from, r->end[i], r->end[i + 1]);

		if (fabs(shift) > fabs(out->shift)) {
			out->shift = shift;
			out->shift_run_id = r->t->runs->run_id[r->run[r->end[i]]];
		}
		from = r->end[i];
	}
}

enum err_code repeat_summary(const struct slowdown_table *t, struct repeat_summary *out,
			     struct err *e)
{
	struct repeat_summary summary = {.noise_p90 = NAN, .n_regimes = 1};
	struct repeats r = {.t = t};
	size_t n_runs = 0;
	enum err_code rc = ERR_OK;

	for (size_t c = 0; c < t->n; c++)
		n_runs += t->n_runs[c] >= 2 ? t->n_runs[c] : 0;
	if (n_runs > 0) {
		if (!reserve(&r, n_runs, t->n))
			rc = err_set(e, ERR_NOMEM, "%zu repeats", n_runs);
		else if (!(rc = gather(t, &r, e)) && !(rc = judge_configurations(&r, &summary, e)))
			find_regimes(&r, &summary);
	}
	repeats_release(&r);
	if (!rc)
		*out = summary;
	return rc;
}
