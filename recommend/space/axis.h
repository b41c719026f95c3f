#ifndef RECOMMEND_AXIS_H
#define RECOMMEND_AXIS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/application.h"
#include "domain/dataset.h"
#include "recommend/space/partial_evaluation.h"

/* The candidates of one free column, or of several whose combinations are taken from runs. */
struct axis {
	size_t *column;
	size_t n_columns;
	double *value; /* value[n * n_columns], ascending and distinct */
	size_t n, cap;
	bool in_grid; /* a side of the processor grid */
};

/* An axis over columns, without candidates yet. Errors: NOMEM. */
enum err_code axis_init(struct axis *a, const size_t *column, size_t n_columns, struct err *e);
void axis_release(struct axis *a);
enum err_code axis_add(struct axis *a, const double *value, struct err *e);

/* Candidates of a single column as its definition says (divisors, range, list), none above most
 * (INFINITY: no limit); row supplies column `of`. Replaces those there were. Errors: ARG (no upper
 * end, more than MAX_COLUMN_CANDIDATES), NOMEM. */
enum err_code axis_fill(struct axis *a, const struct application *app, const double *row,
			double most, struct err *e);
/* The distinct combinations that occur in runs that ended well. Only runs that agree with given in
 * all columns of the mask agree[n_columns] count, or all if none does: a value that nobody tried
 * is combined with everything that was. */
enum err_code axis_fill_seen(struct axis *a, const struct dataset *runs, const double *given,
			     const bool *agree, struct err *e);

/* Is this combination of the row's values on an axis that is ascending? */
bool axis_has(const struct axis *a, const double *row);
/* Make combinations ascending and distinct. Errors: NOMEM. */
enum err_code axis_sort(struct axis *a, struct err *e);
void axis_put(const struct axis *a, size_t i, double *row);
/* The nearest candidate above (below) row that differs from it in this column only: its value
 * there, NaN if there is none. */
double axis_neighbour(const struct axis *a, const double *row, size_t i_column, bool above);

/* All combinations of the free tunables that their own rules allow, with the derived columns that
 * follow from them alone. They are listed once per request, or once per group where candidates
 * depend on the group (divisors of a side of the grid). */
struct tunings {
	const struct partial_evaluation *layers;
	const struct progress *progress; /* NULL: go on in silence */
	struct axis *axis;		 /* in column order */
	size_t n_axes;
	bool varies;	   /* list again for each group */
	struct axis list;  /* the combinations and what is derived from them */
	uint64_t n_judged; /* combinations so far, legal or not, for tunings_list() */
	/* Of more combinations than `most` only some are listed: of ranges what is on a ladder of
	 * equal ratios that is as fine as there is room for. Of the longest list that this befell,
	 * how many were legal and how many are searched; 0: of none. */
	size_t most;
	size_t n_legal, n_searched;
};

/* Takes over axis[n_axes], also on errors. most: see there. Errors: NOMEM. */
enum err_code tunings_init(struct tunings *t, const struct partial_evaluation *l,
			   const struct progress *progress, struct axis *axis, size_t n_axes,
			   size_t most, struct err *e);
void tunings_release(struct tunings *t);

/* List the combinations for row (given, or given and group); it comes back as it was. *refusal is
 * set when a rule refused one. Errors: ARG (more than MAX_TUNINGS_LISTED are legal, or too many
 * have to be judged: names the columns), INTERRUPTED, NOMEM. */
enum err_code tunings_list(struct tunings *t, double *row, const struct legality **refusal,
			   struct err *e);

#endif
