#ifndef MINING_NEAREST_NEIGHBOURS_H
#define MINING_NEAREST_NEIGHBOURS_H
#include "base/err.h"
#include "mining/training/config_table.h"

/* A baseline for back-tests: the geometric mean of the times of the three nearest configurations,
 * nearer ones counting more (weight 1 / distance). Distances are Euclidean over the columns that
 * are not derived, as logarithms where all values are positive, each divided by its standard
 * deviation; another level of a text column, or a value missing on one side only, is as far as two
 * standard deviations. It knows no trend, so it cannot extrapolate. One must not be shared by
 * threads. */
struct nearest_neighbours;

/* t may be freed afterwards. Errors: NODATA (fewer than NEIGHBOURS_MIN configurations), NOMEM. */
enum { NEIGHBOURS_MIN = 5 };
enum err_code nearest_neighbours_fit(const struct config_table *t, struct nearest_neighbours **out,
				     struct err *e);
void nearest_neighbours_free(struct nearest_neighbours *m);

double nearest_neighbours_time_s(const struct nearest_neighbours *m, const double *row);

/* The next run at a predicted time, from the errors with which each configuration is told by the
 * others; prob in (0, 1). */
double nearest_neighbours_quantile_s(const struct nearest_neighbours *m, double time_s,
				     double prob);
double nearest_neighbours_p_meet(const struct nearest_neighbours *m, double time_s,
				 double deadline_s);

#endif
