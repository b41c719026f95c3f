#include "mining/cases/collinear_columns.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "mining/numerics/rank_tests.h"
#include "mining/numerics/group_by.h"

/* Configurations looked at: if two columns move together in that many, nobody will untie them. */
enum { TWIN_SAMPLE = 5000 };

enum err_code column_roots(const struct application *a, unsigned char **roots, struct err *e)
{
	size_t n = a->n_columns;
	unsigned char *r = calloc(n * n + 1, sizeof *r);

	if (!r)
		return err_set(e, ERR_NOMEM, "what %zu columns derive from", n);
	for (size_t c = 0; c < n; c++) {
		if (a->column[c].role != COL_DERIVED) {
			r[c * n + c] = 1;
			continue;
		}
		/* A derived column uses only columns above it. */
		for (size_t used = 0; used < c; used++) {
			if (!expr_uses(a->column[c].derived, used))
				continue;
			for (size_t i = 0; i < n; i++)
				r[c * n + i] |= r[used * n + i];
		}
	}
	*roots = r;
	return ERR_OK;
}

bool columns_share_roots(const struct application *a, const unsigned char *roots, size_t x,
			 size_t y)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (roots[x * a->n_columns + i] && roots[y * a->n_columns + i])
			return true;
	}
	return false;
}

static bool is_size(const struct application *a, size_t c)
{
	return (a->column[c].role == COL_PROBLEM || a->column[c].role == COL_WORKLOAD) &&
	       a->column[c].type != COL_TEXT;
}

static bool is_resource(const struct application *a, size_t c)
{
	return (a->column[c].role == COL_RESOURCE && a->column[c].type != COL_TEXT) ||
	       c == a->i_procs || c == a->i_nodes;
}

/* The rows of distinct problems with their resources, in the configurations looked at. */
struct combinations {
	const double **row;
	size_t n;
	double *x, *y; /* [n], scratch */
};

static void combinations_release(struct combinations *s)
{
	free(s->row);
	free(s->x);
	free(s->y);
}

/* Multiples of the golden ratio spread evenly and, unlike every k-th, resonate with no loop that
 * made the runs. */
static size_t spread_index(size_t k, size_t n)
{
	double turn = (double)k * 0.61803398874989485;

	return (size_t)((turn - floor(turn)) * (double)n);
}

static enum err_code combinations_make(const struct slowdown_table *t, struct combinations *out,
				       struct err *e)
{
	size_t n = t->n < TWIN_SAMPLE ? t->n : TWIN_SAMPLE;
	size_t *column = calloc(t->n_columns + 1, sizeof *column);
	uint32_t *row = calloc(3 * n + 1, sizeof *row), *group, *first;
	struct row_key key = row_key_of(t->runs, column);
	struct combinations s = {
		.row = calloc(n + 1, sizeof *s.row),
		.x = calloc(n + 1, sizeof *s.x),
		.y = calloc(n + 1, sizeof *s.y),
	};
	enum err_code rc = ERR_OK;

	if (!column || !row || !s.row || !s.x || !s.y) {
		rc = err_set(e, ERR_NOMEM, "problems and resources of %zu configurations", n);
		goto done;
	}
	group = row + n;
	first = group + n;
	for (size_t k = 0; k < n; k++)
		row[k] = t->first_run[n == t->n ? k : spread_index(k, t->n)];
	for (size_t c = 0; c < t->n_columns; c++) {
		if (is_size(t->app, c) || is_resource(t->app, c))
			column[key.n_key++] = c;
	}
	if ((rc = group_by(&key, row, n, group, first, &s.n, e)))
		goto done;
	for (size_t k = 0; k < s.n; k++)
		s.row[k] = dataset_row(t->runs, first[k]);
	*out = s;
	s = (struct combinations){0};
done:
	combinations_release(&s);
	free(row);
	free(column);
	return rc;
}

/* The problem's size as one number: the product of its columns, so that a problem that grows in
 * every direction at once is seen to. */
static double problem_product(const struct application *a, const double *row)
{
	double product = 1;

	for (size_t c = 0; c < a->n_columns; c++) {
		if (a->column[c].role == COL_PROBLEM && is_size(a, c))
			product *= row[c];
	}
	return product;
}

