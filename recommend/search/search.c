#include "recommend/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_PER_POLL = 4096 };

/* Configurations of which no bound of their group says that they cannot win: to look at so many
 * takes seconds. */
static const double max_predicted = 0x1p22;

/* The tunings of the space as rows, for a bound that knows them. */
static enum err_code bound_tunings(struct search *s, struct err *e)
{
	const struct axis *list = &s->space->tunings.list;
	size_t n_columns = s->request->app->n_columns;
	double *rows;
	enum err_code rc;

	if (s->space->tunings.varies)
		return ERR_OK;
	rows = calloc(list->n * n_columns + 1, sizeof *rows);
	s->least_s = calloc(list->n + 1, sizeof *s->least_s);
	s->passed_over = calloc(list->n + 1, sizeof *s->passed_over);
	if (!rows || !s->least_s || !s->passed_over) {
		free(rows);
		return err_set(e, ERR_NOMEM, "%zu tunings", list->n);
	}
	for (size_t i = 0; i < list->n; i++) {
		memcpy(rows + i * n_columns, s->space->given, n_columns * sizeof *rows);
		axis_put(list, i, rows + i * n_columns);
	}
	rc = tuning_bound_new(s->request->predictor, rows, list->n, &s->bound, e);
	free(rows);
	return rc;
}

static enum err_code search_init(struct search *s, const struct advice_request *q,
				 struct config_space *space, struct err *e)
{
	size_t n = q->app->n_columns;
	enum err_code rc;

	*s = (struct search){.request = q, .space = space};
	frontier_init(&s->frontier, n);
	if ((rc = predict_batch_init(&s->shortlist, n, e)))
		return rc;
	for (enum criterion c = 0; c < N_CRITERIA; c++) {
		s->winner[c].row = calloc(n, sizeof *s->winner[c].row);
		if (!s->winner[c].row)
			return err_set(e, ERR_NOMEM, "a configuration of %zu columns", n);
	}
	if (q->objective == OBJECTIVE_TIME &&
	    ((rc = measured_times_find(q, &s->measured, e)) ||
	     (rc = rate_process_fit(q->predictor, q->app, s->measured.rows, s->measured.time_s,
				    s->measured.n, &s->rates, e))))
		return rc;
	if (!q->exhaustive && (rc = correction_bound_new(q->predictor, &s->corrections, e)))
		return rc;
	return bound_tunings(s, e);
}

void search_release(struct search *s)
{
	for (enum criterion c = 0; c < N_CRITERIA; c++)
		free(s->winner[c].row);
	frontier_release(&s->frontier);
	tuning_bound_free(s->bound);
	free(s->least_s);
	free(s->passed_over);
	correction_bound_free(s->corrections);
	predict_batch_release(&s->shortlist);
	measured_times_release(&s->measured);
	rate_process_free(s->rates);
	*s = (struct search){0};
}

/* ---- what can be expected ---- */

/* Set p of meeting each limit there is; p_meet() tells it, or the most that it could be. */
static void weigh_limits(const struct advice_request *q, const struct prediction *at,
			 double (*p_meet)(const struct predictor *, const struct prediction *,
					  double),
			 struct feasibility *o)
{
	if (!isnan(q->deadline_s))
		o->p_meet = p_meet(q->predictor, at, q->deadline_s);
	if (q->budget_node_hours > 0)
		o->p_budget =
			p_meet(q->predictor, at, budget_time_s(q->budget_node_hours, o->nodes));
	o->in_time = o->p_meet >= q->confidence;
	o->in_budget = o->p_budget >= q->confidence;
}

struct feasibility search_feasibility(const struct search *s, double nodes, const double *row,
				      const struct prediction *at)
{
	const struct advice_request *q = s->request;
	const double measured_s =
		row && s->measured.n > 0 ? measured_times_of(&s->measured, row) : (double)NAN;
	struct feasibility o = {
		.nodes = nodes,
		.time_s = at->time_s,
		.support = at->support,
		.p_meet = 1,
		.p_budget = 1,
		.promise_s = prediction_deadline_s(q->predictor, at, q->confidence),
		.score_s = row && s->rates
				   ? rate_process_score_s(s->rates, row)
				   : prediction_quantile_s(q->predictor, at, RANK_SCORE_PROB),
	};

	/* It is among the runs, so no run is missing around it. */
	if (!isnan(measured_s)) {
		o.score_s = measured_s;
		o.support = SUPPORT_INSIDE;
	}
	weigh_limits(q, at, prediction_p_meet, &o);
	return o;
}

