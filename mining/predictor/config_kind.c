#include "mining/predictor/config_kind.h"

#include <math.h>
#include <string.h>

#include "base/splitmix.h"

static uint64_t hash_number(uint64_t hash, double x)
{
	uint64_t bits;

	x = isnan(x) ? (double)NAN : x + 0.0; /* one NaN, one zero */
	memcpy(&bits, &x, sizeof bits);
	hash ^= bits;
	return splitmix_next(&hash);
}

/* Codes of words change when runs come or go. */
static uint64_t hash_cell(uint64_t hash, const struct column *c, double x)
{
	if (c->type != COL_TEXT || !(x >= 0) || !(x < (double)c->levels.n))
		return hash_number(hash, x);
	for (const char *text = c->levels.name[(size_t)x]; *text; text++)
		hash = hash_number(hash, (unsigned char)*text);
	return hash;
}

static bool counts_in(const struct application *app, size_t i, enum config_kind kind)
{
	const enum column_role role = app->column[i].role;
	const bool is_scale = i == app->i_nodes || i == app->i_procs;

	if (role == COL_PROBLEM || role == COL_WORKLOAD)
		return kind == SAME_PROBLEM;
	return (role == COL_TUNABLE || role == COL_RESOURCE) && (kind != SAME_PACKING || !is_scale);
}

uint64_t config_kind_hash(const struct application *app, const double *row, enum config_kind kind)
{
	uint64_t hash = (uint64_t)kind + 1;

	for (size_t i = 0; i < app->n_columns; i++) {
		if (counts_in(app, i, kind))
			hash = hash_cell(hash_number(hash, (double)i), &app->column[i], row[i]);
	}
	if (app->i_procs != SIZE_MAX && app->i_nodes != SIZE_MAX)
		hash = hash_number(hash, row[app->i_procs] / row[app->i_nodes]);
	return hash;
}

uint64_t config_size_hash(const struct application *app, const double *row)
{
	uint64_t hash = CONFIG_KINDS + 1;

	if (app->i_nodes != SIZE_MAX)
		hash = hash_number(hash, row[app->i_nodes]);
	return app->i_procs == SIZE_MAX ? hash : hash_number(hash, row[app->i_procs]);
}

struct config_demand config_demand_of(const struct application *app, const double *row)
{
	const bool has_nodes = app->i_nodes != SIZE_MAX, has_procs = app->i_procs != SIZE_MAX;
	struct config_demand d = {
		.nodes = has_nodes   ? row[app->i_nodes]
			 : has_procs ? row[app->i_procs]
				     : 1,
		.procs = has_procs ? row[app->i_procs] : (double)NAN,
		.ppn = app->i_ppn != SIZE_MAX ? row[app->i_ppn] : (double)NAN,
	};

	if (isnan(d.ppn) && has_nodes)
		d.ppn = d.procs / d.nodes;
	if (isnan(d.procs))
		d.procs = isnan(d.ppn) ? d.nodes : d.nodes * d.ppn;
	return d;
}

bool config_no_larger(const struct application *app, const struct falling_columns *f,
		      const double *a, const double *b)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (c->role == COL_PROBLEM && !(c->type == COL_TEXT	     ? a[i] == b[i]
						: falling_columns_have(f, i) ? a[i] >= b[i]
									     : a[i] <= b[i]))
			return false;
	}
	return true;
}

size_t config_count_sizes(const struct application *app)
{
	size_t n = 0;

	for (size_t i = 0; i < app->n_columns; i++)
		n += app->column[i].role == COL_PROBLEM && app->column[i].type != COL_TEXT;
	return n;
}

bool config_is_setting(const struct application *app, size_t i)
{
	const enum column_role role = app->column[i].role;

	return (role == COL_TUNABLE || role == COL_RESOURCE) && i != app->i_nodes &&
	       i != app->i_procs && i != app->i_ppn;
}
