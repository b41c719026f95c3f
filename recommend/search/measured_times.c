#include "recommend/search/measured_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A configuration, or a run of one. */
struct entry {
	const struct application *app;
	double *row;
	double time_s;
};

struct gathering {
	const struct advice_request *q;
	struct entry *item;
	size_t n, cap;
};

static bool is_question(const struct column *c)
{
	return c->role == COL_PROBLEM || c->role == COL_WORKLOAD;
}

static int compare_rows(const struct application *app, const double *a, const double *b)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		if (app->column[i].role != COL_DERIVED &&
		    (a[i] < b[i] || a[i] > b[i] || isnan(a[i]) != isnan(b[i])))
			return a[i] < b[i] || isnan(b[i]) ? -1 : 1;
	}
	return 0;
}

static int by_row_then_time(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_rows(x->app, x->row, y->row);

	return order ? order : (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

static bool is_asked_for(const struct advice_request *q, const double *run)
{
	for (size_t i = 0; i < q->app->n_columns; i++) {
		if (is_question(&q->app->column[i]) && run[i] != q->row[i] &&
		    !(isnan(run[i]) && isnan(q->row[i])))
			return false;
	}
	return true;
}

static enum err_code gather(struct gathering *g, const double *row, double time_s, struct err *e)
{
	const size_t n_columns = g->q->app->n_columns;

	if (!(time_s > 0) || !is_asked_for(g->q, row))
		return ERR_OK;
	if (g->n == g->cap) {
		size_t cap = 2 * g->cap + 64;
		struct entry *grown = realloc(g->item, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu measured configurations", cap);
		g->item = grown;
		g->cap = cap;
	}
	g->item[g->n] = (struct entry){g->q->app, calloc(n_columns, sizeof(double)), time_s};
	if (!g->item[g->n].row)
		return err_set(e, ERR_NOMEM, "a measured configuration");
	memcpy(g->item[g->n++].row, row, n_columns * sizeof *row);
	return ERR_OK;
}

/* ---- in the index ---- */

static double only_the_problem(void *arg, const double *lo, const double *hi)
{
	const struct gathering *g = arg;
	const struct application *app = g->q->app;

	for (size_t i = 0; i < app->n_columns; i++) {
		if (is_question(&app->column[i]) && (g->q->row[i] < lo[i] || g->q->row[i] > hi[i]))
			return (double)INFINITY;
	}
	return 0;
}

static enum err_code take_box(void *arg, const struct dataset *runs, const size_t *n_runs,
			      struct err *e)
{
	enum err_code rc = ERR_OK;

	(void)n_runs;
	for (size_t i = 0; i < runs->n && !rc; i++) {
		if (runs->status[i] == RUN_OK)
			rc = gather(arg, dataset_row(runs, i), runs->wall_s[i], e);
	}
	return rc;
}

static enum err_code gather_all(struct gathering *g, struct err *e)
{
	const struct stored_runs *stored = g->q->stored;
	const struct kb_index_visitor visitor = {g, only_the_problem, take_box};
	bool found = false;
	enum err_code rc = ERR_OK;

	if (stored && ((rc = kb_search_run_index(stored->kb, g->q->app, stored->app_id,
						 stored->machine_id, &visitor, &found, e)) ||
		       found))
		return rc;
	return g->q->runs ? take_box(g, g->q->runs, NULL, e) : ERR_OK;
}

/* ---- by configuration ---- */

/* Of each configuration the run of median time. */
static enum err_code keep_medians(struct gathering *g, struct measured_times *out, struct err *e)
{
	const size_t n_columns = g->q->app->n_columns;
	struct measured_times m = {.n_columns = n_columns, .app = g->q->app};

	m.rows = calloc(g->n * n_columns + 1, sizeof *m.rows);
	m.time_s = calloc(g->n + 1, sizeof *m.time_s);
	if (!m.rows || !m.time_s) {
		measured_times_release(&m);
		return err_set(e, ERR_NOMEM, "%zu measured configurations", g->n);
	}
	if (g->n > 0)
		qsort(g->item, g->n, sizeof *g->item, by_row_then_time);
	for (size_t at = 0, end; at < g->n; at = end) {
		for (end = at + 1;
		     end < g->n && !compare_rows(m.app, g->item[at].row, g->item[end].row);)
			end++;
		memcpy(m.rows + m.n * n_columns, g->item[at].row, n_columns * sizeof *m.rows);
		m.time_s[m.n++] = g->item[at + (end - at - 1) / 2].time_s;
	}
	*out = m;
	return ERR_OK;
}

enum err_code measured_times_find(const struct advice_request *q, struct measured_times *out,
				  struct err *e)
{
	struct gathering g = {.q = q};
	enum err_code rc = gather_all(&g, e);

	if (!rc)
		rc = keep_medians(&g, out, e);
	for (size_t i = 0; i < g.n; i++)
		free(g.item[i].row);
	free(g.item);
	return rc;
}

void measured_times_release(struct measured_times *m)
{
	free(m->rows);
	free(m->time_s);
	*m = (struct measured_times){0};
}

double measured_times_of(const struct measured_times *m, const double *row)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int order = compare_rows(m->app, m->rows + mid * m->n_columns, row);

		if (order == 0)
			return m->time_s[mid];
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (double)NAN;
}
