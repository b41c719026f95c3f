#include "tests/support/shared_app.h"
#include "tests/unit/mining/qr_runs.h"

#include "mining/evaluate/evaluate.h"
#include "mining/numerics/mining_init.h"
#include "tests/support/uniform.h"

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};
static const char *const both[] = {"log-quadratic", "power-law"};
/* The ways of holding out that holdout.h knows, in its order. */
enum { FIRST_HOLDOUT = 2, N_RESULTS = 2 * HOLDOUT_COUNT };
static const struct cv_protocol *protocols[HOLDOUT_COUNT];

static int set_up(void **state)
{
	mining_init();
	app = qr_application();
	for (int h = 0; h < HOLDOUT_COUNT; h++)
		protocols[h] = &cv_protocol_list[FIRST_HOLDOUT + h];
	return 0;
}

/* The row of a protocol and a predictor. */
static const struct evaluation *find(const struct evaluation *all, size_t n, enum holdout protocol,
				     const char *predictor)
{
	for (size_t i = 0; i < n; i++) {
		if (all[i].protocol == protocols[protocol] && !strcmp(all[i].predictor, predictor))
			return &all[i];
	}
	fail_msg("no row for %s, %s", holdout_info[protocol].name, predictor);
	return NULL;
}

static struct evaluate_request ask(const struct fit_input *in)
{
	return (struct evaluate_request){.in = in,
					 .protocol = protocols,
					 .n_protocols = HOLDOUT_COUNT,
					 .predictor = both,
					 .n_predictors = 2,
					 .seed = 1};
}

static size_t evaluate_all(const struct dataset *d, struct evaluation out[N_RESULTS])
{
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluate_request q = ask(&in);
	size_t n = 0;

	must(evaluate(&q, out, &n, &err));
	return n;
}

TEST(what_follows_the_model_is_predicted_without_error)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	struct evaluation out[N_RESULTS];
	size_t n = evaluate_all(d, out);

	assert_int_equal(n, N_RESULTS);
	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(out[i].protocol, protocols[i / 2]);
		assert_string_equal(out[i].predictor, both[i % 2]);
		assert_true(out[i].scores.width >= 1);
	}
	for (int h = 0; h < HOLDOUT_COUNT; h++) {
		const struct evaluation *at = find(out, n, (enum holdout)h, "power-law");

		/* the pull of the penalties: 0.01 of a run, of 54 to 130 */
		assert_true(at->scores.p90_error < 0.002);
		assert_true(fabs(at->scores.bias) < 0.001);
		/* the share trained on has two processor counts and holds out one of them in turn:
		 * what is seen of them once is a wide interval */
		if (h == HOLDOUT_CONFIGS || h == HOLDOUT_PROBLEMS)
			assert_true(at->scores.width < 1.01);
	}
	/* squares of what was held out are not told by the rest; of single configurations they are
	 */
	assert_true(find(out, n, HOLDOUT_CONFIGS, "log-quadratic")->scores.p90_error < 0.002);
}

TEST(every_configuration_is_tested_once_and_trained_on_in_the_other_folds)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	struct evaluation out[N_RESULTS];
	size_t n = evaluate_all(d, out);
	const struct evaluation *at = find(out, n, HOLDOUT_CONFIGS, "power-law");

	assert_int_equal(at->n_test, QR_DESIGN_N);
	assert_int_equal(at->n_train, 4 * QR_DESIGN_N);
	/* trained on 1 and 4 processors, tested on 16 */
	at = find(out, n, HOLDOUT_MORE_PROCS, "power-law");
	assert_int_equal(at->n_test, QR_DESIGN_N / 3);
	assert_int_equal(at->n_train, 2 * QR_DESIGN_N / 3);
}

/* Uniform noise of +-10 %, three runs of each configuration: the median of |error| of a single run
 * is 5 %, of the median of three less. 90 % of 486 runs: the standard error is 1.4 %, but runs of
 * one configuration and fold share an error; five of them. */
TEST(the_interval_covers_what_it_says)
{
	FREED(dataset) *d = dataset_new(app);
	struct evaluation out[N_RESULTS];
	const struct evaluation *at;
	uint64_t seed = 17;
	size_t n;

	for (int i = 0; i < 3 * QR_DESIGN_N; i++) {
		struct qr c = qr_design(i % QR_DESIGN_N);

		qr_add(d, c, qr_power_law(c) * (1 + uniform_draw(&seed, -0.1, 0.1)));
	}
	n = evaluate_all(d, out);
	at = find(out, n, HOLDOUT_CONFIGS, "power-law");
	assert_true(at->scores.median_error < 0.05);
	check_abs(at->scores.coverage[LEVEL_90], 0.9, 5 * 0.014);
	/* the middle 90 % of the noise is 0.91 to 1.09 */
	check_rel(at->scores.width, 1.09 / 0.91, 0.1);
}

/* What no run on fewer processors tells: from 16 on it takes twice as long. */
static double slow_at_16(struct qr c)
{
	return qr_power_law(c) * (c.procs > 4 ? 2 : 1);
}

TEST(a_bias_shows_where_the_truth_bends)
{
	FREED(dataset) *d = qr_runs(app, slow_at_16, 0);
	struct evaluation out[N_RESULTS];
	size_t n = evaluate_all(d, out);
	const struct evaluation *at = find(out, n, HOLDOUT_MORE_PROCS, "power-law");

	check_abs(at->scores.bias, -0.5, 0.005);
	check_abs(at->scores.median_error, 0.5, 0.005);
	check_abs(at->scores.p90_error, 0.5, 0.005);
}

