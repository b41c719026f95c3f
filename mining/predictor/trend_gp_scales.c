#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/order_statistics.h"
#include "mining/predictor/trend_gp.h"

/* Time is a power law of most numbers, of some it is not: each level of a refinement costs a
 * factor, and what is filled to 99 % takes ten times as long as at 90 %. Within the runs sums of
 * power laws and the process follow either; beyond them the scales part.
 *
 * The levels of a column tell by themselves: trends on each scale, fitted without the largest
 * levels, are asked about the largest. Bayes' rule makes probabilities of that and of a prior. The
 * likeliest scale is taken, and the others' probability is kept: beyond the runs time may as well
 * go on as on those (trend_gp_scale_sd()). */

enum {
	MOST_CONFIGS = 300, /* of more, evenly taken ones */
	MOST_LEVELS = 64,
	FOLDS = 2,
	/* Levels and orders are small numbers, tried one after the other, or every second; what
	 * there is more of, or with wider gaps, is a size. */
	MOST_STEPS = 64,
	MOST_GAP = 4
};
#define MOST_SPAN 16.0

/* Prior odds against ln x, of levels that are as even on both scales: choices. Few whole numbers
 * are levels of a refinement, few numbers below 100 are percentages, more below 1 are shares. */
static const double prior_odds[SCALE_COUNT] = {1, 0.25, 0.5, 0.125};
#define MOST_ODDS 0.5
/* A scale that is less likely is none. */
#define LEAST_PROBABILITY 0.01
#define TOLD_PROBABILITY 0.1

/* None of something may be another matter than little of it: a file that is never written, a limit
 * that is none. As likely as not; nearly sure where time turns by more than noise at the least that
 * was run. Choices. */
#define NONE_APART 0.5
#define TURN_APART 0.95
#define LEAST_TURN 0.05
/* Deviations of the exponent beyond the amounts run, which two of them told or nothing. Choices. */
#define APART_EXPONENT_SD 0.5
#define UNKNOWN_EXPONENT_SD 1.0

/* What a trend usually leaves of a level, ln time. */
#define LEVEL_SD 0.1
/* Degrees of freedom of the t distribution of held-out levels: a level may be far off for other
 * reasons. */
#define FREEDOM 4.0

/* ---- which scales a column may have ---- */

/* The distinct values, ascending; 0: more than MOST_LEVELS, or some are missing. */
static size_t find_levels(const struct config_table *t, size_t column, double *level)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const double x = config_table_row(t, i)[column];
		size_t k = 0;

		while (k < n && level[k] != x)
			k++;
		if (k < n)
			continue;
		if (n == MOST_LEVELS || isnan(x))
			return 0;
		level[n++] = x;
	}
	order_sort(level, n);
	return n;
}

static bool may_have(enum column_scale scale, const struct log_range *r, const double *level,
		     size_t n)
{
	const double lo = level[0], hi = level[n - 1], whole = scale == SCALE_SHARE ? 1 : 100;

	if (scale != SCALE_STEPS)
		return lo > 0 && hi < whole && hi > whole / 2;
	for (size_t i = 0; i < n; i++) {
		if (level[i] != floor(level[i]) || level[i] < 0 || level[i] > MOST_STEPS ||
		    (i > 0 && level[i] - level[i - 1] > MOST_GAP))
			return false;
	}
	return (hi + r->shift) / (lo + r->shift) <= MOST_SPAN;
}

/* The largest step between levels over the smallest. */
static double unevenness(enum column_scale scale, const struct log_range *r, const double *level,
			 size_t n)
{
	double least = INFINITY, most = 0;

	for (size_t i = 1; i < n; i++) {
		const double step = column_scale_at(scale, r->shift, level[i]) -
				    column_scale_at(scale, r->shift, level[i - 1]);

		least = fmin(least, step);
		most = fmax(most, step);
	}
	return most / least;
}

/* Levels are tried in even steps of what time is expected to go with. */
static double odds_before(enum column_scale scale, const struct log_range *r, const double *level,
			  size_t n)
{
	if (scale == SCALE_RATIO)
		return 1;
	if (!may_have(scale, r, level, n))
		return 0;
	return fmin(prior_odds[scale] * unevenness(SCALE_RATIO, r, level, n) /
			    unevenness(scale, r, level, n),
		    MOST_ODDS);
}

/* ---- what the runs say ---- */

/* log of the density of what a trend that was fitted to the levels up to `last` is off by at the
 * largest; NaN: there are too few runs. */
