#include "tests/support/check.h"
#include "tests/support/mining_set_up.h"

#include "mining/numerics/ridge_fit.h"
#include "tests/support/uniform.h"

/* NIST StRD, linear regression, data set Norris (lower difficulty): y, x. */
static const double norris[36][2] = {
	{0.1, 0.2},	{338.8, 337.4}, {118.1, 118.2}, {888.0, 884.6}, {9.2, 10.1},
	{228.1, 226.5}, {668.5, 666.3}, {998.5, 996.3}, {449.1, 448.6}, {778.9, 777.0},
	{559.2, 558.2}, {0.3, 0.4},	{0.1, 0.6},	{778.1, 775.5}, {668.8, 666.9},
	{339.3, 338.0}, {448.9, 447.5}, {10.8, 11.6},	{557.7, 556.0}, {228.3, 228.1},
	{998.0, 995.8}, {888.8, 887.6}, {119.6, 120.2}, {0.3, 0.3},	{0.6, 0.3},
	{557.6, 556.8}, {339.3, 339.1}, {888.0, 887.2}, {998.5, 999.0}, {778.9, 779.0},
	{10.2, 11.1},	{117.6, 118.3}, {228.9, 229.2}, {668.4, 669.1}, {449.2, 448.9},
	{0.2, 0.5},
};
/* Certified. */
static const double norris_b[2] = {-0.262323073774029, 1.00211681802045};

static void put_norris(double x[36][2], double y[36])
{
	for (int i = 0; i < 36; i++) {
		x[i][0] = 1;
		x[i][1] = norris[i][1];
		y[i] = norris[i][0];
	}
}

/* A scale far above the residuals (about 1) makes every robust weight 1 to 1e-12, a penalty far
 * below the 36 observations none: least squares. */
TEST(least_squares_agrees_with_nist)
{
	static const double penalty[2] = {1e-12, 1e-12};
	double x[36][2], y[36], b[2], scale;

	put_norris(x, y);
	must(ridge_fit(x[0], y, 36, 2, penalty, 1e6, b, &scale, &err));
	check_rel(b[0], norris_b[0], 1e-9);
	check_rel(b[1], norris_b[1], 1e-11);
	check_abs(scale, 1e6, 0);
}

/* One reading of 36, at the low end, is off by 1000: least squares moves the intercept by that
 * times 1/36 + (mean x)^2 / (sum of squares about it), about 0.07. */
TEST(an_outlier_moves_a_robust_line_little)
{
	static const double penalty[2] = {1e-12, 1e-12};
	double x[36][2], y[36], b[2], bent[2], scale;

	put_norris(x, y);
	y[0] += 1000;
	must(ridge_fit(x[0], y, 36, 2, penalty, 1e6, bent, &scale, &err));
	assert_true(fabs(bent[0] - norris_b[0]) > 50);
	must(ridge_fit(x[0], y, 36, 2, penalty, 1e-3, b, &scale, &err));
	/* the certified standard error of the intercept is 0.233 */
	check_abs(b[0], norris_b[0], 2 * 0.233);
	check_abs(b[1], norris_b[1], 0.002);
	assert_true(scale > 0.3 && scale < 2);
}

/* Two equal columns: any split of the slope 6 fits. The penalty makes it the even one. A column of
 * zeros without a penalty is beyond help. */
TEST(columns_that_cannot_be_told_apart_share_the_effect)
{
	static const double x[4][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}}, y[4] = {6, 12, 18, 24};
	static const double zero[4][2] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
	static const double penalty[2] = {1e-6, 1e-6}, none[2] = {0, 0};
	double b[2] = {7, 7}, scale;

	must(ridge_fit(x[0], y, 4, 2, penalty, 1e-3, b, &scale, &err));
	check_rel(b[0], 3.0, 1e-6);
	check_rel(b[1], 3.0, 1e-6);
	must_fail(ridge_fit(zero[0], y, 4, 2, none, 1e-3, b, &scale, &err), ERR_NUMERIC,
		  "singular");
}

/* One column: b = sum xy / (sum xx + penalty) = 60 / (30 + 10). */
TEST(a_penalty_pulls_towards_zero)
{
	static const double x[4] = {1, 2, 3, 4}, y[4] = {2, 4, 6, 8}, penalty[1] = {10};
	double b, scale;

	must(ridge_fit(x, y, 4, 1, penalty, 1e6, &b, &scale, &err));
	check_rel(b, 1.5, 1e-11);
}

/* More terms than observations: the penalty decides what the observations leave open. By hand, one
 * observation of a + b = 2 with equal penalties p: a = b = 2 / (2 + p). */
TEST(fewer_observations_than_terms_are_enough)
{
	static const double x[2] = {1, 1}, y[1] = {2}, penalty[2] = {0.5, 0.5};
	double b[2], scale;

	must(ridge_fit(x, y, 1, 2, penalty, 1e6, b, &scale, &err));
	check_rel(b[0], 0.8, 1e-11);
	check_rel(b[1], 0.8, 1e-11);
}

/* 60 values within 0.01 of a line; every third one is larger by up to 3.2. Least squares would add
 * the mean of that, 1.6 / 3, to the line; stopping short of convergence (8 rounds) 0.18. */
TEST(a_third_disturbed_moves_the_line_by_a_few_percent)
{
	static const double penalty[2] = {1e-9, 1e-9};
	double x[60][2], y[60], b[2], scale;
	uint64_t seed = 3;

	for (int i = 0; i < 60; i++) {
		x[i][0] = 1;
		x[i][1] = i / 30.0 - 1;
		y[i] = 2 + 1.5 * x[i][1] + uniform_draw(&seed, -0.01, 0.01);
		if (i % 3 == 0)
			y[i] += uniform_draw(&seed, 0, 3.2);
	}
	must(ridge_fit(x[0], y, 60, 2, penalty, 1e-3, b, &scale, &err));
	check_abs(b[0], 2, 0.08);
	check_abs(b[1], 1.5, 0.08);
	assert_true(scale < 0.15);
}

TEST_GROUP(mining_set_up, NULL)
