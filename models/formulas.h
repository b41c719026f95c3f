#ifndef MODELS_FORMULAS_H
#define MODELS_FORMULAS_H
#include "models/formula.h"

/* The models that are formulas of named numbers, for the table in model_list.c. */

/* application_level.h */
extern const struct formula formula_hockney, formula_interaction, formula_application_level;
/* collective_cost.h */
extern const struct formula formula_collective;
/* cluster_speedup.h */
extern const struct formula formula_scalar_product, formula_matrix_product, formula_linpack,
	formula_mixed_cluster, formula_effective_bandwidth;

#endif
