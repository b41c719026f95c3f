#include "cli/answer/prediction_table.h"

#include <math.h>
#include <stdlib.h>

#include "cli/answer/config_cells.h"

static const struct out_column first_column = {"machine", NULL, OUT_TEXT};
static const struct out_column last_columns[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"support", NULL, OUT_TEXT},
	{"error", NULL, OUT_TEXT},
};
enum { N_LAST = sizeof last_columns / sizeof last_columns[0] };

struct out_table *prediction_table_new(const struct application *a)
{
	struct out_column *column = calloc(a->n_columns + 1 + N_LAST, sizeof *column);
	struct out_table *t = NULL;
	size_t n = 0;

	if (!column)
		return NULL;
	column[n++] = first_column;
	n += config_cells_columns(a, column + n);
	for (size_t i = 0; i < N_LAST; i++)
		column[n++] = last_columns[i];
	t = out_table_new(column, n);
	free(column);
	return t;
}

void prediction_table_add(struct out_table *t, const struct application *a, const char *machine,
			  const double *row, const struct row_prediction *f, const char *error)
{
	out_text(t, machine);
	config_cells_put(t, a, row);
	out_real(t, f ? f->prediction.time_s : (double)NAN);
	out_real(t, f ? f->lo_s : (double)NAN);
	out_real(t, f ? f->hi_s : (double)NAN);
	out_text(t, f ? support_name(f->prediction.support) : NULL);
	out_text(t, f ? NULL : error);
}
