#include "tests/support/check.h"

#include "models/taskgraph/contention.h"

/* One station; activities of which all the time is on it, unless a test says otherwise. */
static void init(struct contention *c)
{
	must(contention_init(c, 8, 1, &err));
}

static void join(struct contention *c, uint32_t activity, double base_s, double now_s)
{
	must(contention_join(c, 0, activity, base_s, base_s, now_s, &err));
}

/* Returns when the next activity ends. */
static double settle(struct contention *c, double now_s, bool want_solved)
{
	bool solved;

	must(contention_settle(c, 0, now_s, &solved, &err));
	assert_int_equal(solved, want_solved);
	return c->station[0].next_s;
}

TEST(alone_it_takes_its_own_time)
{
	RELEASED(contention) c;

	init(&c);
	assert_true(settle(&c, 0, false) == INFINITY);
	join(&c, 3, 0.7, 10);
	check_abs(settle(&c, 10, false), 10 + 0.7, 0);
	assert_int_equal(contention_take_ended(&c, 0, 10 + 0.7), 3);
	assert_int_equal(contention_take_ended(&c, 0, 10 + 0.7), CONTENTION_NONE);
	assert_true(settle(&c, 11, false) == INFINITY);
}

/* 2 s each, begun at 0 and 1: the first has done half, and takes 2 s for the other half, to 3; by
 * then the second has done half and takes 1 s alone, to 4. */
TEST(the_share_done_is_kept_when_the_pace_changes)
{
	RELEASED(contention) c;

	init(&c);
	join(&c, 0, 2, 0);
	check_abs(settle(&c, 0, false), 2, 0);
	join(&c, 1, 2, 1);
	check_rel(settle(&c, 1, true), 3.0, 1e-12);
	assert_int_equal(contention_take_ended(&c, 0, c.station[0].next_s), 0);
	assert_int_equal(contention_take_ended(&c, 0, c.station[0].at_s), CONTENTION_NONE);
	check_rel(settle(&c, c.station[0].at_s, false), 4.0, 1e-12);
}

/* Activities 0 and 1 of a class; 0 ends when 2, alike, begins: still two, no new solution. */
TEST(one_goes_and_one_like_it_comes)
{
	RELEASED(contention) c;

	init(&c);
	join(&c, 0, 1, 0);
	settle(&c, 0, false);
	join(&c, 1, 1, 0.5);
	check_rel(settle(&c, 0.5, true), 1.5, 1e-12);
	assert_int_equal(contention_take_ended(&c, 0, 1.5), 0);
	join(&c, 2, 1, 1.5);
	check_rel(settle(&c, 1.5, false), 2.5, 1e-12); /* 1 has done half, and takes 2 s in all */
}

/* 0 and 1 at half pace from 0; 0 is given up at 1, when 1 has done half: 1 ends at 1.5. */
TEST(who_is_withdrawn_is_in_nobodys_way)
{
	RELEASED(contention) c;

	init(&c);
	join(&c, 0, 1, 0);
	join(&c, 1, 1, 0);
	check_rel(settle(&c, 0, true), 2.0, 1e-12);
	contention_withdraw(&c, 0, 0, 1, 1, 1);
	check_rel(settle(&c, 1, false), 1.5, 1e-12);
	assert_int_equal(contention_take_ended(&c, 0, c.station[0].next_s), 1);
	assert_int_equal(contention_take_ended(&c, 0, c.station[0].at_s), CONTENTION_NONE);
}

/* A microsecond after a million seconds is below what a double tells apart by much: what is due
 * still ends, at once and in turn. */
TEST(late_and_short_activities_end)
{
	RELEASED(contention) c;
	double now_s = 1e6;

	init(&c);
	for (uint32_t k = 0; k < 4; k++)
		join(&c, k, 1e-11 * (k + 1), now_s);
	for (int ended = 0; ended < 4;) {
		now_s = settle(&c, now_s, c.station[0].n > 1);
		assert_true(now_s < 1e6 + 1e-6);
		while (contention_take_ended(&c, 0, now_s) != CONTENTION_NONE)
			ended++;
	}
}
