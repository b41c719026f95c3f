#ifndef MINING_STRUCTURE_CHOICE_H
#define MINING_STRUCTURE_CHOICE_H
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/training/fit_input.h"
#include "mining/structure/wavefront_model.h"

/* Which structural part a predictor of a wavefront application stands on: the formula that is mined
 * (wavefront_time.h) or a model of the list (analytic_mean.h), by the errors of runs that were held
 * out. struct structure_choice is in predictor.h. */

/* t is what the predictor is fitted to, formula what was fitted to it. Runs of its best source are
 * held out as for intervals (cv_residuals.h): whole configurations, whole problems, the most
 * processors, the largest problems. Nothing to choose from (n is 1, and its error NaN) where
 * message costs are assumed, where all runs are modelled (they would confirm the model that they
 * came from) or too few can be held out. No further way is tried once every model is worse than
 * the formula in one. Errors: INTERRUPTED, NOMEM, ARG (a configuration that is no sweep). */
enum err_code structure_choose(const struct config_table *t, const struct fit_input *in,
			       const struct wavefront_model *formula, struct structure_choice *out,
			       struct err *e);

/* One sentence. */
void structure_choice_explain(const struct structure_choice *c, struct strbuf *out);

enum err_code structure_choice_store(const struct structure_choice *c, struct kb_fit *fit,
				     struct err *e);
/* Errors: NOTMINED (none, or one that this program does not know). */
enum err_code structure_choice_load(const struct kb_fit *fit, struct structure_choice *out,
				    struct err *e);

#endif
