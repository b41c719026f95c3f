#include "mining/predictor/predictor_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/predictor/time_limits.h"
#include "mining/predictor/cv_residuals.h"

/* From held-out residuals a predictor learns how far to believe its corrections, and how far off it
 * is. A run that was cut at its limit is a residual of at least so much, and never counts as less.
 */

enum {
	/* Fewer held-out residuals of a kind of support say nothing about its tails. */
	MIN_RESIDUALS = 20,
	/* Of still fewer inside, the next run falls beyond all of them more often than 1 in 4. */
	MIN_INSIDE = 8
};

/* Nothing is known better than this, in log time. */
#define MIN_SPREAD 1e-4

/* What residuals of easier predictions are widened by where a kind of support has too few of its
 * own: choices, towards doubt, and the explanation says when they were used. */
#define WIDEN_EDGE 1.5
#define WIDEN_OUTSIDE 2.0
/* Of a handful of runs the scatter is hardly known. */
#define MOST_NOISE_FACTOR 30.0
/* A fit is far closer to its own runs than to others: a choice. */
#define IN_SAMPLE_WIDEN 5.0

/* A handful of residuals inside would make intervals of no width: those of harder predictions join
 * them, which errs towards doubt. */
static enum err_code borrow_harder(struct residuals *all, struct err *e)
{
	size_t n = all->n;

	for (int s = SUPPORT_EDGE; s <= SUPPORT_OUTSIDE; s++) {
		if (all->n_of[SUPPORT_INSIDE] >= MIN_INSIDE)
			break;
		for (size_t i = 0; i < n; i++) {
			struct residual r = residuals_at(all, i);

			if (r.support != (enum support)s)
				continue;
			r.support = SUPPORT_INSIDE;
			r.behind = NAN; /* compared once, where it was held out */
			if (!residuals_add(all, &r))
				return err_set(e, ERR_NOMEM, "held-out residuals");
		}
	}
	return ERR_OK;
}

/* ---- what they teach ---- */

struct pull {
	double ratio; /* of what it was off by to the correction offered */
	double weight;
};

static double middle(double a, double b, double c)
{
	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* The least ratio at or below which there is half of the weight, `total`. x[n] changes places; n at
 * least 1. Quickselect (Hoare 1961), for it may be millions. */
static double weighted_median(struct pull *x, size_t n, double total)
{
	double below = 0;

	for (;;) {
		const double pivot = middle(x[0].ratio, x[n / 2].ratio, x[n - 1].ratio);
		double less = 0, equal = 0;
		size_t lt = 0, gt = n;

		for (size_t i = 0; i < gt;) {
			const struct pull at = x[i];

			if (at.ratio < pivot) {
				less += at.weight;
				x[i++] = x[lt];
				x[lt++] = at;
			} else if (at.ratio > pivot) {
				x[i] = x[--gt];
				x[gt] = at;
			} else {
				equal += at.weight;
				i++;
			}
		}
		if (lt > 0 && 2 * (below + less) >= total) {
			n = lt;
		} else if (gt == n || 2 * (below + less + equal) >= total) {
			return pivot;
		} else {
			below += less + equal;
			x += gt;
			n -= gt;
		}
	}
}

/* Does the residual tell what share of its correction would have been right? Of a bound only if it
 * is beyond the correction, or shows that it points the wrong way: what is clamped to [0, 1] is
 * then known. */
static bool tells_share(const struct residual *r)
{
	if (r->correction == 0)
		return false;
	return !r->is_bound || (r->correction > 0 ? r->off >= r->correction : r->off >= 0);
}

/* The share a of the corrections that minimises sum |off - a correction|: the median of their
 * ratios, weighted by |correction|. pull[n] is scratch. */
static double best_share(const struct residuals *all, enum support s, struct pull *pull)
{
	double total = 0;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		if (r.support != s || !tells_share(&r))
			continue;
		pull[n++] = (struct pull){r.off / r.correction, fabs(r.correction)};
		total += fabs(r.correction);
	}
	return n == 0 ? 0 : fmin(fmax(weighted_median(pull, n, total), 0), 1);
}

/* Corrections are believed as far as they bettered held-out predictions of the same support; where
 * there were few, half as far as where it is easier to predict. */
static enum err_code learn_shrinkage(struct predictor *p, const struct residuals *all,
				     struct err *e)
{
	struct pull *pull = calloc(all->n + 1, sizeof *pull);

