#include "recommend/space/partial_evaluation.h"

#include <math.h>
#include <stdlib.h>

static enum err_code allocate(struct partial_evaluation *l, struct err *e)
{
	size_t n = l->app->n_columns;
	size_t n_rules = l->app->n_legality + 1; /* calloc(0) may give NULL */

	l->of = calloc(n, sizeof *l->of);
	if (!l->of)
		return err_set(e, ERR_NOMEM, "layers of %zu columns", n);
	for (int i = 0; i < LAYER_COUNT; i++) {
		l->derived[i] = calloc(n, sizeof *l->derived[i]);
		l->rule[i] = calloc(n_rules, sizeof *l->rule[i]);
		if (!l->derived[i] || !l->rule[i])
			return err_set(e, ERR_NOMEM, "layers of %zu columns", n);
	}
	return ERR_OK;
}

enum layer partial_evaluation_of_expr(const struct partial_evaluation *l, const struct expr *x)
{
	unsigned of = LAYER_GIVEN;

	for (size_t i = 0; i < l->app->n_columns; i++) {
		if (expr_uses(x, i))
			of |= l->of[i];
	}
	return (enum layer)of;
}

enum err_code partial_evaluation_init(struct partial_evaluation *l, const struct application *app,
				      const enum layer *of_column, struct err *e)
{
	enum err_code rc;

	*l = (struct partial_evaluation){.app = app};
	if ((rc = allocate(l, e))) {
		partial_evaluation_release(l);
		return rc;
	}
	for (size_t i = 0; i < app->n_columns; i++)
		l->of[i] = of_column[i];
	/* A derived column uses only columns above it: one pass settles all. */
	for (size_t i = 0; i < app->n_columns; i++) {
		if (app->column[i].role != COL_DERIVED)
			continue;
		l->of[i] = partial_evaluation_of_expr(l, app->column[i].derived);
		l->derived[l->of[i]][l->n_derived[l->of[i]]++] = i;
	}
	for (size_t i = 0; i < app->n_legality; i++) {
		enum layer of = partial_evaluation_of_expr(l, app->legality[i].condition);

		l->rule[of][l->n_rules[of]++] = &app->legality[i];
	}
	return ERR_OK;
}

void partial_evaluation_release(struct partial_evaluation *l)
{
	for (int i = 0; i < LAYER_COUNT; i++) {
		free(l->derived[i]);
		free(l->rule[i]);
	}
	free(l->of);
	*l = (struct partial_evaluation){0};
}

void partial_evaluation_derive(const struct partial_evaluation *l, enum layer layer, double *row)
{
	for (size_t i = 0; i < l->n_derived[layer]; i++) {
		size_t c = l->derived[layer][i];

		row[c] = expr_eval(l->app->column[c].derived, row);
	}
}

enum legal_status rules_judge(const struct legality *const *rule, size_t n, const double *row,
			      const struct legality **refusal)
{
	enum legal_status verdict = STATUS_LEGAL;

	for (size_t i = 0; i < n; i++) {
		double truth = expr_eval(rule[i]->condition, row);

		if (isnan(truth)) {
			verdict = STATUS_UNDECIDED;
		} else if (truth == 0) {
			if (refusal)
				*refusal = rule[i];
			return STATUS_ILLEGAL;
		}
	}
	return verdict;
}

enum legal_status partial_evaluation_judge(const struct partial_evaluation *l, enum layer layer,
					   const double *row, const struct legality **refusal)
{
	return rules_judge(l->rule[layer], l->n_rules[layer], row, refusal);
}

static bool is_about(const struct partial_evaluation *l, const struct legality *rule,
		     size_t i_column)
{
	if (!expr_uses(rule->condition, i_column))
		return false;
	for (size_t i = 0; i < l->app->n_columns; i++) {
		if (i != i_column && l->of[i] != LAYER_GIVEN && expr_uses(rule->condition, i))
			return false;
	}
	return true;
}

size_t partial_evaluation_take_column_rules(struct partial_evaluation *l, size_t i_column,
					    const struct legality **rule)
{
	const struct legality **all = l->rule[LAYER_GROUP];
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < l->n_rules[LAYER_GROUP]; i++) {
		if (is_about(l, all[i], i_column))
			rule[n++] = all[i];
		else
			all[kept++] = all[i];
	}
	l->n_rules[LAYER_GROUP] = kept;
	return n;
}
