#include "tests/support/sp2.h"

#include "models/logp_wavefront.h"
#include "models/model_list.h"
#include "models/pipeline.h"
#include "models/wavefront.h"

struct question {
	struct message_cost cost;
	struct model_input in;
};

/* 150^3 on 8 x 8, mk = 10, mmi = 3, Wg = 0.2 us: one iteration is 836305.2 us (the golden value
 * of the LogGP equations). */
static void question_init(struct question *q)
{
	q->cost = cost_of(&sp2_fortran);
	q->in = (struct model_input){
		.sweep = {150, 150, 150, 8, 8, 10, 3, 6},
		.run = {.iterations = 12, .groups = 1, .timesteps = 1},
		.remote = &q->cost,
		.local = &q->cost,
		.tile_i = 2,
		.tile_j = 2,
	};
	q->in.run.Wg_s = q->in.run.Wg_fixup_s = 0.2e-6;
}

static struct sweep_time run(const char *name, const struct model_input *in)
{
	const struct model *m;
	struct sweep_time t;

	must(model_find(name, &m, &err));
	must(model_run(m, in, &t, &err));
	return t;
}

TEST(every_wavefront_runs_and_its_parts_sum_to_its_time)
{
	size_t n;
	const struct model *m = model_list(&n);
	struct question q;

	question_init(&q);
	q.in.run.W_before_s = 0.5;
	for (size_t i = 0; i < n; i++) {
		struct model_input in = q.in;
		struct sweep_time t;

		if (!m[i].iteration)
			continue;
		if (!strcmp(m[i].name, "plug-lu")) /* has no angles */
			in.sweep.mmi = in.sweep.mm = 1;
		t = run(m[i].name, &in);
		check_rel(breakdown_total_s(&t.parts), t.time_s, 1e-12);
		check_abs(t.parts.other_s, 0.5, 0);
	}
}

/* Blocks that pass before the last processor is at work, where messages are free: the efficiency
 * formula's of Sweep3D (LANL LA-CC-97-5), and those of the other codes' own corners. */
static double fill_blocks(const char *name, int64_t n, int64_t m)
{
	double i = (double)(n - 1), j = (double)(m - 1);

	if (!strcmp(name, "plug-lu"))
		return 2 * (i + j);
	if (!strcmp(name, "plug-chimaera"))
		return 4 * (i + j) + 2 * j;
	return 2 * i + 4 * j;
}

TEST(every_wavefront_has_the_fill_of_its_corners_when_messages_are_free)
{
	static const struct loggp free_messages = {.small_max_bytes = 1024,
						   .handshake_bytes = 4096};
	static const int64_t grid[][2] = {{2, 2}, {6, 10}, {10, 6}, {4, 2}, {2, 8}, {20, 16}};
	size_t n_models;
	const struct model *m = model_list(&n_models);
	struct question q;

	question_init(&q);
	q.cost = cost_of(&free_messages);
	for (size_t g = 0; g < sizeof grid / sizeof *grid; g++) {
		int64_t n = grid[g][0], rows = grid[g][1];

		for (size_t i = 0; i < n_models; i++) {
			/* 10 x 10 x 10 cells a processor, 20 blocks an octant of 300 cells and
			 * angles: W = 60 us */
			struct model_input in = q.in;
			const char *name = m[i].name;
			bool lu = !strcmp(name, "plug-lu");
			double W_s = lu ? 20e-6 : 60e-6, blocks = lu ? 2 * 10 : 8 * 20;
			struct sweep_time t;

			if (!m[i].iteration)
				continue;
			in.sweep = (struct sweep){10 * n, 10 * rows, 10, n, rows, 1, 3, 6};
			if (lu)
				in.sweep.mmi = in.sweep.mm = 1;
			in.run.iterations = 1;
			t = run(name, &in);
			check_rel(t.time_s, W_s * (blocks + fill_blocks(name, n, rows)), 1e-12);
			check_rel(t.parts.compute_s, W_s * blocks, 1e-12);
			check_rel(t.parts.fill_s, W_s * fill_blocks(name, n, rows), 1e-10);
		}
	}
}

