#ifndef CLI_FORMULA_STORE_H
#define CLI_FORMULA_STORE_H
#include "api/model_question.h"
#include "base/err.h"
#include "cli/frame/context.h"

/* --store of a formula: its time becomes a modelled run of a class without a definition, --app,
 * on a machine, --machine. The formula's inputs are the problem, its processors the nodes. */

/* Before anything is asked. Errors: USAGE (the formula gives no run time, only speed-up or costs;
 * no --app or --machine). */
enum err_code formula_store_check(const struct context *c, const struct model *m, struct err *e);
/* in[n_inputs], NaN for what was not given; value[n_results]. Errors: those of
 * made_table_store(). */
enum err_code formula_store(struct context *c, const struct model *m, const double *in,
			    const double *value, struct err *e);

#endif
