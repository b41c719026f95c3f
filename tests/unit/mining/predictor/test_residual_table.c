#include "tests/support/check.h"

#include "mining/predictor/time_limits.h"
#include "mining/predictor/residual_table.h"

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0;
}

/* Ranks by hand: n = 4, so prob 0.2, 0.4, 0.6, 0.8 are the four residuals themselves. */
TEST(quantiles_are_order_statistics)
{
	double r[] = {0.3, -0.1, 0.1, 0.0};
	struct residual_table t;

	residual_table_make(r, 4, 1, &t);
	check_abs(residual_table_quantile(&t, 0.2), -0.1, 1e-15);
	check_abs(residual_table_quantile(&t, 0.4), 0.0, 1e-15);
	check_abs(residual_table_quantile(&t, 0.6), 0.1, 1e-15);
	check_abs(residual_table_quantile(&t, 0.8), 0.3, 1e-15);
	check_abs(residual_table_quantile(&t, 0.7), 0.2, 1e-15);
	/* rank 4.5, half a rank beyond the last: half of a quarter of the range 0.4 further */
	check_abs(residual_table_quantile(&t, 0.9), 0.35, 1e-15);
	check_abs(residual_table_quantile(&t, 0.1), -0.15, 1e-15);
}

TEST(cdf_undoes_the_quantile)
{
	uint64_t seed = 5;
	struct residual_table t;

	for (size_t n = 2; n < 1000; n = n * 2 + 1) {
		HEAP double *r = calloc(n, sizeof *r);

		for (size_t i = 0; i < n; i++)
			r[i] = uniform(&seed) - 0.3;
		residual_table_make(r, n, 1.5, &t);
		for (double prob = 0.05; prob < 0.96; prob += 0.05) {
			double floor_p = 1 / (2.0 * (double)n + 2);
			double got = residual_table_cdf(&t, residual_table_quantile(&t, prob));

			check_abs(got, fmin(fmax(prob, floor_p), 1 - floor_p), 1e-9);
		}
	}
}

TEST(no_deadline_is_ever_certain)
{
	double r[] = {-0.1, 0.0, 0.1};
	struct residual_table t;

	residual_table_make(r, 3, 1, &t);
	check_abs(residual_table_cdf(&t, 100), 1 - 1 / 8.0, 1e-15);
	check_abs(residual_table_cdf(&t, -100), 1 / 8.0, 1e-15);
	check_abs(residual_table_max_confidence(&t), residual_table_cdf(&t, INFINITY), 0);
}

TEST(one_residual_and_ties_are_usable)
{
	double one[] = {0.2}, same[] = {0.1, 0.1, 0.1, 0.1, 0.1};
	struct residual_table t;

	residual_table_make(one, 1, 1, &t);
	check_abs(residual_table_quantile(&t, 0.5), 0.2, 1e-15);
	assert_true(residual_table_cdf(&t, 0.3) > 0.5);
	assert_true(residual_table_cdf(&t, 0.1) < 0.5);
	residual_table_make(same, 5, 1, &t);
	check_abs(residual_table_quantile(&t, 0.01), 0.1, 1e-15);
	check_abs(residual_table_quantile(&t, 0.99), 0.1, 1e-15);
	assert_true(residual_table_cdf(&t, 0.11) > 0.8);
	assert_true(residual_table_cdf(&t, 0.09) < 0.2);
}

TEST(widening_stretches_every_quantile)
{
	double r[] = {-0.2, -0.1, 0.1, 0.4};
	struct residual_table t;

	residual_table_make(r, 4, 2, &t);
	check_abs(residual_table_quantile(&t, 0.8), 0.8, 1e-15);
	check_abs(residual_table_quantile(&t, 0.2), -0.4, 1e-15);
}

/* Split conformal: for exchangeable residuals P(next <= quantile(0.9)) is at least 0.9 in the mean
 * over tables. 4000 tables: the standard error is at most sqrt(0.09 / 4000) = 0.0047; four of
 * them. Residuals are lopsided on purpose. */
TEST(next_residual_is_covered_as_promised)
{
	uint64_t seed = 11;

	for (size_t n = 20; n <= 500; n *= 5) {
		size_t hits = 0;
		const size_t n_tables = 4000;

		for (size_t k = 0; k < n_tables; k++) {
			double r[500];
			struct residual_table t;

			for (size_t i = 0; i < n; i++)
				r[i] = pow(uniform(&seed), 6);
			residual_table_make(r, n, 1, &t);
			hits += pow(uniform(&seed), 6) <= residual_table_quantile(&t, 0.9);
		}
		check_abs((double)hits / (double)n_tables, 0.9, 4 * 0.0047);
	}
}

