#ifndef MINING_LEVEL_FOLDS_H
#define MINING_LEVEL_FOLDS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/training/config_table.h"

/* Questions between the levels of a grid: a problem column of few values is asked about at a value
 * that no run has. Held-out runs of a grid are easier, as each of their values was seen elsewhere.
 * So whole levels are left out: all rows with value a of one column or value c of another. */

enum {
	LEVEL_COLUMNS = 8,
	LEVEL_MIN = 5, /* fewer levels leave too little to learn from when one is left out */
	LEVEL_MAX = 16,
	LEVEL_FOLDS = 8
};

/* The numeric problem columns with LEVEL_MIN to LEVEL_MAX values. */
struct level_columns {
	size_t n;
	struct level_column {
		size_t column, n;
		double value[LEVEL_MAX]; /* ascending */
	} item[LEVEL_COLUMNS];
};
void level_columns_find(const struct config_table *t, struct level_columns *out);
/* How many of a row's values lie between the levels of their column and are none of them. */
int level_columns_newness(const struct level_columns *m, const double *row);

/* What is left out: a level of one column, and one of another (SIZE_MAX: none). */
struct level_fold {
	size_t column[2];
	double value[2];
};
/* At most LEVEL_FOLDS, evenly taken of all pairs of inner levels of two columns; where only one
 * column has levels, of its inner levels. Returns how many. */
size_t level_folds_make(const struct level_columns *m, struct level_fold out[LEVEL_FOLDS]);
/* How many of the fold's levels a row has: 0, 1 or 2. */
int level_fold_takes(const struct level_fold *f, const double *row);

#endif
