#ifndef CLI_MODEL_FORMULA_H
#define CLI_MODEL_FORMULA_H
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/context.h"
#include "models/model_list.h"

/* `lemnos model run` and `project` for the models that are formulas of named numbers. */

/* "n, t1_s, messages [0]": the inputs, with what they are when not given. */
void model_formula_put_inputs(const struct formula *f, struct strbuf *out);

/* The results of one question, from --set NAME=VALUE,... Errors: USAGE, ARG. */
enum err_code model_formula_run(struct context *c, const struct model *m, struct err *e);
/* The results for 1, 2, 4, ... processors. Errors: USAGE (also a formula without processors, or the
 * number of them given), ARG. */
enum err_code model_formula_project(struct context *c, const struct model *m, int64_t max_procs,
				    struct err *e);

/* A note of what the model's answers must not be given without. */
void model_note_caveat(const struct context *c, const struct model *m);

#endif
