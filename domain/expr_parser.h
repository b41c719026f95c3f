#ifndef DOMAIN_EXPR_PARSER_H
#define DOMAIN_EXPR_PARSER_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/expr.h"
#include "domain/expr_lex.h"
#include "domain/expr_tree.h"

/* Private to the expr_*.c files: what the functions of the recursive descent share. Each parse_
 * function returns a tree, or NULL with the error recorded (the first one wins, so callers just
 * pass NULL on). */

struct parser {
	const char *text;
	struct token token; /* the one to look at */
	const struct expr_scope *scope;
	unsigned depth;
	enum err_code rc;
	struct err *e;
};

/* ---- expr_parser.c: tokens, errors, growing trees ---- */

/* Record what is wrong at a place of the text, and what would be right; NULL. */
struct node *parser_fail(struct parser *p, const char *at, const char *what, const char *right);
/* The same about the current token being unexpected. */
struct node *parser_fail_token(struct parser *p, const char *right);
struct node *parser_fail_memory(struct parser *p);

void parser_advance(struct parser *p);
/* Step over the current token if it is this word. */
bool parser_accept(struct parser *p, const char *word);
bool parser_expect(struct parser *p, const char *word, const char *right);

/* Every recursion passes enter() on its way down (false: too deep) and leave(), which returns n,
 * on its way up, also after a failed enter(). */
bool parser_enter(struct parser *p);
struct node *parser_leave(struct parser *p, struct node *n);

/* n, if it exists and nothing that evaluates it or reads it as SQL could run out of stack. */
struct node *parser_check(struct parser *p, struct node *n, const char *at);
/* An operator over operands, which are taken over. One that is NULL makes the result NULL. Texts
 * are allowed only in is [not] null. */
struct node *parser_grow(struct parser *p, const char *at, enum expr_op op, struct node *const *arg,
			 size_t n_args);
struct node *parser_grow2(struct parser *p, const char *at, enum expr_op op, struct node *a,
			  struct node *b);
/* = != in, not in: over numbers, or over a text column and texts. */
struct node *parser_grow_equality(struct parser *p, const char *at, enum expr_op op,
				  struct node **arg, size_t n_args);

/* A growing list of operands. */
struct args {
	struct node **item;
	size_t n;
	size_t cap;
};
/* Takes n over; false with the error recorded. */
bool args_add(struct parser *p, struct args *args, struct node *n);
void args_release(struct args *args);

/* ---- expr_primary.c ---- */

/* A number, text, column, function call or parenthesis. */
struct node *parse_primary(struct parser *p);
/* "a, b, c)" after the opening parenthesis; appends to args. */
bool parse_args(struct parser *p, struct args *args);

/* ---- expr_parse.c ---- */

/* A whole expression, up to what cannot belong to it. */
struct node *parse_or(struct parser *p);

#endif