static enum err_code score_fold(const struct config_table *t, const struct log_polynomial *columns,
				size_t column, double last, double largest, double *out,
				struct err *e)
{
	unsigned char *keep = calloc(t->n + 1, sizeof *keep);
	struct config_table *some = NULL;
	struct trend_gp *m = NULL;
	struct err why = {0};
	double off = 0, sd = 0, scale;
	size_t n = 0;
	enum err_code rc;

	*out = NAN;
	if (!keep)
		return err_set(e, ERR_NOMEM, "held-out levels");
	for (size_t i = 0; i < t->n; i++)
		keep[i] = config_table_row(t, i)[column] <= last;
	if ((rc = config_table_subset(t, keep, &some, &why)) ||
	    (rc = trend_gp_fit_trend(some, columns, &m, &why)))
		goto done;
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);

		if (row[column] != largest)
			continue;
		off += log(t->time_s[i]) - trend_gp_trend_log(m, row);
		sd += trend_gp_trend_sd(m, row);
		n++;
	}
	/* the runs of one level are off together, and count as one */
	scale = hypot(sd / (double)n, LEVEL_SD);
	*out = -log(scale) - (FREEDOM + 1) / 2 * log1p(pow(off / (double)n / scale, 2) / FREEDOM);
done:
	free(keep);
	config_table_free(some);
	trend_gp_free(m);
	if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		return ERR_OK;
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* log_odds[] of scales, -INFINITY of those that are none: by the folds that all of them have. */
static enum err_code add_scores(const struct config_table *t, const struct log_polynomial *columns,
				size_t at, const double *level, size_t n, double *log_odds,
				struct err *e)
{
	const size_t last[FOLDS] = {n - 2, (n + 1) / 2 - 1};
	struct log_polynomial *trial = malloc(sizeof *trial);
	enum err_code rc = ERR_OK;

	if (!trial)
		return err_set(e, ERR_NOMEM, "scales of columns");
	*trial = *columns;
	for (size_t k = 0; k < FOLDS && !rc; k++) {
		double score[SCALE_COUNT] = {0}, sum = 0;

		/* two levels at least to learn from, and no fold twice */
		if (last[k] < 1 || last[k] + 1 >= n || (k > 0 && last[k] == last[0]))
			continue;
		for (size_t s = 0; s < SCALE_COUNT && !rc; s++) {
			trial->range[at].scale = (enum column_scale)s;
			if (isfinite(log_odds[s]))
				rc = score_fold(t, trial, columns->range[at].column, level[last[k]],
						level[n - 1], &score[s], e);
			sum += score[s];
		}
		for (size_t s = 0; s < SCALE_COUNT && isfinite(sum); s++)
			log_odds[s] += score[s];
	}
	free(trial);
	return rc;
}

/* Is 0 among the values, and no level of what goes in steps? */
static void find_above_none(struct log_range *r, const double *level, size_t n)
{
	if (level[0] != 0 || may_have(SCALE_STEPS, r, level, n))
		return;
	r->above_none[0] = level[1];
	r->above_none[1] = n > 2 ? level[2] : 0;
}

/* Of range `at`: its scale, and what may hold as well. */
static enum err_code choose_one(const struct config_table *t, struct log_polynomial *columns,
				size_t at, struct err *e)
{
	struct log_range *r = &columns->range[at];
	double level[MOST_LEVELS], log_odds[SCALE_COUNT], most = -INFINITY, sum = 0;
	const size_t n = columns->app->column[r->column].role == COL_PROBLEM
				 ? find_levels(t, r->column, level)
				 : 0;
	bool any = false;
	enum err_code rc;

	if (n < 2)
		return ERR_OK;
	r->next_lo = level[1];
	r->next_hi = level[n - 2];
	find_above_none(r, level, n);
	for (size_t s = 0; s < SCALE_COUNT; s++) {
		log_odds[s] = log(odds_before((enum column_scale)s, r, level, n));
		any = any || (s != SCALE_RATIO && isfinite(log_odds[s]));
	}
	if (!any)
		return ERR_OK;
	if ((rc = add_scores(t, columns, at, level, n, log_odds, e)))
		return rc;
	for (size_t s = 0; s < SCALE_COUNT; s++) {
		if (log_odds[s] > most)
			r->scale = (enum column_scale)s;
		most = fmax(most, log_odds[s]);
	}
	for (size_t s = 0; s < SCALE_COUNT; s++)
		sum += exp(log_odds[s] - most);
	for (size_t s = 0; s < SCALE_COUNT; s++) {
		const double probability = exp(log_odds[s] - most) / sum;

		r->chance[s] =
			s != (size_t)r->scale && probability >= LEAST_PROBABILITY ? probability : 0;
	}
	return ERR_OK;
}