/* column: SIZE_MAX for the product. */
static enum err_code correlate(const struct application *a, struct combinations *s, size_t column,
			       size_t resource, double *rho, struct err *e)
{
	struct rank_correlation r;
	size_t n = 0;
	enum err_code rc;

	for (size_t k = 0; k < s->n; k++) {
		double x = column == SIZE_MAX ? problem_product(a, s->row[k]) : s->row[k][column];
		double y = s->row[k][resource];

		if (isfinite(x) && isfinite(y)) {
			s->x[n] = x;
			s->y[n++] = y;
		}
	}
	if (!(rc = spearman(s->x, s->y, n, &r, e)))
		*rho = r.rho;
	return rc;
}

/* The closest stays. */
static void offer(struct collinear_column *twin, size_t column, double rho)
{
	if (fabs(rho) >= TWIN_CORRELATION &&
	    (twin->column == SIZE_MAX || fabs(rho) > fabs(twin->rho)))
		*twin = (struct collinear_column){.column = column, .rho = rho};
}

static enum err_code pair_columns(const struct application *a, struct combinations *s,
				  const unsigned char *roots, struct collinear_column *twin,
				  struct err *e)
{
	enum err_code rc = ERR_OK;
	double rho = NAN;

	for (size_t c = 0; c < a->n_columns && !rc; c++) {
		for (size_t r = 0; is_size(a, c) && r < a->n_columns && !rc; r++) {
			if (!is_resource(a, r) || columns_share_roots(a, roots, c, r) ||
			    (rc = correlate(a, s, c, r, &rho, e)))
				continue;
			offer(&twin[c], r, rho);
			offer(&twin[r], c, rho);
		}
	}
	return rc;
}

static size_t count_varying(const struct application *a, const struct combinations *s)
{
	size_t n_vary = 0;

	for (size_t c = 0; c < a->n_columns; c++) {
		size_t k = 1;

		if (a->column[c].role != COL_PROBLEM || !is_size(a, c))
			continue;
		while (k < s->n && s->row[k][c] == s->row[0][c])
			k++;
		n_vary += k < s->n;
	}
	return n_vary;
}

/* What has no twin of its own may have one in the product of the problem's columns. */
static enum err_code pair_product(const struct application *a, struct combinations *s,
				  struct collinear_column *twin, struct err *e)
{
	struct collinear_column best = {.column = SIZE_MAX};
	enum err_code rc = ERR_OK;
	double rho = NAN;

	if (count_varying(a, s) < 2)
		return ERR_OK;
	for (size_t r = 0; r < a->n_columns && !rc; r++) {
		if (is_resource(a, r) && !(rc = correlate(a, s, SIZE_MAX, r, &rho, e)))
			offer(&best, r, rho);
	}
	best.of_product = true;
	if (rc || best.column == SIZE_MAX)
		return rc;
	for (size_t c = a->n_columns; c-- > 0;) {
		struct collinear_column back = {.column = c, .of_product = true, .rho = best.rho};

		if (a->column[c].role != COL_PROBLEM || !is_size(a, c))
			continue;
		if (twin[c].column == SIZE_MAX)
			twin[c] = best;
		if (twin[best.column].column == SIZE_MAX || twin[best.column].of_product)
			twin[best.column] = back;
	}
	return ERR_OK;
}

enum err_code collinear_columns(const struct slowdown_table *t, struct collinear_column *twin,
				struct err *e)
{
	struct combinations s = {0};
	unsigned char *roots = NULL;
	enum err_code rc;

	for (size_t c = 0; c < t->n_columns; c++)
		twin[c] = (struct collinear_column){.column = SIZE_MAX};
	if (!(rc = column_roots(t->app, &roots, e)) && !(rc = combinations_make(t, &s, e)) &&
	    !(rc = pair_columns(t->app, &s, roots, twin, e)))
		rc = pair_product(t->app, &s, twin, e);
	combinations_release(&s);
	free(roots);
	return rc;
}

static void put_product(const struct application *a, struct strbuf *out)
{
	const char *times = "";

	for (size_t c = 0; c < a->n_columns; c++) {
		if (a->column[c].role == COL_PROBLEM && is_size(a, c)) {
			strbuf_printf(out, "%s%s", times, a->column[c].name);
			times = " * ";
		}
	}
}

void collinear_column_put_text(const struct application *a, size_t column,
			       const struct collinear_column *twin, struct strbuf *out)
{
	size_t size = is_size(a, column) ? column : twin->column;
	size_t resource = is_size(a, column) ? twin->column : column;

	if (twin->of_product)
		put_product(a, out);
	else
		strbuf_puts(out, a->column[size].name);
	strbuf_printf(out, " and %s move together in these runs (rank correlation ",
		      a->column[resource].name);
	strbuf_put_number(out, round(twin->rho * 100) / 100);
	strbuf_puts(out, "): what either does to time cannot be told apart");
}
