#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/gp/gaussian_process_private.h"
#include "base/splitmix.h"

/* Robust noise. A likelihood with heavy tails would do the same but has no closed form; raising the
 * noise of observations that the others contradict keeps every formula of the normal case. */

/* Beyond so many leave-one-out standard deviations noise is raised; weights have settled when none
 * moves by more. */
#define OUTLIER 2.5
#define SETTLED 0.1

/* The distance of each observation from what the others say of it, in standard deviations as they
 * would be had its noise not been raised. out[stride] */
static enum err_code surprises(const struct gaussian_process *gp, double *out, struct err *e)
{
	if (!gp_inverse_diagonal(gp, out))
		return err_set(e, ERR_NOMEM, "inverse over %zu points", gp->points.n);
	for (size_t i = 0; i < gp->points.n; i++) {
		double noise = gp_noise_variance(gp, i);
		double variance = 1 / out[i] - noise + noise * gp->weight[i];

		out[i] = fabs(gp->alpha[i] / out[i]) / sqrt(variance);
	}
	return ERR_OK;
}

/* By how much surprises are off because the noise is: the median of normal ones is 0.6745. Counts
 * only while noise is not chosen yet. */
static double typical_surprise(const double *surprise, size_t n, double *work)
{
	memcpy(work, surprise, n * sizeof *work);
	return fmax(gsl_stats_median(work, 1, n) / 0.6745, 1e-3);
}

/* weight from leave-one-out residuals, until they settle, factor and alpha with them. Unless the
 * noise has been chosen robustly, what is ordinary is judged by their median. Errors: NUMERIC,
 * NOMEM. */
static enum err_code gp_reweight(struct gaussian_process *gp, int max_rounds, bool noise_is_chosen,
				 struct err *e)
{
	const size_t n = gp->points.n;
	double *surprise = calloc(gp->points.stride + 1, sizeof *surprise);
	double *work = calloc(n + 1, sizeof *work);
	double moved = INFINITY;
	enum err_code rc = ERR_OK;

	if (!surprise || !work) {
		rc = err_set(e, ERR_NOMEM, "weights of %zu points", n);
		goto done;
	}
	for (int round = 0; round < max_rounds && moved > SETTLED && !rc; round++) {
		double typical;

		if ((rc = surprises(gp, surprise, e)))
			break;
		typical = noise_is_chosen ? 1 : typical_surprise(surprise, n, work);
		moved = 0;
		for (size_t i = 0; i < n; i++) {
			double over = fmax(surprise[i] / typical / OUTLIER, 1);
			/* an effective surprise of OUTLIER / over: redescending */
			double now = 1 / (over * over * over * over);

			moved = fmax(moved, fabs(gp->weight[i] - now));
			gp->weight[i] = now;
		}
		if (moved > 0)
			rc = gp_factorise(gp, e);
	}
done:
	free(surprise);
	free(work);
	return rc;
}

enum {
	TUNE_ROUNDS = 3,  /* of weights and hyperparameters in turn */
	TUNE_STEPS = 25,  /* of the optimiser in one of them */
	WEIGHT_ROUNDS = 3 /* until weights settle, at most */
};

static int ascending(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* `most` places of 0..n-1 (all, if they are no more), ascending. NULL: out of memory. */
static size_t *choose(size_t n, size_t most, uint64_t seed)
{
	size_t *place = calloc(n + 1, sizeof *place);

	for (size_t i = 0; place && i < n; i++)
		place[i] = i;
	if (!place || n <= most)
		return place;
	for (size_t i = 0; i < most; i++) {
		size_t j = i + (size_t)(splitmix_next(&seed) % (n - i)), swap = place[i];

		place[i] = place[j];
		place[j] = swap;
	}
	qsort(place, most, sizeof *place, ascending);
	return place;
}

static struct gaussian_process *take(const struct gp_design *design, const struct gp_data *data,
				     size_t most, uint64_t seed)
{
	size_t n = data->n < most ? data->n : most;
	struct gaussian_process *gp = gp_alloc(design, n);

	if (!gp || !(gp->kept = choose(data->n, n, seed))) {
		gaussian_process_free(gp);
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = gp->kept[i];

		for (size_t k = 0; k < design->n_inputs; k++)
			gp->points.z[k * gp->points.stride + i] =
				data->z[at * design->n_inputs + k];
		for (size_t k = 0; k < design->n_factors; k++)
			gp->points.factor[k * gp->points.stride + i] =
				data->factor[at * design->n_factors + k];
		gp->y[i] = data->y[at];
		gp->noise[i] = data->noise ? data->noise[at] : 1;
		gp->weight[i] = 1;
	}
	return gp;
}

/* Hyperparameters and weights in turn, on a subset that is quick to factorise. */
static enum err_code choose_hyper(const struct gp_design *design, const struct gp_data *data,
				  const struct gp_options *o, struct gp_hyper *out, struct err *e)
{
	struct gaussian_process *gp = take(design, data, o->max_tuning_points, o->seed);
	enum err_code rc;

	if (!gp)
		return err_set(e, ERR_NOMEM, "Gaussian process");
	gp_prior(design, &gp->points, &gp->hyper);
	rc = gp_factorise(gp, e);
	for (int round = 0; round < TUNE_ROUNDS && !rc; round++) {
		/* weights first: noise that were to explain disturbed runs would hide the surface
		 */
		if (!(rc = gp_reweight(gp, WEIGHT_ROUNDS, false, e)))
			rc = gp_tune(gp, TUNE_STEPS, e);
	}
	if (!rc)
		*out = gp->hyper;
	gaussian_process_free(gp);
	return rc;
}

enum err_code gaussian_process_fit(const struct gp_design *design, const struct gp_data *data,
				   const struct gp_options *options, struct gaussian_process **out,
				   struct err *e)
{
	struct gaussian_process *gp = NULL;
	struct gp_hyper hyper;
	enum err_code rc;

	if (data->n == 0)
		return err_set(e, ERR_NODATA, "a Gaussian process needs observations");
	if (options->hyper)
		hyper = *options->hyper;
	else if ((rc = choose_hyper(design, data, options, &hyper, e)))
		return rc;
	gp = take(design, data, options->max_points, options->seed);
	if (!gp)
		return err_set(e, ERR_NOMEM, "Gaussian process of %zu points", data->n);
	gp->hyper = hyper;
	if ((rc = gp_factorise(gp, e)) || (rc = gp_reweight(gp, WEIGHT_ROUNDS, true, e))) {
		gaussian_process_free(gp);
		return rc;
	}
	*out = gp;
	return ERR_OK;
}
