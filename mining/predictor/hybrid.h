#ifndef MINING_HYBRID_H
#define MINING_HYBRID_H
#include "mining/predictor/level_interactions.h"
#include "mining/predictor/log_polynomial.h"
#include "mining/structure/column_factors.h"
#include "mining/structure/structure_choice.h"
#include "mining/training/predictor_kind.h"

/* The state of the hybrid predictor, for hybrid.c (fit and use) and hybrid_bounds.c (what the
 * search asks of many configurations at once). */

/* The hybrid predictor: a structural model, factors of the columns that it does not read, and a
 * Gaussian process over what both leave of log time. predict() is the structural model with the
 * factors; what runs nearby say beyond it is the correction, which vanishes far from them. */
struct hybrid {
	const struct application *app; /* borrowed */
	const struct predictor_kind *base;
	void *base_state;
	struct column_factors factors;
	/* Of levels among the factors: what they may do where they were not run, by columns of what
	 * structure and factors leave. NULL: there are none, or too few configurations. */
	struct log_polynomial *columns;
	struct level_interactions interactions;
	struct structure_choice choice;	  /* what base was chosen from */
	struct gaussian_process *process; /* NULL: none, on a machine without runs */
};

/* The sum of what the process says by part, each within its most, and it in all. */
double hybrid_limit_correction(const struct hybrid *h, const double *factor, const double *by_part);

/* ---- bounds, as predictor_kind.h describes them ---- */

double hybrid_lower_bound(const void *state, const double *row);
enum err_code hybrid_corrections_new(const void *state, void **out, struct err *e);
double hybrid_corrections_least(void *corrections, const double *row, bool sharp);
void hybrid_corrections_free(void *corrections);
enum err_code hybrid_tunings_new(const void *state, const double *rows, size_t n, size_t n_columns,
				 void **tunings, struct err *e);
double hybrid_tunings_least_s(void *tunings, const double *row);
bool hybrid_tunings_each(void *tunings, void *corrections, const double *row, double *least_s,
			 double *least_correction);
double hybrid_tunings_correction(void *tunings, void *corrections, const double *row, size_t k);
void hybrid_tunings_free(void *tunings);

#endif