TEST(no_wavefront_runs_without_message_costs)
{
	size_t n;
	const struct model *m = model_list(&n);
	struct question q;

	question_init(&q);
	q.in.remote = q.in.local = NULL;
	for (size_t i = 0; i < n; i++) {
		struct sweep_time t;
		struct err e = {0};

		if (!m[i].iteration)
			continue;
		assert_int_not_equal(model_run(&m[i], &q.in, &t, &e), ERR_OK);
		assert_true(*e.msg);
	}
}

/* Twelve iterations, each as the equations have it; and who interrupts takes longer. */
TEST(logp_and_lopc_differ_in_who_handles_messages)
{
	static const struct named {
		const char *name;
		enum logp_contention contention;
	} model[] = {{"logp", LOGP_NO_CONTENTION},
		     {"lopc-coprocessor", LOPC_COPROCESSOR},
		     {"lopc", LOPC_ONE_PROCESSOR}};
	struct question q;
	struct logp cost;
	double before_s = 0;

	question_init(&q);
	cost = logp_from_message_cost(&q.cost);
	for (int i = 0; i < 3; i++) {
		double time_s = run(model[i].name, &q.in).time_s;
		struct logp_wavefront w;

		must(logp_wavefront(&q.in.sweep, &cost, model[i].contention, 0.2e-6, &w, &err));
		check_rel(time_s, 12 * w.all.time_s, 1e-12);
		assert_true(time_s > before_s);
		before_s = time_s;
	}
}

TEST(every_model_says_what_it_is_and_is_a_wavefront_or_a_formula)
{
	size_t n;
	const struct model *m = model_list(&n);

	for (size_t i = 0; i < n; i++) {
		const struct formula *f = m[i].formula;

		assert_non_null(m[i].title);
		assert_non_null(m[i].source);
		assert_non_null(m[i].applies_to);
		assert_true(!m[i].iteration != !f);
		if (!f)
			continue;
		assert_true(f->n_inputs <= FORMULA_MAX_INPUTS);
		assert_true(f->n_results <= FORMULA_MAX_RESULTS);
		assert_true(!f->procs || formula_find_input(f, f->procs) < f->n_inputs);
	}
}

/* What is not the paper's own text says so wherever it is printed. */
TEST(restated_models_have_a_caveat)
{
	static const char *const restated[] = {"lopc", "lopc-coprocessor", "plug-lu",
					       "plug-sweep3d", "plug-chimaera"};

	for (size_t i = 0; i < sizeof restated / sizeof *restated; i++) {
		const struct model *m;

		must(model_find(restated[i], &m, &err));
		assert_non_null(strstr(m->caveat, "restated"));
	}
}

TEST(times_that_a_model_does_not_know_are_refused)
{
	const struct model *m;
	struct question q;
	struct sweep_time t;

	question_init(&q);
	q.in.nonwavefront_s = 1;
	must(model_find("loggp", &m, &err));
	must_fail(model_run(m, &q.in, &t, &err), ERR_ARG, "plug-sweep3d");
	check_abs(run("plug-sweep3d", &q.in).parts.other_s, 12, 1e-12); /* of each iteration */
}

TEST(the_three_loggp_models_agree_when_all_messages_cost_the_same)
{
	struct question q;

	question_init(&q);
	check_rel(run("loggp", &q.in).time_s, 12 * 836305.2e-6, 1e-12);
	check_rel(run("loggp-smp", &q.in).time_s, 12 * 836305.2e-6, 1e-12);
	check_rel(run("loggp-tile", &q.in).time_s, 12 * 836305.2e-6, 1e-12);
}

/* 280 x 280 x 255, Wg = 0.35 us, 12 iterations: with and without (n-2)L below the handshake size,
 * computed from equations 5 to 9 by another program. */
TEST(the_printed_form_waits_for_receives_of_any_size)
{
	static const struct {
		int64_t n, m;
		double loggp_s, printed_s, share;
	} golden[] = {{32, 32, 7.2368904, 8.9591304, 0.19},
		      {32, 64, 5.5626792, 7.2849192, 0.24},
		      {64, 64, 3.991188, 7.550484, 0.47},
		      {128, 128, 2.922132, 10.15554, 0.71}};
	struct question q;
	struct sweep_time t;

	question_init(&q);
	check_rel(run("loggp-printed", &q.in).time_s, 12 * 836305.2e-6, 1e-12); /* all block */
	q.in.run.Wg_s = q.in.run.Wg_fixup_s = 0.35e-6;
	for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
		q.in.sweep = (struct sweep){280, 280, 255, golden[i].n, golden[i].m, 10, 3, 6};
		check_rel(run("loggp", &q.in).time_s, golden[i].loggp_s, 1e-8);
		t = run("loggp-printed", &q.in);
		check_rel(t.time_s, golden[i].printed_s, 1e-8);
		check_abs(t.parts.sync_s / t.time_s, golden[i].share, 0.006);
	}
	/* no column between the first and the last: nothing to wait for */
	q.in.sweep = (struct sweep){280, 280, 255, 2, 64, 10, 3, 6};
	check_abs(run("loggp", &q.in).time_s, run("loggp-printed", &q.in).time_s, 0);
}

