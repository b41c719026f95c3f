#ifndef BASE_TEXT_FORM_H
#define BASE_TEXT_FORM_H
#include <stdbool.h>
#include <stddef.h>
#include "base/strbuf.h"

/* Numbers and foreign text in the forms that tables, JSON and terminals take. */

/* The shortest decimal form that reads back as the same double. */
enum { REAL_TEXT_SIZE = 32 };
char *real_text(double value, char buf[REAL_TEXT_SIZE]);

/* As one word of a shell; what needs no quotes gets none. */
void text_put_shell_word(struct strbuf *out, const char *text);
/* One CSV field, quoted where RFC 4180 asks for it. */
void csv_put(struct strbuf *out, const char *field);
/* Text from data or files, safe on a terminal: control characters, marks that reorder text and
 * bytes that are not UTF-8 as \xNN. Newlines and tabs stay where keep_lines. */
void text_put_safe(struct strbuf *out, const char *text, bool keep_lines);
/* Bytes of the first character of a text (not empty). *hidden: it is shown as \xNN, newlines and
 * tabs too. */
size_t text_character(const char *text, bool *hidden);
/* Does the UTF-8 text begin with a mark that reorders what stands beside it (Unicode Annex 9:
 * U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069)? It could make a line look like another one.
 */
bool text_reorders(const char *text);

/* Offset of the first byte of text[0..n-1] that is not valid UTF-8 (overlong forms, surrogates and
 * code points above U+10FFFF included); n when all of it is. */
size_t utf8_first_invalid(const char *text, size_t n);

/* Lists of texts that end with NULL; the list itself may be NULL and is empty then. */
size_t text_list_length(const char *const *list);
/* Upper and lower case are the same. */
bool text_list_has(const char *const *list, const char *text);

/* Lists of words as one text, a blank between two: "nodes ppn". The next one, of *n characters, and
 * *at behind it; NULL: there is none. */
const char *text_next_word(const char **at, size_t *n);
/* Upper and lower case are the same. */
bool text_has_word(const char *words, const char *text);

/* The text of a number in the fewest of 15 to 17 significant digits that are read back as the same
 * number, as printf() would write them with "%.15g" and so on, a tenth of the time. Only where that
 * has no exponent and exact arithmetic of 128 bits does: 1e-4 <= |value| < 1e14; elsewhere false,
 * and printf() has to. */
enum { SHORT_REAL_SIZE = 32 };
bool shortest_double(double value, char out[SHORT_REAL_SIZE]);

#endif
