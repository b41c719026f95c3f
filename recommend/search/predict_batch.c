#include "recommend/search/predict_batch.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "mining/predictor/system_change.h"

/* ---- what was measured of a question ---- */

/* A configuration, or a run of one. */
struct measured_entry {
	const struct application *app;
	double *row;
	double time_s;
};

struct gathering {
	const struct advice_request *q;
	struct measured_entry *item;
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
	const struct measured_entry *x = a, *y = b;
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
		struct measured_entry *grown = realloc(g->item, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu measured configurations", cap);
		g->item = grown;
		g->cap = cap;
	}
	g->item[g->n] =
		(struct measured_entry){g->q->app, calloc(n_columns, sizeof(double)), time_s};
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

static double factor_of(const struct advice_request *q, int64_t run_id)
{
	return q->dates ? system_changes_factor(predictor_changes(q->predictor), q->dates, run_id)
			: 1;
}

static enum err_code take_box(void *arg, const struct dataset *runs, const size_t *n_runs,
			      struct err *e)
{
	const struct gathering *g = arg;
	enum err_code rc = ERR_OK;

	(void)n_runs;
	for (size_t i = 0; i < runs->n && !rc; i++) {
		if (runs->status[i] == RUN_OK)
			rc = gather(arg, dataset_row(runs, i),
				    runs->wall_s[i] * factor_of(g->q, runs->run_id[i]), e);
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

/* A slice: of a cheap question a twentieth of a millisecond. */
enum { FIRST_ROOM = 16, SLICE = 64, HELPERS = 3 };

/* ---- predictions, a batch at a time ---- */

enum err_code predict_batch_init(struct predict_batch *l, size_t n_columns, struct err *e)
{
	*l = (struct predict_batch){
		.room = FIRST_ROOM,
		.n_columns = n_columns,
		.rows = calloc(PREDICT_BATCH_MAX * n_columns + 1, sizeof *l->rows),
		.nodes = calloc(PREDICT_BATCH_MAX, sizeof *l->nodes),
		.procs = calloc(PREDICT_BATCH_MAX, sizeof *l->procs),
		.at = calloc(PREDICT_BATCH_MAX, sizeof *l->at),
	};
	if (!l->rows || !l->nodes || !l->procs || !l->at) {
		predict_batch_release(l);
		return err_set(e, ERR_NOMEM, "%d configurations", PREDICT_BATCH_MAX);
	}
	return thread_pool_new(HELPERS, &l->pool, e);
}

void predict_batch_release(struct predict_batch *l)
{
	thread_pool_free(l->pool);
	free(l->rows);
	free(l->nodes);
	free(l->procs);
	free(l->at);
	*l = (struct predict_batch){0};
}

/* ---- what is on it ---- */

const double *predict_batch_row(const struct predict_batch *l, size_t i)
{
	return l->rows + i * l->n_columns;
}

void predict_batch_add(struct predict_batch *l, const struct group *g, size_t *next)
{
	const size_t n = group_rows(g, next, l->rows + l->n * l->n_columns, l->room - l->n);

	for (size_t i = l->n; i < l->n + n; i++) {
		l->nodes[i] = g->nodes;
		l->procs[i] = g->procs;
	}
	l->n += n;
}

void predict_batch_add_row(struct predict_batch *l, const double *row, double nodes, double procs)
{
	memcpy(l->rows + l->n * l->n_columns, row, l->n_columns * sizeof *row);
	l->nodes[l->n] = nodes;
	l->procs[l->n++] = procs;
}

bool predict_batch_is_full(const struct predict_batch *l)
{
	return l->n == l->room;
}

void predict_batch_clear(struct predict_batch *l)
{
	l->n = 0;
	if (l->room < PREDICT_BATCH_MAX)
		l->room *= 2;
}

void predict_batch_filter(struct predict_batch *l,
			  bool (*keep)(const void *arg, double nodes, const struct prediction *at),
			  const void *arg)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!keep(arg, l->nodes[i], &l->at[i]))
			continue;
		memmove(l->rows + n * l->n_columns, predict_batch_row(l, i),
			l->n_columns * sizeof *l->rows);
		l->nodes[n] = l->nodes[i];
		l->procs[n] = l->procs[i];
		l->at[n++] = l->at[i];
	}
	l->n = n;
}

/* ---- side by side ---- */

/* The slices of a list that threads take one after the other. */
struct sharing {
	const struct predict_batch *list;
	predict_batch_question *ask;
	const void *context;
	struct prediction *out;
	atomic_size_t next; /* row */
};

static void take_slices(void *arg)
{
	struct sharing *s = arg;
	size_t i;

	while ((i = atomic_fetch_add(&s->next, SLICE)) < s->list->n) {
		const size_t left = s->list->n - i;

		s->ask(s->context, predict_batch_row(s->list, i), left < SLICE ? left : SLICE,
		       s->out + i);
	}
}

/* One job a thread, not one a slice: a job that waits wakes a thread, which is dearer than what a
 * slice asks of bounds. */
void predict_batch_ask(struct predict_batch *l, predict_batch_question *ask, const void *context)
{
	struct sharing sharing = {.list = l, .ask = ask, .context = context, .out = l->at};
	struct thread_pool_job job[HELPERS];
	size_t n_jobs = 0;

	for (size_t i = SLICE; i < l->n && n_jobs < HELPERS; i += SLICE) {
		job[n_jobs] = (struct thread_pool_job){.run = take_slices, .arg = &sharing};
		thread_pool_submit(l->pool, &job[n_jobs++]);
	}
	take_slices(&sharing);
	for (size_t k = 0; k < n_jobs; k++)
		thread_pool_wait(l->pool, &job[k]);
}
