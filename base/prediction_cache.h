#ifndef BASE_PREDICTION_CACHE_H
#define BASE_PREDICTION_CACHE_H
#include <stddef.h>
#include "base/err.h"

/* The answers to rows of numbers that were asked lately, for streams in which rows come again: some
 * thousand short texts in constant memory, the oldest given up for new ones. Rows are alike when
 * their bits are, so NaN is like itself. */
struct prediction_cache;

/* An answer has at most that many characters. */
enum { PREDICTION_CACHE_TEXT = 127 };

/* For rows of n_columns. Errors: NOMEM. */
enum err_code prediction_cache_new(size_t n_columns, struct prediction_cache **out, struct err *e);
void prediction_cache_free(struct prediction_cache *m);

/* The text that was put for this row and `whose` (only compared, may be NULL); NULL: nothing, or it
 * was given up. Good until the next prediction_cache_put(). */
const char *prediction_cache_find(struct prediction_cache *m, const double *row, const void *whose);
/* A text that is longer is not kept. */
void prediction_cache_put(struct prediction_cache *m, const double *row, const void *whose,
			  const char *text);

#endif
