#include "tests/mutation/c_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 256 };

/* Longer ones first. */
static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
				    "<=",  ">=",  "==",	 "!=", "&&", "||", "+=", "-=",
				    "*=",  "/=",  "%=",	 "&=", "|=", "^="};

static size_t comment_length(const char *s)
{
	if (s[0] == '/' && s[1] == '/')
		return strcspn(s, "\n");
	if (s[0] == '/' && s[1] == '*') {
		const char *end = strstr(s + 2, "*/");

		return end ? (size_t)(end + 2 - s) : strlen(s);
	}
	return 0;
}

/* To the end of the line, of the next one, too, if there is a backslash. */
static size_t directive_length(const char *s)
{
	size_t n = strcspn(s, "\n");

	while (n > 0 && s[n] && s[n - 1] == '\\')
		n += 1 + strcspn(s + n + 1, "\n");
	return n;
}

static size_t quoted_length(const char *s)
{
	size_t n = 1;

	while (s[n] && s[n] != s[0])
		n += s[n] == '\\' && s[n + 1] ? 2 : 1;
	return s[n] ? n + 1 : n;
}

/* As C's preprocessor sees numbers: 1e-3 is one, with its sign. */
static size_t number_length(const char *s)
{
	size_t n = 1;

	while (isalnum((unsigned char)s[n]) || s[n] == '.' ||
	       (strchr("+-", s[n]) && s[n] && strchr("eEpP", s[n - 1]) && s[1] != 'x'))
		n++;
	return n;
}

static size_t sign_length(const char *s)
{
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (strncmp(s, signs[i], strlen(signs[i])) == 0)
			return strlen(signs[i]);
	}
	return 1;
}

static struct token token_at(const char *s)
{
	size_t n = 0;

	if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1])))
		return (struct token){.kind = TOKEN_NUMBER, .len = number_length(s)};
	if (*s == '"' || *s == '\'')
		return (struct token){.kind = TOKEN_TEXT, .len = quoted_length(s)};
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n ? (struct token){.kind = TOKEN_WORD, .len = n}
		 : (struct token){.kind = TOKEN_SIGN, .len = sign_length(s)};
}

static bool match_brackets(struct c_tokens *t)
{
	size_t open[MAX_NESTING], n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct token *k = &t->token[i];
		char c = t->source[k->at];

		k->match = i;
		if (k->kind != TOKEN_SIGN || !strchr("([{}])", c))
			continue;
		if (strchr("([{", c)) {
			if (n == MAX_NESTING)
				return false;
			open[n++] = i;
		} else {
			if (n == 0)
				return false;
			k->match = open[--n];
			t->token[k->match].match = i;
		}
	}
	return n == 0;
}

bool c_tokens_read(const char *source, struct c_tokens *out)
{
	size_t line = 1;
	bool line_starts = true;

	*out = (struct c_tokens){.source = source};
	out->token = calloc(strlen(source) + 1, sizeof *out->token);
	if (!out->token)
		return false;
	for (const char *s = source; *s;) {
		size_t skip = *s == '#' && line_starts ? directive_length(s) : comment_length(s);

		if (skip == 0 && isspace((unsigned char)*s))
			skip = 1;
		if (skip == 0) {
			struct token k = token_at(s);

			k.at = (size_t)(s - source);
			k.line = line;
			out->token[out->n++] = k;
			skip = k.len;
			line_starts = false;
		}
		for (; skip > 0; skip--, s++) {
			line += *s == '\n';
			line_starts = line_starts || *s == '\n';
		}
	}
	return match_brackets(out);
}

bool c_tokens_is(const struct c_tokens *t, size_t i, const char *text)
{
	size_t len = strlen(text);

	return i < t->n && t->token[i].len == len &&
	       memcmp(t->source + t->token[i].at, text, len) == 0;
}

bool c_tokens_in(const struct c_tokens *t, size_t i, const char *list)
{
	char word[64];
	size_t len = i < t->n ? t->token[i].len : sizeof word;

	if (len + 3 > sizeof word)
		return false;
	word[0] = ' ';
	memcpy(word + 1, t->source + t->token[i].at, len);
	word[len + 1] = ' ';
	word[len + 2] = '\0';
	return strstr(list, word) != NULL;
}