TEST(the_pipeline_is_the_exact_recurrence)
{
	struct question q;
	struct sweep_time t;

	question_init(&q);
	must(pipeline_iteration(&q.in.sweep, &q.cost, 0.2e-6, &t, &err));
	check_rel(run("pipeline", &q.in).time_s, 12 * t.time_s, 1e-14);
}

TEST(a_run_has_its_groups_steps_and_two_kinds_of_iterations)
{
	struct question q;
	struct wavefront plain, fixup;

	question_init(&q);
	q.in.run.groups = 30;
	q.in.run.timesteps = 10000;
	q.in.run.Wg_fixup_s = 0.25e-6;
	q.in.run.W_before_s = 0.5;
	q.in.run.W_after_s = 0.25;
	must(wavefront_basic(&q.in.sweep, &q.cost, 0.2e-6, &plain, &err));
	must(wavefront_basic(&q.in.sweep, &q.cost, 0.25e-6, &fixup, &err));
	check_rel(run("loggp", &q.in).time_s,
		  300000 * (0.75 + 7 * plain.all.time_s + 5 * fixup.all.time_s), 1e-14);
}

TEST(missing_costs_and_unfit_tiles_are_errors)
{
	struct question q;
	const struct model *m;
	struct sweep_time t = {.time_s = 77};

	question_init(&q);
	q.in.local = NULL;
	must(model_find("loggp-smp", &m, &err));
	must_fail(model_run(m, &q.in, &t, &err), ERR_NODATA, "inside a node");
	q.in.local = &q.cost;
	q.in.tile_i = 4;
	must_fail(model_run(m, &q.in, &t, &err), ERR_ARG, "loggp-tile");
	q.in.remote = NULL;
	check_ok(model_find("pipeline", &m, &err), &(struct err){0});
	assert_int_equal(model_run(m, &q.in, &t, &err), ERR_NODATA);
	check_abs(t.time_s, 77, 0);
}

TEST(an_unknown_model_is_answered_with_the_names_there_are)
{
	const struct model *m = NULL;

	must_fail(model_find("LogP", &m, &err), ERR_ARG,
		  "no model is called LogP: there are loggp, "
		  "loggp-printed, loggp-smp, loggp-tile, pipeline, logp, ");
	assert_null(m);
}

TEST(a_projection_takes_the_squarest_grid)
{
	static const int64_t want[][3] = {
		{1, 1, 1},
		{2, 1, 2},
		{12, 3, 4},
		{13, 1, 13},
		{1024, 32, 32},
		{2048, 32, 64},
		{1000000, 1000, 1000},
	};
	int64_t n = 77, m = 77;

	assert_int_equal(model_square_grid(0, &n, &m, &err), ERR_ARG);
	assert_int_equal(model_square_grid(INT64_MAX, &n, &m, &err), ERR_ARG);
	assert_int_equal(n, 77);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		must(model_square_grid(want[i][0], &n, &m, &err));
		assert_int_equal(n, want[i][1]);
		assert_int_equal(m, want[i][2]);
	}
}

/* The paper's stated result: little is gained past one or two thousand processors. */
TEST(speed_up_of_the_150_cube_flattens_before_2500_processors)
{
	struct question q;
	double t400, t2500;

	question_init(&q);
	q.in.sweep.npe_i = q.in.sweep.npe_j = 20;
	t400 = run("loggp", &q.in).time_s;
	q.in.sweep.npe_i = q.in.sweep.npe_j = 50;
	t2500 = run("loggp", &q.in).time_s;
	assert_true(t400 / t2500 < 2500.0 / 400 / 2); /* less than half of the processors' gain */
}
