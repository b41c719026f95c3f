#include "tests/support/check.h"

#include <gsl/gsl_linalg.h>

#include "mining/numerics/linear_posterior.h"
#include "tests/support/uniform.h"
#include "tests/support/mining_set_up.h"

/* The mean of b for observations y[n]: prior_mean + A^-1 F' W (y - F prior_mean) / noise_sd^2. */
static void posterior_mean(const double *factor, const double *f, const double *weight,
			   const double *y, size_t n, size_t p, const double *prior_mean,
			   double noise_sd, double *mean)
{
	memset(mean, 0, p * sizeof *mean);
	for (size_t i = 0; i < n; i++) {
		double r = y[i];

		for (size_t j = 0; j < p; j++)
			r -= f[i * p + j] * prior_mean[j];
		for (size_t j = 0; j < p; j++)
			mean[j] +=
				(weight ? weight[i] : 1) * f[i * p + j] * r / (noise_sd * noise_sd);
	}
	for (size_t i = 0; i < p; i++) {
		for (size_t k = 0; k < i; k++)
			mean[i] -= factor[i * p + k] * mean[k];
		mean[i] /= factor[i * p + i];
	}
	for (size_t i = p; i-- > 0;) {
		for (size_t k = i + 1; k < p; k++)
			mean[i] -= factor[k * p + i] * mean[k];
		mean[i] /= factor[i * p + i];
	}
	for (size_t j = 0; j < p; j++)
		mean[j] += prior_mean[j];
}

/* One coefficient seen through x = 1 and 2 with noise 0.5, prior sd 2: the precision is
 * 1/4 + (1 + 4) / 0.25 = 20.25, so that the mean at u = 3 is off by 3 / 4.5. For y = 1, 3 about a
 * prior mean of 0 the mean is (1 + 6) / 0.25 / 20.25. */
TEST(one_coefficient_by_hand)
{
	const double x[] = {1, 2}, y[] = {1, 3}, sd[] = {2}, u[] = {3}, zero[] = {0};
	double factor[1], work[1], mean[1];

	must(linear_posterior_factor(x, NULL, 2, 1, sd, 0.5, factor, &err));
	check_rel(linear_posterior_sd(factor, 1, u, work), 3 / 4.5, 1e-14);
	posterior_mean(factor, x, NULL, y, 2, 1, zero, 0.5, mean);
	check_rel(mean[0], 28 / 20.25, 1e-14);
}

enum { N = 9, P = 4 };

static void put_data(double f[N * P], double w[N], double y[N])
{
	uint64_t seed = 11;

	for (size_t i = 0; i < N; i++) {
		f[i * P] = 1;
		for (size_t j = 1; j < P; j++)
			f[i * P + j] = uniform_draw(&seed, -2, 2);
		w[i] = uniform_draw(&seed, 0.3, 1);
		y[i] = uniform_draw(&seed, -3, 3);
	}
}

/* The same law from the side of the observations: y is normal about F b0 with covariance
 * S = noise^2 W^-1 + F P0 F', and u'b given y has mean u'b0 + u'P0F' S^-1 (y - F b0) and variance
 * u'P0u - u'P0F' S^-1 F P0 u (Woodbury's identity). GSL solves the N x N systems. */
TEST(it_agrees_with_the_covariance_of_the_observations)
{
	static const double sd[P] = {5, 1, 0.5, 0.15}, b0[P] = {0, 1.5, -0.7, 0},
			    u[P] = {1, 3, -2, 4};
	const double noise = 0.3;
	double f[N * P], w[N], y[N], factor[P * P], work[P], b[P], mean = 0, got = 0, prior = 0;
	double explained = 0;
	gsl_matrix *s = gsl_matrix_alloc(N, N);
	gsl_vector *c = gsl_vector_alloc(N), *x = gsl_vector_alloc(N);

	put_data(f, w, y);
	for (size_t i = 0; i < N; i++) {
		double at = 0;

		for (size_t k = 0; k < N; k++) {
			double v = i == k ? noise * noise / w[i] : 0;

			for (size_t j = 0; j < P; j++)
				v += f[i * P + j] * sd[j] * sd[j] * f[k * P + j];
			gsl_matrix_set(s, i, k, v);
		}
		for (size_t j = 0; j < P; j++)
			at += u[j] * sd[j] * sd[j] * f[i * P + j];
		gsl_vector_set(c, i, at);
	}
	gsl_linalg_cholesky_decomp1(s);
	gsl_linalg_cholesky_solve(s, c, x);
	for (size_t j = 0; j < P; j++) {
		prior += u[j] * u[j] * sd[j] * sd[j];
		mean += u[j] * b0[j];
	}
	for (size_t i = 0; i < N; i++) {
		double r = y[i];

		for (size_t j = 0; j < P; j++)
			r -= f[i * P + j] * b0[j];
		explained += gsl_vector_get(c, i) * gsl_vector_get(x, i);
		mean += gsl_vector_get(x, i) * r;
	}
	must(linear_posterior_factor(f, w, N, P, sd, noise, factor, &err));
	check_rel(linear_posterior_sd(factor, P, u, work), sqrt(prior - explained), 1e-10);
	posterior_mean(factor, f, w, y, N, P, b0, noise, b);
	for (size_t j = 0; j < P; j++)
		got += u[j] * b[j];
	check_rel(got, mean, 1e-10);
	gsl_matrix_free(s);
	gsl_vector_free(c);
	gsl_vector_free(x);
}

/* Two columns that only move together: their sum is known, their difference keeps its prior, of
 * variance 1 + 4 along (1, -1) less what the sum tells of it: the difference and the sum of priors
 * 1 and 4 have covariance 1 - 4 = -3, so 5 - 9 / 5 = 3.2 is left. */
