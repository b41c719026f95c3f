#ifndef MINING_EVALUATE_RULES_H
#define MINING_EVALUATE_RULES_H
#include <stddef.h>
#include "base/err.h"
#include "mining/training/holdout.h"
#include "mining/predictor/predictor.h"
#include "mining/evaluate/scoring_rules.h"

/* Back-test of the mined rules: mine them from a part of the runs, follow them on the rest, and say
 * what came of it beside what one would do without them. */

enum rule_measure {
	/* |predicted / measured - 1| of held-out configurations. Methods: "time rules" (alone,
	 * mined without a base; their mean in the logarithm where several hold, the typical time of
	 * the training part where none does), "single tree" (regression_tree.h), "power-law", the
	 * application's own predictor, and that one with the time rules mined on it. */
	RULES_TIME_ERROR,
	/* Time of what was chosen over the best known of its case, less 1. Methods: "setting rules"
	 * (the most useful one that holds and names something that was run), "fixed setting" (the
	 * tunables that were best in the training part), "random choice" (the median of the case);
	 * settings choose the median of the configurations that have them, and a method that names
	 * nothing is a random choice there. All held-out cases with something to choose; those that
	 * setting rules speak about; means over the cases of each problem. */
	RULES_REGRET,
	RULES_REGRET_COVERED,
	RULES_REGRET_PROBLEMS,
	/* |stated / measured - 1| of the slow-downs that choice rules state, over pairs of a rule
	 * and a held-out case in which some choices meet its condition and others do not. */
	RULES_SLOWDOWN_ERROR,
	RULES_MEASURE_COUNT
};
extern const char *const rule_measure_name[RULES_MEASURE_COUNT];

enum { RULE_METHOD_SIZE = 48 };

struct rule_evaluation {
	enum holdout protocol;
	enum rule_measure measure;
	char method[RULE_METHOD_SIZE];
	size_t n_train; /* configurations, summed over folds */
	size_t n_test;	/* configurations, cases, problems, or pairs */
	double size;	/* rules, or leaves of the tree: mean over folds; NaN: does not apply */
	double covered; /* share of n_test (pairs: of the cases) that it speaks about; NaN */
	double median, p90, bias; /* bias: median of the signed error; NaN for regrets */
	double share_true; /* of the held-out cases (pairs) for which the statement of the rule was
			    * true: within so much of the best; slower than the others. NaN */
};

/* Everything that can be asked: five methods on each protocol, three on each kind of regret, and
 * choice rules. */
enum { RULE_EVALUATIONS = 5 * HOLDOUT_COUNT + 3 * 3 + 1 };

/* out[RULE_EVALUATIONS], the first *n_out filled in. seed varies the random splits. Errors: NODATA
 * (nothing can be held out), INTERRUPTED, NOMEM. */
enum err_code evaluate_rules(const struct fit_input *in, unsigned seed, struct rule_evaluation *out,
			     size_t *n_out, struct err *e);

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
