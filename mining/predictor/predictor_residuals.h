#ifndef MINING_PREDICTOR_RESIDUALS_H
#define MINING_PREDICTOR_RESIDUALS_H
#include "mining/predictor/predictor_state.h"

/* trust, table, sure and max_epistemic_sd of a predictor whose kind and state were fitted to t, by
 * fits to parts of it (grouped: whole configurations, whole problems, the most processors, the
 * largest problems). Errors: INTERRUPTED, NOMEM. */
enum err_code predictor_learn_residuals(struct predictor *p, const struct config_table *t,
					const struct fit_input *in, struct err *e);

#endif
