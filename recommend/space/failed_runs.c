#include "recommend/space/failed_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_RISK_TO_OTHERS = 1, NOT_FAILED = 2 };

/* ---- comparing configurations ---- */

static bool is_tunable(const struct column *c)
{
	return c->role == COL_TUNABLE && c->candidates != CAND_GRID;
}

static bool is_resource(const struct column *c)
{
	return c->role == COL_RESOURCE || (c->role == COL_TUNABLE && c->candidates == CAND_GRID);
}

/* A missing value comes last. */
static int compare_value(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

static int compare_where(const struct application *app, bool (*counts)(const struct column *),
			 const double *a, const double *b)
{
	int order = 0;

	for (size_t i = 0; i < app->n_columns && !order; i++) {
		if (counts(&app->column[i]))
			order = compare_value(a[i], b[i]);
	}
	return order;
}

static bool is_problem(const struct column *c)
{
	return c->role == COL_PROBLEM;
}

/* Is problem a no larger than b in any column? Words must be equal; what is missing is unknown. */
static bool no_larger(const struct application *app, const double *a, const double *b)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (is_problem(c) && !(c->type == COL_TEXT ? a[i] == b[i] : a[i] <= b[i]))
			return false;
	}
	return true;
}

/* Nodes, or processes in a class that has none; NaN: the run does not say. */
static double size_of(const struct application *app, const double *row)
{
	size_t i = app->i_nodes != SIZE_MAX ? app->i_nodes : app->i_procs;

	return i == SIZE_MAX ? 1 : row[i];
}

static double procs_per_node(const struct application *app, const double *row)
{
	if (app->i_ppn != SIZE_MAX && !isnan(row[app->i_ppn]))
		return row[app->i_ppn];
	if (app->i_procs == SIZE_MAX || app->i_nodes == SIZE_MAX)
		return (double)NAN;
	return row[app->i_procs] / row[app->i_nodes];
}

/* Same problem and resources, tunables being equal already. */
static bool is_same_case(const struct application *app, const double *a, const double *b)
{
	return !compare_where(app, is_problem, a, b) && !compare_where(app, is_resource, a, b);
}

/* Does `big` need as much memory on a node as `small` or more, tunables being equal? */
static bool needs_as_much(const struct application *app, const double *small, const double *big)
{
	double n_small = size_of(app, small), n_big = size_of(app, big);

	if (!no_larger(app, small, big) || !(n_big <= n_small))
		return false;
	return n_big < n_small || compare_where(app, is_problem, small, big) ||
	       !(procs_per_node(app, big) < procs_per_node(app, small));
}

/* ---- those that matter ---- */

/* For qsort(), which hands no context on. */
struct entry {
	const struct dataset *runs;
	size_t i;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const struct dataset *d = x->runs;
	const double *p = dataset_row(d, x->i), *q = dataset_row(d, y->i);
	int order = compare_where(d->app, is_tunable, p, q);

	if (!order)
		order = compare_where(d->app, is_problem, p, q);
	if (!order)
		order = compare_where(d->app, is_resource, p, q);
	return order ? order
		     : (d->run_id[x->i] > d->run_id[y->i]) - (d->run_id[x->i] < d->run_id[y->i]);
}

/* Sort, and keep of each configuration the first run. */
static enum err_code sort_distinct(struct failed_runs *f, struct err *e)
{
	struct entry *order = calloc(f->n + 1, sizeof *order);
	size_t n = 0;

	if (!order)
		return err_set(e, ERR_NOMEM, "%zu failed runs", f->n);
	for (size_t i = 0; i < f->n; i++)
		order[i] = (struct entry){f->runs, f->run[i]};
	qsort(order, f->n, sizeof *order, compare_entries);
	for (size_t i = 0; i < f->n; i++) {
		const double *row = dataset_row(f->runs, order[i].i);
		const double *last = n ? dataset_row(f->runs, f->run[n - 1]) : NULL;

		if (!last || compare_where(f->app, is_tunable, row, last) ||
		    !is_same_case(f->app, row, last))
			f->run[n++] = order[i].i;
	}
	f->n = n;
	free(order);
	return ERR_OK;
}

static enum err_code gather(struct failed_runs *f, const double *problem, struct err *e)
{
	f->run = calloc(f->runs->n + 1, sizeof *f->run);
	f->cleared = calloc(f->runs->n + 1, sizeof *f->cleared);
	if (!f->run || !f->cleared)
		return err_set(e, ERR_NOMEM, "%zu failed runs", f->runs->n);
	for (size_t i = 0; i < f->runs->n; i++) {
		if (f->runs->status[i] == RUN_FAILED &&
		    no_larger(f->app, dataset_row(f->runs, i), problem))
			f->run[f->n++] = i;
	}
	return sort_distinct(f, e);
}

