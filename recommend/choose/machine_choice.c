#include "recommend/choose/machine_choice.h"

#include <math.h>

/* Hours of what is kept with the confidence, as in rank.c. */
static double promised_node_hours(const struct choice *c)
{
	return isfinite(c->promise_s) ? c->node_hours * (c->promise_s / c->prediction.time_s)
				      : c->node_hours;
}

struct machine_outcome machine_outcome_of(const struct advice *a)
{
	bool any = a->best.row != NULL;

	return (struct machine_outcome){
		.feasible = a->feasible,
		.support = any ? a->best.prediction.support : SUPPORT_OUTSIDE,
		.time_s = any ? a->best.prediction.time_s : (double)NAN,
		.node_hours = any ? promised_node_hours(&a->best) : (double)NAN,
		.feasible_deadline_s = a->feasible_deadline_s,
		.feasible_budget_node_hours = a->feasible_budget_node_hours,
	};
}

/* The smaller first; what is not there comes last. */
static int compare(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

static int first_that_differs(int first, int second, int third)
{
	if (first)
		return first;
	return second ? second : third;
}

static int compare_infeasible(const struct machine_outcome *a, const struct machine_outcome *b)
{
	return first_that_differs(
		compare(a->feasible_deadline_s, b->feasible_deadline_s),
		compare(a->feasible_budget_node_hours, b->feasible_budget_node_hours),
		compare(a->time_s, b->time_s));
}

int machine_outcome_compare(enum objective o, const struct machine_outcome *a,
			    const struct machine_outcome *b)
{
	int by_time = compare(a->time_s, b->time_s);
	int by_node_hours = compare(a->node_hours, b->node_hours);

	if (a->feasible != b->feasible)
		return a->feasible ? -1 : 1;
	if (!a->feasible)
		return compare_infeasible(a, b);
	if (a->support != b->support)
		return a->support < b->support ? -1 : 1;
	return o == OBJECTIVE_TIME ? first_that_differs(by_time, by_node_hours, 0)
				   : first_that_differs(by_node_hours, by_time, 0);
}
