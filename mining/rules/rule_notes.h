#ifndef MINING_RULE_NOTES_H
#define MINING_RULE_NOTES_H
#include "base/err.h"
#include "domain/rule.h"
#include "mining/cases/slowdown_table.h"

/* What is said beside rules after they were found: what they rest on, counted over all
 * configurations (runs, sources, machines, coverage, which other rule shares most runs), columns
 * that move together, twins, and what rules of one machine say of general ones. */

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

/* Give rules whose condition or formula names a column that moves together with another one the
 * sentence that says so: what the rule puts down to one may be the doing of the other. Errors:
 * NOMEM, PARSE. */
enum err_code rule_caveats_add(const struct slowdown_table *t, struct rule_list *rules,
			       struct err *e);

/* Choice and setting rules that say nearly the same of nearly the same runs: the more useful one
 * stands for both, the other is its twin (rule.twin_of). Nearly the same runs: those that both
 * cover are at least RULE_SAME_RUNS of those that either does, or RULE_TOLD_APART where the rules
 * are not about the same columns: only then can runs not tell whose doing it is. A setting covers
 * the runs that follow it. Nearly the same: their effects differ by less than RULE_SAME_EFFECT,
 * what counts as near the best elsewhere (RULE_NEAR_BEST), or by no more than chance: 0 lies in the
 * 90 % interval of the difference of log effects, whose half width is the root of the sum of
 * squares of both. (Two rules were found on different halves of the problems, or speak of other
 * runs: their errors count as independent.) */
#define RULE_SAME_RUNS 0.6
#define RULE_TOLD_APART 0.95
#define RULE_SAME_EFFECT 0.05

/* rules: most useful first, with ids. holds[r * t->n + i] of their conditions. Errors: NOMEM,
 * PARSE.
 */
enum err_code rule_twins_mark(const struct slowdown_table *t, const unsigned char *holds,
			      struct rule_list *rules, struct err *e);

/* Note in every rule of `general` (found over all machines) which rules of one machine, `own`, say
 * the same there: of the same kind, and holding for mostly the same runs of that machine. runs: of
 * all machines. Errors: NOMEM, PARSE. */
enum err_code rule_covers_find(const struct dataset *runs, int64_t machine_id,
			       const struct rule_list *own, struct rule_list *general,
			       struct err *e);

#endif
