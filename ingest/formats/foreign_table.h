#ifndef INGEST_FORMATS_FOREIGN_TABLE_H
#define INGEST_FORMATS_FOREIGN_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"

/* A table of text in memory that a reader of a foreign format fills: cells by column, in any order,
 * then the end of the row. Columns come into being when they are first named; a cell that a row
 * does not have is empty. */
struct foreign_table;

enum {
	FOREIGN_COLUMNS_MAX = 10000,
	FOREIGN_CELLS_MAX = 1 << 28 /* rows times columns */
};
/* Of the texts of all cells: readers repeat in each row what the file says once, so that 2 MB of
 * JSON, one command with many times, could ask for 300 GB. */
#define FOREIGN_BYTES_MAX ((uint64_t)4 << 30)

/* name (borrowed): the file, for messages. max_bytes: FOREIGN_BYTES_MAX. Errors: NOMEM. */
enum err_code foreign_table_new(const char *name, uint64_t max_bytes, struct foreign_table **out,
				struct err *e);
/* The index of this column, a new one if need be; SIZE_MAX: no memory, or too many, which
 * foreign_table_end_row() will tell. */
size_t foreign_table_column(struct foreign_table *t, const char *column);
/* A cell of the row under way; put twice, the last holds. What fails is told at the end of the row.
 * Text of any length is copied. A value of "" is an empty cell. */
void foreign_table_put(struct foreign_table *t, const char *column, const char *text);
void foreign_table_put_n(struct foreign_table *t, const char *column, const char *text, size_t n);
void foreign_table_put_number(struct foreign_table *t, const char *column, double value);
/* The row ends; line: where it stands in the foreign file. Errors: NOMEM, PARSE (more than
 * FOREIGN_COLUMNS_MAX columns, FOREIGN_CELLS_MAX cells or max_bytes), ARG (it has a column that
 * foreign_table_match() makes). */
enum err_code foreign_table_end_row(struct foreign_table *t, uint64_t line, struct err *e);
/* A row that cannot be used, with its text and the reason ("7 fields where the header has 9") and
 * kind (static: the reason without values, to count by): it is counted among the refused ones.
 * What was put is forgotten. Errors: as foreign_table_end_row(). */
enum err_code foreign_table_refuse_row(struct foreign_table *t, uint64_t line, const char *kind,
				       const char *reason, const char *text, struct err *e);
/* Forget the row under way. */
void foreign_table_drop_row(struct foreign_table *t);
/* The format does not say in which unit this column, if there is one, is: if it is taken for the
 * time, the header or --unit has to. */
void foreign_table_need_unit(struct foreign_table *t, const char *column);
bool foreign_table_needs_unit(const struct foreign_table *t, size_t i);
/* From now on a row ends as one only if it looks like this "COLUMN=TEMPLATE" (row_match.h), whose
 * names are columns of it; others are dropped and counted. Errors: those of row_match_new(). */
enum err_code foreign_table_match(struct foreign_table *t, const char *spec, struct err *e);
/* What the matches made of the rows: a note, or an error where they left none or their column is
 * not there. Errors: ARG. */
enum err_code foreign_table_end_match(struct foreign_table *t, struct err *e);
/* The line of the header, for messages about columns; 1 if nobody says. */
void foreign_table_set_header_line(struct foreign_table *t, uint64_t line);
/* Notes for the user, one a line, each ended by a newline. */
struct strbuf *foreign_table_notes(struct foreign_table *t);
/* The note "what: n", unless n is 0. */
void foreign_table_note_count(struct foreign_table *t, const char *what, uint64_t n);

uint64_t foreign_table_header_line(const struct foreign_table *t);
size_t foreign_table_n_columns(const struct foreign_table *t);
const char *foreign_table_column_name(const struct foreign_table *t, size_t i);
size_t foreign_table_n_rows(const struct foreign_table *t);
struct foreign_record {
	uint64_t line;
	const char *bad; /* the reason it was refused for; NULL: it was not */
	const char *bad_kind;
	const char *text; /* of one that was refused */
};
/* Row i, its cells in field[n_columns]; good until the table is filled further or freed. */
struct foreign_record foreign_table_row(const struct foreign_table *t, size_t i,
					const char **field);
void foreign_table_free(struct foreign_table *t);

#endif
