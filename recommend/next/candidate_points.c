#include "recommend/next/candidate_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>

#include "base/compare.h"
#include "domain/rule.h"
#include "mining/numerics/group_by.h"
#include "recommend/search/rank.h"
#include "recommend/search/search.h"

/* ---- what is known of one ---- */

struct candidate_point place_at(const struct advice_request *q, const struct placement *where,
				const double *row, const struct prediction *at)
{
	double epistemic_sd = prediction_epistemic_sd(q->predictor, at),
	       noise = prediction_noise_sd(q->predictor, at);
	double tail = log(prediction_quantile_s(q->predictor, at, q->confidence) / at->time_s);
	double nodes = placement_paid(where, row), all = hypot(epistemic_sd, noise);

	return (struct candidate_point){.at = *at,
					.nodes = nodes,
					.no_nodes = !placement_has_nodes(where),
					.node_hours = nodes * at->time_s / 3600,
					.epistemic_sd = epistemic_sd,
					.noise = noise,
					.tail = all > 0 ? tail * noise / all : 0};
}

enum err_code candidate_points_add(struct candidate_points *p, const struct candidate_point *place,
				   const double *row, size_t n_columns, struct err *e)
{
	struct candidate_point *grown = realloc(p->item, (p->n + 1) * sizeof *grown);
	double *copy = calloc(n_columns, sizeof *copy);

	if (grown)
		p->item = grown;
	if (!grown || !copy) {
		free(copy);
		return err_set(e, ERR_NOMEM, "%zu configurations", p->n + 1);
	}
	memcpy(copy, row, n_columns * sizeof *copy);
	grown[p->n] = *place;
	grown[p->n++].row = copy;
	return ERR_OK;
}

bool candidate_points_have(const struct candidate_points *p, const double *row, size_t n_columns)
{
	for (size_t i = 0; i < p->n; i++) {
		if (rows_are_equal(p->item[i].row, row, n_columns))
			return true;
	}
	return false;
}

void candidate_points_release(struct candidate_points *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->item[i].row);
	free(p->item);
	*p = (struct candidate_points){0};
}

/* ---- together ---- */

/* Where names differ or a value is missing, as much as a factor of two. */
static double difference(const struct column *c, double a, double b)
{
	double weight = c->role == COL_WORKLOAD ? 0.125 : 1;

	if (c->role == COL_DERIVED || a == b || (isnan(a) && isnan(b)))
		return 0;
	return weight * (c->type != COL_TEXT && a > 0 && b > 0 ? log(a / b) : log(2));
}

static double correlation(const struct application *app, const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < app->n_columns; i++) {
		double d = difference(&app->column[i], a[i], b[i]);

		sum += d * d;
	}
	return exp(-sqrt(sum) / (2 * log(2)));
}

enum err_code candidate_points_samples(const struct candidate_points *p,
				       const struct application *app, struct posterior_samples *out,
				       struct err *e)
{
	double *sd = calloc(p->n + 1, sizeof *sd);
	double *correlations = calloc(p->n * p->n + 1, sizeof *correlations);
	enum err_code rc;

	if (sd && correlations) {
		for (size_t i = 0; i < p->n; i++) {
			sd[i] = p->item[i].epistemic_sd;
			for (size_t j = 0; j < p->n; j++)
				correlations[i * p->n + j] =
					correlation(app, p->item[i].row, p->item[j].row);
		}
		rc = posterior_samples_init(out, sd, correlations, p->n, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "doubts about %zu configurations", p->n);
	}
	free(sd);
	free(correlations);
	return rc;
}

/* ---- as a choice ---- */

/* The stricter of deadline and budget; INFINITY: neither. */
static double time_limit_s(const struct candidate_point *p, const struct advice_request *q)
{
	double limit_s = isnan(q->deadline_s) ? (double)INFINITY : q->deadline_s;

	if (q->budget_node_hours > 0)
		limit_s = fmin(limit_s, budget_time_s(q->budget_node_hours, p->nodes));
	return limit_s;
}

