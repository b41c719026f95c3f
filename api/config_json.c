#include "api/config_json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <jansson.h>

#include "api/json_text.h"
#include "domain/configuration.h"

/* A double holds every integer up to here. */
#define MAX_EXACT 9007199254740992.0

static bool is_well_known(const struct application *a, size_t i)
{
	return i == a->i_nodes || i == a->i_ppn || i == a->i_procs || i == a->i_threads;
}

size_t config_column(const struct application *a, size_t k)
{
	static const enum column_role then[] = {COL_RESOURCE, COL_TUNABLE};
	const size_t well_known[] = {a->i_nodes, a->i_ppn, a->i_procs, a->i_threads};

	for (size_t i = 0; i < sizeof well_known / sizeof well_known[0]; i++) {
		if (well_known[i] != SIZE_MAX && k-- == 0)
			return well_known[i];
	}
	for (size_t r = 0; r < sizeof then / sizeof then[0]; r++) {
		for (size_t i = 0; i < a->n_columns; i++) {
			if (a->column[i].role == then[r] && !is_well_known(a, i) && k-- == 0)
				return i;
		}
	}
	return SIZE_MAX;
}

/* Value of a column: an integer, a real or a level's name; null for NaN. */
static struct json_t *config_json_value(const struct application *a, size_t i_column, double value)
{
	const struct column *c = &a->column[i_column];
	struct strbuf text = STRBUF_INIT;
	json_t *level;

	if (c->type == COL_TEXT && !isnan(value)) {
		configuration_put_value(a, i_column, value, &text);
		level = text.failed ? NULL : out_json_string(strbuf_text(&text));
		strbuf_release(&text);
		return level;
	}
	if (value == floor(value) && fabs(value) <= MAX_EXACT)
		return json_integer((json_int_t)value);
	return out_json_real(value);
}

static int set_column(json_t *object, const struct application *a, size_t i, const double *row)
{
	return json_object_set_new(object, a->column[i].name, config_json_value(a, i, row[i]));
}

int config_json_set_role(struct json_t *object, const struct application *a, enum column_role role,
			 const double *row, bool only_given)
{
	int failed = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == role && !(only_given && isnan(row[i])))
			failed |= set_column(object, a, i, row);
	}
	return failed;
}

int config_json_set_choice(struct json_t *object, const struct application *a, const double *row)
{
	int failed = 0;

	for (size_t k = 0, i; (i = config_column(a, k)) != SIZE_MAX; k++)
		failed |= set_column(object, a, i, row);
	return failed;
}