	if (!pull)
		return err_set(e, ERR_NOMEM, "%zu held-out residuals", all->n);
	for (int s = 0; s < 3; s++) {
		if (all->n_of[s] >= MIN_RESIDUALS)
			p->shrinkage[s] = best_share(all, (enum support)s, pull);
		else
			p->shrinkage[s] = s > 0 ? p->shrinkage[s - 1] / 2 : 0;
	}
	free(pull);
	return ERR_OK;
}

static double residual(const struct predictor *p, const struct residual *r)
{
	return r->off - p->shrinkage[r->support] * r->correction;
}

/* Is its size known, or at least so much? */
static bool has_size(const struct predictor *p, const struct residual *r)
{
	return !r->is_bound || residual(p, r) > 0;
}

/* What is left where there is little doubt: the robust spread of the half with the least. work[n]
 * is scratch. */
static void learn_spread(struct predictor *p, const struct residuals *all, double *work)
{
	double median;
	size_t n = 0;

	p->residual_sd = 1;
	if (!p->kind->predict_with_sd)
		return;
	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		if (isfinite(r.epistemic_sd))
			p->max_epistemic_sd = fmax(p->max_epistemic_sd, r.epistemic_sd);
		if (has_size(p, &r))
			work[n++] = r.epistemic_sd;
	}
	median = gsl_stats_median(work, 1, n);
	n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		if (has_size(p, &r) && r.epistemic_sd <= median)
			work[n++] = fabs(residual(p, &r)) / noise_group_factor(&p->noisy, r.row);
	}
	p->residual_sd = fmax(1.4826 * gsl_stats_median(work, 1, n), MIN_SPREAD);
}

/* What a residual is in units of: all that was said not to be known where it was predicted. */
static double spread_of(const struct predictor *p, const struct residual *r)
{
	const double spread =
		predictor_spread(p, noise_group_factor(&p->noisy, r->row), r->epistemic_sd);

	return hypot(r->extrapolation_inflation * spread, r->trend_sd);
}

/* A held-out configuration: how far its runs were off, mean. */
struct scatter {
	const double **row;
	struct residual *at;
	double *off, *z;
	size_t n;
};

/* all->off[n_own ..] are said twice. */
static void find_scatter(const struct predictor *p, const struct residuals *all, size_t n_own,
			 struct scatter *s)
{
	s->n = 0;
	for (size_t i = 0, end; i < n_own; i = end) {
		const struct residual r = residuals_at(all, i);
		const double spread = spread_of(p, &r);
		double sum = 0;

		for (end = i; end < n_own && all->which[end] == all->which[i]; end++) {
			const struct residual one = residuals_at(all, end);

			sum += fabs(residual(p, &one));
		}
		if (r.way != HOLDOUT_CONFIGS || r.is_bound || !isfinite(spread))
			continue;
		s->row[s->n] = r.row;
		s->at[s->n] = r;
		s->off[s->n] = sum / (double)(end - i);
		s->z[s->n] = s->off[s->n] / spread;
		s->n++;
	}
}

/* The mean in units of the spread: of the group over that of the rest. */
static double scatter_ratio(const struct predictor *p, const struct scatter *s)
{
	double sum[2] = {0, 0}, n[2] = {0, 0};

	for (size_t i = 0; i < s->n; i++) {
		const int in = noise_group_factor(&p->noisy, s->row[i]) > 1;

		sum[in] += s->off[i] / spread_of(p, &s->at[i]);
		n[in]++;
	}
	return (sum[1] / n[1]) / (sum[0] / n[0]);
}

/* Of noise, not of all that is in the spread: so that group and rest are as far off in units of it.
 */
static void fit_noise_factor(struct predictor *p, const struct scatter *s)
{
	double lo = 1 + 1e-3, hi = MOST_NOISE_FACTOR;

	while (hi - lo > 1e-3) {
		p->noisy.factor = (lo + hi) / 2;
		if (scatter_ratio(p, s) > 1)
			lo = p->noisy.factor;
		else
			hi = p->noisy.factor;
	}
}

/* The group of configurations whose own runs, when they were held out, were off by more than
 * others, and the spread of the others. */
