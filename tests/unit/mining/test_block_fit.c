#include "tests/support/check.h"

#include "mining/block_fit.h"
#include "tests/support/mining_set_up.h"

/* Blocks of six sub-grids and three shapes, as lemnos calibrate --run measures them. */
enum { N = 18 };

/* wg by the formula of block_fit.h, in nanoseconds, written out once more. */
static void make(double cell, double line, double plane, double block, struct block_time *out)
{
	static const double grid[][2] = {{4, 4}, {10, 10}, {25, 25}, {50, 50}, {10, 50}, {50, 10}};
	static const double shape[][2] = {{1, 1}, {4, 3}, {16, 6}};

	for (size_t i = 0; i < N; i++) {
		double it = grid[i / 3][0], jt = grid[i / 3][1];
		double mk = shape[i % 3][0], mmi = shape[i % 3][1];
		double work =
			cell * it * jt * mk * mmi + line * jt * mk * mmi + plane * mk * mmi + block;

		out[i] = (struct block_time){it, jt, mk, mmi, 1e-9 * work / (it * jt * mk * mmi)};
	}
}

TEST(each_cost_is_named_with_what_shares_it)
{
	assert_string_equal(block_term_name(BLOCK_CELL), "cell");
	assert_string_equal(block_term_name(BLOCK_LINE), "line");
	assert_string_equal(block_term_name(BLOCK_PLANE), "plane");
	assert_string_equal(block_term_name(BLOCK_BLOCK), "block");
	assert_string_equal(block_term_divisor(BLOCK_CELL), "");
	assert_string_equal(block_term_divisor(BLOCK_LINE), " / it");
	assert_string_equal(block_term_divisor(BLOCK_PLANE), " / (it jt)");
	assert_string_equal(block_term_divisor(BLOCK_BLOCK), " / (it jt mk mmi)");
}

TEST(known_costs_come_back)
{
	struct block_time time[N];
	struct block_fit fit;

	make(4, 6, 30, 50, time);
	must(block_fit(time, N, &fit, &err));
	assert_int_equal(fit.n, N);
	for (int t = 0; t < BLOCK_TERMS; t++)
		assert_true(fit.known[t]);
	check_rel(fit.value_s[BLOCK_CELL], 4e-9, 1e-9);
	check_rel(fit.value_s[BLOCK_LINE], 6e-9, 1e-9);
	check_rel(fit.value_s[BLOCK_PLANE], 30e-9, 1e-9);
	check_rel(fit.value_s[BLOCK_BLOCK], 50e-9, 1e-9);
	assert_true(fit.relative_error < 1e-9 && fit.worst < 1e-9);
	/* by hand: 4 + 6 / 10 + 30 / 100 + 50 / (100 * 2 * 3) = 4.98333... ns */
	check_rel(block_fit_wg(&fit, 10, 10, 2, 3), (4.9 + 50.0 / 600) * 1e-9, 1e-9);
}

TEST(terms_that_cost_nothing_are_not_identifiable)
{
	struct block_time time[N];
	struct block_fit fit;

	make(4, 6, 0, 0, time);
	/* 1 % of made noise: what is 0 is not told from it */
	for (uint64_t i = 0; i < N; i++)
		time[i].wg_s *= 1 + 0.01 *
					    (i % 3 == 0	  ? 1
					     : i % 3 == 1 ? -1
							  : 0) *
					    (i % 2 ? 1 : -1);
	must(block_fit(time, N, &fit, &err));
	assert_true(fit.known[BLOCK_CELL] && fit.known[BLOCK_LINE]);
	assert_false(fit.known[BLOCK_PLANE]);
	assert_false(fit.known[BLOCK_BLOCK]);
	check_abs(fit.value_s[BLOCK_PLANE], 0, 0);
	check_rel(fit.value_s[BLOCK_CELL], 4e-9, 0.02); /* noise of 1 %, 18 blocks */
	check_rel(fit.value_s[BLOCK_LINE], 6e-9, 0.1);
	/* two thirds of the blocks are 1 % off: sqrt(12 / (18 - 2)) % */
	check_rel(fit.relative_error, 0.01 * sqrt(12.0 / 16), 0.2);
	assert_in_range((int)(1e4 * fit.std_error_s[BLOCK_CELL] / fit.value_s[BLOCK_CELL]), 10, 60);
}

/* A cost below zero is none. */
TEST(a_negative_cost_is_dropped)
{
	struct block_time time[N];
	struct block_fit fit;

	make(4, 6, -3, 0, time);
	must(block_fit(time, N, &fit, &err));
	assert_false(fit.known[BLOCK_PLANE]);
	for (int t = 0; t < BLOCK_TERMS; t++)
		assert_true(fit.value_s[t] >= 0);
}

TEST(the_worst_block_is_named)
{
	struct block_time time[N];
	struct block_fit fit;

	make(4, 6, 0, 0, time);
	time[7].wg_s *= 2;
	must(block_fit(time, N, &fit, &err));
	assert_int_equal(fit.i_worst, 7);
	assert_true(fit.worst > 0.3 && fit.worst < 0.55); /* half of it is right */
}

TEST(too_few_blocks_and_nonsense_are_refused)
{
	struct block_time time[N];
	struct block_fit fit = {.n = 77};

	make(4, 6, 30, 50, time);
	must_fail(block_fit(time, 5, &fit, &err), ERR_NODATA, "5 blocks: a fit needs at least 6");
	time[3].wg_s = 0;
	must_fail(block_fit(time, N, &fit, &err), ERR_ARG, "block 3: 0 s");
	time[3].it = 0;
	must_fail(block_fit(time, N, &fit, &err), ERR_ARG, "block 3: 0 x");
	/* one sub-grid, one block: which cost is whose? */
	for (size_t i = 0; i < N; i++)
		time[i] = time[0];
	assert_int_equal(block_fit(time, N, &fit, &err), ERR_NUMERIC);
	assert_int_equal(fit.n, 77);
}

/* Lines of one length: a cell and the it-th part of a line's start are one cost. Rounding may leave
 * a little of the second. */
TEST(lines_of_one_length_do_not_tell_cells_from_lines)
{
	struct block_time time[N];
	struct block_fit fit;

	for (int it = 3; it <= 60; it++) {
		make(4, 6, 30, 50, time);
		for (size_t i = 0; i < N; i++)
			time[i].it = it;
		assert_int_equal(block_fit(time, N, &fit, &err), ERR_NUMERIC);
	}
}

TEST_GROUP(mining_set_up, NULL)
