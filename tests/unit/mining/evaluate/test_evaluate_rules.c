#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/evaluate/evaluate_rules.h"
#include "tests/support/uniform.h"

/* Runs of which is known what rules can and cannot say. */

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};

struct result {
	struct rule_evaluation row[RULE_EVALUATIONS];
	size_t n;
};

static struct result evaluate(const struct dataset *d, unsigned seed)
{
	struct fit_input in = {.runs = d, .machine = &machine};
	struct result r;

	memset(&r, 0, sizeof r);
	must(evaluate_rules(&in, seed, r.row, &r.n, &err));
	return r;
}

static const struct rule_evaluation *find(const struct result *r, enum holdout protocol,
					  enum rule_measure measure, const char *method)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->row[i].protocol == protocol && r->row[i].measure == measure &&
		    !strcmp(r->row[i].method, method))
			return &r->row[i];
	}
	fail_msg("no row for %s, %s, %s", holdout_info[protocol].name, rule_measure_name[measure],
		 method);
	return NULL;
}

/* So many problems, where that is enough for what is to be seen; rules under noise take MANY. */
enum { N_PROBLEMS = 10, N_MANY = 15, N_CHOICES = 12 };

/* Problems on one processor, in each four block sizes and three layouts. */
static struct qr choice(int i)
{
	static const double b[] = {16, 32, 64, 128};
	int problem = i / N_CHOICES;

	return (struct qr){1000 + 100 * (problem % 8), 500 + 100 * floor(problem / 8.0), b[i % 4],
			   i / 4 % 3, 1};
}

/* Layout "column" is twice as slow, "tiled" is three times; b does not matter. */
static double layout_matters(struct qr c)
{
	return 1e-9 * c.m * c.n * c.n * (1 + c.layout);
}

static struct dataset *choices(int n_problems, double (*time_s)(struct qr c), double noise)
{
	struct dataset *d = dataset_new(app);
	uint64_t seed = 3;

	for (int i = 0; i < n_problems * N_CHOICES; i++)
		qr_add(d, choice(i), time_s(choice(i)) * (1 + uniform_draw(&seed, -noise, noise)));
	return d;
}

/* Two tests look at the same evaluation, which takes long. */
static const struct result *layout_with_noise(void)
{
	static struct result r;

	if (r.n == 0) {
		FREED(dataset) *d = choices(N_MANY, layout_matters, 0.02);

		r = evaluate(d, 1);
	}
	return &r;
}

TEST(a_setting_that_is_best_everywhere_is_found_and_costs_nothing)
{
	FREED(dataset) *d = choices(N_PROBLEMS, layout_matters, 0);
	struct result r = evaluate(d, 1);
	const struct rule_evaluation *at;

	at = find(&r, HOLDOUT_PROBLEMS, RULES_REGRET, "setting rules");
	assert_int_equal(at->n_test, N_PROBLEMS);
	assert_int_equal(at->n_train, 4 * N_PROBLEMS * N_CHOICES);
	check_abs(at->covered, 1, 0);
	check_abs(at->p90, 0, 1e-12);
	check_abs(at->share_true, 1, 0);
	assert_true(at->size >= 1);
	/* the median of a case: four of time 1, four of 2, four of 3 */
	at = find(&r, HOLDOUT_PROBLEMS, RULES_REGRET, "random choice");
	check_rel(at->median, 1.0, 1e-9);
	check_rel(at->p90, 1.0, 1e-9);
	assert_true(isnan(at->share_true) && isnan(at->size));
	/* every blocking with layout "row" is the best */
	at = find(&r, HOLDOUT_PROBLEMS, RULES_REGRET, "fixed setting");
	check_abs(at->p90, 0, 1e-12);
	check_abs(at->covered, 1, 0);
	/* one case each: problems are as cases */
	at = find(&r, HOLDOUT_PROBLEMS, RULES_REGRET_PROBLEMS, "random choice");
	assert_int_equal(at->n_test, N_PROBLEMS);
	check_rel(at->median, 1.0, 1e-9);
}

TEST(choice_rules_are_held_against_what_they_state)
{
	const struct rule_evaluation *at =
		find(layout_with_noise(), HOLDOUT_PROBLEMS, RULES_SLOWDOWN_ERROR, "choice rules");

	/* every rule can be true or false in every case */
	check_abs(at->covered, 1, 0);
	assert_int_equal(at->n_test % N_MANY, 0);
	check_abs(at->share_true, 1, 0);
	/* slow-downs that are the same in all cases, but for the noise of 2 % */
	assert_true(at->p90 < 0.05);
	assert_true(0.001 < at->median && at->median < at->p90);
	assert_true(0 < fabs(at->bias) && fabs(at->bias) < at->median);
	assert_true(at->size >= 1);
}

