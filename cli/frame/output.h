#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "api/json_text.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/text_form.h"

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

/* As out_table_print(), but people see columns that are alike in all of two or more rows on one
 * line above the others: "all: source measured, mm 6". For wide tables of which most columns vary
 * rarely. */
enum err_code out_table_print_folded(const struct out_table *t, enum out_format format,
				     const char *name, FILE *f, struct err *e);

/* For one thing: people get a line "heading  value" per column (empty values are left out), JSON is
 * {"format_version": 1, "NAME": {...}}, CSV is that of a table. */
enum err_code out_record_print(const struct out_table *t, enum out_format format, const char *name,
			       FILE *f, struct err *e);

/* The rows as a JSON array (of jansson) to put into a larger answer; NULL: out of memory. */
struct json_t;
struct json_t *out_table_json(const struct out_table *t);

/* Print a JSON value as out_json_text() forms it, and end the line. */
enum err_code out_json(const struct json_t *value, FILE *f, struct err *e);
/* out_json() of what there is no more use for; failed: there was no memory for some of it. */
enum err_code out_answer(int failed, struct json_t *answer, const char *what, FILE *f,
			 struct err *e);

/* Text that another program may read, byte for byte; made safe where f is a terminal. */
void out_exact(const char *text, FILE *f);

/* ANSI sequences, "" unless on. */
enum out_style { STYLE_PLAIN, STYLE_BOLD, STYLE_GOOD, STYLE_WARN, STYLE_DIM };
const char *style(bool on, enum out_style s);

#endif
