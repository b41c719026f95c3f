#include "mining/predictor/predictor_state.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

/* What no completion of a row can be better than: of everything that is open, the best. */

/* hypot() in a tenth of its time, for numbers of ordinary size. */
static double root(double a, double b)
{
	return sqrt(a * a + b * b);
}

static double structural_bound(const struct predictor *p, const double *row)
{
	return p->kind->lower_bound ? p->kind->lower_bound(p->state, row) : 0;
}

struct correction_bound {
	const struct predictor *predictor;
	void *corrections; /* NULL: the kind has no way to tell */
};

enum err_code correction_bound_new(const struct predictor *p, struct correction_bound **out,
				   struct err *e)
{
	struct correction_bound *b = calloc(1, sizeof *b);
	enum err_code rc = ERR_OK;

	if (!b)
		return err_set(e, ERR_NOMEM, "bound of corrections");
	b->predictor = p;
	if (p->kind->corrections_new)
		rc = p->kind->corrections_new(p->state, &b->corrections, e);
	if (rc)
		free(b);
	else
		*out = b;
	return rc;
}

void correction_bound_free(struct correction_bound *b)
{
	if (b && b->corrections)
		b->predictor->kind->corrections_free(b->corrections);
	free(b);
}

bool correction_bound_knows(const struct correction_bound *b)
{
	return b->corrections;
}

/* The least log of what corrections multiply the time of a row by. b may be NULL. */
static double least_correction(const struct predictor *p, struct correction_bound *b, bool sharp,
			       const double *row, const struct predictor_place *at)
{
	double least, weight = at->shrinkage;

	if (!b || !b->corrections)
		return -weight * p->kind->max_correction(p->state);
	least = p->kind->corrections_least(b->corrections, row, sharp);
	/* one that slows down is believed as little as any support could have it */
	for (int s = (int)at->support; least > 0 && s <= SUPPORT_OUTSIDE; s++)
		weight = fmin(weight, at->locality_weight * p->shrinkage[s]);
	return weight * least;
}

static void follow_rules(const struct predictor *p, const double *row, struct prediction *out)
{
	if (p->rules && out->support != SUPPORT_OUTSIDE)
		out->time_s = predictor_rules_least_s(p->rules, row, out->time_s);
}

/* structural_s: no completion of the row takes less, before corrections and rules. b (may be NULL)
 * is for complete rows. */
static void bound_at(const struct predictor *p, const double *row, double structural_s,
		     struct correction_bound *b, bool sharp, struct prediction *out)
{
	const struct predictor_place at = predictor_best_place(p, row);

	out->support = at.support;
	out->time_s = structural_s * exp(level_shifts_at(&p->shifts, row).log_ratio);
	/* of completions it is anything that drift leaves open */
	out->trend_sd = INFINITY;
	out->least_trend_sd = (1 - 1e-9) * root(predictor_kind_drift_sd(p->kind, at.beyond),
						p->batches.sd); /* rounding */
	out->regime_p = out->slow_p = out->slow_log = out->fail_p = 0;
	out->other_p = out->other_log = 0;
	out->least_s = out->free_s = 0;
	/* of a column that is open, the group with less noise */
	out->scale = at.extrapolation_inflation *
		     predictor_spread(p, noise_group_factor(&p->noisy, row),
				      at.locality_weight > 0 ? 0 : p->max_epistemic_sd);
	if (at.shrinkage > 0)
		out->time_s *= exp(least_correction(p, b, sharp, row, &at));
	follow_rules(p, row, out);
}

void predictor_bound(const struct predictor *p, const double *row, struct prediction *out)
{
	bound_at(p, row, structural_bound(p, row), NULL, false, out);
}

void predictor_bound_complete(const struct predictor *p, struct correction_bound *b, bool sharp,
			      const double *rows, size_t n, struct prediction *out)
{
	for (size_t i = 0; i < n; i++) {
		const double *row = rows + i * p->app->n_columns;
		double time_s;

		p->kind->predict(p->state, row, 1, p->app->n_columns, &time_s);
		bound_at(p, row, time_s, b, sharp, &out[i]);
	}
}

void predictor_bound_trend(const struct predictor *p, const double *rows, size_t n,
			   struct prediction *bound)
{
	for (size_t i = 0; i < n; i++) {
		const double *row = rows + i * p->app->n_columns;
		const double beyond = predictor_best_place(p, row).beyond;

		/* a coarse clock adds to it what depends on the time itself */
		bound[i].trend_sd =
			p->tick_s > 0 ? INFINITY
				      : predictor_trend_sd(p, row,
							   predictor_kind_trend_sd(
								   p->kind, p->state, row, beyond));
	}
}

