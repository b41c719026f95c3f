#include "tests/support/shared_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/qr_runs.h"

#include "mining/evaluate/evaluate.h"
#include "mining/numerics/mining_init.h"

/* Back-tests on few runs: without memory there is an error and nothing is handed out, and no for an
 * answer ends them there and then. */

/* runs: 12 configurations, of two sources */
static const struct machine machine = {.name = (char *)(uintptr_t) "m"};

static int set_up(void **state)
{
	mining_init();
	app = qr_application();
	runs = dataset_new(app);
	for (int i = 0; i < 12; i++) {
		const struct qr c = {1000 << i % 3, 500 << i / 6, 16 << i % 2 * 2, 0, 1 << i % 4};

		qr_add(runs, c, qr_power_law(c) * (1 + 0.01 * (i * 5 % 7)));
		runs->source[i] = (unsigned char)(i % 4 ? SOURCE_MEASURED : SOURCE_SIMULATED);
	}
	return 0;
}

static enum err_code back_test(const struct progress *progress, struct err *e)
{
	static const char *const predictor[] = {"power-law", "nearest-neighbours"};
	const struct cv_protocol *protocol[PROTOCOL_COUNT];
	const struct fit_input in = {.runs = runs, .machine = &machine, .progress = progress};
	struct evaluate_request q = {
		.in = &in, .protocol = protocol, .predictor = predictor, .n_predictors = 2};
	struct evaluation out[2 * PROTOCOL_COUNT];
	enum err_code rc;
	size_t n = 77;

	for (; q.n_protocols < PROTOCOL_COUNT; q.n_protocols++)
		protocol[q.n_protocols] = &cv_protocol_list[q.n_protocols];
	rc = evaluate(&q, out, &n, e);
	assert_int_equal(n == 77, rc != ERR_OK);
	return rc;
}

TEST(predictors_are_tested_or_there_is_no_memory)
{
	failing_each_place_repeated(back_test(NULL, &err), &err);
}

/* ---- stopping ---- */

struct patience {
	long left, n_asked;
};

static bool step(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct patience *p = arg;

	assert_true(total == 0 || done <= total);
	p->n_asked++;
	return p->left-- > 0;
}

/* Nobody is asked again who said no. */
static void check_stops(enum err_code (*work)(const struct progress *progress, struct err *e))
{
	struct patience p = {.left = 1000000000};
	const struct progress progress = {step, &p};
	long n_all;

	must(work(&progress, &err));
	n_all = p.n_asked;
	assert_true(n_all > 0);
	for (long n = 0; n < n_all; n += 1 + n / 4) {
		p = (struct patience){.left = n};
		must_fail(work(&progress, &err), ERR_INTERRUPTED, "interrupted");
		assert_int_equal(p.n_asked, n + 1);
	}
}

TEST(tests_of_predictors_stop_when_told)
{
	check_stops(back_test);
}

TEST_GROUP(set_up, free_runs)
