#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "base/err.h"
#include "base/units.h"
#include "domain/findings.h"
#include "mining/cases/collinear_columns.h"
#include "mining/cases/rule_miners.h"
#include "mining/cases/slowdown_table.h"
#include "mining/findings/findings_private.h"
#include "mining/numerics/group_by.h"
#include "mining/numerics/order_statistics.h"

enum {
	/* Runs that quartiles come from, where values are too many to be counted one by one. */
	QUARTILE_SAMPLE = 16384,
	/* Levels of a text column that are named. */
	NAMED_LEVELS = 10,
	SET_SLOTS = 4 * PROFILE_MAX_LEVELS
};

/* Does a column hold the same values as t->copy_of says, and not only in the same order? */
static bool column_is_equal(const struct slowdown_table *t, size_t column, size_t other)
{
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i);

		if (row[column] != row[other] && !(isnan(row[column]) && isnan(row[other])))
			return false;
	}
	return true;
}

/* The smallest value that at least a share q of the n runs do not exceed. */
static double counted_quantile(const struct column_bins *b, const int64_t count[256], int64_t n,
			       double q)
{
	int64_t below = 0;

	for (size_t k = 0; k < b->n; k++) {
		below += count[k];
		if ((double)below >= q * (double)n)
			return b->high[k];
	}
	return NAN;
}

static enum err_code sampled_quartiles(const struct slowdown_table *t, size_t column,
				       struct column_profile *out, struct err *e)
{
	const struct dataset *d = t->runs;
	size_t step = d->n / QUARTILE_SAMPLE + 1, n = 0;
	double *value = calloc(d->n / step + 1, sizeof *value);

	if (!value)
		return err_set(e, ERR_NOMEM, "quartiles of a column");
	for (size_t i = 0; i < d->n; i += step) {
		double v = dataset_row(d, i)[column];

		if (t->config_of_run[i] != SLOWDOWN_NONE && !isnan(v))
			value[n++] = v;
	}
	order_sort(value, n);
	if (n > 0) {
		out->q25 = value[(size_t)ceil(0.25 * (double)n) - 1];
		out->median = value[(size_t)ceil(0.5 * (double)n) - 1];
		out->q75 = value[(size_t)ceil(0.75 * (double)n) - 1];
	}
	free(value);
	return ERR_OK;
}

/* How many distinct values, up to PROFILE_MAX_LEVELS. */
static enum err_code count_levels(const struct slowdown_table *t, size_t column, int64_t *out,
				  struct err *e)
{
	uint64_t *slot = calloc(SET_SLOTS, sizeof *slot);
	int64_t n = 0;

	if (!slot)
		return err_set(e, ERR_NOMEM, "levels of a column");
	for (size_t i = 0; i < t->n && n < PROFILE_MAX_LEVELS; i++) {
		double value = slowdown_row(t, i)[column] + 0.0; /* -0 is 0 */
		uint64_t bits;
		size_t at;

		if (isnan(value))
			continue;
		memcpy(&bits, &value, sizeof bits);
		bits++; /* 0 is an empty slot, and all ones would have been a NaN */
		at = (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SET_SLOTS);
		while (slot[at] != 0 && slot[at] != bits)
			at = (at + 1) % SET_SLOTS;
		if (slot[at] == 0) {
			slot[at] = bits;
			n++;
		}
	}
	free(slot);
	*out = n;
	return ERR_OK;
}

static enum err_code profile_numbers(const struct slowdown_table *t, size_t column,
				     struct column_profile *out, struct err *e)
{
	const unsigned char *code = slowdown_codes(t, column);
	const struct column_bins *b = &t->bins[column];
	int64_t count[256] = {0};
	enum err_code rc;

