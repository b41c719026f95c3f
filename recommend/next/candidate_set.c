#include "recommend/next/candidate_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/search/search.h"

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
