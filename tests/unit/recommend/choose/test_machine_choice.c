#include "tests/support/check.h"

#include "recommend/choose/alternatives.h"

static struct machine_outcome yes(double time_s, double node_hours)
{
	return (struct machine_outcome){.feasible = true,
					.time_s = time_s,
					.node_hours = node_hours,
					.feasible_deadline_s = time_s,
					.feasible_budget_node_hours = NAN};
}

static struct machine_outcome no(double time_s, double deadline_s, double budget)
{
	return (struct machine_outcome){.time_s = time_s,
					.node_hours = 1,
					.feasible_deadline_s = deadline_s,
					.feasible_budget_node_hours = budget};
}

static void check_first(enum objective o, struct machine_outcome a, struct machine_outcome b)
{
	assert_true(machine_outcome_compare(o, &a, &b) < 0);
	assert_true(machine_outcome_compare(o, &b, &a) > 0);
	assert_int_equal(machine_outcome_compare(o, &a, &a), 0);
}

TEST(a_machine_that_can_goes_before_one_that_cannot)
{
	check_first(OBJECTIVE_TIME, yes(100, 100), no(1, 1, 1));
	check_first(OBJECTIVE_NODES, yes(100, 100), no(1, 1, 1));
}

TEST(time_decides_where_it_is_the_objective)
{
	check_first(OBJECTIVE_TIME, yes(10, 5), yes(20, 1));
	check_first(OBJECTIVE_TIME, yes(10, 1), yes(10, 5));
}

TEST(node_hours_decide_for_nodes_as_well)
{
	check_first(OBJECTIVE_NODE_HOURS, yes(20, 1), yes(10, 5));
	check_first(OBJECTIVE_NODES, yes(20, 1), yes(10, 5));
	check_first(OBJECTIVE_NODES, yes(10, 1), yes(20, 1));
}

TEST(of_those_that_cannot_the_nearest_goes_first)
{
	check_first(OBJECTIVE_NODES, no(9, 20, NAN), no(1, 30, NAN));
	check_first(OBJECTIVE_NODES, no(9, 20, NAN), no(1, NAN, 3)); /* it keeps the budget */
	check_first(OBJECTIVE_NODES, no(9, NAN, 2), no(1, NAN, 3));
	check_first(OBJECTIVE_NODES, no(9, NAN, 2), no(1, NAN, NAN));
	check_first(OBJECTIVE_NODES, no(1, NAN, NAN), no(9, NAN, NAN));
	check_first(OBJECTIVE_NODES, no(9, NAN, NAN), no(NAN, NAN, NAN)); /* nothing fits */
}

TEST(an_answer_without_a_configuration_has_no_time)
{
	struct advice nothing = {.feasible_deadline_s = NAN, .feasible_budget_node_hours = NAN};
	struct machine_outcome o = machine_outcome_of(&nothing);

	assert_true(!o.feasible && isnan(o.time_s) && isnan(o.node_hours));
}