static enum err_code learn_noise_group(struct predictor *p, const struct residuals *all,
				       size_t n_own, double *work, struct err *e)
{
	struct scatter s = {.row = calloc(n_own + 1, sizeof *s.row),
			    .at = calloc(n_own + 1, sizeof *s.at),
			    .off = calloc(2 * (n_own + 1), sizeof *s.off)};
	enum err_code rc;

	if (!s.row || !s.at || !s.off) {
		rc = err_set(e, ERR_NOMEM, "noise of %zu held-out runs", n_own);
		goto done;
	}
	s.z = s.off + n_own + 1;
	find_scatter(p, all, n_own, &s);
	rc = noise_group_find(p->app, s.row, s.z, s.n, &p->noisy, e);
	if (!rc && p->noisy.factor > 1) {
		learn_spread(p, all, work);
		fit_noise_factor(p, &s);
		learn_spread(p, all, work);
	}
done:
	free(s.row);
	free(s.at);
	free(s.off);
	return rc;
}

/* A share of held-out runs. */
#define NEARLY_ALL 0.95

/* Scratch for a table: residuals and bounds, and the sample that they make. */
struct residual_sample {
	struct at_least *x;
	double *r;
};

/* The residuals of predictions of one kind of support from x[n] on, in units of their spread;
 * returns how many there are then. */
static size_t take(const struct predictor *p, const struct residuals *all, enum support s,
		   enum holdout way, bool only_bounds, struct at_least *x, size_t n)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		if (r.support == s && (way == HOLDOUT_COUNT || r.way == way) &&
		    (r.is_bound || !only_bounds))
			x[n++] = (struct at_least){residual(p, &r) / spread_of(p, &r), r.is_bound};
	}
	return n;
}

/* The residuals of work->r with the other sign. */
static void cover_mirrored(struct residual_sample *work, size_t n, struct residual_table *out)
{
	struct residual_table t;

	for (size_t i = 0; i < n; i++)
		work->r[i] = -work->r[i];
	residual_table_make(work->r, n, 1, &t);
	residual_table_cover(out, &t);
}

/* Not on average over the ways of holding out, but in each: of those with enough residuals outside
 * of what their training runs covered, the lowest low quantiles and the highest high ones. A trend
 * without structure that was too high beyond its runs may be too low beyond others: its residuals
 * count with both signs. */
static void cover_each_way(const struct predictor *p, const struct residuals *all,
			   struct residual_sample *work, struct residual_table *out)
{
	for (int way = 0; way < HOLDOUT_COUNT; way++) {
		struct residual_table t;
		size_t n = take(p, all, SUPPORT_OUTSIDE, (enum holdout)way, false, work->x, 0);

		if (n < MIN_RESIDUALS)
			continue;
		censored_sample(work->x, n, work->r);
		residual_table_make(work->r, n, 1, &t);
		residual_table_cover(out, &t);
		if (!p->kind->structural)
			cover_mirrored(work, n, out);
	}
}

/* Nearly all held-out runs are on one side of what is predicted (as where rows are in two units):
 * the fit to the others is off, and nothing says that the fit to all is off in the same way. What
 * it predicts stays possible, and as far on its other side. */
static void cover_other_side(struct residual_sample *work, size_t n, struct residual_table *out)
{
	if (residual_table_quantile(out, NEARLY_ALL) < 0 ||
	    residual_table_quantile(out, 1 - NEARLY_ALL) > 0)
		cover_mirrored(work, n, out);
}

/* Where a kind of support has too few residuals of its own, it borrows those of the easier one,
 * widened; its runs that were cut still count. */
static void fill_table(struct predictor *p, const struct residuals *all, enum support s,
		       double widened, struct residual_sample *work)
{
	const double widen[3] = {widened, WIDEN_EDGE, WIDEN_OUTSIDE};
	const bool own = all->n_of[s] >= MIN_RESIDUALS;
	enum support from = s;
	size_t n;

	if (!own && s != SUPPORT_INSIDE && all->n_bounds[s] == 0) {
		p->table[s] = p->table[s - 1];
		p->table[s].widened *= widen[s];
		return;
	}
	while (from > SUPPORT_INSIDE && all->n_of[from] < MIN_RESIDUALS)
		from--;
	n = take(p, all, from, HOLDOUT_COUNT, false, work->x, 0);
	for (int k = (int)from + 1; k <= (int)s; k++)
		n = take(p, all, (enum support)k, HOLDOUT_COUNT, true, work->x, n);
	if (n == 0 || all->n_of[from] == 0)
		return;
	censored_sample(work->x, n, work->r);
	widened = s == SUPPORT_INSIDE ? widened : own ? 1 : p->table[s - 1].widened * widen[s];
	residual_table_make(work->r, n, widened, &p->table[s]);
	if (own && s == SUPPORT_OUTSIDE)
		cover_each_way(p, all, work, &p->table[s]);
	else
		cover_other_side(work, n, &p->table[s]);
}

