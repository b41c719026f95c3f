#include "tests/unit/recommend/made_rules.h"

/* Time rules, which the predictor follows, and what is said of them. */

/* "time = factor * (structural prediction)", followed all the way. */
static struct rule *add_time_rule(enum kb_rule_state state, const char *condition, double factor)
{
	struct rule *r = add_rule(RULE_TIME, state, condition, NULL);

	r->on_model = true;
	r->coefficient = r->min = r->max = factor;
	r->weight = 1;
	return r;
}

static double predicted_s(const char *fixed)
{
	struct prediction at;

	world_row(&world, row, "50x50x50", fixed);
	configuration_derive(world.app, row);
	predictor_predict(world.predictor, row, 1, &at);
	return at.time_s;
}

static int forget_time_rules(void **state)
{
	check_ok(rule_advice_lead(world.predictor, NULL, 0, NULL), &(struct err){0});
	return no_rules(state);
}

/* Where only the new rule holds the factor is 2, where the accepted one holds 3 (not the mean of
 * both), and elsewhere 1. */
TEST_WITH(other_time_rules_give_way_to_accepted_ones, NULL, forget_time_rules)
{
	static const char *const at[] = {"npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1",
					 "npe_i=2,npe_j=2,mk=5,mmi=3,nodes=1",
					 "npe_i=2,npe_j=2,mk=1,mmi=3,nodes=1"};
	static const double factor[] = {3, 2, 1};
	double before[3];

	for (int i = 0; i < 3; i++)
		before[i] = predicted_s(at[i]);
	add_time_rule(RULE_STATE_NEW, "mk >= 5", 2);
	add_time_rule(RULE_STATE_ACCEPTED, "mk >= 10", 3);
	add_time_rule(RULE_STATE_REFUSED, "", 50);
	must(rule_advice_lead(world.predictor, in_use, n_rules, &err));
	for (int i = 0; i < 3; i++)
		check_rel(predicted_s(at[i]), factor[i] * before[i], 1e-12);
}

TEST_WITH(an_accepted_time_rule_that_holds_always_leaves_nothing_to_others, NULL, forget_time_rules)
{
	double before = predicted_s("npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1");

	add_time_rule(RULE_STATE_NEW, "", 2);
	add_time_rule(RULE_STATE_ACCEPTED, "", 3);
	must(rule_advice_lead(world.predictor, in_use, n_rules, &err));
	check_rel(predicted_s("npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1"), 3 * before, 1e-12);
}

TEST_WITH(time_rules_that_were_followed_are_reported, NULL, forget_time_rules)
{
	struct rule *new_one = add_time_rule(RULE_STATE_NEW, "mk >= 5", 1.1);
	struct rule *accepted = add_time_rule(RULE_STATE_ACCEPTED, "mk >= 10", 1.2);
	struct advice_request q;
	struct advice *a;

	must(rule_advice_lead(world.predictor, in_use, n_rules, &err));
	q = request("50x50x50", "npe_i=2,npe_j=2,mk=10,mmi=3", NAN);
	a = world_find(&q);
	assert_int_equal(a->rules.n, 1);
	assert_ptr_equal(a->rules.verdict[0].of->rule, accepted);
	assert_int_equal(a->rules.verdict[0].says, RULE_USED);
	assert_int_equal(a->rules.n_preferences, 1);
	assert_ptr_equal(a->rules.preference[0].accepted, accepted);
	assert_ptr_equal(a->rules.preference[0].to, new_one);
	assert_int_equal(a->rule_choice.n_tied, 0); /* they decide no ties */
	advice_free(a);
	q = request("50x50x50", "npe_i=2,npe_j=2,mk=5,mmi=3", NAN);
	a = world_find(&q);
	assert_int_equal(a->rules.n, 1);
	assert_ptr_equal(a->rules.verdict[0].of->rule, new_one);
	advice_free(a);
}

/* 500 cells a side were never run: the prediction is an extrapolation, which follows no rule. */
TEST_WITH(time_rules_are_not_reported_where_predictions_extrapolate, NULL, forget_time_rules)
{
	struct advice_request q;
	FREED(advice) *a;

	add_time_rule(RULE_STATE_ACCEPTED, "", 1.5);
	must(rule_advice_lead(world.predictor, in_use, n_rules, &err));
	q = request("500x500x500", "npe_i=16,npe_j=16,mk=10,mmi=3", NAN);
	a = world_find(&q);
	assert_int_equal(a->best.prediction.support, SUPPORT_OUTSIDE);
	assert_int_equal(a->rules.n, 0);
}

TEST(what_a_rule_does_has_a_name)
{
	assert_string_equal(rule_says_name(RULE_AGAINST), "against");
	assert_string_equal(rule_says_name(RULE_FOR), "for");
	assert_string_equal(rule_says_name(RULE_USED), "used");
}

TEST(a_rule_about_unknown_columns_is_an_error)
{
	struct rule r = {.kind = RULE_CHOICE, .condition = (char *)"colour = 3"};
	const struct active_rule unknown = {&r, RULE_STATE_NEW};
	struct rule_advice *a = NULL;

	must_fail(rule_advice_new(world.app, &unknown, 1, &a, &err), ERR_PARSE, "colour");
	assert_null(a);
}

TEST_GROUP(world_set_up, world_tear_down)
