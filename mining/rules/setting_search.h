#ifndef MINING_SETTING_SEARCH_H
#define MINING_SETTING_SEARCH_H
#include "base/err.h"
#include "mining/cases/conjunction.h"
#include "mining/rules/single_conditions.h"

/* The setting of a few conditions that saves most over some cases; out->n == 0: none saves enough.
 * A case that cannot have a setting saves nothing by it. Errors: NOMEM. */
enum err_code setting_search(const struct single_conditions *q, struct conjunction *out,
			     struct err *e);
/* What the best setting of one condition can be trusted to save, costs taken off; -INFINITY: there
 * is no setting. */
double setting_search_single(const struct single_conditions *q);

#endif
