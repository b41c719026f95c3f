#ifndef MINING_FALLING_COLUMNS_H
#define MINING_FALLING_COLUMNS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/training/config_table.h"

/* Columns of the problem and the workload of which a smaller value is more work: the width of a
 * cell, a tolerance, a time step. What asks more of a node, or leaves less to a process, is
 * compared by x^-e of these, e by how time goes with them: a hundredth of a tolerance is not a
 * hundred times the work. */
enum { FALLING_COLUMNS_MAX = 8 };

struct falling_columns {
	size_t n;
	size_t column[FALLING_COLUMNS_MAX];   /* ascending */
	double exponent[FALLING_COLUMNS_MAX]; /* time goes with x^-exponent; > 0 */
};

/* Numbers above 0 with which time falls, by a fifth or more over their range: by a power law of all
 * columns (the exponent below 0 by four of its standard errors, and most pairs of configurations
 * that differ in it alone do not say otherwise), or by nearly all of eight such pairs or more. Of
 * more than 2000 configurations evenly taken ones are looked at. Errors: NOMEM. */
enum err_code falling_columns_find(const struct config_table *t, struct falling_columns *out,
				   struct err *e);
/* f: NULL: none */
bool falling_columns_have(const struct falling_columns *f, size_t column);
/* What grows with the work: x, or x^-e, e the exponent or `most`; INFINITY: of a falling column at
 * 0 or below. */
double falling_columns_size(const struct falling_columns *f, size_t column, double most, double x);

#endif
