#ifndef RECOMMEND_NEAR_DISTANCE_H
#define RECOMMEND_NEAR_DISTANCE_H
#include "domain/application.h"

/* How far configurations are from each other: Euclidean in the logs of problem, workload, tunables
 * and resources. 0.69 is a factor of two in one of them; another category counts as that much, and
 * so does a value that the run lacks. What `row` lacks does not count. */
double near_distance(const struct application *app, const double *row, const double *run);
/* To the nearest run that could be between lo and hi (NaN: not bounded): no more than that. */
double near_box_distance(const struct application *app, const double *row, const double *lo,
			 const double *hi);
/* An order of configurations; 0: the same one. */
int near_compare(const struct application *app, const double *a, const double *b);

#endif
