#include "tests/support/check.h"

#include "mining/predictor/censored.h"

/* By hand: each of the four is worth 1/4. What the bound 2 is worth goes to 3 and 4, an eighth
 * each: P(1) = 1/4, P(3) = P(4) = 3/8, which is also Kaplan and Meier's 3/4 * 1/2. Sampled at 1/8,
 * 3/8, 5/8 and 7/8. */
static void a_bound_is_shared_by_all_larger_numbers(void **state)
{
	static const double want[] = {1, 3, 4, 4};
	struct at_least x[] = {{4, false}, {2, true}, {1, false}, {3, false}};
	double got[4];

	(void)state;
	censored_sample(x, 4, got);
	for (int i = 0; i < 4; i++)
		check_abs(got[i], want[i], 0);
}

static void without_bounds_the_sample_is_the_data(void **state)
{
	static const double want[] = {-1, 0, 0, 2, 7};
	struct at_least x[] = {{7, false}, {0, false}, {-1, false}, {2, false}, {0, false}};
	double got[5];

	(void)state;
	censored_sample(x, 5, got);
	for (int i = 0; i < 5; i++)
		check_abs(got[i], want[i], 0);
}

static void the_largest_of_all_stays_even_if_it_is_a_bound(void **state)
{
	static const double want[] = {1, 2, 5};
	struct at_least x[] = {{5, true}, {2, false}, {1, false}};
	double got[3];

	(void)state;
	censored_sample(x, 3, got);
	for (int i = 0; i < 3; i++)
		check_abs(got[i], want[i], 0);
}

/* A run that ended at 3 s ended before one that was cut there. */
static void a_bound_lies_after_an_equal_number(void **state)
{
	static const double want[] = {3, 9, 9};
	struct at_least x[] = {{3, true}, {9, false}, {3, false}};
	double got[3];

	(void)state;
	censored_sample(x, 3, got);
	for (int i = 0; i < 3; i++)
		check_abs(got[i], want[i], 0);
}

static void bounds_alone_are_all_that_is_known(void **state)
{
	struct at_least x[] = {{2, true}, {1, true}};
	double got[2];

	(void)state;
	censored_sample(x, 2, got);
	check_abs(got[0], 2, 0);
	check_abs(got[1], 2, 0);
}

/* E[Y | Y > 0] of a standard normal Y is sqrt(2 / pi); far below its mean a limit says nothing, far
 * beyond it is all that is known. */
static void what_is_beyond_a_limit_has_a_mean(void **state)
{
	(void)state;
	check_abs(censored_normal_mean(0, 1, 0), sqrt(2 / M_PI), 1e-12);
	check_abs(censored_normal_mean(3, 2, 3), 3 + 2 * sqrt(2 / M_PI), 1e-12);
	check_abs(censored_normal_mean(1, 0.1, 0), 1, 1e-12);
	check_abs(censored_normal_mean(0, 1, 100), 100.01, 1e-4);
	check_abs(censored_normal_mean(0, 1, 29.999), censored_normal_mean(0, 1, 30.001), 0.01);
	assert_true(censored_normal_mean(0, 1e-9, 1) >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bound_is_shared_by_all_larger_numbers),
		cmocka_unit_test(without_bounds_the_sample_is_the_data),
		cmocka_unit_test(the_largest_of_all_stays_even_if_it_is_a_bound),
		cmocka_unit_test(a_bound_lies_after_an_equal_number),
		cmocka_unit_test(bounds_alone_are_all_that_is_known),
		cmocka_unit_test(what_is_beyond_a_limit_has_a_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
