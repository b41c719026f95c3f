#include "tests/unit/mining/qr_runs.h"

#include <string.h>

#include "mining/evaluate.h"

static struct application *app;
static const struct machine machine = {.name = (char *)(uintptr_t) "m"};
static const char *const both[] = {"log-quadratic", "power-law"};

static int set_up(void **state)
{
	(void)state;
	mining_init();
	app = qr_class();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	application_free(app);
	return 0;
}

/* The row of a protocol and a predictor. */
static const struct evaluation *find(const struct evaluation *all, size_t n, enum holdout protocol,
				     const char *predictor)
{
	for (size_t i = 0; i < n; i++) {
		if (all[i].protocol == protocol && !strcmp(all[i].predictor, predictor))
			return &all[i];
	}
	fail_msg("no row for %s, %s", holdout_info[protocol].name, predictor);
	return NULL;
}

static size_t evaluate_all(const struct dataset *d, struct evaluation out[2 * HOLDOUT_COUNT])
{
	struct fit_input in = {.runs = d, .machine = &machine};
	struct err e = {0};
	size_t n = 0;

	check_ok(evaluate(&in, both, 2, 1, out, &n, &e), &e);
	return n;
}

static void what_follows_the_model_is_predicted_without_error(void **state)
{
	struct dataset *d = qr_runs(app, qr_power_law, 0);
	struct evaluation out[2 * HOLDOUT_COUNT];
	size_t n = evaluate_all(d, out);

	(void)state;
	assert_int_equal(n, 2 * HOLDOUT_COUNT);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(out[i].protocol, i / 2);
		assert_string_equal(out[i].predictor, both[i % 2]);
		assert_true(out[i].width >= 1);
	}
	for (int h = 0; h < HOLDOUT_COUNT; h++) {
		const struct evaluation *at = find(out, n, (enum holdout)h, "power-law");

		/* the pull of the penalties: 0.01 of a run, of 54 to 130 */
		assert_true(at->p90_error < 0.002);
		assert_true(fabs(at->bias) < 0.001);
		/* the share trained on has two processor counts and holds out one of them in turn:
		 * what is seen of them once is a wide interval */
		if (h == HOLDOUT_CONFIGS || h == HOLDOUT_PROBLEMS)
			assert_true(at->width < 1.01);
	}
	/* squares of what was held out are not told by the rest; of single configurations they are
	 */
	assert_true(find(out, n, HOLDOUT_CONFIGS, "log-quadratic")->p90_error < 0.002);
	dataset_free(d);
}

static void every_configuration_is_tested_once_and_trained_on_in_the_other_folds(void **state)
{
	struct dataset *d = qr_runs(app, qr_power_law, 0);
	struct evaluation out[2 * HOLDOUT_COUNT];
	size_t n = evaluate_all(d, out);
	const struct evaluation *at = find(out, n, HOLDOUT_CONFIGS, "power-law");

	(void)state;
	assert_int_equal(at->n_test, QR_DESIGN_N);
	assert_int_equal(at->n_train, 4 * QR_DESIGN_N);
	/* trained on 1 and 4 processors, tested on 16 */
	at = find(out, n, HOLDOUT_MORE_PROCS, "power-law");
	assert_int_equal(at->n_test, QR_DESIGN_N / 3);
	assert_int_equal(at->n_train, 2 * QR_DESIGN_N / 3);
	dataset_free(d);
}

/* Uniform noise of +-10 %, three runs of each configuration: the median of |error| of a single run
 * is 5 %, of the median of three less. 90 % of 486 runs: the standard error is 1.4 %, but runs of
 * one configuration and fold share an error; five of them. */
