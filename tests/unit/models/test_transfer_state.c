#include "tests/support/check.h"

#include "models/transfer_state.h"

static struct transfer_states find(const double *bytes, const double *time_s, size_t n,
				   double share)
{
	struct transfer_states s;

	must(transfer_states_find(bytes, time_s, n, share, &s, &err));
	return s;
}

static void check_range(const struct transfer_range *r, enum transfer_state state, double from,
			double to)
{
	assert_int_equal(r->state, state);
	check_abs(r->from_bytes, from, 0);
	check_abs(r->to_bytes, to, 0);
}

/* The SP2 of Liu et al.: 46 + 0.035 m us. Half of r_inf is reached at 46 / 0.035 = 1314 bytes, and
 * a curve that only rises has nothing congested. */
TEST(a_linear_cost_is_spare_below_half_performance_and_then_ideal)
{
	double bytes[20], time_s[20];
	RELEASED(transfer_states) s;

	for (size_t i = 0; i < 20; i++) {
		bytes[i] = (double)(2 << i);
		time_s[i] = 46e-6 + 0.035e-6 * bytes[i];
	}
	s = find(bytes, time_s, 20, TRANSFER_IDEAL_SHARE);
	assert_int_equal(s.n, 2);
	check_range(&s.range[0], TRANSFER_SPARE, 2, 1024);
	check_range(&s.range[1], TRANSFER_IDEAL, 2048, 1048576);
	check_rel(s.range[1].best_bytes_per_s, 1048576 / (46e-6 + 0.035e-6 * 1048576), 1e-14);
}

/* The shape of the paper's figure 3 for 2 nodes; its Table 1 has 4-128, 256-4K and from 8K on. The
 * bandwidths [bytes/us] are ours: the figure's are not legible. */
TEST(a_curve_that_falls_again_has_the_three_states_of_table_1)
{
	static const double bytes[] = {4,   8,	  16,	32,   64,   128,  256,
				       512, 1024, 2048, 4096, 8192, 16384};
	static const double per_us[] = {0.1, 0.2, 0.4, 0.8, 1.6, 3, 6, 8, 9, 9.5, 10, 4, 3};
	double time_s[13];
	struct transfer_states s;

	for (size_t i = 0; i < 13; i++)
		time_s[i] = bytes[i] / per_us[i] * 1e-6;
	s = find(bytes, time_s, 13, TRANSFER_IDEAL_SHARE);
	assert_int_equal(s.n, 3);
	check_range(&s.range[0], TRANSFER_SPARE, 4, 128);
	check_range(&s.range[1], TRANSFER_IDEAL, 256, 4096);
	check_abs(s.range[1].best_bytes, 4096, 0);
	check_range(&s.range[2], TRANSFER_CONGESTED, 8192, 16384);
	assert_string_equal(transfer_state_name(s.range[0].state), "spare");
	assert_string_equal(transfer_state_name(s.range[2].state), "congested");
	transfer_states_release(&s);
	/* a stricter share moves both borders inwards */
	s = find(bytes, time_s, 13, 0.85);
	check_range(&s.range[1], TRANSFER_IDEAL, 1024, 4096);
	transfer_states_release(&s);
}

/* 1 MB/s, 10 MB/s, 2 MB/s, 8 MB/s: what dips beyond the best size is congested, then ideal again.
 */
TEST(a_dip_is_a_range_of_its_own)
{
	static const double bytes[] = {100, 200, 300, 400};
	static const double time_s[] = {100e-6, 20e-6, 150e-6, 50e-6};
	RELEASED(transfer_states) s = find(bytes, time_s, 4, TRANSFER_IDEAL_SHARE);

	assert_int_equal(s.n, 4);
	check_range(&s.range[2], TRANSFER_CONGESTED, 300, 300);
	check_range(&s.range[3], TRANSFER_IDEAL, 400, 400);
}

TEST(order_does_not_matter_and_repeats_count_as_their_median)
{
	static const double bytes[] = {4000, 10, 4000, 0, 400, 4000};
	static const double time_s[] = {4e-6, 2e-6, 4e-3, 1e-6, 1e-6, 2e-6};
	RELEASED(transfer_states) s = find(bytes, time_s, 6, TRANSFER_IDEAL_SHARE);

	assert_int_equal(s.n, 2);
	check_range(&s.range[0], TRANSFER_SPARE, 0, 400); /* 400 bytes/us, of 1000 */
	check_range(&s.range[1], TRANSFER_IDEAL, 4000, 4000);
	check_rel(s.range[1].best_bytes_per_s, 1e9, 1e-14);
}

TEST(too_few_sizes_and_bad_values_are_errors)
{
	static const double bytes[] = {1, 2, 2, 3};
	static const double good[] = {1, 1, 1, 1}, bad[] = {1, 1, 0, 1}, bad_first[] = {0, 1, 1, 1};
	struct transfer_states s = {.n = 77};

	must_fail(transfer_states_find(bytes, good, 3, 0.5, &s, &err), ERR_NODATA, "not 2");
	assert_int_equal(transfer_states_find(bytes, good, 0, 0.5, &s, NULL), ERR_NODATA);
	must_fail(transfer_states_find(bytes, bad, 4, 0.5, &s, &err), ERR_ARG,
		  "time 3 = 0 s of 2 bytes");
	must_fail(transfer_states_find(bytes, bad_first, 4, 0.5, &s, &err), ERR_ARG,
		  "time 1 = 0 s of 1 bytes");
	assert_int_equal(transfer_states_find(good, bytes, 4, 1, &s, NULL), ERR_ARG);
	assert_int_equal(transfer_states_find(good, bytes, 4, (double)NAN, &s, NULL), ERR_ARG);
	assert_int_equal(s.n, 77);
}
