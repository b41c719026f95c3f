#ifndef RECOMMEND_ALTERNATIVES_H
#define RECOMMEND_ALTERNATIVES_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "recommend/search/search.h"
#include "recommend/space/recommend.h"

/* What stands beside the best configuration that a search found: every legal configuration on the
 * same nodes and processors, itself among them, and which of them are tied with it. What decides
 * where predictions end (rules, robustness) and what tells how firm the choice is look among these.
 *
 * Tied: predicted to take no longer than half the central 50 % interval of the best allows (the
 * doubt that held-out residuals leave; at least 1 %, at most 10 %), keeping every limit that it
 * keeps, and no worse supported. */
struct same_resource_set {
	size_t n, cap, n_columns;
	double *row;	       /* n * n_columns */
	struct prediction *at; /* n */
	bool *tied;	       /* n */
	double within;	       /* a tied one takes longer by no more than this share */
	size_t i_best; /* the best itself; SIZE_MAX: beyond the limit of what is looked at */
};

/* best: a winner of the search. Errors: NOMEM, INTERRUPTED, ARG. */
enum err_code same_resource_set_list(const struct search *s, const struct winner *best,
				     struct same_resource_set *out, struct err *e);
void same_resource_set_release(struct same_resource_set *p);

const double *same_resource_set_row(const struct same_resource_set *p, size_t i);
/* SIZE_MAX: none of them. */
size_t same_resource_set_index(const struct same_resource_set *p, const double *row);
size_t same_resource_set_count_tied(const struct same_resource_set *p);

/* Make one of them the winner by criterion c. */
void same_resource_set_choose(const struct search *s, const struct same_resource_set *p, size_t i,
			      enum criterion c, struct winner *w);

/* Make a choice of a configuration. row[n_columns] is copied. Errors: NOMEM. */
enum err_code choice_make(const struct advice_request *q, const double *row,
			  const struct feasibility *o, const struct prediction *at, const char *why,
			  struct choice *out, struct err *e);

/* Fill advice->alternative: the winners by other criteria and the neighbours of advice->best, which
 * was made of `best`; each configuration once. Errors: NOMEM. */
enum err_code alternatives_find(const struct search *s, const struct winner *best, struct advice *a,
				struct err *e);

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
