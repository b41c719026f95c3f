#include "tests/support/sp2.h"

/* Equations 1 to 4 with Table 1, computed independently of this program [us]. */
struct golden {
	const struct loggp *binding;
	double bytes, send_us, receive_us, total_us;
};
static const struct golden golden[] = {
	{&sp2_fortran, 256, 23, 23, 86.92},
	{&sp2_fortran, 1024, 23, 23, 140.68},
	{&sp2_fortran, 1025, 47, 47, 147.75},
	{&sp2_fortran, 2048, 47, 47, 178.44},
	{&sp2_fortran, 4095, 47, 47, 239.85},
	{&sp2_fortran, 4096, 162, 285.88, 354.88},
	{&sp2_fortran, 8192, 162, 408.76, 477.76},
	{&sp2_fortran, 18000, 162, 703, 772},
	{&sp2_fortran, 65536, 162, 2129.08, 2198.08},
	{&sp2_fortran, 262144, 162, 8027.32, 8096.32},
	{&sp2_c, 256, 16, 16, 72.92},
	{&sp2_c, 1024, 16, 16, 126.68},
	{&sp2_c, 1025, 36, 36, 125.75},
	{&sp2_c, 2048, 36, 36, 156.44},
	{&sp2_c, 4095, 36, 36, 217.85},
	{&sp2_c, 4096, 130, 256.88, 311.88},
	{&sp2_c, 8192, 130, 379.76, 434.76},
	{&sp2_c, 18000, 130, 674, 729},
	{&sp2_c, 65536, 130, 2100.08, 2155.08},
	{&sp2_c, 262144, 130, 7998.32, 8053.32},
};

TEST(loggp_gives_the_costs_of_the_paper)
{
	for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
		struct message_cost c;
		struct message_time t;

		c = cost_of(golden[i].binding);
		t = message_cost_at(&c, golden[i].bytes);
		check_rel(t.send_s, golden[i].send_us * 1e-6, 1e-12);
		check_rel(t.receive_s, golden[i].receive_us * 1e-6, 1e-12);
		check_rel(t.total_s, golden[i].total_us * 1e-6, 1e-12);
	}
}

TEST(only_messages_of_the_handshake_size_and_more_block)
{
	struct message_cost c = cost_of(&sp2_fortran);

	assert_false(message_cost_at(&c, 4095).blocks);
	check_abs(message_cost_at(&c, 4095).sync_s, 0, 0);
	assert_true(message_cost_at(&c, 4096).blocks);
	check_rel(message_cost_at(&c, 4096).sync_s, 23e-6, 1e-15);
}

TEST(without_a_handshake_size_nothing_blocks)
{
	struct loggp p = sp2_fortran;
	struct message_cost c;

	p.handshake_bytes = 0;
	c = cost_of(&p);
	assert_false(message_cost_at(&c, 1e9).blocks);
	check_rel(message_cost_at(&c, 1e6).total_s, 117e-6 + 0.03, 1e-12); /* 47 + 23 + 47 us */
}

TEST(a_handshake_within_the_small_range_leaves_no_large_range)
{
	struct loggp p = sp2_fortran;
	struct message_cost c;

	p.handshake_bytes = 512;
	c = cost_of(&p);
	check_rel(message_cost_at(&c, 511).send_s, 23e-6, 1e-12);
	check_rel(message_cost_at(&c, 512).send_s, 162e-6, 1e-12);
	check_rel(message_cost_at(&c, 2048).send_s, 162e-6, 1e-12);
}

/* The shape of the shipped ping-pong of sp2like, in round figures: a drop at 4096 bytes. */
static const struct cost_segment dropping[] = {
	{.from_bytes = 8, .intercept_s = 24e-6, .s_per_byte = 50e-9},
	{.from_bytes = 4096, .intercept_s = 8e-6, .s_per_byte = 30e-9},
};

TEST(segments_keep_a_cost_that_drops_at_the_threshold)
{
	struct message_cost c;

	must(message_cost_from_segments(dropping, 2, 4096, 1.0 / 3, &c, &err));
	check_rel(message_cost_at(&c, 0).total_s, 24e-6, 1e-12);
	check_rel(message_cost_at(&c, 4000).total_s, 224e-6, 1e-12); /* 24 + 200 us */
	check_rel(message_cost_at(&c, 5000).total_s, 158e-6, 1e-12); /* 8 + 150 us */
}

TEST(the_third_of_an_intercept_is_overhead_at_each_end)
{
	struct message_cost c;
	struct message_time t;

	must(message_cost_from_segments(dropping, 2, 4096, 1.0 / 3, &c, &err));
	t = message_cost_at(&c, 100); /* o = L = 24 / 3 = 8 us */
	check_rel(t.send_s, 8e-6, 1e-12);
	check_rel(t.receive_s, 8e-6, 1e-12);
	check_abs(t.sync_s, 0, 0);
	t = message_cost_at(&c, 10000); /* 8 us = 5 o + 3 L, o = L = 1 us; 300 us of data */
	check_rel(t.send_s, 6e-6, 1e-12);
	check_rel(t.receive_s, 305e-6, 1e-12);
	check_rel(t.sync_s, 1e-6, 1e-12);
}

