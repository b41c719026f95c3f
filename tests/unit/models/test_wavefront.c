#include "tests/support/sp2.h"

#include "models/wavefront.h"

/* Inside a node: a third of the latency, all else alike, as section 4.2 of the paper assumes. */
static const struct loggp sp2_local = {8e-6, 23e-6, 47e-6, 0.07e-6, 0.03e-6, 1024, 4096};

static struct wavefront basic(const struct sweep *s, const struct loggp *p, double Wg_s)
{
	struct message_cost c = cost_of(p);
	struct wavefront w;

	must(wavefront_basic(s, &c, Wg_s, &w, &err));
	return w;
}

/* Equations 5 to 9 with Table 1 (Fortran), mk = 10, mmi = 3, mm = 6 and an assumed Wg = 0.2 us,
 * computed independently of this program [us]. */
struct golden {
	int64_t grid, n, m, it, jt;
	double ew_bytes, ns_bytes, W, start_1m, start_n1m, T56, T78, T;
	double T12_s; /* 12 iterations [s] */
};
static const struct golden golden[] = {
	{50, 2, 2, 25, 25, 6000, 6000, 3750, 4324, 4324, 89884, 100837, 381442, 4.577304},
	{50, 2, 4, 25, 13, 3120, 6000, 1950, 7227, 7227, 55407, 58344, 227502, 2.730024},
	{50, 4, 4, 13, 13, 3120, 3120, 1014, 3814.8, 6358, 25974.8, 30519, 112987.6, 1.355851},
	{50, 8, 4, 7, 13, 3120, 1680, 546, 2281.2, 7102.8, 15081.2, 21435.8, 73034, 0.876408},
	{50, 4, 8, 13, 7, 1680, 3120, 546, 5625.2, 7146, 18425.2, 21479, 79808.4, 0.957701},
	{50, 8, 8, 7, 7, 1680, 1680, 294, 3558.8, 6609.2, 11318.8, 15650.2, 53938, 0.647256},
	{50, 8, 16, 7, 4, 960, 1680, 168, 5376, 7483.2, 10136, 12894.2, 46060.4, 0.552725},
	{50, 16, 8, 4, 7, 1680, 960, 168, 2458.4, 7476, 7218.4, 13391, 41218.8, 0.494626},
	{150, 2, 2, 75, 75, 18000, 18000, 33750, 34684, 34684, 2112964, 2189597, 8605122,
	 103.261464},
	{150, 2, 4, 75, 38, 9120, 18000, 17100, 54102, 54102, 1136142, 1179874.6, 4632033.2,
	 55.584398},
	{150, 4, 4, 38, 38, 9120, 9120, 8664, 27994.8, 47207.2, 587890.8, 645159.8, 2466101.2,
	 29.593214},
	{150, 8, 4, 19, 38, 9120, 4560, 4332, 14588.4, 45412.8, 306356.4, 376425.4, 1365563.6,
	 16.386763},
	{150, 4, 8, 38, 19, 4560, 9120, 4332, 34997.2, 45272, 340493.2, 376147.8, 1433282,
	 17.199384},
	{150, 8, 8, 19, 19, 4560, 4560, 2166, 18877.6, 35885.2, 186205.6, 231947, 836305.2,
	 10.035662},
	{150, 8, 16, 19, 10, 2400, 4560, 1140, 23337, 33109.8, 133245, 147024.8, 560539.6,
	 6.726475},
	{150, 16, 8, 10, 19, 4560, 2400, 1140, 10437, 32218.2, 91377, 151906, 486566, 5.838792},
};

TEST(the_golden_values_of_the_paper_s_equations_come_out)
{
	for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
		const struct golden *g = &golden[i];
		const struct sweep s = {.it_g = g->grid,
					.jt_g = g->grid,
					.kt = g->grid,
					.npe_i = g->n,
					.npe_j = g->m,
					.mk = 10,
					.mmi = 3,
					.mm = 6};
		struct wavefront w = basic(&s, &sp2_fortran, 0.2e-6);
		struct sweep_run run = {.iterations = 12, .groups = 1, .timesteps = 1};
		struct sweep_block b;
		struct sweep_time t;

		must(sweep_block_of(&s, &b, &err));
		assert_int_equal(b.it, g->it);
		assert_int_equal(b.jt, g->jt);
		check_abs(b.ew_bytes, g->ew_bytes, 0);
		check_abs(b.ns_bytes, g->ns_bytes, 0);
		check_rel(w.W_s, g->W * 1e-6, 1e-12);
		check_rel(w.start_1m_s, g->start_1m * 1e-6, 1e-12);
		check_rel(w.start_n1m_s, g->start_n1m * 1e-6, 1e-12);
		check_rel(w.T56_s, g->T56 * 1e-6, 1e-12);
		check_rel(w.T78_s, g->T78 * 1e-6, 1e-12);
		check_rel(w.all.time_s, g->T * 1e-6, 1e-12);
		must(sweep_run_time(&run, &w.all, &w.all, &t, &err));
		check_abs(t.time_s, g->T12_s, 0.5e-6); /* given to 1 us */
	}
}

