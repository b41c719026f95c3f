#include "recommend/choose/alternatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "domain/configuration.h"

/* Below one per cent nobody minds, and beyond ten "cannot tell apart" would be an excuse. */
static const double least_within = 0.01, most_within = 0.10;

/* Blocks and grid shapes of one number of processors are a few thousand. Where they are not, this
 * many in the order of the space are enough for an answer within a tenth of a second. */
enum { MAX_SAME_RESOURCE_SET = 100000, GROUPS_PER_POLL = 4096 };

const double *same_resource_set_row(const struct same_resource_set *p, size_t i)
{
	return p->row + i * p->n_columns;
}

size_t same_resource_set_index(const struct same_resource_set *p, const double *row)
{
	for (size_t i = 0; i < p->n; i++) {
		if (rows_are_equal(same_resource_set_row(p, i), row, p->n_columns))
			return i;
	}
	return SIZE_MAX;
}

size_t same_resource_set_count_tied(const struct same_resource_set *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->tied[i];
	return n;
}

void same_resource_set_release(struct same_resource_set *p)
{
	free(p->row);
	free(p->at);
	free(p->tied);
	*p = (struct same_resource_set){0};
}

/* Room for a batch more. */
static enum err_code make_room(struct same_resource_set *p, struct err *e)
{
	size_t cap = p->cap ? 2 * p->cap : (size_t)4 * SEARCH_BATCH;
	double *row;
	struct prediction *at;
	bool *tied;

	if (p->n + SEARCH_BATCH <= p->cap)
		return ERR_OK;
	row = realloc(p->row, cap * p->n_columns * sizeof *row);
	if (row)
		p->row = row;
	at = realloc(p->at, cap * sizeof *at);
	if (at)
		p->at = at;
	tied = realloc(p->tied, cap * sizeof *tied);
	if (tied)
		p->tied = tied;
	if (!row || !at || !tied)
		return err_set(e, ERR_NOMEM, "%zu configurations of as many processors", cap);
	p->cap = cap;
	return ERR_OK;
}

/* Half the central 50 % interval of the best, as a share of its time. */
static double tolerance(const struct predictor *p, const struct prediction *best)
{
	double width_s =
		prediction_quantile_s(p, best, 0.75) - prediction_quantile_s(p, best, 0.25);

	return fmin(fmax(width_s / (2 * best->time_s), least_within), most_within);
}

static bool is_tied(const struct search *s, const struct winner *best, const double *row,
		    const struct prediction *at, double within)
{
	struct feasibility o;

	if (!(at->time_s <= best->prediction.time_s * (1 + within)) ||
	    at->support > best->prediction.support)
		return false;
	/* what promises less is no equal, however close its median: see rank.c */
	o = search_feasibility(s, best->feasibility.nodes, row, at);
	if (s->request->objective == OBJECTIVE_TIME &&
	    !(o.score_s <= best->feasibility.score_s * (1 + within)))
		return false;
	return o.promise_s <= best->feasibility.promise_s * (1 + within) &&
	       feasibility_keeps_limits_of(&o, &best->feasibility);
}

static enum err_code add_group(struct same_resource_set *p, const struct search *s,
			       const struct winner *best, const struct group *g, struct err *e)
{
	size_t next = 0, n;
	enum err_code rc;

	while (p->n < MAX_SAME_RESOURCE_SET) {
		if ((rc = make_room(p, e)))
			return rc;
		n = group_rows(g, &next, p->row + p->n * p->n_columns, SEARCH_BATCH);
		if (n == 0)
			break;
		config_space_predict(s->space, same_resource_set_row(p, p->n), n, p->at + p->n);
		for (size_t i = p->n; i < p->n + n; i++) {
			p->tied[i] =
				is_tied(s, best, same_resource_set_row(p, i), &p->at[i], p->within);
			if (rows_are_equal(same_resource_set_row(p, i), best->row, p->n_columns))
				p->i_best = i;
		}
		p->n += n;
	}
	return ERR_OK;
}

enum err_code same_resource_set_list(const struct search *s, const struct winner *best,
				     struct same_resource_set *out, struct err *e)
{
	uint64_t n_groups = 0;
	struct groups it;
	struct group g;
	bool more;
	enum err_code rc = groups_init(&it, s->space, false, e);

