#ifndef RECOMMEND_DECIDE_H
#define RECOMMEND_DECIDE_H
#include <stddef.h>
#include "mining/evaluate/baselines.h"
#include "recommend/evaluate/measured_problems.h"
#include "recommend/search/rank.h"

/* The decision of recommend among configurations that were measured, and what came of it. */
struct decision_case {
	const struct measured_problems *problems;
	size_t problem;
	const unsigned char *barred; /* by configuration: 1 may not be chosen; NULL: all may */
	const unsigned char *seen;   /* by configuration: 1 was measured; NULL: none was */
	double deadline_s;	     /* NaN: none */
	double confidence;	     /* feasible means p_meet >= confidence */
};

/* The configuration that ranks first by the criterion (rank.h); SIZE_MAX when the criterion wants a
 * feasible one and there is none. */
size_t decide(const struct decision_case *q, const struct baseline *f, enum criterion c);

/* The best by the truth, the median of the repeats: the cheapest in time, or the fastest where
 * there is no deadline. SIZE_MAX: none is in time. */
size_t decide_in_hindsight(const struct decision_case *q);

/* Median time of a configuration [s], and the node-hours of that. */
double decision_time_s(const struct decision_case *q, size_t config);
double decision_node_hours(const struct decision_case *q, size_t config);
/* The share of its runs that were in time. */
double decision_hit(const struct decision_case *q, size_t config);

#endif
