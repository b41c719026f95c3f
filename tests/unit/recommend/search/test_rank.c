#include "tests/support/check.h"

#include "recommend/search/rank.h"

/* 4 nodes for 1800 s: 2 node-hours. */
static const struct feasibility half_an_hour = {.nodes = 4,
						.time_s = 1800,
						.p_meet = 0.75,
						.p_budget = 1,
						.promise_s = 2000,
						.support = SUPPORT_EDGE,
						.score_s = 1900,
						.in_time = true,
						.in_budget = true};

static void check_key(enum criterion c, const struct feasibility *o, double support, double first,
		      double second, double third)
{
	struct rank_key key = rank_key(c, o);

	check_abs(key.by[0], support, 0);
	check_abs(key.by[1], first, 0);
	check_abs(key.by[2], second, 0);
	check_abs(key.by[3], third, 0);
}

TEST(each_criterion_minimises_what_its_comment_says)
{
	struct feasibility late_and_dear = half_an_hour, unsure = half_an_hour;
	struct rank_key key;

	late_and_dear.in_time = late_and_dear.in_budget = false;
	check_key(FEWEST_NODES, &half_an_hour, SUPPORT_EDGE, 4, 2000, 1800);
	check_key(FASTEST, &half_an_hour, SUPPORT_EDGE, 1900, 1800, 4);
	check_key(FASTEST_ANY, &half_an_hour, 0, 1800, 4, 0);
	check_key(CHEAPEST, &half_an_hour, SUPPORT_EDGE, 4 * 2000, 2, 4);
	check_key(BALANCED, &half_an_hour, SUPPORT_EDGE, 2 * 1800, 1800, 0);
	check_key(SAFEST, &half_an_hour, SUPPORT_EDGE, -0.75, 2, 0);
	check_key(LEAST_BUDGET, &half_an_hour, 0, 4 * 2000, 2, 0);
	check_key(LEAST_BUDGET, &late_and_dear, 1, 4 * 2000, 2, 0);
	check_key(SOONEST, &half_an_hour, 0, 2000, 1800, 0);
	check_key(SOONEST, &late_and_dear, 1, 2000, 1800, 0);
	/* of two that miss a limit, neither is better supported in what was asked */
	check_key(SAFEST, &late_and_dear, SUPPORT_OUTSIDE + 1, -0.75, 2, 0);
	/* no promise is so sure: what is expected decides, and no comparison is with NaN */
	unsure.promise_s = INFINITY;
	key = rank_key(CHEAPEST, &unsure);
	assert_true(isinf(key.by[1]));
	check_abs(key.by[2], 2, 0);
	key = rank_key_any_support(CHEAPEST, &half_an_hour);
	check_abs(key.by[0], 0, 0);
	check_abs(key.by[1], 4 * 2000, 0);
	check_abs(budget_time_s(2, 4), 1800, 0);
}

TEST(better_support_beats_any_cost)
{
	static const enum criterion cares[] = {FEWEST_NODES, FASTEST, CHEAPEST, BALANCED, SAFEST};
	struct feasibility inside = half_an_hour, cheap = half_an_hour;

	inside.support = SUPPORT_INSIDE;
	inside.nodes = 100;
	inside.p_meet = 0.7;
	cheap.time_s = cheap.promise_s = cheap.score_s = 1;
	for (size_t i = 0; i < sizeof cares / sizeof *cares; i++) {
		struct rank_key a = rank_key(cares[i], &inside), b = rank_key(cares[i], &cheap);
		struct rank_key any_a = rank_key_any_support(cares[i], &inside);
		struct rank_key any_b = rank_key_any_support(cares[i], &cheap);

		assert_true(rank_key_compare(&a, &b) < 0);
		assert_true(rank_key_compare(&any_a, &any_b) > 0);
	}
}

/* Of equal medians the one that is known better is the cheaper one. */
TEST(width_costs)
{
	struct feasibility wide = half_an_hour;
	struct rank_key a, b;

	wide.time_s *= 0.95;
	wide.promise_s *= 2;
	a = rank_key(CHEAPEST, &half_an_hour);
	b = rank_key(CHEAPEST, &wide);
	assert_true(rank_key_compare(&a, &b) < 0);
}

/* A best effort is what is likeliest in time; without a chance, or with one that differs by a
 * hundredth, what is promised soonest. */
