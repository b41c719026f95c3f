#include "tests/support/failing_allocations.h"
#include "tests/support/check.h"

#include "mining/numerics/posterior_samples.h"
#include "tests/support/mining_set_up.h"

/* Means over 4096 draws in 2048 pairs: three standard errors of a variance, sqrt(2 / 2048). */
#define DRAWN 0.1

TEST(outcomes_stand_for_equal_shares_at_variance_one)
{
	double z[64], sum = 0;

	posterior_samples_outcomes(z, 1);
	check_abs(z[0], 0, 0);
	posterior_samples_outcomes(z, 2); /* the quartiles, scaled */
	check_rel(z[0], -1.0, 1e-12);
	check_rel(z[1], 1.0, 1e-12);
	posterior_samples_outcomes(z, 3); /* -0.9674, 0, 0.9674, scaled by sqrt(3 / 2) / 0.9674 */
	check_rel(z[0], -sqrt(1.5), 1e-12);
	check_abs(z[1], 0, 1e-12);
	posterior_samples_outcomes(z, 64);
	for (int q = 0; q < 64; q++) {
		sum += z[q] * z[q];
		check_rel(z[q], -z[63 - q], 1e-9);
		assert_true(q == 0 || z[q] > z[q - 1]);
	}
	check_rel(sum, 64.0, 1e-12);
}

static double mean_product(const double *a, const double *b, size_t stride)
{
	double sum = 0;

	for (size_t m = 0; m < POSTERIOR_DRAWS; m++)
		sum += a[m * stride] * b[m * stride];
	return sum / POSTERIOR_DRAWS;
}

TEST(draws_have_the_covariance_and_come_in_pairs)
{
	static const double sd[] = {0.1, 0.2, 0}, correlation[] = {1, 0.6, 0, 0.6, 1, 0, 0, 0, 1};
	RELEASED(posterior_samples) d;

	must(posterior_samples_init(&d, sd, correlation, 3, &err));
	assert_int_equal(d.n_paths, 1);
	check_rel(d.covariance[1], 0.1 * 0.2 * 0.6, 1e-15);
	check_rel(mean_product(d.left, d.left, 3), 0.01, DRAWN);
	check_rel(mean_product(d.left + 1, d.left + 1, 3), 0.04, DRAWN);
	check_rel(mean_product(d.left, d.left + 1, 3), 0.012, DRAWN);
	check_rel(mean_product(d.noise, d.noise, 1), 1.0, DRAWN);
	for (size_t m = 0; m < POSTERIOR_DRAWS; m += 2) {
		for (size_t i = 0; i < 3; i++)
			check_abs(d.left[m * 3 + i] + d.left[(m + 1) * 3 + i], 0, 0);
		check_abs(d.left[m * 3 + 2], 0, 0);
		check_abs(d.noise[m] + d.noise[m + 1], 0, 0);
	}
	for (size_t i = 0; i < 3; i++)
		check_abs(d.shown[i], 0, 0);
}

/* The same doubt at two places: one number is drawn for both, so none of the matrix is left. */
TEST(what_is_surely_alike_is_drawn_alike)
{
	static const double sd[] = {0.1, 0.3}, correlation[] = {1, 1, 1, 1};
	RELEASED(posterior_samples) d;

	must(posterior_samples_init(&d, sd, correlation, 2, &err));
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++)
		check_abs(d.left[2 * m + 1], 3 * d.left[2 * m], 1e-9);
}

/* The second doubt is 0.6 of the first and 0.8 of the third, which are independent, the fourth 0.4
 * of the third less 0.2 of the first: so is every draw. A run of the first without noise leaves
 * nothing of it, and of all others what they have of the third. */
