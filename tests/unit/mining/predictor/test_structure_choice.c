
#include "tests/support/made_runs.h"
#include "tests/unit/mining/synthetic_world.h"
#include "mining/structure/structure_choice.h"
#include "tests/support/uniform.h"

FREEABLE(config_table)

/* Which structural part the hybrid predictor takes, on runs of which we know what made them. */

/* Runs of loggp, and the predictor of them. */
static struct dataset *loggp_runs;
static struct predictor *hybrid;

/* Runs of a model of the list with a Wg of 0.4 us and noise of +-2 %; NULL: of the formula. */
static struct dataset *runs_of(const char *model, enum run_source source)
{
	struct dataset *d = synthetic_runs(&world, 8, 1, 0.02, 0, 31);
	uint64_t seed = 32;

	assert_non_null(d);
	for (size_t i = 0; i < d->n; i++) {
		if (model)
			d->wall_s[i] =
				synthetic_model_time(&world, model, dataset_row(d, i), 0.4e-6) *
				(1 + uniform_draw(&seed, -0.02, 0.02));
		d->source[i] = (unsigned char)source;
	}
	return d;
}

static struct structure_choice choose(const struct dataset *runs, size_t n_segment)
{
	struct fit_input in = input_of(runs);
	struct structure_choice found;
	FREED(config_table) *t = NULL;
	void *formula = NULL;

	in.n_segment = n_segment;
	must(config_table_make(runs, &t, &err));
	must(predictor_kind_wavefront.fit(t, &in, NULL, &formula, &err));
	must(structure_choose(t, &in, formula, &found, &err));
	predictor_kind_wavefront.free(formula);
	return found;
}

/* A slow network, on which messages of 1000 bytes and more wait for their receiver: blocks then
 * wait once for each row (or column) of processors, which the mined formula knows nothing of. */
static int set_up(void **state)
{
	if (open_synthetic(state))
		return -1;
	world.segment[0] = (struct cost_segment){0, 600e-6, 20e-9, 0, 0};
	world.machine.blocking_bytes = 1000;
	if (message_cost_from_segments(world.segment, 1, world.machine.blocking_bytes,
				       MESSAGE_COST_OVERHEAD_SHARE, &world.truth.cost, NULL))
		return -1;
	loggp_runs = runs_of("loggp", SOURCE_MEASURED);
	hybrid = fit("hybrid", loggp_runs);
	return 0;
}

static int tear_down(void **state)
{
	predictor_free(hybrid);
	dataset_free(loggp_runs);
	return close_synthetic(state);
}

/* ---- what is chosen ---- */

TEST(runs_of_the_formula_are_left_to_it)
{
	FREED(dataset) *runs = runs_of(NULL, SOURCE_MEASURED);
	struct structure_choice c = choose(runs, 1);

	assert_int_equal(c.chosen, 0);
	assert_string_equal(c.candidate[0].name, "wavefront");
	/* noise of +-2 %, uniform: its median is 1 % */
	check_abs(c.candidate[0].held_out_error, 0.01, 0.005);
	assert_int_equal(c.n, 7);
	for (size_t k = 1; k < c.n; k++)
		assert_true(c.candidate[k].held_out_error > 0.02);
}

TEST(a_model_that_the_formula_cannot_imitate_is_chosen_for_its_runs)
{
	static const char *const model[] = {"loggp", "logp"};

	for (size_t k = 0; k < 2; k++) {
		FREED(dataset) *runs = runs_of(model[k], SOURCE_SIMULATED);
		struct structure_choice c = choose(runs, 1);

		assert_string_equal(c.candidate[c.chosen].name, model[k]);
		assert_true(c.candidate[c.chosen].held_out_error <
			    0.9 * c.candidate[0].held_out_error);
	}
}

/* Walks through every block of every processor: too slow for a search, however near it is. */
TEST(a_model_without_a_closed_form_is_no_candidate)
{
	FREED(dataset) *runs = runs_of("pipeline", SOURCE_MEASURED);
	struct structure_choice c = choose(runs, 1);

	for (size_t k = 0; k < c.n; k++) {
		assert_string_not_equal(c.candidate[k].name, "pipeline");
		assert_string_not_equal(c.candidate[k].name, "loggp-tile");
	}
}

static void check_nothing_compared(const struct structure_choice *c)
{
	assert_int_equal(c->n, 1);
	assert_int_equal(c->chosen, 0);
	assert_string_equal(c->candidate[0].name, "wavefront");
	assert_true(isnan(c->candidate[0].held_out_error));
}

TEST(message_costs_that_are_only_assumed_decide_nothing)
{
	struct structure_choice c = choose(loggp_runs, 0);

	check_nothing_compared(&c);
}