/* The convention must be the paper's own equations where o_s = o_l: check it for other shares. */
TEST(segments_made_from_loggp_give_loggp_back)
{
	const struct loggp p = {10e-6, 4e-6, 4e-6, 20e-9, 20e-9, 1024, 4096};
	const struct cost_segment s[] = {
		{.from_bytes = 0, .intercept_s = 18e-6, .s_per_byte = 20e-9},	 /* 2 o + L */
		{.from_bytes = 4096, .intercept_s = 50e-6, .s_per_byte = 20e-9}, /* 5 o + 3 L */
	};
	struct message_cost want, got;

	want = cost_of(&p);
	must(message_cost_from_segments(s, 2, 4096, 4.0 / 18, &got, &err));
	for (double bytes = 1; bytes < 1e6; bytes *= 2) {
		struct message_time w = message_cost_at(&want, bytes);
		struct message_time g = message_cost_at(&got, bytes);

		check_rel(g.send_s, w.send_s, 1e-12);
		check_rel(g.receive_s, w.receive_s, 1e-12);
		check_rel(g.total_s, w.total_s, 1e-12);
		check_abs(g.sync_s, w.sync_s, 1e-18);
		assert_int_equal(g.blocks, w.blocks);
	}
}

TEST(a_threshold_inside_a_segment_splits_it)
{
	const struct cost_segment one = {.intercept_s = 16e-6, .s_per_byte = 1e-9};
	struct message_cost c;

	must(message_cost_from_segments(&one, 1, 1000, 1.0 / 3, &c, &err));
	assert_false(message_cost_at(&c, 999).blocks);
	assert_true(message_cost_at(&c, 1000).blocks);
	check_rel(message_cost_at(&c, 999).total_s, 16.999e-6, 1e-12);
	check_rel(message_cost_at(&c, 1000).total_s, 17e-6, 1e-12);
	check_rel(message_cost_at(&c, 1000).send_s, 12e-6, 1e-12); /* 4 o + 2 L, o = L = 2 us */
}

TEST(a_negative_intercept_has_no_overhead)
{
	const struct cost_segment s[] = {
		{.from_bytes = 0, .intercept_s = 1e-6, .s_per_byte = 1e-9},
		{.from_bytes = 65536, .intercept_s = -2e-6, .s_per_byte = 2e-9},
	};
	struct message_cost c;
	struct message_time t;

	must(message_cost_from_segments(s, 2, 65536, 1.0 / 3, &c, &err));
	t = message_cost_at(&c, 100000);
	check_rel(t.total_s, 198e-6, 1e-12);
	check_rel(t.receive_s, 198e-6, 1e-12);
	check_abs(t.send_s, 0, 0);
	check_abs(t.sync_s, 0, 0);
}

TEST(nonsense_parameters_are_named_and_out_is_untouched)
{
	struct loggp p = sp2_fortran;
	struct message_cost c = {.n_range = 77};

	p.o_large_s = NAN;
	must_fail(message_cost_from_loggp(&p, &c, &err), ERR_ARG, "o_large");
	p = sp2_fortran;
	p.L_s = -1e-6;
	must_fail(message_cost_from_loggp(&p, &c, &err), ERR_ARG, "L = ");
	assert_int_equal(c.n_range, 77);
}

static enum err_code from_two(struct cost_segment a, struct cost_segment b, double blocking_bytes,
			      double share, struct err *e)
{
	const struct cost_segment s[] = {a, b};
	struct message_cost c;

	*e = (struct err){0};
	return message_cost_from_segments(s, 2, blocking_bytes, share, &c, e);
}

TEST(nonsense_segments_are_errors)
{
	const struct cost_segment ok0 = {.intercept_s = 1e-6, .s_per_byte = 1e-9};
	const struct cost_segment ok1 = {.from_bytes = 100, .intercept_s = 1e-6};
	const struct cost_segment falling = {.from_bytes = 100, .intercept_s = 1, .s_per_byte = -1};
	const struct cost_segment negative = {.from_bytes = 100, .intercept_s = -1};
	const struct cost_segment not_a_number = {.from_bytes = NAN, .intercept_s = 1};
	struct cost_segment many[MESSAGE_COST_MAX_SEGMENTS + 1] = {{0}};
	struct message_cost c;

	assert_int_equal(from_two(ok0, ok1, 0, 0.3, &err), ERR_OK);
	must_fail(from_two(ok1, ok0, 0, 0.3, &err), ERR_ARG, "segment 2: from_bytes");
	assert_int_equal(from_two(ok0, ok0, 0, 0.3, &err), ERR_ARG);
	assert_int_equal(from_two(ok0, falling, 0, 0.3, &err), ERR_ARG);
	must_fail(from_two(ok0, negative, 0, 0.3, &err), ERR_ARG, "100 bytes would cost");
	assert_int_equal(from_two(ok0, not_a_number, 0, 0.3, &err), ERR_ARG);
	assert_int_equal(from_two(ok0, ok1, -1, 0.3, &err), ERR_ARG);
	assert_int_equal(from_two(ok0, ok1, 0, 0.51, &err), ERR_ARG);
	assert_int_equal(from_two(ok0, ok1, 0, NAN, &err), ERR_ARG);
	assert_int_equal(message_cost_from_segments(NULL, 0, 0, 0.3, &c, &err), ERR_ARG);
	for (size_t i = 0; i <= MESSAGE_COST_MAX_SEGMENTS; i++)
		many[i].from_bytes = (double)i;
	assert_int_equal(
		message_cost_from_segments(many, MESSAGE_COST_MAX_SEGMENTS + 1, 0, 0.3, &c, &err),
		ERR_ARG);
	must(message_cost_from_segments(many, MESSAGE_COST_MAX_SEGMENTS, 3.5, 0.3, &c, &err));
	assert_int_equal(c.n_range, MESSAGE_COST_MAX_SEGMENTS + 1);
}

