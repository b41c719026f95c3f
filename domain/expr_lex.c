#include "domain/expr_lex.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "domain/expr.h"

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
	} foreign[] = {{"&&", "write 'and'"},
		       {"||", "write 'or'"},
		       {"!", "write 'not'"},
		       {"**", "there are no powers: write x * x"},
		       {"^", "there are no powers: write x * x"}};

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

struct token token_next(const char *at)
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

bool token_is(const struct token *t, const char *word)
{
	return (t->kind == TOKEN_SIGN || t->kind == TOKEN_NAME) && strlen(word) == t->len &&
	       strncasecmp(t->start, word, t->len) == 0;
}

bool token_is_keyword(const struct token *t)
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

char *token_unquote(const struct token *t)
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
