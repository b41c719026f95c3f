#ifndef MINING_EVALUATE_TIMES_H
#define MINING_EVALUATE_TIMES_H
#include "base/err.h"
#include "mining/evaluate/scoring_rules.h"
#include "mining/evaluate/evaluate_rules.h"

/* RULES_TIME_ERROR: how well times are predicted by rules, and by what stands beside them. The
 * inside of evaluate_rules. */

enum { TIME_RULES, TIME_TREE, TIME_POWER_LAW, TIME_PREDICTOR, TIME_FOLLOWING, TIME_METHODS };

/* What the folds of one protocol gave for one method. */
struct time_score {
	char name[RULE_METHOD_SIZE];
	struct error_list error;
	size_t n_train, n_covered;
	size_t n_folds, n_parts; /* rules or leaves, summed over folds */
};

/* One fold: train->runs to learn from, the configurations of t with test[i] to predict. A method
 * that the training part is too small for scores nothing. Errors: NOMEM, INTERRUPTED. */
enum err_code evaluate_times(const struct fit_input *train, const struct config_table *t,
			     const unsigned char *test, struct time_score score[TIME_METHODS],
			     struct err *e);

#endif
