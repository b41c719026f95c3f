#ifndef INGEST_TABLE_STYLE_H
#define INGEST_TABLE_STYLE_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/column_mapping.h"
#include "ingest/text_table.h"

/* Whether commas or points are the decimals of a table, from all of its numbers. "20.000" beside
 * "12,5" is 20 to one reader and 20000 to another: such a table is refused with both readings,
 * until somebody says which. So is "1.000" beside "500". And whether minutes come first in "23:33":
 * they do beside "1:02:03", if no time in three parts is below an hour. */

/* t was hashed, and is rewound (its records so far are gone) where it had to be read. decimal: '.'
 * or ',' by --decimal, 0: find it. What was found is set in the table and the mapping; one line is
 * added to notes if that is not the plain style. Errors: PARSE (both readings are possible: file,
 * lines and cells are named), those of text_table_next(). */
enum err_code table_style_find(struct text_table *t, struct column_mapping *m, char decimal,
			       struct strbuf *notes, struct err *e);

/* A title above the header, or merged cells: if a line further down reads like the header, the
 * error that says which, and what to do (PARSE). Rows are read, so that those at hand are gone. */
enum err_code table_header_below(struct text_table *t, struct err *e);
/* Is there a header, of two columns or more? Errors: PARSE (what is wanted), those of
 * text_table_next(). */
enum err_code table_columns_check(struct text_table *t, struct err *e);

/* Does a cell hold a word: no number in any style, no time, no gap? */
bool word_is_word(const char *text);

/* What the cells of a column are. Words: more than half of those that hold anything; but if each
 * word is a size with its unit ("64KB", "1M"), they are sizes. */
enum column_cells { CELLS_NUMBERS, CELLS_WORDS, CELLS_BYTES };
/* list: the columns, NULL-terminated; cells[i] of the i-th, numbers where the table does not have
 * it. All of the table is read, and rewound: it was hashed. Errors: those of text_table_next(). */
enum err_code column_cells_find(struct text_table *t, const char *const *list,
				enum column_cells *cells, struct err *e);

#endif
