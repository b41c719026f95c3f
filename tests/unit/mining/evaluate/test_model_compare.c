
#include "tests/support/made_runs.h"
#include "tests/unit/mining/synthetic_world.h"
#include "mining/evaluate/model_compare.h"

FREEABLE(config_table)

static double time_of(const char *name, const double *row, double Wg_s)
{
	return synthetic_model_time(&world, name, row, Wg_s);
}

/* Runs whose times are a model's, with a Wg of 0.4 us; `source` of every other one. */
static struct dataset *runs_of(const char *model, int max_procs, enum run_source source)
{
	struct dataset *d = synthetic_runs(&world, max_procs, 1, 0, 0, 1);

	assert_non_null(d);
	for (size_t i = 0; i < d->n; i++) {
		d->wall_s[i] = time_of(model, dataset_row(d, i), 0.4e-6);
		if (i % 2)
			d->source[i] = (unsigned char)source;
	}
	return d;
}

static struct model_comparison compare(const struct dataset *runs, enum holdout held_out)
{
	const struct fit_input in = input_of(runs);
	struct model_comparison found = {0};

	must(model_compare(&in, NULL, held_out, &found, &err));
	return found;
}

static const struct model_score *score_of(const struct model_comparison *c, const char *model)
{
	for (size_t i = 0; i < c->n; i++) {
		if (!strcmp(c->score[i].model, model))
			return &c->score[i];
	}
	return NULL;
}

/* The shape of Wg is that of another formula, and only a power law of it is the model's own: near,
 * not exact. */
TEST(the_model_that_made_the_runs_is_near_and_others_are_not)
{
	FREED(dataset) *runs = runs_of("pipeline", 16, SOURCE_SIMULATED);
	RELEASED(model_comparison) c = compare(runs, HOLDOUT_PROBLEMS);
	const struct model_score *maker = score_of(&c, "pipeline");

	assert_true(maker->median_error < 0.003);
	for (size_t i = 0; i < c.n; i++)
		assert_true(&c.score[i] == maker ||
			    c.score[i].median_error > 1.5 * maker->median_error);
	assert_string_equal(c.score[c.n - 1].model, "wavefront");
}

TEST(every_configuration_is_held_out_once)
{
	FREED(dataset) *runs = runs_of("loggp", 8, SOURCE_SIMULATED);
	RELEASED(model_comparison) c = compare(runs, HOLDOUT_CONFIGS);
	const struct model_score *m = score_of(&c, "loggp");

	assert_int_equal(c.n_runs, runs->n);
	assert_int_equal(c.n_configs, runs->n);
	assert_int_equal(m->n, runs->n);
	assert_int_equal(c.n_points, c.n * runs->n);
	assert_true(m->median_error <= m->p90_error && fabs(m->bias) <= m->p90_error);
	check_rel(m->Wg_s, 0.4e-6, 0.05);
}

TEST(modelled_runs_do_not_confirm_their_model)
{
	FREED(dataset) *runs = runs_of("loggp", 8, SOURCE_MODELLED);
	struct model_comparison c = compare(runs, HOLDOUT_CONFIGS);
	const struct fit_input in = input_of(runs);

	assert_int_equal(c.n_configs, (runs->n + 1) / 2);
	assert_int_equal(c.n_of[SOURCE_MODELLED], 0);
	model_comparison_release(&c);
	for (size_t i = 0; i < runs->n; i++)
		runs->source[i] = SOURCE_MODELLED;
	must_say(model_compare(&in, NULL, HOLDOUT_CONFIGS, &c, &err), ERR_NODATA,
		 "no measured or simulated run of sweep3d on synthetic to compare "
		 "with");
}

TEST(models_of_several_processors_a_node_want_costs_inside_one)
{
	FREED(dataset) *runs = runs_of("loggp", 8, SOURCE_SIMULATED);
	const struct fit_input in = input_of(runs);
	struct model_comparison c = compare(runs, HOLDOUT_CONFIGS);

	assert_null(score_of(&c, "loggp-tile"));
	assert_int_equal(c.times.n_refused, 2);
	assert_non_null(strstr(c.times.refused[0].why.msg, "inside a node"));
	model_comparison_release(&c);
	/* one processor a node: then it is loggp */
	must(model_compare(&in, &world.truth.cost, HOLDOUT_CONFIGS, &c, &err));
	check_rel(score_of(&c, "loggp-tile")->median_error, score_of(&c, "loggp")->median_error,
		  1e-6);
	model_comparison_release(&c);
}

TEST(an_application_without_a_structure_has_nothing_to_compare)
{
	FREED(application) *a = made_application("plain", "", "", "", "procs");
	FREED(dataset) *runs = dataset_new(a);
	struct model_comparison c = {.n = 77};
	const struct fit_input in = {.runs = runs, .machine = &world.machine};

	must_fail(model_compare(&in, NULL, HOLDOUT_CONFIGS, &c, &err), ERR_ARG,
		  "plain has no structural model to compare with");
	assert_int_equal(c.n, 77);
}

TEST(too_few_runs_say_how_many_would_do)
{
	FREED(dataset) *all = runs_of("loggp", 8, SOURCE_SIMULATED), *few = NULL;
	HEAP unsigned char *keep = zeroed(all->n, 1);
	struct model_comparison c;

	keep[0] = keep[1] = keep[2] = 1;
	must(dataset_subset(all, keep, &few, &err));
	const struct fit_input in = input_of(few);

	must_fail(model_compare(&in, NULL, HOLDOUT_CONFIGS, &c, &err), ERR_NODATA,
		  "3 configurations");
}

/* Linear between the nodes: exact for a time that is A + B Wg, and near for the pipeline. */
TEST(times_between_the_nodes_are_the_models)
{
	FREED(dataset) *runs = runs_of("loggp", 8, SOURCE_SIMULATED);
	FREED(config_table) *t = NULL;
	struct models_asked asked = {.take = model_times_wants, .remote = &world.truth.cost};
	RELEASED(model_times) m;
	HEAP double *Wg_s;

	must(config_table_make(runs, &t, &err));
	Wg_s = zeroed(t->n, sizeof *Wg_s);
	for (size_t i = 0; i < t->n; i++)
		Wg_s[i] = 0.4e-6;
	asked.model = model_list(&asked.n);
	must(model_times_make(t, Wg_s, &asked, &m, &err));
	for (size_t k = 0; k < m.n_models; k++) {
		for (size_t i = 0; i < t->n; i++) {
			double exact = time_of(m.model[k]->name, config_table_row(t, i), 0.47e-6);

			check_rel(model_times_at(&m, k, i, 0.47e-6, NULL), exact, 1e-3);
		}
	}
}

TEST_GROUP(open_synthetic, close_synthetic)
