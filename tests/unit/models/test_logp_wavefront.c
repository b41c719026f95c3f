#include "tests/support/sp2.h"

#include "models/logp_wavefront.h"

static const struct logp cost = {.L_s = 2e-6, .o_s = 1e-6};

static struct logp_wavefront run(const struct sweep *s, const struct logp *p,
				 enum logp_contention contention, double Wg_s)
{
	struct logp_wavefront w;

	must(logp_wavefront(s, p, contention, Wg_s, &w, &err));
	check_rel(breakdown_total_s(&w.all.parts), w.all.time_s, 1e-12);
	return w;
}

/* 4 x 4 x 2 cells on 2 x 2, one angle, one plane a block: W = 4 us, 2 blocks an octant.
 * startP(2,1) = 4 + 1 + 2 = 7, time12 = 7 + 2 (4 + 1 + 4) 2 = 43. The upward sweeps begin at
 * (2,1), so (1,1) starts after one step north: startP'(1,1) = 7, time34 = 7 + 36 + 4 = 47,
 * T = 2 (43 + 47) = 180 us. */
TEST(two_by_two_processors_by_hand)
{
	const struct sweep s = {4, 4, 2, 2, 2, 1, 1, 1};
	struct logp_wavefront w = run(&s, &cost, LOGP_NO_CONTENTION, 1e-6);

	check_rel(w.start_m1_s, 7e-6, 1e-14);
	check_rel(w.start_1n1_s, 7e-6, 1e-14);
	check_rel(w.time12_s, 43e-6, 1e-14);
	check_rel(w.time34_s, 47e-6, 1e-14);
	check_rel(w.all.time_s, 180e-6, 1e-14);
	check_rel(w.all.parts.compute_s, 8 * 4e-6 * 2, 1e-14);
	check_abs(w.all.parts.sync_s, 0, 0);
}

/* T is linear in L: 2 (2 (m-1) + 3 (n-2) + 8 blocks) of them; here 2 (4 + 6 + 8 * 2). */
TEST(latency_enters_as_often_as_the_equations_count_it)
{
	const struct sweep s = {8, 6, 2, 4, 3, 1, 1, 1};
	const struct logp none = {0, 1e-6};
	double with_s = run(&s, &cost, LOGP_NO_CONTENTION, 1e-6).all.time_s;
	double without_s = run(&s, &none, LOGP_NO_CONTENTION, 1e-6).all.time_s;

	check_rel(with_s - without_s, 2 * (4 + 6 + 16) * 2e-6, 1e-12);
}

/* startP of the paper's recurrence, i = 1..m rows, j = 1..n columns, in units of us, for the
 * downward sweeps (begin at row 1) and mirrored for the upward ones (begin at row `rows`). */
static void starts_by_recurrence(int rows, int columns, int first_row, double W, double o, double L,
				 double start[32][32])
{
	int step = first_row == 1 ? 1 : -1;

	for (int k = 0, i = first_row; k < rows; k++, i += step) {
		for (int j = 1; j <= columns; j++) {
			double before = k > 0 ? start[i - step][j] + W + o + L : 0;
			double west = j > 1 ? start[i][j - 1] + W + 2 * o + 3 * L : 0;

			start[i][j] = fmax(before, west);
		}
	}
}

TEST(the_closed_form_is_the_recurrence)
{
	for (int n = 2; n <= 30; n += 7) {
		for (int m = 1; m <= 30; m += 7) {
			const struct sweep s = {2 * n, 2 * m, 2, n, m, 1, 1, 1};
			struct logp_wavefront w = run(&s, &cost, LOGP_NO_CONTENTION, 1e-6);
			double down[32][32], up[32][32];

			starts_by_recurrence(m, n, 1, 4, 1, 2, down);
			starts_by_recurrence(m, n, m, 4, 1, 2, up);
			check_abs(w.start_m1_s * 1e6, down[m][1], 1e-9);
			check_abs(w.start_1n1_s * 1e6, up[1][n - 1], 1e-9);
		}
	}
}

/* Whole runs of 12 iterations on the SP/2 (Fortran), mk = 10, mmi = 3, mm = 6, computed from the
 * equations of logp_wavefront.h by another program. */
