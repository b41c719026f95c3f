#include "tests/support/check.h"
#include "mining/numerics/mining_init.h"

#include <string.h>

#include "mining/predictor/predictor.h"
#include "mining/structure/wavefront_model.h"
#include "tests/support/synthetic_runs.h"

/* Calibration on runs of a machine that is known. */

static struct synthetic world;

static int set_up(void **state)
{
	mining_init();
	return synthetic_open(&world);
}

static int tear_down(void **state)
{
	synthetic_close(&world);
	return 0;
}

/* The first n configurations of the design on up to 4 processors. */
static struct config_table *table(size_t n, double noise)
{
	struct dataset *runs = synthetic_runs(&world, 4, 1, noise, 0, 7);
	struct config_table *all = NULL, *some = NULL;
	unsigned char *keep;
	struct err e = {0};

	assert_non_null(runs);
	check_ok(config_table_make(runs, &all, &e), &e);
	keep = calloc(all->n, 1);
	assert_non_null(keep);
	memset(keep, 1, n < all->n ? n : all->n);
	check_ok(config_table_subset(all, keep, &some, &e), &e);
	free(keep);
	config_table_free(all);
	dataset_free(runs);
	return some;
}

static void eight_configurations_are_the_fewest(void **state)
{
	const struct fit_input in = {
		.machine = &world.machine, .segment = world.segment, .n_segment = 1};
	void *m = NULL;

	for (size_t n = 1; n <= 8; n++) {
		struct config_table *t = table(n, 0);
		struct err e = {0};
		enum err_code rc = wavefront_calibrate(t, &in, NULL, &m, &e);

		assert_int_equal(rc, n < 8 ? ERR_NODATA : ERR_OK);
		if (n == 1)
			assert_string_equal(e.msg, "1 configuration: the wavefront model wants 8 "
						   "or more to calibrate on");
		if (n == 7)
			assert_string_equal(e.msg, "7 configurations: the wavefront model wants 8 "
						   "or more to calibrate on");
		config_table_free(t);
	}
	predictor_kind_wavefront.free(m);
}

/* Folds of a small fit are fitted, too, or nothing would tell how far off it is. */
static void parts_of_a_fit_may_be_smaller(void **state)
{
	const struct fit_input in = {
		.machine = &world.machine, .segment = world.segment, .n_segment = 1};
	struct config_table *t = table(8, 0);
	void *all = NULL, *part = NULL;
	struct err e = {0};

	check_ok(wavefront_calibrate(t, &in, NULL, &all, &e), &e);
	config_table_free(t);
	t = table(3, 0);
	assert_int_equal(wavefront_calibrate(t, &in, all, &part, &e), ERR_NODATA);
	config_table_free(t);
	t = table(4, 0);
	e = (struct err){0};
	check_ok(wavefront_calibrate(t, &in, all, &part, &e), &e);
	config_table_free(t);
	predictor_kind_wavefront.free(part);
	predictor_kind_wavefront.free(all);
}

/* In standard deviations of what the parameters leave open, how far off the rest of the design is
 * at worst, where n runs with noise of 1 % are known. */
static double worst_miss(size_t n, double *widest)
{
	const struct fit_input in = {
		.machine = &world.machine, .segment = world.segment, .n_segment = 1};
	struct config_table *few = table(n, 0.01), *all = table(SIZE_MAX, 0);
	const struct wavefront_model *m;
	void *fitted = NULL;
	double worst = 0;
	struct err e = {0};

	check_ok(wavefront_calibrate(few, &in, NULL, &fitted, &e), &e);
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
	config_table_free(few);
	config_table_free(all);
	return worst;
}

/* Of a normal law one row in 16 000 is off by more than 4; the design has some hundred. */
static void what_few_runs_leave_open_covers_what_they_miss(void **state)
{
	double few, many;

	assert_true(worst_miss(8, &few) < 4);
	assert_true(worst_miss(SIZE_MAX, &many) < 4);
	assert_true(many < few / 2);
}

/* Uniform noise of +-20 % has a standard deviation of 0.2 / sqrt(3) = 0.115. */
static void the_misfit_is_that_of_the_noise(void **state)
{
	const struct fit_input in = {
		.machine = &world.machine, .segment = world.segment, .n_segment = 1};
	struct config_table *t = table(SIZE_MAX, 0.2);
	const struct wavefront_model *m;
	void *state_of_m = NULL;
	struct err e = {0};

	check_ok(wavefront_calibrate(t, &in, NULL, &state_of_m, &e), &e);
	m = state_of_m;
	assert_true(m->scale > 0.06 && m->scale < 0.2);
	assert_int_equal(m->n_configs, t->n);
	assert_int_equal(m->cost_origin, COST_PINGPONG);
	for (int j = 0; j < WP_COUNT; j++)
		assert_true(m->std_error[j] > 0);
	predictor_kind_wavefront.free(state_of_m);
	config_table_free(t);
}

