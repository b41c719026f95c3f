#include "domain/expr.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "domain/expr_tree.h"

/* The words of the condition language. */

enum token_kind {
	TOKEN_END,
	TOKEN_NUMBER, /* 12, 0.5, 1e-3 */
	TOKEN_TEXT,   /* 'it''s' */
	TOKEN_NAME,   /* column, function or keyword; "quoted": a column */
	TOKEN_SIGN,   /* an operator, a parenthesis or a comma */
	TOKEN_BAD     /* no word of the language; `hint` says what would be right */
};

struct token {
	enum token_kind kind;
	const char *start; /* in the text, quotes included */
	size_t len;
	const char *hint; /* TOKEN_BAD only */
};

/* What the functions of the recursive descent share. Each parse_ function returns a tree, or NULL
 * with the error recorded (the first one wins, so callers just pass NULL on). */
struct expr_parser {
	const char *text;
	struct token token; /* the one to look at */
	const struct expr_scope *scope;
	unsigned depth;
	enum err_code rc;
	struct err *e;
};

/* A growing list of operands. */
struct args {
	struct node **item;
	size_t n;
	size_t cap;
};

/* A whole expression, up to what cannot belong to it. */
static struct node *parse_or(struct expr_parser *p);

/* <ctype.h> asks the locale; this language is ASCII. */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_char(char c)
{
	return is_name_start(c) || is_digit(c);
}

static struct token bad_token(const char *start, size_t len, const char *hint)
{
	return (struct token){.kind = TOKEN_BAD, .start = start, .len = len, .hint = hint};
}

static struct token number_token(const char *start)
{
	const char *p = start;

	while (is_digit(*p) || *p == '.')
		p++;
	if (*p == 'e' || *p == 'E') {
		p++;
		if (*p == '+' || *p == '-')
			p++;
	}
	while (is_name_char(*p)) /* letters too, so that "12abc" is one bad number */
		p++;
	return (struct token){.kind = TOKEN_NUMBER, .start = start, .len = (size_t)(p - start)};
}

static struct token name_token(const char *start)
{
	const char *p = start;

	while (is_name_char(*p))
		p++;
	return (struct token){.kind = TOKEN_NAME, .start = start, .len = (size_t)(p - start)};
}

/* 'text' or "name"; inside, a doubled quote stands for one. */
static struct token quoted_token(const char *start)
{
	char quote = *start;
	const char *p = start + 1;

	for (;;) {
		p += strcspn(p, quote == '"' ? "\"" : "'");
		if (!*p)
			return bad_token(start, strlen(start), "a closing quote is missing");
		if (p[1] != quote)
			break;
		p += 2;
	}
	return (struct token){.kind = quote == '"' ? TOKEN_NAME : TOKEN_TEXT,
			      .start = start,
			      .len = (size_t)(p + 1 - start)};
}

static struct token sign_token(const char *start)
{
	static const char *const sign[] = {"==", "<>", "!=", "<=", ">=", "=", "<", ">",
					   "+",	 "-",  "*",  "/",  "%",	 "(", ")", ","};
	static const struct {
		const char *sign;
		const char *hint;
	} foreign[] = {
		{"&&", "write 'and'"},
		{"||", "write 'or'"},
		{"!", "write 'not'"},
		{"**", "there are no powers: write x * x; terms of a definition have "
		       "pow(a, b)"},
		{"^", "there are no powers: write x * x; terms of a definition have pow(a, b)"}};

	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
		size_t len = strlen(foreign[i].sign);

		if (strncmp(start, foreign[i].sign, len) == 0 && start[len] != '=')
			return bad_token(start, len, foreign[i].hint);
	}
	for (size_t i = 0; i < sizeof sign / sizeof sign[0]; i++) {
		size_t len = strlen(sign[i]);

		if (strncmp(start, sign[i], len) == 0)
			return (struct token){.kind = TOKEN_SIGN, .start = start, .len = len};
	}
	return bad_token(start, 1, "no such sign in a condition");
}

/* The first token at or after `at`. */
static struct token token_next(const char *at)
{
	while (is_space(*at))
		at++;
	if (!*at)
		return (struct token){.kind = TOKEN_END, .start = at};
	if (is_digit(*at) || (*at == '.' && is_digit(at[1])))
		return number_token(at);
	if (is_name_start(*at))
		return name_token(at);
	if (*at == '\'' || *at == '"')
		return quoted_token(at);
	return sign_token(at);
}