TEST(golden_values_of_the_sp2)
{
	static const struct golden {
		int64_t grid, n, m;
		double Wg_s;
		enum logp_contention contention;
		double time_s;
	} golden[] = {
		{150, 4, 4, 0.35e-6, LOGP_NO_CONTENTION, 47.152416},
		{150, 8, 8, 0.35e-6, LOGP_NO_CONTENTION, 13.057788},
		{50, 8, 16, 0.35e-6, LOGP_NO_CONTENTION, 0.659232},
		{150, 16, 32, 0.35e-6, LOGP_NO_CONTENTION, 2.788008},
		{50, 4, 4, 0.2e-6, LOPC_ONE_PROCESSOR, 1.322183},
		{50, 4, 4, 0.2e-6, LOPC_COPROCESSOR, 1.271447},
	};
	const struct logp sp2 = {23e-6, 23e-6};

	for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
		const struct golden *g = &golden[i];
		const struct sweep s = {g->grid, g->grid, g->grid, g->n, g->m, 10, 3, 6};

		check_rel(12 * run(&s, &sp2, g->contention, g->Wg_s).all.time_s, g->time_s, 1e-6);
	}
}

TEST(one_processor_only_computes_whatever_messages_cost)
{
	const struct sweep s = {10, 10, 10, 1, 1, 5, 3, 6};

	for (int c = LOGP_NO_CONTENTION; c <= LOPC_ONE_PROCESSOR; c++)
		check_rel(run(&s, &cost, (enum logp_contention)c, 1e-6).all.time_s,
			  10 * 10 * 10 * 8 * 6 * 1e-6, 1e-14);
}

TEST(one_column_has_twice_the_time_of_its_first_four_sweeps)
{
	const struct sweep s = {4, 8, 2, 1, 4, 1, 1, 1};
	struct logp_wavefront w = run(&s, &cost, LOGP_NO_CONTENTION, 1e-6);

	check_abs(w.time34_s, w.time12_s, 0);
}

/* The limit: contention is o / C, so it goes with o. */
TEST(lopc_falls_back_to_logp_as_utilisation_goes_to_0)
{
	const struct sweep s = {150, 150, 150, 4, 4, 10, 3, 6};

	for (double o = 1e-5; o > 1e-9; o /= 10) {
		const struct logp p = {23e-6, o};
		double logp_s = run(&s, &p, LOGP_NO_CONTENTION, 2e-7).all.time_s;
		struct logp_wavefront one = run(&s, &p, LOPC_ONE_PROCESSOR, 2e-7);
		struct logp_wavefront co = run(&s, &p, LOPC_COPROCESSOR, 2e-7);

		assert_true(one.all.time_s >= co.all.time_s && co.all.time_s >= logp_s);
		check_rel(one.all.time_s, logp_s, 2 * one.cycle.utilisation);
		check_rel(co.all.time_s, logp_s, co.cycle.utilisation * co.cycle.utilisation);
	}
}

/* W = 4, o = 1, L = 2 us as above: the cycle is (10 + sqrt(68)) / 2 us. */
TEST(contention_is_the_synchronisation_part)
{
	const struct sweep s = {4, 4, 2, 2, 2, 1, 1, 1};
	struct logp_wavefront w = run(&s, &cost, LOPC_COPROCESSOR, 1e-6);
	double R = (10 + sqrt(68)) / 2 - 8;

	check_rel(w.cycle.o_s, R * 1e-6, 1e-12);
	check_rel(w.all.parts.sync_s, 8 * (R - 1) * 1e-6 * 2, 1e-12);
	check_rel(w.all.parts.comm_s, 8 * 5e-6 * 2, 1e-12);
}

/* Table 1 of Sundaram-Stukel and Vernon 1999, small messages: o = L = 23 us. */
TEST(a_machine_gives_the_costs_of_its_shortest_message)
{
	static const struct cost_segment line = {.intercept_s = 9e-6, .s_per_byte = 1e-9};
	struct message_cost c = cost_of(&sp2_fortran);
	struct logp p;

	p = logp_from_message_cost(&c);
	check_rel(p.L_s, 23e-6, 1e-12);
	check_rel(p.o_s, 23e-6, 1e-12);
	/* a fitted ping-pong: a third of the intercept each */
	must(message_cost_from_segments(&line, 1, 0, MESSAGE_COST_OVERHEAD_SHARE, &c, &err));
	p = logp_from_message_cost(&c);
	check_rel(p.L_s, 3e-6, 1e-12);
	check_rel(p.o_s, 3e-6, 1e-12);
}

