#include "acquire/point_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

/* NaN last. */
static int compare_values(const void *a, const void *b)
{
	const double *x = a, *y = b;

	if (isnan(*x) || isnan(*y))
		return isnan(*x) - isnan(*y);
	return (*x > *y) - (*x < *y);
}

/* The values of a column, each once, ascending. Returns how many. */
static size_t distinct_values(const double *row, size_t n_points, size_t n_columns, size_t column,
			      double *value)
{
	size_t n = 0;

	for (size_t i = 0; i < n_points; i++)
		value[i] = row[i * n_columns + column];
	qsort(value, n_points, sizeof *value, compare_values);
	for (size_t i = 0; i < n_points; i++) {
		if (n == 0 || !same_number(value[i], value[n - 1]))
			value[n++] = value[i];
	}
	return n;
}

static size_t level_of(const double *value, size_t n, double x)
{
	const double *at = bsearch(&x, value, n, sizeof *value, compare_values);

	return (size_t)(at - value);
}

enum err_code point_levels_init(struct point_levels *p, const struct application *app,
				const double *row, size_t n_points, struct err *e)
{
	double *value = calloc(n_points + 1, sizeof *value);
	size_t *all = calloc(n_points * app->n_columns + 1, sizeof *all);
	struct point_levels made = {.level = all};

	if (!value || !all) {
		free(value);
		free(all);
		return err_set(e, ERR_NOMEM, "levels of %zu configurations", n_points);
	}
	/* columns one after another first, then rows */
	for (size_t c = 0; c < app->n_columns && made.n_factors < DESIGN_MAX_FACTORS; c++) {
		size_t n, f = made.n_factors;

		if (app->column[c].role == COL_DERIVED)
			continue;
		n = distinct_values(row, n_points, app->n_columns, c, value);
		if (n < 2)
			continue;
		made.column[f] = c;
		made.n_levels[f] = n;
		made.nominal[f] = app->column[c].type == COL_TEXT;
		for (size_t i = 0; i < n_points; i++)
			all[i * app->n_columns + f] =
				level_of(value, n, row[i * app->n_columns + c]);
		made.n_factors++;
	}
	for (size_t i = 1; i < n_points; i++)
		memmove(all + i * made.n_factors, all + i * app->n_columns,
			made.n_factors * sizeof *all);
	free(value);
	*p = made;
	return ERR_OK;
}

void point_levels_release(struct point_levels *p)
{
	free(p->level);
	*p = (struct point_levels){0};
}