	if (rc)
		return rc;
	*out = (struct same_resource_set){
		.n_columns = s->request->app->n_columns,
		.within = tolerance(s->request->predictor, &best->prediction),
		.i_best = SIZE_MAX};
	it.least_procs = it.most_procs = best->procs;
	while (out->n < MAX_SAME_RESOURCE_SET && !(rc = groups_next(&it, &g, &more, e)) && more) {
		if (n_groups++ % GROUPS_PER_POLL == 0 &&
		    !progress_step(s->request->progress, "peers", n_groups, 0)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while comparing");
			break;
		}
		if (g.procs == best->procs && g.nodes == best->feasibility.nodes &&
		    (rc = add_group(out, s, best, &g, e)))
			break;
	}
	groups_release(&it);
	if (rc)
		same_resource_set_release(out);
	return rc;
}

void same_resource_set_choose(const struct search *s, const struct same_resource_set *p, size_t i,
			      enum criterion c, struct winner *w)
{
	w->feasibility =
		search_feasibility(s, w->feasibility.nodes, same_resource_set_row(p, i), &p->at[i]);
	w->key = rank_key(c, &w->feasibility);
	w->prediction = p->at[i];
	memcpy(w->row, same_resource_set_row(p, i), p->n_columns * sizeof *w->row);
}

/* ---- alternatives ---- */

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
		.promise_s = o->promise_s,
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
	if (!(w->key.by[1] < of_best.by[1]))
		return ERR_OK;
	return add(s, w->row, &w->feasibility, &w->prediction, why, a, e);
}

/* What runs do not surround as well as the choice, and would be better if that did not matter. */
static enum err_code add_extrapolated(const struct search *s, const struct winner *best,
				      struct advice *a, struct err *e)
{
	const enum criterion c = search_objective(s->request);
	const struct winner *w = &s->winner[EXTRAPOLATED];
	struct rank_key of_best = rank_key(c, &best->feasibility);

	if (!w->set || w->feasibility.support <= best->feasibility.support ||
	    !(w->key.by[1] < of_best.by[1]))
		return ERR_OK;
	return add(s, w->row, &w->feasibility, &w->prediction, "extrapolated", a, e);
}

/* ---- neighbours ---- */

static enum err_code add_neighbour(const struct search *s, double *row, struct advice *a,
				   struct err *e)
{
	struct prediction at;
	struct feasibility o;

	if (!config_space_complete(s->space, row))
		return ERR_OK;
	config_space_predict(s->space, row, 1, &at);
	o = search_feasibility(s, placement_paid(&s->space->placement, row), row, &at);
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
	    (rc = add_winner(s, BALANCED, "balanced", best, a, e)) ||
	    (rc = add_extrapolated(s, best, a, e)))
		return rc;
	return add_neighbours(s, a, e);
}

/* ---- several machines ---- */

/* Hours of what is kept with the confidence, as in rank.c. */
static double promised_node_hours(const struct choice *c)
{
	return isfinite(c->promise_s) ? c->node_hours * (c->promise_s / c->prediction.time_s)
				      : c->node_hours;
}

struct machine_outcome machine_outcome_of(const struct advice *a)
{
	bool any = a->best.row != NULL;

	return (struct machine_outcome){
		.feasible = a->feasible,
		.support = any ? a->best.prediction.support : SUPPORT_OUTSIDE,
		.time_s = any ? a->best.prediction.time_s : (double)NAN,
		.node_hours = any ? promised_node_hours(&a->best) : (double)NAN,
		.feasible_deadline_s = a->feasible_deadline_s,
		.feasible_budget_node_hours = a->feasible_budget_node_hours,
	};
}

static int first_that_differs(int first, int second, int third)
{
	if (first)
		return first;
	return second ? second : third;
}

static int compare_infeasible(const struct machine_outcome *a, const struct machine_outcome *b)
{
	return first_that_differs(
		compare_numbers(a->feasible_deadline_s, b->feasible_deadline_s),
		compare_numbers(a->feasible_budget_node_hours, b->feasible_budget_node_hours),
		compare_numbers(a->time_s, b->time_s));
}

int machine_outcome_compare(enum objective o, const struct machine_outcome *a,
			    const struct machine_outcome *b)
{
	int by_time = compare_numbers(a->time_s, b->time_s);
	int by_node_hours = compare_numbers(a->node_hours, b->node_hours);

	if (a->feasible != b->feasible)
		return a->feasible ? -1 : 1;
	if (!a->feasible)
		return compare_infeasible(a, b);
	if (a->support != b->support)
		return a->support < b->support ? -1 : 1;
	return o == OBJECTIVE_TIME ? first_that_differs(by_time, by_node_hours, 0)
				   : first_that_differs(by_node_hours, by_time, 0);
}
