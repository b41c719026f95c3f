#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H
#include "base/err.h"
#include "base/strbuf.h"

/* Whole files of text, "-" being stdin. Errors: NOTFOUND, IO, NOMEM, INTERRUPTED. */
enum err_code text_file_read(const char *path, struct strbuf *out, struct err *e);
/* Errors: NOMEM (the text could not be made), IO. */
enum err_code text_file_write(const char *path, const struct strbuf *text, struct err *e);

#endif
