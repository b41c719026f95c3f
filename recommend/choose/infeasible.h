#ifndef RECOMMEND_INFEASIBLE_H
#define RECOMMEND_INFEASIBLE_H
#include "recommend/space/recommend.h"
#include "recommend/search/search.h"

/* When nothing keeps the limits of a request: which limit it is, what is next best, and what could
 * be had instead. */

/* The best effort: what is done soonest within the budget; if nothing stays within it, what needs
 * the least budget, in time if anything is. */
enum criterion infeasible_best_effort(const struct search *s);

/* What would be feasible in place of the one limit while the other one stays; NaN: nothing would
 * (the other is not kept, or no promise is as sure as the request asks for), or that limit was not
 * given. */
double infeasible_deadline_s(const struct search *s);
double infeasible_budget(const struct search *s); /* [node-hours] */

/* Set a->reason from the rest of *a. Errors: NOMEM. */
enum err_code infeasible_reason(const struct search *s, struct advice *a, struct err *e);

#endif
