#include "mining/predictor/censored.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "mining/numerics/order_statistics.h"

/* A bound lies after a number of the same value: the run went on. */
static int ascending(const void *a, const void *b)
{
	const struct at_least *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (int)x->is_bound - (int)y->is_bound;
}

static bool any_bound(const struct at_least *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (x[i].is_bound)
			return true;
	}
	return false;
}

void censored_sample(struct at_least *x, size_t n, double *out)
{
	double worth = 1, sum = 0; /* of one; of all up to here */
	size_t filled = 0;

	if (!any_bound(x, n)) {
		for (size_t i = 0; i < n; i++)
			out[i] = x[i].value;
		order_sort(out, n);
		return;
	}
	qsort(x, n, sizeof *x, ascending);
	for (size_t i = 0; i < n; i++) {
		double left = (double)(n - i - 1);

		if (x[i].is_bound && i + 1 < n) {
			worth *= (left + 1) / left;
			continue;
		}
		sum += worth;
		while (filled < n && ((double)filled + 0.5 < sum || i + 1 == n))
			out[filled++] = x[i].value;
	}
}

double censored_normal_mean(double mean, double sd, double limit)
{
	const double u = (limit - mean) / sd;
	/* far out the ratio loses its digits, and tends to the distance */
	const double hazard =
		u < 30 ? gsl_ran_ugaussian_pdf(u) / gsl_cdf_ugaussian_Q(u) : u + 1 / u;

	return fmax(mean + sd * hazard, limit);
}
