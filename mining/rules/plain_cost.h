#ifndef MINING_PLAIN_COST_H
#define MINING_PLAIN_COST_H
#include "base/err.h"
#include "domain/rule.h"
#include "mining/cases/conjunction.h"
#include "mining/cases/slowdown_table.h"

/* What the parts of a choice rule cost by themselves, all else equal: struct rule_cost. A
 * configuration of a case for which the rule holds is compared with those of the same case for
 * which one part of the condition does not hold, but all others do, and whose choices agree but in
 * the columns that this part is about (exact matching: Rosenbaum, "Observational Studies", 2nd ed.
 * 2002, chapter 3). However unevenly other choices are spread over both sides, they cannot pass for
 * the cost of this one. Columns that move with those of the part in all runs cannot be kept equal,
 * and are not.
 *
 * A set is configurations that agree so; its log ratio is the difference of their mean log times,
 * weighted by n_in n_out / (n_in + n_out) within a problem. Over problems it is a mean with
 * Student's t interval. Bounds are rounded outwards to four digits: no clock tells more. */

/* Append to r->cost what runs tell of each part of `what` that is about a choice. Parts for which
 * configurations of fewer than three problems differ in nothing else are left out: an accident of
 * one run would be its cost. Errors: NOMEM. */
enum err_code plain_costs_add(const struct slowdown_table *t, const struct conjunction *what,
			      struct rule *r, struct err *e);

#endif
