#ifndef INGEST_FORMATS_ROW_MATCH_H
#define INGEST_FORMATS_ROW_MATCH_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* "JobName=lu_n{n}_nb{nb}_*": rows whose column looks like the template are taken, and what stands
 * where a name in braces does becomes a column. A star is any text, also none; a name is any text
 * that is not empty, as short as can be. */
struct row_match;

enum { ROW_MATCH_NAMES_MAX = 32 };

struct row_capture {
	const char *name;
	const char *at; /* in the text that was matched */
	size_t len;
};

/* Errors: ARG (no COLUMN=TEMPLATE, a brace that is not closed, a name twice or empty, two of stars
 * and names without a text between them), NOMEM. */
enum err_code row_match_new(const char *spec, struct row_match **out, struct err *e);
const char *row_match_column(const struct row_match *m);
const char *row_match_template(const struct row_match *m);
/* The names in braces, in order. */
size_t row_match_n_names(const struct row_match *m);
const char *row_match_name(const struct row_match *m, size_t i);
/* Does the text look like the template? Then out[n_names] are what the names stand for. */
bool row_match_run(const struct row_match *m, const char *text, struct row_capture *out);
void row_match_free(struct row_match *m);

#endif