enum err_code trend_gp_choose_scales(const struct config_table *t, struct log_polynomial **columns,
				     struct err *e)
{
	struct config_table *some = NULL;
	struct log_polynomial *anew = NULL;
	bool other = false;
	enum err_code rc = ERR_OK;

	if (t->n > MOST_CONFIGS && (rc = config_table_sample(t, MOST_CONFIGS, &some, e)))
		return rc;
	for (size_t i = 0; i < (*columns)->n_inputs && !rc; i++) {
		rc = choose_one(some ? some : t, *columns, i, e);
		other = other || (*columns)->range[i].scale != SCALE_RATIO;
	}
	config_table_free(some);
	if (rc || !other || (rc = log_polynomial_fit_like(t, *columns, &anew, e)))
		return rc;
	free(*columns);
	*columns = anew;
	return ERR_OK;
}

/* ---- what that means beyond the runs ---- */

static double trend_with(const struct trend_gp *m, const double *row, size_t column, double x,
			 double *copy)
{
	memcpy(copy, row, m->columns->app->n_columns * sizeof *copy);
	copy[column] = x;
	return trend_gp_trend_log(m, copy);
}

static double time_with(const struct trend_gp *m, const double *row, size_t column, double x,
			double *copy)
{
	memcpy(copy, row, m->columns->app->n_columns * sizeof *copy);
	copy[column] = x;
	return trend_gp_log_time_by_scale(m, copy, NULL);
}

/* Does time turn at the least there is, on the way from nothing to more? */
static bool turns(double none, double least, double more)
{
	const double before = least - none, after = more - least;

	return before * after < 0 && fmin(fabs(before), fabs(after)) >= LEAST_TURN;
}

/* If 0 is apart, time goes on with a power of what there is: below the least of it as between the
 * least two, beyond the most as between the most two. */
static struct none_apart apart_at(const struct trend_gp *m, const struct log_range *r,
				  const double *row, double *copy)
{
	const double x = row[r->column], most = log_range_value(r, r->hi);
	const bool below = x < r->above_none[0];
	const double edge = below ? r->above_none[0] : most;
	const double next = below ? r->above_none[1] : r->next_hi;
	const double d = log(x / edge);
	const double at_edge = time_with(m, row, r->column, edge, copy);
	double p = NONE_APART, sd = UNKNOWN_EXPONENT_SD, on = 0;

	if (next > 0 && next != edge) {
		sd = APART_EXPONENT_SD;
		on = (at_edge - time_with(m, row, r->column, next, copy)) * d / log(edge / next);
	}
	if (r->above_none[1] > 0 && turns(time_with(m, row, r->column, 0, copy),
					  time_with(m, row, r->column, r->above_none[0], copy),
					  time_with(m, row, r->column, r->above_none[1], copy)))
		p = TURN_APART;
	on += at_edge - trend_gp_log_time_by_scale(m, row, NULL);
	return (struct none_apart){.log_ratio = p * on,
				   .sd = sqrt(p * (1 - p) * pow(on, 2) + p * pow(sd * d, 2))};
}

/* Where 0 was never run it is less than all that was, or no limit: then it is like ten times the
 * most. */
static struct none_apart untried_none(const struct trend_gp *m, const struct log_range *r,
				      const double *row, double *copy)
{
	const double at_most = time_with(m, row, r->column, log_range_value(r, r->hi), copy);
	const double at_least = time_with(m, row, r->column, log_range_value(r, r->lo), copy);
	const double slope = r->hi > r->lo ? (at_most - at_least) / (r->hi - r->lo)
					   : exponent_prior_of(m->columns->app, r).mean;
	const double on = at_most + slope * M_LN10 - trend_gp_log_time_by_scale(m, row, NULL);

	return (struct none_apart){NONE_APART * on, hypot(sqrt(NONE_APART * (1 - NONE_APART)) * on,
							  UNKNOWN_EXPONENT_SD)};
}

