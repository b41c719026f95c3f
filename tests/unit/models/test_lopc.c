#include "tests/support/check.h"

#include <string.h>

#include "models/lopc.h"

static struct lopc_cycle solve(double W, double L, double o, int messages, bool coprocessor)
{
	const struct lopc p = {W, L, o, messages, coprocessor};
	struct lopc_cycle c;
	struct err e = {0};

	check_ok(lopc_solve(&p, &c, &e), &e);
	return c;
}

static void without_messages_or_handling_it_is_logp(void **state)
{
	(void)state;
	check_abs(solve(4, 2, 0, 2, false).cycle_s, 8, 0);
	check_abs(solve(4, 2, 0, 2, false).W_s, 4, 0);
	/* on one processor the caller passes L = o = 0 */
	check_abs(solve(4, 0, 0, 0, false).cycle_s, 4, 0);
}

/* One message a cycle, with a co-processor: nothing to queue behind, nothing interrupted. */
static void a_single_message_does_not_queue_behind_itself(void **state)
{
	struct lopc_cycle c = solve(4, 2, 1, 1, true);

	(void)state;
	check_rel(c.cycle_s, 4.0 + 1 + 2 * 2, 1e-15);
	check_rel(c.o_s, 1.0, 1e-15);
	check_rel(c.utilisation, 1.0 / 9, 1e-15);
}

/* k = 2, A = W + 2L = 8, o = 1: (C - A)(C - o) = o C, so C = ((A + 2o) + sqrt(A^2 + 4o^2)) / 2. */
static void two_messages_with_a_coprocessor_solve_a_quadratic(void **state)
{
	double C = (10 + sqrt(68)) / 2;
	struct lopc_cycle c = solve(4, 2, 1, 2, true);

	(void)state;
	check_rel(c.cycle_s, C, 1e-14);
	check_rel(c.o_s, C / (C - 1), 1e-14);
	check_abs(c.W_s, 4, 0);
	check_rel(c.utilisation, 2 / C, 1e-14);
}

/* k = 1, W = 2, o = 1, L = 0: C = 2 / (1 - 1/C) + 1, so C^2 - 4C + 1 = 0. */
static void handling_interrupts_the_computation_without_a_coprocessor(void **state)
{
	double C = 2 + sqrt(3);
	struct lopc_cycle c = solve(2, 0, 1, 1, false);

	(void)state;
	check_rel(c.cycle_s, C, 1e-14);
	check_rel(c.W_s, 2 / (1 - 1 / C), 1e-14);
	check_abs(c.o_s, 1, 0);
}

/* Second method: successive substitution, damped (undamped it swings). */
static double substitute(double W, double L, double o, double k)
{
	double C = W + o + 2 * L + 2 * k * o;

	for (int i = 0; i < 20000; i++)
		C += 0.1 * (W / (1 - k * o / C) + o / (1 - (k - 1) * o / C) + 2 * L - C);
	return C;
}

static void bisection_and_successive_substitution_meet(void **state)
{
	static const double o[] = {1e-6, 1e-3, 0.1, 1, 10};

	(void)state;
	for (size_t i = 0; i < sizeof o / sizeof *o; i++) {
		for (int k = 1; k <= 4; k++)
			check_rel(solve(1, 0.5, o[i], k, false).cycle_s,
				  substitute(1, 0.5, o[i], k), 1e-9);
	}
}

/* To first order W' - W = W U and R - o = (k-1) o^2 / C: both vanish with o. */
static void contention_vanishes_with_the_utilisation(void **state)
{
	(void)state;
	for (double o = 1e-2; o > 1e-7; o /= 10) {
		struct lopc_cycle c = solve(1, 0.5, o, 2, false);

		check_rel(c.utilisation, 2 * o / (1 + 1 + o), 2 * o);
		check_rel(c.W_s - 1, c.utilisation, 2 * c.utilisation);
		check_rel(c.o_s, o, c.utilisation);
		check_rel(c.cycle_s, 1 + 1 + o, 2 * o);
	}
}

/* Messages alone: the processor does nothing else, and each queues as long as it is served. */
static void it_converges_where_nothing_but_messages_is_done(void **state)
{
	struct lopc_cycle c = solve(0, 0, 1, 2, true);

	(void)state;
	check_rel(c.cycle_s, 2.0, 1e-12);
	check_rel(c.o_s, 2.0, 1e-12);
	check_rel(c.utilisation, 1.0, 1e-12);
	c = solve(1e-12, 0, 1e6, 4, false);
	assert_true(c.utilisation <= 1);
	check_rel(c.W_s + c.o_s, c.cycle_s, 1e-6);
}

static void bad_parameters_are_named_and_out_is_untouched(void **state)
{
	static const struct {
		struct lopc p;
		const char *says;
	} bad[] = {
		{{-1, 1, 1, 2, true}, "W = -1"},
		{{1, (double)NAN, 1, 2, true}, "L = nan"},
		{{1, 1, (double)INFINITY, 2, true}, "o = inf"},
		{{1, 1, 1, -1, true}, "-1 messages"},
		{{1, 1, 1, 5, true}, "5 messages"},
		{{1e308, 1e308, 1, 2, true}, "too long"},
	};
	struct lopc_cycle c = {.cycle_s = 77};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err e = {0};

		assert_int_equal(lopc_solve(&bad[i].p, &c, &e), ERR_ARG);
		assert_non_null(strstr(e.msg, bad[i].says));
	}
	check_abs(c.cycle_s, 77, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(without_messages_or_handling_it_is_logp),
	cmocka_unit_test(a_single_message_does_not_queue_behind_itself),
	cmocka_unit_test(two_messages_with_a_coprocessor_solve_a_quadratic),
	cmocka_unit_test(handling_interrupts_the_computation_without_a_coprocessor),
	cmocka_unit_test(bisection_and_successive_substitution_meet),
	cmocka_unit_test(contention_vanishes_with_the_utilisation),
	cmocka_unit_test(it_converges_where_nothing_but_messages_is_done),
	cmocka_unit_test(bad_parameters_are_named_and_out_is_untouched),
};

CHECK_MAIN(tests)
