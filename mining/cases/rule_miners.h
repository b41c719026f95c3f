#ifndef MINING_RULE_MINERS_H
#define MINING_RULE_MINERS_H
#include "base/err.h"
#include "base/progress.h"
#include "domain/findings.h"
#include "domain/rule.h"
#include "mining/predictor/predictor.h"
#include "mining/cases/slowdown_table.h"

/* What is mined from a slow-down table, one function and one file (or a few) each. Deterministic:
 * no clocks, no random numbers but from fixed seeds. Rules come with kind, condition, setting,
 * formula and the held-out evidence (effect, lo, hi, versus_others, confidence, p_value,
 * held_out_error, usefulness, n_cases, n_problems); counts of runs, shares, coverage, overlap and
 * ids are filled in by mine_rules(). A table too small for a kind gives none of it: no error.
 * Errors: NOMEM, INTERRUPTED. */

/* Of every rule shown: the chance that it is there by luck, together over the rules of its kind. */
#define RULE_FALSE_DISCOVERY 0.05

/* Subgroups of choices that are slower than the others of their cases. */
enum err_code mine_choice_rules(const struct slowdown_table *t, const struct progress *p,
				struct rule_list *out, struct err *e);

/* What to choose, and where. */
enum err_code mine_setting_rules(const struct slowdown_table *t, const struct progress *p,
				 struct rule_list *out, struct err *e);

/* Formulas for what base leaves unexplained (its structural part is known), or for time itself.
 * base may be NULL: then for time itself, weight 0. */
enum err_code mine_time_rules(const struct slowdown_table *t, const struct predictor *base,
			      const struct progress *p, struct rule_list *out, struct err *e);

/* Relations that held in all runs which ended well: see invariants.c. failures (may be NULL): where
 * the failed runs are, if not among these. */
enum err_code mine_invariants(const struct dataset *runs, const struct dataset *failures,
			      const struct slowdown_table *t, const struct progress *p,
			      struct rule_list *out, struct err *e);

/* The statistics: each fills its part of *out. In a column's profile, distinct numbers are counted
 * up to PROFILE_MAX_LEVELS: n_levels is then that, and means as many or more. */
enum { PROFILE_MAX_LEVELS = 10000 };
enum err_code mine_profile(const struct dataset *runs, const struct slowdown_table *t,
			   struct findings *out, struct err *e);
enum err_code mine_effects(const struct slowdown_table *t, const struct progress *p,
			   struct findings *out, struct err *e);
enum err_code mine_hypotheses(const struct slowdown_table *t, struct findings *out, struct err *e);
enum err_code mine_ranking(const struct slowdown_table *t, double alpha, struct findings *out,
			   struct err *e);

#endif
