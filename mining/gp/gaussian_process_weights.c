#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "mining/gp/gaussian_process_private.h"

/* Robust noise. A likelihood with heavy tails would do the same but has no closed form; raising the
 * noise of observations that the others contradict keeps every formula of the normal case. */

/* Beyond so many leave-one-out standard deviations noise is raised; weights have settled when none
 * moves by more. */
#define OUTLIER 2.5
#define SETTLED 0.1

/* out[i] = (K^-1)_ii, the sums of squares of the columns of L^-1. */
static enum err_code inverse_diagonal(const struct gaussian_process *gp, double *out, struct err *e)
{
	const size_t n = gp->points.n, stride = gp->points.stride;
	double *inverted = gp_inverted_factor(gp);

	if (!inverted)
		return err_set(e, ERR_NOMEM, "inverse over %zu points", n);
	for (size_t i = 0; i < n; i++) {
		const double *row = inverted + i * stride;

		out[i] = 0;
		for (size_t j = i; j < n; j++)
			out[i] += row[j] * row[j];
	}
	free(inverted);
	return ERR_OK;
}

/* The distance of each observation from what the others say of it, in standard deviations as they
 * would be had its noise not been raised. */
static enum err_code surprises(const struct gaussian_process *gp, double *out, struct err *e)
{
	enum err_code rc;

	if ((rc = inverse_diagonal(gp, out, e)))
		return rc;
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

enum err_code gp_reweight(struct gaussian_process *gp, int max_rounds, bool noise_is_chosen,
			  struct err *e)
{
	const size_t n = gp->points.n;
	double *surprise = calloc(n + 1, sizeof *surprise), *work = calloc(n + 1, sizeof *work);
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
