#ifndef INGEST_ROW_PARTS_H
#define INGEST_ROW_PARTS_H
#include <stdbool.h>
#include "base/err.h"
#include "ingest/column_mapping.h"
#include "ingest/text_table.h"

/* A table with a row for each rank, step or epoch of a run: its times are those of parts, and
 * would be learned as repeats of whole runs. Such a table is refused, until --map says what the
 * column is. So is one of times whose units are in another column. All rows are read only if a
 * header suggests it, and t is rewound then: it was hashed. Errors: PARSE (file, line and column
 * are named), NOMEM, those of text_table_next(). */
enum err_code row_parts_check(struct text_table *t, const struct column_mapping *m, struct err *e);

/* Does a column of that name say which part or figure of a run a row has ("region", "metric")? */
bool row_parts_names_figures(const char *header);

#endif
