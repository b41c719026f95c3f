
#include "tests/support/made_runs.h"
#include "tests/unit/mining/synthetic_world.h"

/* Runs that were cut at a time limit. Blocks of 10 planes take longer than the formula says, which
 * no other run tells, and all their runs were cut at 1.25 times what it says. */

static struct dataset *finished; /* without the large blocks */
static struct dataset *cut;	 /* with them, cut */

static bool is_slow(const double *row)
{
	return row[application_column(world.app, "mk")] == 10;
}

static double formula_s(const double *row)
{
	return wavefront_time_at(&world.truth, row, NULL, NULL);
}

/* The runs of `all`; those with large blocks cut at `factor` times what the formula says (0: left
 * out). */
static struct dataset *runs_cut_at(const struct dataset *all, double factor)
{
	struct dataset *d = dataset_new(world.app);

	for (size_t i = 0; i < all->n; i++) {
		const double *row = dataset_row(all, i);
		bool slow = is_slow(row);

		if (slow && factor == 0)
			continue;
		assert_int_equal(dataset_add(d, row,
					     slow ? factor * formula_s(row) : all->wall_s[i],
					     (int64_t)i + 1, 1, SOURCE_MEASURED,
					     slow ? RUN_TIMEOUT : RUN_OK, 1, NULL),
				 ERR_OK);
	}
	return d;
}

static struct dataset *all;
static struct predictor *unaware, *aware;

static int set_up(void **state)
{
	if (open_synthetic(state) || !(all = synthetic_runs(&world, 8, 2, 0.02, 0, 5)))
		return -1;
	finished = runs_cut_at(all, 0);
	cut = runs_cut_at(all, 1.25);
	unaware = fit("hybrid", finished);
	aware = fit("hybrid", cut);
	return 0;
}

static int tear_down(void **state)
{
	predictor_free(unaware);
	predictor_free(aware);
	dataset_free(all);
	dataset_free(finished);
	dataset_free(cut);
	return close_synthetic(state);
}

/* Up to the noise of the runs, 2 %. */
TEST(what_was_cut_is_not_predicted_below_its_limit)
{
	for (size_t i = 0; i < cut->n; i++) {
		struct prediction at, before;

		if (cut->status[i] != RUN_TIMEOUT)
			continue;
		predictor_predict(aware, dataset_row(cut, i), 1, &at);
		predictor_predict(unaware, dataset_row(cut, i), 1, &before);
		assert_true(before.time_s < 0.9 * cut->wall_s[i]); /* there is something to learn */
		assert_true(at.time_s > 0.97 * cut->wall_s[i]);
	}
}

/* A deadline that the formula alone would meet for sure. */
TEST(a_deadline_below_the_cut_is_hardly_met)
{
	for (size_t i = 0; i < cut->n; i++) {
		struct prediction at, before;
		double deadline_s = 0.85 * cut->wall_s[i];

		if (cut->status[i] != RUN_TIMEOUT)
			continue;
		predictor_predict(aware, dataset_row(cut, i), 1, &at);
		predictor_predict(unaware, dataset_row(cut, i), 1, &before);
		assert_true(prediction_p_meet(aware, &at, deadline_s) <
			    fmin(prediction_p_meet(unaware, &before, deadline_s), 0.5));
	}
}

/* Within 3 %: limits far above pull no time with them. */
TEST(what_finished_is_predicted_as_before)
{
	for (size_t i = 0; i < finished->n; i++) {
		struct prediction at;

		predictor_predict(aware, dataset_row(finished, i), 1, &at);
		check_rel(at.time_s, formula_s(dataset_row(finished, i)), 0.03);
	}
}

/* Cut at half of what is predicted anyway: nothing new, and nothing moves. */
TEST(a_limit_below_the_prediction_says_nothing)
{
	FREED(dataset) *early = runs_cut_at(all, 0.5);
	FREED(predictor) *p = fit("hybrid", early);

	for (size_t i = 0; i < early->n; i++) {
		struct prediction at, before;

		predictor_predict(p, dataset_row(early, i), 1, &at);
		predictor_predict(unaware, dataset_row(early, i), 1, &before);
		check_rel(at.time_s, before.time_s, 0.01);
	}
}

/* The next run takes longer, whatever the fit says; beyond the limit the law is that of runs that
 * do. */
TEST(a_configuration_that_was_only_cut_takes_longer)
{
	static const double prob[] = {0.01, 0.05, 0.3, 0.5, 0.7, 0.95};
	size_t n_seen = 0;

	for (size_t i = 0; i < cut->n; i++) {
		struct prediction at, bound;
		double before = 0;

		predictor_predict(aware, dataset_row(cut, i), 1, &at);
		if (cut->status[i] != RUN_TIMEOUT) {
			check_abs(at.least_s, 0, 0);
			continue;
		}
		n_seen++;
		check_rel(at.least_s, cut->wall_s[i], 1e-12);
		assert_true(at.time_s > at.least_s);
		check_rel(prediction_quantile_s(aware, &at, 0.5), at.time_s, 1e-6);
		check_abs(prediction_p_meet(aware, &at, at.least_s), 0, 0);
		for (size_t k = 0; k < sizeof prob / sizeof *prob; k++) {
			const double q = prediction_quantile_s(aware, &at, prob[k]);

			assert_true(q > at.least_s && q >= before);
			assert_true(prediction_p_meet(aware, &at, q) >= prob[k] - 1e-9);
			before = q;
		}
		predictor_bound_complete(aware, NULL, false, dataset_row(cut, i), 1, &bound);
		assert_true(bound.time_s <= at.time_s);
		check_abs(bound.least_s, 0, 0);
	}
	assert_true(n_seen > 0);
}

TEST(limits_are_stored)
{
	RELEASED(kb_fit) stored = {0};
	FREED(predictor) *back = NULL;

	must(predictor_store(aware, &stored, &err));
	must(predictor_load(&stored, world.app, &back, &err));
	for (size_t i = 0; i < cut->n; i++) {
		struct prediction a, b;

		predictor_predict(aware, dataset_row(cut, i), 1, &a);
		predictor_predict(back, dataset_row(cut, i), 1, &b);
		check_abs(a.least_s, b.least_s, 0);
		check_abs(a.time_s, b.time_s, 0);
	}
}

TEST(the_explanation_counts_what_was_cut)
{
	assert_non_null(strstr(predictor_explanation(aware), "cut by a time limit"));
	assert_null(strstr(predictor_explanation(unaware), "cut by a time limit"));
}

/* Power laws are fitted to the finished runs alone, but held-out residuals know of the others: seen
 * beside configurations that were cut. */
TEST(intervals_of_a_regression_reach_the_limits)
{
	FREED(predictor) *a = fit("power-law", cut), *b = fit("power-law", finished);
	double longer = 0;

	for (size_t i = 0; i < cut->n; i++) {
		struct prediction x, y;
		double row[64];

		if (cut->status[i] != RUN_TIMEOUT)
			continue;
		memcpy(row, dataset_row(cut, i), world.app->n_columns * sizeof *row);
		row[application_column(world.app, "mk")] = 9;
		configuration_derive(world.app, row);
		predictor_predict(a, row, 1, &x);
		predictor_predict(b, row, 1, &y);
		check_rel(x.time_s, y.time_s, 1e-12);
		longer +=
			log(prediction_quantile_s(a, &x, 0.9) / prediction_quantile_s(b, &y, 0.9));
	}
	assert_true(longer > 0);
}

TEST_GROUP(set_up, tear_down)
