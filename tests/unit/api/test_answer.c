/* An answer as data: what its JSON tells, what it does not, and what is of another application. */
#include "tests/support/check.h"

#include <jansson.h>

#include "api/answer.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/made_application.h"

static struct application *app;
static json_t *json;

static void read_json(const char *text)
{
	json_error_t where;

	json = json_loads(text, 0, &where);
	assert_non_null(json);
}

static int make_application(void **state)
{
	app = made_application("code", "n", "block,solver", "solver", "nodes");
	return 0;
}

static int drop_application(void **state)
{
	json_decref(json);
	json = NULL;
	application_free(app);
	return 0;
}

static const struct answer_value *value_of(const struct answer_choice *c, const char *column)
{
	return &c->value[application_column(app, column)];
}

static const char whole[] =
	"{\"id\": \"0123456789abcdef\", \"feasible\": true,"
	" \"request\": {\"app\": \"code\", \"machine\": \"m\", \"problem\": {\"n\": 100},"
	"   \"workload\": {}, \"assumed\": [], \"fixed\": {\"block\": 8}, \"deadline_s\": 60,"
	"   \"confidence\": 0.9, \"objective\": \"node-hours\", \"max_nodes\": null},"
	" \"recommendation\": {\"nodes\": 2, \"block\": 8, \"solver\": \"cg\", \"predicted_s\": 50.5,"
	"   \"lo_s\": 45, \"hi_s\": 55, \"p_meet\": 0.97, \"node_hours\": 0.02,"
	"   \"support\": \"inside\", \"warning\": {\"kind\": \"at risk\", \"run_id\": 7}},"
	" \"alternatives\": [{\"nodes\": 1, \"block\": 4, \"solver\": null, \"predicted_s\": 70,"
	"   \"why\": \"fewer nodes\"}], \"frontier\": [],"
	" \"machines\": [{\"machine\": \"m\", \"feasible\": true, \"predicted_s\": 50.5},"
	"   {\"machine\": \"gone\", \"feasible\": null, \"reason\": \"not mined\"}],"
	" \"evidence\": {\"model\": \"gp\", \"stale\": true, \"breakdown\": null,"
	"   \"rules\": [{\"id\": \"a\", \"verdict\": \"for\", \"state\": \"open\", \"text\": \"if\"}],"
	"   \"rule_choice\": {\"configurations\": 3, \"within\": 0.02, \"because\": [\"a\", \"b\"],"
	"     \"instead_of\": null},"
	"   \"runs\": [{\"run_id\": 9007199254740993, \"n\": 50, \"nodes\": 1, \"wall_s\": null,"
	"     \"repeats\": 2, \"status\": \"failed\"}],"
	"   \"search\": {\"legal\": 12, \"left_out\": {\"failed\": {\"configurations\": 1,"
	"     \"run_id\": 3}}}}}";

TEST_WITH(what_it_tells_is_there_and_what_it_does_not_is_none, make_application, drop_application)
{
	RELEASED(answer) a = {0};

	read_json(whole);
	must(answer_read(json, app, &a, &err));
	assert_string_equal(a.id, "0123456789abcdef");
	assert_true(a.feasible && a.best.given && !a.is_best_effort);
	check_rel(a.best.predicted_s, 50.5, 1e-15);
	check_rel(value_of(&a.best, "nodes")->number, 2.0, 1e-15);
	assert_string_equal(value_of(&a.best, "solver")->text, "cg");
	assert_false(answer_value_is_given(value_of(&a.best, "n"))); /* the problem is no choice */
	assert_true(a.best.warning.given && !a.best.warning.failed);
	assert_true(isnan(a.best.p_budget) && isnan(a.request.budget_node_hours));
	assert_null(a.request.by);
	assert_int_equal(a.request.objective, OBJECTIVE_NODE_HOURS);
	assert_int_equal(a.request.fixed.n, 1);
	assert_string_equal(a.request.fixed.item[0].name, "block");
	assert_int_equal(a.n_alternatives, 1);
	assert_string_equal(a.alternative[0].why, "fewer nodes");
	assert_false(answer_value_is_given(value_of(&a.alternative[0], "solver")));
	assert_false(a.alternative[0].warning.given);
	/* Asked for and empty is not the same as not asked for. */
	assert_true(a.has_frontier && a.n_points == 0 && !a.has_next && !a.decision.given);
	assert_int_equal(a.n_machines, 2);
	assert_true(a.machine[0].answered && a.machine[0].feasible && !a.machine[0].reason);
	assert_true(!a.machine[1].answered && isnan(a.machine[1].choice.predicted_s));
}

