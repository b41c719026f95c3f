#ifndef MINING_LISTED_TUNINGS_H
#define MINING_LISTED_TUNINGS_H
#include "mining/listed_model.h"

/* struct point_model's tunings_*: the least time that any of a fixed list of blockings gives on a
 * processor grid, as wavefront_tunings.h, for a search over a million grids. */
enum err_code listed_tunings_new(const void *model, const double *rows, size_t n, size_t n_columns,
				 void **out, struct err *e);
double listed_tunings_least_s(void *tunings, const double *row);
void listed_tunings_free(void *tunings);

#endif
