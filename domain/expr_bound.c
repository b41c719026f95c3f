#include "domain/expr.h"

#include <math.h>

#include "domain/expr_tree.h"

static bool is_column(const struct node *n, size_t i_column)
{
	return n->op == EXPR_COLUMN && n->column == i_column;
}

/* The value of a part that says nothing about the column; INFINITY: it does, or is not known. */
static double limit(const struct node *n, size_t i_column, const double *row)
{
	struct expr part = {.root = (struct node *)n};
	double value = expr_uses(&part, i_column) ? INFINITY : expr_eval(&part, row);

	return isnan(value) ? INFINITY : value;
}

static double upper_bound(const struct node *n, size_t i_column, const double *row)
{
	switch (n->op) {
	case EXPR_AND:
		return fmin(upper_bound(n->arg[0], i_column, row),
			    upper_bound(n->arg[1], i_column, row));
	case EXPR_LT:
	case EXPR_LE:
	case EXPR_EQ:
		return is_column(n->arg[0], i_column) ? limit(n->arg[1], i_column, row) : INFINITY;
	case EXPR_GT:
	case EXPR_GE:
		return is_column(n->arg[1], i_column) ? limit(n->arg[0], i_column, row) : INFINITY;
	case EXPR_BETWEEN:
		return is_column(n->arg[0], i_column) ? limit(n->arg[2], i_column, row) : INFINITY;
	default:
		return INFINITY;
	}
}

double expr_upper_bound(const struct expr *x, size_t i_column, const double *row)
{
	return upper_bound(x->root, i_column, row);
}
