#include "domain/expr.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "domain/expr_tree.h"

/* Runs millions of times in a search: no allocation, and leaves are read without a call. Every case
 * does what SQLite does with the SQL of expr_sql.c; tests/unit/kb/test_expr_sql.c holds the two
 * against each other. */

static double eval(const struct node *n, const double *row);

static inline double value(const struct node *n, const double *row)
{
	if (n->op == EXPR_COLUMN)
		return row[n->column];
	if (n->op == EXPR_NUMBER)
		return n->number;
	return eval(n, row);
}

/* Three-valued logic on 1, 0, NaN (any other number is true). */

static double truth_not(double a)
{
	return isnan(a) ? a : a == 0;
}

static double truth_and(const struct node *n, const double *row)
{
	double a = value(n->arg[0], row);
	double b;

	if (a == 0)
		return 0;
	b = value(n->arg[1], row);
	if (b == 0)
		return 0;
	return isunordered(a, b) ? (double)NAN : 1;
}

static double truth_or(const struct node *n, const double *row)
{
	double a = value(n->arg[0], row);
	double b;

	if (!isnan(a) && a != 0)
		return 1;
	b = value(n->arg[1], row);
	if (!isnan(b) && b != 0)
		return 1;
	return isunordered(a, b) ? (double)NAN : 0;
}

static double compare(enum expr_op op, double a, double b)
{
	if (isunordered(a, b))
		return (double)NAN;
	switch (op) {
	case EXPR_EQ:
		return a == b;
	case EXPR_NE:
		return a != b;
	case EXPR_LT:
		return a < b;
	case EXPR_LE:
		return a <= b;
	case EXPR_GT:
		return a > b;
	default:
		return a >= b;
	}
}

static double between(const struct node *n, const double *row)
{
	double a = value(n->arg[0], row);
	double from = compare(EXPR_GE, a, value(n->arg[1], row));
	double to = compare(EXPR_LE, a, value(n->arg[2], row));

	if (from == 0 || to == 0)
		return 0;
	return isunordered(from, to) ? (double)NAN : 1;
}

static double in_list(const struct node *n, const double *row)
{
	double a = value(n->arg[0], row);
	double unknown = 0;

	for (size_t i = 1; i < n->n_args; i++) {
		double b = value(n->arg[i], row);

		if (a == b)
			return 1;
		if (isunordered(a, b))
			unknown = (double)NAN;
	}
	return unknown;
}

/* arg[0] is a text column: is its level one of the other arguments? */
static double text_in_list(const struct node *n, const double *row)
{
	const struct node *column = n->arg[0];
	double code = row[column->column];
	double unknown = 0;
	const char *name;

	if (!(code >= 0 && code < (double)column->levels->n))
		return (double)NAN;
	name = column->levels->name[(size_t)code];
	for (size_t i = 1; i < n->n_args; i++) {
		if (n->arg[i]->op != EXPR_TEXT)
			unknown = (double)NAN; /* the literal null */
		else if (strcmp(n->arg[i]->text, name) == 0)
			return 1;
	}
	return unknown;
}

/* SQLite's cast of a real to an integer: cut towards zero, clamped. */
static int64_t to_integer(double x)
{
	if (x <= -9223372036854775808.0)
		return INT64_MIN;
	if (x >= 9223372036854775808.0)
		return INT64_MAX;
	return (int64_t)x;
}

/* The remainder has the sign of a, as in C and SQL. */
static double integer_mod(double a, double b)
{
	int64_t divisor = isunordered(a, b) ? 0 : to_integer(b);

	if (divisor == 0)
		return (double)NAN;
	return divisor == -1 ? 0 : (double)(to_integer(a) % divisor);
}

/* Rounded down or up; beyond 2^53, where quotients of doubles would be inexact, in integers. */
static double integer_div_large(double a, double b, bool up)
{
	int64_t dividend = to_integer(a);
	int64_t divisor = to_integer(b);
	int64_t quotient;
	int64_t rest;

	if (dividend == INT64_MIN && divisor == -1)
		return 9223372036854775808.0; /* SQLite turns to reals when integers overflow */
	quotient = dividend / divisor;
	rest = dividend % divisor;
	if (rest != 0 && ((rest < 0) == (divisor < 0)) == up)
		quotient += up ? 1 : -1;
	return (double)quotient;
}

static double integer_div(double a, double b, bool up)
{
	double dividend = trunc(a);
	double divisor = trunc(b);

	if (divisor == 0 || isunordered(a, b))
		return (double)NAN;
	if (!is_exact_integer(dividend) || !is_exact_integer(divisor))
		return integer_div_large(dividend, divisor, up);
	/* The quotient of integers within 2^53 never rounds across an integer. */
	return up ? ceil(dividend / divisor) : floor(dividend / divisor);
}

