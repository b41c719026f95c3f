#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/predictor/time_limits.h"
#include "mining/predictor/trend_gp.h"

/* Runs that were cut at their time limit, in a fit to means: regression with censored data by the
 * iteration of Schmee and Hahn (Technometrics 1979), an expectation-maximisation of the Tobit
 * model (Tobin 1958). For a limit that the fit misses stands what is expected of a time beyond it;
 * power laws and process are fitted anew, and what is still missed raises it. What is not missed
 * says nothing. The posterior of the exponents does not count limits: it is told by times alone. */

enum { LIMIT_ROUNDS = 4 };

static size_t n_limits(const struct config_table *t)
{
	size_t n = 0;

	for (size_t k = 0; k < t->n_cut; k++)
		n += t->cut[k].longest;
	return n;
}

/* t's configurations, with room for one more for each limit. NULL: out of memory. */
static struct config_table *copy_with_room(const struct config_table *t)
{
	struct config_table *all =
		config_table_alloc(t->app, t->n + n_limits(t), t->first[t->n] + n_limits(t), 0);

	if (!all)
		return NULL;
	all->n = t->n;
	all->noise = t->noise;
	memcpy(all->x, t->x, t->n * t->n_columns * sizeof *all->x);
	memcpy(all->time_s, t->time_s, t->n * sizeof *all->time_s);
	memcpy(all->n_repeats, t->n_repeats, t->n * sizeof *all->n_repeats);
	memcpy(all->first, t->first, (t->n + 1) * sizeof *all->first);
	memcpy(all->run_s, t->run_s, t->first[t->n] * sizeof *all->run_s);
	memcpy(all->source, t->source, t->n * sizeof *all->source);
	memcpy(all->weight, t->weight, sizeof all->weight);
	return all;
}

/* What stands for a limit (log time) from now on; NaN: it was not missed so far. */
static double stand_for(const struct trend_gp *m, const double *row, double limit, double before)
{
	const double noise = exp(gaussian_process_hyper(m->gp)->log_noise);
	double epistemic_sd;
	const double at = trend_gp_log_time(m, row, &epistemic_sd);

	if (at >= limit)
		return before;
	if (!isnan(before))
		return before + limit - at;
	return censored_normal_mean(
		at, hypot(hypot(epistemic_sd, noise), trend_gp_trend_sd(m, row)), limit);
}

static void append(const struct config_table *t, size_t cut, double log_s, struct config_table *all)
{
	const size_t i = all->n++;

	memcpy(all->x + i * t->n_columns, config_table_cut_row(t, cut),
	       t->n_columns * sizeof *all->x);
	all->time_s[i] = exp(log_s);
	all->n_repeats[i] = 1;
	all->run_s[all->first[i]] = exp(log_s);
	all->first[i + 1] = all->first[i] + 1;
	all->source[i] = t->cut[cut].source;
}

/* The observations for limits anew. Returns whether m misses one. */
static bool add_limits(const struct config_table *t, const struct trend_gp *m, double *stands,
		       struct config_table *all)
{
	bool missed = false;

	all->n = t->n;
	for (size_t k = 0; k < t->n_cut; k++) {
		const double before = stands[k];

		if (!t->cut[k].longest)
			continue;
		stands[k] =
			stand_for(m, config_table_cut_row(t, k), log(t->cut[k].limit_s), before);
		missed = missed || stands[k] > before || isnan(before) != isnan(stands[k]);
		if (!isnan(stands[k]))
			append(t, k, stands[k], all);
	}
	return missed;
}

enum err_code trend_gp_obey_limits(const struct config_table *t, const struct trend_gp *like,
				   struct trend_gp *m, struct err *e)
{
	struct config_table *all = NULL;
	double *stands = NULL;
	enum err_code rc = ERR_OK;

	if (n_limits(t) == 0)
		return ERR_OK;
	all = copy_with_room(t);
	stands = calloc(t->n_cut + 1, sizeof *stands);
	if (!all || !stands) {
		rc = err_set(e, ERR_NOMEM, "%zu time limits", t->n_cut);
		goto done;
	}
	for (size_t k = 0; k < t->n_cut; k++)
		stands[k] = NAN;
	for (int round = 0; round < LIMIT_ROUNDS && !rc && add_limits(t, m, stands, all); round++) {
		const struct gp_hyper hyper = *gaussian_process_hyper(m->gp);

		/* times alone chose hyperparameters that know nothing of what is slow */
		rc = trend_gp_fit_parts(all, like, round == 0 && !like ? NULL : &hyper, m, e);
		if (!rc)
			rc = trend_posterior_add_parts(t, m->columns, &m->trend, &m->posterior, e);
	}
done:
	free(stands);
	config_table_free(all);
	return rc;
}