struct option place_option(const struct candidate_point *p, const struct advice_request *q)
{
	double limit_s = time_limit_s(p, q);

	/* A repeat must keep to the limit with the confidence even if the time is known. */
	return (struct option){
		.log_time = log(p->at.time_s),
		.log_limit = log(limit_s) - p->tail,
		.stop_s = limit_s,
		.level = q->objective == OBJECTIVE_NODES ? p->nodes : 0,
		.log_price = q->objective == OBJECTIVE_NODE_HOURS ? log(p->nodes) : 0,
		.nodes = p->nodes,
	};
}

void candidate_points_choice(const struct candidate_points *p, size_t n,
			     const struct advice_request *q, struct option *option,
			     struct choice_problem *out)
{
	for (size_t i = 0; i < n; i++)
		option[i] = place_option(&p->item[i], q);
	*out = (struct choice_problem){option, n, CHOICE_TOLERANCE};
}

/* ---- which ones ---- */

/* The pool from which contenders are taken, and how many predictions may be spent on it. */
enum { MAX_POOL = 64, MAX_PREDICTED = 50000, GROUPS_PER_POLL = 4096 };

/* The least chance to be the best that makes a contender. */
static const double least_chance = 0.002;

/* The best of the groups so far; score[i] belongs to places.item[first + i]. */
struct pool {
	const struct advice_request *q;
	struct config_space *space;
	struct candidate_point reference; /* to be beaten: the best that was found */
	struct candidate_points places;
	size_t first;
	double score[MAX_POOL];
	double *rows; /* a batch */
	double *best; /* n_columns: of the group under way */
	uint64_t n_predicted;
};

/* ---- the chance of one, roughly ---- */

/* P(x <= limit), x normal. */
static double chance_below(double limit, double mean, double sd)
{
	if (!(sd > 0) || isinf(limit))
		return mean <= limit ? 1 : 0;
	return 0.5 * erfc((mean - limit) / (sd * sqrt(2)));
}

/* That x is better than the reference by the objective, if both are good enough. */
static double chance_better(const struct option *x, double x_epistemic_sd, const struct option *r,
			    double r_epistemic_sd)
{
	if (x->level != r->level)
		return x->level < r->level ? 1 : 0;
	return chance_below(r->log_time + r->log_price, x->log_time + x->log_price,
			    hypot(x_epistemic_sd, r_epistemic_sd));
}

/* How many times the reference's cost; 1 at least. */
static double cost_ratio(const struct option *x, const struct option *r)
{
	double by_level = r->level > 0 ? x->level / r->level : 1;
	double by_price = exp(x->log_time + x->log_price - r->log_time - r->log_price);

	return fmax(1, by_level != 1 ? by_level : by_price);
}

/* About the probability that a place is right: it is good enough, and better than the
 * reference or that one is not good enough; then the cheap ones come first. Correlations play
 * no part yet. */
static double score_of(const struct pool *p, const struct candidate_point *place)
{
	struct option x = place_option(place, p->q), r = place_option(&p->reference, p->q);
	double x_good = chance_below(x.log_limit, x.log_time, place->epistemic_sd);
	double r_good = chance_below(r.log_limit, r.log_time, p->reference.epistemic_sd);
	double better = chance_better(&x, place->epistemic_sd, &r, p->reference.epistemic_sd);

	return x_good * (better + (1 - better) * (1 - r_good) / cost_ratio(&x, &r));
}

/* ---- the pool ---- */

static double least_score(const struct pool *p)
{
	double least = least_chance;

	if (p->places.n - p->first < MAX_POOL)
		return least;
	least = p->score[0];
	for (size_t i = 1; i < MAX_POOL; i++)
		least = fmin(least, p->score[i]);
	return least;
}

