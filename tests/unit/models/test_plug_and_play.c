#include "tests/support/sp2.h"

#include "models/pipeline.h"
#include "models/plug_and_play.h"

static struct plug_and_play run(const struct plug_input *in, const struct loggp *p)
{
	const struct message_cost c = cost_of(p);
	struct plug_and_play t;

	must(plug_and_play(in, &c, &t, &err));
	check_rel(breakdown_total_s(&t.all.parts), t.all.time_s, 1e-12);
	return t;
}

/* 4 x 4 x 2 cells on 2 x 2, one angle, one plane a block, Wg = 1 us: W = 4 us, 2 blocks. Messages
 * of 16 bytes: Send = Receive = 23 us, Total = 69 + 16 0.07 = 70.12 us; of 8: 69.56 us.
 *   StartP(1,2) = 4 + 23 + 70.12 = 97.12
 *   StartP(2,2) = 97.12 + 4 + 70.12 + 23 = 194.24
 *   T_stack = (4 23 + 4) 2 = 192
 *   Sweep3D:  2 97.12 + 2 194.24 + 8 192 + 2 log2(4) 69.56 = 2396.96
 *   Chimaera: 2 97.12 + 4 194.24 + 8 192 + 1 log2(4) 69.56 = 2646.32 */
TEST(sweep3d_and_chimaera_by_hand)
{
	struct plug_input in = {
		.code = PLUG_SWEEP3D, .sweep = {4, 4, 2, 2, 2, 1, 1, 1}, .Wg_s = 1e-6};
	struct plug_and_play t = run(&in, &sp2_fortran);

	check_rel(t.diagfill_s, 97.12e-6, 1e-12);
	check_rel(t.fullfill_s, 194.24e-6, 1e-12);
	check_rel(t.stack_s, 192e-6, 1e-12);
	check_rel(t.nonwavefront_s, 278.24e-6, 1e-12);
	check_rel(t.all.time_s, 2396.96e-6, 1e-12);
	in.code = PLUG_CHIMAERA;
	check_rel(run(&in, &sp2_fortran).all.time_s, 2646.32e-6, 1e-12);
}

/* As above, but 5 numbers a cell: 80 bytes, Total = 69 + 5.6 = 74.6 us; W_pre = 2 us.
 *   StartP(2,2) = 2 + (4 + 74.6 + 23) + (4 + 23 + 74.6) = 205.2
 *   T_stack = (4 23 + 4 + 2) 2 - 2 = 194
 *   T = 2 205.2 + 2 194 + 10 = 808.4 */
TEST(lu_by_hand)
{
	const struct plug_input in = {.code = PLUG_LU,
				      .sweep = {4, 4, 2, 2, 2, 1, 1, 1},
				      .Wg_s = 1e-6,
				      .Wg_pre_s = 0.5e-6,
				      .nonwavefront_s = 10e-6};
	struct plug_and_play t = run(&in, &sp2_fortran);

	check_rel(t.fullfill_s, 205.2e-6, 1e-12);
	check_rel(t.stack_s, 194e-6, 1e-12);
	check_rel(t.all.time_s, 808.4e-6, 1e-12);
	check_rel(t.all.parts.other_s, 10e-6, 0);
}

/* What supports the restatement: free messages leave the fill of the program's own efficiency,
 * blocks / (blocks + fill). */
TEST(with_free_messages_sweep3d_has_its_own_pipeline_efficiency)
{
	static const struct loggp free_messages = {0, 0, 0, 0, 0, 1024, 4096};

	for (int64_t n = 1; n <= 9; n += 4) {
		for (int64_t m = 1; m <= 10; m += 3) {
			const struct plug_input in = {.code = PLUG_SWEEP3D,
						      .sweep = {90, 90, 50, n, m, 10, 3, 6},
						      .Wg_s = 1e-6};
			struct plug_and_play t = run(&in, &free_messages);
			double fill = 2.0 * (double)(n - 1) + 4.0 * (double)(m - 1);

			check_abs(t.all.parts.fill_s, fill * t.W_s, 1e-9 * t.all.time_s);
			check_rel(t.all.parts.compute_s / t.all.time_s, 80 / (80 + fill), 1e-12);
		}
	}
}

TEST(one_processor_only_computes)
{
	struct plug_input in = {
		.code = PLUG_CHIMAERA, .sweep = {10, 10, 10, 1, 1, 5, 3, 6}, .Wg_s = 1e-6};

	check_rel(run(&in, &sp2_fortran).all.time_s, 10 * 10 * 10 * 8 * 6 * 1e-6, 1e-14);
	in = (struct plug_input){.code = PLUG_LU,
				 .sweep = {10, 10, 10, 1, 1, 1, 1, 1},
				 .Wg_s = 1e-6,
				 .Wg_pre_s = 0.5e-6};
	check_rel(run(&in, &sp2_fortran).all.time_s, 2 * 1000 * 1.5e-6, 1e-14);
}

/* Measured against the exact recurrence: 150^3 on 4 x 4 and 8 x 8, messages that block. */
TEST(sweep3d_is_within_2_percent_of_the_exact_pipeline)
{
	const struct message_cost c = cost_of(&sp2_fortran);

	for (int64_t n = 4; n <= 8; n *= 2) {
		const struct plug_input in = {.code = PLUG_SWEEP3D,
					      .sweep = {150, 150, 150, n, n, 10, 3, 6},
					      .Wg_s = 0.35e-6};
		struct sweep_time exact;

		must(pipeline_iteration(&in.sweep, &c, in.Wg_s, &exact, &err));
		check_rel(run(&in, &sp2_fortran).all.time_s, exact.time_s, 0.02);
	}
}

TEST(what_is_outside_of_the_model_is_an_error)
{
	const struct plug_input good = {
		.code = PLUG_SWEEP3D, .sweep = {4, 4, 2, 2, 2, 1, 1, 1}, .Wg_s = 1e-6};
	const struct message_cost c = cost_of(&sp2_fortran);
	struct plug_input bad = good;
	struct plug_and_play t = {.W_s = 77};

	bad.Wg_pre_s = 1e-6;
	must_fail(plug_and_play(&bad, &c, &t, &err), ERR_ARG, "only LU");
	bad = good;
	bad.code = PLUG_LU;
	bad.sweep.mm = 6;
	must_fail(plug_and_play(&bad, &c, &t, &err), ERR_ARG, "mm = 6 must be 1");
	bad = good;
	bad.nonwavefront_s = -1;
	assert_int_equal(plug_and_play(&bad, &c, &t, NULL), ERR_ARG);
	bad = good;
	bad.Wg_s = (double)NAN;
	assert_int_equal(plug_and_play(&bad, &c, &t, NULL), ERR_ARG);
	bad.Wg_s = 1e308;
	assert_int_equal(plug_and_play(&bad, &c, &t, NULL), ERR_ARG);
	bad = good;
	bad.sweep.mk = 3;
	assert_int_equal(plug_and_play(&bad, &c, &t, NULL), ERR_ARG);
	check_abs(t.W_s, 77, 0);
}