	for (size_t i = 0; i < t->n; i++)
		count[code[i]] += t->n_runs[i];
	for (size_t k = 0; k < b->n; k++)
		out->n += count[k];
	out->n_missing = count[BIN_MISSING];
	out->n_levels = (int64_t)b->n;
	if (b->n == 0)
		return ERR_OK;
	out->min = b->low[0];
	out->max = b->high[b->n - 1];
	if (b->exact) {
		out->q25 = counted_quantile(b, count, out->n, 0.25);
		out->median = counted_quantile(b, count, out->n, 0.5);
		out->q75 = counted_quantile(b, count, out->n, 0.75);
		return ERR_OK;
	}
	rc = sampled_quartiles(t, column, out, e);
	return rc ? rc : count_levels(t, column, &out->n_levels, e);
}

/* "DGZ 300, DZG 280, 190 more" */
static void put_levels(const struct levels *l, int64_t *count, int64_t n_levels, struct strbuf *out)
{
	int64_t named = n_levels > NAMED_LEVELS + 1 ? NAMED_LEVELS : n_levels;

	for (int64_t k = 0; k < named; k++) {
		size_t top = 0;

		for (size_t i = 1; i < l->n; i++) {
			if (count[i] > count[top])
				top = i;
		}
		strbuf_printf(out, "%s%s %lld", k > 0 ? ", " : "", l->name[top],
			      (long long)count[top]);
		count[top] = 0;
	}
	if (named < n_levels)
		strbuf_printf(out, ", %lld more", (long long)(n_levels - named));
}

/* By the rows, as codes have no room for more than 255 levels. */
static enum err_code profile_text(const struct slowdown_table *t, size_t column,
				  struct column_profile *out, struct strbuf *text, struct err *e)
{
	const struct levels *l = &t->app->column[column].levels;
	int64_t *count = calloc(l->n + 1, sizeof *count);

	if (!count)
		return err_set(e, ERR_NOMEM, "levels of a column");
	for (size_t i = 0; i < t->n; i++) {
		double level = slowdown_row(t, i)[column];

		if (level >= 0 && level < (double)l->n) {
			count[(size_t)level] += t->n_runs[i];
			out->n += t->n_runs[i];
		} else {
			out->n_missing += t->n_runs[i];
		}
	}
	for (size_t k = 0; k < l->n; k++)
		out->n_levels += count[k] > 0;
	put_levels(l, count, out->n_levels, text);
	free(count);
	return ERR_OK;
}

static void put_remark(const struct slowdown_table *t, size_t column,
		       const struct column_profile *p, const struct collinear_column *twin,
		       struct strbuf *out)
{
	size_t other = t->copy_of[column];

	if (p->n == 0) {
		strbuf_puts(out, "missing in every run");
	} else if (p->n_levels == 1) {
		strbuf_puts(out, p->n_missing == 0 ? "constant" : "constant where it is given");
	} else if (twin->column != SIZE_MAX) {
		collinear_column_put_text(t->app, column, twin, out);
	} else if (other != SIZE_MAX) {
		bool equal = column_is_equal(t, column, other);

		strbuf_puts(out, equal ? "a copy of " : "rises and falls with ");
		strbuf_puts(out, t->app->column[other].name);
	}
}

static enum err_code profile_column(const struct slowdown_table *t, size_t c,
				    const struct collinear_column *twin, struct column_profile *out,
				    struct err *e)
{
	const struct column *column = &t->app->column[c];
	struct strbuf levels = STRBUF_INIT, remark = STRBUF_INIT;
	enum err_code rc;

	*out = (struct column_profile){
		.min = NAN, .q25 = NAN, .median = NAN, .q75 = NAN, .max = NAN};
	rc = column->type == COL_TEXT ? profile_text(t, c, out, &levels, e)
				      : profile_numbers(t, c, out, e);
	if (!rc) {
		put_remark(t, c, out, twin, &remark);
		out->column = strdup(column->name);
		out->role = strdup(column_role_name(column->role));
		out->levels = levels.failed ? NULL : strdup(strbuf_text(&levels));
		out->remark = remark.failed ? NULL : strdup(strbuf_text(&remark));
		if (!out->column || !out->role || !out->levels || !out->remark)
			rc = err_set(e, ERR_NOMEM, "profile of column %s", column->name);
	}
	strbuf_release(&levels);
	strbuf_release(&remark);
	return rc;
}

