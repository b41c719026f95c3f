#include "tests/support/check.h"

#include "models/cluster_speedup.h"

/* The slides' hardware: a core of 8 GFlop/s, 1.5 GByte/s between nodes. */
static const struct cluster bwgrid = {8e9, 1.5e9};

static struct cluster_speedup run(enum kernel_kind kind, double n, double p)
{
	const struct kernel k = {kind, n, 8, 1.0 / 3};
	struct cluster_speedup s;

	must(cluster_speedup(&bwgrid, &k, p, &s, &err));
	return s;
}

/* Slides 15, 17, 19: x = 3 n / (64 p); y = n / 128 and r = 2 / (1 + log2(p) / 12). The matrix
 * product's x is 3 n / (128 sqrt p) by the slides' own parameters; their 3 n / (2048 sqrt p) is
 * not. */
TEST(x_of_the_three_kernels_is_that_of_their_parameters)
{
	struct cluster_speedup s = run(KERNEL_SCALAR_PRODUCT, 1e6, 50);

	check_rel(s.x, 3e6 / (64 * 50), 1e-14);
	check_rel(run(KERNEL_MATRIX_PRODUCT, 10000, 64).x, 3e4 / (128 * 8), 1e-14);
	s = run(KERNEL_LINPACK, 10000, 4096);
	check_rel(s.y, 10000.0 / 128, 1e-14);
	check_rel(s.r, 1.0, 1e-14); /* log2(4096) = 12: where the shortcut r = 1 is exact */
	check_rel(run(KERNEL_LINPACK, 10000, 1).r, 2.0, 1e-14);
}

/* S = (1 + x) / (1 + x/p): x = 29.296875 on 64 units gives 30.296875 / 1.4577637 = 20.7831. */
TEST(speed_up_by_hand)
{
	struct cluster_speedup s = run(KERNEL_MATRIX_PRODUCT, 10000, 64);

	check_rel(s.speedup, 20.7831, 1e-6);
	check_rel(s.l_flops, 64 * 8e9 * (29.296875 / 64) / (1 + 29.296875 / 64), 1e-14);
	check_rel(run(KERNEL_LINPACK, 10000, 1).speedup, 1.0, 1e-15);
	/* nothing to communicate for, so to speak: S goes to p */
	check_rel(run(KERNEL_SCALAR_PRODUCT, 1e15, 64).speedup, 64.0, 1e-9);
}

/* Slide 21 for n = 10000: "p = [80, 1300], l_max = 560 GFlop/s"; unrounded 78.125, 24 ln 2 78.125
 * and 562.5. Solved exactly p_1/2 is 100.5; the model itself has 630.6 GFlop/s at p = 1300. */
TEST(linpack_on_bwgrid_exactly_and_by_the_shortcut)
{
	struct cluster_speedup s = run(KERNEL_LINPACK, 10000, 1300);

	check_rel(s.p_half_short, 78.125, 1e-14);
	/* slide 19, S with x = n / 128: 79.125 / (1 + 78.125 / p) */
	check_rel(s.speedup_short, 74.6395, 1e-6);
	check_rel(run(KERNEL_LINPACK, 10000, 80).speedup_short, 40.0316, 1e-6);
	assert_true(isnan(run(KERNEL_MATRIX_PRODUCT, 10000, 80).speedup_short));
	check_rel(s.p_max_short, 1299.65, 1e-5);
	check_rel(s.l_max_short_flops, 562.5e9, 1e-14);
	check_abs(s.p_half, 100.5, 0.05);
	check_rel(s.p_max, 1299.65, 1e-5);
	check_abs(s.l_flops, 630.6e9, 0.05e9);
	check_rel(s.l_max_flops, s.l_flops, 1e-6);
}

/* y r(p) = p and dl/dp = 0, put back into the model. */
TEST(the_best_sizes_are_what_they_are_called)
{
	for (int kind = KERNEL_SCALAR_PRODUCT; kind <= KERNEL_LINPACK; kind++) {
		enum kernel_kind k = (enum kernel_kind)kind;
		struct cluster_speedup s = run(k, 20000, 1);
		double max_flops = run(k, 20000, s.p_max).l_flops;

		check_rel(run(k, 20000, s.p_half).l_flops, s.p_half * 8e9 / 2, 1e-12);
		check_rel(s.l_max_flops, max_flops, 1e-12);
		assert_true(run(k, 20000, s.p_max * 1.01).l_flops < max_flops);
		assert_true(run(k, 20000, s.p_max * 0.99).l_flops < max_flops);
		assert_true(kind == KERNEL_LINPACK || isnan(s.p_half_short));
	}
}

/* Closed forms: p_1/2 = sqrt(3n/64) and (3n/128)^(2/3); p_max = sqrt(3n/64) and (3n/64)^(2/3). */
TEST(closed_forms_of_the_other_kernels)
{
	check_rel(run(KERNEL_SCALAR_PRODUCT, 1e7, 1).p_half, sqrt(468750), 1e-13);
	check_rel(run(KERNEL_SCALAR_PRODUCT, 1e7, 1).p_max, sqrt(468750), 1e-13);
	check_rel(run(KERNEL_MATRIX_PRODUCT, 10000, 1).p_half, pow(234.375, 2.0 / 3), 1e-13);
	check_rel(run(KERNEL_MATRIX_PRODUCT, 10000, 1).p_max, pow(468.75, 2.0 / 3), 1e-13);
}