TEST(modelled_runs_do_not_choose_the_model_that_they_came_from)
{
	FREED(dataset) *runs = runs_of("loggp", SOURCE_MODELLED);
	struct structure_choice c = choose(runs, 1);

	check_nothing_compared(&c);
}

TEST(a_handful_of_runs_chooses_nothing)
{
	HEAP unsigned char *keep = zeroed(loggp_runs->n, 1);
	FREED(dataset) *few = NULL;
	struct structure_choice c;

	for (size_t i = 0; i < 9; i++) /* one more than the formula takes */
		keep[i * loggp_runs->n / 9] = 1;
	must(dataset_subset(loggp_runs, keep, &few, &err));
	c = choose(few, 1);
	check_nothing_compared(&c);
}

/* ---- what it does for predictions ---- */

TEST(the_chosen_model_carries_on_where_the_formula_does_not)
{
	FREED(predictor) *wavefront = fit("wavefront", loggp_runs);
	double row[64], truth_s, off[2];
	struct prediction at;

	assert_non_null(strstr(predictor_explanation(hybrid), "Structure: loggp (LogGP wavefront"));
	assert_null(predictor_structure(wavefront));
	/* eight times as many rows of processors as were seen */
	synthetic_row(&world, row, 150, 2, 64, 10, 3);
	truth_s = synthetic_model_time(&world, "loggp", row, 0.4e-6);
	predictor_predict(hybrid, row, 1, &at);
	off[0] = fabs(log(at.time_s / truth_s));
	predictor_predict(wavefront, row, 1, &at);
	off[1] = fabs(log(at.time_s / truth_s));
	assert_true(off[0] < 0.05);
	assert_true(off[1] > 0.3);
}

static void check_same_predictions(const struct predictor *a, const struct predictor *b)
{
	double row[64];

	for (double procs = 1; procs <= 64; procs *= 2) {
		struct prediction p, q;
		struct breakdown x, y;
		bool known;

		synthetic_row(&world, row, 90, procs, 2, 7, 2);
		predictor_predict(a, row, 1, &p);
		predictor_predict(b, row, 1, &q);
		assert_memory_equal(&p.time_s, &q.time_s, sizeof p.time_s);
		assert_memory_equal(&p.scale, &q.scale, sizeof p.scale);
		predictor_breakdown(a, row, &x, &known);
		assert_true(known);
		predictor_breakdown(b, row, &y, &known);
		assert_memory_equal(&x, &y, sizeof x);
		check_rel(breakdown_total_s(&x), p.time_s, 1e-12);
	}
}

TEST(a_choice_survives_the_knowledge_base_to_the_last_bit)
{
	const struct structure_choice *was = predictor_structure(hybrid), *is;
	struct predictor *loaded = NULL;
	RELEASED(kb_fit) stored = {0};

	must(predictor_store(hybrid, &stored, &err));
	must(predictor_load(&stored, world.app, &loaded, &err));
	is = predictor_structure(loaded);
	assert_int_equal(is->n, was->n);
	assert_int_equal(is->chosen, was->chosen);
	for (size_t k = 0; k < is->n; k++) {
		assert_string_equal(is->candidate[k].name, was->candidate[k].name);
		assert_string_equal(is->candidate[k].title, was->candidate[k].title);
		check_abs(is->candidate[k].held_out_error, was->candidate[k].held_out_error, 0);
	}
	check_same_predictions(hybrid, loaded);

	for (size_t i = 0; i < stored.n_param; i++) {
		if (!strcmp(stored.param[i].name, "structure_chosen"))
			stored.param[i].value = 7;
	}
	predictor_free(loaded);
	loaded = NULL;
	must_fail(predictor_load(&stored, world.app, &loaded, &err), ERR_NOTMINED,
		  "run `lemnos mine`");
}

/* Another machine with the same network is the same machine, if it computes as fast. */
TEST(the_chosen_model_goes_over_to_another_machine)
{
	struct predictor *other = NULL;
	struct machine to = {.name = (char *)(uintptr_t) "other",
			     .segment = world.segment,
			     .n_segment = 1,
			     .blocking_bytes = world.machine.blocking_bytes};
	double row[64], own_s;
	struct prediction at;

	synthetic_row(&world, row, 100, 4, 4, 10, 3);
	own_s = synthetic_model_time(&world, "loggp", row, 0.4e-6);
	must(predictor_transfer(hybrid, &to, 1, &other, &err));
	predictor_predict(other, row, 1, &at);
	check_rel(at.time_s, own_s, 0.03);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
	predictor_free(other);
	must(predictor_transfer(hybrid, &to, 2, &other, &err));
	predictor_predict(other, row, 1, &at);
	check_rel(at.time_s, synthetic_model_time(&world, "loggp", row, 0.8e-6), 0.03);
	predictor_free(other);
}

TEST_GROUP(set_up, tear_down)
