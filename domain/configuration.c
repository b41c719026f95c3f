#include "domain/configuration.h"

#include <math.h>
#include <stdint.h>

#include "domain/application_private.h"

void configuration_clear(const struct application *a, double *row)
{
	for (size_t i = 0; i < a->n_columns; i++)
		row[i] = (double)NAN;
}

void configuration_default_workload(const struct application *a, double *row)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_WORKLOAD && isnan(row[i]))
			row[i] = a->column[i].dflt;
	}
}

/* In order: each derived column uses only columns above it, which are up to date by then. */
void configuration_derive(const struct application *a, double *row)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_DERIVED)
			row[i] = expr_eval(a->column[i].derived, row);
	}
}

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

bool configuration_counts_gpus(const struct application *a)
{
	return a->i_procs == SIZE_MAX && a->i_threads == SIZE_MAX &&
	       application_find_name(a, "gpus") != SIZE_MAX;
}

const char *configuration_unit_name(const struct application *a, bool no_nodes)
{
	if (!no_nodes)
		return "node";
	return configuration_counts_gpus(a) ? "GPU" : "core";
}

const char *configuration_hours_name(const struct application *a, bool no_nodes)
{
	if (!no_nodes)
		return "node-hours";
	return configuration_counts_gpus(a) ? "GPU-hours" : "core-hours";
}

double configuration_cores(const struct application *a, const double *row)
{
	const double procs = value_or(row, a->i_procs, NAN);
	const double threads = value_or(row, a->i_threads, NAN);

	if (isnan(procs) && isnan(threads))
		return value_or(row, application_find_name(a, "gpus"), 1);
	return fmax(isnan(procs) ? 1 : procs, 1) * fmax(isnan(threads) ? 1 : threads, 1);
}

void configuration_complete_resources(const struct application *a, double cores_per_node,
				      double *row)
{
	double procs = value_or(row, a->i_procs, NAN), nodes = value_or(row, a->i_nodes, NAN);

	if (!is_missing(row, a->i_nodes) && !is_missing(row, a->i_procs) &&
	    !is_missing(row, a->i_ppn))
		return;
	if (is_missing(row, a->i_procs) && !isnan(nodes))
		procs = row[a->i_procs] = nodes * procs_per_node(a, cores_per_node, row);
	if (is_missing(row, a->i_nodes) && !isnan(procs))
		nodes = row[a->i_nodes] = ceil(procs / procs_per_node(a, cores_per_node, row));
	if (is_missing(row, a->i_ppn) && !isnan(procs) && !isnan(nodes))
		row[a->i_ppn] = ceil(procs / nodes);
	configuration_derive(a, row);
}

/* The rule's reason, with the values of the columns it looks at. */
static void put_why(const struct application *a, const struct legality *rule, const double *row,
		    struct strbuf *why)
{
	const char *separator = " (";

	strbuf_puts(why, rule->why);
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!expr_uses(rule->condition, i))
			continue;
		strbuf_printf(why, "%s%s = ", separator, a->column[i].name);
		configuration_put_value(a, i, row[i], why);
		separator = ", ";
	}
	strbuf_putc(why, ')');
}

static const char more_nodes[] = "more nodes than processes";

/* False where one of them is not known, or no column of the application. */
static bool has_idle_nodes(const struct application *a, const double *row)
{
	return a->i_nodes != SIZE_MAX && a->i_procs != SIZE_MAX &&
	       row[a->i_nodes] > row[a->i_procs];
}

/* The first rule that the row breaks; NULL: none. NaN: not known yet. */
static const struct legality *find_broken(const struct application *a, const double *row)
{
	for (size_t i = 0; i < a->n_legality; i++) {
		if (expr_eval(a->legality[i].condition, row) == 0)
			return &a->legality[i];
	}
	return NULL;
}

const char *configuration_broken_rule(const struct application *a, const double *row)
{
	const struct legality *broken;

	if (has_idle_nodes(a, row))
		return more_nodes;
	broken = find_broken(a, row);
	return broken ? broken->why : NULL;
}

bool configuration_legal(const struct application *a, const double *row, struct strbuf *why)
{
	bool idle = has_idle_nodes(a, row);
	const struct legality *broken = idle ? NULL : find_broken(a, row);

	if (why && idle) {
		strbuf_printf(why, "%s (nodes = ", more_nodes);
		strbuf_put_number(why, row[a->i_nodes]);
		strbuf_puts(why, ", procs = ");
		strbuf_put_number(why, row[a->i_procs]);
		strbuf_putc(why, ')');
	} else if (why && broken) {
		put_why(a, broken, row, why);
	}
	return !idle && !broken;
}

double configuration_memory_bytes_per_proc(const struct application *a, const double *row)
{
	return a->memory_bytes_per_proc ? expr_eval(a->memory_bytes_per_proc, row) : (double)NAN;
}

void configuration_put_value(const struct application *a, size_t i_column, double value,
			     struct strbuf *out)
{
	const struct column *col = &a->column[i_column];

	if (isnan(value))
		return;
	if (col->type == COL_TEXT && value >= 0 && value < (double)col->levels.n)
		strbuf_puts(out, col->levels.name[(size_t)value]);
	else
		strbuf_put_number(out, value);
}

static bool has_text_problem(const struct application *a)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_PROBLEM && a->column[i].type == COL_TEXT)
			return true;
	}
	return false;
}

void configuration_put_problem(const struct application *a, const double *row, struct strbuf *out)
{
	bool by_name = has_text_problem(a);
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_PROBLEM)
			continue;
		if (n++ > 0)
			strbuf_putc(out, by_name ? ',' : 'x');
		if (by_name)
			strbuf_printf(out, "%s=", a->column[i].name);
		if (isnan(row[i]))
			strbuf_putc(out, '?');
		configuration_put_value(a, i, row[i], out);
	}
}
