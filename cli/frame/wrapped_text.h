#ifndef CLI_WRAPPED_TEXT_H
#define CLI_WRAPPED_TEXT_H
#include <stddef.h>
#include "base/strbuf.h"

/* Append a text, safe on a terminal, in lines of at most 80 columns (of the terminal, if it is
 * narrower), each indented so far. Only a
 * word that is longer makes a longer line. */
void text_put_wrapped(const char *text, size_t indent, struct strbuf *out);

#endif
