#ifndef MINING_CELL_MEANS_H
#define MINING_CELL_MEANS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/cases/slowdown_table.h"

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

#endif