/* --- exact limits */

TEST(one_processor_takes_exactly_its_computation)
{
	const struct sweep s = {50, 50, 50, 1, 1, 7, 2, 6}; /* ceil(50/7) = 8, 6/2 = 3 */
	struct wavefront w = basic(&s, &sp2_fortran, 0.2e-6);

	check_abs(w.all.time_s, 8 * w.W_s * 8 * 3, 0);
	check_abs(w.all.parts.compute_s, w.all.time_s, 0);
	check_abs(w.all.parts.comm_s + w.all.parts.fill_s + w.all.parts.sync_s, 0, 0);
}

TEST(one_row_has_no_north_south_term)
{
	/* it = 10, jt = 20: E-W 8*20*10*3 = 4800 B (blocks), W = 0.2*3*10*10*20 = 1200 us, 8
	 * blocks. StartP(3,1) = 2 (1200 + 232 + 144); T56 = 0 + 16 (1200 + 162); T78 = 3152 + 16
	 * (1200 + 162 + 307 + 2*23) + 307 + 1200, where 307 = 163 + 144. */
	const struct sweep s = {40, 20, 40, 4, 1, 10, 3, 6};
	struct wavefront w = basic(&s, &sp2_fortran, 0.2e-6);

	check_abs(w.start_1m_s, 0, 0);
	check_rel(w.start_n1m_s, 3152e-6, 1e-12);
	check_rel(w.T56_s, 21792e-6, 1e-12);
	check_rel(w.T78_s, (3152 + 27440 + 1507) * 1e-6, 1e-12);
	check_rel(w.all.time_s, 2 * (21792 + 32099) * 1e-6, 1e-12);
}

TEST(one_column_has_no_east_west_term_and_equal_halves)
{
	/* it = 20, jt = 10: N-S 4800 B, W = 1200 us. StartP(1,4) = 3 (1200 + 376);
	 * T56 = 4728 + 16 (1200 + 307 + 3*23). */
	const struct sweep s = {20, 40, 40, 1, 4, 10, 3, 6};
	struct wavefront w = basic(&s, &sp2_fortran, 0.2e-6);

	check_rel(w.start_1m_s, 4728e-6, 1e-12);
	check_rel(w.T56_s, (4728 + 16 * 1576) * 1e-6, 1e-12);
	check_abs(w.T78_s, w.T56_s, 0);
	check_abs(w.all.time_s, 4 * w.T56_s, 0);
}

TEST(with_free_messages_only_work_and_fill_remain)
{
	/* T = W (8 B + 2 (m-1) + 2 ((m-1) + (n-2)) + 2): the efficiency formula's fill. */
	const struct loggp none = {.small_max_bytes = 1024, .handshake_bytes = 4096};

	for (int64_t n = 2; n <= 7; n++) {
		for (int64_t m = 1; m <= 7; m++) {
			const struct sweep s = {70, 70, 70, n, m, 10, 3, 6};
			struct wavefront w = basic(&s, &none, 0.2e-6);
			double fill = (double)(2 * (n - 1) + 4 * (m - 1));

			check_rel(w.all.time_s, w.W_s * (8 * 14 + fill), 1e-13);
			check_rel(w.all.parts.fill_s, w.W_s * fill, 1e-13);
			check_abs(w.all.parts.comm_s + w.all.parts.sync_s, 0, 0);
		}
	}
}

/* --- closed form, recurrence, monotonicity; fixed seed */

static uint64_t random_state;

static int64_t pick(int64_t lo, int64_t hi)
{
	/* Knuth's MMIX generator; the high bits are the good ones. */
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return lo + (int64_t)((random_state >> 33) % (uint64_t)(hi - lo + 1));
}

static struct sweep random_sweep(void)
{
	static const int64_t divisor_of_6[] = {1, 2, 3, 6};
	struct sweep s = {
		.it_g = pick(40, 300), .jt_g = pick(40, 300), .kt = pick(1, 300), .mm = 6};

	s.npe_i = pick(1, 40);
	s.npe_j = pick(1, 40);
	s.mk = pick(1, s.kt);
	s.mmi = divisor_of_6[pick(0, 3)];
	return s;
}

