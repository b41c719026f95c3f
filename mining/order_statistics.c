#include "mining/order_statistics.h"

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

void order_sort(double *x, size_t n)
{
	gsl_sort(x, 1, n);
}

double order_quantile(const double *sorted, size_t n, double q)
{
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n, q);
}
