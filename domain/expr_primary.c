#include "domain/expr_parser.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/units.h"

enum { MAX_ARGS = 1000 };

bool parse_args(struct parser *p, struct args *args)
{
	size_t n = 0;

	do {
		if (++n > MAX_ARGS) {
			parser_fail(p, p->token.start, "too long a list", "1000 items at most");
			return false;
		}
		if (!args_add(p, args, parse_or(p)))
			return false;
	} while (parser_accept(p, ","));
	return parser_expect(p, ")", "write ',' or ')'");
}

static struct node *parse_number(struct parser *p)
{
	const struct token t = p->token;
	char text[64] = "";
	double number;

	if (t.len < sizeof text) {
		memcpy(text, t.start, t.len);
		text[t.len] = '\0';
	}
	if (number_parse(text, &number, NULL) != ERR_OK)
		return parser_fail_token(p, "not a number");
	parser_advance(p);
	return parser_check(p, node_number(number), t.start);
}

/* machine = sp2like: a text without its quotes? */
static bool looks_like_text(const struct parser *p)
{
	const char *before = p->token.start;

	while (before > p->text && before[-1] == ' ')
		before--;
	if (before == p->text || before[-1] != '=' || !p->scope->levels)
		return false;
	for (size_t i = 0; i < p->scope->n; i++) {
		if (p->scope->levels[i])
			return true;
	}
	return false;
}

static struct node *fail_unknown(struct parser *p, const char *name)
{
	struct strbuf right = STRBUF_INIT;
	char what[100];

	snprintf(what, sizeof what, "unknown column '%.60s'", name);
	if (looks_like_text(p))
		strbuf_printf(&right, "a text stands in quotes, '%.60s'; ", name);
	strbuf_puts(&right, "the columns are ");
	for (size_t i = 0; i < p->scope->n; i++)
		strbuf_printf(&right, "%s%s", i ? ", " : "", p->scope->name[i]);
	parser_fail(p, p->token.start, what, strbuf_text(&right));
	strbuf_release(&right);
	return NULL;
}

static struct node *parse_column(struct parser *p)
{
	const char *at = p->token.start;
	char *name = token_unquote(&p->token);
	struct node *n = NULL;
	size_t i;

	if (!name)
		return parser_fail_memory(p);
	for (i = 0; i < p->scope->n; i++) {
		if (strcasecmp(p->scope->name[i], name) == 0)
			break;
	}
	if (i == p->scope->n) {
		fail_unknown(p, name);
	} else {
		const struct levels *levels = p->scope->levels ? p->scope->levels[i] : NULL;
		bool integer = p->scope->integer && p->scope->integer[i];

		n = parser_check(p, node_column(p->scope->name[i], i, levels, integer), at);
		parser_advance(p);
	}
	free(name);
	return n;
}

struct function {
	const char *name;
	enum expr_op op;
	size_t min_args;
	size_t max_args;
	const char *usage;
};

static const struct function functions[] = {
	{"min", EXPR_MIN, 2, MAX_ARGS, "write min(a, b, ...)"},
	{"max", EXPR_MAX, 2, MAX_ARGS, "write max(a, b, ...)"},
	{"abs", EXPR_ABS, 1, 1, "write abs(a)"},
	{"ceildiv", EXPR_CEILDIV, 2, 2, "write ceildiv(a, b)"},
	{"floordiv", EXPR_FLOORDIV, 2, 2, "write floordiv(a, b)"},
};

static const struct function *find_function(const struct token *name)
{
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		if (token_is(name, functions[i].name))
			return &functions[i];
	}
	return NULL;
}

/* name is the token before the parenthesis that is next. */
static struct node *parse_call(struct parser *p, const struct token *name)
{
	const struct function *f = find_function(name);
	struct args args = {0};
	struct node *n = NULL;

	if (!f)
		return parser_fail(p, name->start, "unknown function",
				   "the functions are min, max, abs, ceildiv and floordiv");
	parser_advance(p);
	if (!parse_args(p, &args)) {
		args_release(&args);
		return NULL;
	}
	if (args.n < f->min_args || args.n > f->max_args) {
		parser_fail(p, name->start, "wrong number of arguments", f->usage);
		args_release(&args);
		return NULL;
	}
	n = parser_grow(p, name->start, f->op, args.item, args.n);
	free(args.item);
	return n;
}

struct node *parse_primary(struct parser *p)
{
	const struct token t = p->token;
	struct node *n;

	if (t.kind == TOKEN_NUMBER)
		return parse_number(p);
	if (t.kind == TOKEN_TEXT) {
		parser_advance(p);
		return parser_check(p, node_text(token_unquote(&t)), t.start);
	}
	if (parser_accept(p, "null"))
		return parser_check(p, node_number((double)NAN), t.start);
	if (t.kind == TOKEN_NAME && !token_is_keyword(&t)) {
		struct token next = token_next(t.start + t.len);

		if (!token_is(&next, "("))
			return parse_column(p);
		parser_advance(p);
		return parse_call(p, &t);
	}
	if (!parser_accept(p, "("))
		return parser_fail_token(p, "a number, a 'text', a column or '(' is wanted");
	n = parse_or(p);
	if (n && !parser_expect(p, ")", "write ')'")) {
		node_free(n);
		return NULL;
	}
	return n;
}
