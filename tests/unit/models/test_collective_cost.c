#include "tests/support/check.h"

#include "models/collective_cost.h"
#include "tests/support/failing_allocations.h"

/* Liu et al. 2000, section 5: a broadcast on the SP2 takes 52 log2 n + (0.029 log2 n) m us. */
static const struct collective_cost sp2_broadcast = {
	.t0_stage_s = 52e-6,
	.stage_s_per_byte = 0.029e-6,
};

enum { N_SIZES = 5, N_NODES = 4, N = N_SIZES * N_NODES };
static double bytes[N], nodes[N], time_s[N];

static void measure(const struct collective_cost *c)
{
	static const double size[N_SIZES] = {0, 128, 1024, 65536, 1 << 20};
	static const double count[N_NODES] = {2, 4, 8, 32};

	for (size_t i = 0; i < N; i++) {
		bytes[i] = size[i % N_SIZES];
		nodes[i] = count[i / N_SIZES];
		time_s[i] = collective_time_s(c, bytes[i], nodes[i]);
	}
}

static struct collective_fit fit(size_t n)
{
	struct collective_fit f;

	must(collective_fit_find(bytes, nodes, time_s, n, &f, &err));
	return f;
}

/* 8 nodes are 3 stages: 156 us and 0.087 us a byte. */
TEST(the_broadcast_of_the_sp2_comes_back)
{
	RELEASED(collective_fit) f;

	check_rel(collective_time_s(&sp2_broadcast, 1000, 8), 243e-6, 1e-14);
	check_abs(collective_time_s(&sp2_broadcast, 1000, 1), 0, 0);
	measure(&sp2_broadcast);
	f = fit(N);
	assert_int_equal(f.n_lines, N_NODES);
	check_abs(f.line[2].nodes, 8, 0);
	assert_int_equal(f.line[2].n, N_SIZES);
	check_rel(f.line[2].t0_s, 156e-6, 1e-12);
	check_rel(f.line[2].s_per_byte, 0.087e-6, 1e-12);
	check_rel(f.law.t0_stage_s, 52e-6, 1e-12);
	check_rel(f.law.stage_s_per_byte, 0.029e-6, 1e-12);
	check_abs(f.law.t0_s, 0, 0);
	check_abs(f.law.s_per_byte, 0, 0);
	check_abs(f.law_misfit, 0, 1e-12);
}

TEST(all_four_coefficients_are_found)
{
	const struct collective_cost c = {94e-6, 10e-6, 0.01e-6, 0.003e-6};
	RELEASED(collective_fit) f;

	measure(&c);
	f = fit(N);
	check_rel(f.law.t0_s, 94e-6, 1e-10);
	check_rel(f.law.t0_stage_s, 10e-6, 1e-10);
	check_rel(f.law.s_per_byte, 0.01e-6, 1e-10);
	check_rel(f.law.stage_s_per_byte, 0.003e-6, 1e-10);
}

/* Two sizes on one number of nodes: a line, and no law over the nodes. One size: neither. */
TEST(what_measurements_do_not_tell_is_not_made_up)
{
	struct collective_fit f;

	measure(&sp2_broadcast);
	f = fit(N_SIZES);
	assert_int_equal(f.n_lines, 1);
	check_rel(f.line[0].t0_s, 52e-6, 1e-12);
	assert_true(isnan(f.law.t0_s) && isnan(f.law_misfit));
	collective_fit_release(&f);
	f = fit(1);
	assert_true(isnan(f.line[0].t0_s) && isnan(f.line[0].misfit));
	collective_fit_release(&f);
}

/* One time a tenth too long: no line goes through all, none is off by more than that. */
TEST(the_misfit_is_the_largest_relative_error)
{
	RELEASED(collective_fit) f;

	measure(&sp2_broadcast);
	time_s[3] *= 1.1;
	f = fit(N);
	assert_true(f.line[0].misfit > 0.01 && f.line[0].misfit < 0.1);
	check_abs(f.line[1].misfit, 0, 1e-12);
	assert_true(f.law_misfit > 0.01 && f.law_misfit < 0.1);
}

TEST(what_is_no_measurement_is_an_error)
{
	struct collective_fit f = {.n_lines = 77};

	assert_int_equal(collective_fit_find(bytes, nodes, time_s, 0, &f, &err), ERR_NODATA);
	measure(&sp2_broadcast);
	nodes[4] = 0.5;
	must_fail(collective_fit_find(bytes, nodes, time_s, N, &f, &err), ERR_ARG, "measurement 5");
	nodes[4] = 2;
	time_s[0] = NAN;
	assert_int_equal(collective_fit_find(bytes, nodes, time_s, N, &f, NULL), ERR_ARG);
	assert_int_equal(f.n_lines, 77);
}

TEST(without_memory_there_is_no_fit)
{
	RELEASED(collective_fit) f = {0};

	measure(&sp2_broadcast);
	failing_each_allocation (collective_fit_find(bytes, nodes, time_s, N, &f, &err), &err)
		assert_null(f.line);
	assert_int_equal(f.n_lines, N_NODES);
}
