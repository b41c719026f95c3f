#include "tests/unit/mining/pingpong_fixture.h"

#include "mining/messages/overhead_fit.h"
#include "tests/support/failing_allocations.h"

/* Messages as LogGP has them, with known o and L: one way
 *	o_send + L + o_receive + G bytes	up to the size from which sends wait, and
 *	2 L more from there.
 */
static const double o_send_s = 3e-6, o_receive_s = 2e-6, L_s = 10e-6, G_s = 1e-9;

struct calls {
	struct message_call call[MAX_ROWS];
	size_t n;
};

static void make(double blocks_from, double noise, struct rows *rows, struct calls *calls)
{
	*rows = (struct rows){.n = 0};
	calls->n = 0;
	for (size_t i = 0; i < 3 * N_SIZES; i++) {
		double bytes = sizes[i % N_SIZES];
		bool blocks = bytes >= blocks_from;
		size_t repeat = i / N_SIZES;
		/* one repeat of three is on the line, one above, one below */
		double off = 1 + noise * ((double)repeat - 1);

		add_row(rows, bytes,
			2 * off * (o_send_s + L_s * (blocks ? 3 : 1) + o_receive_s + G_s * bytes));
		calls->call[calls->n++] = (struct message_call){
			bytes, off * (o_send_s + 1e-11 * bytes),
			/* who comes late to a send that waits sees the transfer */
			blocks ? G_s * bytes + 3 * L_s : off * o_receive_s, blocks};
	}
}

static struct overhead_fit fit_calls(double blocks_from, double noise)
{
	struct rows rows;
	struct calls calls;
	struct message_fit fit;
	struct overhead_fit out;

	make(blocks_from, noise, &rows, &calls);
	fit = fit_rows(&rows);
	must(overhead_fit(calls.call, calls.n, &fit, &out, &err));
	return out;
}

TEST(known_overheads_and_latency_come_back)
{
	struct overhead_fit f = fit_calls(16384, 0);

	assert_true(f.send.known && f.receive.known && f.o.known && f.L.known);
	/* exact data: what is left is rounding */
	check_rel(f.send.value_s, o_send_s, 1e-9);
	check_rel(f.receive.value_s, o_receive_s, 1e-9);
	check_rel(f.o.value_s, (o_send_s + o_receive_s) / 2, 1e-9);
	check_rel(f.L.value_s, L_s, 1e-6);
	check_abs(f.blocking_bytes, 16384, 0);
	assert_string_equal(f.why_not, "");
}

TEST(the_median_of_repeats_counts)
{
	struct overhead_fit f = fit_calls(16384, 0.2);

	check_rel(f.send.value_s, o_send_s, 1e-9);
	check_rel(f.L.value_s, L_s, 1e-6);
}

TEST(sends_that_never_wait_have_no_threshold_and_those_that_always_do_the_smallest)
{
	struct overhead_fit f = fit_calls(INFINITY, 0);

	check_abs(f.blocking_bytes, 0, 0);
	assert_true(f.L.known);
	f = fit_calls(0, 0);
	check_abs(f.blocking_bytes, sizes[0], 0);
	assert_false(f.send.known || f.receive.known || f.o.known || f.L.known);
	assert_non_null(strstr(f.why_not, "fewer than four sizes"));
}

/* One size is still eager and the next one waits: transports count "larger than", too. */
TEST(the_threshold_is_between_the_last_that_does_not_wait_and_the_first_that_does)
{
	struct overhead_fit f = fit_calls(1500, 0); /* 1024 does not, 1536 does */

	check_abs(f.blocking_bytes, 1025, 0);
}

/* The calls at both ends overlap on the way: their sum is more than the one-way time. */
TEST(a_latency_below_nothing_is_not_identifiable_and_says_so)
{
	struct rows rows;
	struct calls calls;
	struct message_fit fit;
	struct overhead_fit f;

	make(INFINITY, 0, &rows, &calls);
	for (size_t i = 0; i < calls.n; i++)
		calls.call[i].receive_s += 11e-6;
	fit = fit_rows(&rows);
	must(overhead_fit(calls.call, calls.n, &fit, &f, &err));
	assert_true(f.o.known);
	check_rel(f.o.value_s, 8e-6, 1e-9); /* (3 + 13) / 2 */
	assert_false(f.L.known);
	assert_non_null(strstr(f.why_not, "take 16 us of the 15 us"));
}

TEST(calls_too_short_for_the_clock_are_not_known)
{
	struct rows rows;
	struct calls calls;
	struct message_fit fit;
	struct overhead_fit f;

	make(INFINITY, 0, &rows, &calls);
	for (size_t i = 0; i < calls.n; i++)
		calls.call[i].send_s = 0;
	fit = fit_rows(&rows);
	must(overhead_fit(calls.call, calls.n, &fit, &f, &err));
	assert_true(!f.send.known && f.receive.known && !f.o.known && !f.L.known);
	assert_non_null(strstr(f.why_not, "The send call"));
}

TEST(nonsense_is_named_by_its_index)
{
	struct message_call bad[] = {{8, 1e-6, 1e-6, false}, {8, -1e-6, 1e-6, false}};
	const struct message_fit fit = {.n_segment = 1};
	struct overhead_fit out = {.blocking_bytes = 7};

	must_fail(overhead_fit(bad, 2, &fit, &out, &err), ERR_ARG, "call 1: -1e-06 s");
	bad[1] = (struct message_call){NAN, 1e-6, 1e-6, false};
	must_fail(overhead_fit(bad, 2, &fit, &out, &err), ERR_ARG, "call 1: nan bytes");
	check_abs(out.blocking_bytes, 7, 0);
}

TEST(without_memory_there_is_an_error)
{
	struct rows rows;
	struct calls calls;
	struct message_fit fit;
	struct overhead_fit f = {.blocking_bytes = 7};

	make(16384, 0, &rows, &calls);
	fit = fit_rows(&rows);
	failing_each_allocation (overhead_fit(calls.call, calls.n, &fit, &f, &err), &err)
		check_abs(f.blocking_bytes, 7, 0);
	check_rel(f.L.value_s, L_s, 1e-6);
}
