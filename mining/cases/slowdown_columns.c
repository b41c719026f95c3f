#include "mining/cases/slowdown_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A derived column that depends on a choice is context all the same if hardly any of its variance
 * is within cases: the cells of a processor, which the shape of the grid changes by rounding only.
 * The bound is a choice. */
#define CONTEXT_WITHIN 0.05

bool slowdown_depends_on_choice(const struct application *a, size_t column)
{
	const struct column *c = &a->column[column];

	if (column == a->i_procs || column == a->i_nodes || column == a->i_ppn ||
	    column == a->i_threads)
		return false;
	if (c->role == COL_TUNABLE || (c->role == COL_RESOURCE && c->candidates == CAND_GRID))
		return true;
	for (size_t i = 0; c->role == COL_DERIVED && i < column; i++) {
		if (expr_uses(c->derived, i) && slowdown_depends_on_choice(a, i))
			return true;
	}
	return false;
}

/* Columns that are fetched from the rows together: a cache line of doubles. */
enum { TOGETHER = 8 };

/* value[k * t->n + i]: column first + k of configuration i. */
static void fetch_columns(const struct slowdown_table *t, size_t first, size_t n_columns,
			  double *value)
{
	for (size_t i = 0; i < t->n; i++) {
		const double *row = slowdown_row(t, i) + first;

		for (size_t k = 0; k < n_columns; k++)
			value[k * t->n + i] = row[k];
	}
}

static enum err_code make_codes(struct slowdown_table *t, size_t column, const double *value,
				struct err *e)
{
	const struct column *c = &t->app->column[column];
	unsigned char *code = t->code + column * t->n;
	enum err_code rc;

	rc = column_bins_make(value, t->n, c->type == COL_TEXT, &t->bins[column], e);
	for (size_t i = 0; i < t->n && !rc; i++)
		code[i] = i > 0 && value[i] == value[i - 1]
				  ? code[i - 1]
				  : column_bins_code(&t->bins[column], value[i]);
	return rc;
}

static bool is_constant(const struct slowdown_table *t, size_t column)
{
	const unsigned char *code = slowdown_codes(t, column);

	for (size_t i = 1; i < t->n; i++) {
		if (code[i] != code[0])
			return false;
	}
	return true;
}

static size_t find_copy(const struct slowdown_table *t, size_t column)
{
	for (size_t other = 0; other < column; other++) {
		if (t->use[other] != USE_NONE &&
		    t->bins[other].ordered == t->bins[column].ordered &&
		    t->bins[other].n == t->bins[column].n &&
		    !memcmp(slowdown_codes(t, other), slowdown_codes(t, column), t->n))
			return other;
	}
	return SIZE_MAX;
}

/* Share of the variance of a column's codes that lies within cases. */
static enum err_code share_within(const struct slowdown_table *t, size_t column, double *share,
				  struct err *e)
{
	const unsigned char *code = slowdown_codes(t, column);
	double *sum = calloc(2 * t->n_strata, sizeof *sum);
	double *count;
	double all = 0, squares = 0, between = 0, total;

	if (!sum)
		return err_set(e, ERR_NOMEM, "variance over %zu cases", t->n_strata);
	count = sum + t->n_strata;
	for (size_t i = 0; i < t->n; i++) {
		sum[t->stratum[i]] += code[i];
		count[t->stratum[i]]++;
		all += code[i];
		squares += (double)code[i] * code[i];
	}
	for (size_t s = 0; s < t->n_strata; s++)
		between += count[s] > 0 ? sum[s] * sum[s] / count[s] : 0;
	total = squares - all * all / (double)t->n;
	*share = total > 0 ? (squares - between) / total : 0;
	free(sum);
	return ERR_OK;
}

static enum err_code find_use(struct slowdown_table *t, size_t column, struct err *e)
{
	double within = 1;
	enum err_code rc = ERR_OK;

	t->use[column] = USE_NONE;
	t->copy_of[column] = SIZE_MAX;
	if (is_constant(t, column))
		return ERR_OK;
	t->copy_of[column] = find_copy(t, column);
	if (t->copy_of[column] != SIZE_MAX)
		return ERR_OK;
	t->use[column] = USE_CONTEXT;
	if (!slowdown_depends_on_choice(t->app, column))
		return ERR_OK;
	if (t->app->column[column].role == COL_DERIVED)
		rc = share_within(t, column, &within, e);
	if (within >= CONTEXT_WITHIN)
		t->use[column] = USE_CHOICE;
	return rc;
}

enum err_code slowdown_make_columns(struct slowdown_table *t, struct err *e)
{
	double *value = malloc((TOGETHER * t->n + 1) * sizeof *value);
	enum err_code rc = ERR_OK;

	t->bins = calloc(t->n_columns, sizeof *t->bins);
	t->use = calloc(t->n_columns, sizeof *t->use);
	t->copy_of = calloc(t->n_columns, sizeof *t->copy_of);
	t->code = malloc(t->n_columns * t->n + 1);
	if (!value || !t->bins || !t->use || !t->copy_of || !t->code) {
		free(value);
		return err_set(e, ERR_NOMEM, "codes of %zu configurations", t->n);
	}
	for (size_t c = 0; c < t->n_columns && !rc; c++) {
		size_t left = t->n_columns - c;

		if (c % TOGETHER == 0)
			fetch_columns(t, c, left < TOGETHER ? left : TOGETHER, value);
		if (!(rc = make_codes(t, c, value + c % TOGETHER * t->n, e)))
			rc = find_use(t, c, e);
	}
	free(value);
	return rc;
}
