#ifndef MINING_RULE_RESIDUALS_H
#define MINING_RULE_RESIDUALS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/rule.h"
#include "mining/predictor/predictor.h"
#include "mining/cases/slowdown_table.h"

/* What the configurations themselves say about a rule: how they are spread where it speaks and
 * beside that, and which speak against it.
 *
 *           ratio                          with                     without
 * choice    time / best of its case        condition holds          other choices of these cases
 * setting   the same                       condition and setting    condition, another setting
 * time      measured time / formula        condition holds          the same, / what would be
 *                                                                   said without the rule */
enum { RULE_WITNESS_SHOWN = 5 };

struct rule_counter_example {
	uint32_t run; /* of the data set; one of the configuration's */
	double ratio;
};

struct rule_residuals {
	double *with, *without; /* ratios, one per configuration that has one */
	size_t n_with, n_without;
	/* choice: configurations within RULE_NEAR_BEST of the best although said to be slow;
	 * setting: cases in which what followed it was on average (of logs) beyond `within`, shown
	 * by the slowest that did; time: configurations farther from the formula than without the
	 * rule. The worst first. */
	struct rule_counter_example worst[RULE_WITNESS_SHOWN];
	size_t n_worst;
	size_t n_counter; /* counter-examples in all */
	size_t n_checked; /* configurations, or cases, that could have been one */
};

#define RULE_NEAR_BEST 1.05

/* base: for a rule on the structural prediction; NULL: a rule that needs it has no ratios. Errors:
 * NOMEM, PARSE. */
enum err_code rule_residuals_make(const struct slowdown_table *t, const struct rule *r,
				  const struct predictor *base, struct rule_residuals *out,
				  struct err *e);
void rule_residuals_release(struct rule_residuals *w);

#endif