static struct loggp random_loggp(void)
{
	return (struct loggp){
		.L_s = (double)pick(0, 1000) * 1e-7,
		.o_small_s = (double)pick(0, 500) * 1e-7,
		.o_large_s = (double)pick(0, 500) * 1e-7,
		.G_small_s_per_byte = (double)pick(0, 100) * 1e-9,
		.G_large_s_per_byte = (double)pick(0, 100) * 1e-9,
		.small_max_bytes = (double)pick(0, 2000),
		.handshake_bytes = (double)pick(0, 1) * (double)pick(1, 20000),
	};
}

/* Equation 6 as printed, a second time and with its own loops: a missing neighbour drops its term.
 */
static double start_as_printed(double W, const struct message_time *ew,
			       const struct message_time *ns, int64_t n, int64_t m)
{
	double start[41][41] = {{0}};

	for (int64_t i = 1; i <= n; i++) {
		for (int64_t j = 1; j <= m; j++) {
			double first = 0, second = 0;

			if (i > 1)
				first = start[i - 1][j] + W + ew->total_s + ns->receive_s;
			if (j > 1)
				second = start[i][j - 1] + W + ew->send_s + ns->total_s;
			start[i][j] = first > second ? first : second;
		}
	}
	return start[n][m];
}

TEST(the_closed_form_equals_the_recurrence)
{
	random_state = 1999;
	for (int k = 0; k < 1000; k++) {
		struct sweep s = random_sweep();
		struct loggp p = random_loggp();
		struct message_cost c = cost_of(&p);
		struct wavefront w = basic(&s, &p, (double)pick(0, 1000) * 1e-9);
		struct message_time zero = {0}, ew = zero, ns = zero;
		struct wavefront_hops h = {.W_s = w.W_s, .tile_i = 1, .tile_j = 1};
		int64_t n1 = s.npe_i > 1 ? s.npe_i - 1 : 1;
		double start;
		struct sweep_block b;

		must(sweep_block_of(&s, &b, &err));
		if (s.npe_i > 1)
			ew = message_cost_at(&c, b.ew_bytes);
		if (s.npe_j > 1)
			ns = message_cost_at(&c, b.ns_bytes);
		h.ew[0] = ew;
		h.ns[0] = ns;
		check_rel(w.start_1m_s, start_as_printed(w.W_s, &ew, &ns, 1, s.npe_j), 1e-12);
		check_rel(w.start_n1m_s, start_as_printed(w.W_s, &ew, &ns, n1, s.npe_j), 1e-12);
		must(wavefront_start_recurrence(&h, n1, s.npe_j, &start, &err));
		check_rel(w.start_n1m_s, start, 1e-12);
		check_abs(w.start_n1m_s, wavefront_start_closed(&h, n1, s.npe_j), 0);
	}
}

/* One row has no north neighbour, so no step receives from there: 3 (2 + 5) to column 4. Two rows
 * do: 3 (2 + 5 + 4) and 2 + 1 + 7 for the row. */
TEST(in_one_row_nothing_comes_from_the_north)
{
	const struct wavefront_hops h = {
		.W_s = 2,
		.ew = {{.send_s = 1, .receive_s = 3, .total_s = 5}},
		.ns = {{.send_s = 6, .receive_s = 4, .total_s = 7}},
		.tile_i = 1,
		.tile_j = 1,
	};
	double start;

	check_abs(wavefront_start_closed(&h, 4, 1), 21, 0);
	check_abs(wavefront_start_closed(&h, 4, 2), 43, 0);
	check_abs(wavefront_start_closed(&h, 1, 2), 10, 0);
	must(wavefront_start_recurrence(&h, 4, 1, &start, &err));
	check_abs(start, 21, 0);
}

TEST(the_parts_sum_to_the_time)
{
	random_state = 2024;
	for (int k = 0; k < 1000; k++) {
		struct sweep s = random_sweep();
		struct loggp p = random_loggp();
		struct wavefront w = basic(&s, &p, (double)pick(1, 1000) * 1e-9);

		check_rel(breakdown_total_s(&w.all.parts), w.all.time_s, 1e-13);
		assert_true(w.all.parts.compute_s >= 0 && w.all.parts.comm_s >= 0);
		assert_true(w.all.parts.fill_s >= 0 && w.all.parts.sync_s >= 0);
	}
}