/* Is it this sign, or this keyword in any case? */
static bool token_is(const struct token *t, const char *word)
{
	return (t->kind == TOKEN_SIGN || t->kind == TOKEN_NAME) && strlen(word) == t->len &&
	       strncasecmp(t->start, word, t->len) == 0;
}

/* Is it a word that no column can be called by (unless "quoted")? */
static bool token_is_keyword(const struct token *t)
{
	static const char *const keyword[] = {"or", "and", "not", "in", "between", "is", "null"};

	for (size_t i = 0; i < sizeof keyword / sizeof keyword[0]; i++) {
		if (token_is(t, keyword[i]))
			return true;
	}
	return false;
}

bool expr_is_name(const char *text)
{
	struct token t = token_next(text);

	return t.kind == TOKEN_NAME && t.start == text && text[0] != '"' && !text[t.len] &&
	       !token_is_keyword(&t);
}

/* A copy without quotes, doubled quotes made single; NULL: out of memory. */
static char *token_unquote(const struct token *t)
{
	char *copy = malloc(t->len + 1);
	char *to = copy;
	char quote = *t->start;

	if (!copy)
		return NULL;
	if (quote != '\'' && quote != '"') {
		memcpy(copy, t->start, t->len);
		copy[t->len] = '\0';
		return copy;
	}
	for (size_t i = 1; i + 1 < t->len; i++) {
		*to++ = t->start[i];
		if (t->start[i] == quote)
			i++; /* the second of a doubled pair */
	}
	*to = '\0';
	return copy;
}

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

/* Record what is wrong at a place of the text, and what would be right; NULL. */
static struct node *parser_fail(struct expr_parser *p, const char *at, const char *what,
				const char *right)
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

/* Record that the current token is unexpected; NULL. */
static struct node *parser_fail_token(struct expr_parser *p, const char *right)
{
	const struct token *t = &p->token;
	char what[80];

	if (t->kind == TOKEN_END)
		return parser_fail(p, t->start, "unexpected end", right);
	snprintf(what, sizeof what, "unexpected '%.*s'", (int)(t->len < 40 ? t->len : 40),
		 t->start);
	return parser_fail(p, t->start, what, t->kind == TOKEN_BAD ? t->hint : right);
}

static struct node *parser_fail_memory(struct expr_parser *p)
{
	if (p->rc == ERR_OK)
		p->rc = err_set(p->e, ERR_NOMEM, "out of memory for an expression");
	return NULL;
}

static void parser_advance(struct expr_parser *p)
{
	p->token = token_next(p->token.start + p->token.len);
}

/* Step over the current token if it is this word. */
static bool parser_accept(struct expr_parser *p, const char *word)
{
	if (!token_is(&p->token, word))
		return false;
	parser_advance(p);
	return true;
}

static bool parser_expect(struct expr_parser *p, const char *word, const char *right)
{
	if (parser_accept(p, word))
		return true;
	parser_fail_token(p, right);
	return false;
}

/* Every recursion passes enter() on its way down (false: too deep) and leave(), which returns n,
 * on its way up, also after a failed enter(). */
static bool parser_enter(struct expr_parser *p)
{
	if (++p->depth <= MAX_DEPTH)
		return true;
	parser_fail(p, p->token.start, "too deeply nested", "simplify the expression");
	return false;
}

static struct node *parser_leave(struct expr_parser *p, struct node *n)
{
	p->depth--;
	return n;
}

static void free_all(struct node *const *arg, size_t n_args)
{
	for (size_t i = 0; i < n_args; i++)
		node_free(arg[i]);
}

/* n, if it exists and nothing that evaluates it or reads it as SQL could run out of stack. */
static struct node *parser_check(struct expr_parser *p, struct node *n, const char *at)
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

/* An operator over operands, which are taken over. One that is NULL makes the result NULL. Texts
 * are allowed only in is [not] null. */
static struct node *parser_grow(struct expr_parser *p, const char *at, enum expr_op op,
				struct node *const *arg, size_t n_args)
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

static struct node *parser_grow2(struct expr_parser *p, const char *at, enum expr_op op,
				 struct node *a, struct node *b)
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

