#include "mining/evaluate/error_region.h"

#include <math.h>
#include <stdlib.h>

#include "mining/evaluate/error_list.h"

enum { RANGES = 4, FEWEST = 8 };

/* One error and where it was made. */
struct place {
	double at, error;
};

static int by_place(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	if (p->at != q->at)
		return p->at < q->at ? -1 : 1;
	return (p->error > q->error) - (p->error < q->error);
}

static enum err_code judge(const struct place *p, size_t n, const char *name,
			   struct error_region *worst, struct err *e)
{
	struct error_region r = {.by = name, .from = p[0].at, .to = p[n - 1].at, .n = n};
	struct error_list list = {0};
	double p90;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = error_list_add(&list, p[i].error, e);
	if (!rc) {
		error_list_summarise(&list, &r.median_error, &p90, &r.bias);
		if (!worst->by || r.median_error > worst->median_error)
			*worst = r;
	}
	error_list_release(&list);
	return rc;
}

/* place[n], sorted. */
static enum err_code judge_ranges(const struct place *p, size_t n, const char *name,
				  struct error_region *worst, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t from = 0;

	if (n == 0 || p[0].at == p[n - 1].at)
		return ERR_OK;
	for (size_t k = 1; k <= RANGES && !rc; k++) {
		size_t to = k * n / RANGES;

		while (to > 0 && to < n && p[to].at == p[to - 1].at)
			to++;
		if (to < from + FEWEST)
			continue;
		rc = judge(p + from, to - from, name, worst, e);
		from = to;
	}
	return rc;
}

static size_t gather(const double *const *row, size_t i_column, const double *error, size_t n,
		     struct place *out)
{
	size_t n_out = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(error[i]) && !isnan(row[i][i_column]))
			out[n_out++] = (struct place){row[i][i_column], error[i]};
	}
	qsort(out, n_out, sizeof *out, by_place);
	return n_out;
}

enum err_code error_region_worst(const struct application *app, const double *const *row,
				 const double *error, size_t n, struct error_region *out,
				 struct err *e)
{
	struct error_region worst = {0};
	struct place *place = calloc(n + 1, sizeof *place);
	enum err_code rc = place ? ERR_OK : err_set(e, ERR_NOMEM, "%zu errors", n);

	for (size_t c = 0; c < app->n_columns && !rc; c++) {
		const struct column *column = &app->column[c];

		if (c == app->i_procs || (column->role == COL_DERIVED && column->type != COL_TEXT))
			rc = judge_ranges(place, gather(row, c, error, n, place), column->name,
					  &worst, e);
	}
	free(place);
	if (!rc)
		*out = worst;
	return rc;
}