/* out->column[], one for every column of the application. */
static enum err_code profile_columns(const struct slowdown_table *t,
				     const struct collinear_column *twin, struct findings *out,
				     struct err *e)
{
	enum err_code rc = ERR_OK;

	out->column = calloc(t->n_columns + 1, sizeof *out->column);
	if (!out->column)
		return err_set(e, ERR_NOMEM, "profile of %zu columns", t->n_columns);
	for (size_t c = 0; c < t->n_columns && !rc; c++)
		rc = profile_column(t, c, &twin[c], &out->column[out->n_columns++], e);
	return rc;
}

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

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* By what their numbers are beyond the least, digit by digit from the lowest (a radix sort): the
 * numbers of an import follow each other, so that few digits tell a million apart. work[n] is
 * scratch. Returns where the sorted ones are: list or work. */
static struct numbered_run *sort_by_id(struct numbered_run *list, struct numbered_run *work,
				       size_t n)
{
	int64_t least = INT64_MAX, most = INT64_MIN;

	for (size_t k = 0; k < n; k++) {
		least = list[k].id < least ? list[k].id : least;
		most = list[k].id > most ? list[k].id : most;
	}
	for (uint64_t span = (uint64_t)most - (uint64_t)least, shift = 0;
	     shift < 64 && span >> shift; shift += DIGIT_BITS) {
		size_t start[DIGITS + 1] = {0};
		struct numbered_run *sorted = work;

		for (size_t k = 0; k < n; k++)
			start[(((uint64_t)list[k].id - (uint64_t)least) >> shift) % DIGITS + 1]++;
		for (size_t digit = 1; digit < DIGITS; digit++)
			start[digit] += start[digit - 1];
		for (size_t k = 0; k < n; k++)
			sorted[start[(((uint64_t)list[k].id - (uint64_t)least) >> shift) %
				     DIGITS]++] = list[k];
		work = list;
		list = sorted;
	}
	return list;
}

/* Runs come from the base in order; only others must be sorted. */
static enum err_code sort_runs(const struct dataset *d, uint32_t *run, size_t n, struct err *e)
{
	struct numbered_run *list, *sorted;
	size_t k = 1;

	while (k < n && d->run_id[run[k - 1]] <= d->run_id[run[k]])
		k++;
	if (k >= n)
		return ERR_OK;
	list = calloc(2 * n, sizeof *list);
	if (!list)
		return err_set(e, ERR_NOMEM, "order of %zu runs", n);
	for (k = 0; k < n; k++)
		list[k] = (struct numbered_run){.id = d->run_id[run[k]], .run = run[k]};
	sorted = sort_by_id(list, list + n, n);
	for (k = 0; k < n; k++)
		run[k] = sorted[k].run;
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
		order_sort(r->work, n);
		out->n_outliers += count_outliers(r->work, n, r->t->noise);
	}
	out->n_repeated = (int64_t)n_repeated;
	order_sort(spread, n_repeated);
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

/* Fewer problems are said to be few: a choice. */
enum { FEW_PROBLEMS = 5 };

static void count_runs(const struct dataset *d, const struct slowdown_table *t,
		       struct data_profile *p)
{
	p->n_runs = (int64_t)d->n;
	p->n_configurations = (int64_t)t->n;
	p->n_problems = (int64_t)t->n_problems;
	p->n_cases = (int64_t)t->n_strata;
	for (size_t i = 0; i < d->n; i++) {
		p->n_failed += d->status[i] == RUN_FAILED;
		p->n_timeout += d->status[i] == RUN_TIMEOUT;
		p->n_flagged += d->flagged[i] != 0;
		p->n_aggregates += d->n_repeats[i] > 1;
	}
}

