#ifndef CLI_OUTPUT_TABLE_H
#define CLI_OUTPUT_TABLE_H
#include "cli/frame/output.h"

/* What a table is made of, for the files that render it; everybody else has cli/frame/output.h. */
struct cell {
	bool null;
	union {
		char *text;
		int64_t integer;
		double real;
	};
};

struct out_table {
	struct out_column *column;
	size_t n_columns;
	struct cell *cell; /* row-major */
	size_t n_cells;
	size_t cap;
	bool failed;
};

/* For people: rounded, aligned, safe on a terminal. folded: see out_table_print_folded(). Errors:
 * NOMEM. */
enum err_code out_print_lines(const struct out_table *t, bool folded, FILE *f, struct err *e);
/* The one row of t as lines "heading  value". Errors: NOMEM. */
enum err_code out_print_record(const struct out_table *t, FILE *f, struct err *e);

#endif
