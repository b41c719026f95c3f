#ifndef BASE_ROW_MEMO_H
#define BASE_ROW_MEMO_H
#include <stddef.h>
#include "base/err.h"

/* The answers to rows of numbers that were asked lately, for streams in which rows come again: some
 * thousand short texts in constant memory, the oldest given up for new ones. Rows are alike when
 * their bits are, so NaN is like itself. */
struct row_memo;

/* An answer has at most that many characters. */
enum { ROW_MEMO_TEXT = 127 };

/* For rows of n_columns. Errors: NOMEM. */
enum err_code row_memo_new(size_t n_columns, struct row_memo **out, struct err *e);
void row_memo_free(struct row_memo *m);

/* What was put for this row and `whose` (only compared, may be NULL); NULL: nothing, or it was
 * given up. Good until the next row_memo_put(). */
const char *row_memo_find(struct row_memo *m, const double *row, const void *whose);
/* A text that is longer is not kept. */
void row_memo_put(struct row_memo *m, const double *row, const void *whose, const char *text);

#endif