struct tuning_bound {
	const struct predictor *predictor;
	void *tunings; /* NULL: the kind has no faster way */
	size_t n;
	double *correction; /* n, scratch */
	double *plain_s;    /* n, before corrections, and what weight these have: see sharpen */
	double weight;
};

/* Beyond this the list costs more memory and time than it saves. */
enum { MAX_TUNINGS = 1024 };

enum err_code tuning_bound_new(const struct predictor *p, const double *rows, size_t n,
			       struct tuning_bound **out, struct err *e)
{
	struct tuning_bound *b = calloc(1, sizeof *b);
	enum err_code rc = ERR_OK;

	if (!b)
		return err_set(e, ERR_NOMEM, "bound of %zu tunings", n);
	b->predictor = p;
	b->n = n;
	b->correction = calloc(n + 1, sizeof *b->correction);
	b->plain_s = calloc(n + 1, sizeof *b->plain_s);
	if (!b->correction || !b->plain_s)
		rc = err_set(e, ERR_NOMEM, "bound of %zu tunings", n);
	else if (p->kind->tunings_new && n > 0 && n <= MAX_TUNINGS)
		rc = p->kind->tunings_new(p->state, rows, n, p->app->n_columns, &b->tunings, e);
	if (rc)
		tuning_bound_free(b);
	else
		*out = b;
	return rc;
}

void tuning_bound_free(struct tuning_bound *b)
{
	if (b && b->tunings)
		b->predictor->kind->tunings_free(b->tunings);
	if (b) {
		free(b->correction);
		free(b->plain_s);
	}
	free(b);
}

void tuning_bound_at(struct tuning_bound *b, const double *row, struct prediction *out)
{
	double least_s = b->tunings ? b->predictor->kind->tunings_least_s(b->tunings, row) : -1;

	if (least_s < 0) /* out of memory costs speed, not the answer */
		least_s = structural_bound(b->predictor, row);
	bound_at(b->predictor, row, least_s, NULL, false, out);
}

/* What a tuning's correction is trusted depends on where it is: one that slows down may be believed
 * not at all. A relative 1e-9 for the rounding of two ways to sum. */
static double corrected_s(const struct tuning_bound *b, size_t k, double correction)
{
	return b->plain_s[k] * (b->weight > 0 ? exp(b->weight * fmin(correction, 0)) : 1) *
	       (1 - 1e-9);
}

bool tuning_bound_each(struct tuning_bound *b, struct correction_bound *corrections,
		       const double *row, double *time_s, struct prediction *out)
{
	const struct predictor *p = b->predictor;
	const double factor = exp(level_shifts_at(&p->shifts, row).log_ratio);
	double least_s = INFINITY;

	b->weight = predictor_best_place(p, row).shrinkage;
	if (!b->tunings || !p->kind->tunings_each ||
	    !p->kind->tunings_each(b->tunings, corrections ? corrections->corrections : NULL, row,
				   b->plain_s, b->correction))
		return false;
	for (size_t k = 0; k < b->n; k++) {
		b->plain_s[k] *= factor;
		time_s[k] = corrected_s(b, k, b->correction[k]);
		least_s = fmin(least_s, time_s[k]);
	}
	bound_at(p, row, least_s, NULL, false, out);
	tuning_bound_put_time(b, row, least_s, out);
	return true;
}

bool tuning_bound_sharpens(const struct tuning_bound *b, const struct correction_bound *corrections)
{
	return b->tunings && b->predictor->kind->tunings_correction && corrections &&
	       corrections->corrections;
}

void tuning_bound_sharpen(struct tuning_bound *b, struct correction_bound *corrections,
			  const double *row, double below_s, double *time_s)
{
	const struct predictor_kind *kind = b->predictor->kind;

	if (!tuning_bound_sharpens(b, corrections) || !(b->weight > 0))
		return;
	for (size_t k = 0; k < b->n; k++) {
		if (time_s[k] < below_s)
			time_s[k] =
				corrected_s(b, k,
					    kind->tunings_correction(
						    b->tunings, corrections->corrections, row, k));
	}
}

void tuning_bound_put_time(const struct tuning_bound *b, const double *row, double time_s,
			   struct prediction *out)
{
	out->time_s = time_s;
	follow_rules(b->predictor, row, out);
}

/* ---- what could be promised ---- */

/* Does any prediction have a deviation of the trend? */
static bool has_trend_sd(const struct predictor *p)
{
	return p->kind->trend_sd || p->batches.sd > 0;
}

