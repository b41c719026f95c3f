#include "domain/expr_tree.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "domain/expr.h"

const struct expr_op_info expr_op_info[EXPR_OP_COUNT] = {
	[EXPR_NUMBER] = {"", LEVEL_PRIMARY},
	[EXPR_TEXT] = {"", LEVEL_PRIMARY},
	[EXPR_COLUMN] = {"", LEVEL_PRIMARY},
	[EXPR_OR] = {"or", LEVEL_OR},
	[EXPR_AND] = {"and", LEVEL_AND},
	[EXPR_NOT] = {"not", LEVEL_NOT},
	[EXPR_EQ] = {"=", LEVEL_COMPARE},
	[EXPR_NE] = {"!=", LEVEL_COMPARE},
	[EXPR_LT] = {"<", LEVEL_COMPARE},
	[EXPR_LE] = {"<=", LEVEL_COMPARE},
	[EXPR_GT] = {">", LEVEL_COMPARE},
	[EXPR_GE] = {">=", LEVEL_COMPARE},
	[EXPR_IN] = {"in", LEVEL_COMPARE},
	[EXPR_NOT_IN] = {"not in", LEVEL_COMPARE},
	[EXPR_TEXT_EQ] = {"=", LEVEL_COMPARE},
	[EXPR_TEXT_NE] = {"!=", LEVEL_COMPARE},
	[EXPR_TEXT_IN] = {"in", LEVEL_COMPARE},
	[EXPR_TEXT_NOT_IN] = {"not in", LEVEL_COMPARE},
	[EXPR_BETWEEN] = {"between", LEVEL_COMPARE},
	[EXPR_NOT_BETWEEN] = {"not between", LEVEL_COMPARE},
	[EXPR_IS_NULL] = {"is null", LEVEL_COMPARE},
	[EXPR_IS_NOT_NULL] = {"is not null", LEVEL_COMPARE},
	[EXPR_ADD] = {"+", LEVEL_SUM},
	[EXPR_SUB] = {"-", LEVEL_SUM},
	[EXPR_MUL] = {"*", LEVEL_PRODUCT},
	[EXPR_DIV] = {"/", LEVEL_PRODUCT},
	[EXPR_MOD] = {"%", LEVEL_PRODUCT},
	[EXPR_NEG] = {"-", LEVEL_UNARY},
	[EXPR_MIN] = {"min", LEVEL_PRIMARY},
	[EXPR_MAX] = {"max", LEVEL_PRIMARY},
	[EXPR_ABS] = {"abs", LEVEL_PRIMARY},
	[EXPR_CEILDIV] = {"ceildiv", LEVEL_PRIMARY},
	[EXPR_FLOORDIV] = {"floordiv", LEVEL_PRIMARY},
	[EXPR_CEIL] = {"ceil", LEVEL_PRIMARY},
	[EXPR_FLOOR] = {"floor", LEVEL_PRIMARY},
	[EXPR_SQRT] = {"sqrt", LEVEL_PRIMARY},
	[EXPR_LOG2] = {"log2", LEVEL_PRIMARY},
	[EXPR_POW] = {"pow", LEVEL_PRIMARY},
};

bool is_exact_integer(double value)
{
	return fabs(value) <= 9007199254740992.0 /* 2^53 */ && trunc(value) == value;
}

static enum sql_type common_type(const struct node *n)
{
	enum sql_type type = n->arg[0]->sql_type;

	for (size_t i = 1; i < n->n_args; i++) {
		if (n->arg[i]->sql_type != type)
			return SQL_UNKNOWN;
	}
	return type;
}

static enum sql_type type_of(const struct node *n)
{
	switch (n->op) {
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
	case EXPR_DIV:
	case EXPR_CEIL:
	case EXPR_FLOOR:
	case EXPR_SQRT:
	case EXPR_LOG2:
	case EXPR_POW:
		return SQL_REAL; /* put_arithmetic() in expr_sql.c sees to it */
	case EXPR_NEG:
	case EXPR_ABS:
	case EXPR_MIN:
	case EXPR_MAX:
		return common_type(n);
	case EXPR_MOD: /* SQLite: the remainder is real if an operand is */
		return common_type(n) == SQL_INTEGER ? SQL_INTEGER : SQL_UNKNOWN;
	case EXPR_CEILDIV:
	case EXPR_FLOORDIV:
		return common_type(n) == SQL_INTEGER ? SQL_INTEGER : SQL_REAL;
	default:
		return SQL_INTEGER; /* truth values */
	}
}

