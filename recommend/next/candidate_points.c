#include "recommend/next/candidate_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/search/rank.h"
#include "recommend/search/search.h"

/* ---- what is known of one ---- */

struct place place_at(const struct advice_request *q, const struct placement *where,
		      const double *row, const struct prediction *at)
{
	double epistemic_sd = prediction_epistemic_sd(q->predictor, at),
	       noise = prediction_noise_sd(q->predictor, at);
	double tail = log(prediction_quantile_s(q->predictor, at, q->confidence) / at->time_s);
	double nodes = placement_nodes(where, row), all = hypot(epistemic_sd, noise);

	return (struct place){.at = *at,
			      .nodes = nodes,
			      .node_hours = nodes * at->time_s / 3600,
			      .epistemic_sd = epistemic_sd,
			      .noise = noise,
			      .tail = all > 0 ? tail * noise / all : 0};
}

enum err_code candidate_points_add(struct candidate_points *p, const struct place *place,
				   const double *row, size_t n_columns, struct err *e)
{
	struct place *grown = realloc(p->item, (p->n + 1) * sizeof *grown);
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
static double time_limit_s(const struct place *p, const struct advice_request *q)
{
	double limit_s = isnan(q->deadline_s) ? (double)INFINITY : q->deadline_s;

	if (q->budget_node_hours > 0)
		limit_s = fmin(limit_s, budget_time_s(q->budget_node_hours, p->nodes));
	return limit_s;
}

struct option place_option(const struct place *p, const struct advice_request *q)
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

/* Who has less than this chance is no contender. */
static const double least_chance = 0.002;

/* The best of the groups so far; score[i] belongs to places.item[first + i]. */
struct pool {
	const struct advice_request *q;
	struct config_space *space;
	struct place reference; /* to be beaten: the best that was found */
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
static double score_of(const struct pool *p, const struct place *place)
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
static enum err_code pool_put(struct pool *p, const struct place *place, double score,
			      struct err *e)
{
	size_t n_columns = p->q->app->n_columns, worst = 0;
	struct place *there;
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
	struct place best = {0};
	double best_score = 0;

	while ((n = group_rows(g, &next, p->rows, SEARCH_BATCH)) > 0) {
		predictor_predict(p->q->predictor, p->rows, n, at);
		p->n_predicted += n;
		for (size_t i = 0; i < n; i++) {
			const double *row = p->rows + i * n_columns;
			struct place x = place_at(p->q, &p->space->placement, row, &at[i]);
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
	struct place x;

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
	struct place x = place_at(p->q, &p->space->placement, c->row, &c->prediction);

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

struct standing {
	double chance;
	size_t i;
};

static int compare_standings(const void *a, const void *b)
{
	const struct standing *x = a, *y = b;

	if (x->chance != y->chance)
		return x->chance > y->chance ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

/* Keep the recommendation and, in this order, the likeliest others. */
static enum err_code take_likeliest(struct candidate_points *p, struct standing *s,
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

static enum err_code take_contenders(struct pool *p, struct candidate_points *out, struct err *e)
{
	size_t n = p->places.n;
	struct option *option = calloc(n, sizeof *option);
	struct standing *s = calloc(n, sizeof *s);
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
		s[i] = (struct standing){right[i], i};
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
		rc = take_contenders(&p, out, e);
	if (rc)
		candidate_points_release(out);
	candidate_points_release(&p.places);
	free(p.rows);
	free(p.best);
	return rc;
}
