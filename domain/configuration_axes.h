#ifndef DOMAIN_CONFIGURATION_AXES_H
#define DOMAIN_CONFIGURATION_AXES_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"

/* Questions about many configurations at once: each column that is asked about has a list of
 * values, and the question is about their product. Lists are written
 *
 *	1,2,4,8      values
 *	8..64*2      8, 16, 32, 64
 *	10..50+10    10, 20, ..., 50
 *	1,2,4,8..64  goes on as the list before it does: 1, 2, 4, 8, 16, 32, 64
 *	4..8         by one, where no list stands before it
 *
 * where a list goes on by the factor, else by the step, that its last two values and the start of
 * the range have in common (a list of one value by the step to that start), and where they have
 * none by one. A value that comes again counts once. */

/* Values of one list, and configurations of a product, are so many at most. */
enum { CONFIGURATION_AXES_MOST = 10000 };

/* Columns that take values together: one, those of a group (8x16), or those of a problem. */
struct configuration_axis {
	size_t *column;
	size_t n_columns;
	double *value; /* value[n * n_columns], distinct, as they were listed */
	size_t n;
};

struct configuration_axes {
	struct configuration_axis *axis;
	size_t n;
};

/* One more axis, from a list. Errors: ARG (a value that cannot be, a column that has an axis
 * already, too many values), NOMEM. */
enum err_code configuration_axes_add_column(struct configuration_axes *axes,
					    const struct application *a, size_t i_column,
					    const char *text, struct err *e);
/* "8x16,16x16": no ranges. */
enum err_code configuration_axes_add_group(struct configuration_axes *axes,
					   const struct application *a, const struct group_flag *g,
					   const char *text, struct err *e);
/* "280x280x255,140x140x255", or by name "nx=8,16,ny=32"; a problem of one number has ranges. */
enum err_code configuration_axes_add_problem(struct configuration_axes *axes,
					     const struct application *a, const char *text,
					     struct err *e);
/* "mk=5,10,mmi=3,grid=4x4": what has no '=' goes on with the list before it. */
enum err_code configuration_axes_add_set(struct configuration_axes *axes,
					 const struct application *a, const char *text,
					 struct err *e);
void configuration_axes_release(struct configuration_axes *axes);

/* How many configurations. Errors: ARG (more than CONFIGURATION_AXES_MOST: says which axes make
 * how many). */
enum err_code configuration_axes_count(const struct configuration_axes *axes,
				       const struct application *a, size_t *n, struct err *e);
/* Value i of an axis into a row. */
void configuration_axis_put(const struct configuration_axis *axis, size_t i, double *row);
/* Is the column on the axis? */
bool configuration_axis_has(const struct configuration_axis *axis, size_t i_column);

#endif
