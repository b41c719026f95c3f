#include "tests/support/check.h"

#include "mining/predictor/joint_support.h"

/* A grid of n1 x n2 points, each level twice the one before. */
static size_t put_grid(size_t n1, size_t n2, double (*f)[2])
{
	size_t n = 0;

	for (size_t i = 0; i < n1; i++) {
		for (size_t j = 0; j < n2; j++, n++) {
			f[n][0] = exp2((double)i);
			f[n][1] = exp2((double)j);
		}
	}
	return n;
}

static struct joint_measure measure(const struct joint_support *m, double a, double b)
{
	struct joint_measure out;

	joint_support_measure(m, (double[]){a, b}, &out);
	return out;
}

static enum support judge(const struct joint_support *m, double a, double b)
{
	const struct joint_measure at = measure(m, a, b);

	return joint_support_judge(&at, false);
}

static void distance_is_in_steps_between_levels(void **state)
{
	static struct joint_support m;
	double f[25][2];
	struct err e = {0};

	(void)state;
	assert_int_equal(joint_support_make(f[0], put_grid(5, 5, f), 2, &m, &e), ERR_OK);
	check_abs(m.reach, 1, 1e-6);
	check_abs(measure(&m, 4, 8).distance, 0, 1e-6);
	check_abs(measure(&m, 4 * sqrt(2), 8).distance, 0.5, 1e-6);
	check_abs(measure(&m, 64, 8).distance, 2, 1e-6);
	check_abs(measure(&m, 64, 64).distance, 2 * sqrt(2), 1e-6);
	/* the corners have the most leverage of a full grid */
	check_abs(measure(&m, 1, 16).leverage, 1, 1e-9);
	assert_true(measure(&m, 4, 4).leverage < 0.5);
	assert_int_equal(judge(&m, 4 * sqrt(2), 8 * sqrt(2)), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 32, 4), SUPPORT_EDGE);
	assert_int_equal(judge(&m, 80, 4), SUPPORT_OUTSIDE);
}

/* Both grow together: a ratio of r between them is a direction in which only the prior speaks, of
 * deviation 1 per unit of ln for each: ln(r) / sqrt(2) of both. */
static void columns_that_grow_together_say_nothing_apart(void **state)
{
	static struct joint_support m;
	double f[9][2];
	struct err e = {0};
	const struct joint_measure both = {.trend_sd = 0.3};

	(void)state;
	for (int i = 0; i < 9; i++)
		f[i][0] = f[i][1] = exp2(i);
	assert_int_equal(joint_support_make(f[0], 9, 2, &m, &e), ERR_OK);
	assert_int_equal(judge(&m, 16, 16), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 20, 20), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 16, 4), SUPPORT_OUTSIDE);
	check_abs(measure(&m, 16, 4).trend_sd, log(4) / sqrt(2), 0.02);
	assert_int_equal(joint_support_judge(&both, false), SUPPORT_OUTSIDE);
	assert_int_equal(joint_support_judge(&both, true), SUPPORT_EDGE);
}

static void a_constant_column_has_a_step_of_a_quarter(void **state)
{
	static struct joint_support m;
	double f[25][2];
	struct err e = {0};
	const size_t n = put_grid(5, 5, f);

	(void)state;
	for (size_t i = 0; i < n; i++)
		f[i][1] = 32;
	assert_int_equal(joint_support_make(f[0], n, 2, &m, &e), ERR_OK);
	check_abs(measure(&m, 4, 40).distance, 1, 1e-6);
	assert_int_equal(judge(&m, 4, 32), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 4, 64), SUPPORT_OUTSIDE);
}

/* Of many runs few are kept; none of them is called far from the runs for that. */
static void runs_that_are_not_kept_are_near_those_that_are(void **state)
{
	static struct joint_support m;
	static double f[900][2];
	struct err e = {0};

	(void)state;
	for (int i = 0; i < 900; i++) {
		const int column = i % 30, row = i / 30;

		f[i][0] = 1 + column;
		f[i][1] = 1 + row;
	}
	assert_int_equal(joint_support_make(f[0], 900, 2, &m, &e), ERR_OK);
	assert_int_equal(m.n_centres, JOINT_SUPPORT_CENTRES);
	for (int i = 0; i < 900; i++)
		assert_true(measure(&m, f[i][0], f[i][1]).distance <= 1.25);
}

static void what_is_missing_is_not_judged(void **state)
{
	static struct joint_support m;
	double f[25][2];
	struct err e = {0};

	(void)state;
	put_grid(5, 5, f);
	f[3][1] = NAN;
	assert_int_equal(joint_support_make(f[0], 25, 2, &m, &e), ERR_OK);
	assert_int_equal(judge(&m, NAN, 1e6), SUPPORT_INSIDE);
	assert_int_equal(judge(&m, 1e6, 1e6), SUPPORT_OUTSIDE);
	f[0][0] = NAN;
	assert_int_equal(joint_support_make(f[0], 1, 2, &m, &e), ERR_OK);
	assert_int_equal(judge(&m, 1e6, 1e6), SUPPORT_INSIDE); /* no run is complete */
}

static void stored_and_loaded_it_is_the_same(void **state)
{
	static struct joint_support m, back;
	double f[25][2];
	struct kb_fit fit = {0};
	struct err e = {0};

	(void)state;
	assert_int_equal(joint_support_make(f[0], put_grid(5, 5, f), 2, &m, &e), ERR_OK);
	assert_int_equal(joint_support_store(&m, &fit, &e), ERR_OK);
	assert_int_equal(joint_support_load(&fit, &back, &e), ERR_OK);
	for (double a = 0.1; a < 100; a *= 1.7) {
		const struct joint_measure x = measure(&m, a, 3), y = measure(&back, a, 3);

		check_abs(x.distance, y.distance, 0);
		check_abs(x.leverage, y.leverage, 0);
		check_abs(x.trend_sd, y.trend_sd, 0);
	}
	fit.n_param--; /* what lacks a number is not used */
	assert_int_equal(joint_support_load(&fit, &back, &e), ERR_NOTMINED);
	fit.n_param++;
	kb_fit_release(&fit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance_is_in_steps_between_levels),
		cmocka_unit_test(columns_that_grow_together_say_nothing_apart),
		cmocka_unit_test(a_constant_column_has_a_step_of_a_quarter),
		cmocka_unit_test(runs_that_are_not_kept_are_near_those_that_are),
		cmocka_unit_test(what_is_missing_is_not_judged),
		cmocka_unit_test(stored_and_loaded_it_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
