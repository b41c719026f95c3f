#include "recommend/choose/near_distance.h"

#include <math.h>

static bool is_feature(const struct column *c)
{
	return c->role != COL_DERIVED;
}

/* In one column; both are different. */
static double step(const struct column *c, double a, double b)
{
	return c->type != COL_TEXT && a > 0 && b > 0 ? log(a / b) : log(2);
}

double near_distance(const struct application *app, const double *row, const double *run)
{
	double sum = 0;

	for (size_t i = 0; i < app->n_columns; i++) {
		double d;

		if (!is_feature(&app->column[i]) || isnan(row[i]) || row[i] == run[i])
			continue;
		d = step(&app->column[i], row[i], run[i]);
		sum += d * d;
	}
	return sqrt(sum);
}

/* What could be between bounds that differ is 0 away, unless all of it is above 0. */
static double step_to_range(const struct column *c, double a, double lo, double hi)
{
	if (lo == hi)
		return step(c, a, lo);
	if (!(lo > 0 && a > 0))
		return 0;
	return a < lo ? log(a / lo) : a > hi ? log(a / hi) : 0;
}

double near_box_distance(const struct application *app, const double *row, const double *lo,
			 const double *hi)
{
	double sum = 0;

	for (size_t i = 0; i < app->n_columns; i++) {
		double d;

		if (!is_feature(&app->column[i]) || isnan(row[i]) || isnan(lo[i]) ||
		    row[i] == lo[i] || row[i] == hi[i])
			continue;
		d = step_to_range(&app->column[i], row[i], lo[i], hi[i]);
		sum += d * d;
	}
	return sqrt(sum);
}

int near_compare(const struct application *app, const double *a, const double *b)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		if (is_feature(&app->column[i]) &&
		    (a[i] < b[i] || a[i] > b[i] || isnan(a[i]) != isnan(b[i])))
			return a[i] < b[i] || isnan(b[i]) ? -1 : 1;
	}
	return 0;
}
