#include "cli/prediction_table.h"

#include <math.h>
#include <stdlib.h>

#include "domain/configuration.h"

static const struct out_column first_column = {"machine", NULL, OUT_TEXT};
static const struct out_column last_columns[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"support", NULL, OUT_TEXT},
	{"error", NULL, OUT_TEXT},
};
enum { N_LAST = sizeof last_columns / sizeof last_columns[0] };

static enum out_kind kind_of(const struct column *c)
{
	return c->type == COL_TEXT ? OUT_TEXT : c->type == COL_INT ? OUT_INT : OUT_REAL;
}

struct out_table *prediction_table_new(const struct application *a)
{
	struct out_column *column = calloc(a->n_columns + 1 + N_LAST, sizeof *column);
	struct out_table *t = NULL;
	size_t n = 0;

	if (!column)
		return NULL;
	column[n++] = first_column;
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			column[n++] = (struct out_column){.name = a->column[i].name,
							  .kind = kind_of(&a->column[i])};
	}
	for (size_t i = 0; i < N_LAST; i++)
		column[n++] = last_columns[i];
	t = out_table_new(column, n);
	free(column);
	return t;
}

static void put_value(struct out_table *t, const struct application *a, size_t i, double value)
{
	struct strbuf text = STRBUF_INIT;

	if (isnan(value)) {
		out_null(t);
	} else if (a->column[i].type == COL_TEXT) {
		configuration_put_value(a, i, value, &text);
		out_text(t, strbuf_text(&text));
		strbuf_release(&text);
	} else if (a->column[i].type == COL_INT) {
		out_int(t, (int64_t)value);
	} else {
		out_real(t, value);
	}
}

void prediction_table_add(struct out_table *t, const struct application *a, const char *machine,
			  const double *row, const struct forecast *f, const char *error)
{
	out_text(t, machine);
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			put_value(t, a, i, row ? row[i] : (double)NAN);
	}
	out_real(t, f ? f->prediction.time_s : (double)NAN);
	out_real(t, f ? f->lo_s : (double)NAN);
	out_real(t, f ? f->hi_s : (double)NAN);
	out_text(t, f ? support_name(f->prediction.support) : NULL);
	out_text(t, f ? NULL : error);
}
