#ifndef MINING_EFFECTS_CONTRAST_H
#define MINING_EFFECTS_CONTRAST_H
#include "base/err.h"
#include "mining/findings/effects_groups.h"
#include "mining/findings/effects_ranks.h"

/* How much slower the worst group of a column's values is than its best, compared within cases. */
struct group_contrast {
	size_t best, worst;    /* groups */
	double effect, lo, hi; /* time ratio; NaN: nothing was run side by side */
};

/* s: by log slow-down. The interval is of the mean over blocks (over configurations, where blocks
 * are no larger), and wide enough for every pair of groups at once (Bonferroni), as these two were
 * picked by what they show. Errors: NOMEM. */
enum err_code group_contrast(const struct rank_strata *s, size_t column,
			     const struct column_groups *g, struct group_contrast *out,
			     struct err *e);

#endif
