#include "tests/support/failing_allocations.h"
#include "tests/support/check.h"

#include "mining/structure/wavefront_model.h"
#include "tests/support/synthetic_runs.h"

/* A model made by hand: parameters and message costs are known, nothing is fitted. */

static struct synthetic world;

/* Ranges of a fitted ping-pong. At 1000 bytes 70 us become 65 us, by a factor of 1.08, at 20 000
 * bytes 160 us become 440 us: there the curve jumps. */
static struct cost_segment segment[] = {
	{0, 50e-6, 20e-9, 0, 0}, {1000, 60e-6, 5e-9, 0, 0}, {20000, 400e-6, 2e-9, 0, 0}};

static int set_up(void **state)
{
	return synthetic_open(&world);
}

static int tear_down(void **state)
{
	synthetic_close(&world);
	return 0;
}

/* Every parameter is told by the runs but WP_LONG: its standard error is half of the width it was
 * allowed, and a little. */
static struct wavefront_model model(void)
{
	const struct fit_input in = {.machine = &world.machine, .segment = segment, .n_segment = 3};
	struct wavefront_model m = {.time = world.truth, .scale = 0.0234, .n_configs = 57};

	for (int j = 0; j < WP_COUNT; j++)
		m.std_error[j] = 0.001 * (j + 1);
	m.std_error[WP_LONG] = 0.51 * wavefront_param_info[WP_LONG].prior_sd;
	for (int j = 0; j < WP_COUNT; j++) {
		for (int k = 0; k <= j; k++)
			m.posterior[j * WP_COUNT + k] = j == k ? 50 + j : 0.5 * (j - k);
	}
	must(wavefront_choose_cost(&in, &m, &err));
	return m;
}

static void check_costs(const struct fit_input *in, enum cost_origin origin, double blocks_from,
			double total_s_of_8)
{
	struct wavefront_model m = {.n_configs = 0};
	double from = INFINITY;

	must(wavefront_choose_cost(in, &m, &err));
	assert_int_equal(m.cost_origin, origin);
	for (size_t i = m.time.cost.n_range; i-- > 0;) {
		if (m.time.cost.range[i].blocks)
			from = m.time.cost.range[i].from_bytes;
	}
	if (isinf(blocks_from))
		assert_true(isinf(from));
	else
		check_abs(from, blocks_from, 0);
	check_rel(message_cost_at(&m.time.cost, 8).total_s, total_s_of_8, 1e-12);
}

TEST(message_costs_are_those_of_the_file_then_of_a_ping_pong_then_assumed)
{
	struct cost_segment given[] = {{0, 10e-6, 1e-9, 0, 0}};
	struct machine with = {
		.name = (char *)(uintptr_t) "with", .segment = given, .n_segment = 1};
	struct machine without = {.name = (char *)(uintptr_t) "without"};
	struct fit_input in = {.machine = &with, .segment = segment, .n_segment = 3};

	check_costs(&in, COST_MACHINE_FILE, INFINITY, 10e-6 + 8e-9);
	in.machine = &without;
	check_costs(&in, COST_PINGPONG, 20000, 50e-6 + 160e-9);
	in.n_segment = 2;
	check_costs(&in, COST_PINGPONG, 1000, 50e-6 + 160e-9);
	in.n_segment = 1; /* no break: none blocks */
	check_costs(&in, COST_PINGPONG, INFINITY, 50e-6 + 160e-9);
	in.n_segment = 0;
	check_costs(&in, COST_ASSUMED, INFINITY, 10e-6 + 8e-9);
	without.blocking_bytes = 4096; /* the file knows better than the curve */
	check_costs(&in, COST_ASSUMED, 4096, 10e-6 + 8e-9);
	in.n_segment = 3;
	check_costs(&in, COST_PINGPONG, 4096, 50e-6 + 160e-9);
	assert_string_equal(cost_origin_name(COST_ASSUMED), "assumed");
	assert_string_equal(cost_origin_name(COST_PINGPONG), "ping-pong");
	assert_string_equal(cost_origin_name(COST_MACHINE_FILE), "machine file");
}

static void check_explanation(const struct wavefront_model *m, const char *want)
{
	RELEASED(strbuf) s = STRBUF_INIT;

	predictor_kind_wavefront.explain(m, &s);
	assert_string_equal(strbuf_text(&s), want);
}

#define CALIBRATED                                                                               \
	"Wavefront model, its parameters calibrated on 57 configurations (robust least squares " \
	"on log time; typical misfit 2.3 %). "

