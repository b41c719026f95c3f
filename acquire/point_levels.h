#ifndef ACQUIRE_POINT_LEVELS_H
#define ACQUIRE_POINT_LEVELS_H
#include <stddef.h>
#include "acquire/design.h"
#include "base/err.h"
#include "domain/application.h"

/* Configurations as points of a design: a factor for each column that varies among them and is not
 * derived (the first DESIGN_MAX_FACTORS), a level for each of its values, ascending; text columns
 * are nominal. Missing values are a level of their own, the last. */
struct point_levels {
	size_t n_factors;
	size_t column[DESIGN_MAX_FACTORS];
	size_t n_levels[DESIGN_MAX_FACTORS];
	unsigned char nominal[DESIGN_MAX_FACTORS];
	size_t *level; /* n_points * n_factors */
};

/* row[n_points * n_columns]. Errors: NOMEM. */
enum err_code point_levels_init(struct point_levels *p, const struct application *app,
				const double *row, size_t n_points, struct err *e);
void point_levels_release(struct point_levels *p);

#endif
