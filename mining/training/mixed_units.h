#ifndef MINING_MIXED_UNITS_H
#define MINING_MIXED_UNITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/dataset.h"

/* Seconds and milliseconds in one column of times, as where two scripts wrote a table: some of the
 * runs are a thousand times as long as the others would have them.
 *
 * ln time is a power law of the columns plus ln 1000 for those of the other unit. Law and
 * membership are found in turn, from the law that is usual (classification EM: Celeux and Govaert,
 * "A classification EM algorithm for clustering and two stochastic versions", Computational
 * Statistics & Data Analysis 14(3), 1992). Two units are told where they shorten the description of
 * all times, the list of the members included, by ln 10^4; where the two modes lie far apart for
 * what the law misses; and where a free factor in the place of 1000 comes out between 600 and 1650.
 * All runs of one option, or of large problems, may be in another unit: that is told at once, and
 * no option, size or number of nodes is thought to make so much by itself.
 *
 * Else all larger problems may be so many times too short, as where they were timed by the step:
 * two sizes or more on either side of one value, with one exponent, a factor of ten or more between
 * them, and a description as much shorter. */

/* Of runs run[n]: is_slow[n], which are in the unit of the larger numbers; *n_slow: how many, 0
 * where all times are in one unit; *factor: how many times as large. Errors: NOMEM. */
enum err_code mixed_units_find(const struct dataset *runs, const uint32_t *run, size_t n,
			       unsigned char *is_slow, size_t *n_slow, double *factor,
			       struct err *e);

#endif
