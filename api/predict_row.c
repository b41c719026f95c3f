#include "api/predict_row.h"

#include <math.h>

#include "domain/configuration.h"

/* "--mk", "--grid", "--set NAME=..." */
static void put_flag(const struct application *a, size_t i_column, struct strbuf *out)
{
	for (size_t g = 0; g < a->n_group; g++) {
		for (size_t i = 0; i < a->group[g].n; i++) {
			if (a->group[g].column[i] == i_column) {
				strbuf_printf(out, "--%s", a->group[g].flag);
				return;
			}
		}
	}
	if (a->column[i_column].flag)
		strbuf_printf(out, "--%s", a->column[i_column].flag);
	else
		strbuf_printf(out, "--set %s=...", a->column[i_column].name);
}

static bool all_there(const struct application *a, const double *row, struct strbuf *why)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];

		if (c->role == COL_DERIVED || !isnan(row[i]))
			continue;
		strbuf_printf(why, "%s is not given", c->name);
		if (*c->doc)
			strbuf_printf(why, " (%s)", c->doc);
		strbuf_puts(why, ": ");
		put_flag(a, i, why);
		return false;
	}
	return true;
}

bool predict_row_complete(const struct application *a, double cores_per_node, double *row,
			  struct strbuf *why)
{
	configuration_default_workload(a, row);
	configuration_derive(a, row);
	configuration_complete_resources(a, cores_per_node, row);
	return all_there(a, row, why) && configuration_legal(a, row, why);
}

struct row_prediction predict_row(const struct predictor *p, const double *row, double confidence)
{
	struct row_prediction f;

	predictor_predict(p, row, 1, &f.prediction);
	f.lo_s = prediction_quantile_s(p, &f.prediction, (1 - confidence) / 2);
	f.hi_s = prediction_quantile_s(p, &f.prediction, (1 + confidence) / 2);
	return f;
}
