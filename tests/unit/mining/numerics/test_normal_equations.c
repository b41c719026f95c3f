#include "tests/support/check.h"

#include "mining/numerics/normal_equations.h"

/* Rows (1 0), (1 1), (1 2) of a line through y = 1, 3, 5, from 0: slopes are -y. */
static const double line_x[6] = {1, 0, 1, 1, 1, 2};
static const double ones[3] = {1, 1, 1}, minus_y[3] = {-1, -3, -5};

static struct normal_equations line_equations(void)
{
	struct normal_equations q;
	struct err e = {0};

	check_ok(normal_equations_init(&q, 2, &e), &e);
	normal_equations_clear(&q);
	normal_equations_add(&q, line_x, 3, ones, minus_y);
	return q;
}

/* y = 1 + 2 x: H = {3 3; 3 5}, g = -(9, 13); the sum of squares was 1 + 9 + 25 and is 0. */
static void an_undamped_step_solves_a_linear_problem(void **state)
{
	struct normal_equations q = line_equations();
	double step[2], gain;

	(void)state;
	assert_true(normal_equations_step(&q, 0, step, &gain));
	check_rel(step[0], 1.0, 1e-14);
	check_rel(step[1], 2.0, 1e-14);
	check_rel(gain, 35.0, 1e-14);
	normal_equations_release(&q);
}

/* Diagonal doubled: {6 3; 3 10} step = (9, 13) has the solution (17/17, 51/51) = (1, 1), and
 * 2 * 22 - (1 1) H (1 1)' = 44 - 14. */
static void damping_adds_a_share_of_the_diagonal(void **state)
{
	struct normal_equations q = line_equations();
	double step[2], gain;

	(void)state;
	assert_true(normal_equations_step(&q, 1, step, &gain));
	check_rel(step[0], 1.0, 1e-14);
	check_rel(step[1], 1.0, 1e-14);
	check_rel(gain, 30.0, 1e-14);
	normal_equations_release(&q);
}

/* The inverse of {3 3; 3 5} is {5 -3; -3 3} / 6. */
static void errors_are_those_of_the_inverse(void **state)
{
	struct normal_equations q = line_equations();
	double sd[2];

	(void)state;
	normal_equations_errors(&q, sd);
	check_rel(sd[0], sqrt(5.0 / 6), 1e-14);
	check_rel(sd[1], sqrt(0.5), 1e-14);
	normal_equations_release(&q);
}

/* A prior is a row of its own: {4 3; 3 5} step = (9 + 3, 13) has the solution (21/11, 16/11). */
static void a_prior_pulls_as_a_row_does(void **state)
{
	static const double row[2] = {1, 0}, curvature[1] = {1}, slope[1] = {-3};
	struct normal_equations q[2] = {line_equations(), line_equations()};
	double step[2], gain;

	(void)state;
	normal_equations_add(&q[0], row, 1, curvature, slope);
	normal_equations_add_prior(&q[1], 0, 1, -3);
	for (int k = 0; k < 2; k++) {
		assert_true(normal_equations_step(&q[k], 0, step, &gain));
		check_rel(step[0], 21.0 / 11, 1e-14);
		check_rel(step[1], 16.0 / 11, 1e-14);
		normal_equations_release(&q[k]);
	}
}

/* More parameters than a tile has columns, each with five rows of its own that ask for 1; but for
 * one that has none. */
static void what_nothing_depends_on_stays_and_is_not_known(void **state)
{
	enum { N = 40, IDLE = 17, ROWS = 5 * N };
	struct normal_equations q;
	double x[N] = {0}, step[N], sd[N], gain;
	const double curvature[1] = {2}, slope[1] = {-2};
	struct err e = {0};

	(void)state;
	check_ok(normal_equations_init(&q, N, &e), &e);
	normal_equations_clear(&q);
	for (int i = 0; i < ROWS; i++) {
		if (i % N == IDLE)
			continue;
		x[i % N] = 1;
		normal_equations_add(&q, x, 1, curvature, slope);
		x[i % N] = 0;
	}
	assert_true(normal_equations_step(&q, 0, step, &gain));
	normal_equations_errors(&q, sd);
	for (int j = 0; j < N; j++) {
		if (j == IDLE) {
			check_abs(step[j], 0.0, 0);
			assert_true(isnan(sd[j]));
		} else {
			check_rel(step[j], 1.0, 1e-14);
			check_rel(sd[j], 1 / sqrt(10.0), 1e-14); /* 5 rows of curvature 2 */
		}
	}
	normal_equations_release(&q);
}

/* Two columns that are equal tell only their sum. */
static void what_cannot_be_told_apart_takes_no_undamped_step(void **state)
{
	static const double x[6] = {1, 1, 1, 1, 1, 1};
	struct normal_equations q;
	double step[2] = {7, 7}, gain = 7, sd[2];
	struct err e = {0};

	(void)state;
	check_ok(normal_equations_init(&q, 2, &e), &e);
	normal_equations_clear(&q);
	normal_equations_add(&q, x, 3, ones, minus_y);
	assert_false(normal_equations_step(&q, 0, step, &gain));
	check_abs(step[0], 7.0, 0);
	check_abs(gain, 7.0, 0);
	normal_equations_errors(&q, sd);
	assert_true(isnan(sd[0]) && isnan(sd[1]));
	/* H = {3 3; 3 3}, damped {6 3; 3 6}, g = -(9, 9): a third of the way each */
	assert_true(normal_equations_step(&q, 1, step, &gain));
	check_rel(step[0], 1.0, 1e-14);
	check_rel(step[1], 1.0, 1e-14);
	normal_equations_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_undamped_step_solves_a_linear_problem),
		cmocka_unit_test(damping_adds_a_share_of_the_diagonal),
		cmocka_unit_test(errors_are_those_of_the_inverse),
		cmocka_unit_test(a_prior_pulls_as_a_row_does),
		cmocka_unit_test(what_nothing_depends_on_stays_and_is_not_known),
		cmocka_unit_test(what_cannot_be_told_apart_takes_no_undamped_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
