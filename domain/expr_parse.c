#include "domain/expr.h"

#include <math.h>
#include <stdlib.h>

#include "domain/expr_parser.h"

/* Recursive descent, one function per level of precedence. */

/* ---- operators, tightest first ---- */

static struct node *parse_unary(struct parser *p)
{
	const char *at = p->token.start;
	struct node *n;

	if (parser_accept(p, "+"))
		return parser_fail(p, at, "unexpected '+'", "leave it out");
	if (!parser_accept(p, "-"))
		return parse_primary(p);
	if (!parser_enter(p))
		return parser_leave(p, NULL);
	n = parser_leave(p, parse_unary(p));
	if (n && n->op == EXPR_NUMBER && !isnan(n->number)) {
		n->number = 0 - n->number; /* -5 is a number, not an operation; never -0 */
		return n;
	}
	return parser_grow(p, at, EXPR_NEG, &n, 1);
}

static struct node *parse_product(struct parser *p)
{
	struct node *n = parse_unary(p);

	while (n) {
		const char *at = p->token.start;

		if (parser_accept(p, "*"))
			n = parser_grow2(p, at, EXPR_MUL, n, parse_unary(p));
		else if (parser_accept(p, "/"))
			n = parser_grow2(p, at, EXPR_DIV, n, parse_unary(p));
		else if (parser_accept(p, "%"))
			n = parser_grow2(p, at, EXPR_MOD, n, parse_unary(p));
		else
			break;
	}
	return n;
}

static struct node *parse_sum(struct parser *p)
{
	struct node *n = parse_product(p);

	while (n) {
		const char *at = p->token.start;

		if (parser_accept(p, "+"))
			n = parser_grow2(p, at, EXPR_ADD, n, parse_product(p));
		else if (parser_accept(p, "-"))
			n = parser_grow2(p, at, EXPR_SUB, n, parse_product(p));
		else
			break;
	}
	return n;
}

/* "in (a, b)" after its left side, which is taken over. */
static struct node *parse_in(struct parser *p, const char *at, bool negated, struct node *left)
{
	struct args args = {0};
	struct node *n = NULL;

	if (args_add(p, &args, left) && parser_expect(p, "(", "write in (a, b)") &&
	    parse_args(p, &args)) {
		n = parser_grow_equality(p, at, negated ? EXPR_NOT_IN : EXPR_IN, args.item, args.n);
		args.n = 0;
	}
	args_release(&args);
	return n;
}

static struct node *parse_between(struct parser *p, const char *at, bool negated, struct node *left)
{
	struct node *from = parse_sum(p);
	struct node *to = NULL;

	if (from && parser_expect(p, "and", "write between a and b"))
		to = parse_sum(p);
	return parser_grow(p, at, negated ? EXPR_NOT_BETWEEN : EXPR_BETWEEN,
			   (struct node *[]){left, from, to}, 3);
}

static struct node *parse_is(struct parser *p, const char *at, struct node *left)
{
	bool negated = parser_accept(p, "not");

	if (!parser_expect(p, "null", "write is null or is not null")) {
		node_free(left);
		return NULL;
	}
	if (left && left->op == EXPR_TEXT) {
		node_free(left);
		return parser_fail(p, at, "wrong type",
				   "a text is never null; write column is null");
	}
	return parser_grow(p, at, negated ? EXPR_IS_NOT_NULL : EXPR_IS_NULL, &left, 1);
}

struct comparison {
	const char *sign;
	enum expr_op op;
};

static const struct comparison comparisons[] = {
	{"=", EXPR_EQ}, {"==", EXPR_EQ}, {"!=", EXPR_NE}, {"<>", EXPR_NE},
	{"<", EXPR_LT}, {"<=", EXPR_LE}, {">", EXPR_GT},  {">=", EXPR_GE},
};

static const struct comparison *find_comparison(const struct token *t)
{
	for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
		if (token_is(t, comparisons[i].sign))
			return &comparisons[i];
	}
	return NULL;
}

/* n = left operand; the comparison that follows it, or n itself when none does. */
static struct node *parse_comparison_of(struct parser *p, struct node *n)
{
	const struct token t = p->token;
	const struct comparison *c = find_comparison(&t);
	bool negated;

	if (c) {
		struct node *arg[2] = {n, NULL};

		parser_advance(p);
		arg[1] = parse_sum(p);
		return c->op == EXPR_EQ || c->op == EXPR_NE
			       ? parser_grow_equality(p, t.start, c->op, arg, 2)
			       : parser_grow(p, t.start, c->op, arg, 2);
	}
	if (parser_accept(p, "is"))
		return parse_is(p, t.start, n);
	negated = parser_accept(p, "not");
	if (parser_accept(p, "in"))
		return parse_in(p, t.start, negated, n);
	if (parser_accept(p, "between"))
		return parse_between(p, t.start, negated, n);
	if (negated) {
		node_free(n);
		return parser_fail_token(p, "write not in (...) or not between a and b");
	}
	return n;
}

static struct node *parse_comparison(struct parser *p)
{
	struct node *left = parse_sum(p);
	struct node *n = left ? parse_comparison_of(p, left) : NULL;

	if (n && n != left &&
	    (find_comparison(&p->token) || token_is(&p->token, "is") || token_is(&p->token, "in") ||
	     token_is(&p->token, "between"))) {
		node_free(n);
		return parser_fail_token(p, "comparisons do not chain; write a < b and b < c");
	}
	return n;
}

static struct node *parse_not(struct parser *p)
{
	const char *at = p->token.start;
	struct node *n;

	if (!parser_accept(p, "not"))
		return parse_comparison(p);
	if (!parser_enter(p))
		return parser_leave(p, NULL);
	n = parser_leave(p, parse_not(p));
	return parser_grow(p, at, EXPR_NOT, &n, 1);
}

static struct node *parse_and(struct parser *p)
{
	struct node *n = parse_not(p);

	while (n) {
		const char *at = p->token.start;

		if (!parser_accept(p, "and"))
			break;
		n = parser_grow2(p, at, EXPR_AND, n, parse_not(p));
	}
	return n;
}

struct node *parse_or(struct parser *p)
{
	struct node *n;

	if (!parser_enter(p))
		return parser_leave(p, NULL);
	n = parse_and(p);
	while (n) {
		const char *at = p->token.start;

		if (!parser_accept(p, "or"))
			break;
		n = parser_grow2(p, at, EXPR_OR, n, parse_and(p));
	}
	return parser_leave(p, n);
}

enum err_code expr_parse(const char *text, const struct expr_scope *scope, struct expr **out,
			 struct err *e)
{
	struct parser p = {.text = text, .token = token_next(text), .scope = scope, .e = e};
	struct expr *x;
	struct node *root = parse_or(&p);

	if (root && p.token.kind != TOKEN_END)
		parser_fail_token(&p, "an operator or the end is wanted");
	else if (root && node_is_text(root))
		parser_fail(&p, text, "wrong type",
			    "a text is no condition; compare it with something");
	if (p.rc != ERR_OK) {
		node_free(root);
		return p.rc;
	}
	x = malloc(sizeof *x);
	if (!x) {
		node_free(root);
		return err_set(e, ERR_NOMEM, "out of memory for an expression");
	}
	x->root = root;
	*out = x;
	return ERR_OK;
}

enum err_code expr_text_to_sql(const char *text, const struct expr_scope *scope, struct strbuf *out,
			       struct err *e)
{
	struct expr *x = NULL;
	enum err_code rc = expr_parse(text, scope, &x, e);

	if (rc == ERR_OK) {
		expr_put_sql(x, out);
		expr_free(x);
	}
	return rc;
}