/* = != in, not in: over numbers, or over a text column and texts. */
static struct node *parser_grow_equality(struct expr_parser *p, const char *at, enum expr_op op,
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

/* Takes n over; false with the error recorded. */
static bool args_add(struct expr_parser *p, struct args *args, struct node *n)
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

static void args_release(struct args *args)
{
	free_all(args->item, args->n);
	free(args->item);
}

enum { MAX_ARGS = 1000 };

/* "a, b, c)" after the opening parenthesis; appends to args. */
static bool parse_args(struct expr_parser *p, struct args *args)
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

static struct node *parse_number(struct expr_parser *p)
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
static bool looks_like_text(const struct expr_parser *p)
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

static struct node *fail_unknown(struct expr_parser *p, const char *name)
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

static struct node *parse_column(struct expr_parser *p)
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
	size_t min_args;
	size_t max_args;
	const char *usage;
	enum expr_op op;
	bool math; /* wants a scope with math */
};

static const struct function functions[] = {
	{"min", 2, MAX_ARGS, "write min(a, b, ...)", EXPR_MIN, false},
	{"max", 2, MAX_ARGS, "write max(a, b, ...)", EXPR_MAX, false},
	{"abs", 1, 1, "write abs(a)", EXPR_ABS, false},
	{"ceildiv", 2, 2, "write ceildiv(a, b)", EXPR_CEILDIV, false},
	{"floordiv", 2, 2, "write floordiv(a, b)", EXPR_FLOORDIV, false},
	{"ceil", 1, 1, "write ceil(a)", EXPR_CEIL, true},
	{"floor", 1, 1, "write floor(a)", EXPR_FLOOR, true},
	{"sqrt", 1, 1, "write sqrt(a)", EXPR_SQRT, true},
	{"log2", 1, 1, "write log2(a)", EXPR_LOG2, true},
	{"pow", 2, 2, "write pow(a, b)", EXPR_POW, true},
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
static struct node *parse_call(struct expr_parser *p, const struct token *name)
{
	const struct function *f = find_function(name);
	struct args args = {0};
	struct node *n = NULL;

	if (!f)
		return parser_fail(
			p, name->start, "unknown function",
			p->scope->math ? "the functions are min, max, abs, ceildiv, floordiv, "
					 "ceil, floor, sqrt, log2 and pow"
				       : "the functions are min, max, abs, ceildiv and floordiv");
	if (f->math && !p->scope->math)
		return parser_fail(p, name->start, "a function of terms",
				   "it stands in 'let', 'compute' and 'communication' of a "
				   "definition only: the functions here are min, max, abs, ceildiv "
				   "and floordiv");
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

/* A number, text, column, function call or parenthesis. */
static struct node *parse_primary(struct expr_parser *p)
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

/* Recursive descent, one function per level of precedence. */

/* ---- operators, tightest first ---- */

static struct node *parse_unary(struct expr_parser *p)
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

static struct node *parse_product(struct expr_parser *p)
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

static struct node *parse_sum(struct expr_parser *p)
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
static struct node *parse_in(struct expr_parser *p, const char *at, bool negated, struct node *left)
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

static struct node *parse_between(struct expr_parser *p, const char *at, bool negated,
				  struct node *left)
{
	struct node *from = parse_sum(p);
	struct node *to = NULL;

	if (from && parser_expect(p, "and", "write between a and b"))
		to = parse_sum(p);
	return parser_grow(p, at, negated ? EXPR_NOT_BETWEEN : EXPR_BETWEEN,
			   (struct node *[]){left, from, to}, 3);
}

static struct node *parse_is(struct expr_parser *p, const char *at, struct node *left)
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

struct comparison_word {
	const char *sign;
	enum expr_op op;
};

static const struct comparison_word comparisons[] = {
	{"=", EXPR_EQ}, {"==", EXPR_EQ}, {"!=", EXPR_NE}, {"<>", EXPR_NE},
	{"<", EXPR_LT}, {"<=", EXPR_LE}, {">", EXPR_GT},  {">=", EXPR_GE},
};

static const struct comparison_word *find_comparison(const struct token *t)
{
	for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
		if (token_is(t, comparisons[i].sign))
			return &comparisons[i];
	}
	return NULL;
}

/* n = left operand; the comparison that follows it, or n itself when none does. */
static struct node *parse_comparison_of(struct expr_parser *p, struct node *n)
{
	const struct token t = p->token;
	const struct comparison_word *c = find_comparison(&t);
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

static struct node *parse_comparison(struct expr_parser *p)
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

static struct node *parse_not(struct expr_parser *p)
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

static struct node *parse_and(struct expr_parser *p)
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

static struct node *parse_or(struct expr_parser *p)
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
	struct expr_parser p = {.text = text, .token = token_next(text), .scope = scope, .e = e};
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
