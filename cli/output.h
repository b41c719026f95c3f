#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "base/err.h"
#include "base/strbuf.h"

/* What commands print. A table is built once and rendered for people (rounded, aligned, control
 * characters escaped), as CSV (RFC 4180) or as JSON, both with exact numbers. */
enum out_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };

enum out_kind {
	OUT_TEXT,
	OUT_INT,
	OUT_REAL,    /* people see 4 significant digits, whole numbers all */
	OUT_SECONDS, /* people see "46m 50s" */
	OUT_PERCENT, /* a fraction; people see "97.3 %" */
	OUT_BOOL
};

struct out_column {
	const char *name;    /* of the CSV header and the JSON key: "predicted_s" */
	const char *heading; /* for people: "predicted"; NULL: as name */
	enum out_kind kind;
};

/* Cells are appended row by row, left to right; after the last column the next row begins. A failed
 * allocation is remembered and reported by out_table_print(). */
struct out_table;
struct out_table *out_table_new(const struct out_column *columns, size_t n); /* copied */
void out_table_free(struct out_table *t);
/* Never 0 when memory was short: who leaves out empty tables prints it, and is told. */
size_t out_table_rows(const struct out_table *t);
/* Is all in it that was put? Errors: NOMEM, the rows then say nothing. */
enum err_code out_table_check(const struct out_table *t, struct err *e);

void out_text(struct out_table *t, const char *text); /* NULL: empty, JSON null */
void out_int(struct out_table *t, int64_t value);
/* REAL, SECONDS or PERCENT; NaN: empty, JSON null. */
void out_real(struct out_table *t, double value);
void out_bool(struct out_table *t, bool value);
void out_null(struct out_table *t);

/* JSON is {"format_version": 1, "NAME": [{...}, ...]}. An empty table prints its header in CSV and
 * nothing for people. Errors: NOMEM. (Failed writes show in ferror(f), which main checks.) */
enum err_code out_table_print(const struct out_table *t, enum out_format format, const char *name,
			      FILE *f, struct err *e);

/* The same, but people see columns that are alike in all of two or more rows on one line above the
 * others: "all: source measured, mm 6". For wide tables of which most columns vary rarely. */
enum err_code out_table_print_folded(const struct out_table *t, enum out_format format,
				     const char *name, FILE *f, struct err *e);

/* For one thing: people get a line "heading  value" per column (empty values are left out), JSON is
 * {"format_version": 1, "NAME": {...}}, CSV is that of a table. */
enum err_code out_record_print(const struct out_table *t, enum out_format format, const char *name,
			       FILE *f, struct err *e);

/* The rows as a JSON array (of jansson) to put into a larger answer; NULL: out of memory. */
struct json_t;
struct json_t *out_table_json(const struct out_table *t);

/* Print a JSON value, indented, members in the order they were set, reals with as many digits as
 * they need to come back the same and no more; ends the line. */
enum err_code out_json(const struct json_t *value, FILE *f, struct err *e);
/* As text: for storing. */
enum err_code out_json_text(const struct json_t *value, struct strbuf *text, struct err *e);
/* json_real() that gives null for NaN and infinity; json_string() that takes any bytes (NULL:
 * null). */
struct json_t *out_json_real(double value);
struct json_t *out_json_string(const char *text);
/* {"format_version": 1} to start from. */
struct json_t *out_json_answer(void);

/* The shortest decimal form that reads back as the same double. */
enum { REAL_TEXT_SIZE = 32 };
char *real_text(double value, char buf[REAL_TEXT_SIZE]);

/* One CSV field, quoted where RFC 4180 asks for it. */
void csv_put(struct strbuf *out, const char *field);
/* Text from data or files, safe on a terminal: control characters, marks that reorder text and
 * bytes that are not UTF-8 as \xNN. Newlines and tabs stay where keep_lines. */
void text_put_safe(struct strbuf *out, const char *text, bool keep_lines);
/* Does the UTF-8 text begin with a mark that reorders what stands beside it (Unicode Annex 9:
 * U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069)? It could make a line look like another one.
 */
bool text_reorders(const char *text);
/* Text that another program may read, byte for byte; made safe where f is a terminal. */
void out_exact(const char *text, FILE *f);

/* ANSI sequences, "" unless on. */
enum out_style { STYLE_PLAIN, STYLE_BOLD, STYLE_GOOD, STYLE_WARN, STYLE_DIM };
const char *style(bool on, enum out_style s);

#endif
