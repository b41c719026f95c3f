#include "acquire/command_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Copy one word to `to`, without its quotes; *from then stands behind it. Returns the end of the
 * copy, or NULL: something does not end, *why says what. */
static char *copy_word(const char **from, char *to, const char **why)
{
	const char *p = *from;
	char quote = '\0';

	for (; *p && (quote || !is_blank(*p)); p++) {
		if (quote ? *p == quote : *p == '\'' || *p == '"') {
			quote = quote ? '\0' : *p;
		} else if (*p == '\\' && quote != '\'' && (!quote || p[1] == '"' || p[1] == '\\')) {
			if (!*++p) {
				*why = "it ends with a backslash";
				return NULL;
			}
			*to++ = *p;
		} else {
			*to++ = *p;
		}
	}
	if (quote) {
		*why = quote == '"' ? "a \" has no end" : "a ' has no end";
		return NULL;
	}
	*from = p;
	*to++ = '\0';
	return to;
}

enum err_code command_words(const char *text, const char *what, char ***out, size_t *n,
			    struct err *e)
{
	/* A word takes two characters of the text or more, but for the last. */
	size_t length = strlen(text), most = length / 2 + 2, n_words = 0;
	char **word = malloc(most * sizeof *word + length + 1);
	const char *why = NULL;
	char *to;

	if (!word)
		return err_set(e, ERR_NOMEM, "the words of a command");
	to = (char *)(word + most);
	for (;;) {
		while (is_blank(*text))
			text++;
		if (!*text)
			break;
		word[n_words++] = to;
		to = copy_word(&text, to, &why);
		if (!to) {
			free(word);
			return err_set(e, ERR_USAGE, "%s: %s", what, why);
		}
	}
	word[n_words] = NULL;
	*out = word;
	if (n)
		*n = n_words;
	return ERR_OK;
}
