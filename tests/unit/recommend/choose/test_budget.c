#include "tests/unit/recommend/shared_world.h"

/* A budget of node-hours, alone and together with a deadline. */

static const char problem[] = "100x100x100";
static double row[WORLD_COLUMNS];

static struct advice *ask(const char *fixed, double deadline_s, double budget)
{
	struct advice_request q;
	struct advice *a = NULL;

	world_row(&world, row, problem, fixed);
	q = world_request(&world, row, deadline_s);
	q.budget_node_hours = budget;
	must(advice_find(&q, &a, &err));
	return a;
}

static double nodes_of(const struct choice *c)
{
	return world_get(&world, c->row, "nodes");
}

static void check_says(const struct advice *a, const char *what)
{
	if (!a->reason || !strstr(a->reason, what)) {
		print_error("\"%s\" does not say \"%s\"\n", a->reason ? a->reason : "", what);
		fail();
	}
}

/* What the limits of the tests are taken from: the least of each that can be had. */
static double soonest_s(void)
{
	FREED(advice) *a = ask(NULL, 1e-3, 0);
	double s = a->feasible_deadline_s;

	assert_false(a->feasible);
	return s;
}

static double least_budget(double deadline_s)
{
	FREED(advice) *a = ask(NULL, deadline_s, 1e-9);
	double node_hours = a->feasible_budget_node_hours;

	assert_false(a->feasible);
	return node_hours;
}

TEST(the_fastest_within_a_budget_is_slower_and_stays_within_it)
{
	FREED(advice) *free = ask(NULL, NAN, 0);
	/* between what the fastest takes and the least that can be promised */
	double fastest_nh = free->best.node_hours, budget = (fastest_nh + least_budget(NAN)) / 2;
	FREED(advice) *bound = ask(NULL, NAN, budget);
	const struct choice *best = &bound->best;

	assert_true(bound->feasible);
	assert_true(isnan(free->best.p_budget));
	assert_true(best->prediction.time_s > free->best.prediction.time_s);
	assert_true(best->node_hours < budget);
	/* Nodes times time within the budget: time within budget * 3600 / nodes. */
	check_rel(best->p_budget,
		  prediction_p_meet(world.predictor, &best->prediction,
				    budget * 3600 / nodes_of(best)),
		  1e-12);
	assert_true(best->p_budget >= 0.9);
	for (size_t i = 0; i < bound->n_alternative; i++) {
		if (strcmp(bound->alternative[i].why, "neighbour") != 0)
			assert_true(bound->alternative[i].p_budget >= 0.9);
	}
}

TEST(more_confidence_asks_for_more_budget)
{
	struct advice_request q;
	FREED(advice) *a = NULL, *b = NULL;

	world_row(&world, row, problem, NULL);
	q = world_request(&world, row, NAN);
	q.budget_node_hours = 1e-9;
	must(advice_find(&q, &a, &err));
	q.confidence = 0.99;
	must(advice_find(&q, &b, &err));
	assert_true(b->feasible_budget_node_hours > a->feasible_budget_node_hours);
	/* The median is not what a budget has to last for. */
	assert_true(a->feasible_budget_node_hours > a->best.node_hours);
}

TEST(a_budget_too_small_names_the_one_that_would_do)
{
	double deadline_s = 3 * soonest_s(), least = least_budget(deadline_s);
	FREED(advice) *no = ask(NULL, deadline_s, 0.999 * least);
	FREED(advice) *yes = ask(NULL, deadline_s, least);

	assert_false(no->feasible);
	check_rel(no->feasible_budget_node_hours, least, 1e-12);
	assert_true(yes->feasible);
	assert_true(isnan(yes->feasible_budget_node_hours));
	assert_true(yes->best.p_meet >= 0.9 && yes->best.p_budget >= 0.9);
}

TEST(limits_that_can_be_kept_only_one_at_a_time_are_both_named)
{
	/* In time for that, but not for the least node-hours of all. */
	double deadline_s = 1.5 * soonest_s(), of_all = least_budget(NAN);
	double budget = (of_all + least_budget(deadline_s)) / 2;
	FREED(advice) *a = ask(NULL, deadline_s, budget);
	FREED(advice) *later, *richer;

	assert_true(budget > of_all);
	assert_false(a->feasible);
	check_says(a, "within the budget ");
	check_says(a, " is the shortest that one meets, and to be in time ");
	/* The best effort keeps the budget; each limit offered is one that does. */
	assert_true(a->best.p_budget >= 0.9 && a->best.p_meet < 0.9);
	later = ask(NULL, a->feasible_deadline_s, budget);
	richer = ask(NULL, deadline_s, a->feasible_budget_node_hours);
	assert_true(later->feasible && richer->feasible);
}

TEST(a_deadline_that_no_budget_helps_says_so)
{
	FREED(advice) *a = ask(NULL, 1e-3, 1e6);

	assert_false(a->feasible);
	check_says(a, " meets 1.00 ms with a confidence of 0.9, on any budget: ");
	check_says(a, " is the shortest that one does within 1000000 node-hours");
	assert_true(isnan(a->feasible_budget_node_hours));
	check_rel(a->feasible_deadline_s, soonest_s(), 1e-12);
}

TEST(a_budget_that_nothing_stays_within_says_what_is_least)
{
	FREED(advice) *a = ask(NULL, NAN, 1e-9);
	FREED(advice) *only = ask("npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1", NAN, 1e-9);

	check_says(a, " stays within 1e-09 node-hours with a confidence of 0.9: ");
	check_says(a, " node-hours are the least that one does");
	assert_true(isnan(a->feasible_deadline_s));
	check_says(only, "does not stay within 1e-09 node-hours");
	check_says(only, " node-hours are the least that it does");
}

TEST(two_limits_that_fail_by_themselves_are_told_apart)
{
	FREED(advice) *a = ask(NULL, 1e-3, 1e-9);
	FREED(advice) *only = ask("npe_i=2,npe_j=2,mk=10,mmi=3,nodes=1", 1e-3, 1e-9);

	check_says(a, " meets 1.00 ms or stays within 1e-09 node-hours ");
	check_says(a, ", each by itself, are the least that one does");
	assert_true(isnan(a->feasible_deadline_s) && isnan(a->feasible_budget_node_hours));
	check_says(only, " neither meets 1.00 ms nor stays within 1e-09 node-hours ");
}

TEST(a_budget_below_zero_is_refused)
{
	struct advice_request q;
	struct advice *a = NULL;

	world_row(&world, row, problem, NULL);
	q = world_request(&world, row, NAN);
	q.budget_node_hours = -1;
	must_say(advice_find(&q, &a, &err), ERR_ARG, "a budget of -1 node-hours is not above 0");
}

TEST_GROUP(world_set_up, world_tear_down)
