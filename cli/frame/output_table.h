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

/* What people read in a cell: rounded, and safe on a terminal. */
void out_put_readable(struct strbuf *s, enum out_kind kind, const struct cell *c);
const char *out_heading(const struct out_column *c);
/* Texts and yes or no stand left, numbers right. */
bool out_is_left(enum out_kind kind);

/* Print t, but for the columns left_out[], in at most `width` columns if its lines would be wider
 * (fold_width()), and tell so; else nothing. Texts are broken between words; what is still too wide
 * goes on in a line below, indented. Errors: NOMEM. */
enum err_code table_fold_print(const struct out_table *t, const bool *left_out, size_t width,
			       FILE *f, bool *printed, struct err *e);

/* For people: rounded, aligned, safe on a terminal. folded: see out_table_print_folded(). Errors:
 * NOMEM. */
enum err_code out_print_lines(const struct out_table *t, bool folded, FILE *f, struct err *e);
/* The one row of t as lines "heading  value". Errors: NOMEM. */
enum err_code out_print_record(const struct out_table *t, FILE *f, struct err *e);

#endif
