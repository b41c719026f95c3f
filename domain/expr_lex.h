#ifndef DOMAIN_EXPR_LEX_H
#define DOMAIN_EXPR_LEX_H
#include <stdbool.h>
#include <stddef.h>

/* Private to the expr_*.c files: the words of the condition language. */

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

/* The first token at or after `at`. */
struct token token_next(const char *at);
/* Is it this sign, or this keyword in any case? */
bool token_is(const struct token *t, const char *word);
/* Is it a word that no column can be called by (unless "quoted")? */
bool token_is_keyword(const struct token *t);
/* A copy without quotes, doubled quotes made single; NULL: out of memory. */
char *token_unquote(const struct token *t);

#endif
