#include "tests/support/check.h"

#include "models/scaling.h"

static const int64_t procs[] = {1, 2, 4, 8, 16};

static void scaling_stops_where_doubling_saves_less_than_a_tenth(void **state)
{
	/* saves 50 %, 20 %, 7.5 %, 2.7 % */
	const double time_s[] = {100, 50, 40, 37, 36};
	struct scaling s = scaling_find(procs, time_s, 5);

	(void)state;
	assert_int_equal(s.stops_at, 4);
	assert_int_equal(s.fastest, 16);
	assert_int_equal(s.rises_at, 0);
}

static void a_time_that_rises_again_is_told(void **state)
{
	const double time_s[] = {100, 50, 30, 29, 33};
	struct scaling s = scaling_find(procs, time_s, 5);

	(void)state;
	assert_int_equal(s.stops_at, 4);
	assert_int_equal(s.fastest, 8);
	assert_int_equal(s.rises_at, 16);
}

/* Messages that get short enough not to block bring a gain after a pause. */
static void a_pause_is_no_end(void **state)
{
	const double time_s[] = {100, 50, 49, 30, 29};

	(void)state;
	assert_int_equal(scaling_find(procs, time_s, 5).stops_at, 8);
}

static void what_scales_to_the_end_has_no_end(void **state)
{
	const double time_s[] = {100, 50, 25, 12.5, 6.25};
	struct scaling s = scaling_find(procs, time_s, 5);

	(void)state;
	assert_int_equal(s.stops_at, 0);
	assert_int_equal(s.fastest, 16);
	assert_int_equal(scaling_find(procs, time_s, 1).stops_at, 0);
}

static void what_never_gains_stops_at_once(void **state)
{
	const double time_s[] = {10, 10, 11};
	struct scaling s = scaling_find(procs, time_s, 3);

	(void)state;
	assert_int_equal(s.stops_at, 1);
	assert_int_equal(s.fastest, 1);
	assert_int_equal(s.rises_at, 0); /* equal with two */
}

static void a_tenth_exactly_is_a_gain(void **state)
{
	const double time_s[] = {100, 90, 89};

	(void)state;
	assert_int_equal(scaling_find(procs, time_s, 3).stops_at, 2);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(scaling_stops_where_doubling_saves_less_than_a_tenth),
	cmocka_unit_test(a_time_that_rises_again_is_told),
	cmocka_unit_test(a_pause_is_no_end),
	cmocka_unit_test(what_scales_to_the_end_has_no_end),
	cmocka_unit_test(what_never_gains_stops_at_once),
	cmocka_unit_test(a_tenth_exactly_is_a_gain),
};
CHECK_MAIN(tests)
