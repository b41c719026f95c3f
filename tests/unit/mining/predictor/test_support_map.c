#include "tests/support/check.h"

#include "mining/predictor/support_map.h"

/* One feature seen from 8 to 64. A quarter further is 80, a quarter less 6.4. */
static void one_feature_is_judged_by_its_range(void **state)
{
	static const double seen[] = {8, 64, 16};
	static const struct {
		double f;
		enum support want;
		double beyond; /* log2 of the factor outside */
	} row[] = {
		{8, SUPPORT_INSIDE, 0},		{40, SUPPORT_INSIDE, 0},
		{64, SUPPORT_INSIDE, 0},	{79.9, SUPPORT_EDGE, 0.3201},
		{6.5, SUPPORT_EDGE, 0.2996},	{80.1, SUPPORT_OUTSIDE, 0.3237},
		{6.3, SUPPORT_OUTSIDE, 0.3447}, {256, SUPPORT_OUTSIDE, 2},
		{1, SUPPORT_OUTSIDE, 3},
	};
	struct applicability_domain m;

	applicability_domain_make(seen, 3, 1, &m);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double beyond = -1;

		assert_int_equal(applicability_domain_judge(&m, &row[i].f, &beyond), row[i].want);
		check_abs(beyond, row[i].beyond, 1e-4);
		assert_int_equal(applicability_domain_judge(&m, &row[i].f, NULL), row[i].want);
	}
}

/* Two features, each seen from 1 to 1024, but only growing together: the other corners of the box
 * were never near a run. Buckets are a factor 2 wide and each run covers its own and the next ones,
 * so (8, 16) and (8, 4) are covered by the run (8, 8), while (8, 32) is two buckets from it and one
 * from (16, 16), and (8, 64) is at least two from all. */
static void a_pair_never_seen_together_is_an_edge(void **state)
{
	double seen[11][2];
	struct applicability_domain m;

	for (int i = 0; i < 11; i++)
		seen[i][0] = seen[i][1] = exp2(i);
	applicability_domain_make(seen[0], 11, 2, &m);
	assert_int_equal(applicability_domain_judge(&m, (double[]){8, 8}, NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){8, 16}, NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){8, 4}, NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){8, 32}, NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){8, 64}, NULL), SUPPORT_EDGE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){1, 1024}, NULL), SUPPORT_EDGE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){1024, 1}, NULL), SUPPORT_EDGE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){1024, 1024}, NULL),
			 SUPPORT_INSIDE);
}

/* Every pair of several features is looked at, not only the first. */
static void each_pair_counts(void **state)
{
	enum { N = PREDICTOR_KIND_MAX_FEATURES };
	double seen[2 * N][N];
	struct applicability_domain m;

	/* All 1, all 1024, and each one alone at 1024: no two of them without the others. */
	for (int i = 0; i < 2 * N; i++) {
		for (int j = 0; j < N; j++)
			seen[i][j] = i == j || i == N ? 1024 : 1;
	}
	applicability_domain_make(seen[0], N + 2, N, &m);
	for (int j = 0; j < N; j++)
		assert_int_equal(applicability_domain_judge(&m, seen[j], NULL), SUPPORT_INSIDE);
	applicability_domain_make(seen[0], N, N, &m); /* only those with one at 1024 */
	for (int j = 0; j < N; j++) {
		for (int k = 0; k < j; k++) {
			double f[N];

			for (int i = 0; i < N; i++)
				f[i] = i == j || i == k ? 1024 : 1;
			assert_int_equal(applicability_domain_judge(&m, f, NULL), SUPPORT_EDGE);
		}
	}
}

/* Over 300 doublings, buckets are as wide as 50 of them need to be; both ends are still inside. */
static void a_huge_range_still_fits_the_buckets(void **state)
{
	static const double seen[][2] = {{1e-45, 1}, {1e45, 1}};
	struct applicability_domain m;

	applicability_domain_make(seen[0], 2, 2, &m);
	assert_int_equal(applicability_domain_judge(&m, seen[0], NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, seen[1], NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){1, 1}, NULL), SUPPORT_EDGE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){1e46, 1}, NULL),
			 SUPPORT_OUTSIDE);
}

static void what_is_no_positive_number_is_outside(void **state)
{
	static const double seen[][2] = {{1, 1}, {2, 2}};
	static const double bad[] = {0, -1, INFINITY};
	struct applicability_domain m;

	applicability_domain_make(seen[0], 2, 2, &m);
	for (size_t i = 0; i < 3; i++) {
		double beyond = 0;

		assert_int_equal(applicability_domain_judge(&m, (double[]){1, bad[i]}, &beyond),
				 SUPPORT_OUTSIDE);
		assert_true(beyond > 100);
	}
}

/* A free value is judged by the best it could become: here that is a run's own. */
static void a_missing_feature_is_given_the_best_support(void **state)
{
	static const double seen[][2] = {{1, 1}, {1024, 1024}, {8, (double)NAN}};
	struct applicability_domain m;
	double beyond = -1;

	applicability_domain_make(seen[0], 3, 2, &m);
	assert_int_equal(applicability_domain_judge(&m, (double[]){1, NAN}, NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){NAN, NAN}, NULL),
			 SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){NAN, 4096}, &beyond),
			 SUPPORT_OUTSIDE);
	check_abs(beyond, 2, 1e-12);
	/* the run without its second feature tells nothing of pairs */
	assert_int_equal(applicability_domain_judge(&m, (double[]){8, 8}, NULL), SUPPORT_EDGE);
}

/* A class whose columns never vary has one known point. */
static void a_single_run_supports_itself(void **state)
{
	static const double seen[] = {100, 4};
	struct applicability_domain m;

	applicability_domain_make(seen, 1, 2, &m);
	assert_int_equal(applicability_domain_judge(&m, seen, NULL), SUPPORT_INSIDE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){110, 4}, NULL), SUPPORT_EDGE);
	assert_int_equal(applicability_domain_judge(&m, (double[]){100, 8}, NULL), SUPPORT_OUTSIDE);
	applicability_domain_make(seen, 1, 0, &m);
	assert_int_equal(applicability_domain_judge(&m, seen, NULL), SUPPORT_INSIDE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_feature_is_judged_by_its_range),
		cmocka_unit_test(a_pair_never_seen_together_is_an_edge),
		cmocka_unit_test(each_pair_counts),
		cmocka_unit_test(a_huge_range_still_fits_the_buckets),
		cmocka_unit_test(what_is_no_positive_number_is_outside),
		cmocka_unit_test(a_missing_feature_is_given_the_best_support),
		cmocka_unit_test(a_single_run_supports_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
