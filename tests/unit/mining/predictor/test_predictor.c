
#include "tests/support/made_runs.h"
#include "tests/unit/mining/synthetic_world.h"
#include "tests/support/uniform.h"

/* Runs and the wavefront predictor fitted to them, which most tests only ask: without noise on up
 * to 8 processors, and with up to 2 % of it, two repeats on up to 16. */
static struct sample {
	struct dataset *runs;
	struct predictor *p;
} exact, noisy;

static int set_up(void **state)
{
	if (open_synthetic(state))
		return -1;
	exact.runs = synthetic_runs(&world, 8, 1, 0, 0, 1);
	noisy.runs = synthetic_runs(&world, 16, 2, 0.02, 0, 7);
	exact.p = fit("wavefront", exact.runs);
	noisy.p = fit("wavefront", noisy.runs);
	return 0;
}

static int tear_down(void **state)
{
	predictor_free(exact.p);
	predictor_free(noisy.p);
	dataset_free(exact.runs);
	dataset_free(noisy.runs);
	return close_synthetic(state);
}

static double worst_error(const struct predictor *p, int max_procs)
{
	FREED(dataset) *all = synthetic_runs(&world, max_procs, 1, 0, 0, 1);
	double worst = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct prediction at;

		predictor_predict(p, dataset_row(all, i), 1, &at);
		worst = fmax(worst, fabs(at.time_s / all->wall_s[i] - 1));
	}
	return worst;
}

/* The runs came from the formula itself: what is left is the pull of the priors, well under 1 %. */
TEST(exact_runs_are_predicted_exactly)
{
	assert_true(worst_error(exact.p, 8) < 0.01);
}

/* The formula's only doubt is of its coefficients, which many runs tell: a prediction of 1 s is
 * spread as held-out runs are. */
TEST(held_out_error_is_that_of_predictions)
{
	const struct prediction at = {.time_s = 1, .scale = 1, .support = SUPPORT_INSIDE};
	const struct predictor_error error = predictor_error(noisy.p, SUPPORT_INSIDE);

	assert_true(error.n >= 100);
	/* the coefficients' share of the spread */
	check_rel(error.lo, prediction_quantile_s(noisy.p, &at, 0.05), 1e-6);
	check_rel(error.hi, prediction_quantile_s(noisy.p, &at, 0.95), 1e-6);
	/* half of them are within the typical one */
	check_rel(prediction_p_meet(noisy.p, &at, exp(error.typical)) -
			  prediction_p_meet(noisy.p, &at, exp(-error.typical)),
		  0.5, 0.01);
	/* noise of up to 2 %: half of it is within 1 %, and the formula adds little */
	assert_true(error.typical > 0.002 && error.typical < 0.02);
}

/* Fitted on at most 16 processors, asked for 64: the step and the message shares must be right. */
TEST(more_processors_are_extrapolated)
{
	assert_true(worst_error(noisy.p, 64) < 0.1);
}

/* A third of the repeats is slowed up to 25 times: the median of three and the robust loss leave
 * the predictions where they were. */
TEST(disturbed_runs_do_not_move_predictions)
{
	FREED(dataset) *calm = synthetic_runs(&world, 4, 3, 0.02, 0, 3);
	FREED(dataset) *rough = synthetic_runs(&world, 4, 3, 0.02, 3, 3);
	FREED(predictor) *a = fit("wavefront", calm), *b = fit("wavefront", rough);

	for (size_t i = 0; i < calm->n; i++) {
		struct prediction x, y;

		predictor_predict(a, dataset_row(calm, i), 1, &x);
		predictor_predict(b, dataset_row(calm, i), 1, &y);
		check_rel(y.time_s, x.time_s, 0.03);
	}
}

TEST(too_few_runs_are_refused_with_the_number_wanted)
{
	FREED(dataset) *d = dataset_new(world.app);
	struct fit_input in = {.runs = d, .machine = &world.machine};
	struct predictor *p = NULL;
	struct err e = {0};
	double row[64];

	assert_int_equal(predictor_fit(NULL, &in, &p, &e), ERR_NODATA);
	synthetic_row(&world, row, 50, 1, 1, 50, 6);
	check_ok(dataset_add(d, row, 10, 1, 1, SOURCE_MEASURED, RUN_OK, 1, &e), &(struct err){0});
	memset(&e, 0, sizeof e);
	check_error(predictor_fit(NULL, &in, &p, &e), &e, ERR_NODATA, "8 or more");
	assert_null(p);
}

TEST(unknown_predictor_lists_the_known_ones)
{
	struct fit_input in = {.runs = exact.runs, .machine = &world.machine};
	struct predictor *p = NULL;

	must_fail(predictor_fit("oracle", &in, &p, &err), ERR_ARG, "wavefront");
}