TEST(likelier_goes_before_sooner)
{
	static const double chances[][2] = {{0.0001, 0.0049}, {0.04, 0.16}, {0.501, 0.511}};
	struct feasibility sooner = half_an_hour, likelier = half_an_hour;

	sooner.promise_s /= 2;
	for (int i = 0; i < 3; i++) {
		const bool with_chance = i == 1;
		struct rank_key a, b;

		sooner.p_meet = chances[i][0];
		likelier.p_meet = chances[i][1];
		a = rank_key(LIKELIEST, &likelier);
		b = rank_key(LIKELIEST, &sooner);
		assert_int_equal(rank_key_compare(&a, &b), with_chance ? -1 : 1);
	}
}

TEST(keys_compare_place_by_place)
{
	const struct rank_key a = {{1, 5, 3}}, b = {{1, 4, 9}}, c = {{1, 5, 4}}, d = {{0, 9, 9}};

	assert_int_equal(rank_key_compare(&a, &a), 0);
	assert_true(rank_key_compare(&a, &b) > 0 && rank_key_compare(&b, &a) < 0);
	assert_true(rank_key_compare(&a, &c) < 0 && rank_key_compare(&c, &a) > 0);
	assert_true(rank_key_compare(&d, &b) < 0);
}

TEST(who_may_win_depends_on_the_limits_kept)
{
	struct feasibility late = half_an_hour, dear = half_an_hour;

	late.in_time = false;
	dear.in_budget = false;
	for (int c = 0; c < N_CRITERIA; c++) {
		bool any = c == SOONEST || c == LIKELIEST || c == FASTEST_ANY || c == LEAST_BUDGET;

		assert_true(criterion_admits((enum criterion)c, &half_an_hour));
		assert_int_equal(criterion_admits((enum criterion)c, &late), any || c == SAFEST);
		assert_int_equal(criterion_admits((enum criterion)c, &dear), any);
	}
	assert_true(feasibility_keeps_limits_of(&half_an_hour, &late));
	assert_true(feasibility_keeps_limits_of(&late, &late));
	assert_false(feasibility_keeps_limits_of(&late, &half_an_hour));
	assert_false(feasibility_keeps_limits_of(&late, &dear));
	assert_false(feasibility_keeps_limits_of(&dear, &late));
}

static bool beats(double first_key, double procs, double p_meet, double row_0, double row_1)
{
	double winning_row[] = {3, 7};
	const struct winner w = {.set = true,
				 .key = {{10, 0, 0}},
				 .feasibility = half_an_hour,
				 .procs = 16,
				 .row = winning_row};
	const struct rank_key key = {{first_key, 0, 0}};
	const double row[] = {row_0, row_1};
	struct feasibility o = half_an_hour;

	o.p_meet = p_meet;
	return winner_is_beaten(&w, &key, &o, procs, row, 2);
}

/* Against a key of 10, 16 processors, a probability of 0.75 and the row 3, 7. */
TEST(ties_go_to_fewer_processors_likelier_then_smaller_values)
{
	const struct winner none = {0};
	const struct rank_key key = {{10, 0, 0}};

	assert_true(winner_is_beaten(&none, &key, &half_an_hour, 16, NULL, 0));
	assert_true(beats(9, 99, 0.1, 9, 9));
	assert_false(beats(11, 1, 0.9, 1, 1));
	assert_true(beats(10, 15, 0.1, 9, 9));
	assert_false(beats(10, 17, 0.9, 1, 1));
	assert_true(beats(10, 16, 0.8, 9, 9));
	assert_false(beats(10, 16, 0.7, 1, 1));
	assert_true(beats(10, 16, 0.75, 2, 9));
	assert_false(beats(10, 16, 0.75, 4, 1));
	assert_true(beats(10, 16, 0.75, 3, 6));
	assert_false(beats(10, 16, 0.75, 3, 8));
	assert_false(beats(10, 16, 0.75, 3, 7));
	assert_true(beats(10, 16, 0.75, NAN, 6));
	assert_false(beats(10, 16, 0.75, NAN, 7));
}

TEST(rows_are_equal_where_no_number_differs)
{
	const double a[] = {1, NAN, 3}, b[] = {1, 2, 3}, c[] = {1, 2, 4}, d[] = {0, 2, 3};

	assert_true(rows_are_equal(a, b, 3));
	assert_false(rows_are_equal(b, c, 3));
	assert_false(rows_are_equal(c, b, 3));
	assert_true(rows_are_equal(b, c, 2));
	assert_false(rows_are_equal(b, d, 3));
	assert_false(rows_are_equal(d, b, 1));
}
