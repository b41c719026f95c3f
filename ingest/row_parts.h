#ifndef INGEST_ROW_PARTS_H
#define INGEST_ROW_PARTS_H
#include <stdbool.h>
#include <stddef.h>
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

/* Rows of statistics among the runs, as pandas' describe() makes them: "mean" or "75%" in the
 * index, or in a column of numbers. Columns of words of the application may have a level "mean",
 * those that --map names are what it says, and neither is looked at. */
struct statistic_labels {
	struct label_column *column; /* [n_columns of the table] */
	size_t n;
	bool known; /* whether the table has any */
};

/* Errors: NOMEM. */
enum err_code statistic_labels_init(struct statistic_labels *l, const struct column_mapping *m,
				    struct err *e);
void statistic_labels_release(struct statistic_labels *l);
/* The column whose cell says that the row is one of statistics; SIZE_MAX: none. */
size_t statistic_labels_find(const struct statistic_labels *l, const struct table_record *rec);
/* Which columns hold such labels, once one was found and before it is believed: from all rows. t is
 * left at its end. Errors: those of text_table_next(). */
enum err_code statistic_labels_survey(struct statistic_labels *l, struct text_table *t,
				      struct err *e);

#endif
