#ifndef MINING_RANKING_PRIVATE_H
#define MINING_RANKING_PRIVATE_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/cases/slowdown_table.h"

/* The parts of ranking.c that have tests of their own. */

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

#endif