/* Where too few runs were held out to promise so much, the quantile is still a number: no bound is
 * known. */
static double least_score_s(const struct predictor *p, const struct prediction *bound)
{
	for (int s = (int)bound->support; s <= SUPPORT_OUTSIDE; s++) {
		const struct prediction at = {.support = (enum support)s};

		if (RANK_SCORE_PROB > prediction_max_confidence(p, &at))
			return 0;
	}
	return predictor_min_deadline_s(p, bound, RANK_SCORE_PROB);
}

/* The best that could be true of configurations like `bound` or worse. */
static struct feasibility best_feasibility(const struct search *s, double nodes,
					   const struct prediction *bound)
{
	const struct advice_request *q = s->request;
	struct feasibility o = {
		.nodes = nodes,
		.time_s = bound->time_s,
		.support = bound->support,
		.p_meet = 1,
		.p_budget = 1,
		.promise_s = predictor_min_deadline_s(q->predictor, bound, q->confidence),
	};

	/* of rates no bound is known */
	o.score_s = s->rates ? 0 : least_score_s(q->predictor, bound);
	weigh_limits(q, bound, predictor_best_p_meet, &o);
	return o;
}

enum criterion search_objective(const struct advice_request *q)
{
	static const enum criterion of[] = {[OBJECTIVE_NODES] = FEWEST_NODES,
					    [OBJECTIVE_NODE_HOURS] = CHEAPEST,
					    [OBJECTIVE_TIME] = FASTEST};

	return of[q->objective];
}

static struct rank_key key_of(const struct search *s, enum criterion c, const struct feasibility *o)
{
	return c == EXTRAPOLATED ? rank_key_any_support(search_objective(s->request), o)
				 : rank_key(c, o);
}

/* Some winners matter only until something is feasible: they tell what would be. */
static bool is_sought(const struct search *s, enum criterion c)
{
	if (c == LEAST_BUDGET && !(s->request->budget_node_hours > 0))
		return false;
	if (c == SOONEST && s->request->soonest)
		return true;
	return (c != SOONEST && c != LIKELIEST && c != FASTEST_ANY && c != LEAST_BUDGET) ||
	       !s->winner[FASTEST].set;
}

/* Could a configuration of this feasibility, or a worse one, win anything? Equal keys could. */
static bool can_win(const struct search *s, const struct feasibility *o)
{
	if (s->request->frontier && frontier_has_room(&s->frontier, o->nodes, o->time_s))
		return true;
	for (enum criterion c = 0; c < N_CRITERIA; c++) {
		const struct winner *w = &s->winner[c];
		struct rank_key key;

		if (!criterion_admits(c, o) || !is_sought(s, c))
			continue;
		key = key_of(s, c, o);
		if (!w->set || rank_key_compare(&key, &w->key) <= 0)
			return true;
	}
	return false;
}

/* ---- what is on the list ---- */

/* Configuration i of the list, as predicted. */
static enum err_code consider(struct search *s, size_t i, struct err *e)
{
	const struct predict_batch *l = &s->shortlist;
	const double *row = predict_batch_row(l, i);
	struct feasibility o = search_feasibility(s, l->nodes[i], row, &l->at[i]);

	for (enum criterion c = 0; c < N_CRITERIA; c++) {
		struct winner *w = &s->winner[c];
		struct rank_key key = key_of(s, c, &o);

		if (!criterion_admits(c, &o) ||
		    !winner_is_beaten(w, &key, &o, l->procs[i], row, l->n_columns))
			continue;
		w->set = true;
		w->key = key;
		w->feasibility = o;
		w->prediction = l->at[i];
		w->procs = l->procs[i];
		memcpy(w->row, row, l->n_columns * sizeof *row);
	}
	return s->request->frontier
		       ? frontier_offer(&s->frontier, &o, &l->at[i], l->procs[i], row, e)
		       : ERR_OK;
}

static bool bound_can_win(const void *search, double nodes, const struct prediction *bound)
{
	const struct search *s = search;
	struct feasibility o = best_feasibility(s, nodes, bound);

	return can_win(s, &o);
}

/* Have corrections been asked about in groups, as sharply as they are of rows? */
static bool groups_are_sharp(const struct search *s)
{
	return s->bound && tuning_bound_sharpens(s->bound, s->corrections);
}

static void ask_bound(const void *search, const double *rows, size_t n, struct prediction *out)
{
	const struct search *s = search;

	predictor_bound_complete(s->request->predictor, groups_are_sharp(s) ? NULL : s->corrections,
				 false, rows, n, out);
}

