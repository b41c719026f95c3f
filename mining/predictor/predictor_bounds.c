#include "mining/predictor/predictor_state.h"

#include <math.h>
#include <stdlib.h>

/* What no completion of a row can be better than: of everything that is open, the best. */

static double structural_bound(const struct predictor *p, const double *row)
{
	return p->kind->lower_bound ? p->kind->lower_bound(p->state, row) : 0;
}

/* structural_s: no completion of the row takes less, before corrections and rules. */
static void bound_at(const struct predictor *p, const double *row, double structural_s,
		     struct prediction *out)
{
	struct predictor_place at = predictor_best_place(p, row);

	out->support = at.support;
	out->time_s = structural_s;
	out->trend_sd = out->regime_p = out->slow_p = out->slow_log = 0;
	out->least_s = out->free_s = 0;
	/* of a column that is open, the group with less noise */
	out->scale = at.extrapolation_inflation *
		     predictor_spread(p, noise_group_factor(&p->noisy, row),
				      at.locality_weight > 0 ? 0 : p->max_epistemic_sd);
	if (at.shrinkage > 0)
		out->time_s *= exp(-at.shrinkage * p->kind->max_correction(p->state));
	if (p->rules && at.support != SUPPORT_OUTSIDE)
		out->time_s = predictor_rules_least_s(p->rules, row, out->time_s);
}

void predictor_bound(const struct predictor *p, const double *row, struct prediction *out)
{
	bound_at(p, row, structural_bound(p, row), out);
}

void predictor_bound_complete(const struct predictor *p, const double *rows, size_t n,
			      struct prediction *out)
{
	for (size_t i = 0; i < n; i++) {
		const double *row = rows + i * p->app->n_columns;
		double time_s;

		p->kind->predict(p->state, row, 1, p->app->n_columns, &time_s);
		bound_at(p, row, time_s, &out[i]);
	}
}

struct tuning_bound {
	const struct predictor *predictor;
	void *tunings; /* NULL: the kind has no faster way */
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
	if (p->kind->tunings_new && n > 0 && n <= MAX_TUNINGS)
		rc = p->kind->tunings_new(p->state, rows, n, p->app->n_columns, &b->tunings, e);
	if (rc)
		free(b);
	else
		*out = b;
	return rc;
}

void tuning_bound_free(struct tuning_bound *b)
{
	if (b && b->tunings)
		b->predictor->kind->tunings_free(b->tunings);
	free(b);
}

void tuning_bound_at(struct tuning_bound *b, const double *row, struct prediction *out)
{
	double least_s = b->tunings ? b->predictor->kind->tunings_least_s(b->tunings, row) : -1;

	if (least_s < 0) /* out of memory costs speed, not the answer */
		least_s = structural_bound(b->predictor, row);
	bound_at(b->predictor, row, least_s, out);
}

/* No prediction has a larger scale. */
static double max_scale(const struct predictor *p)
{
	return PREDICTOR_MAX_INFLATION *
	       predictor_spread(p, fmax(p->noisy.factor, 1), p->max_epistemic_sd);
}

/* Does any prediction have a deviation of the trend? */
static bool has_trend_sd(const struct predictor *p)
{
	return p->kind->trend_sd || p->batches.sd > 0;
}

double predictor_best_p_meet(const struct predictor *p, const struct prediction *bound,
			     double deadline_s)
{
	/* A slower point has less room; a larger scale helps only where there is none. */
	double room = bound->time_s > 0 ? log(deadline_s / bound->time_s) : INFINITY;
	double scaled = room >= 0 ? room / bound->scale : room / max_scale(p);
	double best = 0;

	for (int s = (int)bound->support; s <= SUPPORT_OUTSIDE; s++)
		best = fmax(best, residual_table_cdf(&p->table[s], scaled));
	/* ignorance about a trend makes a deadline below the median likelier, up to a half */
	return has_trend_sd(p) ? fmax(best, 0.5) : best;
}

double predictor_min_deadline_s(const struct predictor *p, const struct prediction *bound,
				double prob)
{
	double least = INFINITY;

	/* where a trend may be wrong by any factor, so may be what is unlikely */
	if (has_trend_sd(p) && prob < 0.5)
		return 0;
	for (int s = (int)bound->support; s <= SUPPORT_OUTSIDE; s++) {
		double r;

		if (prob > residual_table_max_confidence(&p->table[s]))
			continue;
		r = residual_table_quantile(&p->table[s], prob);
		least = fmin(least, r < 0 ? max_scale(p) * r : bound->scale * r);
	}
	return isfinite(least) ? bound->time_s * exp(least) : (double)INFINITY;
}