/* The best of a group, instead of the worst if the pool is full. */
static enum err_code pool_put(struct pool *p, const struct candidate_point *place, double score,
			      struct err *e)
{
	size_t n_columns = p->q->app->n_columns, worst = 0;
	struct candidate_point *there;
	double *row;
	enum err_code rc;

	if (candidate_points_have(&p->places, p->best, n_columns))
		return ERR_OK;
	if (p->places.n - p->first < MAX_POOL) {
		rc = candidate_points_add(&p->places, place, p->best, n_columns, e);
		if (!rc)
			p->score[p->places.n - p->first - 1] = score;
		return rc;
	}
	for (size_t i = 1; i < MAX_POOL; i++)
		worst = p->score[i] < p->score[worst] ? i : worst;
	there = &p->places.item[p->first + worst];
	row = there->row;
	memcpy(row, p->best, n_columns * sizeof *row);
	*there = *place;
	there->row = row;
	p->score[worst] = score;
	return ERR_OK;
}

static enum err_code consider_group(struct pool *p, const struct group *g, struct err *e)
{
	size_t n_columns = p->q->app->n_columns, next = 0, n;
	struct prediction at[SEARCH_BATCH];
	struct candidate_point best = {0};
	double best_score = 0;

	while ((n = group_rows(g, &next, p->rows, SEARCH_BATCH)) > 0) {
		predictor_predict(p->q->predictor, p->rows, n, at);
		p->n_predicted += n;
		for (size_t i = 0; i < n; i++) {
			const double *row = p->rows + i * n_columns;
			struct candidate_point x =
				place_at(p->q, &p->space->placement, row, &at[i]);
			double score = score_of(p, &x);

			if (score <= best_score)
				continue;
			memcpy(p->best, row, n_columns * sizeof *row);
			best = x;
			best_score = score;
		}
	}
	if (best_score <= least_score(p))
		return ERR_OK;
	best.kind = "contender";
	return pool_put(p, &best, best_score, e);
}

/* What a group can be at best: as fast as its bound, as doubtful as the reference. */
static bool stands_a_chance(const struct pool *p, const struct group *g)
{
	struct prediction bound;
	struct candidate_point x;

	predictor_bound(p->q->predictor, g->row, &bound);
	if (!(bound.time_s > 0))
		return true;
	bound.trend_sd = 0;
	x = place_at(p->q, &p->space->placement, g->row, &bound);
	x.epistemic_sd = fmax(x.epistemic_sd, p->reference.epistemic_sd);
	return score_of(p, &x) > least_score(p);
}

static enum err_code walk(struct pool *p, struct err *e)
{
	uint64_t n_groups = 0;
	struct groups it;
	struct group g;
	bool more;
	enum err_code rc = groups_init(&it, p->space, false, e);

	if (rc)
		return rc;
	while (p->n_predicted < MAX_PREDICTED && !(rc = groups_next(&it, &g, &more, e)) && more) {
		if (n_groups++ % GROUPS_PER_POLL == 0 &&
		    !progress_step(p->q->progress, "contenders", n_groups, 0)) {
			rc = err_set(e, ERR_INTERRUPTED,
				     "interrupted while looking for contenders");
			break;
		}
		if (stands_a_chance(p, &g) && (rc = consider_group(p, &g, e)))
			break;
	}
	groups_release(&it);
	return rc;
}

/* ---- the advice itself ---- */

static enum err_code add_choice(struct pool *p, const struct choice *c, const char *kind,
				struct err *e)
{
	struct candidate_point x = place_at(p->q, &p->space->placement, c->row, &c->prediction);

	x.kind = kind;
	return candidate_points_add(&p->places, &x, c->row, p->q->app->n_columns, e);
}

/* What is chosen because runs support it is beaten by much: that would tell contenders apart no
 * more. 0 is the recommendation; alternative i is place i + 1. */
