#include "domain/rule.h"

#include <math.h>
#include <stdlib.h>

#include "domain/rule_private.h"

/* A part of the condition that `and` joins to the others. */
struct part {
	struct expr x;	  /* its root belongs to the condition */
	bool tests_null;  /* "is null" is somewhere in it, or in a derived column it uses */
	bool *depends_on; /* [n_columns], also through derived columns; only if tests_null */
};

struct rule_test {
	size_t n_columns;
	struct expr *condition; /* NULL: holds always */
	struct expr *setting;	/* NULL: there is none */
	struct part *part;
	size_t n_part;
	double coefficient;
	size_t *term_column;
	double *term_exponent;
	size_t n_term;
	double min, max;
};

/* by_column[i]: a derived column that does. */
static bool tests_null(const struct node *n, const bool *by_column)
{
	if (n->op == EXPR_IS_NULL || n->op == EXPR_IS_NOT_NULL)
		return true;
	if (n->op == EXPR_COLUMN)
		return by_column[n->column];
	for (size_t i = 0; i < n->n_args; i++) {
		if (tests_null(n->arg[i], by_column))
			return true;
	}
	return false;
}

static void mark_dependencies(const struct application *a, const struct node *n, bool *depends_on)
{
	if (n->op == EXPR_COLUMN && !depends_on[n->column]) {
		depends_on[n->column] = true;
		if (a->column[n->column].role == COL_DERIVED)
			mark_dependencies(a, a->column[n->column].derived->root, depends_on);
	}
	for (size_t i = 0; i < n->n_args; i++)
		mark_dependencies(a, n->arg[i], depends_on);
}

/* false: out of memory. */
static bool make_part(const struct application *a, struct node *root, const bool *by_column,
		      struct part *p)
{
	p->x.root = root;
	p->tests_null = tests_null(root, by_column);
	if (!p->tests_null)
		return true;
	p->depends_on = calloc(a->n_columns + 1, sizeof *p->depends_on);
	if (p->depends_on)
		mark_dependencies(a, root, p->depends_on);
	return p->depends_on != NULL;
}

/* false: out of memory. */
static bool make_parts(const struct application *a, struct rule_test *t)
{
	size_t n = t->condition ? rule_count_parts(t->condition) : 0;
	struct node **root = calloc(n + 1, sizeof *root);
	bool *by_column = calloc(a->n_columns + 1, sizeof *by_column);
	bool ok;

	t->part = calloc(n + 1, sizeof *t->part);
	ok = root && by_column && t->part;
	/* A derived column uses columns above it only. */
	for (size_t i = 0; ok && i < a->n_columns; i++) {
		if (a->column[i].role == COL_DERIVED)
			by_column[i] = tests_null(a->column[i].derived->root, by_column);
	}
	if (ok && t->condition)
		rule_list_parts(t->condition, root);
	for (size_t i = 0; ok && i < n; i++)
		ok = make_part(a, root[i], by_column, &t->part[t->n_part++]);
	free(root);
	free(by_column);
	return ok;
}

/* The terms are found already. */
static void copy_formula(const struct rule *r, struct rule_test *t)
{
	t->n_term = r->n_term;
	t->coefficient = rule_round_coefficient(r->coefficient);
	for (size_t k = 0; k < r->n_term; k++)
		t->term_exponent[k] = rule_round_exponent(r->term[k].exponent);
	t->min = r->min;
	t->max = r->max;
}

enum err_code rule_test_new(const struct application *a, const struct rule *r,
			    struct rule_test **out, struct err *e)
{
	struct rule_test *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "out of memory for a rule");
	t->n_columns = a->n_columns;
	t->term_column = calloc(r->n_term + 1, sizeof *t->term_column);
	t->term_exponent = calloc(r->n_term + 1, sizeof *t->term_exponent);
	if (!t->term_column || !t->term_exponent) {
		rc = err_set(e, ERR_NOMEM, "out of memory for a rule");
		goto fail;
	}
	if ((rc = rule_compile_condition(a, r, &t->condition, e)) ||
	    (rc = rule_compile_setting(a, r, &t->setting, e)) ||
	    (rc = rule_find_terms(a, r, t->term_column, e)))
		goto fail;
	if (!make_parts(a, t)) {
		rc = err_set(e, ERR_NOMEM, "out of memory for a rule");
		goto fail;
	}
	copy_formula(r, t);
	*out = t;
	return ERR_OK;
fail:
	rule_test_free(t);
	return rc;
}

void rule_test_free(struct rule_test *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_part; i++)
		free(t->part[i].depends_on);
	free(t->part);
	expr_free(t->condition);
	expr_free(t->setting);
	free(t->term_column);
	free(t->term_exponent);
	free(t);
}

bool rule_condition_holds(const struct rule_test *t, const double *row)
{
	return !t->condition || expr_holds(t->condition, row);
}

bool rule_setting_holds(const struct rule_test *t, const double *row)
{
	return t->setting && expr_holds(t->setting, row);
}

bool rule_setting_possible(const struct rule_test *t, const double *row)
{
	return !t->setting || expr_eval(t->setting, row) != 0; /* NaN: not known */
}

static bool is_unknown_to(const struct part *p, const double *row, size_t n_columns)
{
	for (size_t i = 0; i < n_columns; i++) {
		if (p->depends_on[i] && isnan(row[i]))
			return true;
	}
	return false;
}

/* In three-valued logic what is 0 with NULLs stays 0 whatever they turn out to be, except for "is
 * null", which takes a NULL for a fact. */
static bool part_is_possible(const struct part *p, const double *row, size_t n_columns)
{
	if (p->tests_null && is_unknown_to(p, row, n_columns))
		return true;
	return expr_eval(&p->x, row) != 0; /* NaN: not known */
}

bool rule_condition_possible(const struct rule_test *t, const double *row)
{
	for (size_t i = 0; i < t->n_part; i++) {
		if (!part_is_possible(&t->part[i], row, t->n_columns))
			return false;
	}
	return true;
}

double rule_formula(const struct rule_test *t, const double *row)
{
	double value = t->coefficient;

	for (size_t k = 0; k < t->n_term; k++) {
		double x = row[t->term_column[k]];

		if (!(x > 0))
			return (double)NAN;
		value *= pow(x, t->term_exponent[k]);
	}
	if (value < t->min)
		return t->min;
	return value > t->max ? t->max : value;
}
