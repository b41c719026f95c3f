#ifndef MINING_EVALUATE_CHOICES_H
#define MINING_EVALUATE_CHOICES_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "mining/cases/slowdown_table.h"
#include "mining/evaluate/scoring_rules.h"

/* The one setting of all tunables that was best over the cases in which it was run: what people do
 * who try once and keep it. */
struct single_best {
	const struct application *app; /* borrowed */
	double *row;		       /* [app->n_columns]; only the tunables count; NULL: none */
};

/* Only settings that were run in at least half as many cases as the one run in most: else the
 * luckiest of many would win. Errors: NOMEM. */
enum err_code single_best_find(const struct slowdown_table *t, struct single_best *out,
			       struct err *e);
void single_best_release(struct single_best *f);
bool single_best_holds(const struct single_best *f, const double *row);

/* RULES_REGRET*, RULES_SLOWDOWN_ERROR: what comes of following setting rules, and whether choice
 * rules are true. The inside of evaluate_rules. */

enum { CHOOSE_RULES, CHOOSE_FIXED, CHOOSE_RANDOM, CHOOSE_METHODS };

/* A held-out case with at least two configurations to choose between. */
struct choice_case {
	uint32_t problem;
	double regret[CHOOSE_METHODS];
	bool covered[CHOOSE_METHODS]; /* the method names something that was run */
	bool as_promised;	      /* CHOOSE_RULES: within what the rule said */
	bool compared;		      /* some choice rule can be true or false here */
};

struct choice_scores {
	struct choice_case *item;
	size_t n, cap;
	size_t n_train, n_folds;
	size_t n_setting_rules, n_choice_rules; /* summed over folds */
	struct error_list slowdown;		/* stated over measured, less 1 */
	size_t n_slower;			/* of those pairs: slower than the others */
};
void choice_scores_release(struct choice_scores *s);

/* One fold: mine train, ask the cases of all (the same runs and more) whose configurations have
 * held_out[i]. Cases are held out whole. problem_of[i]: by configuration of all. Errors: NOMEM,
 * INTERRUPTED. */
enum err_code evaluate_choices(const struct dataset *train, const struct slowdown_table *all,
			       const unsigned char *held_out, const uint32_t *problem_of,
			       const struct progress *p, struct choice_scores *s, struct err *e);

#endif
