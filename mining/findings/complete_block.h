#ifndef MINING_COMPLETE_BLOCK_H
#define MINING_COMPLETE_BLOCK_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/findings/cell_means.h"

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