static void check_same_answer(const struct predictor *p, const struct predictor *q,
			      const double *row, int n_of[3])
{
	struct prediction x, y;

	predictor_predict(p, row, 1, &x);
	predictor_predict(q, row, 1, &y);
	check_abs(y.time_s, x.time_s, 0);
	check_abs(predictor_time_s(p, row), x.time_s, 0);
	check_abs(y.scale, x.scale, 0);
	assert_int_equal(y.support, x.support);
	check_abs(prediction_quantile_s(q, &y, 0.9), prediction_quantile_s(p, &x, 0.9), 0);
	check_abs(prediction_p_meet(q, &y, 2 * x.time_s), prediction_p_meet(p, &x, 2 * x.time_s),
		  0);
	check_abs(prediction_noise_sd(q, &y), prediction_noise_sd(p, &x), 0);
	check_abs(prediction_epistemic_sd(q, &y), prediction_epistemic_sd(p, &x), 0);
	n_of[x.support]++;
}

/* To the last bit, and so are quantiles, chances, noise and doubt: at the runs, at the edge (a size
 * and blocking that were not seen together) and outside. */
TEST(stored_and_loaded_predicts_the_same)
{
	const char *const kind[] = {"hybrid", "wavefront", "log-quadratic", "power-law"};
	const struct dataset *runs = noisy.runs;

	for (int k = 0; k < 4; k++) {
		FREED(predictor) *p = fit(kind[k], runs), *q = NULL;
		RELEASED(kb_fit) stored = {0};
		double row[64];
		int n_of[3] = {0};

		must(predictor_store(p, &stored, &err));
		must(predictor_load(&stored, world.app, &q, &err));
		assert_string_equal(predictor_explanation(p), predictor_explanation(q));
		for (size_t i = 0; i < runs->n; i++)
			check_same_answer(p, q, dataset_row(runs, i), n_of);
		for (double cube = 20; cube < 1000; cube *= 1.05) {
			synthetic_row(&world, row, floor(cube), 2, 4, 11, 6);
			check_same_answer(p, q, row, n_of);
		}
		assert_true(n_of[SUPPORT_INSIDE] && n_of[SUPPORT_EDGE] && n_of[SUPPORT_OUTSIDE]);
	}
}

/* What was learned of one machine's loops says nothing of another's: only the structure goes over.
 */
TEST(transferred_predictions_carry_no_corrections)
{
	FREED(predictor) *hybrid = fit("hybrid", noisy.runs), *from_hybrid = NULL, *plain = NULL;
	struct cost_segment dear = {0, 200e-6, 100e-9, 0, 0};
	struct machine other = {
		.name = (char *)(uintptr_t) "other", .segment = &dear, .n_segment = 1};

	must(predictor_transfer(hybrid, &other, 0.5, &from_hybrid, &err));
	must(predictor_transfer(noisy.p, &other, 0.5, &plain, &err));
	for (size_t i = 0; i < noisy.runs->n; i++) {
		struct prediction x, y, bound;

		predictor_predict(from_hybrid, dataset_row(noisy.runs, i), 1, &x);
		predictor_predict(plain, dataset_row(noisy.runs, i), 1, &y);
		predictor_bound_complete(from_hybrid, NULL, false, dataset_row(noisy.runs, i), 1,
					 &bound);
		check_abs(x.time_s, y.time_s, 0);
		check_abs(bound.time_s, x.time_s, 0);
		assert_int_equal(x.support, SUPPORT_OUTSIDE);
	}
}

TEST(a_fit_without_its_numbers_asks_for_mining)
{
	RELEASED(kb_fit) fit_ = {0};
	struct predictor *p = NULL;

	fit_.predictor = strdup("wavefront");
	fit_.explanation = strdup("");
	must_fail(predictor_load(&fit_, world.app, &p, &err), ERR_NOTMINED, "lemnos mine");
}

