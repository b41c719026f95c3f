#include "tests/support/made_runs.h"
#include "tests/unit/mining/synthetic_world.h"
#include "tests/support/failing_allocations.h"

#include "mining/structure/wavefront_model.h"

FREEABLE(config_table)

/* Calibration on runs of a machine that is known. */

/* The first n configurations of the design on up to 4 processors. */
static struct config_table *table(size_t n, double noise)
{
	FREED(dataset) *runs = synthetic_runs(&world, 4, 1, noise, 0, 7);
	struct config_table *all = NULL, *some = NULL;
	HEAP unsigned char *keep;

	assert_non_null(runs);
	must(config_table_make(runs, &all, &err));
	keep = zeroed(all->n, 1);
	memset(keep, 1, n < all->n ? n : all->n);
	must(config_table_subset(all, keep, &some, &err));
	config_table_free(all);
	return some;
}

TEST(eight_configurations_are_the_fewest)
{
	const struct fit_input in = input_of(NULL);
	void *m = NULL;

	for (size_t n = 1; n <= 8; n++) {
		FREED(config_table) *t = table(n, 0);
		struct err e = {0};
		enum err_code rc = wavefront_calibrate(t, &in, NULL, &m, &e);

		assert_int_equal(rc, n < 8 ? ERR_NODATA : ERR_OK);
		if (n == 1)
			assert_string_equal(e.msg, "1 configuration: the wavefront model wants 8 "
						   "or more to calibrate on");
		if (n == 7)
			assert_string_equal(e.msg, "7 configurations: the wavefront model wants 8 "
						   "or more to calibrate on");
	}
	predictor_kind_wavefront.free(m);
}

/* Folds of a small fit are fitted, too, or nothing would tell how far off it is. */
TEST(parts_of_a_fit_may_be_smaller)
{
	const struct fit_input in = input_of(NULL);
	struct config_table *t = table(8, 0);
	void *all = NULL, *part = NULL;

	must(wavefront_calibrate(t, &in, NULL, &all, &err));
	config_table_free(t);
	t = table(3, 0);
	assert_int_equal(wavefront_calibrate(t, &in, all, &part, &err), ERR_NODATA);
	config_table_free(t);
	t = table(4, 0);
	must(wavefront_calibrate(t, &in, all, &part, &err));
	config_table_free(t);
	predictor_kind_wavefront.free(part);
	predictor_kind_wavefront.free(all);
}

/* In standard deviations of what the parameters leave open, how far off the rest of the design is
 * at worst, where n runs with noise of 1 % are known. */
static double worst_miss(size_t n, double *widest)
{
	const struct fit_input in = input_of(NULL);
	FREED(config_table) *few = table(n, 0.01), *all = table(SIZE_MAX, 0);
	const struct wavefront_model *m;
	void *fitted = NULL;
	double worst = 0;

	must(wavefront_calibrate(few, &in, NULL, &fitted, &err));
	m = fitted;
	*widest = 0;
	for (size_t i = 0; i < all->n; i++) {
		const double *row = config_table_row(all, i);
		double sd = wavefront_trend_sd(m, row);
		double off = log(wavefront_time_at(&m->time, row, NULL, NULL) / all->time_s[i]);

		worst = fmax(worst, fabs(off) / sd);
		*widest = fmax(*widest, sd);
	}
	predictor_kind_wavefront.free(fitted);
	return worst;
}

/* Of a normal law one row in 16 000 is off by more than 4; the design has some hundred. */
TEST(what_few_runs_leave_open_covers_what_they_miss)
{
	double few, many;

	assert_true(worst_miss(8, &few) < 4);
	assert_true(worst_miss(SIZE_MAX, &many) < 4);
	assert_true(many < few / 2);
}

/* Uniform noise of +-20 % has a standard deviation of 0.2 / sqrt(3) = 0.115. */
TEST(the_misfit_is_that_of_the_noise)
{
	const struct fit_input in = input_of(NULL);
	FREED(config_table) *t = table(SIZE_MAX, 0.2);
	const struct wavefront_model *m;
	void *state_of_m = NULL;

	must(wavefront_calibrate(t, &in, NULL, &state_of_m, &err));
	m = state_of_m;
	assert_true(m->scale > 0.06 && m->scale < 0.2);
	assert_int_equal(m->n_configs, t->n);
	assert_int_equal(m->cost_origin, COST_PINGPONG);
	for (int j = 0; j < WP_COUNT; j++)
		assert_true(m->std_error[j] > 0);
	predictor_kind_wavefront.free(state_of_m);
}

