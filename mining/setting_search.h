#ifndef MINING_SETTING_SEARCH_H
#define MINING_SETTING_SEARCH_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/conjunction.h"
#include "mining/setting_cases.h"
#include "mining/setting_groups.h"

/* The setting that saves most over some cases: what the configurations of a case that have it take
 * on average less than all its configurations [log time]. A case without such a configuration saves
 * nothing. Blocks weigh equally, and cases within a block, however many runs they have: an
 * auto-tuner's log has most of its runs where runs are fast. */

/* Groups lo..hi of a choice (index into setting_cases.choice). */
struct setting_part {
	size_t choice, lo, hi;
};

struct setting_search {
	const struct setting_cases *s; /* borrowed, as is which[] */
	const uint32_t *which;	       /* cases */
	size_t n;
	double *weight;		      /* n; they add up to 1 */
	struct choice_groups *groups; /* by choice */
	/* Every setting of one condition: those of choice k from first_single[k] on. */
	size_t *first_single; /* n_choices + 1 */
	struct setting_part *single;
	size_t n_singles;
	float *saved; /* on case i times its weight, [i * n_singles + k] */
};

/* which[0..n-1]: cases of s, n > 0. Errors: NOMEM. */
enum err_code setting_search_open(const struct setting_cases *s, const uint32_t *which, size_t n,
				  struct setting_search *out, struct err *e);
void setting_search_release(struct setting_search *q);
/* out->n == 0: no setting saves enough. Errors: NOMEM. */
enum err_code setting_search_best(const struct setting_search *q, struct conjunction *out,
				  struct err *e);

/* What a condition on a choice has to save to be worth its place in a rule. */
double setting_part_cost(const struct setting_cases *s, size_t choice);

#endif