TEST(a_machine_gives_loggp_before_segments_or_says_what_is_missing)
{
	struct cost_segment s = {.intercept_s = 30e-6};
	char name[] = "m1";
	struct machine m = {.name = name, .segment = &s, .n_segment = 1, .has_loggp = true};
	struct message_cost c;

	m.loggp = sp2_fortran;
	must(message_cost_from_machine(&m, &c, &err));
	check_rel(message_cost_at(&c, 0).total_s, 69e-6, 1e-12);
	m.has_loggp = false;
	must(message_cost_from_machine(&m, &c, &err));
	check_rel(message_cost_at(&c, 0).total_s, 30e-6, 1e-12);
	check_rel(message_cost_at(&c, 0).send_s, 10e-6, 1e-12);
	m.n_segment = 0;
	must_fail(message_cost_from_machine(&m, &c, &err), ERR_NODATA,
		  "machine m1 has no message costs");
	assert_int_equal(message_cost_local_from_machine(&m, &c, &err), ERR_NODATA);
	m.has_loggp_local = true;
	m.loggp_local = sp2_c;
	must(message_cost_local_from_machine(&m, &c, &err));
	check_rel(message_cost_at(&c, 0).total_s, 55e-6, 1e-12);
}

/* c = 30 us: o = 6 us is a fifth, so L = 30 - 2 * 6 us; without o it would be a third. */
TEST(a_known_overhead_is_what_a_message_takes_at_each_end)
{
	struct cost_segment s = {.intercept_s = 30e-6}, local = {.intercept_s = 3e-6};
	char name[] = "m1";
	struct machine m = {.name = name,
			    .segment = &s,
			    .n_segment = 1,
			    .overhead_s = 6e-6,
			    .segment_local = &local,
			    .n_segment_local = 1,
			    .overhead_local_s = 0.5e-6,
			    .blocking_local_bytes = 1000};
	struct message_cost c;

	must(message_cost_from_machine(&m, &c, &err));
	check_rel(message_cost_at(&c, 8).send_s, 6e-6, 1e-12);
	check_rel(message_cost_at(&c, 8).receive_s, 6e-6, 1e-12);
	check_rel(message_cost_at(&c, 8).latency_s, 18e-6, 1e-12);
	assert_false(message_cost_at(&c, 5000).blocks);
	must(message_cost_local_from_machine(&m, &c, &err));
	check_rel(message_cost_at(&c, 8).send_s, 0.5e-6, 1e-12);
	check_rel(message_cost_at(&c, 8).total_s, 3e-6, 1e-12);
	assert_true(message_cost_at(&c, 1000).blocks && !message_cost_at(&c, 999).blocks);
	/* No more than half of it can be at each end. */
	m.overhead_s = 20e-6;
	must(message_cost_from_machine(&m, &c, &err));
	check_rel(message_cost_at(&c, 8).send_s, 15e-6, 1e-12);
	check_abs(message_cost_at(&c, 8).latency_s, 0, 1e-18);
	/* LogGP outranks segments there, too. */
	m.has_loggp_local = true;
	m.loggp_local = sp2_c;
	must(message_cost_local_from_machine(&m, &c, &err));
	check_rel(message_cost_at(&c, 0).total_s, 55e-6, 1e-12);
}

/* The SP/2: 0.03 us a byte of large messages. */
TEST(the_bandwidth_is_that_of_large_messages)
{
	struct message_cost c = cost_of(&sp2_fortran);
	double bytes_per_s = 7;

	must(message_cost_bandwidth(&c, &bytes_per_s, &err));
	check_rel(bytes_per_s, 1 / 0.03e-6, 1e-12);
	c.range[c.n_range - 1].total_s_per_byte = 0;
	assert_int_equal(message_cost_bandwidth(&c, &bytes_per_s, &err), ERR_ARG);
	check_rel(bytes_per_s, 1 / 0.03e-6, 1e-12);
}
