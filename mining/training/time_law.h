#ifndef MINING_TIME_LAW_H
#define MINING_TIME_LAW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/dataset.h"

/* A power law of time: ln time is a constant, an exponent for ln of each amount, and a step for
 * each level of words, with priors like those of a trend (docs/models.md has both).
 *
 * Small whole numbers may be codes of methods: solver = 1, 2, 3. They are sizes only if time grows
 * with them, in nine of ten pairs of runs that differ in nothing else and by less than a factor of
 * ten, and from each to the next; else each is an option of its own, as a word is. */
enum { TIME_LAW_TERMS = 48, TIME_LAW_LEVELS = 8 };

struct law_prior {
	double mean, sd;
};

struct time_term {
	size_t column;
	double level; /* NaN: of an amount */
	bool log;
	double centre, scale;
	struct law_prior prior;
};

/* What a power law misses of a code, ln time, and the least that counts. */
#define LIKELY_MISFIT 0.3
#define MIN_MISFIT 0.02

/* Are the numbers of a column of the problem, or of one that is chosen, whole ones from 0 to 9, of
 * runs run[n]? */
bool time_law_may_be_codes(const struct dataset *runs, const uint32_t *run, size_t n,
			   size_t column);

/* Those of runs run[n], behind the constant, which is term[0]. Returns how many there are. */
size_t time_law_terms(const struct dataset *runs, const uint32_t *run, size_t n,
		      struct time_term term[TIME_LAW_TERMS]);
/* x[p] of a row. Returns what the means of the priors say of it, ln time: a fit is of what is left.
 */
double time_law_put(const struct time_term *term, size_t p, const double *row, double *x);
/* penalty[p] for ridge_fit(). */
void time_law_penalties(const struct time_term *term, size_t p, double *penalty);

/* off[n]: ln of the time of run[i] over what a law of runs run[ref[0..n_ref-1]], n_ref > 0, says,
 * with products of two amounts besides; of these themselves a law of four fifths of the others.
 * *sd: of off of these. Errors: NUMERIC (there is no law), NOMEM. */
enum err_code time_law_residuals(const struct dataset *runs, const uint32_t *run, size_t n,
				 const uint32_t *ref, size_t n_ref, double *off, double *sd,
				 struct err *e);

#endif
