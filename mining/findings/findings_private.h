#ifndef MINING_FINDINGS_PRIVATE_H
#define MINING_FINDINGS_PRIVATE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "domain/findings.h"
#include "mining/cases/slowdown_table.h"
#include "mining/numerics/rank_tests.h"

/* What the files of this room share with each other, and with their tests. */

/* ---- effects ---- */

/* The values of a column merged to a few groups with many configurations each, as people compare
 * them: "mk 1..2", "mk 5", "mk 10..20". */
enum { GROUPS_MAX = 6, GROUP_NONE = 255 };

struct column_groups {
	size_t n;
	bool ordered;
	bool has_rest; /* text: the last group is of all levels too rare for one of their own */
	unsigned char of_code[256];		      /* GROUP_NONE: missing, or not seen */
	unsigned char lo[GROUPS_MAX], hi[GROUPS_MAX]; /* codes of a group; of the rest: one */
};

/* At most `most` groups (<= GROUPS_MAX), by the configurations of the table. Adjacent values of an
 * ordered column go together; of a text column the frequent levels are groups of their own. */
void column_groups_make(const struct slowdown_table *t, size_t column, size_t most,
			struct column_groups *out);

/* "mk 5..10", "layout DGZ", "layout other". */
void column_groups_put(const struct slowdown_table *t, size_t column, const struct column_groups *g,
		       size_t group, struct strbuf *out);
/* The groups from..to: "procs <= 4", "procs >= 64", "procs 8..32", "procs 16". from < to only if
 * ordered. */
void column_groups_put_where(const struct slowdown_table *t, size_t column,
			     const struct column_groups *g, size_t from, size_t to,
			     struct strbuf *out);
/* The values alone: "5..10". */
void column_groups_put_values(const struct slowdown_table *t, size_t column,
			      const struct column_groups *g, size_t group, struct strbuf *out);

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

/* Fill out->interaction. strength[t->n_columns]: how much each column matters by itself, >= 0;
 * where there are many pairs, those of strong columns are looked at. Errors: NOMEM, INTERRUPTED. */
enum err_code find_interactions(const struct slowdown_table *t, const double *strength,
				const struct progress *p, struct findings *out, struct err *e);

/* ---- ranking ---- */

/* How long each choice took in each case. A choice is one combination of the values of some
 * columns; where a case tried it in several ways (shapes of the grid), its time is their median. */

struct cell_mean {
	uint32_t stratum, choice;
	double log_time; /* [log s] */
};

struct cell_means {
	size_t n;
	struct cell_mean *cell; /* by stratum, then choice */
	size_t n_choices;
	uint32_t *choice_run; /* a run of that choice */
};

/* Configurations without a slow-down (nothing to compare with, or an absurd time) and those that
 * miss one of the columns are left out. Errors: NOMEM. */
enum err_code cell_means_make(const struct slowdown_table *t, const size_t *column,
			      size_t n_columns, struct cell_means *out, struct err *e);
void cell_means_release(struct cell_means *c);

/* Choices that were run together in the same cases, as runs are no complete design: the pair with
 * most cases in common, then always the choice that leaves most of them, and of several the
 * fastest, until fewer are left than half of those of the pair or than COMMON_MIN_CASES. */
enum { COMMON_MIN_CASES = 5, COMMON_MAX_CHOICES = 12 };

struct complete_block {
	size_t n; /* 0: no two choices have enough cases in common; else 2.. */
	uint32_t choice[COMMON_MAX_CHOICES];
	size_t n_cases;
	double *log_time; /* n_cases * n */
};

/* n_strata: cases are numbered 0..n_strata-1. Errors: NOMEM. */
enum err_code complete_block_find(const struct cell_means *cells, size_t n_strata,
				  struct complete_block *out, struct err *e);
void complete_block_release(struct complete_block *c);

/* ---- repeats ---- */

/* What the repeats of configurations say about noise and about time. */
struct repeat_summary {
	int64_t n_repeated; /* configurations with two runs and more */
	double noise_p90;   /* of their standard deviations of log time; NaN: none */
	int64_t n_outliers;
	int64_t n_regimes;    /* 1: times were steady, as far as repeats can tell */
	double shift;	      /* log ratio of the later to the earlier regime, the largest; 0 */
	int64_t shift_run_id; /* first run after it */
};
enum err_code repeat_summary(const struct slowdown_table *t, struct repeat_summary *out,
			     struct err *e);

#endif
