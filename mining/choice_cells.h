#ifndef MINING_CHOICE_CELLS_H
#define MINING_CHOICE_CELLS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/slowdown_table.h"

/* How long each choice took in each case. A choice is one combination of the values of some
 * columns; where a case tried it in several ways (shapes of the grid), its time is their median. */

struct choice_cell {
	uint32_t stratum, choice;
	double log_time; /* [log s] */
};

struct choice_cells {
	size_t n;
	struct choice_cell *cell; /* by stratum, then choice */
	size_t n_choices;
	uint32_t *choice_run; /* a run of that choice */
};

/* Configurations without a slow-down (nothing to compare with, or an absurd time) and those that
 * miss one of the columns are left out. Errors: NOMEM. */
enum err_code choice_cells_make(const struct slowdown_table *t, const size_t *column,
				size_t n_columns, struct choice_cells *out, struct err *e);
void choice_cells_release(struct choice_cells *c);

#endif