static void the_interval_covers_what_it_says(void **state)
{
	struct dataset *d = dataset_new(app);
	struct evaluation out[2 * HOLDOUT_COUNT];
	const struct evaluation *at;
	uint64_t seed = 17;
	size_t n;

	(void)state;
	for (int i = 0; i < 3 * QR_DESIGN_N; i++) {
		struct qr c = qr_design(i % QR_DESIGN_N);

		qr_add(d, c, qr_power_law(c) * (1 + synthetic_uniform(&seed, -0.1, 0.1)));
	}
	n = evaluate_all(d, out);
	at = find(out, n, HOLDOUT_CONFIGS, "power-law");
	assert_true(at->median_error < 0.05);
	check_abs(at->coverage, 0.9, 5 * 0.014);
	/* the middle 90 % of the noise is 0.91 to 1.09 */
	check_rel(at->width, 1.09 / 0.91, 0.1);
	dataset_free(d);
}

/* What no run on fewer processors tells: from 16 on it takes twice as long. */
static double slow_at_16(struct qr c)
{
	return qr_power_law(c) * (c.procs > 4 ? 2 : 1);
}

static void a_bias_shows_where_the_truth_bends(void **state)
{
	struct dataset *d = qr_runs(app, slow_at_16, 0);
	struct evaluation out[2 * HOLDOUT_COUNT];
	size_t n = evaluate_all(d, out);
	const struct evaluation *at = find(out, n, HOLDOUT_MORE_PROCS, "power-law");

	(void)state;
	check_abs(at->bias, -0.5, 0.005);
	check_abs(at->median_error, 0.5, 0.005);
	check_abs(at->p90_error, 0.5, 0.005);
	dataset_free(d);
}

static void one_run_is_too_little_to_hold_any_out(void **state)
{
	struct dataset *d = dataset_new(app);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluation out[2 * HOLDOUT_COUNT];
	struct err e = {0};
	size_t n = 77;

	(void)state;
	assert_int_equal(evaluate(&in, both, 2, 1, out, &n, &e), ERR_NODATA);
	qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 3);
	e = (struct err){0};
	assert_int_equal(evaluate(&in, both, 2, 1, out, &n, &e), ERR_NODATA);
	assert_non_null(strstr(e.msg, "too few"));
	assert_int_equal(n, 77);
	dataset_free(d);
}

static bool stop_at_third(void *arg, const char *what, uint64_t done, uint64_t total)
{
	int *calls = arg;

	assert_string_equal(what, "evaluating");
	assert_int_equal(done, *calls);
	assert_int_equal(total, 2 * HOLDOUT_COUNT);
	return ++*calls < 3;
}

static void it_can_be_interrupted(void **state)
{
	struct dataset *d = qr_runs(app, qr_power_law, 0);
	int calls = 0;
	struct progress progress = {stop_at_third, &calls};
	struct fit_input in = {.runs = d, .machine = &machine, .progress = &progress};
	struct evaluation out[2 * HOLDOUT_COUNT];
	struct err e = {0};
	size_t n = 77;

	(void)state;
	assert_int_equal(evaluate(&in, both, 2, 1, out, &n, &e), ERR_INTERRUPTED);
	assert_int_equal(calls, 3);
	assert_int_equal(n, 77);
	dataset_free(d);
}

static void an_unknown_predictor_is_named(void **state)
{
	static const char *const oracle[] = {"oracle"};
	struct dataset *d = qr_runs(app, qr_power_law, 0);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluation out[HOLDOUT_COUNT];
	struct err e = {0};
	size_t n;

	(void)state;
	assert_int_equal(evaluate(&in, oracle, 1, 1, out, &n, &e), ERR_ARG);
	assert_non_null(strstr(e.msg, "oracle"));
	dataset_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_follows_the_model_is_predicted_without_error),
		cmocka_unit_test(
			every_configuration_is_tested_once_and_trained_on_in_the_other_folds),
		cmocka_unit_test(the_interval_covers_what_it_says),
		cmocka_unit_test(a_bias_shows_where_the_truth_bends),
		cmocka_unit_test(one_run_is_too_little_to_hold_any_out),
		cmocka_unit_test(it_can_be_interrupted),
		cmocka_unit_test(an_unknown_predictor_is_named),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
