#ifndef MINING_PREDICTOR_RULES_H
#define MINING_PREDICTOR_RULES_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "domain/rule.h"

/* The time rules that a predictor follows, ready to be asked: what predictor_use_rules() keeps. */
struct predictor_rules;

/* Of rule[n], those of kind TIME with weight > 0; those that correct a structural part (on_model)
 * only where there is one. *out is NULL when none is left. Errors: NOMEM, PARSE. */
enum err_code predictor_rules_new(const struct application *app, const struct rule *const *rule,
				  size_t n, bool structural, struct predictor_rules **out,
				  struct err *e);
void predictor_rules_free(struct predictor_rules *r);
size_t predictor_rules_count(const struct predictor_rules *r);

/* The prediction time_s of a complete row after the rules that hold for it: their mean in the
 * logarithm. Where none holds, time_s to the last bit. */
double predictor_rules_apply(const struct predictor_rules *r, const double *row, double time_s);

/* A bound: no completion of row (NaN: not known) that is predicted in least_s or more comes out
 * faster. */
double predictor_rules_least_s(const struct predictor_rules *r, const double *row, double least_s);

#endif