TEST(a_direction_without_data_keeps_its_prior)
{
	double f[2 * 100], factor[4], work[2];
	const double sd[] = {1, 2}, apart[] = {1, -1}, together[] = {1, 1};

	for (size_t i = 0; i < 100; i++)
		f[2 * i] = f[2 * i + 1] = (double)i - 49.5;
	must(linear_posterior_factor(f, NULL, 100, 2, sd, 0.05, factor, &err));
	check_rel(linear_posterior_sd(factor, 2, apart, work), sqrt(3.2), 1e-6);
	assert_true(linear_posterior_sd(factor, 2, together, work) < 1e-3);
	must(linear_posterior_factor(NULL, NULL, 0, 2, sd, 0.05, factor, &err));
	check_rel(linear_posterior_sd(factor, 2, apart, work), sqrt(5), 1e-14);
}

TEST(numbers_that_are_none_are_refused)
{
	const double f[] = {NAN}, sd[] = {1};
	double factor[1], noise = 77;

	assert_int_equal(linear_posterior_factor(f, NULL, 1, 1, sd, 0.05, factor, &err),
			 ERR_NUMERIC);
	assert_int_equal(linear_posterior_noise(f, NULL, sd, 1, 1, sd, sd, &noise, &err),
			 ERR_NUMERIC);
	check_abs(noise, 77, 0);
}

/* Many observations tell their noise, whatever the prior: here it alternates by +-0.1. Of as few as
 * there are coefficients only the prior speaks, whose mean of sigma^2 is that of 7 nodes. */
TEST(noise_is_told_by_many_and_guessed_of_few)
{
	enum { MANY = 200 };
	static const double mean[] = {0, 0}, sd[] = {5, 1};
	double f[MANY * 2], y[MANY], noise, sum = 0, squares = 0;

	for (int i = 0; i < MANY; i++) {
		f[2 * i] = 1;
		f[2 * i + 1] = (i - (MANY - 1) / 2.0) / MANY;
		y[i] = 2 + 0.5 * f[2 * i + 1] + (i % 2 ? 0.1 : -0.1);
	}
	must(linear_posterior_noise(f, NULL, y, MANY, 2, mean, sd, &noise, &err));
	assert_true(noise > 0.07 && noise < 0.14); /* nodes are a factor of 2.3 apart */
	for (int k = 0; k < 7; k++) {
		const double sigma = 0.003 * pow(0.4 / 0.003, k / 6.0);
		const double u = log(sigma / 0.03), w = exp(-0.5 * u * u);

		sum += w;
		squares += w * sigma * sigma;
	}
	must(linear_posterior_noise(f, NULL, y, 0, 2, mean, sd, &noise, &err));
	check_rel(noise, sqrt(squares / sum), 1e-12);
}

/* log of the density of r ~ N(0, F P0 F' + sigma^2 / w), but for a constant, by Gauss. */
static double log_density(const double f[4][2], const double *w, const double *r, const double *sd,
			  double sigma)
{
	double k[4][5], log_p = 0;

	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++)
			k[i][j] = f[i][0] * f[j][0] * sd[0] * sd[0] +
				  f[i][1] * f[j][1] * sd[1] * sd[1] +
				  (i == j ? sigma * sigma / w[i] : 0);
		k[i][4] = r[i];
	}
	for (int i = 0; i < 4; i++) {
		for (int j = i + 1; j < 4; j++) {
			const double by = k[j][i] / k[i][i];

			for (int c = i; c < 5; c++)
				k[j][c] -= by * k[i][c];
		}
		log_p -= 0.5 * (k[i][4] * k[i][4] / k[i][i] + log(k[i][i]));
	}
	return log_p;
}

TEST(evidence_of_several_observations_by_covariances)
{
	static const double f[4][2] = {{1, -2}, {1, 0.5}, {1, 1}, {1, 3}}, w[] = {1, 0.5, 1, 0.2},
			    y[] = {-1.9, 0.7, 1.15, 3.2}, mean[] = {0.1, 0.9}, sd[] = {0.3, 0.4};
	double r[4], noise, sum = 0, squares = 0;

	for (int i = 0; i < 4; i++)
		r[i] = y[i] - mean[0] - f[i][1] * mean[1];
	for (int k = 0; k < 7; k++) {
		const double sigma = 0.003 * pow(0.4 / 0.003, k / 6.0);
		const double weight =
			exp(log_density(f, w, r, sd, sigma) - 0.5 * pow(log(sigma / 0.03), 2));

		sum += weight;
		squares += weight * sigma * sigma;
	}
	must(linear_posterior_noise(&f[0][0], w, y, 4, 2, mean, sd, &noise, &err));
	check_rel(noise, sqrt(squares / sum), 1e-9);
}

/* By the density of y itself, of one observation: N(y; 0, sigma^2 + 0.04). */
TEST(evidence_of_one_observation_by_hand)
{
	static const double f[] = {1}, y[] = {0.3}, mean[] = {0}, sd[] = {0.2};
	double noise, sum = 0, squares = 0;

	for (int k = 0; k < 7; k++) {
		const double sigma = 0.003 * pow(0.4 / 0.003, k / 6.0);
		const double u = log(sigma / 0.03), v = sigma * sigma + sd[0] * sd[0];
		const double w = exp(-0.5 * u * u - 0.5 * y[0] * y[0] / v) / sqrt(v);

		sum += w;
		squares += w * sigma * sigma;
	}
	must(linear_posterior_noise(f, NULL, y, 1, 1, mean, sd, &noise, &err));
	check_rel(noise, sqrt(squares / sum), 1e-9);
}

TEST_GROUP(mining_set_up, NULL)