/* Of the column of r alone. */
static struct none_apart none_apart_of(const struct trend_gp *m, const struct log_range *r,
				       const double *row)
{
	const struct application *app = m->columns->app;
	const double x = row[r->column];
	const bool untried = app->column[r->column].role == COL_PROBLEM &&
			     r->scale == SCALE_RATIO && !(r->shift > 0) && x == 0;
	const bool apart = r->above_none[0] > 0 && x > 0 &&
			   (x < r->above_none[0] || log_range_excess(r, x) > 0);
	struct none_apart out = {0, TREND_MAX_SD};
	double *copy;

	if (!untried && !apart)
		return (struct none_apart){0, 0};
	if (!(copy = malloc(app->n_columns * sizeof *copy)))
		return out;
	out = (untried ? untried_none : apart_at)(m, r, row, copy);
	free(copy);
	return out;
}

struct none_apart trend_gp_none_apart(const struct trend_gp *m, const double *row)
{
	struct none_apart sum = {0, 0};

	/* terms say what there is of each; a trend alone cannot follow one value that is apart */
	for (size_t i = 0; i < m->columns->n_ranges && m->gp && !m->terms; i++) {
		const struct none_apart one = none_apart_of(m, &m->columns->range[i], row);

		sum.log_ratio += one.log_ratio;
		sum.sd = hypot(sum.sd, one.sd);
	}
	return sum;
}

/* On another scale time would go on as between the last two levels, where both scales agree. */
double trend_gp_scale_sd(const struct trend_gp *m, const double *row)
{
	const struct log_polynomial *columns = m->columns;
	double *copy = NULL, squares = 0;

	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];
		const double x = row[r->column], d = log_range_excess(r, x);
		double edge, next, grown, beyond;
		bool any = false;

		for (size_t s = 0; s < SCALE_COUNT; s++)
			any = any || r->chance[s] > 0;
		if (d == 0 || !any)
			continue;
		if (!copy && !(copy = malloc(columns->app->n_columns * sizeof *copy)))
			return TREND_MAX_SD;
		edge = log_range_value(r, d > 0 ? r->hi : r->lo);
		next = d > 0 ? r->next_hi : r->next_lo;
		beyond = trend_with(m, row, r->column, edge, copy);
		grown = beyond - trend_with(m, row, r->column, next, copy);
		beyond = trend_gp_trend_log(m, row) - beyond;
		for (size_t s = 0; s < SCALE_COUNT; s++) {
			const enum column_scale scale = (enum column_scale)s;
			const double from = column_scale_at(scale, r->shift, edge);
			const double steps = (column_scale_at(scale, r->shift, x) - from) /
					     (from - column_scale_at(scale, r->shift, next));

			/* nothing is filled to 120 % */
			if ((scale == SCALE_SHARE && x > 1) || (scale == SCALE_PERCENT && x > 100))
				continue;
			squares += r->chance[s] * pow(grown * steps - beyond, 2);
		}
	}
	free(copy);
	return fmin(sqrt(squares), TREND_MAX_SD);
}

/* ---- in words ---- */

static void put_law(enum column_scale scale, const char *name, struct strbuf *out)
{
	static const char *const law[SCALE_COUNT][2] = {
		{"with a power of ", ""},
		{"by a factor with each step of ", ""},
		{"with a power of what is left of ", " to 1"},
		{"with a power of what is left of ", " to 100"}};

	strbuf_printf(out, "%s%s%s", law[scale][0], name, law[scale][1]);
}

static bool is_worth_telling(const struct log_range *r)
{
	for (size_t s = 0; s < SCALE_COUNT; s++) {
		if (r->chance[s] >= TOLD_PROBABILITY)
			return true;
	}
	return r->scale != SCALE_RATIO;
}

static void explain_none(const struct log_polynomial *columns, struct strbuf *out)
{
	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];

		if (r->above_none[0] > 0)
			strbuf_printf(out,
				      " 0 of %s may be another matter than little of it (never, "
				      "no limit): below %g and above %g both are reckoned with.",
				      columns->app->column[r->column].name, r->above_none[0],
				      log_range_value(r, r->hi));
	}
}

void trend_gp_explain_scales(const struct log_polynomial *columns, struct strbuf *out)
{
	const char *before = " Beyond the runs time goes ", *after = "";

	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];
		const char *name = columns->app->column[r->column].name;

		if (!is_worth_telling(r))
			continue;
		strbuf_puts(out, before);
		put_law(r->scale, name, out);
		for (size_t s = 0; s < SCALE_COUNT; s++) {
			if (r->chance[s] < TOLD_PROBABILITY)
				continue;
			strbuf_puts(out, ", or ");
			put_law((enum column_scale)s, name, out);
			strbuf_printf(out, " (with a chance of %.2f)", r->chance[s]);
		}
		before = "; ";
		after = ".";
	}
	strbuf_puts(out, after);
	explain_none(columns, out);
}