/* Of all combinations of problem, resources (with machine and source) and each tunable. A value
 * that is missing is a value; values too many to tell apart in bins count as bins. */
static enum err_code design_coverage(const struct slowdown_table *t, double *out, struct err *e)
{
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	uint32_t *group = calloc(t->n + 1, sizeof *group);
	struct row_key key = row_key_of_configurations(t->runs, column);
	double product = (double)t->n_problems;
	size_t n_resources = 0;
	enum err_code rc;

	if (!column || !group) {
		rc = err_set(e, ERR_NOMEM, "coverage of %zu configurations", t->n);
		goto done;
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_RESOURCE)
			column[key.n_key++] = c;
	}
	if ((rc = group_by(&key, t->first_run, t->n, group, NULL, &n_resources, e)))
		goto done;
	product *= (double)n_resources;
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_TUNABLE) {
			bool seen[256] = {false};
			double n_seen = 0;

			for (size_t i = 0; i < t->n; i++)
				seen[slowdown_codes(t, c)[i]] = true;
			for (size_t k = 0; k < 256; k++)
				n_seen += seen[k];
			product *= n_seen;
		}
	}
	*out = fmin(1, (double)t->n / product);
done:
	free(column);
	free(group);
	return rc;
}

/* "one run was", "3 runs were". */
static void put_count(int64_t n, const char *one, const char *many, struct strbuf *out)
{
	if (n == 1)
		strbuf_printf(out, "one %s", one);
	else
		strbuf_printf(out, "%lld %s", (long long)n, many);
}

static bool times_are_constant(const struct slowdown_table *t)
{
	double first = t->runs->wall_s[t->first_run[0]];

	for (size_t i = 0; i < t->runs->n; i++) {
		if (t->config_of_run[i] != SLOWDOWN_NONE && t->runs->wall_s[i] != first)
			return false;
	}
	return true;
}

static void remark_on_target(const struct slowdown_table *t, struct strbuf *out)
{
	char time[32];

	if (t->n == 1 && t->n_runs[0] == 1) {
		strbuf_puts(out, "only one run counts: there is nothing to compare\n");
	} else if (times_are_constant(t)) {
		duration_format(t->runs->wall_s[t->first_run[0]], time, sizeof time);
		strbuf_printf(out, "every run took %s: there is nothing to learn from\n", time);
	} else if (t->n == 1) {
		strbuf_puts(out, "only one configuration was run: its repeats show noise, and "
				 "there is nothing to compare\n");
	}
}

/* Each pair once: by the column that says how large the problem is; of a product by its first. */
static void remark_on_twins(const struct slowdown_table *t, const struct collinear_column *twin,
			    struct strbuf *out)
{
	bool product_told = false;

	for (size_t c = 0; c < t->n_columns; c++) {
		enum column_role role = t->app->column[c].role;
		bool is_size = role == COL_PROBLEM || role == COL_WORKLOAD;

		if (twin[c].column == SIZE_MAX || !is_size || (twin[c].of_product && product_told))
			continue;
		product_told = product_told || twin[c].of_product;
		collinear_column_put_text(t->app, c, &twin[c], out);
		strbuf_putc(out, '\n');
	}
}

/* Of stored columns only: what a derived one equals follows from its definition. */
static void remark_on_copies(const struct slowdown_table *t, const struct collinear_column *twin,
			     struct strbuf *out)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		size_t other = t->copy_of[c];
		const char *name = t->app->column[c].name;

		if (other == SIZE_MAX || twin[c].column == other ||
		    t->app->column[c].role == COL_DERIVED ||
		    t->app->column[other].role == COL_DERIVED)
			continue;
		if (column_is_equal(t, c, other))
			strbuf_printf(out, "%s is a copy of %s\n", name,
				      t->app->column[other].name);
		else
			strbuf_printf(out,
				      "%s rises and falls with %s: what either does to time "
				      "cannot be told apart\n",
				      name, t->app->column[other].name);
	}
}