/* ---- how far off it was ---- */

/* P(|residual| <= r) grows with r: its median is found by halving. */
static double median_distance(const struct residual_table *t)
{
	double lo = 0, hi = 0;

	for (size_t i = 0; i < t->n_kept; i++)
		hi = fmax(hi, fabs(t->r[i]) * t->widened);
	for (int i = 0; i < 60; i++) {
		double r = (lo + hi) / 2;

		if (residual_table_cdf(t, r) - residual_table_cdf(t, -r) < 0.5)
			lo = r;
		else
			hi = r;
	}
	return hi;
}

/* Of the first n_own residuals, those that were not borrowed: the others are no predictions of this
 * kind of support. */
static void learn_error(struct predictor *p, const struct residuals *all, size_t n_own,
			enum support s, struct residual_sample *work)
{
	struct residual_table t;
	size_t n = 0;

	for (size_t i = 0; i < n_own; i++) {
		const struct residual r = residuals_at(all, i);

		if (r.support == s)
			work->x[n++] = (struct at_least){residual(p, &r), r.is_bound};
	}
	if (n == 0)
		return;
	censored_sample(work->x, n, work->r);
	residual_table_make(work->r, n, 1, &t);
	p->error[s] = (struct predictor_error){
		.n = n,
		.typical = median_distance(&t),
		.lo = exp(residual_table_quantile(&t, 0.05)),
		.hi = exp(residual_table_quantile(&t, 0.95)),
	};
}

/* Few residuals agree by chance: they count no less than the noise that is likely of so few runs.
 */
static void count_few_runs_noise(struct predictor *p)
{
	const double noise = p->kind->few_runs_noise ? p->kind->few_runs_noise(p->state) : 0;

	for (int s = 0; s < 3 && noise > 0; s++)
		residual_table_cover_normal(&p->table[s], noise / p->residual_sd);
}

/* Of configurations that stood among what else could have been chosen: one point each. */
static enum err_code learn_optimism(struct predictor *p, const struct residuals *all, struct err *e)
{
	struct optimism_point *x = calloc(all->n_said + 1, sizeof *x);
	size_t n = 0;

	if (!x)
		return err_set(e, ERR_NOMEM, "%zu held-out configurations", all->n_said);
	for (size_t i = 0, end; i < all->n; i = end) {
		const struct residual r = residuals_at(all, i);
		const double spread = spread_of(p, &r);
		double off = 0;

		for (end = i; end < all->n && all->which[end] == all->which[i]; end++)
			off += all->off[end];
		if (isnan(r.behind) || r.is_bound || !isfinite(spread))
			continue;
		x[n++] = (struct optimism_point){.gap = r.behind / spread,
						 .off = off / (double)(end - i) / spread};
	}
	p->optimism = optimism_of(x, n);
	free(x);
	return ERR_OK;
}

static enum err_code learn(struct predictor *p, const struct residuals *all, size_t n_own,
			   double widened, struct err *e)
{
	struct residual_sample work = {.x = calloc(all->n + 1, sizeof *work.x),
				       .r = calloc(all->n + 1, sizeof *work.r)};
	enum err_code rc;

	if (!work.x || !work.r) {
		free(work.x);
		free(work.r);
		return err_set(e, ERR_NOMEM, "%zu held-out residuals", all->n);
	}
	if (!(rc = learn_shrinkage(p, all, e))) {
		learn_spread(p, all, work.r);
		rc = learn_noise_group(p, all, n_own, work.r, e);
	}
	if (!rc) {
		for (int s = 0; s < 3; s++) {
			fill_table(p, all, (enum support)s, widened, &work);
			learn_error(p, all, n_own, (enum support)s, &work);
		}
		count_few_runs_noise(p);
		rc = learn_optimism(p, all, e);
	}
	free(work.x);
	free(work.r);
	return rc;
}

/* ---- how new a question is ---- */

/* The 90 % interval is what newness is calibrated on. */
#define NEWNESS_LOW 0.05
#define NEWNESS_HIGH 0.95
#define MOST_NEWNESS_SD 3.0

/* What was said of a held-out residual, its trend in doubt by sd more. */
static struct prediction new_at(const struct predictor *p, const struct residual *r, double sd)
{
	const double spread =
		predictor_spread(p, noise_group_factor(&p->noisy, r->row), r->epistemic_sd);