static void ask_sharp_bound(const void *search, const double *rows, size_t n,
			    struct prediction *out)
{
	const struct search *s = search;

	predictor_bound_complete(s->request->predictor, s->corrections, true, rows, n, out);
}

static void ask_trend(const void *search, const double *rows, size_t n, struct prediction *bound)
{
	predictor_bound_trend(((const struct search *)search)->request->predictor, rows, n, bound);
}

static void ask_without_sd(const void *search, const double *rows, size_t n, struct prediction *out)
{
	predictor_bound_epistemic(((const struct search *)search)->request->predictor, rows, n,
				  out);
}

static void ask_prediction(const void *search, const double *rows, size_t n, struct prediction *out)
{
	config_space_predict(((const struct search *)search)->space, rows, n, out);
}

static void keep_what_can_win(struct search *s, predict_batch_question *ask)
{
	predict_batch_ask(&s->shortlist, ask, s);
	predict_batch_filter(&s->shortlist, bound_can_win, s);
}

/* By the formula first, and what runs nearby say at least; then by what is not known of it; then by
 * what they say, which is fifty times dearer where they are many; the doubt of that costs as much
 * again and is left for those that are predicted. What is not known is as dear as few runs say, but
 * where nothing is feasible nothing else tells who has no chance. */
static void keep_hopeful(struct search *s)
{
	keep_what_can_win(s, ask_bound);
	if (correction_bound_knows(s->corrections) && !groups_are_sharp(s))
		keep_what_can_win(s, ask_sharp_bound);
	if (!s->winner[FASTEST].set || correction_bound_knows(s->corrections))
		keep_what_can_win(s, ask_trend);
	if (predictor_is_corrected(s->request->predictor))
		keep_what_can_win(s, ask_without_sd);
}

static enum err_code refuse_predictions(const struct search *s, struct err *e)
{
	char what[80];

	snprintf(what, sizeof what, "more than %.0f configurations would have to be predicted",
		 max_predicted);
	return config_space_refuse_size(
		s->space, what, max_predicted / fmax(1, (double)s->space->tunings.list.n), e);
}

/* Predict what is on the list, and have done with it. */
static enum err_code settle(struct search *s, struct err *e)
{
	struct predict_batch *l = &s->shortlist;
	enum err_code rc = ERR_OK;

	s->n_listed += l->n;
	if ((double)s->n_listed > max_predicted)
		return refuse_predictions(s, e);
	if (!s->request->exhaustive)
		keep_hopeful(s);
	predict_batch_ask(l, ask_prediction, s);
	s->n_predicted += l->n;
	for (size_t i = 0; i < l->n && !rc; i++)
		rc = consider(s, i, e);
	predict_batch_clear(l);
	return rc;
}

/* ---- one group ---- */

struct feasibility search_group_feasibility(const struct search *s, const struct group *g)
{
	struct prediction bound;

	if (s->bound)
		tuning_bound_at(s->bound, g->row, &bound);
	else
		predictor_bound(s->request->predictor, g->row, &bound);
	return best_feasibility(s, g->nodes, &bound);
}

static bool group_can_win(const struct search *s, const struct group *g)
{
	struct feasibility o = search_group_feasibility(s, g);

	return can_win(s, &o);
}

/* Could a tuning of a group that takes so long at least win anything? */
static bool tuning_can_win(const struct search *s, const struct group *g, double time_s,
			   struct prediction *bound)
{
	struct feasibility o;

	tuning_bound_put_time(s->bound, g->row, time_s, bound);
	o = best_feasibility(s, g->nodes, bound);
	return can_win(s, &o);
}

/* Of halvings of the times between a tuning that can win and one that cannot: the next would cost
 * more than it saves. */
enum { HALVINGS = 4 };

/* A time from which on no tuning of a group can win anything, as little longer than one that can as
 * halvings find; INFINITY: the longest can. The longer, the less can be won. */
