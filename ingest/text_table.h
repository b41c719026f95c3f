#ifndef INGEST_TEXT_TABLE_H
#define INGEST_TEXT_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "ingest/byte_source.h"
#include "ingest/cell_number.h"
#include "ingest/formats/foreign_table.h"

/* A delimited text table, record by record in constant memory: commas, tabs, semicolons or bars
 * (found from the header line) or any other character between columns, RFC 4180 quotes with
 * embedded newlines, CRLF, a BOM, comment lines (# first) and blank lines in between. Lines are
 * counted as an editor counts them. */
struct text_table;

enum {
	TABLE_FIELD_MAX = 1 << 20, /* bytes of one field */
	TABLE_COLUMNS_MAX = 10000
};

struct table_record {
	uint64_t line; /* where it begins, 1-based */
	const char
		*raw; /* its text as it stands in the file, without the line end; NULL: the end */
	size_t raw_len;
	const char *
		*field; /* [n_fields], NUL-terminated, unquoted, edge blanks of unquoted ones cut */
	size_t n_fields;
	const char *bad;      /* why its fields cannot be used; NULL: they can, and n_fields is the
				 header's */
	const char *bad_kind; /* the same without the particulars, to count by */
};

/* Opens and reads the header. delimiter: what separates columns, 0: find it. Errors: those of
 * byte_source_open(); PARSE (empty file, more columns than TABLE_COLUMNS_MAX, two columns of one
 * name, a delimiter that could be either of two, and what text_table_next() refuses); all name file
 * and line. */
enum err_code text_table_open(const char *path, char delimiter, struct text_table **out,
			      struct err *e);
/* Of a source, of a fingerprinted one from its beginning; and of a table that was made of it,
 * with the lines of the file. Source and rows are the table's from now on, and closed if this
 * fails.
 */
enum err_code text_table_open_source(struct byte_source *source, char delimiter,
				     struct text_table **out, struct err *e);
enum err_code text_table_open_foreign(struct byte_source *source, struct foreign_table *rows,
				      struct text_table **out, struct err *e);
const char *text_table_name(const struct text_table *t);
size_t text_table_n_columns(const struct text_table *t);
const char *text_table_column(const struct text_table *t, size_t i);
/* Was it made of the file of another program, whose lines are no rows of a table? */
bool text_table_is_foreign(const struct text_table *t);
/* The format does not say in which unit this column is. */
bool text_table_needs_unit(const struct text_table *t, size_t i);
uint64_t text_table_header_line(const struct text_table *t);
const char *text_table_header_raw(const struct text_table *t);
char text_table_delimiter(const struct text_table *t);
/* Cells of the column are sizes, as 280x280x255, and become n_parts columns of these names in its
 * place, from the next record on; a cell that is nothing of the kind makes its record bad. Errors:
 * PARSE (two columns of one name), NOMEM. */
enum err_code text_table_split(struct text_table *t, size_t i, const char *const *part,
			       size_t n_parts, struct err *e);
/* The columns of the file again. */
void text_table_unsplit(struct text_table *t);
/* SIZE_MAX: no such header. An exact match wins over one in another case. */
size_t text_table_find(const struct text_table *t, const char *column);

/* The next record; its pointers are good until the next call. Errors: PARSE (a NUL byte, a quote
 * that never closes, a record over 16 MiB, a header of the same columns in another order), IO,
 * NOMEM. */
enum err_code text_table_next(struct text_table *t, struct table_record *out, struct err *e);
/* To the first record below the header again; of a source that was fingerprinted. Errors: IO,
 * PARSE. */
enum err_code text_table_rewind(struct text_table *t, struct err *e);
/* How numbers in it are written: plain, until somebody says otherwise. */
struct number_style text_table_number_style(const struct text_table *t);
void text_table_set_number_style(struct text_table *t, struct number_style style);
/* For progress and estimates. */
const struct byte_source *text_table_source(const struct text_table *t);
void text_table_close(struct text_table *t);

#endif
