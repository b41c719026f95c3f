#include "tests/support/shared_app.h"
#include "tests/unit/mining/qr_application.h"

#include "recommend/choose/evidence.h"

/* By hand: logs of what differs, log 2 where there are no logs. */

enum { COLUMNS = 8 };

static int set_up(void **state)
{
	app = qr_application();
	assert_true(app->n_columns <= COLUMNS);
	return 0;
}

static double distance(struct qr a, struct qr b)
{
	double x[COLUMNS], y[COLUMNS];

	qr_row(app, a, x);
	qr_row(app, b, y);
	return near_distance(app, x, y);
}

static double box_distance(struct qr a, struct qr lo, struct qr hi)
{
	double x[COLUMNS], y[COLUMNS], z[COLUMNS];

	qr_row(app, a, x);
	qr_row(app, lo, y);
	qr_row(app, hi, z);
	return near_box_distance(app, x, y, z);
}

static int compare(struct qr a, struct qr b)
{
	double x[COLUMNS], y[COLUMNS];

	qr_row(app, a, x);
	qr_row(app, b, y);
	return near_compare(app, x, y);
}

static const struct qr here = {1000, 500, 16, 1, 4};

TEST(a_factor_counts_by_its_log_and_another_name_as_two)
{
	check_abs(distance(here, here), 0, 0);
	check_rel(distance(here, (struct qr){1000, 500, 48, 1, 4}), log(3), 1e-15);
	check_rel(distance(here, (struct qr){3000, 500, 4, 1, 4}), hypot(log(3), log(4)), 1e-15);
	check_rel(distance(here, (struct qr){1000, 500, 16, 2, 4}), log(2), 1e-15);
	check_rel(distance((struct qr){1000, 500, 16, 2, 4}, (struct qr){1000, 500, 16, 0, 4}),
		  log(2), 1e-15);
}

TEST(zero_has_no_log_and_is_a_factor_of_two_from_all)
{
	check_rel(distance(here, (struct qr){1000, 500, 0, 1, 4}), log(2), 1e-15);
	check_rel(distance((struct qr){1000, 500, 0, 1, 4}, here), log(2), 1e-15);
	check_abs(distance((struct qr){1000, 500, 0, 1, 4}, (struct qr){1000, 500, 0, 1, 4}), 0, 0);
}

TEST(what_is_not_asked_for_does_not_count_but_what_a_run_lacks_does)
{
	check_abs(distance((struct qr){1000, 500, NAN, 1, 4}, (struct qr){1000, 500, 64, 1, 4}), 0,
		  0);
	check_rel(distance(here, (struct qr){1000, 500, NAN, 1, 4}), log(2), 1e-15);
}

TEST(a_box_is_as_far_as_its_nearest_face)
{
	const struct qr lo = {500, 500, 32, 1, 1}, hi = {2000, 500, 64, 1, 8};

	check_rel(box_distance(here, lo, hi), log(2), 1e-15); /* b: 16 to 32 */
	check_abs(box_distance((struct qr){1000, 500, 40, 1, 4}, lo, hi), 0, 0);
	check_rel(box_distance((struct qr){1000, 500, 128, 1, 24}, lo, hi), hypot(log(2), log(3)),
		  1e-15);
	/* on a face is inside */
	check_abs(box_distance((struct qr){500, 500, 64, 1, 8}, lo, hi), 0, 0);
}

TEST(a_box_of_one_value_is_as_far_as_a_run)
{
	check_rel(box_distance(here, (struct qr){1000, 500, 48, 2, 4},
			       (struct qr){1000, 500, 48, 2, 4}),
		  hypot(log(3), log(2)), 1e-15);
}

/* A run in the box could have any value of it. */
TEST(a_box_from_zero_on_may_hold_something_as_near_as_can_be)
{
	const struct qr lo = {1000, 500, 0, 1, 4}, hi = {1000, 500, 8, 1, 4};

	check_abs(box_distance(here, lo, hi), 0, 0);
	check_abs(box_distance((struct qr){1000, 500, 0, 1, 4}, (struct qr){1000, 500, 4, 1, 4},
			       (struct qr){1000, 500, 8, 1, 4}),
		  0, 0);
	/* what has no bounds, and what is not asked for */
	check_abs(box_distance(here, (struct qr){1000, 500, NAN, 1, 4},
			       (struct qr){1000, 500, NAN, 1, 4}),
		  0, 0);
	check_abs(box_distance((struct qr){1000, 500, NAN, 1, 4}, (struct qr){1000, 500, 4, 1, 4},
			       (struct qr){1000, 500, 8, 1, 4}),
		  0, 0);
}

TEST(configurations_are_ordered_by_the_first_column_that_differs)
{
	assert_int_equal(compare(here, here), 0);
	assert_true(compare(here, (struct qr){1001, 400, 8, 0, 1}) < 0);
	assert_true(compare((struct qr){1001, 400, 8, 0, 1}, here) > 0);
	assert_true(compare(here, (struct qr){1000, 500, 16, 1, 5}) < 0);
	/* what is missing comes last, and is alike in both */
	assert_true(compare(here, (struct qr){1000, 500, NAN, 0, 4}) < 0);
	assert_true(compare((struct qr){1000, 500, NAN, 0, 4}, here) > 0);
	assert_int_equal(
		compare((struct qr){1000, 500, NAN, 1, 4}, (struct qr){1000, 500, NAN, 1, 4}), 0);
	assert_true(compare((struct qr){1000, 500, NAN, 1, 4}, (struct qr){1000, 500, NAN, 1, 8}) <
		    0);
}

TEST_GROUP(set_up, free_app)