/* Part of the runs are fitted with the step that all of them showed, whatever it is. */
TEST(a_fit_to_fewer_runs_takes_the_step_of_all)
{
	const struct fit_input in = input_of(NULL);
	FREED(config_table) *t = table(12, 0.02);
	struct wavefront_model like = {.time = world.truth};
	void *m = NULL;

	like.time.step = 7.5;
	must(wavefront_calibrate(t, &in, &like, &m, &err));
	check_abs(((const struct wavefront_model *)m)->time.step, 7.5, 0);
	predictor_kind_wavefront.free(m);
}

/* Without noise the times come back, and so does the step, wherever it is: midway between inner
 * loops of 10 and of 13 cells, 50 cells on 4 processors, of which there are none between; or
 * between the two shortest, 5 and 10 cells, or between 38 (150 on 4) and 40. */
TEST(times_without_noise_come_back_and_so_does_the_step)
{
	static const double step[] = {11.5, 7.5, 39};
	const struct fit_input in = input_of(NULL);
	const double usual = world.truth.step;

	for (size_t k = 0; k < 3; k++) {
		FREED(config_table) *t;
		void *m = NULL;

		world.truth.step = step[k];
		t = table(SIZE_MAX, 0);
		must(wavefront_calibrate(t, &in, NULL, &m, &err));
		check_abs(((const struct wavefront_model *)m)->time.step, step[k], 0);
		for (size_t i = 0; i < t->n; i++) {
			double time_s;

			predictor_kind_wavefront.predict(m, config_table_row(t, i), 1, t->n_columns,
							 &time_s);
			check_rel(time_s, t->time_s[i], 0.03);
		}
		predictor_kind_wavefront.free(m);
	}
	world.truth.step = usual;
}

/* Cubes of n cells on n x n processors in blocks of one cell and angle: no logarithm of it, jt, mk
 * or mmi is other than 0, no sub-grid or block beyond a knot. What runs cannot tell is as it was
 * thought to be: time goes with the exponents of it and jt by 2 % in a factor of e, with those of
 * mk and mmi by 5 %, with each hinge by 10 %. */
TEST(what_runs_do_not_tell_stays_as_it_was_thought)
{
	static const double sd[WP_N_PHI] = {
		[WP_IT] = 0.02,	     [WP_JT] = 0.02,	  [WP_MK] = 0.05,     [WP_MMI] = 0.05,
		[WP_GRID_1] = 0.1,   [WP_GRID_2] = 0.1,	  [WP_GRID_3] = 0.1,  [WP_STREAM_1] = 0.1,
		[WP_STREAM_2] = 0.1, [WP_STREAM_3] = 0.1, [WP_BLOCK_1] = 0.1, [WP_BLOCK_2] = 0.1};
	const struct fit_input in = input_of(NULL);
	FREED(dataset) *runs = dataset_new(world.app);
	FREED(config_table) *t = NULL;
	const struct wavefront_model *m;
	void *fitted = NULL;

	for (int n = 2; n <= 12; n++) {
		double row[64];

		synthetic_row(&world, row, n, n, n, 1, 1);
		must(dataset_add(runs, row, wavefront_time_at(&world.truth, row, NULL, NULL), n, 1,
				 SOURCE_SIMULATED, RUN_OK, 1, &err));
	}
	must(config_table_make(runs, &t, &err));
	must(wavefront_calibrate(t, &in, NULL, &fitted, &err));
	m = fitted;
	for (int j = WP_IT; j < WP_N_PHI; j++) {
		check_abs(m->time.p[j], 0, 1e-9);
		check_rel(m->std_error[j], sd[j], 1e-6);
	}
	predictor_kind_wavefront.free(fitted);
}

/* A network that is seen by one-processor runs is not: shares of the one-way cost are 1, or 1/2
 * where a message does not block, within a factor of e; of a cost that is assumed only, e^3. */
TEST(without_messages_their_shares_stay_as_they_were_thought)
{
	for (int assumed = 0; assumed < 2; assumed++) {
		const struct fit_input in = {.machine = &world.machine,
					     .segment = assumed ? NULL : world.segment,
					     .n_segment = assumed ? 0 : 1};
		FREED(dataset) *runs = dataset_new(world.app);
		FREED(config_table) *t = NULL;
		const struct wavefront_model *m;
		void *fitted = NULL;

		for (int n = 10; n <= 40; n += 3) {
			double row[64];

			synthetic_row(&world, row, n, 1, 1, n, 6);
			must(dataset_add(runs, row,
					 wavefront_time_at(&world.truth, row, NULL, NULL), n, 1,
					 SOURCE_SIMULATED, RUN_OK, 1, &err));
		}
		must(config_table_make(runs, &t, &err));
		must(wavefront_calibrate(t, &in, NULL, &fitted, &err));
		m = fitted;
		for (int j = WP_EAGER; j <= WP_REDUCE; j++) {
			check_abs(m->time.p[j], j == WP_EAGER ? -log(2) : 0, 1e-9);
			check_rel(m->std_error[j], assumed ? 3. : 1., 1e-6);
		}
		predictor_kind_wavefront.free(fitted);
	}
}

