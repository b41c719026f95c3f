#include "tests/support/check.h"

#include "mining/training/repeats.h"

/* Three configurations of three repeats; the second has a disturbed run. */
static const double runs[] = {10, 10.2, 10.4, 20, 20.6, 200, 30, 30.9, 31};
static const size_t first[] = {0, 3, 6, 9};

/* First gaps: log 1.02 = 0.0198, log 1.03 = 0.0296, log 1.03; the median is 0.0296, five times
 * that over 0.7 is 0.211. */
static void a_gap_is_several_times_what_the_two_fastest_differ_by(void **state)
{
	double work[3];

	(void)state;
	check_rel(repeats_log_gap(runs, first, 3, work), 5 * log(1.03) / 0.7, 1e-12);
}

static void repeats_that_never_differ_leave_room_for_a_tenth(void **state)
{
	const double same[] = {5, 5, 7, 7};
	const size_t at[] = {0, 2, 4};
	double work[2];

	(void)state;
	check_rel(repeats_log_gap(same, at, 2, work), 0.1, 1e-12);
	check_rel(repeats_log_gap(same, (const size_t[]){0, 1, 2}, 2, work), 0.1, 1e-12);
}

static void a_disturbed_run_does_not_count(void **state)
{
	size_t n;

	(void)state;
	check_rel(repeats_median(runs + 3, 3, 0.2, &n), 20.3, 1e-12);
	assert_int_equal(n, 2);
}

static void of_three_that_all_disagree_the_fastest_counts(void **state)
{
	size_t n;

	(void)state;
	check_rel(repeats_median((const double[]){20, 90, 400}, 3, 0.2, &n), 20.0, 1e-12);
	assert_int_equal(n, 1);
}

static void a_second_way_to_run_outvotes_a_single_fast_run(void **state)
{
	(void)state;
	check_rel(repeats_median((const double[]){0.01, 20, 21}, 3, 0.2, NULL), 20.5, 1e-12);
}

static void one_run_speaks_for_itself(void **state)
{
	(void)state;
	check_rel(repeats_median((const double[]){7}, 1, 0.2, NULL), 7.0, 0);
}

/* Of the first and third configuration log variances over 2 degrees of freedom, of the second over
 * 1, without its disturbed run. With d = log(x / first):
 *   10, 10.2, 10.4: d = 0, 0.0198026, 0.0392207: mean 0.0196744, variance 3.84578e-4
 *   20, 20.6: log(1.03)^2 / 2 = 4.36858e-4
 *   30, 30.9, 31: d = 0, 0.0295588, 0.0327898: mean 0.0207829, variance 3.26480e-4
 * over the medians of chi^2/k, (1 - 2/18)^3 = 0.702332 and (1 - 2/9)^3 = 0.470508:
 *   5.47573e-4, 9.28482e-4, 4.64851e-4; the median is 5.47573e-4, its root 0.0234003. */
static void noise_is_the_median_over_configurations_without_disturbed_runs(void **state)
{
	double work[3];

	(void)state;
	check_rel(repeats_noise(runs, first, 3, 0.2, work), 0.0234003, 1e-5);
}

static void without_repeats_noise_is_not_known(void **state)
{
	double work[3];

	(void)state;
	assert_true(isnan(repeats_noise(runs, (const size_t[]){0, 1, 2, 3}, 3, 0.2, work)));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_gap_is_several_times_what_the_two_fastest_differ_by),
	cmocka_unit_test(repeats_that_never_differ_leave_room_for_a_tenth),
	cmocka_unit_test(a_disturbed_run_does_not_count),
	cmocka_unit_test(of_three_that_all_disagree_the_fastest_counts),
	cmocka_unit_test(a_second_way_to_run_outvotes_a_single_fast_run),
	cmocka_unit_test(one_run_speaks_for_itself),
	cmocka_unit_test(noise_is_the_median_over_configurations_without_disturbed_runs),
	cmocka_unit_test(without_repeats_noise_is_not_known),
};

CHECK_MAIN(tests)
