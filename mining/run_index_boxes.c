#include "mining/run_index_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Few enough to be read in a moment, many enough that there are fewer boxes than runs. */
	MAX_IN_BOX = 32,
	/* Where half of a box lies is told by a sample of it. */
	MAX_SAMPLE = 255,
	/* Numbers of boxes double with each halving; only values that crowd together exponentially
	 * ask for so many. Such a box stays large. */
	MAX_HALVINGS = 60,
};

static bool is_bounded(const struct column *c)
{
	return c->role != COL_DERIVED && c->type != COL_TEXT;
}

static double value(const struct kb_run_index *x, size_t i, size_t column)
{
	return dataset_row(x->runs, x->run[i])[column];
}

/* ---- bounds ---- */

/* Of configurations [from .. to - 1]; NaN where one of them lacks a value, or for a text. */
static void bound_column(const struct kb_run_index *x, size_t from, size_t to, size_t column,
			 double *lo, double *hi)
{
	*lo = *hi = (double)NAN;
	if (!is_bounded(&x->runs->app->column[column]))
		return;
	*lo = *hi = value(x, from, column);
	for (size_t i = from; i < to; i++) {
		double v = value(x, i, column);

		if (isnan(v)) {
			*lo = *hi = v;
			return;
		}
		*lo = fmin(*lo, v);
		*hi = fmax(*hi, v);
	}
}

/* Room for one node more; nodes grow by doubling. */
static enum err_code grow(struct kb_run_index *x, struct err *e)
{
	size_t n = x->n_nodes ? 2 * x->n_nodes : 1, n_columns = x->runs->n_columns;
	struct kb_index_node *node;
	double *lo, *hi;

	if (x->n_nodes & (x->n_nodes - 1))
		return ERR_OK;
	node = realloc(x->node, n * sizeof *node);
	if (node)
		x->node = node;
	lo = realloc(x->lo, n * n_columns * sizeof *lo);
	if (lo)
		x->lo = lo;
	hi = realloc(x->hi, n * n_columns * sizeof *hi);
	if (hi)
		x->hi = hi;
	return node && lo && hi ? ERR_OK : err_set(e, ERR_NOMEM, "%zu boxes of runs", n);
}

static enum err_code add_node(struct kb_run_index *x, int64_t number, size_t from, size_t to,
			      struct err *e)
{
	size_t at = x->n_nodes * x->runs->n_columns;
	enum err_code rc = grow(x, e);

	if (rc)
		return rc;
	for (size_t c = 0; c < x->runs->n_columns; c++)
		bound_column(x, from, to, c, &x->lo[at + c], &x->hi[at + c]);
	x->node[x->n_nodes++] = (struct kb_index_node){number, from, to - from};
	return ERR_OK;
}

/* ---- halves ---- */

/* How far apart the sides of a box are: in logs, as distances are; where there are none (0 and
 * below) other values count as a factor of two. */
static double length(double lo, double hi)
{
	if (!(lo < hi))
		return 0;
	return lo > 0 ? log(hi / lo) : log(2);
}

/* The longest side of the last box; SIZE_MAX: it has none. */
static size_t longest_side(const struct kb_run_index *x)
{
	size_t at = (x->n_nodes - 1) * x->runs->n_columns, longest = SIZE_MAX;
	double most = 0;

	for (size_t c = 0; c < x->runs->n_columns; c++) {
		double l = length(x->lo[at + c], x->hi[at + c]);

		if (l > most) {
			most = l;
			longest = c;
		}
	}
	return longest;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* About half of the values are up to this one, and at least one is beyond. */
static double middle(const struct kb_run_index *x, size_t from, size_t to, size_t column)
{
	double seen[MAX_SAMPLE] = {0};
	size_t n = to - from < MAX_SAMPLE ? to - from : MAX_SAMPLE;
	double most = -(double)INFINITY, below = -(double)INFINITY, half;

	for (size_t k = 0; k < n; k++)
		seen[k] = value(x, from + k * (to - from) / n, column);
	qsort(seen, n, sizeof *seen, by_value);
	half = seen[(n - 1) / 2];
	for (size_t i = from; i < to; i++)
		most = fmax(most, value(x, i, column));
	if (half < most)
		return half;
	for (size_t i = from; i < to; i++) {
		double v = value(x, i, column);

		if (v < most)
			below = fmax(below, v);
	}
	return below;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t was = *a;

	*a = *b;
	*b = was;
}

/* Configurations with values up to the middle first; where the others begin. */
static size_t part(struct kb_run_index *x, size_t from, size_t to, size_t column)
{
	double half = middle(x, from, to, column);
	size_t at = from;

	for (size_t i = from; i < to; i++) {
		if (value(x, i, column) > half)
			continue;
		swap(&x->run[i], &x->run[at]);
		swap(&x->n_runs[i], &x->n_runs[at]);
		at++;
	}
	return at;
}

/* A box and all boxes in it. */
static enum err_code make_box(struct kb_run_index *x, int64_t number, int halvings, size_t from,
			      size_t to, struct err *e)
{
	size_t side, half;
	enum err_code rc = add_node(x, number, from, to, e);

	if (rc || to - from <= MAX_IN_BOX || halvings == MAX_HALVINGS)
		return rc;
	side = longest_side(x);
	if (side == SIZE_MAX)
		return ERR_OK;
	x->node[x->n_nodes - 1].n = 0;
	half = part(x, from, to, side);
	rc = make_box(x, 2 * number, halvings + 1, from, half, e);
	return rc ? rc : make_box(x, 2 * number + 1, halvings + 1, half, to, e);
}

enum err_code run_index_make_boxes(struct kb_run_index *x, struct err *e)
{
	return make_box(x, 1, 0, 0, x->n_configurations, e);
}
