#ifndef MINING_SETTING_SEARCH_H
#define MINING_SETTING_SEARCH_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/cases/conjunction.h"
#include "mining/rules/setting_cases.h"

/* Every setting of one condition on every one of some cases: what the configurations of the case
 * that have it take on average less than all its configurations [log time]. Blocks weigh equally,
 * and cases within a block, however many runs they have: an auto-tuner's log has most of its runs
 * where runs are fast. */

enum { SETTING_MAX_RANGES = SETTING_GROUPS * (SETTING_GROUPS + 1) / 2 };

/* Groups lo..hi of a choice (index into setting_cases.choice). */
struct single_condition {
	size_t choice, lo, hi;
};

struct single_conditions {
	const struct setting_cases *s; /* borrowed, as is which[] */
	const uint32_t *which;	       /* cases */
	size_t n;
	double *weight;		      /* n; they add up to 1 */
	struct choice_groups *groups; /* by choice */
	struct single_condition *item;
	size_t n_items;
	size_t *first; /* n_choices + 1: of choice k are first[k] .. first[k + 1] - 1 */
	/* [i * n_items + j]: on case i its weight times what setting j saves there; 0 and not
	 * there when no configuration has it. */
	float *saved;
	unsigned char *there;
};

/* which[0..n-1]: cases of s. Errors: NOMEM. */
enum err_code single_conditions_make(const struct setting_cases *s, const uint32_t *which, size_t n,
				     struct single_conditions *out, struct err *e);
void single_conditions_release(struct single_conditions *q);

/* What a condition on a choice has to save to be worth its place in a rule [log time]. */
double single_conditions_cost(const struct single_conditions *q, size_t choice);

/* The setting of a few conditions that saves most over some cases; out->n == 0: none saves enough.
 * A case that cannot have a setting saves nothing by it. Errors: NOMEM. */
enum err_code setting_search(const struct single_conditions *q, struct conjunction *out,
			     struct err *e);
/* What the best setting of one condition can be trusted to save, costs taken off; -INFINITY: there
 * is no setting. */
double setting_search_single(const struct single_conditions *q);

#endif
