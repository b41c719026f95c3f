#include "mining/numerics/linear_posterior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* p is some ten, at most a hundred: plain loops, no library. */

static enum err_code factorise(double *a, size_t p, struct err *e)
{
	for (size_t i = 0; i < p; i++) {
		for (size_t j = 0; j <= i; j++) {
			double sum = a[i * p + j];

			for (size_t k = 0; k < j; k++)
				sum -= a[i * p + k] * a[j * p + k];
			if (i != j)
				a[i * p + j] = sum / a[j * p + j];
			else if (sum > 0)
				a[i * p + i] = sqrt(sum);
			else
				return err_set(e, ERR_NUMERIC,
					       "covariance of %zu coefficients is singular", p);
		}
		for (size_t j = i + 1; j < p; j++)
			a[i * p + j] = 0;
	}
	return ERR_OK;
}

enum err_code linear_posterior_factor(const double *f, const double *weight, size_t n, size_t p,
				      const double *prior_sd, double noise_sd, double *factor,
				      struct err *e)
{
	const double precision = 1 / (noise_sd * noise_sd);

	memset(factor, 0, p * p * sizeof *factor);
	for (size_t i = 0; i < n; i++) {
		const double *row = f + i * p;
		const double w = weight ? weight[i] * precision : precision;

		for (size_t j = 0; j < p; j++) {
			for (size_t k = 0; row[j] != 0 && k <= j; k++)
				factor[j * p + k] += w * row[j] * row[k];
		}
	}
	for (size_t j = 0; j < p; j++)
		factor[j * p + j] += 1 / (prior_sd[j] * prior_sd[j]);
	return factorise(factor, p, e);
}

/* x = L^-1 x */
static void solve_lower(const double *factor, size_t p, double *x)
{
	for (size_t i = 0; i < p; i++) {
		for (size_t k = 0; k < i; k++)
			x[i] -= factor[i * p + k] * x[k];
		x[i] /= factor[i * p + i];
	}
}

double linear_posterior_sd(const double *factor, size_t p, const double *u, double *work)
{
	double sum = 0;

	memcpy(work, u, p * sizeof *work);
	solve_lower(factor, p, work);
	for (size_t i = 0; i < p; i++)
		sum += work[i] * work[i];
	return sqrt(sum);
}

/* log of the density of y, but for a constant: of N(F prior_mean, W^-1 noise_sd^2 + F P0 F'), by
 * the factor of A (the matrix determinant lemma and Woodbury's identity). b[p] is scratch. */
static double log_evidence(const double *factor, const double *f, const double *weight,
			   const double *y, size_t n, size_t p, const double *prior_mean,
			   const double *prior_sd, double noise_sd, double *b)
{
	const double precision = 1 / (noise_sd * noise_sd);
	double square = 0, log_det = 2 * (double)n * log(noise_sd);

	memset(b, 0, p * sizeof *b);
	for (size_t i = 0; i < n; i++) {
		const double w = (weight ? weight[i] : 1) * precision;
		double r = y[i];

		for (size_t j = 0; j < p; j++)
			r -= f[i * p + j] * prior_mean[j];
		for (size_t j = 0; j < p; j++)
			b[j] += w * f[i * p + j] * r;
		square += w * r * r;
	}
	solve_lower(factor, p, b);
	for (size_t j = 0; j < p; j++) {
		square -= b[j] * b[j];
		log_det += 2 * log(factor[j * p + j]) + 2 * log(prior_sd[j]);
	}
	return -0.5 * (square + log_det);
}

enum { NOISE_NODES = 7 };
#define LEAST_NOISE 0.003
#define MOST_NOISE 0.4
#define PRIOR_NOISE 0.03

static double noise_node(int k)
{
	return LEAST_NOISE * pow(MOST_NOISE / LEAST_NOISE, (double)k / (NOISE_NODES - 1));
}

enum err_code linear_posterior_noise(const double *f, const double *weight, const double *y,
				     size_t n, size_t p, const double *prior_mean,
				     const double *prior_sd, double *noise_sd, struct err *e)
{
	double *factor = calloc(p * p + 1, sizeof *factor), *b = calloc(p + 1, sizeof *b);
	double log_weight[NOISE_NODES], most = -INFINITY, sum = 0, squares = 0;
	enum err_code rc = ERR_OK;

	if (!factor || !b)
		rc = err_set(e, ERR_NOMEM, "noise of %zu observations", n);
	for (int k = 0; k < NOISE_NODES && !rc; k++) {
		const double sigma = noise_node(k);
		const double from_prior = log(sigma / PRIOR_NOISE);

		if ((rc = linear_posterior_factor(f, weight, n, p, prior_sd, sigma, factor, e)))
			break;
		log_weight[k] =
			log_evidence(factor, f, weight, y, n, p, prior_mean, prior_sd, sigma, b) -
			0.5 * from_prior * from_prior;
		most = fmax(most, log_weight[k]);
	}
	for (int k = 0; k < NOISE_NODES && !rc; k++) {
		const double sigma = noise_node(k);
		const double w = exp(log_weight[k] - most);

		sum += w;
		squares += w * sigma * sigma;
	}
	if (!rc)
		*noise_sd = sqrt(squares / sum);
	free(factor);
	free(b);
	return rc;
}

enum err_code triangle_store(const char *prefix, const double *a, size_t p, struct kb_fit *fit,
			     struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0, k = 0; i < p && !rc; i++) {
		for (size_t j = 0; j <= i && !rc; j++) {
			char name[64];

			snprintf(name, sizeof name, "%s%zu", prefix, k++);
			rc = kb_fit_add(fit, name, a[i * p + j], NAN, "", "factor, row by row", e);
		}
	}
	return rc;
}

/* The place of number k of the triangle. */
static size_t place(size_t k, size_t p)
{
	size_t i = 0;

	while ((i + 1) * (i + 2) / 2 <= k)
		i++;
	return i * p + k - i * (i + 1) / 2;
}

bool triangle_load(const struct kb_fit *fit, const char *prefix, double *a, size_t p)
{
	const size_t length = strlen(prefix), n = p * (p + 1) / 2;
	size_t n_found = 0;

	for (size_t i = 0; i < fit->n_param; i++) {
		const struct kb_param *q = &fit->param[i];
		char *end;
		unsigned long k;

		if (strncmp(q->name, prefix, length) || q->name[length] < '0' ||
		    q->name[length] > '9')
			continue;
		k = strtoul(q->name + length, &end, 10);
		if (*end || k >= n || !isfinite(q->value))
			return false;
		a[place(k, p)] = q->value;
		n_found++;
	}
	for (size_t i = 0; i < p; i++) {
		if (!(a[i * p + i] > 0))
			return false;
	}
	return n_found == n;
}
