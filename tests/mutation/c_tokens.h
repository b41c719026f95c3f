#ifndef MUTATION_C_TOKENS_H
#define MUTATION_C_TOKENS_H
#include <stdbool.h>
#include <stddef.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN };

/* One token of C source; comments, white space and preprocessor lines are none. */
struct token {
	enum token_kind kind;
	size_t at, len; /* bytes in the source */
	size_t line;	/* counted from 1 */
	size_t match;	/* of ( [ { and ) ] }: the index of the other one, else its own */
};

struct c_tokens {
	const char *source; /* the caller's, ends in '\0' */
	struct token *token;
	size_t n;
};

/* Cut source into tokens. false: no memory, or brackets do not match. The caller frees ->token. */
bool c_tokens_read(const char *source, struct c_tokens *out);

/* Whether token i is text; false for an i that is not there. */
bool c_tokens_is(const struct c_tokens *t, size_t i, const char *text);

/* Whether token i is one of the words in list, which has one blank before and after each. */
bool c_tokens_in(const struct c_tokens *t, size_t i, const char *list);
#endif
