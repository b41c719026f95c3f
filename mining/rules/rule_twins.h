#ifndef MINING_RULE_TWINS_H
#define MINING_RULE_TWINS_H
#include "base/err.h"
#include "domain/rule.h"
#include "mining/cases/slowdown_table.h"

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

#endif
