#ifndef MINING_EFFECTS_RANKS_H
#define MINING_EFFECTS_RANKS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/numerics/rank_tests.h"
#include "mining/cases/slowdown_table.h"

/* Rank correlations of columns with a value, within strata, where not every configuration speaks
 * for itself: those of one block (a problem) agree with each other for reasons of their own, so
 * intervals and tests count blocks.
 *
 * Within a stratum both sides are ranked, ties at their mean, and the ranks centred and divided by
 * the size of the stratum: every configuration then weighs about the same. rho is the sum of their
 * products over the root of the product of their sums of squares, Spearman's where there is one
 * stratum. */
struct rank_strata {
	const struct slowdown_table *t; /* borrowed */
	size_t n;			/* items: the configurations that have a value */
	size_t n_strata;
	uint32_t *start;  /* n_strata + 1: the items of a stratum */
	uint32_t *config; /* of item k: its index in t */
	uint32_t *block;  /* of item k, 0..n_blocks-1; only blocks that have items count */
	size_t n_blocks;
	double *value;	/* of item k */
	double *rank;	/* of item k within its stratum, centred, from -1/2 to 1/2 */
	double *weight; /* of an item of a stratum */
};

/* All configurations by log time; or, by case, those of cases with three that can be compared by
 * log slow-down. Of such a case the weight of an item is at most what makes the case weigh as much
 * as CASE_CAP configurations: an auto-tuner's favourite does not speak for all. */
enum err_code rank_strata_of_time(const struct slowdown_table *t, struct rank_strata *out,
				  struct err *e);
enum err_code rank_strata_of_slowdown(const struct slowdown_table *t, struct rank_strata *out,
				      struct err *e);
void rank_strata_release(struct rank_strata *s);

/* Of the column's values (as bins); all NaN if it varies within no stratum. Errors: NOMEM. */
enum err_code rank_strata_correlate(const struct rank_strata *s, size_t column,
				    struct rank_correlation *out, struct err *e);

#endif