/* Ranks by hand, as above: of each of the four quantiles the one further from the middle. */
TEST(covering_takes_the_wider_of_each_quantile)
{
	double r[] = {-0.1, 0.0, 0.1, 0.3}, other[] = {-0.2, -0.05, 0.05, 0.2};
	struct residual_table t, with;

	residual_table_make(r, 4, 1, &t);
	residual_table_make(other, 4, 1, &with);
	residual_table_cover(&t, &with);
	check_abs(residual_table_quantile(&t, 0.2), -0.2, 1e-15);
	check_abs(residual_table_quantile(&t, 0.4), -0.05, 1e-15);
	check_abs(residual_table_quantile(&t, 0.6), 0.1, 1e-15);
	check_abs(residual_table_quantile(&t, 0.8), 0.3, 1e-15);
}

TEST(few_that_agree_count_as_noise)
{
	double same[] = {0, 0, 0, 0, 0}, wide[] = {-3, -2, 0, 2, 3};
	struct residual_table t;

	residual_table_make(same, 5, 1, &t);
	residual_table_cover_normal(&t, 0.1);
	check_abs(residual_table_quantile(&t, 0.95), 0.164485, 1e-5);
	check_abs(residual_table_quantile(&t, 0.05), -0.164485, 1e-5);
	check_abs(residual_table_quantile(&t, 0.5), 0, 1e-12);
	/* no surer than five residuals */
	check_abs(residual_table_max_confidence(&t), 1 - 1 / 12.0, 1e-12);
	residual_table_make(wide, 5, 1, &t);
	residual_table_cover_normal(&t, 0.1);
	check_abs(residual_table_quantile(&t, 5 / 6.0), 3, 1e-12);
	check_abs(t.widened, 1, 0);
}

/* ---- samples with bounds ---- */

/* By hand: each of the four is worth 1/4. What the bound 2 is worth goes to 3 and 4, an eighth
 * each: P(1) = 1/4, P(3) = P(4) = 3/8, which is also Kaplan and Meier's 3/4 * 1/2. Sampled at 1/8,
 * 3/8, 5/8 and 7/8. */
TEST(a_bound_is_shared_by_all_larger_numbers)
{
	static const double want[] = {1, 3, 4, 4};
	struct at_least x[] = {{4, false}, {2, true}, {1, false}, {3, false}};
	double got[4];

	censored_sample(x, 4, got);
	for (int i = 0; i < 4; i++)
		check_abs(got[i], want[i], 0);
}

TEST(without_bounds_the_sample_is_the_data)
{
	static const double want[] = {-1, 0, 0, 2, 7};
	struct at_least x[] = {{7, false}, {0, false}, {-1, false}, {2, false}, {0, false}};
	double got[5];

	censored_sample(x, 5, got);
	for (int i = 0; i < 5; i++)
		check_abs(got[i], want[i], 0);
}

TEST(the_largest_of_all_stays_even_if_it_is_a_bound)
{
	static const double want[] = {1, 2, 5};
	struct at_least x[] = {{5, true}, {2, false}, {1, false}};
	double got[3];

	censored_sample(x, 3, got);
	for (int i = 0; i < 3; i++)
		check_abs(got[i], want[i], 0);
}

/* A run that ended at 3 s ended before one that was cut there. */
TEST(a_bound_lies_after_an_equal_number)
{
	static const double want[] = {3, 9, 9};
	struct at_least x[] = {{3, true}, {9, false}, {3, false}};
	double got[3];

	censored_sample(x, 3, got);
	for (int i = 0; i < 3; i++)
		check_abs(got[i], want[i], 0);
}

TEST(bounds_alone_are_all_that_is_known)
{
	struct at_least x[] = {{2, true}, {1, true}};
	double got[2];

	censored_sample(x, 2, got);
	check_abs(got[0], 2, 0);
	check_abs(got[1], 2, 0);
}

/* E[Y | Y > 0] of a standard normal Y is sqrt(2 / pi); far below its mean a limit says nothing, far
 * beyond it is all that is known. */
TEST(what_is_beyond_a_limit_has_a_mean)
{
	check_abs(censored_normal_mean(0, 1, 0), sqrt(2 / M_PI), 1e-12);
	check_abs(censored_normal_mean(3, 2, 3), 3 + 2 * sqrt(2 / M_PI), 1e-12);
	check_abs(censored_normal_mean(1, 0.1, 0), 1, 1e-12);
	check_abs(censored_normal_mean(0, 1, 100), 100.01, 1e-4);
	check_abs(censored_normal_mean(0, 1, 29.999), censored_normal_mean(0, 1, 30.001), 0.01);
	assert_true(censored_normal_mean(0, 1e-9, 1) >= 1);
}