	return (struct prediction){.scale = r->extrapolation_inflation * spread,
				   .trend_sd = hypot(r->trend_sd, sd)};
}

static bool counts_as_new(const struct residual *r, struct new_values v, int newness)
{
	return v.n == newness && !r->is_bound && r->support != SUPPORT_OUTSIDE;
}

/* Residuals of values new to their fit, so many of them, that lie in the interval widened by sd;
 * *n: of how many. */
static size_t covered(const struct predictor *p, const struct residuals *all,
		      const struct new_values *is_new, int newness, double sd, size_t *n)
{
	size_t inside = 0;

	*n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);
		const struct prediction at = new_at(p, &r, sd);
		const struct residual_table *t = &p->table[r.support];
		const double off = residual(p, &r);

		if (!counts_as_new(&r, is_new[i], newness))
			continue;
		(*n)++;
		inside += off >= predictor_log_quantile(t, &at, NEWNESS_LOW) &&
			  off <= predictor_log_quantile(t, &at, NEWNESS_HIGH);
	}
	return inside;
}

/* The least deviation with which the interval holds 90 % of them; 0 where it does by itself. */
static double coverage_sd(const struct predictor *p, const struct residuals *all,
			  const struct new_values *is_new, int newness)
{
	double lo = 0, hi = MOST_NEWNESS_SD;
	size_t n;

	if ((double)covered(p, all, is_new, newness, 0, &n) >=
		    (NEWNESS_HIGH - NEWNESS_LOW) * (double)n ||
	    n < MIN_RESIDUALS)
		return 0;
	while (hi - lo > 1e-4) {
		const double middle = (lo + hi) / 2;

		if ((double)covered(p, all, is_new, newness, middle, &n) >=
		    (NEWNESS_HIGH - NEWNESS_LOW) * (double)n)
			hi = middle;
		else
			lo = middle;
	}
	return hi;
}

/* The runs of a new value are off together: of m values there are m deviations, however many runs
 * each has, and the next value's is t distributed with m degrees of freedom (their mean is 0: what
 * was predicted) times their root mean square. The deviation with which the interval is as wide. */
static double value_sd(const struct predictor *p, const struct residuals *all,
		       const struct new_values *is_new, int newness)
{
	double off[NEW_VALUE_GROUPS] = {0}, n[NEW_VALUE_GROUPS] = {0};
	double runs = 0, width = 0, squares = 0, m = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);
		const struct prediction at = new_at(p, &r, 0);
		const struct residual_table *t = &p->table[r.support];

		if (!counts_as_new(&r, is_new[i], newness))
			continue;
		off[is_new[i].group] += residual(p, &r);
		n[is_new[i].group]++;
		runs++;
		width += predictor_log_quantile(t, &at, NEWNESS_HIGH) -
			 predictor_log_quantile(t, &at, NEWNESS_LOW);
	}
	for (size_t k = 0; k < NEW_VALUE_GROUPS; k++) {
		if (n[k] > 0) {
			squares += pow(off[k] / n[k], 2);
			m++;
		}
	}
	if (runs < MIN_RESIDUALS)
		return 0;
	return sqrt(fmax(pow(gsl_cdf_tdist_Pinv(NEWNESS_HIGH, m), 2) * squares / m -
				 pow(width / runs / 2, 2),
			 0)) /
	       gsl_cdf_ugaussian_Pinv(NEWNESS_HIGH);
}

static double find_newness_sd(const struct predictor *p, const struct residuals *all,
			      const struct new_values *is_new, int newness)
{
	return fmax(coverage_sd(p, all, is_new, newness), value_sd(p, all, is_new, newness));
}

/* Additive, not a factor on the doubt: between levels a process is off where it does not know. */
static enum err_code learn_newness(struct predictor *p, const struct config_table *t,
				   const struct fit_input *in, struct err *e)
{
	struct residuals all = {0};
	struct new_values *is_new = NULL;
	enum err_code rc;

	/* a structure tells what lies between levels */
	if (!p->kind->trend_sd || p->kind->structural)
		return ERR_OK;
	level_columns_find(t, &p->levels);
	if (!(rc = new_level_residuals(p, t, in, &all, &is_new, e)) && is_new) {
		p->newness_sd[0] = find_newness_sd(p, &all, is_new, 1);
		p->newness_sd[1] = fmax(find_newness_sd(p, &all, is_new, 2), p->newness_sd[0]);
	}
	residuals_release(&all);
	free(is_new);
	return rc;
}

