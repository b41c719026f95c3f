#ifndef MINING_ANALYTIC_MEAN_TUNINGS_H
#define MINING_ANALYTIC_MEAN_TUNINGS_H
#include "mining/structure/analytic_mean.h"

/* struct predictor_kind's tunings_*: the least time that any of a fixed list of blockings gives on
 * a processor grid, as wavefront_tunings.h, for a search over a million grids. */
enum err_code analytic_mean_tunings_new(const void *model, const double *rows, size_t n,
					size_t n_columns, void **out, struct err *e);
double analytic_mean_tunings_least_s(void *tunings, const double *row);
void analytic_mean_tunings_free(void *tunings);

#endif
