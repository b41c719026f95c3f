#ifndef MODELS_FORMULA_H
#define MODELS_FORMULA_H
#include <stddef.h>
#include "base/err.h"

/* A model that takes named numbers and gives named numbers: no application, no machine. */

struct formula_input {
	const char *name; /* ends in its unit: "t1_s" */
	const char *meaning;
	double min, max; /* inclusive */
	double dflt;	 /* NaN: must be given */
};

struct formula_result {
	const char *name; /* ends in its unit */
	const char *meaning;
};

enum { FORMULA_MAX_INPUTS = 8, FORMULA_MAX_RESULTS = 12 };

struct formula {
	const struct formula_input *input;
	size_t n_inputs;
	const struct formula_result *result;
	size_t n_results;
	const char *procs; /* the input that a projection raises; NULL: none */
	const char *size;  /* the input that tells several curves of it apart; NULL: none */
	/* in[n_inputs], checked against the inputs' ranges; out[n_results], NaN where a result does
	 * not exist. Errors: ARG. */
	enum err_code (*evaluate)(const double *in, double *out, struct err *e);
};

/* Of a struct formula: arrays of its inputs and results */
#define FORMULA_TABLES(inputs, results)                                                        \
	.input = (inputs), .n_inputs = sizeof(inputs) / sizeof *(inputs), .result = (results), \
	.n_results = sizeof(results) / sizeof *(results)

/* The index of an input; n_inputs: none is called so. */
size_t formula_find_input(const struct formula *f, const char *name);
/* The index of a result; n_results: none is called so. */
size_t formula_find_result(const struct formula *f, const char *name);
/* in[n_inputs], NaN for what was not given. Errors: ARG (an input missing or out of range: named
 * with its meaning; those of the formula). */
enum err_code formula_evaluate(const struct formula *f, const double *in, double *out,
			       struct err *e);

/* The models that are formulas of named numbers, for the table in model_list.c. */

/* application_level.h */
extern const struct formula formula_hockney, formula_interaction, formula_application_level;
/* collective_cost.h */
extern const struct formula formula_collective;
/* cluster_speedup.h */
extern const struct formula formula_scalar_product, formula_matrix_product, formula_linpack,
	formula_mixed_cluster, formula_effective_bandwidth;

#endif