/* The first of the failures whose tunables are not below those of row. */
static size_t first_with_tunables(const struct failed_runs *f, const double *row)
{
	size_t lo = 0, hi = f->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare_where(f->app, is_tunable, dataset_row(f->runs, f->run[mid]), row) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has_tunables(const struct failed_runs *f, size_t k, const double *row)
{
	return k < f->n && !compare_where(f->app, is_tunable, dataset_row(f->runs, f->run[k]), row);
}

/* ---- what runs that ended take back ---- */

/* A run that hit its time limit had memory enough. */
static void clear_by(struct failed_runs *f, const double *ended)
{
	for (size_t k = first_with_tunables(f, ended); has_tunables(f, k, ended); k++) {
		const double *failed = dataset_row(f->runs, f->run[k]);

		if (is_same_case(f->app, failed, ended))
			f->cleared[k] = NOT_FAILED;
		else if (!f->cleared[k] && needs_as_much(f->app, failed, ended))
			f->cleared[k] = NO_RISK_TO_OTHERS;
	}
}

static void clear_by_all(struct failed_runs *f, const struct dataset *runs)
{
	for (size_t i = 0; runs && i < runs->n; i++) {
		if (runs->status[i] != RUN_FAILED)
			clear_by(f, dataset_row(runs, i));
	}
}

/* A failure that the index is searched for. */
struct wanted {
	struct failed_runs *f;
	size_t k;
};

static bool in_box(double value, double lo, double hi)
{
	return isnan(lo) || isnan(hi) || isnan(value) || (value >= lo && value <= hi);
}

/* 0 where the box may hold a run that takes the failure back. */
static double wanted_distance(void *arg, const double *lo, const double *hi)
{
	const struct wanted *w = arg;
	const struct application *app = w->f->app;
	const double *failed = dataset_row(w->f->runs, w->f->run[w->k]);

	if (w->f->cleared[w->k] == NOT_FAILED)
		return (double)INFINITY;
	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (is_tunable(c) && !in_box(failed[i], lo[i], hi[i]))
			return (double)INFINITY;
		if (is_problem(c) &&
		    (c->type == COL_TEXT ? !in_box(failed[i], lo[i], hi[i]) : hi[i] < failed[i]))
			return (double)INFINITY;
	}
	return app->i_nodes != SIZE_MAX && lo[app->i_nodes] > failed[app->i_nodes]
		       ? (double)INFINITY
		       : 0;
}

static enum err_code take(void *arg, const struct dataset *runs, const size_t *n_runs,
			  struct err *e)
{
	const struct wanted *w = arg;

	(void)n_runs;
	(void)e;
	clear_by_all(w->f, runs);
	return ERR_OK;
}

static enum err_code clear_by_stored(struct failed_runs *f, const struct advice_request *q,
				     struct err *e)
{
	struct wanted w = {.f = f};
	const struct kb_index_visitor visitor = {&w, wanted_distance, take};
	const struct stored_runs *stored = q->stored;
	bool found = true;
	enum err_code rc = ERR_OK;

	for (w.k = 0; w.k < f->n && !rc && found; w.k++)
		rc = kb_search_run_index(stored->kb, q->app, stored->app_id, stored->machine_id,
					 &visitor, &found, e);
	return rc;
}

/* ---- all together ---- */

static void drop_not_failed(struct failed_runs *f)
{
	size_t n = 0;

	for (size_t k = 0; k < f->n; k++) {
		if (f->cleared[k] == NOT_FAILED)
			continue;
		f->run[n] = f->run[k];
		f->cleared[n++] = f->cleared[k];
	}
	f->n = n;
}

enum err_code failed_runs_find(const struct advice_request *q, struct failed_runs *out,
			       struct err *e)
{
	struct failed_runs f = {.app = q->app, .runs = q->failures ? q->failures : q->runs};
	enum err_code rc = ERR_OK;

	if (f.runs && f.runs->n > 0)
		rc = gather(&f, q->row, e);
	if (!rc && f.n > 0) {
		clear_by_all(&f, q->failures);
		clear_by_all(&f, q->runs);
		if (q->stored)
			rc = clear_by_stored(&f, q, e);
	}
	if (!rc)
		drop_not_failed(&f);
	if (rc) {
		failed_runs_release(&f);
		return rc;
	}
	*out = f;
	return ERR_OK;
}

void failed_runs_release(struct failed_runs *f)
{
	free(f->run);
	free(f->cleared);
	*f = (struct failed_runs){0};
}

enum risk failed_runs_judge(const struct failed_runs *f, const double *row, int64_t *run_id)
{
	enum risk risk = RISK_NONE;

	for (size_t k = f->n ? first_with_tunables(f, row) : 0; has_tunables(f, k, row); k++) {
		const double *failed = dataset_row(f->runs, f->run[k]);
		int64_t id = f->runs->run_id[f->run[k]];
		enum risk here = RISK_NONE;

		if (is_same_case(f->app, failed, row))
			here = RISK_FAILED;
		else if (!f->cleared[k] && needs_as_much(f->app, failed, row))
			here = RISK_AT_RISK;
		if (here > risk || (here == risk && here != RISK_NONE && id < *run_id)) {
			risk = here;
			*run_id = id;
		}
	}
	return risk;
}
