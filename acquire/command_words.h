#ifndef ACQUIRE_COMMAND_WORDS_H
#define ACQUIRE_COMMAND_WORDS_H
#include <stddef.h>
#include "base/err.h"

/* Split a command line into words as a shell does, and nothing else that a shell does: blanks part
 * words; '...' keeps all; "..." keeps all but \" and \\; \ keeps the next character. Nothing is
 * expanded or run: $ * ? ~ ` | ; & < > are characters. *out ends with NULL and is one block of
 * memory: free() it. *n may be NULL. Errors: USAGE (a quote that does not end, a \ at the end;
 * what: names the text in messages), NOMEM. */
enum err_code command_words(const char *text, const char *what, char ***out, size_t *n,
			    struct err *e);

#endif
