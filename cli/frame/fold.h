#ifndef CLI_FOLD_H
#define CLI_FOLD_H
#include <stddef.h>
#include <stdio.h>
#include "base/strbuf.h"

/* Text for people, folded to the width of a terminal between words. A number stays
 * with its name and its unit ("14 nodes", "mk 10", "6m 37s", "2.1 %"). What goes into a pipe or a
 * file stays whole, unless $COLUMNS says how wide it may be. */

/* Columns that a line of f may take: $COLUMNS, else those of the terminal; 0: any number. */
size_t fold_width(FILE *f);
/* Columns that text[0..len-1] takes: characters of UTF-8, without the sequences of colour. */
size_t fold_columns(const char *text, size_t len);
/* The widest part of the text that is never broken. */
size_t fold_widest_word(const char *text);
/* Bytes of the text that go on one line of so many columns, at least one word; *next is where the
 * line after it begins. Not past the end of a line. */
size_t fold_line(const char *text, size_t width, const char **next);
/* Append the lines of the text. What follows a break stands `indent` blanks behind its line's
 * beginning; a word that is wider than the width stays whole. width 0: as it is. */
void fold_put(struct strbuf *out, const char *text, size_t width, size_t indent);
/* Print the text, folded to fold_width(f), with an indent of 2. Short memory: as it is. */
void fold_print(const char *text, FILE *f);

/* Append a text, safe on a terminal, in lines of at most 80 columns (of the terminal, if it is
 * narrower), each indented so far. Only a
 * word that is longer makes a longer line. */
void text_put_wrapped(const char *text, size_t indent, struct strbuf *out);

#endif