static void check_cost(const struct fit_input *in, enum cost_origin origin, double blocking_bytes,
		       double bytes, double total_s)
{
	struct wavefront_model m = {.cost_origin = (enum cost_origin)99};

	must(wavefront_choose_cost(in, &m, &err));
	assert_int_equal(m.cost_origin, origin);
	check_rel(message_cost_at(&m.time.cost, bytes).total_s, total_s, 1e-12);
	assert_false(message_cost_at(&m.time.cost, fmin(blocking_bytes, 1e9) - 1).blocks);
	assert_int_equal(message_cost_at(&m.time.cost, fmin(blocking_bytes, 1e9)).blocks,
			 blocking_bytes < 1e9);
}

/* A ping-pong blocks where it jumps most, relative to itself, up or down: at 1000 bytes from 11 to
 * 16 us, at 8000 from 23 to 48 us or to 8. The machine's own figure goes before that, and its
 * costs before any ping-pong; where there is nothing, 10 us and 1 GB/s. */
TEST(the_cost_of_messages_is_of_the_best_origin)
{
	struct cost_segment curve[] = {
		{0, 10e-6, 1e-9, 0, 0}, {1000, 15e-6, 1e-9, 0, 0}, {8000, 40e-6, 1e-9, 0, 0}};
	struct cost_segment own[] = {{0, 7e-6, 2e-9, 0, 0}};
	struct machine mc = world.machine;
	struct fit_input in = {.machine = &mc, .segment = curve, .n_segment = 3};

	check_cost(&in, COST_PINGPONG, 8000, 9000, 49e-6);
	curve[2].intercept_s = 0;
	check_cost(&in, COST_PINGPONG, 8000, 9000, 9e-6);
	in.n_segment = 2;
	check_cost(&in, COST_PINGPONG, 1000, 500, 10.5e-6);
	in.n_segment = 1;
	check_cost(&in, COST_PINGPONG, INFINITY, 9000, 19e-6);
	mc.blocking_bytes = 2000;
	check_cost(&in, COST_PINGPONG, 2000, 9000, 19e-6);
	in.n_segment = 3;
	check_cost(&in, COST_PINGPONG, 2000, 500, 10.5e-6);
	in.n_segment = 0;
	check_cost(&in, COST_ASSUMED, 2000, 9000, 19e-6);
	mc.blocking_bytes = 0;
	check_cost(&in, COST_ASSUMED, INFINITY, 1e6, 1.01e-3);
	in.n_segment = 3;
	mc.segment = own;
	mc.n_segment = 1;
	check_cost(&in, COST_MACHINE_FILE, INFINITY, 1000, 9e-6);
	/* L + 2 o + bytes * G */
	mc.n_segment = 0;
	mc.has_loggp = true;
	mc.loggp = (struct loggp){.L_s = 5e-6,
				  .o_small_s = 1e-6,
				  .o_large_s = 1e-6,
				  .G_small_s_per_byte = 1e-9,
				  .G_large_s_per_byte = 1e-9};
	check_cost(&in, COST_MACHINE_FILE, INFINITY, 1000, 8e-6);
}

static enum err_code calibrate_again(const struct config_table *t, const struct fit_input *in,
				     struct err *e)
{
	void *m = NULL;
	enum err_code rc = wavefront_calibrate(t, in, NULL, &m, e);

	assert_int_equal(m == NULL, rc != ERR_OK);
	predictor_kind_wavefront.free(m);
	return rc;
}

TEST(a_calibration_can_be_stopped_or_be_without_memory)
{
	const struct progress no = {stop_at_once, NULL};
	struct fit_input in = {.machine = &world.machine,
			       .segment = world.segment,
			       .n_segment = 1,
			       .progress = &no};
	FREED(config_table) *t = table(24, 0.01);

	must_fail(calibrate_again(t, &in, &err), ERR_INTERRUPTED, "calibration interrupted");
	in.progress = NULL;
	failing_each_place_repeated(calibrate_again(t, &in, &err), &err);
}

TEST_GROUP(open_synthetic, close_synthetic)
