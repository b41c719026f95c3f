#include "cli/answer/config_cells.h"

#include <math.h>

#include "domain/configuration.h"

static enum out_kind kind_of(const struct column *c)
{
	return c->type == COL_TEXT ? OUT_TEXT : c->type == COL_INT ? OUT_INT : OUT_REAL;
}

size_t config_cells_columns(const struct application *a, struct out_column *column)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			column[n++] = (struct out_column){.name = a->column[i].name,
							  .kind = kind_of(&a->column[i])};
	}
	return n;
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

void config_cells_put(struct out_table *t, const struct application *a, const double *row)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			put_value(t, a, i, row ? row[i] : (double)NAN);
	}
}