/* What must not get faster: more of L, o, G, Wg, iterations of the pipeline. */
TEST(dearer_work_or_messages_never_make_it_faster)
{
	random_state = 7;
	for (int k = 0; k < 1000; k++) {
		struct sweep s = random_sweep(), deeper = s;
		struct loggp p = random_loggp(), dear = p;
		double Wg_s = (double)pick(0, 1000) * 1e-9;
		double T = basic(&s, &p, Wg_s).all.time_s;

		dear.L_s += 1e-6;
		assert_true(basic(&s, &dear, Wg_s).all.time_s >= T);
		dear.o_small_s += 1e-6;
		dear.o_large_s += 1e-6;
		assert_true(basic(&s, &dear, Wg_s).all.time_s >= T);
		dear.G_small_s_per_byte += 1e-9;
		dear.G_large_s_per_byte += 1e-9;
		assert_true(basic(&s, &dear, Wg_s).all.time_s >= T);
		assert_true(basic(&s, &p, Wg_s + 1e-9).all.time_s > T);
		deeper.kt += s.mk; /* one block more, same messages */
		assert_true(basic(&deeper, &p, Wg_s).all.time_s >= T);
	}
}

/* --- SMP nodes */

/* 4 x 4 processors, it = jt = 13, messages of 3120 B: eager, o = 47 us, W = 1014 us, 10 blocks.
 * Total_R = 47 + 93.6 + 23 + 47 = 210.6, Total_L = 195.6 us; no synchronisation terms.
 * Table 3: StartP(1,4) = sum over j = 2, 3, 4 (L, R, L) of 1014 + 47 + Total
 *  = 3183 + 195.6 + 210.6 + 195.6 = 3784.8; StartP(3,4) adds i = 2, 3 (L, R) of
 *  1014 + 47 + Total = 2122 + 406.2 = 6313.0; with o alike in and between nodes, T56 and T78 add
 *  what they add in the golden row "50,4,4": 22160 and 24161. */
TEST(table_3_as_printed_by_hand)
{
	const struct sweep s = {50, 50, 50, 4, 4, 10, 3, 6};
	struct message_cost remote = cost_of(&sp2_fortran), local = cost_of(&sp2_local);
	struct wavefront w;

	must(wavefront_smp_printed(&s, &remote, &local, 0.2e-6, &w, &err));
	check_rel(w.start_1m_s, 3784.8e-6, 1e-12);
	check_rel(w.start_n1m_s, 6313.0e-6, 1e-12);
	check_rel(w.T56_s, (3784.8 + 22160) * 1e-6, 1e-12);
	check_rel(w.T78_s, (6313.0 + 24161) * 1e-6, 1e-12);
	check_rel(breakdown_total_s(&w.all.parts), w.all.time_s, 1e-13);
}

/* 4 x 2 processors, 40 x 20 x 40: it = jt = 10, mk = 20, 8*10*20*3 = 4800 B: blocking. W = 1200 us,
 * 4 blocks. Remote: Total 376, Send 162, Receive 307; local (L = 8): 331, 132, 277 us.
 * StartP(1,2) = 1200 + 132 + 331 = 1663; StartP(3,2) adds i = 2 local 1200 + 331 + 277 and
 * i = 3 remote 1200 + 376 + 307: 1663 + 1808 + 1883 = 5354. L_avg = 15.5.
 * T56 = 1663 + 8 (1200 + 132 + 277 + 15.5) = 14659;
 * T78 = 5354 + 8 (1200 + 132 + 277 + 277 + 15.5 + 31) + 277 + 1200 = 22291. */
TEST(table_3_with_blocking_messages_by_hand)
{
	const struct sweep s = {40, 20, 40, 4, 2, 20, 3, 6};
	struct message_cost remote = cost_of(&sp2_fortran), local = cost_of(&sp2_local);
	struct wavefront w;

	must(wavefront_smp_printed(&s, &remote, &local, 0.2e-6, &w, &err));
	check_rel(w.start_1m_s, 1663e-6, 1e-12);
	check_rel(w.start_n1m_s, 5354e-6, 1e-12);
	check_rel(w.T56_s, 14659e-6, 1e-12);
	check_rel(w.T78_s, 22291e-6, 1e-12);
	check_rel(w.all.time_s, 73900e-6, 1e-12);
}

/* The same with 2 x 2 tiles and each message's own cost. Into row 2 is local; columns 2 and 4
 * local, 3 remote. StartP(1,2) = 1663 as before (Send_E into column 2 local). StartP(2,2):
 * by the west 1663 + 1200 + 331 + 277 = 3471 wins over the north (1200 + 331) + 1200 + 162 + 331.
 * StartP(3,2): by the west 3471 + 1200 + 376 + 277 = 5324; by the north (1531 + 1200 + 376) + 1200
 * + 132 + 331 = 4770. Receive_W into column 3 remote, the last one local; sync 8 and 8 + 23. T56 =
 * 1663 + 8 (1200 + 132 + 277 + 8) = 14599; T78 = 5324 + 8 (1200 + 132 + 307 + 277 + 8 + 31) + 277 +
 * 1200 = 22441. */