TEST(it_says_what_it_is_made_of_and_what_is_not_known)
{
	struct wavefront_model m = model();
	struct strbuf want = STRBUF_INIT;

	strbuf_printf(&want,
		      "%sInner loops of more than 11 cells start more slowly. Message costs: "
		      "ping-pong, sends block from 20000 bytes. Not told by these runs: %s (%s).",
		      CALIBRATED, wavefront_param_info[WP_LONG].name,
		      wavefront_param_info[WP_LONG].meaning);
	check_explanation(&m, strbuf_text(&want));
	strbuf_release(&want);
	m.std_error[WP_LONG] = 0.49 * wavefront_param_info[WP_LONG].prior_sd;
	m.time.step = INFINITY;
	m.time.cost.n_range = 1;
	check_explanation(&m,
			  CALIBRATED "Message costs: ping-pong. Not told by these runs: nothing.");
}

/* 100 x 100 x 100 cells on 3 x 4 processors: 34 x 25 of them each. */
TEST(the_features_of_a_row_are_its_sub_grid_blocks_and_processors)
{
	static const double want[] = {34, 25, 100, 10, 3, 3, 4, 34.0 * 25 * 100, 12};
	static const char *const name[] = {
		"it", "jt", "kt", "mk", "mmi", "npe_i", "npe_j", "cells per processor", "procs"};
	struct wavefront_model m = model();
	double row[64], out[PREDICTOR_KIND_MAX_FEATURES];

	synthetic_row(&world, row, 100, 3, 4, 10, 3);
	assert_int_equal(predictor_kind_wavefront.features(&m, row, out), 9);
	for (size_t i = 0; i < 9; i++) {
		check_abs(out[i], want[i], 0);
		assert_string_equal(predictor_kind_wavefront.feature_name(&m, i), name[i]);
	}
}

TEST(times_of_several_rows_are_those_of_each)
{
	struct wavefront_model m = model();
	size_t n_columns = world.app->n_columns;
	double rows[2 * 64], time_s[2];
	struct breakdown parts;

	synthetic_row(&world, rows, 100, 3, 4, 10, 3);
	synthetic_row(&world, rows + n_columns, 50, 1, 2, 5, 6);
	predictor_kind_wavefront.predict(&m, rows, 2, n_columns, time_s);
	for (size_t i = 0; i < 2; i++) {
		const double *row = rows + i * n_columns;

		check_abs(time_s[i], wavefront_time_at(&m.time, row, NULL, NULL), 0);
		predictor_kind_wavefront.breakdown(&m, row, &parts);
		check_rel(breakdown_total_s(&parts), time_s[i], 1e-12);
		assert_true(predictor_kind_wavefront.lower_bound(&m, row) > 0);
		assert_true(predictor_kind_wavefront.lower_bound(&m, row) <= time_s[i]);
	}
}

/* With precisions of 4 for each parameter alone, the deviation is half of the gradient's length. */
TEST(what_parameters_leave_open_goes_with_the_gradient)
{
	struct wavefront_model m = model();
	double row[64], gradient[WP_COUNT], sum = 0;

	memset(m.posterior, 0, sizeof m.posterior);
	for (int j = 0; j < WP_COUNT; j++)
		m.posterior[j * WP_COUNT + j] = 2;
	synthetic_row(&world, row, 100, 3, 4, 10, 3);
	wavefront_time_at(&m.time, row, gradient, NULL);
	for (int j = 0; j < WP_COUNT; j++)
		sum += gradient[j] * gradient[j];
	check_rel(wavefront_trend_sd(&m, row), sqrt(sum) / 2, 1e-13);
}

/* Two tunings of a cube, at a grid: the faster one's time. */
TEST(the_least_time_of_tunings_is_that_of_the_fastest)
{
	struct wavefront_model m = model();
	size_t n_columns = world.app->n_columns;
	double rows[2 * 64], time_s[2];
	void *tunings = NULL;

	synthetic_row(&world, rows, 100, 4, 4, 1, 1);
	synthetic_row(&world, rows + n_columns, 100, 4, 4, 10, 3);
	predictor_kind_wavefront.predict(&m, rows, 2, n_columns, time_s);
	failing_each_allocation (
		predictor_kind_wavefront.tunings_new(&m, rows, 2, n_columns, &tunings, &err), &err)
		assert_null(tunings);
	check_rel(predictor_kind_wavefront.tunings_least_s(tunings, rows),
		  fmin(time_s[0], time_s[1]), 1e-9);
	predictor_kind_wavefront.tunings_free(tunings);
}

TEST(it_applies_to_applications_that_say_so_and_have_its_columns)
{
	struct application other = *world.app;

	assert_true(predictor_kind_wavefront.applies(&other));
	other.model = (char *)(uintptr_t) "stencil";
	assert_false(predictor_kind_wavefront.applies(&other));
	other.model = NULL;
	assert_false(predictor_kind_wavefront.applies(&other));
	other = *world.app;
	other.n_columns = 3; /* nothing of the grid and the blocks */
	assert_false(predictor_kind_wavefront.applies(&other));
}

