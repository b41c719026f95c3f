#include "tests/unit/mining/qr_application.h"
#include "tests/unit/recommend/shared_world.h"

#include "recommend/evaluate/evaluate_decisions.h"
#include "recommend/choose/evidence.h"
#include "recommend/next/next_runs.h"
#include "tests/support/failing_allocations.h"

/* Whatever allocation fails: an error that says so, and nothing handed out. */

static double row[WORLD_COLUMNS];

/* Rules of each kind about the answer to the request of small_request(). */
static char block_of_5[] = "mk = 5", block_of_10[] = "mk = 10", in_parallel[] = "procs > 1",
	    three_angles[] = "mmi = 3";
static const struct rule rule[] = {
	{.kind = RULE_SETTING, .within = 0.01, .condition = in_parallel, .setting = block_of_5},
	{.kind = RULE_SETTING, .within = 0.01, .condition = in_parallel, .setting = block_of_10},
	{.kind = RULE_CHOICE, .condition = three_angles},
};
static const struct active_rule in_use[] = {
	{&rule[0], RULE_STATE_ACCEPTED}, {&rule[1], RULE_STATE_NEW}, {&rule[2], RULE_STATE_NEW}};

/* Exhaustive: bounds may go on without memory, at the price of speed. */
static struct advice_request small_request(double deadline_s)
{
	struct advice_request q;

	world_row(&world, row, "10x10x10", NULL);
	q = world_request(&world, row, deadline_s);
	q.max_nodes = 2;
	q.exhaustive = true;
	return q;
}

TEST(an_answer_needs_memory)
{
	struct advice_request q = small_request(NAN);
	FREED(advice) *a = NULL;

	q.fastest_of_ties = false;
	q.frontier = q.sensitivity = true;
	q.rules = in_use;
	q.n_rules = 3;
	failing_each_place (advice_find(&q, &a, &err), &err)
		assert_null(a);
	assert_true(a->feasible);
}

/* These ask for bounds; those of a power law are one number. */
TEST(limits_of_nodes_need_memory)
{
	struct advice_request q = small_request(1e9);
	struct world by_power_law = world;
	struct advice *a = NULL;

	world_fit(&by_power_law, "power-law");
	q.predictor = by_power_law.predictor;
	q.sensitivity = true;
	failing_each_place (advice_find(&q, &a, &err), &err)
		assert_null(a);
	assert_true(a->node_limits.known);
	advice_free(a);
	predictor_free(by_power_law.predictor);
}

TEST(a_no_needs_memory_for_its_reason)
{
	struct advice_request q = small_request(1e-9);
	FREED(advice) *a = NULL;

	q.budget_node_hours = 1e-9;
	failing_each_place (advice_find(&q, &a, &err), &err)
		assert_null(a);
	assert_non_null(a->reason);
}

TEST(next_runs_need_memory)
{
	struct advice_request q;
	RELEASED(next_runs) next = {0};
	struct advice *a = NULL;

	world_row(&world, row, "50x50x50", "npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1");
	q = world_request(&world, row, NAN);
	must(advice_find(&q, &a, &err));
	q.deadline_s = 1.02 * a->best.prediction.time_s;
	advice_free(a);
	a = NULL;
	must(advice_find(&q, &a, &err));
	failing_each_place (next_runs_find(&q, a, 2, &next, &err), &err)
		assert_null(next.run);
	assert_true(next.n > 0);
	advice_free(a);
}

TEST(following_time_rules_needs_memory)
{
	const struct rule slow = {.kind = RULE_TIME,
				  .condition = in_parallel,
				  .on_model = true,
				  .coefficient = 2,
				  .min = 2,
				  .max = 2,
				  .weight = 1};
	const struct active_rule rules[] = {{&slow, RULE_STATE_ACCEPTED}, {&slow, RULE_STATE_NEW}};
	struct world led = world;
	struct prediction before, after;

	world_fit(&led, "wavefront");
	world_row(&world, row, "50x50x50", "npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1");
	configuration_derive(world.app, row);
	predictor_predict(led.predictor, row, 1, &before);
	failing_each_allocation (rule_advice_lead(led.predictor, rules, 2, &err), &err) {
		predictor_predict(led.predictor, row, 1, &after);
		check_abs(after.time_s, before.time_s, 0);
	}
	predictor_predict(led.predictor, row, 1, &after);
	check_rel(after.time_s, 2 * before.time_s, 1e-12);
	predictor_free(led.predictor);
}

TEST(evidence_needs_memory)
{
	struct nearest_run *near = NULL;
	size_t n = 7;

	world_row(&world, row, "50x50x50", "npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1");
	failing_each_allocation (evidence_nearest_runs(world.runs, row, 3, &near, &n, &err), &err) {
		assert_null(near);
		assert_int_equal(n, 7);
	}
	assert_int_equal(n, 3);
	nearest_runs_free(near, n);
}

TEST(a_back_test_needs_memory)
{
	static const struct machine machine = {.name = (char *)(uintptr_t) "m"};
	static const char *const neighbours[] = {"nearest-neighbours"};
	FREED(application) *app = qr_application();
	FREED(dataset) *d = dataset_new(app);
	struct fit_input in = {.runs = d, .machine = &machine};
	struct decision_request q = {
		.in = &in, .predictor = neighbours, .n_predictors = 1, .seed = 1};
	struct decision_evaluation v[DECISION_ROWS_MAX];
	size_t n = 77;

	for (int m = 1000; m <= 2000; m += 1000) {
		for (int b = 1; b <= 10; b++)
			qr_add(d, (struct qr){m, 500, b, 0, 1}, b);
	}
	failing_each_place (evaluate_decisions(&q, v, &n, &err), &err)
		assert_int_equal(n, 77);
	assert_true(n > 3);
}

/* ---- the search with its bounds: the answer of a calm run, or none ---- */

static struct advice_request request(const char *fixed, double deadline_s)
{
	struct advice_request q;

	world_row(&world, row, "20x20x20", fixed);
	q = world_request(&world, row, deadline_s);
	q.frontier = q.sensitivity = true;
	q.fastest_of_ties = false;
	q.max_nodes = 2;
	return q;
}

static void check_same(const struct advice *a, const struct advice *calm)
{
	size_t n_bytes = world.app->n_columns * sizeof(double);

	assert_memory_equal(a->best.row, calm->best.row, n_bytes);
	assert_true(a->best.prediction.time_s == calm->best.prediction.time_s);
	assert_int_equal(a->feasible, calm->feasible);
	assert_int_equal(a->n_alternative, calm->n_alternative);
	assert_int_equal(a->n_frontier, calm->n_frontier);
	assert_int_equal(a->n_near, calm->n_near);
	assert_int_equal(a->sensitivity.n, calm->sensitivity.n);
}

static void check_advice(const struct advice_request *q)
{
	struct advice *calm = world_find(q), *a = NULL;

	/* The search does without its sharper bounds (tuning_bound_at()), and looks at more. */
	failing_each_place_tolerated (advice_find(q, &a, &err), &err) {
		if (err.code == ERR_OK)
			check_same(a, calm);
		else
			assert_null(a);
		advice_free(a);
		a = NULL;
	}
	check_same(a, calm);
	advice_free(a);
	advice_free(calm);
}

TEST(advice_is_whole_or_none)
{
	struct advice_request q = request("mk=10,mmi=3", 3600);

	check_advice(&q);
}

TEST(an_honest_no_is_whole_or_none)
{
	struct advice_request q = request("npe_i=2,mk=10", 1e-3);

	q.budget_node_hours = 1e-9;
	check_advice(&q);
}

TEST_GROUP(world_set_up, world_tear_down)
