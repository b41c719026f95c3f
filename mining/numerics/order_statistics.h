#ifndef MINING_ORDER_STATISTICS_H
#define MINING_ORDER_STATISTICS_H
#include <stddef.h>

/* For the rooms that do not know GSL. */
/* Ascending, in a time that grows as n does; no NaN. Needs no memory, but is faster with some. */
void order_sort(double *x, size_t n);
/* The quantile q in [0, 1] of sorted x[0..n-1], n >= 1: linear between the order statistics, which
 * stand at 0, 1 / (n - 1), ..., 1. */
double order_quantile(const double *sorted, size_t n, double q);

#endif
