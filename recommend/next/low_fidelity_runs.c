#include "recommend/next/low_fidelity_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Who is asked to wait for a test run wants it to be much cheaper. */
static const double dearest = 0.5;

/* The proxies of one place under way. */
struct proxies {
	const struct config_space *space;
	struct candidate_points *out;
	const double *from; /* its row */
	double most_node_hours;
	double *row; /* n_columns: the proxy */
};

/* A share of a whole number is one, and never below what is legal. */
static double shrink(const struct column *c, double value, double by)
{
	double small = c->type == COL_INT ? floor(value / by) : value / by;

	return fmax(small, c->type == COL_INT ? fmax(c->min, 1) : c->min);
}

static const struct application *app_of(const struct proxies *p)
{
	return p->space->request->app;
}

static void start(struct proxies *p)
{
	memcpy(p->row, p->from, app_of(p)->n_columns * sizeof *p->row);
}

static enum err_code finish(struct proxies *p, const char *kind, struct err *e)
{
	const struct advice_request *q = p->space->request;
	struct prediction at;
	struct place x;

	if (!config_space_complete(p->space, p->row) ||
	    candidate_points_have(p->out, p->row, q->app->n_columns))
		return ERR_OK;
	predictor_predict(q->predictor, p->row, 1, &at);
	x = place_at(q, &p->space->placement, p->row, &at);
	x.kind = kind;
	if (x.node_hours > p->most_node_hours)
		return ERR_OK;
	return candidate_points_add(p->out, &x, p->row, q->app->n_columns, e);
}

/* ---- what is made smaller ---- */

static enum err_code add_less_work(struct proxies *p, struct err *e)
{
	const struct application *app = app_of(p);
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < app->n_columns && !rc; i++) {
		const struct column *c = &app->column[i];

		if (c->role != COL_WORKLOAD || c->type == COL_TEXT || !(p->from[i] > 0))
			continue;
		start(p);
		p->row[i] = shrink(c, p->from[i], 4);
		rc = finish(p, "less work", e);
	}
	return rc;
}

static void halve_problem(struct proxies *p)
{
	const struct application *app = app_of(p);

	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (c->role == COL_PROBLEM && c->type != COL_TEXT && p->from[i] > 0)
			p->row[i] = shrink(c, p->from[i], 2);
	}
}

static void halve_grid(struct proxies *p, const struct group_flag *grid)
{
	for (size_t i = 0; i < grid->n; i++) {
		size_t c = grid->column[i];

		p->row[c] = shrink(&app_of(p)->column[c], p->from[c], 2);
	}
}

static enum err_code add_halves(struct proxies *p, struct err *e)
{
	const struct group_flag *grid = application_grid(app_of(p));
	enum err_code rc;

	start(p);
	halve_problem(p);
	if ((rc = finish(p, "smaller problem", e)) || !grid)
		return rc;
	start(p);
	halve_grid(p, grid);
	if ((rc = finish(p, "fewer processors", e)))
		return rc;
	start(p);
	halve_problem(p);
	halve_grid(p, grid);
	return finish(p, "scaled down", e);
}

/* ---- problems that were run ---- */

/* How much smaller the problem of a run is, in logs; INFINITY unless it is smaller in something,
 * larger in nothing and equal in what has no size. */
static double smaller_by(const struct application *app, const double *run, const double *from)
{
	double sum = 0;

	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (c->role != COL_PROBLEM || run[i] == from[i])
			continue;
		if (c->type == COL_TEXT || !(run[i] > 0 && run[i] < from[i]))
			return INFINITY;
		sum += log(from[i] / run[i]);
	}
	return sum > 0 ? sum : (double)INFINITY;
}

static enum err_code add_problem_seen(struct proxies *p, struct err *e)
{
	const struct application *app = app_of(p);
	const struct dataset *runs = p->space->request->runs;
	const double *nearest = NULL;
	double least = INFINITY;

	for (size_t i = 0; runs && i < runs->n; i++) {
		double by = runs->status[i] == RUN_OK
				    ? smaller_by(app, dataset_row(runs, i), p->from)
				    : (double)INFINITY;

		if (by < least) {
			least = by;
			nearest = dataset_row(runs, i);
		}
	}
	if (!nearest)
		return ERR_OK;
	start(p);
	for (size_t i = 0; i < app->n_columns; i++) {
		if (app->column[i].role == COL_PROBLEM)
			p->row[i] = nearest[i];
	}
	return finish(p, "smaller problem", e);
}

enum err_code low_fidelity_runs_add(const struct config_space *space, struct candidate_points *p,
				    size_t n, struct err *e)
{
	const struct application *app = space->request->app;
	struct proxies x = {.space = space, .out = p};
	enum err_code rc = ERR_OK;

	x.row = calloc(app->n_columns, sizeof *x.row);
	if (!x.row)
		return err_set(e, ERR_NOMEM, "a cheaper run");
	for (size_t i = 0; i < n && !rc; i++) {
		x.from = p->item[i].row; /* stays where it is when places are added */
		x.most_node_hours = dearest * p->item[i].node_hours;
		if (!(rc = add_less_work(&x, e)))
			rc = app->ad_hoc ? add_problem_seen(&x, e) : add_halves(&x, e);
	}
	free(x.row);
	return rc;
}
