#include "tests/support/check.h"

#include "base/compare.h"
#include "mining/numerics/rank_tests.h"
#include "tests/support/uniform.h"

TEST(ties_share_the_mean_of_their_ranks)
{
	/* sorted: -inf -3 -0 0 0 2 2 7: ranks 1, 2, (3 + 4 + 5) / 3, (6 + 7) / 2, 8 */
	const double x[] = {2, -0.0, 7, -3, 0, 2, -INFINITY, 0};
	const double want[] = {6.5, 4, 8, 2, 4, 6.5, 1, 4};
	double ranks[8];

	must(rank_values(x, 8, ranks, &err));
	for (int i = 0; i < 8; i++)
		check_abs(ranks[i], want[i], 0);
	must(rank_values(x, 0, ranks, &err));
}

/* Magnitudes from 1e-300 to 1e300, both signs: the library's qsort() is the second method. */
TEST(ranks_order_numbers_of_any_size_and_sign)
{
	enum { N = 5000 };
	static double x[N], sorted[N], ranks[N];
	uint64_t seed = 11;

	for (int i = 0; i < N; i++) {
		x[i] = pow(10, uniform_draw(&seed, -300, 300));
		x[i] *= uniform_draw(&seed, -1, 1) < 0 ? -1 : 1;
		sorted[i] = x[i];
	}
	qsort(sorted, N, sizeof *sorted, compare_doubles);
	must(rank_values(x, N, ranks, &err));
	for (int i = 0; i < N; i++)
		check_abs(x[i], sorted[(int)ranks[i] - 1], 0);
}

/* By hand: ranks of x 1 2.5 2.5 4 5, of y 2 1 3.5 3.5 5; about their mean 3:
 * sum xy = (-2)(-1) + (-.5)(-2) + (-.5)(.5) + 1(.5) + 2(2) = 7.25,
 * sum xx = 4 + .25 + .25 + 1 + 4 = 9.5, sum yy = 1 + 4 + .25 + .25 + 4 = 9.5. */
TEST(spearman_with_ties_is_the_correlation_of_mean_ranks)
{
	const double x[] = {1, 2, 2, 3, 10}, y[] = {5, 4, 6, 6, 7};
	struct rank_correlation r;
	double a;

	must(spearman(x, y, 5, &r, &err));
	check_rel(r.rho, 7.25 / 9.5, 1e-14);
	/* t = rho sqrt(3 / (1 - rho^2)) = 2.045; with 3 degrees of freedom the tail is closed:
	 * 1/2 - (a + sin a cos a) / pi, a = atan(t / sqrt 3) */
	a = atan(r.rho / sqrt(1 - r.rho * r.rho));
	check_rel(r.p, 1 - 2 * (a + sin(a) * cos(a)) / acos(-1), 1e-12);
	/* atanh(0.76316) = 1.003734, 1.959964 sqrt((1 + 0.291205) / 2) = 1.574819 */
	check_rel(r.lo, tanh(1.003734 - 1.574819), 1e-5);
	check_rel(r.hi, tanh(1.003734 + 1.574819), 1e-5);
}

TEST(a_perfect_correlation_of_few_points_stays_doubtful)
{
	const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 4, 9, 16, 25};
	struct rank_correlation r;

	must(spearman(x, y, 5, &r, &err));
	check_rel(r.rho, 1.0, 1e-15);
	check_rel(r.p, 2.0 / 120, 1e-12); /* 2 of the 5! orders are as extreme */
	check_abs(r.hi, 1, 0);
	assert_true(r.lo > 0 && r.lo < 0.95);
	must(spearman(x, y, 3, &r, &err));
	check_abs(r.lo, -1, 0); /* z of 3 points has no finite variance */
	check_abs(r.hi, 1, 0);
	check_rel(r.p, 2.0 / 6, 1e-12);
}

