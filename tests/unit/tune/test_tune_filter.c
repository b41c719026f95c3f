#include "tune/tune_filter.h"

#include "tests/support/check.h"

TEST(filters_are_known_by_name)
{
	assert_int_equal(tune_filter_by_name("none"), TUNE_FILTER_NONE);
	assert_int_equal(tune_filter_by_name("iqr"), TUNE_FILTER_IQR);
	assert_int_equal(tune_filter_by_name("trimmed"), TUNE_FILTER_TRIMMED);
	assert_int_equal(tune_filter_by_name("cluster"), TUNE_FILTER_CLUSTER);
	assert_int_equal(tune_filter_by_name("robust"), TUNE_FILTER_ROBUST);
	assert_int_equal(tune_filter_by_name("median"), -1);
	assert_int_equal(tune_filter_by_name(0), -1);
}

/* 10 11 12 13 14 100: the disturbed one moves the plain mean to 160/6, none of the filters. */
TEST(one_disturbed_time_is_left_out)
{
	const double t[] = {12, 100, 11, 14, 10, 13};

	check_rel(tune_filter_mean(TUNE_FILTER_NONE, t, 6), 160.0 / 6, 1e-15);
	/* quartiles 11.25 and 13.75, fences 7.5 and 17.5 */
	check_rel(tune_filter_mean(TUNE_FILTER_IQR, t, 6), 12.0, 1e-15);
	/* one from either end: 11 12 13 14 */
	check_rel(tune_filter_mean(TUNE_FILTER_TRIMMED, t, 6), 12.5, 1e-15);
	check_rel(tune_filter_mean(TUNE_FILTER_CLUSTER, t, 6), 12.0, 1e-15);
	/* median 12.5, MAD 1.5, reach 6.67 */
	check_rel(tune_filter_mean(TUNE_FILTER_ROBUST, t, 6), 12.0, 1e-15);
	assert_true(t[0] == 12 && t[1] == 100); /* the order of the caller stays */
}

/* Quartiles 2 and 4 of 1 2 3 4 x: the upper fence is 4 + 1.5 * 2 = 7. */
TEST(tukeys_fence_stands_at_one_and_a_half_ranges)
{
	const double inside[] = {1, 2, 3, 4, 7}, outside[] = {1, 2, 3, 4, 7.001};

	check_rel(tune_filter_mean(TUNE_FILTER_IQR, inside, 5), 17.0 / 5, 1e-15);
	check_rel(tune_filter_mean(TUNE_FILTER_IQR, outside, 5), 2.5, 1e-15);
}

/* Median 3, MAD 1: reach 3 * 1.4826 = 4.4478. */
TEST(robust_filter_reaches_three_deviations)
{
	const double inside[] = {1, 2, 3, 4, 7.44}, outside[] = {1, 2, 3, 4, 7.45};

	check_rel(tune_filter_mean(TUNE_FILTER_ROBUST, inside, 5), 17.44 / 5, 1e-14);
	check_rel(tune_filter_mean(TUNE_FILTER_ROBUST, outside, 5), 2.5, 1e-15);
}

TEST(clusters_must_be_apart)
{
	const double one[] = {1, 2, 3, 4, 5}, two[] = {10, 1, 1.1, 10.1, 0.9},
		     even[] = {1, 1, 9, 9};

	/* the best cut leaves 2.5 of 10: more than a tenth, so one cluster */
	check_rel(tune_filter_mean(TUNE_FILTER_CLUSTER, one, 5), 3.0, 1e-15);
	check_rel(tune_filter_mean(TUNE_FILTER_CLUSTER, two, 5), 1.0, 1e-15);
	check_rel(tune_filter_mean(TUNE_FILTER_CLUSTER, even, 4), 1.0, 1e-15);
}

TEST(equal_times_and_few_times_are_all_taken)
{
	const double same[] = {2, 2, 2, 2, 5}, few[] = {1, 100};

	for (int f = 0; f < TUNE_FILTERS; f++) {
		check_rel(tune_filter_mean((enum tune_filter)f, same, 4), 2.0, 1e-15);
		check_rel(tune_filter_mean((enum tune_filter)f, few, 2), 50.5, 1e-15);
		check_rel(tune_filter_mean((enum tune_filter)f, few, 1), 1.0, 1e-15);
	}
	/* no spread at all: what differs is out */
	check_rel(tune_filter_mean(TUNE_FILTER_IQR, same, 5), 2.0, 1e-15);
	check_rel(tune_filter_mean(TUNE_FILTER_ROBUST, same, 5), 2.0, 1e-15);
}