/* predictor_bound_trend() was not asked, or could not be. */
static bool is_open(const struct prediction *bound)
{
	return isinf(bound->trend_sd);
}

/* The largest scale of what is bounded. Of a complete row the doubt alone is open. */
static double max_scale(const struct predictor *p, const struct prediction *bound)
{
	if (is_open(bound))
		return PREDICTOR_MAX_INFLATION *
		       predictor_spread(p, fmax(p->noisy.factor, 1), p->max_epistemic_sd);
	/* noise is 1 or more: it makes doubt matter less */
	return bound->scale * predictor_spread(p, 1, p->max_epistemic_sd) /
	       predictor_spread(p, 1, 0);
}

/* The least law_quantile() of predictor.c at prob of scales from lo to hi: with r the residual and
 * m the median in units of the scale s, s m + sqrt(s^2 (r - m)^2 + tail^2) above the median, with a
 * minus below. */
static double least_quantile(const struct residual_table *t, double lo, double hi, double trend_sd,
			     double prob)
{
	const double r = residual_table_quantile(t, prob), m = residual_table_quantile(t, 0.5);
	const double apart = fabs(r - m);
	double s = lo, tail;

	if (!(trend_sd > 0))
		return r < 0 ? hi * r : lo * r;
	tail = trend_sd * fabs(gsl_cdf_ugaussian_Pinv(prob));
	if (prob < 0.5) /* concave in s */
		return fmin(lo * m - root(lo * apart, tail), hi * m - root(hi * apart, tail));
	if (m < 0) { /* convex in s, which falls as long as s apart^2 < -m root(s apart, tail) */
		s = apart > -m ? -m * tail / (apart * sqrt(apart * apart - m * m)) : INFINITY;
		s = fmin(fmax(s, lo), hi);
	}
	return s * m + root(s * apart, tail);
}

/* The most p that a deviation of the trend leaves above the median, where a deadline is exp(room)
 * times the median of the law: its quantiles lie farther off than those of the deviation alone. */
static double best_p_of_trend(const struct residual_table *t, const struct prediction *bound,
			      double hi, double room)
{
	const double sd = is_open(bound) ? bound->least_trend_sd : bound->trend_sd;
	const double m = residual_table_quantile(t, 0.5), median = m * (m < 0 ? hi : bound->scale);

	/* rounding */
	return sd > 0 && room > median ? gsl_cdf_ugaussian_P((room - median) / sd) + 1e-9 : 1;
}

/* The most p of one support, where a deadline is exp(room) times a median. */
static double best_p(const struct predictor *p, enum support support,
		     const struct prediction *bound, double room)
{
	const struct residual_table *t = &p->table[support];
	const double hi = max_scale(p, bound);
	/* A slower point has less room; a larger scale helps only where there is none. */
	const double best = fmin(residual_table_cdf(t, room / (room >= 0 ? bound->scale : hi)),
				 best_p_of_trend(t, bound, hi, room));

	if (is_open(bound) ? !has_trend_sd(p) : !(bound->trend_sd > 0))
		return best;
	if (!is_open(bound) && room < 0 &&
	    least_quantile(t, bound->scale, hi, bound->trend_sd, PREDICTOR_NO_CHANCE) > room)
		return fmax(1 - residual_table_max_confidence(t), 0);
	/* ignorance about a trend makes a deadline below the median likelier, up to a half */
	return fmax(best, 0.5);
}

double predictor_best_p_meet(const struct predictor *p, const struct prediction *bound,
			     double deadline_s)
{
	const double room = bound->time_s > 0 ? log(deadline_s / bound->time_s) : INFINITY;
	double best = 0;

	for (int s = (int)bound->support; s <= SUPPORT_OUTSIDE; s++)
		best = fmax(best, best_p(p, (enum support)s, bound, room));
	return best;
}

double predictor_min_deadline_s(const struct predictor *p, const struct prediction *bound,
				double prob)
{
	const double hi = max_scale(p, bound);
	const double trend_sd = is_open(bound) ? bound->least_trend_sd : bound->trend_sd;
	double least = INFINITY;

	/* where a trend may be wrong by any factor, so may be what is unlikely */
	if (is_open(bound) && has_trend_sd(p) && prob < 0.5)
		return 0;
	for (int s = (int)bound->support; s <= SUPPORT_OUTSIDE; s++) {
		if (prob > residual_table_max_confidence(&p->table[s]))
			continue;
		least = fmin(least, least_quantile(&p->table[s], bound->scale, hi, trend_sd, prob));
	}
	return isfinite(least) ? bound->time_s * exp(least) : (double)INFINITY;
}
