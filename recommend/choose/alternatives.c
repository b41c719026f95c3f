#include "recommend/choose/alternatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"

enum err_code choice_make(const struct advice_request *q, const double *row,
			  const struct feasibility *o, const struct prediction *at, const char *why,
			  struct choice *out, struct err *e)
{
	size_t n = q->app->n_columns;
	double *copy = calloc(n, sizeof *copy);

	if (!copy)
		return err_set(e, ERR_NOMEM, "a configuration of %zu columns", n);
	memcpy(copy, row, n * sizeof *copy);
	*out = (struct choice){
		.row = copy,
		.prediction = *at,
		.lo_s = prediction_quantile_s(q->predictor, at, (1 - q->confidence) / 2),
		.hi_s = prediction_quantile_s(q->predictor, at, (1 + q->confidence) / 2),
		.p_meet = isnan(q->deadline_s) ? (double)NAN : o->p_meet,
		.p_budget = q->budget_node_hours > 0 ? o->p_budget : (double)NAN,
		.node_hours = feasibility_node_hours(o),
		.why = why,
	};
	return ERR_OK;
}

static bool is_listed(const struct advice *a, const double *row, size_t n)
{
	if (rows_are_equal(a->best.row, row, n))
		return true;
	for (size_t i = 0; i < a->n_alternative; i++) {
		if (rows_are_equal(a->alternative[i].row, row, n))
			return true;
	}
	return false;
}

static enum err_code add(const struct search *s, const double *row, const struct feasibility *o,
			 const struct prediction *at, const char *why, struct advice *a,
			 struct err *e)
{
	struct choice *grown;
	enum err_code rc;

	if (is_listed(a, row, s->request->app->n_columns))
		return ERR_OK;
	grown = realloc(a->alternative, (a->n_alternative + 1) * sizeof *grown);
	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu alternatives", a->n_alternative + 1);
	a->alternative = grown;
	rc = choice_make(s->request, row, o, at, why, &grown[a->n_alternative], e);
	if (rc)
		return rc;
	grown[a->n_alternative].origin = config_space_origin(s->space, row);
	grown[a->n_alternative++].warning = config_space_warning(s->space, row);
	return ERR_OK;
}

static enum err_code add_winner(const struct search *s, enum criterion c, const char *why,
				const struct winner *best, struct advice *a, struct err *e)
{
	const struct winner *w = &s->winner[c];
	struct rank_key of_best;

	if (!w->set)
		return ERR_OK;
	of_best = rank_key(c, &best->feasibility);
	if (!(w->key.by[0] < of_best.by[0]))
		return ERR_OK;
	return add(s, w->row, &w->feasibility, &w->prediction, why, a, e);
}

/* ---- neighbours ---- */

static enum err_code add_neighbour(const struct search *s, double *row, struct advice *a,
				   struct err *e)
{
	struct prediction at;
	struct feasibility o;

	if (!config_space_complete(s->space, row))
		return ERR_OK;
	predictor_predict(s->request->predictor, row, 1, &at);
	o = search_feasibility(s->request, placement_nodes(&s->space->placement, row), &at);
	return add(s, row, &o, &at, "neighbour", a, e);
}

/* One step up and one down on each tunable of an axis. */
static enum err_code add_steps(const struct search *s, const struct axis *axis, double *row,
			       struct advice *a, struct err *e)
{
	const struct application *app = s->request->app;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < 2 * axis->n_columns && !rc; k++) {
		size_t c = axis->column[k / 2];
		double value;

		/* "One step" means nothing among the names of a text column. */
		if (app->column[c].role != COL_TUNABLE || app->column[c].type == COL_TEXT)
			continue;
		memcpy(row, a->best.row, app->n_columns * sizeof *row);
		value = axis_neighbour(axis, row, c, k % 2 == 1);
		if (isnan(value))
			continue;
		row[c] = value;
		rc = add_neighbour(s, row, a, e);
	}
	return rc;
}

/* The grid with two free sides exchanged. */
static enum err_code add_transposed(const struct search *s, double *row, struct advice *a,
				    struct err *e)
{
	const struct application *app = s->request->app;
	const struct group_flag *grid = application_grid(app);
	enum err_code rc = ERR_OK;

	for (size_t k = 1; grid && k < grid->n && !rc; k++) {
		size_t i = grid->column[k - 1], j = grid->column[k];

		if (!isnan(s->request->row[i]) || !isnan(s->request->row[j]))
			continue;
		memcpy(row, a->best.row, app->n_columns * sizeof *row);
		row[i] = a->best.row[j];
		row[j] = a->best.row[i];
		rc = add_neighbour(s, row, a, e);
	}
	return rc;
}

static enum err_code add_neighbours(const struct search *s, struct advice *a, struct err *e)
{
	const struct config_space *space = s->space;
	double *row = calloc(s->request->app->n_columns, sizeof *row);
	enum err_code rc = ERR_OK;

	if (!row)
		return err_set(e, ERR_NOMEM, "a neighbour of the choice");
	for (size_t i = 0; i < space->tunings.n_axes && !rc; i++)
		rc = add_steps(s, &space->tunings.axis[i], row, a, e);
	for (size_t i = 0; i < space->n_axes && !rc; i++)
		rc = add_steps(s, &space->axis[i], row, a, e);
	if (!rc)
		rc = add_transposed(s, row, a, e);
	free(row);
	return rc;
}

enum err_code alternatives_find(const struct search *s, const struct winner *best, struct advice *a,
				struct err *e)
{
	enum criterion fastest = a->feasible ? FASTEST : FASTEST_ANY;
	enum err_code rc;

	if ((rc = add_winner(s, fastest, "fastest", best, a, e)) ||
	    (rc = add_winner(s, CHEAPEST, "cheapest", best, a, e)) ||
	    (rc = add_winner(s, SAFEST, "safest", best, a, e)) ||
	    (rc = add_winner(s, BALANCED, "balanced", best, a, e)))
		return rc;
	return add_neighbours(s, a, e);
}