static size_t best_to_beat(const struct advice *a)
{
	for (size_t i = 0; i < a->n_alternative; i++) {
		if (!strcmp(a->alternative[i].why, "extrapolated"))
			return i + 1;
	}
	return 0;
}

static enum err_code add_advice(struct pool *p, const struct advice *a, struct err *e)
{
	const struct choice *first = &a->rule_choice.instead_of;
	enum err_code rc = add_choice(p, &a->best, a->feasible ? "recommended" : "best effort", e);

	for (size_t i = 0; i < a->n_alternative && !rc; i++)
		rc = add_choice(p, &a->alternative[i], a->alternative[i].why, e);
	if (!rc && first->row &&
	    !candidate_points_have(&p->places, first->row, p->q->app->n_columns))
		rc = add_choice(p, first, "contender", e);
	if (!rc)
		p->reference = p->places.item[best_to_beat(a)];
	p->first = p->places.n;
	return rc;
}

/* ---- those with a chance ---- */

struct ranked_candidate {
	double chance;
	size_t i;
};

static int compare_standings(const void *a, const void *b)
{
	const struct ranked_candidate *x = a, *y = b;

	if (x->chance != y->chance)
		return x->chance > y->chance ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

/* Keep the recommendation and, in this order, the likeliest others. */
static enum err_code take_likeliest(struct candidate_points *p, struct ranked_candidate *s,
				    struct candidate_points *out, size_t n_columns, struct err *e)
{
	enum err_code rc;

	s[0].chance = INFINITY;
	qsort(s, p->n, sizeof *s, compare_standings);
	for (size_t k = 0; k < p->n && out->n < MAX_CANDIDATE_SET; k++) {
		if (s[k].chance >= least_chance &&
		    (rc = candidate_points_add(out, &p->item[s[k].i], p->item[s[k].i].row,
					       n_columns, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code take_candidate_set(struct pool *p, struct candidate_points *out, struct err *e)
{
	size_t n = p->places.n;
	struct option *option = calloc(n, sizeof *option);
	struct ranked_candidate *s = calloc(n, sizeof *s);
	double *right = calloc(n + 1, sizeof *right);
	struct posterior_samples samples = {0};
	struct choice_problem c;
	enum err_code rc;

	if (!option || !s || !right) {
		rc = err_set(e, ERR_NOMEM, "%zu contenders", n);
		goto done;
	}
	candidate_points_choice(&p->places, n, p->q, option, &c);
	if ((rc = candidate_points_samples(&p->places, p->q->app, &samples, e)) ||
	    (rc = choice_chances(&c, &samples, right, e)))
		goto done;
	for (size_t i = 0; i < n; i++)
		s[i] = (struct ranked_candidate){right[i], i};
	rc = take_likeliest(&p->places, s, out, p->q->app->n_columns, e);
done:
	posterior_samples_release(&samples);
	free(option);
	free(s);
	free(right);
	return rc;
}

enum err_code candidate_set_find(struct config_space *space, const struct advice *a,
				 struct candidate_points *out, struct err *e)
{
	size_t n_columns = space->request->app->n_columns;
	struct pool p = {.q = space->request, .space = space};
	enum err_code rc;

	p.rows = calloc(SEARCH_BATCH * n_columns, sizeof *p.rows);
	p.best = calloc(n_columns, sizeof *p.best);
	if (!p.rows || !p.best)
		rc = err_set(e, ERR_NOMEM, "a batch of configurations");
	else if (!(rc = add_advice(&p, a, e)) && !(rc = walk(&p, e)))
		rc = take_candidate_set(&p, out, e);
	if (rc)
		candidate_points_release(out);
	candidate_points_release(&p.places);
	free(p.rows);
	free(p.best);
	return rc;
}

/* ---- cheaper runs ---- */

/* A test run is worth waiting for where it is much cheaper. */
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
	struct candidate_point x;

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

/* ---- values that no run has ---- */

/* Whole numbers that are tried between two values, from the middle outwards. */
enum { MAX_TRIES = 512 };

/* A tunable: its values in runs that ended well. */
struct tried_values {
	size_t column;
	double *value; /* ascending, > 0, distinct */
	size_t n;
	bool alone; /* two runs differ in it alone */
	bool whole; /* all are whole numbers, as far as is known the only ones that it takes */
	bool codes; /* whole numbers that follow each other */
};

static bool is_open(const struct config_space *s, size_t i)
{
	const struct column *c = &s->request->app->column[i];

	return c->role == COL_TUNABLE && c->type != COL_TEXT && c->candidates == CAND_SEEN &&
	       isnan(s->request->row[i]);
}

/* ---- what was tried ---- */

/* list[0..n-1]: runs that ended well. */
static void collect(const struct dataset *runs, const uint32_t *list, size_t n,
		    struct tried_values *v)
{
	size_t n_kept = 0;

	v->n = 0;
	for (size_t k = 0; k < n; k++) {
		double x = dataset_row(runs, list[k])[v->column];

		if (x > 0)
			v->value[v->n++] = x;
	}
	qsort(v->value, v->n, sizeof *v->value, compare_doubles);
	for (size_t k = 0; k < v->n; k++) {
		if (n_kept == 0 || v->value[k] != v->value[n_kept - 1])
			v->value[n_kept++] = v->value[k];
	}
	v->n = n_kept;
	v->whole = v->codes = true;
	for (size_t k = 0; k < v->n; k++) {
		v->whole = v->whole && v->value[k] == floor(v->value[k]);
		v->codes = v->codes && v->whole && (k == 0 || v->value[k] == v->value[k - 1] + 1);
	}
}

/* Two runs that agree in every stored column but this one, where they do not. */
static enum err_code find_alone(const struct dataset *runs, const uint32_t *list, size_t n,
				struct tried_values *v, struct err *e)
{
	const struct application *app = runs->app;
	size_t *column = calloc(app->n_columns + 1, sizeof *column);
	uint32_t *group = calloc(2 * n + 1, sizeof *group), *first;
	struct row_key key = {.x = runs->rows,
			      .row_of = runs->row_of,
			      .n_columns = app->n_columns,
			      .column = column,
			      .machine = NULL};
	size_t n_groups;
	enum err_code rc = ERR_OK;

	if (!column || !group) {
		rc = err_set(e, ERR_NOMEM, "%zu runs to compare", n);
		goto done;
	}
	first = group + n;
	for (size_t c = 0; c < app->n_columns; c++) {
		if (c != v->column && app->column[c].role != COL_DERIVED)
			column[key.n_key++] = c;
	}
	if ((rc = group_by(&key, list, n, group, first, &n_groups, e)))
		goto done;
	for (size_t k = 0; k < n && !v->alone; k++) {
		double x = dataset_row(runs, list[k])[v->column];
		double y = dataset_row(runs, first[group[k]])[v->column];

		v->alone = x != y && !isnan(x) && !isnan(y);
	}
done:
	free(column);
	free(group);
	return rc;
}

/* ---- values between and beyond ---- */

struct finder {
	const struct config_space *space;
	struct candidate_points *out;
	const double *from; /* row of the place that is varied */
	double *row;	    /* scratch, n_columns */
};

/* *added: it is legal, and now among the places, if it was not there. */
static enum err_code try_value(struct finder *f, size_t column, double value, bool *added,
			       struct err *e)
{
	const struct advice_request *q = f->space->request;
	const struct column *c = &q->app->column[column];
	struct prediction at;
	struct candidate_point x;

	*added = false;
	if (value < c->min || value > c->max)
		return ERR_OK;
	memcpy(f->row, f->from, q->app->n_columns * sizeof *f->row);
	f->row[column] = value;
	if (!config_space_complete(f->space, f->row))
		return ERR_OK;
	*added = true;
	if (candidate_points_have(f->out, f->row, q->app->n_columns))
		return ERR_OK;
	predictor_predict(q->predictor, f->row, 1, &at);
	x = place_at(q, &f->space->placement, f->row, &at);
	x.kind = "new value";
	return candidate_points_add(f->out, &x, f->row, q->app->n_columns, e);
}

/* The legal value nearest to `middle` that lies between two others. */
static enum err_code add_near(struct finder *f, const struct tried_values *v, double middle,
			      double above, double below, struct err *e)
{
	bool added = false;
	double low = floor(middle), high = low + 1;
	enum err_code rc = ERR_OK;

	if (!v->whole)
		return middle > above && middle < below ? try_value(f, v->column, middle, &added, e)
							: ERR_OK;
	for (int tries = 0; tries < MAX_TRIES && !added && !rc; tries++) {
		bool down = low > above && (high >= below || middle / low <= high / middle);

		if (!down && high >= below)
			break;
		rc = try_value(f, v->column, down ? low : high, &added, e);
		low -= down ? 1 : 0;
		high += down ? 0 : 1;
	}
	return rc;
}

static enum err_code add_around(struct finder *f, const struct tried_values *v, struct err *e)
{
	double x = f->from[v->column], step;
	size_t at = 0;
	enum err_code rc = ERR_OK;

	while (at < v->n && v->value[at] < x)
		at++;
	if (at == v->n || v->value[at] != x || v->n < 2)
		return ERR_OK; /* itself not tried: what lies around it is not known */
	if (at > 0)
		rc = add_near(f, v, sqrt(v->value[at - 1] * x), v->value[at - 1], x, e);
	else if (!v->codes) {
		step = v->value[1] / x;
		rc = add_near(f, v, x / step, x / (step * step), x, e);
	}
	if (rc)
		return rc;
	if (at + 1 < v->n)
		return add_near(f, v, sqrt(v->value[at + 1] * x), x, v->value[at + 1], e);
	if (v->codes)
		return ERR_OK;
	step = x / v->value[at - 1];
	return add_near(f, v, x * step, x, x * step * step, e);
}

/* ---- all of them ---- */

static enum err_code add_column(struct finder *f, size_t column, const uint32_t *list,
				size_t n_list, size_t n, struct err *e)
{
	struct tried_values v = {.column = column};
	enum err_code rc;

	v.value = calloc(n_list + 1, sizeof *v.value);
	if (!v.value)
		return err_set(e, ERR_NOMEM, "values of %zu runs", n_list);
	collect(f->space->request->runs, list, n_list, &v);
	rc = find_alone(f->space->request->runs, list, n_list, &v, e);
	for (size_t i = 0; i < n && v.alone && !rc; i++) {
		f->from = f->out->item[i].row; /* stays where it is when places are added */
		rc = add_around(f, &v, e);
	}
	free(v.value);
	return rc;
}

enum err_code unseen_values_add(const struct config_space *space, struct candidate_points *p,
				size_t n, struct err *e)
{
	const struct dataset *runs = space->request->runs;
	struct finder f = {.space = space, .out = p};
	uint32_t *list;
	size_t n_list = 0;
	enum err_code rc = ERR_OK;

	if (!runs || runs->n == 0)
		return ERR_OK;
	list = calloc(runs->n, sizeof *list);
	f.row = calloc(space->request->app->n_columns + 1, sizeof *f.row);
	if (!list || !f.row)
		rc = err_set(e, ERR_NOMEM, "values that no run has");
	for (size_t i = 0; i < runs->n && !rc; i++) {
		if (rule_counts_run(runs, i))
			list[n_list++] = (uint32_t)i;
	}
	for (size_t c = 0; c < space->request->app->n_columns && !rc; c++) {
		if (is_open(space, c))
			rc = add_column(&f, c, list, n_list, n, e);
	}
	free(list);
	free(f.row);
	return rc;
}
