#ifndef CLI_ADVICE_LIMITS_H
#define CLI_ADVICE_LIMITS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "api/advice_question.h"
#include "cli/frame/options.h"

/* What a recommendation has to keep to: a deadline, by duration or by the clock, a budget, and how
 * sure it must be. */

extern const struct option_spec opt_by, opt_budget, opt_objective;

/* Sets deadline_s, budget_node_hours, confidence, objective, max_nodes and frontier. A budget alone
 * asks for the fastest within it, a frontier alone for the fastest. Errors: USAGE. */
enum err_code advice_limits_read(const struct options *o, struct advice_request *r,
				 struct clock_deadline *by, struct err *e);

#endif