/* A flat landscape has no rules, and then rules choose as chance does. */
static double nothing_matters(struct qr c)
{
	return 1e-9 * c.m * c.n * c.n;
}

TEST(without_rules_the_choice_is_a_random_one)
{
	FREED(dataset) *d = choices(5, nothing_matters, 0.02);
	struct result r = evaluate(d, 1);
	const struct rule_evaluation *rules, *random;

	rules = find(&r, HOLDOUT_PROBLEMS, RULES_REGRET, "setting rules");
	random = find(&r, HOLDOUT_PROBLEMS, RULES_REGRET, "random choice");
	check_abs(rules->covered, 0, 0);
	check_abs(rules->size, 0, 0);
	check_rel(rules->median, random->median, 1e-12);
	assert_true(isnan(rules->share_true));
	for (size_t i = 0; i < r.n; i++) {
		assert_int_not_equal(r.row[i].measure, RULES_REGRET_COVERED);
		assert_int_not_equal(r.row[i].measure, RULES_SLOWDOWN_ERROR);
	}
}

/* The factor of the layout is a rule's, the powers are its formula's; the tree knows constants. */
TEST(time_rules_stand_beside_a_tree_and_a_power_law)
{
	const struct result *r = layout_with_noise();
	const struct rule_evaluation *rules, *tree;

	rules = find(r, HOLDOUT_CONFIGS, RULES_TIME_ERROR, "time rules");
	tree = find(r, HOLDOUT_CONFIGS, RULES_TIME_ERROR, "single tree");
	assert_int_equal(rules->n_test, N_MANY * N_CHOICES);
	assert_int_equal(rules->n_train, 4 * N_MANY * N_CHOICES);
	check_abs(rules->covered, 1, 0);
	assert_true(rules->size >= 2);
	assert_true(rules->median < 0.03);
	assert_true(rules->median < tree->median);
	assert_true(isnan(tree->covered) && tree->size > rules->size);
	/* a layout is a factor to the power law as well; noise of 2 % has a median of 1 % */
	check_rel(find(r, HOLDOUT_CONFIGS, RULES_TIME_ERROR, "power-law")->median, 0.01, 0.2);
	find(r, HOLDOUT_CONFIGS, RULES_TIME_ERROR, "gaussian-process");
	find(r, HOLDOUT_CONFIGS, RULES_TIME_ERROR, "gaussian-process and time rules");
}

TEST(the_same_seed_gives_the_same_numbers)
{
	FREED(dataset) *d = choices(3, layout_matters, 0.05);
	struct result a = evaluate(d, 1), b = evaluate(d, 1), c = evaluate(d, 2);

	assert_int_equal(a.n, b.n);
	assert_memory_equal(a.row, b.row, a.n * sizeof a.row[0]);
	assert_true(find(&a, HOLDOUT_CONFIGS, RULES_TIME_ERROR, "single tree")->p90 !=
		    find(&c, HOLDOUT_CONFIGS, RULES_TIME_ERROR, "single tree")->p90);
}

TEST(one_configuration_cannot_be_held_out)
{
	FREED(dataset) *d = dataset_new(app);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct rule_evaluation out[RULE_EVALUATIONS];
	size_t n = 77;

	qr_add_as(d, choice(0), 1, RUN_FAILED);
	assert_int_equal(evaluate_rules(&in, 1, out, &n, &err), ERR_NODATA);
	qr_add(d, choice(0), 1);
	must_fail(evaluate_rules(&in, 1, out, &n, &err), ERR_NODATA, "too few runs");
	assert_int_equal(n, 77);
}

/* Says stop at the n-th question. */
static bool until(void *arg, const char *what, uint64_t done, uint64_t total)
{
	return --*(int *)arg > 0;
}

TEST(it_stops_whenever_asked)
{
	FREED(dataset) *d = choices(3, layout_matters, 0.02);
	struct rule_evaluation out[RULE_EVALUATIONS];
	size_t n = 77;

	for (int patience = 1; patience < 200; patience += 37) {
		int left = patience;
		struct progress p = {.step = until, .arg = &left};
		struct fit_input in = {.runs = d, .machine = &machine, .progress = &p};

		assert_int_equal(evaluate_rules(&in, 1, out, &n, &err), ERR_INTERRUPTED);
		assert_int_equal(n, 77);
	}
}

TEST_GROUP(qr_set_up, qr_tear_down)
