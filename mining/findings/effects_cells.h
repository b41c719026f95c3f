#ifndef MINING_EFFECTS_CELLS_H
#define MINING_EFFECTS_CELLS_H
#include "base/err.h"
#include "mining/findings/effects_groups.h"
#include "mining/findings/effects_ranks.h"

/* Log slow-down by the groups of two columns, a and b, in a table of cells. Does the effect of one
 * depend on the other? The null model is a constant per case, plus one per group of a, plus one per
 * group of b:
 *
 *	y = alpha(case) + beta(a) + gamma(b) + delta(a, b)
 *
 * share is the part of the variance within cases that delta has. The test takes blocks (problems)
 * as what is independent, since choices that differ from problem to problem look like anything that
 * tells the problems apart: if there is no delta, then the table of residual sums that a block adds
 * could as well have the opposite sign. */
enum { CELL_GROUPS = 4, CELLS = CELL_GROUPS * CELL_GROUPS };

struct cell_table {
	struct column_groups a, b;
	double weight[CELLS]; /* configurations in cell [a * CELL_GROUPS + b], weighted */
	double fitted[CELLS]; /* beta + gamma + delta; NaN: the cell is empty */
	double share;
	double p; /* not adjusted; 1 where nothing can be told */
};

/* s: by log slow-down. Errors: NOMEM. */
enum err_code cell_table_make(const struct rank_strata *s, size_t column_a, size_t column_b,
			      struct cell_table *out, struct err *e);

#endif