TEST(support_tells_between_from_beyond)
{
	struct prediction at;
	double row[64];

	synthetic_row(&world, row, 100, 2, 4, 5, 3);
	predictor_predict(noisy.p, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_INSIDE);
	synthetic_row(&world, row, 1000, 16, 16, 10, 3); /* no run has 1000 planes */
	predictor_predict(noisy.p, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
	assert_true(at.scale > 1);
	assert_true(at.regime_p == 0); /* a structure tells where its laws change */
}

/* The share of 200 000 drawn runs that take at most exp(x) s: exp(r), r as residuals are, but of a
 * fifth of the runs at least 1 s times a factor with an exponential logarithm of mean ln 2. */
static double drawn_share(const struct predictor *p, const struct prediction *law, double x)
{
	const int n = 200000;
	uint64_t seed = 5;
	int in_time = 0;

	for (int i = 0; i < n; i++) {
		const double prob = uniform_draw(&seed, 0.001, 0.999);
		double log_s = log(prediction_quantile_s(p, law, prob));

		if (uniform_draw(&seed, 0, 1) < 0.2)
			log_s = fmax(log_s, -log(2) * log(uniform_draw(&seed, 0, 1)));
		in_time += log_s <= x;
	}
	return (double)in_time / n;
}

TEST(another_law_beyond_the_runs_makes_them_late)
{
	static const double x[] = {-0.01, 0, 0.004, 0.3, 0.6931471805599453, 2};
	const struct prediction law = {.time_s = 1, .scale = 1, .support = SUPPORT_INSIDE};
	struct prediction drifting = {.time_s = 1,
				      .scale = 1,
				      .trend_sd = 0.3,
				      .regime_p = 0.2,
				      .support = SUPPORT_INSIDE};
	struct prediction at = law;
	double before = 0;

	at.regime_p = 0.2;
	for (size_t i = 0; i < sizeof x / sizeof *x; i++) /* +- 4 standard errors */
		check_abs(prediction_p_meet(noisy.p, &at, exp(x[i])),
			  drawn_share(noisy.p, &law, x[i]), 0.0045);
	/* a deadline of twice the time is missed by 1 in e of a fifth */
	check_abs(prediction_p_meet(noisy.p, &at, 2), 1 - 0.2 / exp(1), 1e-9);
	for (double prob = 0.01; prob < 0.985; prob += 0.01) {
		const double s = prediction_quantile_s(noisy.p, &at, prob);

		assert_true(s > before);
		before = s;
		check_abs(prediction_p_meet(noisy.p, &at, s), prob, 1e-9);
		/* a probability is found to 1e-12, far out in a tail its time to less */
		check_abs(prediction_p_meet(noisy.p, &drifting,
					    prediction_quantile_s(noisy.p, &drifting, prob)),
			  prob, 1e-7);
	}
}

/* What the search prunes with: no point at or above a bound does better than the bound says. */
TEST(pruning_bounds_hold_everywhere)
{
	const struct predictor *p = noisy.p;
	uint64_t seed = 12;

	for (int trial = 0; trial < 2000; trial++) {
		struct prediction bound = {.time_s = uniform_draw(&seed, 1, 100),
					   .scale = uniform_draw(&seed, 1, 4),
					   .trend_sd = INFINITY,
					   .support = (enum support)(trial % 3)};
		struct prediction at = {.time_s = bound.time_s * uniform_draw(&seed, 1, 3),
					.scale = uniform_draw(&seed, bound.scale, 4),
					.regime_p = trial % 2 ? uniform_draw(&seed, 0, 0.5) : 0,
					.support = (enum support)fmax(trial % 3, trial / 3 % 3)};
		double prob = uniform_draw(&seed, 0.01, 0.99), deadline;

		deadline = bound.time_s * uniform_draw(&seed, 0.3, 3);
		assert_true(prediction_p_meet(p, &at, deadline) <=
			    predictor_best_p_meet(p, &bound, deadline));
		assert_true(prediction_quantile_s(p, &at, prob) >=
			    predictor_min_deadline_s(p, &bound, prob) * (1 - 1e-12));
	}
}

/* The other machine: messages ten times dearer, processors twice as fast. The truth is the formula
 * with both changed. */
TEST(transfer_changes_messages_and_computation)
{
	struct predictor *q = NULL;
	struct cost_segment dear = {0, 200e-6, 100e-9, 0, 0};
	struct machine other = {
		.name = (char *)(uintptr_t) "other", .segment = &dear, .n_segment = 1};
	struct machine unknown = {.name = (char *)(uintptr_t) "unknown"};
	struct wavefront_time truth = world.truth;
	double row[64], param[WP_COUNT];
	struct prediction at;

	must(predictor_transfer(exact.p, &other, 0.5, &q, &err));
	memcpy(param, truth.p, sizeof param);
	param[WP_WG] -= log(2);
	wavefront_time_set(&truth, param);
	must(message_cost_from_segments(&dear, 1, 0, MESSAGE_COST_OVERHEAD_SHARE, &truth.cost,
					&err));
	synthetic_row(&world, row, 100, 2, 4, 10, 3);
	predictor_predict(q, row, 1, &at);
	check_rel(at.time_s, wavefront_time_at(&truth, row, NULL, NULL), 0.02);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
	assert_non_null(strstr(predictor_explanation(q), "WHAT IF"));
	predictor_free(q);
	q = NULL;
	must_fail(predictor_transfer(exact.p, &unknown, 1, &q, &err), ERR_ARG, "no message costs");
}

TEST_GROUP(set_up, tear_down)