static void remark_on_design(const struct slowdown_table *t, struct strbuf *out)
{
	if (t->n > 1 && t->n_problems < FEW_PROBLEMS) {
		strbuf_puts(out, "only ");
		put_count((int64_t)t->n_problems, "problem was run", "problems were run", out);
		strbuf_puts(out, ": what is found may not hold for others\n");
	}
	if (t->n > 1 && t->n_strata == t->n)
		strbuf_puts(out, "no problem was run in two ways on the same resources: choices "
				 "cannot be compared\n");
}

static void remark_on_runs(const struct data_profile *p, const struct repeat_summary *r,
			   struct strbuf *out)
{
	if (p->n_timeout > 0) {
		put_count(p->n_timeout, "run was", "runs were", out);
		strbuf_puts(out, " cut off by a time limit: how long they take is not known, and "
				 "they do not count\n");
	}
	if (p->n_flagged > 0) {
		put_count(p->n_flagged, "run is", "runs are", out);
		strbuf_puts(out, " flagged as suspicious: kept, but not counted\n");
	}
	if (p->n_repeated == 0)
		strbuf_puts(out, "no configuration was run twice: how much times vary by "
				 "themselves is not known\n");
	if (p->n_outliers > 0) {
		put_count(p->n_outliers, "repeat took", "repeats took", out);
		strbuf_puts(out, " far longer than the others of the same configuration\n");
	}
	if (p->n_regimes > 1) {
		strbuf_printf(out, "times changed along the way: from run %lld on they are ",
			      (long long)r->shift_run_id);
		strbuf_put_number(out, round(exp(r->shift) * 100) / 100);
		strbuf_printf(out, " times those before (%lld stretches in all)\n",
			      (long long)p->n_regimes);
	}
}

static enum err_code put_remarks(const struct slowdown_table *t,
				 const struct collinear_column *twin,
				 const struct repeat_summary *r, struct data_profile *p,
				 struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	remark_on_target(t, &text);
	remark_on_twins(t, twin, &text);
	remark_on_copies(t, twin, &text);
	remark_on_design(t, &text);
	remark_on_runs(p, r, &text);
	/* One a line, the last one without its end. */
	if (!text.failed && text.len > 0)
		text.buf[text.len - 1] = '\0';
	p->remarks = text.failed ? NULL : strdup(strbuf_text(&text));
	strbuf_release(&text);
	return p->remarks ? ERR_OK : err_set(e, ERR_NOMEM, "remarks on the runs");
}

enum err_code mine_profile(const struct dataset *runs, const struct slowdown_table *t,
			   struct findings *out, struct err *e)
{
	struct collinear_column *twin = calloc(t->n_columns + 1, sizeof *twin);
	struct data_profile *p = &out->profile;
	struct repeat_summary repeats;
	enum err_code rc = ERR_OK;

	if (!twin)
		return err_set(e, ERR_NOMEM, "profile of %zu columns", t->n_columns);
	if ((rc = collinear_columns(t, twin, e)) || (rc = repeat_summary(t, &repeats, e)) ||
	    (rc = design_coverage(t, &p->design_coverage, e)))
		goto done;
	count_runs(runs, t, p);
	p->n_repeated = repeats.n_repeated;
	p->noise = repeats.n_repeated > 0 ? t->noise : (double)NAN;
	p->noise_p90 = repeats.noise_p90;
	p->n_outliers = repeats.n_outliers;
	p->n_regimes = repeats.n_regimes;
	p->regime_shift = exp(fabs(repeats.shift));
	if (!(rc = put_remarks(t, twin, &repeats, p, e)))
		rc = profile_columns(t, twin, out, e);
done:
	free(twin);
	return rc;
}