TEST(a_constant_or_too_short_side_has_no_correlation)
{
	const double x[] = {7, 7, 7, 7}, y[] = {1, 2, 3, 4};
	struct rank_correlation r;

	must(spearman(x, y, 4, &r, &err));
	assert_true(isnan(r.rho) && isnan(r.lo) && isnan(r.hi) && isnan(r.p));
	must(spearman(y, y, 2, &r, &err));
	assert_true(isnan(r.rho) && isnan(r.p));
}

/* Hollander and Wolfe's depression scale factors, as in R's ?wilcox.test: V = 40, p = 0.01953
 * one-sided, exact. */
static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
		    after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};

TEST(depression_data_give_the_published_signed_rank_test)
{
	double d[9], walsh[45] = {0};
	struct signed_rank r;
	size_t n = 0;

	for (int i = 0; i < 9; i++)
		d[i] = before[i] - after[i];
	must(signed_rank_test(d, 9, &r, &err));
	assert_int_equal(r.n, 9);
	check_abs(r.w_plus, 40, 0);
	check_rel(r.p, 20.0 / 512, 1e-12); /* 10 / 512 = 0.01953 is one side */
	/* All averages, sorted: the shift is the 23rd; P(W+ <= 5) = 10 / 512 < 0.025 <=
	 * P(W+ <= 6) = 14 / 512, so the interval is the 6th to the 40th. */
	for (int i = 0; i < 9; i++) {
		for (int j = i; j < 9; j++)
			walsh[n++] = (d[i] + d[j]) / 2;
	}
	qsort(walsh, n, sizeof *walsh, compare_doubles);
	check_rel(r.shift, walsh[22], 1e-14);
	check_rel(r.lo, walsh[5], 1e-14);
	check_rel(r.hi, walsh[39], 1e-14);
	check_rel(r.shift, 0.46, 1e-9); /* Hollander and Wolfe, example 3.3 */
}

/* By hand: |d| 1 2 2 3 have ranks 1 2.5 2.5 4, so W+ = 1 + 2.5 + 4 = 7.5. Of the 16 sets of ranks
 * 4 have a sum up to 10 - 7.5: none, 1, and either 2.5. */
TEST(ties_are_judged_exactly_and_zeros_dropped)
{
	const double d[] = {3, 0, -2, 1, 2, 0};
	struct signed_rank r;

	must(signed_rank_test(d, 6, &r, &err));
	assert_int_equal(r.n, 4);
	check_abs(r.w_plus, 7.5, 0);
	check_rel(r.p, 2 * 4.0 / 16, 1e-15);
	/* averages: -2 -.5 0 .5 1 1.5 2 2 2.5 3: the middle is (1 + 1.5) / 2 */
	check_rel(r.shift, 1.25, 1e-15);
}

/* By hand: 60 differences of +-1 have the rank 30.5 each, 40 are positive: W+ = 1220, of mean
 * 60 * 61 / 4 = 915 and variance 60 * 61 * 121 / 24 - (60^3 - 60) / 48 = 13953.75. */
TEST(many_ties_correct_the_variance_of_the_normal_approximation)
{
	double d[60];
	struct signed_rank r;

	for (int i = 0; i < 60; i++)
		d[i] = i % 3 == 0 ? -1 : 1;
	must(signed_rank_test(d, 60, &r, &err));
	check_abs(r.w_plus, 1220, 0);
	check_rel(r.p, erfc((1220 - 0.5 - 915) / sqrt(13953.75) / sqrt(2)), 1e-12);
}

