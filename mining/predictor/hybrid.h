#ifndef MINING_HYBRID_H
#define MINING_HYBRID_H
#include "mining/training/predictor_kind.h"

/* The hybrid predictor: a structural model, and a Gaussian process over what it leaves of log time.
 * predict() is the structural model alone; what runs nearby say beyond it is the correction, which
 * vanishes far from them. The inside, for hybrid.c and hybrid_fit.c. */
struct hybrid {
	const struct predictor_kind *base;
	void *base_state;
	struct structure_choice choice;	  /* what base was chosen from */
	struct gaussian_process *process; /* NULL: none, on a machine without runs */
};

/* h->process, base and base_state being set. like (may be NULL): whose hyperparameters it takes.
 * Errors: NUMERIC, NOMEM. */
enum err_code hybrid_fit_process(const struct config_table *t, const struct hybrid *like,
				 struct hybrid *h, struct err *e);

/* struct predictor_kind's correction. */
double hybrid_correction(const void *state, const double *row, double *epistemic_sd);

#endif
