#include "mining/predictor/optimism.h"

#include <math.h>
#include <string.h>

#include "domain/configuration.h"

/* In spreads. The expected least of 16 independent standard normal errors is -1.77: more would be a
 * line through outliers. */
#define MOST_OPTIMISM 1.77

/* ---- what else could have been chosen ---- */

static bool same_tunables(const struct config_table *t, size_t i, size_t k)
{
	const double *x = config_table_row(t, i), *y = config_table_row(t, k);

	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_TUNABLE && x[c] != y[c] &&
		    !(isnan(x[c]) && isnan(y[c])))
			return false;
	}
	return true;
}

void tunable_settings_find(const struct config_table *t, struct tunable_settings *out)
{
	out->t = t;
	out->n = 0;
	for (size_t i = 0; i < t->n && out->n < TUNABLE_SETTINGS; i++) {
		bool is_new = true;

		for (size_t k = 0; k < out->n && is_new; k++)
			is_new = !same_tunables(t, i, out->config[k]);
		if (is_new)
			out->config[out->n++] = i;
	}
	if (out->n == 1)
		out->n = 0;
}

bool tunable_settings_row(const struct tunable_settings *a, size_t k, const double *row,
			  double *out)
{
	const struct application *app = a->t->app;
	const double *like = config_table_row(a->t, a->config[k]);

	for (size_t c = 0; c < app->n_columns; c++)
		out[c] = app->column[c].role == COL_TUNABLE ? like[c] : row[c];
	configuration_derive(app, out);
	return configuration_legal(app, out, NULL);
}

/* ---- the line ---- */

double optimism_of(const struct optimism_point *x, size_t n)
{
	double mean_w = 0, mean_off = 0, sww = 0, swo = 0, rest = 0;
	double slope, value, se;

	if (n < OPTIMISM_LEAST)
		return 0;
	for (size_t i = 0; i < n; i++) {
		mean_w += exp(-x[i].gap) / (double)n;
		mean_off += x[i].off / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		const double w = exp(-x[i].gap) - mean_w;

		sww += w * w;
		swo += w * (x[i].off - mean_off);
	}
	if (!(sww > 1e-12 * (double)n))
		return 0;
	slope = swo / sww;
	for (size_t i = 0; i < n; i++) {
		const double left = x[i].off - mean_off - slope * (exp(-x[i].gap) - mean_w);

		rest += left * left;
	}
	value = slope * (1 - mean_w);
	se = (1 - mean_w) * sqrt(rest / (double)(n - 2) / sww);
	if (!(value > se))
		return 0;
	return fmin(value * (1 - se / value * (se / value)), MOST_OPTIMISM);
}