TEST_WITH(evidence_is_told_with_it, make_application, drop_application)
{
	RELEASED(answer) a = {0};
	const struct answer_evidence *v = &a.evidence;

	read_json(whole);
	must(answer_read(json, app, &a, &err));
	assert_true(v->stale && !v->has_breakdown && v->n_sources == 0);
	assert_string_equal(v->explanation, "");
	assert_int_equal(v->n_rules, 1);
	assert_string_equal(v->rule[0].verdict, "for");
	assert_int_equal(v->rule_choice.n_because, 2);
	assert_string_equal(v->rule_choice.because[1], "b");
	assert_false(v->rule_choice.instead_of.given);
	assert_false(v->robust_choice.given);
	assert_int_equal(v->n_near, 1);
	assert_true(v->near[0].run_id == INT64_C(9007199254740993)); /* no double holds it */
	assert_true(isnan(v->near[0].wall_s));
	assert_string_equal(v->near[0].status, "failed");
	assert_true(v->search.any_left_out && v->search.failed.given && !v->search.at_risk.given);
}

TEST_WITH(a_no_has_its_best_effort_and_a_prediction_is_the_best, make_application, drop_application)
{
	struct answer a = {0};

	read_json("{\"feasible\": false, \"recommendation\": null,"
		  " \"best_effort\": {\"predicted_s\": 9}, \"reason\": \"too late\"}");
	must(answer_read(json, app, &a, &err));
	assert_true(!a.feasible && a.best.given && a.is_best_effort);
	assert_string_equal(a.reason, "too late");
	answer_release(&a);
	json_decref(json);
	read_json("{\"prediction\": {\"predicted_s\": 9, \"nodes\": 4}}");
	must(answer_read(json, app, &a, &err));
	assert_true(a.best.given && !a.is_best_effort);
	check_rel(value_of(&a.best, "nodes")->number, 4.0, 1e-15);
	answer_release(&a);
}

/* As a damaged base, or one of a program to come, may have it. */
TEST_WITH(what_is_of_another_kind_is_none, make_application, drop_application)
{
	static const char *const odd[] = {
		"[]",
		"{\"recommendation\": 3, \"request\": [], \"evidence\": \"x\", \"next\": {}}",
		"{\"request\": {\"problem\": [1], \"fixed\": 2, \"objective\": \"beauty\"},"
		" \"alternatives\": [1, null], \"frontier\": 7, \"machines\": {\"a\": 1}}",
		"{\"evidence\": {\"rules\": [null], \"runs\": [[]], \"rule_choice\": [],"
		" \"search\": {\"left_out\": 1}}, \"decision\": 1, \"sensitivity\": [5]}",
	};

	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
		struct answer a = {0};

		read_json(odd[i]);
		must(answer_read(json, app, &a, &err));
		assert_false(a.best.given);
		assert_int_equal(a.request.objective, -1);
		assert_int_equal(a.request.problem.n, 0);
		for (size_t k = 0; k < a.n_alternatives; k++)
			assert_true(!a.alternative[k].given && isnan(a.alternative[k].predicted_s));
		answer_release(&a);
		json_decref(json);
		json = NULL;
	}
}

TEST(values_are_equal_as_numbers_words_or_nothing)
{
	const struct answer_value one = {.number = 1}, two = {.number = 2}, none = {.number = NAN},
				  x = {NAN, "x"}, y = {NAN, "y"};

	assert_true(answer_value_equal(&one, &one) && answer_value_equal(&none, &none));
	assert_true(answer_value_equal(&x, &x));
	assert_false(answer_value_equal(&one, &two) || answer_value_equal(&one, &none));
	assert_false(answer_value_equal(&x, &y) || answer_value_equal(&x, &none));
}

TEST_WITH(without_memory_there_is_no_answer, make_application, drop_application)
{
	RELEASED(answer) a = {0};

	read_json(whole);
	failing_each_allocation (answer_read(json, app, &a, &err), &err)
		assert_null(a.json);
	assert_true(a.best.given);
}
