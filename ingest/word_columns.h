#ifndef INGEST_WORD_COLUMNS_H
#define INGEST_WORD_COLUMNS_H
#include <stdbool.h>
#include "base/err.h"
#include "domain/application.h"
#include "ingest/text_table.h"

/* Does a cell hold a word: no number in any style, no time, no gap? */
bool word_is_word(const char *text);

/* Which columns of the class hold words: more than half of their cells that hold anything. list:
 * the columns, NULL-terminated; words[i] of the i-th, false for those that the table does not have.
 * All of the table is read, and rewound: it was hashed. Errors: those of text_table_next(). */
enum err_code word_columns_find(struct text_table *t, const char *const *list, bool *words,
				struct err *e);

#endif