TEST(one_run_is_too_little_to_hold_any_out)
{
	FREED(dataset) *d = dataset_new(app);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluate_request q = ask(&in);
	struct evaluation out[N_RESULTS];
	size_t n = 77;

	assert_int_equal(evaluate(&q, out, &n, &err), ERR_NODATA);
	qr_add(d, (struct qr){1000, 500, 16, 0, 1}, 3);
	must_fail(evaluate(&q, out, &n, &err), ERR_NODATA, "too few");
	assert_int_equal(n, 77);
}

/* Folds of both predictors: 5 + 5 + 2 + 2 each. In between, fits only ask whether to go on. */
static bool stop_at_third(void *arg, const char *what, uint64_t done, uint64_t total)
{
	int *calls = arg;

	if (!what)
		return true;
	assert_string_equal(what, "evaluating");
	assert_int_equal(done, *calls);
	assert_int_equal(total, 2 * (5 + 5 + 2 + 2));
	return ++*calls < 3;
}

TEST(it_can_be_interrupted)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	int calls = 0;
	struct progress progress = {stop_at_third, &calls};
	struct fit_input in = {.runs = d, .machine = &machine, .progress = &progress};
	struct evaluate_request q = ask(&in);
	struct evaluation out[N_RESULTS];
	size_t n = 77;

	assert_int_equal(evaluate(&q, out, &n, &err), ERR_INTERRUPTED);
	assert_int_equal(calls, 3);
	assert_int_equal(n, 77);
}

static bool stop_within_a_fit(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return what != NULL;
}

TEST(a_fit_that_takes_long_can_be_interrupted)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	struct progress progress = {stop_within_a_fit, NULL};
	struct fit_input in = {.runs = d, .machine = &machine, .progress = &progress};
	struct evaluate_request q = ask(&in);
	struct evaluation out[N_RESULTS];
	size_t n = 77;

	assert_int_equal(evaluate(&q, out, &n, &err), ERR_INTERRUPTED);
	assert_int_equal(n, 77);
}

/* Every run that is learned from is slowed by 1 to 25, 12 in the geometric middle or less: what is
 * tested is as it was, so it is predicted too slow by as much. */
TEST(disturbed_training_is_tested_on_what_was_not_disturbed)
{
	static const char *const power_law[] = {"power-law"};
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluate_request q = ask(&in);
	struct evaluation out[N_RESULTS];
	size_t n;

	q.n_protocols = 1;
	q.predictor = power_law;
	q.n_predictors = 1;
	q.disturb = 1;
	must(evaluate(&q, out, &n, &err));
	assert_int_equal(out[0].n_runs, QR_DESIGN_N);
	assert_true(out[0].scores.bias > 5 && out[0].scores.bias < 20);
	/* and what was given is unchanged */
	check_rel(d->wall_s[0], qr_power_law(qr_design(0)), 1e-15);
}

static enum err_code count_tested(void *arg, const struct evaluation *one,
				  const struct scoring_rules *card, struct err *e)
{
	size_t *n = arg;

	assert_int_equal(card->n, one->n_test);
	assert_int_equal(card->n_runs, one->n_runs);
	*n += card->n;
	return *n > QR_DESIGN_N ? err_set(e, ERR_IO, "full") : ERR_OK;
}

/* The first two results are the whole design each; the second is one too many. */
TEST(every_result_is_shown_with_what_was_tested_until_that_fails)
{
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluate_request q = ask(&in);
	struct evaluation out[N_RESULTS];
	size_t n = 77, n_tested = 0;

	q.visit = count_tested;
	q.arg = &n_tested;
	assert_int_equal(evaluate(&q, out, &n, &err), ERR_IO);
	assert_int_equal(n_tested, 2 * QR_DESIGN_N);
	assert_int_equal(n, 77);
}

TEST(all_times_alike_are_predicted_without_error)
{
	static const char *const neighbours[] = {"nearest-neighbours"};
	FREED(dataset) *d = dataset_new(app);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluate_request q = ask(&in);
	struct evaluation out[N_RESULTS];
	size_t n;

	for (int i = 0; i < QR_DESIGN_N; i++)
		qr_add(d, qr_design(i), 2);
	q.predictor = neighbours;
	q.n_predictors = 1;
	must(evaluate(&q, out, &n, &err));
	assert_int_equal(n, HOLDOUT_COUNT);
	for (size_t i = 0; i < n; i++) {
		check_abs(out[i].scores.p90_error, 0, 1e-12);
		check_rel(out[i].scores.width, 1.0, 1e-12);
	}
}

TEST(an_unknown_predictor_is_named)
{
	static const char *const oracle[] = {"oracle"};
	FREED(dataset) *d = qr_runs(app, qr_power_law, 0);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct evaluate_request q = ask(&in);
	struct evaluation out[HOLDOUT_COUNT];
	size_t n;

	q.predictor = oracle;
	q.n_predictors = 1;
	must_fail(evaluate(&q, out, &n, &err), ERR_ARG, "oracle");
	assert_non_null(strstr(err.msg, "nearest-neighbours"));
}

TEST_GROUP(set_up, free_app)
