#ifndef MINING_SETTING_RULES_H
#define MINING_SETTING_RULES_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/rule.h"
#include "mining/rules/setting_cases.h"
#include "mining/rules/setting_tree.h"

/* What held-out cases say about settings: each is asked what a tree that has not seen its block
 * would have chosen there, at every depth of the tree. */

/* [log time] */
struct held_case {
	double followed; /* mean of the setting; of the case where the setting cannot be had */
	double others;	 /* mean of the other choices; NaN: the case compares nothing */
};

struct setting_evidence {
	struct setting_cases cases;
	struct held_case *held; /* [depth * n_cases + c] */
};

/* From about max_configs configurations. Until asked, a case follows nothing. Errors: NOMEM. */
enum err_code setting_evidence_open(const struct slowdown_table *t, size_t max_configs,
				    struct setting_evidence *out, struct err *e);
void setting_evidence_release(struct setting_evidence *v);
/* Case c, by a tree learned without its block. */
void setting_evidence_ask(struct setting_evidence *v, const struct setting_tree *tree, size_t c);
/* Mean log slow-down of following the trees to this depth; blocks weigh equally. Errors: NOMEM. */
enum err_code setting_evidence_mean(const struct setting_evidence *v, unsigned depth, double *out,
				    struct err *e);

struct setting_verdict {
	bool enough;		       /* cases, blocks and configurations for a rule */
	double share;		       /* of a case's configurations that have the setting anyway */
	double within;		       /* the tolerance that most cases keep; NaN: none */
	struct rule_evidence evidence; /* p_value not adjusted; counts of runs not filled in */
};

/* The setting at an end of a tree of this depth, by the held-out cases that belong there. Errors:
 * NOMEM. */
enum err_code setting_evidence_judge(const struct setting_evidence *v,
				     const struct setting_tree *tree, unsigned depth, size_t at,
				     struct setting_verdict *out, struct err *e);

#endif