/* With processors twice as slow and other messages, all else as it was. */
TEST(it_moves_to_a_machine_with_costs_of_its_own)
{
	struct machine to = {
		.name = (char *)(uintptr_t) "other", .segment = segment, .n_segment = 1};
	struct wavefront_model m = model();
	const struct wavefront_model *moved;
	void *out = NULL;

	must(predictor_kind_wavefront.transfer(&m, &to, 2, &out, &err));
	moved = out;
	assert_int_equal(moved->cost_origin, COST_MACHINE_FILE);
	assert_int_equal(moved->time.cost.n_range, 1);
	check_abs(moved->time.p[WP_WG], m.time.p[WP_WG] + log(2), 1e-12);
	check_rel(moved->time.amount[WP_WG], 2 * m.time.amount[WP_WG], 1e-12);
	for (int j = 0; j < WP_COUNT; j++) {
		if (j != WP_WG)
			check_abs(moved->time.p[j], m.time.p[j], 0);
	}
	check_abs(moved->time.step, 11.5, 0);
	predictor_kind_wavefront.free(out);
	out = NULL;
	to.n_segment = 0;
	must_fail(predictor_kind_wavefront.transfer(&m, &to, 2, &out, &err), ERR_ARG,
		  "machine other has no message costs");
	assert_null(out);
	to.n_segment = 1;
	failing_each_allocation (predictor_kind_wavefront.transfer(&m, &to, 2, &out, &err), &err)
		assert_null(out);
	predictor_kind_wavefront.free(out);
}

static void check_same(const struct wavefront_model *a, const struct wavefront_model *b)
{
	assert_non_null(b);
	if (!b)
		return;
	assert_memory_equal(a->time.column, b->time.column, sizeof a->time.column);
	assert_memory_equal(a->time.p, b->time.p, sizeof a->time.p);
	assert_memory_equal(a->time.amount, b->time.amount, sizeof a->time.amount);
	assert_memory_equal(a->std_error, b->std_error, sizeof a->std_error);
	assert_memory_equal(a->posterior, b->posterior, sizeof a->posterior);
	assert_true(a->time.step == b->time.step && a->scale == b->scale);
	assert_int_equal(a->n_configs, b->n_configs);
	assert_int_equal(a->cost_origin, b->cost_origin);
	assert_int_equal(a->time.cost.n_range, b->time.cost.n_range);
	for (size_t i = 0; i < a->time.cost.n_range; i++) {
		const struct message_range *x = &a->time.cost.range[i], *y = &b->time.cost.range[i];

		assert_true(x->from_bytes == y->from_bytes && x->total_s == y->total_s &&
			    x->total_s_per_byte == y->total_s_per_byte && x->send_s == y->send_s &&
			    x->receive_s == y->receive_s &&
			    x->receive_s_per_byte == y->receive_s_per_byte &&
			    x->sync_s == y->sync_s && x->latency_s == y->latency_s &&
			    x->blocks == y->blocks);
	}
}

static enum err_code through_the_base(const struct wavefront_model *m, void **out, struct err *e)
{
	RELEASED(kb_fit) fit = {0};
	enum err_code rc = wavefront_store(m, &fit, e);

	if (!rc)
		rc = wavefront_load(&fit, world.app, out, e);
	return rc;
}

TEST(it_comes_back_from_the_base_as_it_was)
{
	struct wavefront_model m = model();
	void *back = NULL;

	failing_each_allocation (through_the_base(&m, &back, &err), &err)
		assert_null(back);
	check_same(&m, back);
	predictor_kind_wavefront.free(back);
	m.time.step = INFINITY; /* kept as 0 */
	must(through_the_base(&m, &back, &err));
	check_same(&m, back);
	predictor_kind_wavefront.free(back);
}

/* As any parameter may be missing where somebody meddled with the base, or be nonsense. */
TEST(a_fit_that_lacks_what_it_needs_is_not_loaded)
{
	static const struct {
		const char *name;
		double value;
	} change[] = {{"n_configs", NAN},	    {"n_configs", 0},
		      {"n_configs", 1e15},	    {"message_0_from_bytes", NAN},
		      {"message_0_total_s", NAN},   {"message_0_receive_s_per_byte", INFINITY},
		      {"message_0_latency_s", NAN}, {"message_0_blocks", NAN}};
	struct wavefront_model m = model();

	for (size_t k = 0; k < WP_COUNT + sizeof change / sizeof *change; k++) {
		const char *name =
			k < WP_COUNT ? wavefront_param_info[k].name : change[k - WP_COUNT].name;
		RELEASED(kb_fit) fit = {0};
		void *back = NULL;

		must(wavefront_store(&m, &fit, &err));
		for (size_t i = 0; i < fit.n_param; i++) {
			if (!strcmp(fit.param[i].name, name))
				fit.param[i].value =
					k < WP_COUNT ? (double)NAN : change[k - WP_COUNT].value;
		}
		must_fail(wavefront_load(&fit, world.app, &back, &err), ERR_NOTMINED,
			  k < WP_COUNT ? name : "does not suit application");
		assert_null(back);
	}
}

TEST_GROUP(set_up, tear_down)
