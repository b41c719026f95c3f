#include "mining/training/level_folds.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Puts x among the values in order; false: there are too many. */
static bool put_value(struct level_column *c, double x)
{
	size_t i = c->n;

	while (i > 0 && c->value[i - 1] >= x)
		i--;
	if (i < c->n && c->value[i] == x)
		return true;
	if (c->n == LEVEL_MAX)
		return false;
	memmove(c->value + i + 1, c->value + i, (c->n - i) * sizeof *c->value);
	c->value[i] = x;
	c->n++;
	return true;
}

void level_columns_find(const struct config_table *t, struct level_columns *out)
{
	*out = (struct level_columns){.n = 0};
	for (size_t c = 0; c < t->n_columns && out->n < LEVEL_COLUMNS; c++) {
		struct level_column levels = {.column = c};
		bool few =
			t->app->column[c].role == COL_PROBLEM && t->app->column[c].type != COL_TEXT;

		for (size_t i = 0; i < t->n && few; i++) {
			const double x = config_table_row(t, i)[c];

			few = !isnan(x) && put_value(&levels, x);
		}
		if (few && levels.n >= LEVEL_MIN)
			out->item[out->n++] = levels;
	}
}

static bool is_new(const struct level_column *c, double x)
{
	if (!(x > c->value[0] && x < c->value[c->n - 1]))
		return false;
	for (size_t i = 0; i < c->n; i++) {
		if (c->value[i] == x)
			return false;
	}
	return true;
}

int level_columns_newness(const struct level_columns *m, const double *row)
{
	int n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += is_new(&m->item[i], row[m->item[i].column]);
	return n;
}

/* The k-th pair of inner levels, in the order of columns and values; false: there are no more. */
static bool nth_pair(const struct level_columns *m, size_t k, struct level_fold *out)
{
	for (size_t i = 0; i < m->n; i++) {
		for (size_t j = i + 1; j < m->n; j++) {
			const struct level_column *a = &m->item[i], *c = &m->item[j];
			const size_t pairs = (a->n - 2) * (c->n - 2);

			if (k < pairs) {
				*out = (struct level_fold){{a->column, c->column},
							   {a->value[1 + k / (c->n - 2)],
							    c->value[1 + k % (c->n - 2)]}};
				return true;
			}
			k -= pairs;
		}
	}
	return false;
}

size_t level_folds_make(const struct level_columns *m, struct level_fold out[LEVEL_FOLDS])
{
	struct level_fold ignored;
	size_t all = 0, n;

	if (m->n == 1) {
		const struct level_column *a = &m->item[0];

		n = a->n - 2 < LEVEL_FOLDS ? a->n - 2 : LEVEL_FOLDS;
		for (size_t k = 0; k < n; k++)
			out[k] = (struct level_fold){{a->column, SIZE_MAX},
						     {a->value[1 + k * (a->n - 2) / n], 0}};
		return n;
	}
	while (nth_pair(m, all, &ignored))
		all++;
	n = all < LEVEL_FOLDS ? all : LEVEL_FOLDS;
	/* from the middle of each share on, so that inner levels of both columns vary */
	for (size_t k = 0; k < n; k++)
		nth_pair(m, (2 * k + 1) * all / (2 * n), &out[k]);
	return n;
}

int level_fold_takes(const struct level_fold *f, const double *row)
{
	int n = 0;

	for (int k = 0; k < 2; k++)
		n += f->column[k] != SIZE_MAX && row[f->column[k]] == f->value[k];
	return n;
}