TEST(what_is_outside_of_the_model_is_an_error)
{
	const struct sweep good = {4, 4, 2, 2, 2, 1, 1, 1}, bad = {4, 4, 2, 8, 2, 1, 1, 1};
	const struct logp negative = {-1, 1e-6};
	struct logp_wavefront w = {.time12_s = 77};

	must_fail(logp_wavefront(&bad, &cost, LOGP_NO_CONTENTION, 1e-6, &w, &err), ERR_ARG,
		  "npe_i = 8");
	assert_int_equal(logp_wavefront(&good, &negative, LOGP_NO_CONTENTION, 1e-6, &w, NULL),
			 ERR_ARG);
	assert_int_equal(logp_wavefront(&good, &cost, LOGP_NO_CONTENTION, -1, &w, NULL), ERR_ARG);
	assert_int_equal(logp_wavefront(&good, &cost, LOPC_COPROCESSOR, 1e307, &w, NULL), ERR_ARG);
	check_abs(w.time12_s, 77, 0);
}

static struct lopc_cycle solve(double W, double L, double o, int messages, bool coprocessor)
{
	const struct lopc p = {W, L, o, messages, coprocessor};
	struct lopc_cycle c;

	must(lopc_solve(&p, &c, &err));
	return c;
}

TEST(without_messages_or_handling_it_is_logp)
{
	check_abs(solve(4, 2, 0, 2, false).cycle_s, 8, 0);
	check_abs(solve(4, 2, 0, 2, false).W_s, 4, 0);
	/* on one processor the caller passes L = o = 0 */
	check_abs(solve(4, 0, 0, 0, false).cycle_s, 4, 0);
}

/* One message a cycle, with a co-processor: nothing to queue behind, nothing interrupted. */
TEST(a_single_message_does_not_queue_behind_itself)
{
	struct lopc_cycle c = solve(4, 2, 1, 1, true);

	check_rel(c.cycle_s, 4.0 + 1 + 2 * 2, 1e-15);
	check_rel(c.o_s, 1.0, 1e-15);
	check_rel(c.utilisation, 1.0 / 9, 1e-15);
}

/* k = 2, A = W + 2L = 8, o = 1: (C - A)(C - o) = o C, so C = ((A + 2o) + sqrt(A^2 + 4o^2)) / 2. */
TEST(two_messages_with_a_coprocessor_solve_a_quadratic)
{
	double C = (10 + sqrt(68)) / 2;
	struct lopc_cycle c = solve(4, 2, 1, 2, true);

	check_rel(c.cycle_s, C, 1e-14);
	check_rel(c.o_s, C / (C - 1), 1e-14);
	check_abs(c.W_s, 4, 0);
	check_rel(c.utilisation, 2 / C, 1e-14);
}

/* k = 1, W = 2, o = 1, L = 0: C = 2 / (1 - 1/C) + 1, so C^2 - 4C + 1 = 0. */
TEST(handling_interrupts_the_computation_without_a_coprocessor)
{
	double C = 2 + sqrt(3);
	struct lopc_cycle c = solve(2, 0, 1, 1, false);

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

TEST(bisection_and_successive_substitution_meet)
{
	static const double o[] = {1e-6, 1e-3, 0.1, 1, 10};

	for (size_t i = 0; i < sizeof o / sizeof *o; i++) {
		for (int k = 1; k <= 4; k++)
			check_rel(solve(1, 0.5, o[i], k, false).cycle_s,
				  substitute(1, 0.5, o[i], k), 1e-9);
	}
}

/* To first order W' - W = W U and R - o = (k-1) o^2 / C: both vanish with o. */
TEST(contention_vanishes_with_the_utilisation)
{
	for (double o = 1e-2; o > 1e-7; o /= 10) {
		struct lopc_cycle c = solve(1, 0.5, o, 2, false);

		check_rel(c.utilisation, 2 * o / (1 + 1 + o), 2 * o);
		check_rel(c.W_s - 1, c.utilisation, 2 * c.utilisation);
		check_rel(c.o_s, o, c.utilisation);
		check_rel(c.cycle_s, 1 + 1 + o, 2 * o);
	}
}

/* Messages alone: the processor does nothing else, and each queues as long as it is served. */
TEST(it_converges_where_nothing_but_messages_is_done)
{
	struct lopc_cycle c = solve(0, 0, 1, 2, true);

	check_rel(c.cycle_s, 2.0, 1e-12);
	check_rel(c.o_s, 2.0, 1e-12);
	check_rel(c.utilisation, 1.0, 1e-12);
	c = solve(1e-12, 0, 1e6, 4, false);
	assert_true(c.utilisation <= 1);
	check_rel(c.W_s + c.o_s, c.cycle_s, 1e-6);
}

TEST(bad_parameters_are_named_and_out_is_untouched)
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

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		must_fail(lopc_solve(&bad[i].p, &c, &err), ERR_ARG, bad[i].says);
	}
	check_abs(c.cycle_s, 77, 0);
}