TEST(too_few_differences_have_no_interval)
{
	const double d[] = {1, 2, 3, 4, 5, 6}, zero[] = {0, 0};
	struct signed_rank r;

	must(signed_rank_test(d, 5, &r, &err));
	check_rel(r.p, 2.0 / 32, 1e-15);
	check_abs(r.shift, 3, 0);
	assert_true(isinf(r.lo) && r.lo < 0 && isinf(r.hi) && r.hi > 0);
	/* P(W+ <= 0) = 1 / 64 < 0.025: from the smallest average to the largest */
	must(signed_rank_test(d, 6, &r, &err));
	check_abs(r.lo, 1, 0);
	check_abs(r.hi, 6, 0);
	must(signed_rank_test(d, 1, &r, &err));
	check_abs(r.p, 1, 0);
	must(signed_rank_test(zero, 2, &r, &err));
	assert_int_equal(r.n, 0);
	check_abs(r.p, 1, 0);
	assert_true(isnan(r.shift) && isnan(r.lo) && isnan(r.hi));
}

/* A million differences, uniform around 0.01: the shift is that, the interval holds it and is about
 * 2 * 1.96 sigma / sqrt(n * 12 (integral of f^2)^2 sigma^2) wide, which for a uniform density of
 * width 1 is 2 * 1.96 / sqrt(12 n) = 1.13e-3. */
TEST(a_million_differences_are_judged_at_once)
{
	enum { N = 1000000 };
	HEAP double *d = zeroed(N, sizeof *d);
	uint64_t seed = 3;
	struct signed_rank r;

	for (int i = 0; i < N; i++)
		d[i] = uniform_draw(&seed, -0.49, 0.51);
	must(signed_rank_test(d, N, &r, &err));
	assert_int_equal(r.n, N);
	assert_true(r.p < 1e-100);
	check_abs(r.shift, 0.01, 1e-3);
	assert_true(r.lo < 0.01 && r.hi > 0.01);
	check_rel(r.hi - r.lo, 1.13e-3, 0.1);
}

/* Rounding first base, R's ?friedman.test: chi-squared = 11.143, df = 2, p = 0.003805. */
static const double rounding[] = {5.40, 5.50, 5.55, 5.85, 5.70, 5.75, 5.20, 5.60, 5.50, 5.55, 5.50,
				  5.40, 5.90, 5.85, 5.70, 5.45, 5.55, 5.60, 5.40, 5.40, 5.35, 5.45,
				  5.50, 5.35, 5.25, 5.15, 5.00, 5.85, 5.80, 5.70, 5.25, 5.20, 5.10,
				  5.65, 5.55, 5.45, 5.60, 5.35, 5.45, 5.05, 5.00, 4.95, 5.50, 5.50,
				  5.40, 5.45, 5.55, 5.50, 5.55, 5.55, 5.35, 5.45, 5.50, 5.55, 5.50,
				  5.45, 5.25, 5.65, 5.60, 5.40, 5.70, 5.65, 5.55, 6.30, 6.30, 6.25};

TEST(rounding_times_give_the_published_friedman_test)
{
	double rank_sum[3];
	struct friedman f;

	must(friedman_test(rounding, 22, 3, 0.05, rank_sum, &f, &err));
	check_abs(rank_sum[0], 53, 1e-12);
	check_abs(rank_sum[1], 47, 1e-12);
	check_abs(rank_sum[2], 32, 1e-12);
	check_abs(f.chi2, 11.143, 5e-4);
	check_abs(f.p, 0.003805, 5e-7);
}

/* Upper points of the studentized range, infinite degrees of freedom: tables of Harter (1960). */
TEST(the_difference_is_that_of_the_tabled_studentized_range)
{
	static const struct {
		size_t k;
		double alpha, q;
	} table[] = {{2, 0.05, 2.772}, {3, 0.05, 3.314},  {10, 0.05, 4.474},
		     {3, 0.01, 4.120}, {10, 0.01, 5.157}, {20, 0.05, 5.012}};
	static const double x[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	double rank_sum[20];
	struct friedman f;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		double k = (double)table[i].k;

		must(friedman_test(x, 1, table[i].k, table[i].alpha, rank_sum, &f, &err));
		check_abs(f.difference / sqrt(k * (k + 1) / 12), table[i].q, 6e-4);
	}
	/* the range of two is |x - y|, normal with variance 2: sqrt 2 * 1.959963984540054 */
	must(friedman_test(x, 1, 2, 0.05, rank_sum, &f, &err));
	check_rel(f.difference / sqrt(0.5), sqrt(2) * 1.959963984540054, 1e-12);
}

