#include "tests/support/check.h"

#include "models/sweep.h"

static const struct sweep good = {280, 280, 255, 8, 16, 10, 3, 6};

TEST(blocks_are_those_of_the_largest_sub_grid)
{
	/* it = 280/8 = 35, jt = ceil(280/16) = 18, ceil(255/10) = 26 k blocks, 2 angle groups. */
	struct sweep_block b;

	must(sweep_block_of(&good, &b, &err));
	assert_int_equal(b.it, 35);
	assert_int_equal(b.jt, 18);
	assert_int_equal(b.k_blocks, 26);
	assert_int_equal(b.angle_groups, 2);
	check_abs(b.n_block, 52, 0);
	check_abs(b.cell_angles, 3 * 10 * 35 * 18, 0);
	check_abs(b.ew_bytes, 8 * 18 * 10 * 3, 0);
	check_abs(b.ns_bytes, 8 * 35 * 10 * 3, 0);
}

static void check_refused(struct sweep s, const char *why)
{
	struct sweep_block b = {.it = 77};

	must_say(sweep_block_of(&s, &b, &err), ERR_ARG, why);
	assert_int_equal(b.it, 77);
}

TEST(what_is_not_a_configuration_is_refused_with_the_reason)
{
	struct sweep s;

	check_refused((s = good, s.npe_i = 281, s), "npe_i = 281 must not exceed it_g = 280");
	check_refused((s = good, s.npe_j = 281, s), "npe_j = 281 must not exceed jt_g = 280");
	check_refused((s = good, s.mk = 256, s), "mk = 256 must not exceed kt = 255");
	check_refused((s = good, s.mmi = 5, s), "mmi = 5 must divide mm = 6");
	check_refused((s = good, s.kt = 0, s), "kt = 0 must be from 1 to 1000000000");
	check_refused((s = good, s.mm = INT64_MIN, s),
		      "mm = -9223372036854775808 must be from 1 to 1000000000");
	check_refused((s = good, s.it_g = INT64_MAX, s),
		      "it_g = 9223372036854775807 must be from 1 to 1000000000");
}

TEST(the_largest_counts_do_not_overflow)
{
	const int64_t x = SWEEP_MAX_COUNT;
	const struct sweep s = {x, x, x, 1, 1, x, x, x};
	struct sweep_block b;

	must(sweep_block_of(&s, &b, &err));
	check_rel(b.cell_angles, 1e36, 1e-15);
}

/* --- whole runs */

static const struct sweep_time plain = {2, {1, 0.5, 0.25, 0.25, 0}};
static const struct sweep_time fixup = {3, {2, 0.5, 0.25, 0.25, 0}};

TEST(iterations_after_the_7th_do_fix_ups)
{
	/* 2 groups * 3 time steps * (0.5 + 7*2 + 5*3 + 0.25) = 6 * 29.75; compute 6 (7 + 5*2). */
	const struct sweep_run run = {12, 2, 3, 0, 0, 0.5, 0.25};
	struct sweep_time t;

	must(sweep_run_time(&run, &plain, &fixup, &t, &err));
	check_abs(t.time_s, 178.5, 0);
	check_abs(t.parts.compute_s, 102, 0);
	check_abs(t.parts.comm_s, 36, 0);
	check_abs(t.parts.fill_s, 18, 0);
	check_abs(t.parts.sync_s, 18, 0);
	check_abs(t.parts.other_s, 4.5, 0);
	check_abs(breakdown_total_s(&t.parts), t.time_s, 0);
}

TEST(seven_iterations_have_no_fix_ups_and_eight_have_one)
{
	struct sweep_run run = {.iterations = 7, .groups = 1, .timesteps = 1};
	struct sweep_time t;

	must(sweep_run_time(&run, &plain, &fixup, &t, &err));
	check_abs(t.time_s, 14, 0);
	run.iterations = 8;
	must(sweep_run_time(&run, &plain, &fixup, &t, &err));
	check_abs(t.time_s, 17, 0);
	run.iterations = 1;
	must(sweep_run_time(&run, &plain, &fixup, &t, &err));
	check_abs(t.time_s, 2, 0);
}

TEST(a_nonsense_run_is_an_error)
{
	const struct sweep_run ok = {.iterations = 12, .groups = 30, .timesteps = 10000};
	const struct sweep_time huge = {.time_s = 1e306};
	struct sweep_run run;
	struct sweep_time t = {.time_s = 77};

	run = ok;
	run.groups = 0;
	must_fail(sweep_run_time(&run, &plain, &fixup, &t, &err), ERR_ARG, "groups = 0");
	run = ok;
	run.W_before_s = -1;
	assert_int_equal(sweep_run_time(&run, &plain, &fixup, &t, &err), ERR_ARG);
	run = ok;
	run.W_after_s = NAN;
	assert_int_equal(sweep_run_time(&run, &plain, &fixup, &t, &err), ERR_ARG);
	assert_int_equal(sweep_run_time(&ok, &huge, &huge, &t, &err), ERR_ARG);
	check_abs(t.time_s, 77, 0);
}