/* In a chain a + b + c SQLite reduces a + b before it reads the second sign. */
static bool is_chain(const struct node *n)
{
	enum expr_level level = expr_op_info[n->op].level;

	if (level != expr_op_info[n->arg[0]->op].level)
		return false;
	if (level == LEVEL_SUM || level == LEVEL_PRODUCT)
		return n->op == EXPR_MOD || n->arg[0]->sql_type == SQL_REAL; /* no "1.0 * (" */
	return level == LEVEL_OR || level == LEVEL_AND;
}

/* How many symbols SQLite's LALR parser holds when it starts on operand i, at most: for a + b
 * there are a and the sign, a parenthesis, and "1.0 *". It has room for 100 in all. */
static unsigned nesting_cost(const struct node *n, size_t i)
{
	if (n->op == EXPR_CEILDIV || n->op == EXPR_FLOORDIV)
		return 12;
	return i == 0 && is_chain(n) ? 0 : 6;
}

static void measure(struct node *n)
{
	n->height = 1;
	n->sql_nesting = 1;
	n->sql_leaves = n->n_args == 0;
	for (size_t i = 0; i < n->n_args; i++) {
		const struct node *arg = n->arg[i];
		unsigned nesting = arg->sql_nesting + nesting_cost(n, i);
		bool repeats = n->op == EXPR_CEILDIV || n->op == EXPR_FLOORDIV;

		if (n->height < arg->height + 1)
			n->height = arg->height + 1;
		if (n->sql_nesting < nesting)
			n->sql_nesting = nesting;
		n->sql_leaves += arg->sql_leaves * (repeats ? (double)(i + 2) : 1);
	}
}

struct node *node_new(enum expr_op op, struct node *const *arg, size_t n_args)
{
	struct node *n = calloc(1, sizeof *n + n_args * sizeof n->arg[0]);

	if (!n) {
		for (size_t i = 0; i < n_args; i++)
			node_free(arg[i]);
		return NULL;
	}
	n->op = op;
	n->n_args = n_args;
	for (size_t i = 0; i < n_args; i++)
		n->arg[i] = arg[i];
	if (n_args > 0)
		n->sql_type = type_of(n);
	measure(n);
	return n;
}

struct node *node_number(double number)
{
	struct node *n = node_new(EXPR_NUMBER, NULL, 0);

	if (!n)
		return NULL;
	n->number = number;
	n->sql_type = isnan(number) || is_exact_integer(number) ? SQL_INTEGER : SQL_REAL;
	return n;
}

struct node *node_text(char *text)
{
	struct node *n = text ? node_new(EXPR_TEXT, NULL, 0) : NULL;

	if (!n) {
		free(text);
		return NULL;
	}
	n->text = text;
	return n;
}

struct node *node_column(const char *name, size_t column, const struct levels *levels,
			 bool sql_integer)
{
	struct node *n = node_text(strdup(name));

	if (!n)
		return NULL;
	n->op = EXPR_COLUMN;
	n->column = column;
	n->levels = levels;
	n->sql_type = sql_integer ? SQL_INTEGER : SQL_UNKNOWN;
	return n;
}

void node_free(struct node *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->n_args; i++)
		node_free(n->arg[i]);
	free(n->text);
	free(n);
}

void expr_free(struct expr *x)
{
	if (!x)
		return;
	node_free(x->root);
	free(x);
}

/* The canonical text: as few parentheses as give the same tree back, and no reordering: sums of
 * doubles are not associative. */

static void put(const struct node *n, struct strbuf *out);

/* n, in parentheses if it binds looser than `level`. */
void node_put_at(const struct node *n, enum expr_level level, node_put_fn each, struct strbuf *out)
{
	bool loose = expr_op_info[n->op].level < level;

	if (loose)
		strbuf_putc(out, '(');
	each(n, out);
	if (loose)
		strbuf_putc(out, ')');
}

void node_put_list(const struct node *n, size_t first, node_put_fn each, struct strbuf *out)
{
	strbuf_putc(out, '(');
	for (size_t i = first; i < n->n_args; i++) {
		if (i > first)
			strbuf_puts(out, ", ");
		each(n->arg[i], out);
	}
	strbuf_putc(out, ')');
}

static void put_word(const struct node *n, bool upper, struct strbuf *out)
{
	for (const char *c = expr_op_info[n->op].word; *c; c++)
		strbuf_putc(out, upper ? (char)toupper((unsigned char)*c) : *c);
}

void node_put_binary(const struct node *n, bool upper, node_put_fn each, struct strbuf *out)
{
	enum expr_level level = expr_op_info[n->op].level;

	node_put_at(n->arg[0], level == LEVEL_COMPARE ? LEVEL_SUM : level, each, out);
	strbuf_putc(out, ' ');
	put_word(n, upper, out);
	strbuf_putc(out, ' ');
	node_put_at(n->arg[1], level + 1, each, out);
}

