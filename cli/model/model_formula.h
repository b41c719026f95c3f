#ifndef CLI_MODEL_FORMULA_H
#define CLI_MODEL_FORMULA_H
#include <stdint.h>
#include "api/model_question.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"

/* `lemnos model run` and `project` for the models that are formulas of named numbers. */

extern const struct option_spec opt_formula_sizes, opt_units;

/* "n, t1_s, messages [0]": the inputs, with what they are when not given. */
void model_formula_put_inputs(const struct formula *f, struct strbuf *out);

/* The results of one question, from --set NAME=VALUE,... Errors: USAGE, ARG. */
enum err_code model_formula_run(struct context *c, const struct model *m, struct err *e);
/* The results for 1, 2, 4, ... processors. Errors: USAGE (also a formula without processors, or the
 * number of them given), ARG. */
enum err_code model_formula_project(struct context *c, const struct model *m, int64_t max_procs,
				    struct err *e);

/* in[FORMULA_MAX_INPUTS] as --set gives them, NaN elsewhere; options that only wavefront models
 * take are refused. Errors: USAGE. */
enum err_code model_formula_read_inputs(const struct context *c, const struct model *m, double *in,
					struct err *e);
/* `run kredel-mixed --units`: units of any number of kinds. Errors: USAGE, ARG. */
enum err_code model_units_run(struct context *c, const struct model *m, struct err *e);

/* A note of what the model's answers must not be given without. */
void model_note_caveat(const struct context *c, const struct model *m);

#endif
