#ifndef RECOMMEND_MEASURED_TIMES_H
#define RECOMMEND_MEASURED_TIMES_H
#include <stddef.h>
#include "base/err.h"
#include "recommend/space/recommend.h"

/* The times that were measured of exactly the problem and workload of a request, by configuration.
 */
struct measured_times {
	size_t n, n_columns;
	double *rows;	/* n * n_columns, by their values in column order */
	double *time_s; /* n: of the run of median time; the lower one of two */
	const struct application *app;
};

/* Looks them up in the index of stored runs, or among the request's runs. Without either there are
 * none. Errors: DAMAGED, NOMEM. */
enum err_code measured_times_find(const struct advice_request *q, struct measured_times *out,
				  struct err *e);
void measured_times_release(struct measured_times *m);

/* NaN: not measured. */
double measured_times_of(const struct measured_times *m, const double *row);

#endif
