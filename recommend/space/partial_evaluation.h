#ifndef RECOMMEND_PARTIAL_EVALUATION_H
#define RECOMMEND_PARTIAL_EVALUATION_H
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"

/* A search sets a row in three steps: what is given (problem, workload, fixed values), a group (one
 * choice of resources), a tuning (one choice of the free tunables). Each derived column and each
 * legality rule is evaluated where all it uses is known, once, instead of once per configuration.
 * On a grid of 16 000 groups with 32 tunings each that is most of the work. */
enum layer {
	LAYER_GIVEN,
	LAYER_GROUP = 1,
	LAYER_TUNING = 2,
	LAYER_BOTH = LAYER_GROUP | LAYER_TUNING, /* known only when both are chosen */
	LAYER_COUNT
};

struct partial_evaluation {
	const struct application *app;
	enum layer *of; /* of each column */
	size_t *derived[LAYER_COUNT];
	size_t n_derived[LAYER_COUNT];
	const struct legality **rule[LAYER_COUNT];
	size_t n_rules[LAYER_COUNT];
};

/* of_column[n_columns]: where each column that is not derived is set. Errors: NOMEM. */
enum err_code partial_evaluation_init(struct partial_evaluation *l, const struct application *app,
				      const enum layer *of_column, struct err *e);
void partial_evaluation_release(struct partial_evaluation *l);

/* The layer at which all columns that x uses are known. */
enum layer partial_evaluation_of_expr(const struct partial_evaluation *l, const struct expr *x);

/* Compute the derived columns of one layer. */
void partial_evaluation_derive(const struct partial_evaluation *l, enum layer layer, double *row);

enum legal_status { STATUS_LEGAL, STATUS_UNDECIDED, STATUS_ILLEGAL };
/* Judge a row by rules. A rule whose columns are not all set may hold or fail whatever they will be
 * (three-valued logic), or stay undecided. *refusal (may be NULL) is the rule that failed. */
enum legal_status rules_judge(const struct legality *const *rule, size_t n, const double *row,
			      const struct legality **refusal);
enum legal_status partial_evaluation_judge(const struct partial_evaluation *l, enum layer layer,
					   const double *row, const struct legality **refusal);

/* Take out of LAYER_GROUP the rules about nothing but one column and what is given: they thin out
 * the column's candidates before these are combined with others. rule[app->n_legality]; returns
 * how many. */
size_t partial_evaluation_take_column_rules(struct partial_evaluation *l, size_t i_column,
					    const struct legality **rule);

#endif
