#include "domain/expr_parser.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

enum {
	MAX_DEPTH = 200,      /* of recursion, in parsing and evaluation */
	MAX_SQL_NESTING = 80, /* SQLite's parser stacks 100 symbols; 20 are left for the query */
	MAX_SQL_LEAVES = 5000 /* nested ceildivs grow as 3^n in SQL; this is some 100 kB of it */
};

/* The text around the place, short enough that what would be right still fits in the message. */
static void put_excerpt(struct strbuf *out, const char *text, const char *at)
{
	const size_t around = 100;
	size_t before = (size_t)(at - text);
	size_t skip = before > around ? before - around : 0;
	size_t len = strlen(text + skip);
	size_t shown = len > 2 * around ? 2 * around : len;

	strbuf_printf(out, "\"%s%.*s%s\"", skip ? "..." : "", (int)shown, text + skip,
		      shown < len ? "..." : "");
}

struct node *parser_fail(struct parser *p, const char *at, const char *what, const char *right)
{
	struct strbuf excerpt = STRBUF_INIT;

	if (p->rc != ERR_OK)
		return NULL;
	put_excerpt(&excerpt, p->text, at);
	p->rc = err_set(p->e, ERR_PARSE, "%s at character %zu of %s%s%s", what,
			(size_t)(at - p->text) + 1, strbuf_text(&excerpt), *right ? ": " : "",
			right);
	strbuf_release(&excerpt);
	return NULL;
}

struct node *parser_fail_token(struct parser *p, const char *right)
{
	const struct token *t = &p->token;
	char what[80];

	if (t->kind == TOKEN_END)
		return parser_fail(p, t->start, "unexpected end", right);
	snprintf(what, sizeof what, "unexpected '%.*s'", (int)(t->len < 40 ? t->len : 40),
		 t->start);
	return parser_fail(p, t->start, what, t->kind == TOKEN_BAD ? t->hint : right);
}

struct node *parser_fail_memory(struct parser *p)
{
	if (p->rc == ERR_OK)
		p->rc = err_set(p->e, ERR_NOMEM, "out of memory for an expression");
	return NULL;
}

void parser_advance(struct parser *p)
{
	p->token = token_next(p->token.start + p->token.len);
}

bool parser_accept(struct parser *p, const char *word)
{
	if (!token_is(&p->token, word))
		return false;
	parser_advance(p);
	return true;
}

bool parser_expect(struct parser *p, const char *word, const char *right)
{
	if (parser_accept(p, word))
		return true;
	parser_fail_token(p, right);
	return false;
}

bool parser_enter(struct parser *p)
{
	if (++p->depth <= MAX_DEPTH)
		return true;
	parser_fail(p, p->token.start, "too deeply nested", "simplify the expression");
	return false;
}

struct node *parser_leave(struct parser *p, struct node *n)
{
	p->depth--;
	return n;
}

static void free_all(struct node *const *arg, size_t n_args)
{
	for (size_t i = 0; i < n_args; i++)
		node_free(arg[i]);
}

struct node *parser_check(struct parser *p, struct node *n, const char *at)
{
	const char *right = "simplify the expression, or declare parts of it as derived columns";

	if (!n)
		return parser_fail_memory(p);
	if (n->height <= MAX_DEPTH && n->sql_nesting <= MAX_SQL_NESTING &&
	    n->sql_leaves <= MAX_SQL_LEAVES)
		return n;
	node_free(n);
	return parser_fail(p, at, "too deeply nested", right);
}

struct node *parser_grow(struct parser *p, const char *at, enum expr_op op, struct node *const *arg,
			 size_t n_args)
{
	bool any_type = op == EXPR_IS_NULL || op == EXPR_IS_NOT_NULL;
	char right[160];

	for (size_t i = 0; i < n_args; i++) {
		if (!arg[i]) {
			free_all(arg, n_args);
			return NULL;
		}
	}
	for (size_t i = 0; i < n_args && !any_type; i++) {
		if (!node_is_text(arg[i]))
			continue;
		snprintf(right, sizeof right,
			 "%.60s is text, and '%s' wants numbers; text columns take =, !=, in and "
			 "is null",
			 arg[i]->text, expr_op_info[op].word);
		free_all(arg, n_args);
		return parser_fail(p, at, "wrong type", right);
	}
	return parser_check(p, node_new(op, arg, n_args), at);
}

struct node *parser_grow2(struct parser *p, const char *at, enum expr_op op, struct node *a,
			  struct node *b)
{
	return parser_grow(p, at, op, (struct node *[]){a, b}, 2);
}

static enum expr_op text_op(enum expr_op op)
{
	switch (op) {
	case EXPR_EQ:
		return EXPR_TEXT_EQ;
	case EXPR_NE:
		return EXPR_TEXT_NE;
	case EXPR_IN:
		return EXPR_TEXT_IN;
	case EXPR_NOT_IN:
		return EXPR_TEXT_NOT_IN;
	default:
		return op;
	}
}

static bool is_null_literal(const struct node *n)
{
	return n->op == EXPR_NUMBER && isnan(n->number);
}

struct node *parser_grow_equality(struct parser *p, const char *at, enum expr_op op,
				  struct node **arg, size_t n_args)
{
	struct node *first;

	for (size_t i = 0; i < n_args; i++) {
		if (!arg[i])
			return parser_grow(p, at, op, arg, n_args); /* it frees the others */
	}
	if (n_args == 2 && arg[0]->op == EXPR_TEXT && arg[1]->op == EXPR_COLUMN) {
		first = arg[0]; /* 'DGZ' = layout */
		arg[0] = arg[1];
		arg[1] = first;
	}
	first = arg[0];
	if (first->op != EXPR_COLUMN || !first->levels)
		return parser_grow(p, at, op, arg, n_args);
	for (size_t i = 1; i < n_args; i++) {
		char right[160];

		if (arg[i]->op == EXPR_TEXT || is_null_literal(arg[i]))
			continue;
		snprintf(right, sizeof right, "compare %.60s with a text: %.60s = 'text'",
			 first->text, first->text);
		free_all(arg, n_args);
		return parser_fail(p, at, "wrong type", right);
	}
	return parser_check(p, node_new(text_op(op), arg, n_args), at);
}

bool args_add(struct parser *p, struct args *args, struct node *n)
{
	if (!n)
		return false;
	if (args->n == args->cap) {
		size_t cap = args->cap ? 2 * args->cap : 8;
		struct node **grown = realloc(args->item, cap * sizeof *grown);

		if (!grown) {
			node_free(n);
			parser_fail_memory(p);
			return false;
		}
		args->item = grown;
		args->cap = cap;
	}
	args->item[args->n++] = n;
	return true;
}

void args_release(struct args *args)
{
	free_all(args->item, args->n);
	free(args->item);
}
