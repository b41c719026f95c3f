#include "tests/unit/recommend/shared_world.h"

#include "recommend/search/predict_batch.h"
#include "recommend/search/rank.h"

/* The objective `time` among configurations of which some were measured. */

static double row[WORLD_COLUMNS];

static void complete(double *out, const char *problem, const char *fixed)
{
	world_row(&world, out, problem, fixed);
	configuration_derive(world.app, out);
}

/* The runs of the world, and one more. */
static struct dataset *with_run(const char *problem, const char *fixed, double wall_s)
{
	unsigned char *keep = malloc(world.runs->n);
	struct dataset *d = NULL;
	double run[WORLD_COLUMNS];

	assert_non_null(keep);
	memset(keep, 1, world.runs->n);
	must(dataset_subset(world.runs, keep, &d, &err));
	free(keep);
	complete(run, problem, fixed);
	must(dataset_add(d, run, wall_s, 9999, 1, SOURCE_SIMULATED, RUN_OK, 1, &err));
	return d;
}

static struct advice *ask(const struct dataset *runs, const char *problem, const char *fixed,
			  bool exhaustive)
{
	struct advice_request q;
	struct advice *a = NULL;

	world_row(&world, row, problem, fixed);
	q = world_request(&world, row, NAN);
	q.runs = runs;
	q.exhaustive = exhaustive;
	must(advice_find(&q, &a, &err));
	return a;
}

TEST(each_configuration_has_its_median)
{
	struct measured_times m = {0};
	struct advice_request q;
	double run[WORLD_COLUMNS], t[2] = {0};
	size_t n = 0;

	complete(run, "50x50x50", "npe_i=2,npe_j=2,mk=5,mmi=3,nodes=1");
	for (size_t i = 0; i < world.runs->n; i++) {
		if (!memcmp(dataset_row(world.runs, i), run, world.app->n_columns * sizeof *run))
			t[n++] = world.runs->wall_s[i];
	}
	assert_int_equal(n, 2);
	world_row(&world, row, "50x50x50", "");
	q = world_request(&world, row, NAN);
	must(measured_times_find(&q, &m, &err));
	assert_true(m.n > 20);
	check_abs(measured_times_of(&m, run), fmin(t[0], t[1]), 0);
	complete(run, "50x50x50", "npe_i=2,npe_j=2,mk=7,mmi=3,nodes=1");
	assert_true(isnan(measured_times_of(&m, run)));
	measured_times_release(&m);
	/* nobody ran this problem */
	world_row(&world, row, "51x50x50", "");
	must(measured_times_find(&q, &m, &err));
	assert_int_equal(m.n, 0);
	measured_times_release(&m);
}

/* However slow it is predicted, and whatever bounds say of its group. */
TEST(a_configuration_that_was_measured_fastest_is_the_choice)
{
	static const char slow[] = "npe_i=1,npe_j=2,mk=2,mmi=1,nodes=1"; /* no other run */
	FREED(dataset) *runs = with_run("50x50x50", slow, 1e-6);

	for (int k = 0; k < 2; k++) {
		struct advice *a = ask(runs, "50x50x50", "", k);

		check_abs(world_get(&world, a->best.row, "procs"), 2, 0);
		check_abs(world_get(&world, a->best.row, "mk"), 2, 0);
		check_abs(world_get(&world, a->best.row, "mmi"), 1, 0);
		advice_free(a);
		/* what the request fixes stays, and so does the problem */
		a = ask(runs, "50x50x50", "mk=5", k);
		check_abs(world_get(&world, a->best.row, "mk"), 5, 0);
		advice_free(a);
		a = ask(runs, "50x50x60", "", k);
		assert_true(world_get(&world, a->best.row, "procs") > 2);
		advice_free(a);
	}
}

/* One that was measured as fast as the choice is predicted is preferred to it: what has no runs has
 * to be better by its own doubt. */
TEST(an_unmeasured_one_has_to_be_probably_better)
{
	static const char fixed[] = "nodes=4,mk=7";
	struct advice *before = ask(world.runs, "50x50x50", fixed, false), *after;
	const double best_s = before->best.prediction.time_s;
	const double score_s =
		prediction_quantile_s(world.predictor, &before->best.prediction, RANK_SCORE_PROB);
	FREED(dataset) *worse, *better;

	assert_true(score_s > 1.001 * best_s);
	better = with_run("50x50x50", "npe_i=4,npe_j=4,mk=7,mmi=1,nodes=4",
			  best_s + 0.9 * (score_s - best_s));
	worse = with_run("50x50x50", "npe_i=4,npe_j=4,mk=7,mmi=1,nodes=4", 1.1 * score_s);
	assert_true(world_get(&world, before->best.row, "mmi") != 1);
	after = ask(better, "50x50x50", fixed, false);
	check_abs(world_get(&world, after->best.row, "mmi"), 1, 0);
	advice_free(after);
	after = ask(worse, "50x50x50", fixed, false);
	assert_true(rows_are_equal(after->best.row, before->best.row, world.app->n_columns));
	advice_free(after);
	advice_free(before);
}

TEST_GROUP(world_set_up, world_tear_down)
