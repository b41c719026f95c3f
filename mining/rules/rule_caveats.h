#ifndef MINING_RULE_CAVEATS_H
#define MINING_RULE_CAVEATS_H
#include "base/err.h"
#include "domain/rule.h"
#include "mining/cases/slowdown_table.h"

/* Give rules whose condition or formula names a column that moves together with another one the
 * sentence that says so: what the rule puts down to one may be the doing of the other. Errors:
 * NOMEM, PARSE. */
enum err_code rule_caveats_add(const struct slowdown_table *t, struct rule_list *rules,
			       struct err *e);

#endif
