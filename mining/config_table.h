#ifndef MINING_CONFIG_TABLE_H
#define MINING_CONFIG_TABLE_H
#include <stddef.h>
#include "base/err.h"
#include "domain/dataset.h"

/* The runs of a data set gathered by configuration: what models are fitted to. A disturbed run is
 * common and one-sided (a lucky one is not), so a configuration is represented by the median of
 * those of its repeats that agree (mining/repeats.h). Only runs with status ok count; the time of
 * an aggregate row counts as one. */
struct config_table {
	const struct application *app; /* borrowed */
	size_t n;
	size_t n_columns;
	double *x;	   /* n * n_columns, row-major; rows as in struct dataset */
	double *time_s;	   /* median of the repeats that agree [s] */
	size_t *n_repeats; /* runs behind it */
	/* The runs of configuration i are run_s[first[i] .. first[i + 1] - 1] [s]. */
	size_t *first; /* n + 1 */
	double *run_s;
	double noise; /* standard deviation of log time between repeats; NaN: none were made */
	/* By run of the data set: its configuration, SIZE_MAX if it does not count. NULL in a
	 * subset. */
	size_t *config_of;
};

/* Order: that of first appearance. Errors: NODATA (no run with a time), NOMEM. */
enum err_code config_table_make(const struct dataset *runs, struct config_table **out,
				struct err *e);
/* The configurations with keep[i] != 0. Errors: NODATA, NOMEM. */
enum err_code config_table_subset(const struct config_table *t, const unsigned char *keep,
				  struct config_table **out, struct err *e);
void config_table_free(struct config_table *t);

static inline const double *config_table_row(const struct config_table *t, size_t i)
{
	return t->x + i * t->n_columns;
}

#endif
