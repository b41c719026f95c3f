#ifndef RECOMMEND_MACHINE_CHOICE_H
#define RECOMMEND_MACHINE_CHOICE_H
#include "recommend/space/recommend.h"

/* The same request put to several machines: which answer is best. */

/* What machines are compared by: the best of each, feasible or not. */
struct machine_outcome {
	bool feasible;
	enum support support;
	double time_s;	   /* of the recommendation or best effort; NaN: there is none */
	double node_hours; /* promised; expected where no promise is so sure; NaN: there is none */
	double feasible_deadline_s, feasible_budget_node_hours;
};
struct machine_outcome machine_outcome_of(const struct advice *a);

/* < 0: a is better. Feasible before infeasible. Feasible ones by support (an extrapolated answer is
 * none while another machine has runs around its own), then by time where that is the objective.
 * By node-hours for the objectives node-hours and nodes: a node of one machine is not a node of the
 * other, so their numbers say nothing, but a stronger node is taken for a shorter time. (A
 * node-hour of one machine may cost more than one of the other: prices are not known here.)
 * Infeasible ones by the shortest deadline that could be met, then by the least budget that would
 * do. */
int machine_outcome_compare(enum objective o, const struct machine_outcome *a,
			    const struct machine_outcome *b);

#endif
