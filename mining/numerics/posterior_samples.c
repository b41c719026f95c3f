#include "mining/numerics/posterior_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { SEED = 1 };

/* Less than this share of a variance is rounding: two places of correlation 1 leave no more. */
static const double least_pivot = 1e-12;

/* a = L L' of a positive semi-definite matrix, in its lower triangle. Doubt that others explain
 * wholly gets a column of zeros. */
static void factor(double *a, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		double least = least_pivot * a[j * n + j], pivot;

		for (size_t k = 0; k < j; k++)
			a[j * n + j] -= a[j * n + k] * a[j * n + k];
		pivot = a[j * n + j] > least ? sqrt(a[j * n + j]) : 0;
		a[j * n + j] = pivot;
		for (size_t i = j + 1; i < n; i++) {
			for (size_t k = 0; k < j; k++)
				a[i * n + j] -= a[i * n + k] * a[j * n + k];
			a[i * n + j] = pivot > 0 ? a[i * n + j] / pivot : 0;
		}
	}
}

static void draw_noise(struct posterior_samples *d)
{
	for (size_t m = 0; m < POSTERIOR_DRAWS; m += 2) {
		d->noise[m] = gsl_ran_ugaussian(d->random);
		d->noise[m + 1] = -d->noise[m];
	}
}

static void draw_samples(struct posterior_samples *d, const double *root, double *unit)
{
	for (size_t m = 0; m < POSTERIOR_DRAWS; m += 2) {
		double *one = d->left + m * d->n, *other = one + d->n;

		for (size_t k = 0; k < d->n; k++)
			unit[k] = gsl_ran_ugaussian(d->random);
		for (size_t i = 0; i < d->n; i++) {
			for (size_t k = 0; k <= i; k++)
				one[i] += root[i * d->n + k] * unit[k];
			other[i] = -one[i];
		}
	}
}

static enum err_code allocate(struct posterior_samples *d, struct err *e)
{
	d->covariance = calloc(d->n * d->n + 1, sizeof *d->covariance);
	d->left = calloc(POSTERIOR_DRAWS * d->n + 1, sizeof *d->left);
	d->noise = calloc(POSTERIOR_DRAWS, sizeof *d->noise);
	d->shown = calloc(POSTERIOR_PATHS * d->n + 1, sizeof *d->shown);
	d->random = gsl_rng_alloc(gsl_rng_mt19937);
	if (!d->covariance || !d->left || !d->noise || !d->shown || !d->random)
		return err_set(e, ERR_NOMEM, "what is not known about %zu configurations", d->n);
	gsl_rng_set(d->random, SEED);
	return ERR_OK;
}

static enum err_code draw(struct posterior_samples *d, struct err *e)
{
	size_t n = d->n;
	double *root = calloc(n * n + 1, sizeof *root), *unit = calloc(n + 1, sizeof *unit);

	if (!root || !unit) {
		free(root);
		free(unit);
		return err_set(e, ERR_NOMEM, "draws for %zu configurations", n);
	}
	memcpy(root, d->covariance, n * n * sizeof *root);
	factor(root, n);
	draw_samples(d, root, unit);
	draw_noise(d);
	free(root);
	free(unit);
	return ERR_OK;
}

enum err_code posterior_samples_init(struct posterior_samples *d, const double *sd,
				     const double *correlation, size_t n, struct err *e)
{
	enum err_code rc;

	*d = (struct posterior_samples){.n = n, .n_paths = 1};
	if ((rc = allocate(d, e)))
		goto done;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			d->covariance[i * n + j] = sd[i] * sd[j] * correlation[i * n + j];
	}
	rc = draw(d, e);
done:
	if (rc)
		posterior_samples_release(d);
	return rc;
}

void posterior_samples_release(struct posterior_samples *d)
{
	free(d->covariance);
	free(d->left);
	free(d->noise);
	free(d->shown);
	gsl_rng_free(d->random);
	*d = (struct posterior_samples){0};
}

void preposterior_outcome(const struct posterior_samples *d, size_t r, double noise_sd,
			  double *gain, double *outcome, size_t n_draws)
{
	double variance = fmax(d->covariance[r * d->n + r], 0) + noise_sd * noise_sd;
	double scale = variance > 0 ? 1 / sqrt(variance) : 0;

	for (size_t i = 0; i < d->n; i++)
		gain[i] = d->covariance[i * d->n + r] * scale;
	for (size_t m = 0; m < n_draws; m++)
		outcome[m] = (d->left[m * d->n + r] + noise_sd * d->noise[m]) * scale;
}

void posterior_samples_outcomes(double *z, size_t n)
{
	double sum_squares = 0;

	for (size_t q = 0; q < n; q++) {
		z[q] = gsl_cdf_ugaussian_Pinv(((double)q + 0.5) / (double)n);
		sum_squares += z[q] * z[q];
	}
	for (size_t q = 0; q < n && sum_squares > 0; q++)
		z[q] *= sqrt((double)n / sum_squares);
}

/* Paths take the outcomes of each run in an order of its own: a Latin hypercube (McKay, Beckman and
 * Conover, Technometrics 21(2), 1979). */
static void show(struct posterior_samples *d, const double *gain)
{
	double z[POSTERIOR_PATHS];

	posterior_samples_outcomes(z, POSTERIOR_PATHS);
	gsl_ran_shuffle(d->random, z, POSTERIOR_PATHS, sizeof *z);
	d->n_paths = POSTERIOR_PATHS;
	for (size_t path = 0; path < POSTERIOR_PATHS; path++) {
		for (size_t i = 0; i < d->n; i++)
			d->shown[path * d->n + i] += z[path] * gain[i];
	}
}

static void settle(struct posterior_samples *d, const double *gain, const double *outcome)
{
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++) {
		for (size_t i = 0; i < d->n; i++)
			d->left[m * d->n + i] -= gain[i] * outcome[m];
	}
	for (size_t i = 0; i < d->n; i++) {
		for (size_t j = 0; j < d->n; j++)
			d->covariance[i * d->n + j] -= gain[i] * gain[j];
	}
}

enum err_code posterior_samples_condition_on(struct posterior_samples *d, size_t r, double noise_sd,
					     struct err *e)
{
	double *gain = calloc(d->n, sizeof *gain);
	double *outcome = calloc(POSTERIOR_DRAWS, sizeof *outcome);
	enum err_code rc = ERR_OK;

	if (gain && outcome) {
		preposterior_outcome(d, r, noise_sd, gain, outcome, POSTERIOR_DRAWS);
		show(d, gain);
		settle(d, gain, outcome);
		draw_noise(d);
	} else {
		rc = err_set(e, ERR_NOMEM, "a run to come");
	}
	free(gain);
	free(outcome);
	return rc;
}
