#ifndef MINING_RULE_SUPPORT_H
#define MINING_RULE_SUPPORT_H
#include "base/err.h"
#include "domain/rule.h"
#include "mining/cases/slowdown_table.h"

/* What rules rest on, counted over all configurations after they were found: runs, sources,
 * machines, coverage, and which other rule shares most runs. */

/* holds[r * t->n + i]: the condition of rule r holds for configuration i. The caller frees. Errors:
 * NOMEM, PARSE, INTERRUPTED. */
enum err_code rule_support_mark(const struct slowdown_table *t, const struct rule_list *rules,
				const struct progress *p, unsigned char **holds, struct err *e);
/* Fill in n_runs, n_configurations, n_machines, n_source and coverage of every rule. Errors: NOMEM.
 */
enum err_code rule_support_count(const struct slowdown_table *t, const unsigned char *holds,
				 struct rule_list *rules, struct err *e);
/* Fill in overlaps and overlap of every rule, among those of its kind. */
void rule_support_overlaps(const struct slowdown_table *t, const unsigned char *holds,
			   struct rule_list *rules);

#endif