/* y = 3n / 64 of the scalar product, and p^2 = y: the search begins between 1 and 2 units. */
TEST(half_performance_may_lie_below_two_units)
{
	check_rel(run(KERNEL_SCALAR_PRODUCT, 2 * 64 / 3.0, 1).p_half, sqrt(2), 1e-13);
	check_rel(run(KERNEL_SCALAR_PRODUCT, 3.24 * 64 / 3, 1).p_half, 1.8, 1e-13);
}

TEST(a_problem_too_small_for_one_unit_has_no_half_performance)
{
	struct cluster_speedup s = run(KERNEL_SCALAR_PRODUCT, 10, 1); /* y = 30/64 < 1 */

	assert_true(isnan(s.p_half));
	check_abs(s.p_max, 1, 0);
}

/* Both kinds alike and the work even: x = (#op / l) (b_c / #x) = 1 1.5 / 0.1 = 15, p = 4. */
TEST(two_kinds_that_are_alike_are_the_homogeneous_case)
{
	const struct unit_kind kind[] = {{1, 8e9, 0.25}, {3, 8e9, 0.75}};
	struct mixed_speedup s;

	must(cluster_speedup_mixed(kind, 2, 1.5e9, 8e9, 0.1e9, &s, &err));
	check_rel(s.speedup, (1 + 15) / (1 + 15.0 / 4), 1e-14);
	check_rel(s.time_s, 0.25 + 0.1 / 1.5, 1e-14);
}

/* 1 and 2 GFlop/s, 1e9 operations, nothing communicated. Half each: the slow one takes 0.5 s; in
 * proportion to speed both take 1/3 s. */
TEST(uneven_units_wait_for_the_one_that_computes_longest)
{
	const struct unit_kind half[] = {{1, 1e9, 0.5}, {1, 2e9, 0.5}};
	const struct unit_kind fair[] = {{1, 1e9, 1.0 / 3}, {1, 2e9, 2.0 / 3}};
	struct mixed_speedup s;

	must(cluster_speedup_mixed(half, 2, 1e9, 1e9, 0, &s, &err));
	check_rel(s.time_s, 0.5, 1e-14);
	check_rel(s.speedup, 2.0, 1e-14);
	assert_int_equal(s.slowest, 0);
	must(cluster_speedup_mixed(fair, 2, 1e9, 1e9, 0, &s, &err));
	check_rel(s.time_s, 1.0 / 3, 1e-14);
	check_rel(s.l_flops, 3e9, 1e-14);
}

/* The way back of l_max = (n b_c / 3w) 9/10: 562.5 GFlop/s at n = 10000 is 1.5 GByte/s. */
TEST(the_effective_bandwidth_gives_back_that_of_the_model)
{
	double b = 0;

	must(cluster_effective_bandwidth(562.5e9, 10000, 8, &b, &err));
	check_rel(b, 1.5e9, 1e-14);
}

TEST(bad_values_are_named_and_out_is_untouched)
{
	const struct kernel good = {KERNEL_LINPACK, 10000, 8, 1.0 / 3},
			    bad = {KERNEL_LINPACK, 1, 8, 0};
	const struct cluster no_network = {8e9, 0};
	const struct unit_kind short_of_1[] = {{1, 1e9, 0.5}, {1, 1e9, 0.4}};
	const struct unit_kind none[] = {{0, 1e9, 1}};
	struct cluster_speedup s = {.y = 77};
	struct mixed_speedup m = {.time_s = 77};
	double b = 77;

	must_fail(cluster_speedup(&no_network, &good, 2, &s, &err), ERR_ARG, "b_c = 0");
	assert_int_equal(cluster_speedup(&bwgrid, &good, 0.5, &s, NULL), ERR_ARG);
	assert_int_equal(cluster_speedup(&bwgrid, &bad, 2, &s, NULL), ERR_ARG);
	must_fail(cluster_speedup_mixed(short_of_1, 2, 1e9, 1, 0, &m, &err), ERR_ARG, "sum to 0.9");
	assert_int_equal(cluster_speedup_mixed(none, 1, 1e9, 1, 0, &m, NULL), ERR_ARG);
	assert_int_equal(cluster_effective_bandwidth(1, 0, 8, &b, NULL), ERR_ARG);
	check_abs(s.y, 77, 0);
	check_abs(m.time_s, 77, 0);
	check_abs(b, 77, 0);
}

/* 2 of 1, 1 of 2 and 4 of 3 GFlop/s make 16 GFlop/s; by peak all kinds compute for 1/16 of the
 * 1e9 operations' seconds. The kind that is slowest decides otherwise: half of all on the first. */
TEST(any_number_of_kinds_ends_together_when_shared_by_peak)
{
	struct unit_kind kind[] = {{2, 1e9, 0}, {1, 2e9, 0}, {4, 3e9, 0}};
	struct mixed_speedup s;

	cluster_share_by_peak(kind, 3);
	check_rel(kind[0].share, 2.0 / 16, 1e-15);
	check_rel(kind[2].share, 12.0 / 16, 1e-15);
	must(cluster_speedup_mixed(kind, 3, 1e9, 1e9, 0, &s, &err));
	check_rel(s.time_s, 1.0 / 16, 1e-14);
	check_rel(s.l_flops, 16e9, 1e-14);
	kind[0].share = 0.5;
	kind[1].share = 0.1;
	kind[2].share = 0.4;
	must(cluster_speedup_mixed(kind, 3, 1e9, 1e9, 0, &s, &err));
	assert_int_equal(s.slowest, 0);
	check_rel(s.time_s, 0.25, 1e-14);
}
