#include "api/predict_row.h"

#include <math.h>
#include <stdint.h>

#include "domain/configuration.h"

static bool is_missing(const double *row, size_t i)
{
	return i != SIZE_MAX && isnan(row[i]);
}

static double value_or(const double *row, size_t i, double otherwise)
{
	return i == SIZE_MAX || isnan(row[i]) ? otherwise : row[i];
}

/* Where nothing is known, one process a node: what the search assumes, too (recommend/). */
static double procs_per_node(const struct application *a, double cores_per_node, const double *row)
{
	double cores = cores_per_node > 0 ? cores_per_node : 1;

	return value_or(row, a->i_ppn, fmax(1, floor(cores / value_or(row, a->i_threads, 1))));
}

static void complete_resources(const struct application *a, double cores_per_node, double *row)
{
	double procs = value_or(row, a->i_procs, NAN), nodes = value_or(row, a->i_nodes, NAN);

	if (is_missing(row, a->i_procs) && !isnan(nodes))
		procs = row[a->i_procs] = nodes * procs_per_node(a, cores_per_node, row);
	if (is_missing(row, a->i_nodes) && !isnan(procs))
		nodes = row[a->i_nodes] = ceil(procs / procs_per_node(a, cores_per_node, row));
	if (is_missing(row, a->i_ppn) && !isnan(procs) && !isnan(nodes))
		row[a->i_ppn] = ceil(procs / nodes);
}

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
	if (is_missing(row, a->i_nodes) || is_missing(row, a->i_procs) ||
	    is_missing(row, a->i_ppn)) {
		complete_resources(a, cores_per_node, row);
		configuration_derive(a, row);
	}
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
