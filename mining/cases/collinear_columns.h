#ifndef MINING_COLLINEAR_COLUMNS_H
#define MINING_COLLINEAR_COLUMNS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "mining/cases/slowdown_table.h"

/* Columns that these runs cannot tell apart. In weak-scaled runs the problem grows with the
 * processors: whatever is found about one of them may be the doing of the other. */

/* Rank correlation, either way, from which two columns are taken to move together: a choice. */
#define TWIN_CORRELATION 0.95

/* What a column moves with: for one that says how large the problem is, a resource; for a resource,
 * one of those. */
struct collinear_column {
	size_t column;	 /* SIZE_MAX: nothing */
	bool of_product; /* it is the product of the problem's columns that moves with the
			  * resource; column is the resource, or the first of them */
	double rho;	 /* Spearman, over the distinct problems with their resources */
};

/* twin[t->n_columns]. Never of columns that are linked by definition (jt and npe_j). Errors:
 * NOMEM. */
enum err_code collinear_columns(const struct slowdown_table *t, struct collinear_column *twin,
				struct err *e);

/* "it_g and procs move together in these runs (rank correlation 0.99): what either does to time
 * cannot be told apart". twin->column is a column. */
void collinear_column_put_text(const struct application *a, size_t column,
			       const struct collinear_column *twin, struct strbuf *out);

/* roots[c * a->n_columns + i] != 0: column c is stored column i, or derives from it, directly or
 * through others. free() it. Errors: NOMEM. */
enum err_code column_roots(const struct application *a, unsigned char **roots, struct err *e);
/* Do two columns have a stored column in common? How they go together then follows from the
 * definition, at least in part. */
bool columns_share_roots(const struct application *a, const unsigned char *roots, size_t x,
			 size_t y);

#endif