TEST(posterior_samples_that_are_sums_of_others_are_drawn_as_sums)
{
	static const double in_terms_of[4][2] = {{1, 0}, {0.6, 0.8}, {0, 1}, {-0.2, 0.4}};
	static const double sd[] = {1, 1, 1, 1};
	double covariance[16];
	RELEASED(posterior_samples) d;

	for (size_t i = 0; i < 16; i++)
		covariance[i] = in_terms_of[i / 4][0] * in_terms_of[i % 4][0] +
				in_terms_of[i / 4][1] * in_terms_of[i % 4][1];
	must(posterior_samples_init(&d, sd, covariance, 4, &err));
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++) {
		const double *x = d.left + 4 * m;

		check_abs(x[1], 0.6 * x[0] + 0.8 * x[2], 1e-9);
		check_abs(x[3], 0.4 * x[2] - 0.2 * x[0], 1e-9);
	}
	check_rel(mean_product(d.left, d.left, 4), 1.0, DRAWN);
	check_rel(mean_product(d.left + 2, d.left + 2, 4), 1.0, DRAWN);
	must(posterior_samples_condition_on(&d, 0, 0, &err));
	for (size_t i = 0; i < 16; i++)
		check_abs(d.covariance[i], in_terms_of[i / 4][1] * in_terms_of[i % 4][1], 1e-12);
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++) {
		check_abs(d.left[4 * m], 0, 1e-12);
		check_abs(d.left[4 * m + 1], 0.8 * d.left[4 * m + 2], 1e-9);
		check_abs(d.left[4 * m + 3], 0.4 * d.left[4 * m + 2], 1e-9);
	}
}

/* Variance 0.09 and noise 0.16 make 0.25: gain 0.09 / 0.5 here, 0.5 * 0.3 * 0.1 / 0.5 there; the
 * outcome is (doubt + 0.4 noise) / 0.5. */
TEST(a_run_to_come_is_told_in_its_standard_deviations)
{
	static const double sd[] = {0.3, 0.1}, correlation[] = {1, 0.5, 0.5, 1};
	double gain[2], outcome[POSTERIOR_DRAWS];
	RELEASED(posterior_samples) d;

	must(posterior_samples_init(&d, sd, correlation, 2, &err));
	preposterior_outcome(&d, 0, 0.4, gain, outcome, POSTERIOR_DRAWS);
	check_rel(gain[0], 0.18, 1e-12);
	check_rel(gain[1], 0.03, 1e-12);
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++)
		check_abs(outcome[m], 2 * (d.left[2 * m] + 0.4 * d.noise[m]), 1e-12);
}

/* Noise of the next run has nothing to do with that of the last, nor with what is left; predictions
 * have moved by the gain in standard deviations, on paths that stand for all outcomes. */
TEST(after_a_run_paths_have_moved_and_noise_is_new)
{
	static const double sd[] = {0.3, 0.1}, correlation[] = {1, 0.5, 0.5, 1};
	double old[POSTERIOR_DRAWS], z[POSTERIOR_PATHS], sum = 0, squares = 0;
	RELEASED(posterior_samples) d;

	must(posterior_samples_init(&d, sd, correlation, 2, &err));
	for (size_t m = 0; m < POSTERIOR_DRAWS; m++)
		old[m] = d.noise[m];
	must(posterior_samples_condition_on(&d, 0, 0.4, &err));
	check_rel(mean_product(d.noise, d.noise, 1), 1.0, DRAWN);
	check_abs(mean_product(d.noise, old, 1), 0, DRAWN);
	check_rel(mean_product(d.left, d.left, 2), 0.09 * 0.16 / 0.25, DRAWN);
	assert_int_equal(d.n_paths, POSTERIOR_PATHS);
	posterior_samples_outcomes(z, POSTERIOR_PATHS);
	for (size_t path = 0; path < POSTERIOR_PATHS; path++) {
		double moved = d.shown[2 * path] / 0.18, nearest = INFINITY;

		for (size_t q = 0; q < POSTERIOR_PATHS; q++)
			nearest = fmin(nearest, fabs(moved - z[q]));
		check_abs(nearest, 0, 1e-12);
		check_abs(d.shown[2 * path + 1], 0.03 * moved, 1e-12);
		sum += moved;
		squares += moved * moved;
	}
	check_abs(sum, 0, 1e-9); /* each outcome once */
	check_rel(squares, (double)POSTERIOR_PATHS, 1e-9);
}

TEST(no_doubts_without_memory)
{
	static const double sd[] = {0.3, 0.1}, correlation[] = {1, 0.5, 0.5, 1};
	RELEASED(posterior_samples) d;

	failing_each_allocation (posterior_samples_init(&d, sd, correlation, 2, &err), &err)
		assert_null(d.left);
	failing_each_allocation (posterior_samples_condition_on(&d, 0, 0.4, &err), &err)
		assert_int_equal(d.n_paths, 1);
}

TEST_GROUP(mining_set_up, NULL)
