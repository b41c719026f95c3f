#include "tests/support/check.h"

#include "models/scaling.h"

static const int64_t procs[] = {1, 2, 4, 8, 16};

TEST(scaling_stops_where_doubling_saves_less_than_a_tenth)
{
	/* saves 50 %, 20 %, 7.5 %, 2.7 % */
	const double time_s[] = {100, 50, 40, 37, 36};
	struct scaling s = scaling_find(procs, time_s, 5);

	assert_int_equal(s.stops_at, 4);
	assert_int_equal(s.fastest, 16);
	assert_int_equal(s.rises_at, 0);
}

TEST(a_time_that_rises_again_is_told)
{
	const double time_s[] = {100, 50, 30, 29, 33};
	struct scaling s = scaling_find(procs, time_s, 5);

	assert_int_equal(s.stops_at, 4);
	assert_int_equal(s.fastest, 8);
	assert_int_equal(s.rises_at, 16);
}

/* Messages that get short enough not to block bring a gain after a pause. */
TEST(a_pause_is_no_end)
{
	const double time_s[] = {100, 50, 49, 30, 29};

	assert_int_equal(scaling_find(procs, time_s, 5).stops_at, 8);
}

TEST(what_scales_to_the_end_has_no_end)
{
	const double time_s[] = {100, 50, 25, 12.5, 6.25};
	struct scaling s = scaling_find(procs, time_s, 5);

	assert_int_equal(s.stops_at, 0);
	assert_int_equal(s.fastest, 16);
	assert_int_equal(scaling_find(procs, time_s, 1).stops_at, 0);
}

/* 1 -> 4 is two doublings, which must save 1 - 0.9^2 = 19 %; 4 -> 6 is log2(1.5) of one: 6 %. */
TEST(a_step_of_any_size_is_judged_by_its_doublings)
{
	static const int64_t counts[] = {1, 4, 6};
	const double enough[] = {100, 80.9, 76}, too_little[] = {100, 81.1, 77};

	assert_int_equal(scaling_find(counts, enough, 2).stops_at, 0);
	assert_int_equal(scaling_find(counts, enough, 3).stops_at, 0);
	assert_int_equal(scaling_find(counts, too_little, 3).stops_at, 1);
}

TEST(processors_are_used_well_up_to_the_first_bad_efficiency)
{
	const double efficiency[] = {1, 0.9, 0.5, 0.4, 0.6};

	assert_int_equal(scaling_efficient_to(procs, efficiency, 5, 0.5), 4);
	assert_int_equal(scaling_efficient_to(procs, efficiency, 5, 0.3), 16);
	assert_int_equal(scaling_efficient_to(procs, efficiency, 5, 1.1), 0);
}

TEST(what_never_gains_stops_at_once)
{
	const double time_s[] = {10, 10, 11};
	struct scaling s = scaling_find(procs, time_s, 3);

	assert_int_equal(s.stops_at, 1);
	assert_int_equal(s.fastest, 1);
	assert_int_equal(s.rises_at, 0); /* equal with two */
}

TEST(a_tenth_exactly_is_a_gain)
{
	const double time_s[] = {100, 90, 89};

	assert_int_equal(scaling_find(procs, time_s, 3).stops_at, 2);
}
