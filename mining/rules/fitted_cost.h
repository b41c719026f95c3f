#ifndef MINING_FITTED_COST_H
#define MINING_FITTED_COST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/rule.h"
#include "mining/cases/slowdown_table.h"

/* What a choice costs where hardly any two configurations differ in it alone, as when a search drew
 * all tunables at random: the coefficient of "the part holds" in an additive regression of log time
 *
 *	log t = case + sum over the other choices (level + slope * log value) + beta * (the part
 *holds).
 *
 * Numeric choices of more than FITTED_LEVELS values have as many levels of about equal numbers, and
 * a slope besides. Both sides are freed of everything else by backfitting (Frisch and Waugh 1933;
 * Buja, Hastie and Tibshirani, "Linear smoothers and additive models", Annals of Statistics 1989),
 *and beta has an interval clustered over problems, as case_contrast.c. It is right as far as other
 * choices multiply time whatever this one is. */
enum { FITTED_LEVELS = 16 };

/* Configurations item[0..n-1] of t: in[k], the part holds. varies[column]: may differ with the
 * part, all other choices are kept equal. Fills ratio, lo, hi (not rounded), n_sets
 * (configurations) and n_problems; leaves *out as it is where the other choices decide the part.
 * Errors: NOMEM. */
enum err_code fitted_cost(const struct slowdown_table *t, const uint32_t *item,
			  const unsigned char *in, size_t n, const bool *varies,
			  struct rule_cost *out, struct err *e);

#endif