/* Residuals of so many configurations tell a quantile of 5 % to within 0.22 %, and the fits that
 * they are of look at no more than a few thousand: more take time and memory, and teach nothing. */
enum { MOST_HELD_OUT = 10000 };

static enum err_code learn_held_out(struct predictor *p, const struct config_table *t,
				    const struct fit_input *in, struct err *e)
{
	struct residuals all = {0};
	bool in_sample;
	enum err_code rc = held_out_residuals(p, t, in, &all, &in_sample, e);
	const size_t n_own = rc || in_sample ? 0 : all.n;

	if (!rc && !(rc = borrow_harder(&all, e)))
		rc = learn(p, &all, n_own, in_sample ? IN_SAMPLE_WIDEN : 1, e);
	residuals_release(&all);
	return rc;
}

/* Of fewer repeats no quantile is told; of more configurations these are enough, evenly. */
enum { LEAST_REPEATS = 8, MOST_REPEATED = 1000 };

/* What repeats differ by from the time that stands for their configuration, in units of what is
 * predicted there. Returns how many. */
static size_t list_repeats(const struct predictor *p, const struct config_table *t, double *out)
{
	const size_t stride = 1 + t->n / MOST_REPEATED;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i += stride) {
		const double *run_s = t->run_s + t->first[i];
		const size_t m = t->first[i + 1] - t->first[i];
		struct prediction at;

		if (m < 2)
			continue;
		predictor_predict(p, config_table_row(t, i), 1, &at);
		for (size_t k = 0; k < m; k++)
			out[n++] = log(run_s[k] / t->time_s[i]) / at.scale *
				   sqrt((double)m / (double)(m - 1));
	}
	return n;
}

/* Are more of off[n] above quantiles of a table than its probabilities let expect? Repeats that it
 * describes well would say so 1 time in ten or twenty. */
#define REPEATS_ALPHA 0.05
static bool are_more_late(const double *off, size_t n, const struct residual_table *t)
{
	static const double probs[] = {0.9, 0.95};

	for (size_t k = 0; k < sizeof probs / sizeof probs[0]; k++) {
		const double late = residual_table_quantile(t, probs[k]);
		unsigned n_late = 0;

		for (size_t i = 0; i < n; i++)
			n_late += off[i] > late;
		if (n_late > 0 &&
		    gsl_cdf_binomial_Q(n_late - 1, 1 - probs[k], (unsigned)n) < REPEATS_ALPHA)
			return true;
	}
	return false;
}

/* Residuals are in units of the doubt that there was where they were held out, but repeats scatter
 * by as much where there is less. Where they are late more often than a table says, it covers what
 * they differ by from the time that stands for their configuration: two speeds (a shared switch, a
 * cold cache) are in it as often as they were met. */
static enum err_code cover_repeats(struct predictor *p, const struct config_table *t, struct err *e)
{
	double *off = calloc(t->first[t->n] + 1, sizeof *off);
	struct residual_table repeats;
	size_t n;

	if (!off)
		return err_set(e, ERR_NOMEM, "repeats of %zu configurations", t->n);
	n = list_repeats(p, t, off);
	if (n >= LEAST_REPEATS) {
		residual_table_make(off, n, 1, &repeats);
		for (int s = 0; s < 3; s++) {
			if (are_more_late(off, n, &p->table[s]))
				residual_table_cover(&p->table[s], &repeats);
		}
	}
	free(off);
	return ERR_OK;
}

enum err_code predictor_learn_residuals(struct predictor *p, const struct config_table *t,
					const struct fit_input *in, struct err *e)
{
	struct config_table *some = NULL;
	const struct config_table *held = t;
	enum err_code rc = ERR_OK;

	if (t->n > MOST_HELD_OUT) {
		if ((rc = config_table_sample(t, MOST_HELD_OUT, &some, e)))
			return rc;
		held = some;
	}
	if (!(rc = learn_held_out(p, held, in, e)))
		rc = cover_repeats(p, held, e);
	/* Held-out runs have numbers of the same kinds as all others. */
	if (!rc && p->kind->trend_sd && !p->kind->structural)
		number_kinds_find(t, &p->numbers);
	if (!rc)
		rc = learn_newness(p, held, in, e);
	config_table_free(some);
	return rc;
}