/* Part of the runs are fitted with the step that all of them showed, whatever it is. */
static void a_fit_to_fewer_runs_takes_the_step_of_all(void **state)
{
	const struct fit_input in = {
		.machine = &world.machine, .segment = world.segment, .n_segment = 1};
	struct config_table *t = table(12, 0.02);
	struct wavefront_model like = {.time = world.truth};
	void *m = NULL;
	struct err e = {0};

	like.time.step = 7.5;
	check_ok(wavefront_calibrate(t, &in, &like, &m, &e), &e);
	check_abs(((const struct wavefront_model *)m)->time.step, 7.5, 0);
	predictor_kind_wavefront.free(m);
	config_table_free(t);
}

/* Without noise the times come back, and the step, 11.5: midway between inner loops of 10 and of 13
 * cells, 50 cells on 4 processors, of which there are none between. */
static void times_without_noise_come_back_and_so_does_the_step(void **state)
{
	const struct fit_input in = {
		.machine = &world.machine, .segment = world.segment, .n_segment = 1};
	struct config_table *t = table(SIZE_MAX, 0);
	void *m = NULL;
	struct err e = {0};

	check_ok(wavefront_calibrate(t, &in, NULL, &m, &e), &e);
	check_abs(((const struct wavefront_model *)m)->time.step, 11.5, 0);
	for (size_t i = 0; i < t->n; i++) {
		double time_s;

		predictor_kind_wavefront.predict(m, config_table_row(t, i), 1, t->n_columns,
						 &time_s);
		check_rel(time_s, t->time_s[i], 0.03);
	}
	predictor_kind_wavefront.free(m);
	config_table_free(t);
}

/* Cubes of n cells on n x n processors in blocks of one cell and angle: no logarithm of it, jt, mk or
 * mmi is other than 0, no sub-grid or block beyond a knot. What runs cannot tell is as it was
 * thought to be: time goes with the exponents of it and jt by 2 % in a factor of e, with those of mk
 * and mmi by 5 %, with each hinge by 10 %. */
static void what_runs_do_not_tell_stays_as_it_was_thought(void **state)
{
	static const double sd[WP_N_PHI] = {[WP_IT] = 0.02,	  [WP_JT] = 0.02,
					    [WP_MK] = 0.05,	  [WP_MMI] = 0.05,
					    [WP_GRID_1] = 0.1,	  [WP_GRID_2] = 0.1,
					    [WP_GRID_3] = 0.1,	  [WP_STREAM_1] = 0.1,
					    [WP_STREAM_2] = 0.1,  [WP_STREAM_3] = 0.1,
					    [WP_BLOCK_1] = 0.1,	  [WP_BLOCK_2] = 0.1};
	const struct fit_input in = {
		.machine = &world.machine, .segment = world.segment, .n_segment = 1};
	struct dataset *runs = dataset_new(world.app);
	struct config_table *t = NULL;
	const struct wavefront_model *m;
	void *fitted = NULL;
	struct err e = {0};

	for (int n = 2; n <= 12; n++) {
		double row[64];

		synthetic_row(&world, row, n, n, n, 1, 1);
		check_ok(dataset_add(runs, row, wavefront_time_at(&world.truth, row, NULL, NULL), n,
				     1, SOURCE_SIMULATED, RUN_OK, 1, &e),
			 &e);
	}
	check_ok(config_table_make(runs, &t, &e), &e);
	check_ok(wavefront_calibrate(t, &in, NULL, &fitted, &e), &e);
	m = fitted;
	for (int j = WP_IT; j < WP_N_PHI; j++) {
		check_abs(m->time.p[j], 0, 1e-9);
		check_rel(m->std_error[j], sd[j], 1e-6);
	}
	predictor_kind_wavefront.free(fitted);
	config_table_free(t);
	dataset_free(runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_configurations_are_the_fewest),
		cmocka_unit_test(what_runs_do_not_tell_stays_as_it_was_thought),
		cmocka_unit_test(parts_of_a_fit_may_be_smaller),
		cmocka_unit_test(what_few_runs_leave_open_covers_what_they_miss),
		cmocka_unit_test(the_misfit_is_that_of_the_noise),
		cmocka_unit_test(a_fit_to_fewer_runs_takes_the_step_of_all),
		cmocka_unit_test(times_without_noise_come_back_and_so_does_the_step),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