/* NULL if any argument is, as SQLite's scalar min() and max(). */
static double extreme(const struct node *n, const double *row)
{
	double best = value(n->arg[0], row);

	for (size_t i = 1; i < n->n_args; i++) {
		double a = value(n->arg[i], row);

		if (isunordered(a, best))
			return (double)NAN;
		if (n->op == EXPR_MIN ? a < best : a > best)
			best = a;
	}
	return best;
}

static double arithmetic(enum expr_op op, double a, double b)
{
	switch (op) {
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	case EXPR_DIV:
		return b == 0 ? (double)NAN : a / b;
	case EXPR_MOD:
		return integer_mod(a, b);
	default:
		return integer_div(a, b, op == EXPR_CEILDIV);
	}
}

/* What is no finite number is NULL. */
static double finite_or_null(double a)
{
	return isfinite(a) ? a : (double)NAN;
}

static double eval(const struct node *n, const double *row)
{
	switch (n->op) {
	case EXPR_NUMBER:
	case EXPR_COLUMN:
		return value(n, row);
	case EXPR_OR:
		return truth_or(n, row);
	case EXPR_AND:
		return truth_and(n, row);
	case EXPR_NOT:
		return truth_not(value(n->arg[0], row));
	case EXPR_EQ:
	case EXPR_NE:
	case EXPR_LT:
	case EXPR_LE:
	case EXPR_GT:
	case EXPR_GE:
		return compare(n->op, value(n->arg[0], row), value(n->arg[1], row));
	case EXPR_IN:
		return in_list(n, row);
	case EXPR_NOT_IN:
		return truth_not(in_list(n, row));
	case EXPR_TEXT_EQ:
	case EXPR_TEXT_IN:
		return text_in_list(n, row);
	case EXPR_TEXT_NE:
	case EXPR_TEXT_NOT_IN:
		return truth_not(text_in_list(n, row));
	case EXPR_BETWEEN:
		return between(n, row);
	case EXPR_NOT_BETWEEN:
		return truth_not(between(n, row));
	case EXPR_IS_NULL:
		return isnan(value(n->arg[0], row)) != 0;
	case EXPR_IS_NOT_NULL:
		return !isnan(value(n->arg[0], row));
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
	case EXPR_DIV:
	case EXPR_MOD:
	case EXPR_CEILDIV:
	case EXPR_FLOORDIV:
		return arithmetic(n->op, value(n->arg[0], row), value(n->arg[1], row));
	case EXPR_NEG:
		return -value(n->arg[0], row);
	case EXPR_ABS:
		return fabs(value(n->arg[0], row));
	case EXPR_MIN:
	case EXPR_MAX:
		return extreme(n, row);
	case EXPR_CEIL:
		return ceil(value(n->arg[0], row));
	case EXPR_FLOOR:
		return floor(value(n->arg[0], row));
	case EXPR_SQRT:
		return finite_or_null(sqrt(value(n->arg[0], row)));
	case EXPR_LOG2:
		return finite_or_null(log2(value(n->arg[0], row)));
	case EXPR_POW:
		return finite_or_null(pow(value(n->arg[0], row), value(n->arg[1], row)));
	case EXPR_TEXT:
	case EXPR_OP_COUNT:
		break;
	}
	assert(false && "an operator that the parser does not make");
	return (double)NAN;
}

double expr_eval(const struct expr *x, const double *row)
{
	return value(x->root, row);
}

bool expr_holds(const struct expr *x, const double *row)
{
	double truth = expr_eval(x, row);

	return !isnan(truth) && truth != 0;
}

static bool uses(const struct node *n, size_t i_column)
{
	if (n->op == EXPR_COLUMN)
		return n->column == i_column;
	for (size_t i = 0; i < n->n_args; i++) {
		if (uses(n->arg[i], i_column))
			return true;
	}
	return false;
}

bool expr_uses(const struct expr *x, size_t i_column)
{
	return uses(x->root, i_column);
}

static bool is_integer(const struct node *n, const bool *integer)
{
	switch (n->op) {
	case EXPR_NUMBER:
		return isnan(n->number) || is_exact_integer(n->number);
	case EXPR_COLUMN:
		return integer[n->column];
	case EXPR_DIV:
	case EXPR_SQRT:
	case EXPR_LOG2:
	case EXPR_POW:
		return false;
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
	case EXPR_NEG:
	case EXPR_ABS:
	case EXPR_MIN:
	case EXPR_MAX:
		for (size_t i = 0; i < n->n_args; i++) {
			if (!is_integer(n->arg[i], integer))
				return false;
		}
		return true;
	default:
		return true; /* %, ceildiv, floordiv, ceil, floor and truth values, whatever they
				work on */
	}
}

bool expr_is_integer(const struct expr *x, const bool *integer)
{
	return is_integer(x->root, integer);
}
