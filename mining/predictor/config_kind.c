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
