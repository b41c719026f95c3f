#ifndef MINING_OUTCOME_COLUMN_H
#define MINING_OUTCOME_COLUMN_H
#include "base/err.h"
#include "domain/dataset.h"

/* A column that people list as a tunable, but that comes out of a run: flop rate, efficiency,
 * node-hours, time per step. It tells the time, and nobody can choose it.
 *
 * Such a column gives itself away: nearly every run has a value of its own (two thirds of at least
 * 8 runs), and beside what else is known of a run time is proportional to it, or to one over it:
 * with ln time and ln column freed from all other columns (by levels, where those are at most 8,
 * else by their logarithm), their correlation is at least 0.995 and the exponent within 5 % of 1 or
 * -1. A setting with noise in the times, or one of few values, is not taken for one.
 *
 * What people list as a problem is one only if it is the time of measured runs, or that times a
 * resource, to the last digit that is written: a law that holds up to noise is what problems
 * have. */

/* *column: the first of them among the numeric columns of an application made from flags;
 * SIZE_MAX: none. Errors: NOMEM. */
enum err_code outcome_column_find(const struct dataset *runs, size_t *column, struct err *e);
/* Refuses such a column: the error says what to do. So are times that are none: 1, or 100, to 2 %
 * with the least resources for each of three problems or more, and far from it with the most: a
 * speed-up, an efficiency, a relative time. Errors: NODATA, NOMEM. */
enum err_code outcome_column_refuse(const struct dataset *runs, struct err *e);

#endif