TEST(blocks_of_one_tie_tell_nothing_apart)
{
	const double x[] = {1, 1, 1, 4, 4, 4};
	double rank_sum[3];
	struct friedman f;

	must(friedman_test(x, 2, 3, 0.05, rank_sum, &f, &err));
	check_abs(rank_sum[1], 4, 0);
	check_abs(f.chi2, 0, 0);
	check_abs(f.p, 1, 0);
	assert_int_equal(friedman_test(x, 6, 1, 0.05, rank_sum, &f, &err), ERR_ARG);
	must_fail(friedman_test(x, 0, 3, 0.05, rank_sum, &f, &err), ERR_ARG,
		  "3 choices in 0 blocks");
}

/* By hand, m = 4: 0.01 * 4 / 1 = 0.04, 0.02 * 4 / 2 = 0.04, 0.03 * 4 / 3 = 0.04, 0.5 * 4 / 4;
 * the unknown one does not count. */
TEST(adjusted_p_values_pass_over_unknown_ones)
{
	double p[] = {0.03, 0.5, NAN, 0.01, 0.02};
	const double want[] = {0.04, 0.5, 0, 0.04, 0.04};

	must(benjamini_hochberg(p, 5, &err));
	for (int i = 0; i < 5; i++) {
		if (i == 2)
			assert_true(isnan(p[i]));
		else
			check_rel(p[i], want[i], 1e-15);
	}
	must(benjamini_hochberg(p, 0, &err));
}

/* Sorted 0.02 0.04 0.9: 0.06, 0.06, 0.9; and no value above 1 or out of order: 0.8 0.85 0.9. */
TEST(adjusted_p_values_are_monotone_and_at_most_one)
{
	double a[] = {0.9, 0.02, 0.04}, b[] = {0.85, 0.9, 0.8};

	must(benjamini_hochberg(a, 3, &err));
	check_rel(a[0], 0.9, 1e-15);
	check_rel(a[1], 0.06, 1e-15);
	check_rel(a[2], 0.06, 1e-15);
	must(benjamini_hochberg(b, 3, &err));
	for (int i = 0; i < 3; i++)
		check_rel(b[i], 0.9, 1e-15);
}

/* R's ?t.test, Student's sleep data, paired: mean of the differences 1.58, t = 4.0621 with 9
 * degrees of freedom, p = 0.002833, 95 % interval 0.7001 .. 2.4599. */
TEST(sleep_data_give_the_published_t_test)
{
	const double d[] = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
	struct mean_test m;

	mean_t_test(d, 10, 0.95, &m);
	check_rel(m.mean, 1.58, 1e-12);
	check_abs(m.p, 0.002833, 5e-7);
	check_abs(m.lo, 0.7001, 5e-5);
	check_abs(m.hi, 2.4599, 5e-5);
}

TEST(a_mean_of_one_or_of_equal_values_is_not_an_accident)
{
	const double x[] = {2, 2, 2}, zero[] = {0, 0};
	struct mean_test m;

	mean_t_test(x, 1, 0.9, &m);
	check_abs(m.mean, 2, 0);
	assert_true(isinf(m.lo) && isinf(m.hi));
	check_abs(m.p, 1, 0);
	mean_t_test(x, 3, 0.9, &m);
	check_abs(m.lo, 2, 0);
	check_abs(m.hi, 2, 0);
	check_abs(m.p, 0, 0);
	mean_t_test(zero, 2, 0.9, &m);
	check_abs(m.p, 1, 0);
	mean_t_test(x, 0, 0.9, &m);
	assert_true(isnan(m.mean));
}