void node_put_postfix(const struct node *n, bool upper, node_put_fn each, struct strbuf *out)
{
	node_put_at(n->arg[0], LEVEL_SUM, each, out);
	strbuf_putc(out, ' ');
	put_word(n, upper, out);
	switch (n->op) {
	case EXPR_IS_NULL:
	case EXPR_IS_NOT_NULL:
		break;
	case EXPR_BETWEEN:
	case EXPR_NOT_BETWEEN:
		strbuf_putc(out, ' ');
		node_put_at(n->arg[1], LEVEL_SUM, each, out);
		strbuf_puts(out, upper ? " AND " : " and ");
		node_put_at(n->arg[2], LEVEL_SUM, each, out);
		break;
	default: /* in */
		strbuf_putc(out, ' ');
		node_put_list(n, 1, each, out);
		break;
	}
}

static void put(const struct node *n, struct strbuf *out)
{
	switch (n->op) {
	case EXPR_NUMBER:
		if (isnan(n->number))
			strbuf_puts(out, "null");
		else
			strbuf_put_number(out, n->number);
		break;
	case EXPR_TEXT:
		strbuf_put_sql(out, n->text);
		break;
	case EXPR_COLUMN:
		if (expr_is_name(n->text))
			strbuf_puts(out, n->text);
		else
			strbuf_put_sql_name(out, n->text);
		break;
	case EXPR_NOT:
		strbuf_puts(out, "not ");
		node_put_at(n->arg[0], LEVEL_NOT, put, out);
		break;
	case EXPR_NEG:
		strbuf_putc(out, '-');
		node_put_at(n->arg[0], LEVEL_UNARY, put, out);
		break;
	case EXPR_MIN:
	case EXPR_MAX:
	case EXPR_ABS:
	case EXPR_CEILDIV:
	case EXPR_FLOORDIV:
	case EXPR_CEIL:
	case EXPR_FLOOR:
	case EXPR_SQRT:
	case EXPR_LOG2:
	case EXPR_POW:
		strbuf_puts(out, expr_op_info[n->op].word);
		node_put_list(n, 0, put, out);
		break;
	case EXPR_IN:
	case EXPR_NOT_IN:
	case EXPR_TEXT_IN:
	case EXPR_TEXT_NOT_IN:
	case EXPR_BETWEEN:
	case EXPR_NOT_BETWEEN:
	case EXPR_IS_NULL:
	case EXPR_IS_NOT_NULL:
		node_put_postfix(n, false, put, out);
		break;
	default:
		node_put_binary(n, false, put, out);
		break;
	}
}

void expr_put_text(const struct expr *x, struct strbuf *out)
{
	put(x->root, out);
}

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

static size_t count(const struct node *n, const double *row, size_t *n_conditions,
		    struct strbuf *out)
{
	struct expr condition = {.root = (struct node *)n};
	size_t holding;

	if (n->op == EXPR_AND) {
		holding = count(n->arg[0], row, n_conditions, out);
		return holding + count(n->arg[1], row, n_conditions, out);
	}
	++*n_conditions;
	if (expr_holds(&condition, row))
		return 1;
	if (out->len == 0)
		expr_put_text(&condition, out);
	return 0;
}

size_t expr_holding(const struct expr *x, const double *row, size_t *n, struct strbuf *out)
{
	struct strbuf first = STRBUF_INIT;
	size_t holding;

	*n = 0;
	holding = count(x->root, row, n, &first);
	strbuf_puts(out, strbuf_text(&first));
	out->failed |= first.failed;
	strbuf_release(&first);
	return holding;
}

/* ---- levels ---- */

/* Linear search: a categorical column has a handful of levels, and rows hold codes, so names are
 * looked up only while reading text. */

size_t levels_find(const struct levels *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++) {
		if (strcmp(l->name[i], name) == 0)
			return i;
	}
	return SIZE_MAX;
}

size_t levels_add(struct levels *l, const char *name)
{
	size_t code = levels_find(l, name);
	char *copy;

	if (code != SIZE_MAX)
		return code;
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 8;
		char **grown = realloc(l->name, cap * sizeof *grown);

		if (!grown)
			return SIZE_MAX;
		l->name = grown;
		l->cap = cap;
	}
	copy = strdup(name);
	if (!copy)
		return SIZE_MAX;
	l->name[l->n] = copy;
	return l->n++;
}

void levels_release(struct levels *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	*l = (struct levels){0};
}