static double hopeless_time_s(const struct search *s, const struct group *g, double least_s,
			      double most_s, struct prediction *bound)
{
	double lo = least_s, hi = most_s;

	if (tuning_can_win(s, g, most_s, bound))
		return INFINITY;
	for (int i = 0; i < HALVINGS; i++) {
		const double mid = sqrt(lo * hi);

		if (tuning_can_win(s, g, mid, bound))
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* Tells, of a group that may win, the tunings of it that cannot; false: none can. */
static bool pass_over_hopeless(struct search *s, struct group *g)
{
	const size_t n = s->space->tunings.list.n;
	struct prediction bound;
	double least_s = INFINITY, most_s = 0, hopeless_s;
	size_t n_left = 0;

	g->passed_over = NULL;
	if (s->request->exhaustive || !s->bound ||
	    !tuning_bound_each(s->bound, s->corrections, g->row, s->least_s, &bound))
		return true;
	for (size_t k = 0; k < n; k++) {
		least_s = fmin(least_s, s->least_s[k]);
		most_s = fmax(most_s, s->least_s[k]);
	}
	if (!tuning_can_win(s, g, least_s, &bound))
		return false;
	hopeless_s = hopeless_time_s(s, g, least_s, most_s, &bound);
	if (isinf(hopeless_s))
		return true;
	tuning_bound_sharpen(s->bound, s->corrections, g->row, hopeless_s, s->least_s);
	for (size_t k = 0; k < n; k++) {
		s->passed_over[k] =
			s->least_s[k] >= hopeless_s || !tuning_can_win(s, g, s->least_s[k], &bound);
		n_left += !s->passed_over[k];
	}
	g->passed_over = s->passed_over;
	return n_left > 0;
}

static enum err_code look_at_group(struct search *s, struct group *g, struct err *e)
{
	size_t next = 0;
	enum err_code rc;

	if (!pass_over_hopeless(s, g))
		return ERR_OK;
	for (;;) {
		predict_batch_add(&s->shortlist, g, &next);
		if (!predict_batch_is_full(&s->shortlist))
			return ERR_OK;
		if ((rc = settle(s, e)))
			return rc;
	}
}

/* ---- what was measured ---- */

static bool is_as_fixed(const struct advice_request *q, const double *row)
{
	for (size_t i = 0; i < q->app->n_columns; i++) {
		if (!isnan(q->row[i]) && row[i] != q->row[i])
			return false;
	}
	return true;
}

/* Before the walk: a bound is one of predictions, and a configuration may have been measured faster
 * than it is predicted. */
static enum err_code look_at_measured(struct search *s, struct err *e)
{
	const struct measured_times *m = &s->measured;
	double *row = calloc(m->n_columns + 1, sizeof *row);
	enum err_code rc = ERR_OK;

	if (!row)
		return err_set(e, ERR_NOMEM, "a measured configuration");
	for (size_t i = 0; i < m->n && !rc; i++) {
		memcpy(row, m->rows + i * m->n_columns, m->n_columns * sizeof *row);
		if (!config_space_complete(s->space, row) || !is_as_fixed(s->request, row) ||
		    isnan(measured_times_of(m, row)))
			continue;
		predict_batch_add_row(&s->shortlist, row, placement_paid(&s->space->placement, row),
				      placement_procs(&s->space->placement, row));
		if (predict_batch_is_full(&s->shortlist))
			rc = settle(s, e);
	}
	free(row);
	return rc ? rc : settle(s, e);
}

/* ---- the walk ---- */

static enum err_code walk(struct search *s, bool coarse, struct err *e)
{
	struct groups it;
	struct group g;
	bool more;
	enum err_code rc = groups_init(&it, s->space, coarse, e);

	if (rc)
		return rc;
	while (!(rc = groups_next(&it, &g, &more, e)) && more) {
		if (s->n_groups++ % GROUPS_PER_POLL == 0 &&
		    !progress_step(s->request->progress, "search", s->n_groups, 0)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while searching");
			break;
		}
		if (!coarse)
			s->n_legal += g.n_legal;
		if ((s->request->exhaustive || group_can_win(s, &g)) &&
		    (rc = look_at_group(s, &g, e)))
			break;
	}
	if (!coarse) {
		s->failed = it.failed;
		s->at_risk = it.at_risk;
	}
	groups_release(&it);
	return rc ? rc : settle(s, e);
}

enum err_code search_run(struct search *s, const struct advice_request *q,
			 struct config_space *space, struct err *e)
{
	enum err_code rc = search_init(s, q, space, e);

	if (!rc && s->measured.n > 0) {
		rc = look_at_measured(s, e);
		s->n_predicted = 0; /* they come again */
	}
	/* A sample of all sizes first: bounds prune only against good winners. */
	if (!rc && !q->exhaustive)
		rc = walk(s, true, e);
	if (!rc)
		rc = walk(s, false, e);
	if (rc)
		search_release(s);
	return rc;
}
