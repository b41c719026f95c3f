#ifndef INGEST_NUMBER_TABLE_H
#define INGEST_NUMBER_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* A small table of numbers from a file, its columns found by name and converted by the unit that
 * their header names: "time_us", "Rmax [TFlop/s]". Further columns are ignored. */

enum number_dimension {
	NUMBER_PLAIN,
	NUMBER_BYTES,	/* B when no unit is named */
	NUMBER_SECONDS, /* the header must name the unit */
	NUMBER_FLOPS	/* per second; the header must name the unit: rmax_gflops */
};

struct number_column {
	const char *const *names; /* lower case, NULL-terminated; the first one is its own name */
	enum number_dimension kind;
	bool optional;	   /* the column may be missing */
	bool may_be_empty; /* a cell may */
	double least;	   /* of a cell */
};

struct number_table {
	double *cell; /* cell[n_rows * n_columns], row-major; NaN: empty or missing */
	size_t n_rows, n_columns;
};

/* All rows of the file (CSV, TSV; - is stdin). Errors: those of text_table_open(), PARSE (a column
 * missing or twice, a cell that is no number or too small: FILE:line is named). */
enum err_code number_table_read(const char *path, const struct number_column *column,
				size_t n_columns, struct number_table *out, struct err *e);
void number_table_release(struct number_table *t);

#endif
