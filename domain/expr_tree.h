#ifndef DOMAIN_EXPR_TREE_H
#define DOMAIN_EXPR_TREE_H
#include <stdbool.h>
#include <stddef.h>
#include "domain/expr.h"

/* Private to the expr_*.c files: the tree behind struct expr. */

enum expr_op {
	EXPR_NUMBER, /* number; NaN is the literal null */
	EXPR_TEXT,
	EXPR_COLUMN,
	EXPR_OR,
	EXPR_AND,
	EXPR_NOT,
	EXPR_EQ,
	EXPR_NE,
	EXPR_LT,
	EXPR_LE,
	EXPR_GT,
	EXPR_GE,
	EXPR_IN, /* arg[0] in (arg[1], ...) */
	EXPR_NOT_IN,
	/* Equality on a text column: arg[0] is the column, the others are EXPR_TEXT or null. */
	EXPR_TEXT_EQ,
	EXPR_TEXT_NE,
	EXPR_TEXT_IN,
	EXPR_TEXT_NOT_IN,
	EXPR_BETWEEN, /* arg[0] between arg[1] and arg[2] */
	EXPR_NOT_BETWEEN,
	EXPR_IS_NULL,
	EXPR_IS_NOT_NULL,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
	EXPR_NEG,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_ABS,
	EXPR_CEILDIV,
	EXPR_FLOORDIV,
	/* Only where the scope has math: plain SQLite lacks them. */
	EXPR_CEIL,
	EXPR_FLOOR,
	EXPR_SQRT,
	EXPR_LOG2,
	EXPR_POW,
	EXPR_OP_COUNT
};

/* How tightly an operator binds; what binds tighter needs no parentheses. */
enum expr_level {
	LEVEL_OR,
	LEVEL_AND,
	LEVEL_NOT,
	LEVEL_COMPARE,
	LEVEL_SUM,
	LEVEL_PRODUCT,
	LEVEL_UNARY,
	LEVEL_PRIMARY
};

struct expr_op_info {
	const char *word; /* the operator or function as printed */
	enum expr_level level;
};
extern const struct expr_op_info expr_op_info[EXPR_OP_COUNT];

/* What SQLite's type of a value is known to be; it decides between the two kinds of arithmetic. */
enum sql_type { SQL_UNKNOWN, SQL_INTEGER, SQL_REAL };

struct node {
	enum expr_op op;
	enum sql_type sql_type; /* of the SQL that expr_put_sql() prints for it */
	unsigned height;	/* of the tree below, 1 for a leaf: the recursion of expr_eval() */
	unsigned sql_nesting;	/* bound on what SQLite's parser must stack for it */
	double sql_leaves;	/* leaves in its SQL: ceildiv mentions its operands repeatedly */
	double number;		/* EXPR_NUMBER */
	size_t column;		/* EXPR_COLUMN */
	char *text;		/* EXPR_TEXT: the text; EXPR_COLUMN: the name */
	const struct levels *levels; /* EXPR_COLUMN of text, else NULL */
	size_t n_args;
	struct node *arg[];
};

struct expr {
	struct node *root;
};

/* Takes over the n_args nodes in arg, also when it returns NULL (out of memory). */
struct node *node_new(enum expr_op op, struct node *const *arg, size_t n_args);
struct node *node_number(double number);
/* Takes over text, which may be NULL (then NULL comes back). */
struct node *node_text(char *text);
struct node *node_column(const char *name, size_t column, const struct levels *levels,
			 bool sql_integer);
void node_free(struct node *n);

/* Put a node as text: in brackets where it binds less than the level; its arguments from the first
 * on as a list in brackets. */
typedef void (*node_put_fn)(const struct node *n, struct strbuf *out);
void node_put_at(const struct node *n, enum expr_level level, node_put_fn each, struct strbuf *out);
void node_put_list(const struct node *n, size_t first, node_put_fn each, struct strbuf *out);
/* Comparisons do not chain, so both their operands are sums; else the left operand may be of the
 * operator's own level and the right one must bind tighter. upper: words as in SQL, where
 * comparisons do chain: (a < b) = c keeps its parentheses. */
void node_put_binary(const struct node *n, bool upper, node_put_fn each, struct strbuf *out);
/* in, between and is null with their operands; words as above. */
void node_put_postfix(const struct node *n, bool upper, node_put_fn each, struct strbuf *out);

static inline bool node_is_text(const struct node *n)
{
	return n->op == EXPR_TEXT || (n->op == EXPR_COLUMN && n->levels);
}

/* Is it a whole number that a double holds exactly? */
bool is_exact_integer(double value);

#endif
