#include "mining/gp/gaussian_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/gp/gaussian_process_private.h"

/* Added to the diagonal, as a share of the prior variance: points that almost coincide. */
#define JITTER 1e-8

struct gaussian_process *gp_alloc(const struct gp_design *design, size_t n)
{
	struct gaussian_process *gp = calloc(1, sizeof *gp);
	size_t stride = (n + CHOLESKY_TILE - 1) / CHOLESKY_TILE * CHOLESKY_TILE;

	if (!gp)
		return NULL;
	gp->kernel.design = *design;
	gp->points.n = n;
	gp->points.stride = stride;
	gp->points.z = calloc(design->n_inputs * stride + 1, sizeof *gp->points.z);
	gp->points.factor = calloc(design->n_factors * stride + 1, sizeof *gp->points.factor);
	gp->y = calloc(n + 1, sizeof *gp->y);
	gp->noise = calloc(n + 1, sizeof *gp->noise);
	gp->weight = calloc(n + 1, sizeof *gp->weight);
	gp->alpha = calloc(stride + 1, sizeof *gp->alpha);
	gp->own = calloc(n + 1, sizeof *gp->own);
	gp->per_own = calloc(stride + 1, sizeof *gp->per_own);
	if (gp->points.z && gp->points.factor && gp->y && gp->noise && gp->weight && gp->alpha &&
	    gp->own && gp->per_own)
		return gp;
	gaussian_process_free(gp);
	return NULL;
}

void gaussian_process_free(struct gaussian_process *gp)
{
	if (!gp)
		return;
	free(gp->points.z);
	free(gp->points.factor);
	free(gp->y);
	free(gp->noise);
	free(gp->weight);
	free(gp->alpha);
	free(gp->own);
	free(gp->per_own);
	free(gp->kept);
	free(gp->factor);
	free(gp);
}

double gp_noise_variance(const struct gaussian_process *gp, size_t i)
{
	return exp(2 * gp->hyper.log_noise) * gp->noise[i] / gp->weight[i];
}

void gp_prepare(struct gaussian_process *gp)
{
	const struct gp_design design = gp->kernel.design;
	double z[GP_MAX_INPUTS], s[GP_MAX_FACTORS];

	gp_kernel_make(&design, &gp->hyper, &gp->kernel);
	for (size_t i = 0; i < gp->points.n; i++) {
		gp_points_get(&design, &gp->points, i, z, s);
		gp->own[i] =
			(1 + JITTER) * gp_prior_variance(&gp->kernel, s) + gp_noise_variance(gp, i);
		gp->per_own[i] = 1 / gp->own[i];
	}
}

/* The lower triangle of K, padded with ones on the diagonal. */
static void put_covariance(const struct gaussian_process *gp, double *out)
{
	const size_t n = gp->points.n, stride = gp->points.stride;
	double z[GP_MAX_INPUTS], s[GP_MAX_FACTORS];

	for (size_t i = 0; i < n; i++) {
		double *row = out + i * stride;

		gp_points_get(&gp->kernel.design, &gp->points, i, z, s);
		gp_covariances(&gp->kernel, &gp->points, i + 1, z, s, row);
		row[i] = gp->own[i];
	}
	for (size_t i = n; i < stride; i++) {
		memset(out + i * stride, 0, i * sizeof *out);
		out[i * stride + i] = 1;
	}
}

enum err_code gp_factorise(struct gaussian_process *gp, struct err *e)
{
	const size_t n = gp->points.n, stride = gp->points.stride;

	if (!gp->factor && !(gp->factor = calloc(stride * stride + 1, sizeof *gp->factor)))
		return err_set(e, ERR_NOMEM, "covariance of %zu points", n);
	gp_prepare(gp);
	put_covariance(gp, gp->factor);
	if (!cholesky_factor(gp->factor, stride, n))
		return err_set(e, ERR_NUMERIC, "the covariance of %zu points is singular", n);
	memset(gp->alpha, 0, stride * sizeof *gp->alpha);
	memcpy(gp->alpha, gp->y, n * sizeof *gp->y);
	cholesky_solve(gp->factor, stride, n, gp->alpha);
	return ERR_OK;
}

bool gp_inverse_diagonal(const struct gaussian_process *gp, double *out)
{
	const size_t stride = gp->points.stride;
	double *scratch = calloc(stride * CHOLESKY_TILE + 1, sizeof *scratch);

	if (scratch)
		cholesky_inverse_diagonal(gp->factor, stride, scratch, out);
	free(scratch);
	return scratch != NULL;
}

double *gp_inverse(const struct gaussian_process *gp)
{
	const size_t stride = gp->points.stride;
	double *scratch = calloc(stride * CHOLESKY_TILE + 1, sizeof *scratch);
	double *inverted = calloc(stride * stride + 1, sizeof *inverted);
	double *inverse = calloc(stride * stride + 1, sizeof *inverse);

	if (scratch && inverted && inverse) {
		cholesky_invert_factor(gp->factor, stride, scratch, inverted);
		cholesky_inverse(inverted, stride, inverse);
	} else {
		free(inverse);
		inverse = NULL;
	}
	free(inverted);
	free(scratch);
	return inverse;
}

const struct gp_design *gaussian_process_design(const struct gaussian_process *gp)
{
	return &gp->kernel.design;
}

const struct gp_hyper *gaussian_process_hyper(const struct gaussian_process *gp)
{
	return &gp->hyper;
}

size_t gaussian_process_n_kept(const struct gaussian_process *gp)
{
	return gp->points.n;
}
