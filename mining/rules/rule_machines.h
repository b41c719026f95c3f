#ifndef MINING_RULE_MACHINES_H
#define MINING_RULE_MACHINES_H
#include "base/err.h"
#include "domain/rule.h"
#include "mining/cases/slowdown_table.h"

/* Take out of the list what was found over all machines but does not hold on each of at least two
 * that have enough runs to say: a choice rule must be slower than the other choices of its cases
 * there, a setting faster. Time rules are of one machine. Errors: NOMEM, PARSE. */
enum err_code rule_machines_keep(const struct slowdown_table *t, struct rule_list *rules,
				 struct err *e);

#endif