TEST(tiles_give_each_message_its_own_cost)
{
	const struct sweep s = {40, 20, 40, 4, 2, 20, 3, 6};
	struct message_cost remote = cost_of(&sp2_fortran), local = cost_of(&sp2_local);
	struct wavefront w;

	must(wavefront_smp_tiled(&s, &remote, &local, 2, 2, 0.2e-6, &w, &err));
	check_rel(w.start_1m_s, 1663e-6, 1e-12);
	check_rel(w.start_n1m_s, 5324e-6, 1e-12);
	check_rel(w.T56_s, 14599e-6, 1e-12);
	check_rel(w.T78_s, 22441e-6, 1e-12);
}

TEST(tiles_of_one_and_of_all_are_the_basic_model)
{
	random_state = 33;
	for (int k = 0; k < 200; k++) {
		struct sweep s = random_sweep();
		struct loggp p = random_loggp(), q = random_loggp();
		struct message_cost remote = cost_of(&p), local = cost_of(&q);
		double Wg_s = (double)pick(1, 1000) * 1e-9;
		struct wavefront w;

		must(wavefront_smp_tiled(&s, &remote, &local, 1, 1, Wg_s, &w, &err));
		check_rel(w.all.time_s, basic(&s, &p, Wg_s).all.time_s, 1e-12);
		must(wavefront_smp_tiled(&s, &remote, &local, 40, 40, Wg_s, &w, &err));
		check_rel(w.all.time_s, basic(&s, &q, Wg_s).all.time_s, 1e-12);
		check_rel(breakdown_total_s(&w.all.parts), w.all.time_s, 1e-13);
	}
}

TEST(both_smp_forms_with_one_kind_of_message_are_the_basic_model)
{
	random_state = 44;
	for (int k = 0; k < 200; k++) {
		struct sweep s = random_sweep();
		struct loggp p = random_loggp();
		struct message_cost c = cost_of(&p);
		double Wg_s = (double)pick(1, 1000) * 1e-9;
		struct wavefront w;

		s.npe_i += s.npe_i % 2;
		s.npe_j += s.npe_j % 2;
		must(wavefront_smp_printed(&s, &c, &c, Wg_s, &w, &err));
		check_rel(w.all.time_s, basic(&s, &p, Wg_s).all.time_s, 1e-12);
		must(wavefront_smp_tiled(&s, &c, &c, pick(1, 9), pick(1, 9), Wg_s, &w, &err));
		check_rel(w.all.time_s, basic(&s, &p, Wg_s).all.time_s, 1e-12);
	}
}

/* --- hostile input */

TEST(nonsense_is_an_error_and_out_is_untouched)
{
	const struct sweep s = {50, 50, 50, 2, 3, 10, 3, 6};
	struct message_cost c = cost_of(&sp2_fortran);
	struct wavefront w = {.W_s = 77};
	struct sweep bad;

	must_fail(wavefront_basic(&s, &c, NAN, &w, &err), ERR_ARG, "");
	must_fail(wavefront_basic(&s, &c, -1e-9, &w, &err), ERR_ARG, "");
	must_fail(wavefront_basic(&s, &c, 1e306, &w, &err), ERR_ARG, "too large");
	bad = s;
	bad.mmi = 4;
	must_say(wavefront_basic(&bad, &c, 1e-9, &w, &err), ERR_ARG, "mmi = 4 must divide mm = 6");
	must_fail(wavefront_smp_printed(&s, &c, &c, 1e-9, &w, &err), ERR_ARG,
		  "npe_j = 3 must be even");
	must_fail(wavefront_smp_tiled(&s, &c, &c, 0, 2, 1e-9, &w, &err), ERR_ARG, "");
	check_abs(w.W_s, 77, 0);
}

TEST(a_recurrence_over_too_many_processors_is_refused)
{
	const struct sweep s = {1000000, 1000000, 50, 1000000, 1000000, 10, 3, 6};
	struct message_cost c = cost_of(&sp2_fortran);
	struct wavefront w;

	must_fail(wavefront_smp_tiled(&s, &c, &c, 2, 2, 1e-9, &w, &err), ERR_ARG, "recurrence");
	must(wavefront_basic(&s, &c, 1e-9, &w, &err)); /* the closed form does not mind */
}
