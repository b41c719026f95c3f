#include "acquire/design_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"

enum {
	MAX_CANDIDATES = 20000, /* of which a list is completed */
	MAX_SWEEPS = 40,
	IDLE_SWEEPS = 5, /* that change nothing: then it is good enough */
	PAIRS_PER_POLL = 256
};

/* Of balance, that distance may cost: points, over all factors. */
#define SLACK 1.0

/* Distances of all points are computed about so often in a search for points far apart. */
static const double most_work = 3e8;

/* ---- a choice from a list: balance first, then distance ---- */

/* Points of a stratum that are taken, less those that should be: their share of the list. */
struct balance {
	const struct design_list *l;
	size_t n_strata[DESIGN_MAX_FACTORS];
	size_t first[DESIGN_MAX_FACTORS]; /* stratum of a factor, in excess */
	double *excess;
};

/* Levels fall into at most as many equal parts as there are points to take. */
static size_t stratum(const struct balance *b, size_t factor, size_t level)
{
	assert(b->l->n_levels[factor] > 0);
	return level * b->n_strata[factor] / b->l->n_levels[factor];
}

static const size_t *list_point(const struct design_list *l, size_t i)
{
	return l->level + i * l->n_factors;
}

static void balance_add(struct balance *b, const size_t *level, double n)
{
	for (size_t f = 0; f < b->l->n_factors; f++)
		b->excess[b->first[f] + stratum(b, f, level[f])] += n;
}

static enum err_code balance_init(struct balance *b, const struct design_list *l, size_t n_taken,
				  struct err *e)
{
	size_t n = 0;

	*b = (struct balance){.l = l};
	for (size_t f = 0; f < l->n_factors; f++) {
		b->n_strata[f] = l->n_levels[f] < n_taken ? l->n_levels[f] : n_taken;
		b->first[f] = n;
		n += b->n_strata[f];
	}
	b->excess = calloc(n + 1, sizeof *b->excess);
	if (!b->excess)
		return err_set(e, ERR_NOMEM, "a design of %zu points", n_taken);
	for (size_t i = 0; i < l->n_points; i++)
		balance_add(b, list_point(l, i), -(double)n_taken / (double)l->n_points);
	return ERR_OK;
}

/* What the sum of squared excesses grows by is twice this, plus a constant. */
static double crowding(const struct balance *b, const size_t *level)
{
	double sum = 0;

	for (size_t f = 0; f < b->l->n_factors; f++)
		sum += b->excess[b->first[f] + stratum(b, f, level[f])];
	return sum;
}

static double list_distance(const struct design_list *l, const size_t *a, const size_t *b)
{
	double sum = 0;

	for (size_t f = 0; f < l->n_factors; f++) {
		double d = design_level_distance(l->n_levels, l->nominal, f, a[f], b[f]);

		sum += d * d;
	}
	return sum;
}

/* Point `at` is taken: nearest[i], of what was taken, to point i. */
static void take(struct balance *b, double *nearest, size_t at)
{
	const struct design_list *l = b->l;

	balance_add(b, list_point(l, at), 1);
	for (size_t i = 0; i < l->n_points; i++)
		nearest[i] =
			fmin(nearest[i], list_distance(l, list_point(l, i), list_point(l, at)));
	nearest[at] = -1; /* never again */
}

static bool may_take(const struct balance *b, const double *nearest, size_t i)
{
	return nearest[i] >= 0 && !(b->l->barred && b->l->barred[i]);
}

/* Of the least crowded, to within one point of one factor, the farthest from all that was taken; of
 * equal ones any. */
static size_t next_point(const struct balance *b, const double *nearest, uint64_t *random)
{
	size_t best = SIZE_MAX, n_equal = 0;
	double least = INFINITY;

	for (size_t i = 0; i < b->l->n_points; i++) {
		if (may_take(b, nearest, i))
			least = fmin(least, crowding(b, list_point(b->l, i)));
	}
	for (size_t i = 0; i < b->l->n_points; i++) {
		if (!may_take(b, nearest, i) || crowding(b, list_point(b->l, i)) > least + SLACK ||
		    (best != SIZE_MAX && nearest[i] < nearest[best]))
			continue;
		n_equal = best != SIZE_MAX && nearest[i] <= nearest[best] ? n_equal + 1 : 1;
		if (splitmix_next(random) % n_equal == 0)
			best = i;
	}
	return best;
}

/* To begin with, as seeds are to make a difference. */
static size_t any_point(const struct balance *b, const double *nearest, size_t n_left,
			uint64_t *random)
{
	size_t skip = (size_t)(splitmix_next(random) % n_left), i = 0;

	while (!may_take(b, nearest, i) || skip-- > 0)
		i++;
	return i;
}

enum err_code design_choose(const struct design_list *l, const unsigned char *taken, size_t n,
			    uint64_t seed, size_t *chosen, struct err *e)
{
	double *nearest = calloc(l->n_points + 1, sizeof *nearest);
	size_t *picked = calloc(n + 1, sizeof *picked), n_taken = 0, n_left = 0;
	struct balance b = {0};
	enum err_code rc;

	for (size_t i = 0; i < l->n_points; i++) {
		n_taken += taken && taken[i];
		n_left += !(taken && taken[i]) && !(l->barred && l->barred[i]);
	}
	if (!nearest || !picked)
		rc = err_set(e, ERR_NOMEM, "a choice of %zu points", l->n_points);
	else if (n > n_left)
		rc = err_set(e, ERR_ARG, "%zu runs of %zu combinations that are left", n, n_left);
	else
		rc = balance_init(&b, l, n + n_taken, e);
	if (rc)
		goto done;
	for (size_t i = 0; i < l->n_points; i++)
		nearest[i] = INFINITY;
	for (size_t i = 0; i < l->n_points; i++) {
		if (taken && taken[i])
			take(&b, nearest, i);
	}
	for (size_t k = 0; k < n; k++) {
		if (!progress_step(l->progress, "design", k, n)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while making a design");
			goto done;
		}
		picked[k] = k == 0 && n_taken == 0 ? any_point(&b, nearest, n_left, &seed)
						   : next_point(&b, nearest, &seed);
		take(&b, nearest, picked[k]);
	}
	memcpy(chosen, picked, n * sizeof *chosen);
done:
	free(b.excess);
	free(picked);
	free(nearest);
	return rc;
}

/* ---- columns of a Latin hypercube, rearranged ---- */

struct hypercube {
	const struct design_space *s;
	size_t n;
	size_t *level; /* n * n_factors */
};

/* Level i of n: systematic sampling from [0, levels) with a random start, so that each level is
 * taken floor or ceil(n / levels) times. */
static void fill_columns(struct hypercube *h, size_t *order, uint64_t *random)
{
	for (size_t f = 0; f < h->s->n_factors; f++) {
		double step = (double)h->s->n_levels[f] / (double)h->n;
		double start = splitmix_uniform(random);

		design_shuffle(order, h->n, random);
		for (size_t i = 0; i < h->n; i++) {
			size_t l = (size_t)(((double)order[i] + start) * step);

			h->level[i * h->s->n_factors + f] =
				l < h->s->n_levels[f] ? l : h->s->n_levels[f] - 1;
		}
	}
}

static bool is_among(const size_t *level, size_t n, size_t n_factors, const size_t *point)
{
	for (size_t j = 0; j < n; j++) {
		if (!memcmp(level + j * n_factors, point, n_factors * sizeof *level))
			return true;
	}
	return false;
}

/* How near the other points are to point i, in one number that the nearest dominates: the sum of
 * distance^-8, a power as in the criterion phi_p of Morris and Mitchell. A point that may not be
 * or is there already counts more than any nearness. */
static double point_cost(const struct hypercube *h, size_t i)
{
	const size_t *a = h->level + i * h->s->n_factors;
	double sum = design_is_legal(h->s, a) ? 0 : 1e30;

	for (size_t j = 0; j < h->n; j++) {
		const size_t *b = h->level + j * h->s->n_factors;
		double d2 = 0;

		if (j == i)
			continue;
		for (size_t f = 0; f < h->s->n_factors; f++) {
			double d =
				design_level_distance(h->s->n_levels, h->s->nominal, f, a[f], b[f]);

			d2 += d * d;
		}
		sum += d2 > 0 ? 1 / (d2 * d2 * d2 * d2) : 1e30;
	}
	return sum;
}

static void swap_levels(struct hypercube *h, size_t i, size_t j, size_t f)
{
	size_t *a = &h->level[i * h->s->n_factors + f], *b = &h->level[j * h->s->n_factors + f];
	size_t l = *a;

	*a = *b;
	*b = l;
}

/* Exchange levels of two points where that is better: balance stays as it is. */
static enum err_code spread(struct hypercube *h, uint64_t *random, struct err *e)
{
	double n = (double)h->n, k = (double)h->s->n_factors;
	size_t n_sweeps = (size_t)fmin(MAX_SWEEPS, 1 + most_work / (4 * n * n * k * k));
	uint64_t n_pairs = 0;
	size_t n_idle = 0;

	assert(h->s->n_factors > 0);
	if (h->n < 2)
		return ERR_OK;
	for (size_t sweep = 0; sweep < n_sweeps && n_idle < IDLE_SWEEPS; sweep++) {
		n_idle++;
		for (size_t at = 0; at < h->n * h->s->n_factors; at++) {
			size_t i = at / h->s->n_factors, f = at % h->s->n_factors;
			size_t j = (i + 1 + (size_t)(splitmix_next(random) % (h->n - 1))) % h->n;
			double before, after;

			if (n_pairs++ % PAIRS_PER_POLL == 0 &&
			    !progress_step(h->s->progress, "design", n_pairs, 0))
				return err_set(e, ERR_INTERRUPTED,
					       "interrupted while making a design");
			if (h->level[i * h->s->n_factors + f] == h->level[j * h->s->n_factors + f])
				continue;
			before = point_cost(h, i) + point_cost(h, j);
			swap_levels(h, i, j, f);
			after = point_cost(h, i) + point_cost(h, j);
			if (after < before)
				n_idle = 0;
			else
				swap_levels(h, i, j, f);
		}
	}
	return ERR_OK;
}

/* Keep the good points, in front. Returns how many. */
static size_t keep_good(struct hypercube *h)
{
	size_t k = h->s->n_factors, n = 0;

	for (size_t i = 0; i < h->n; i++) {
		const size_t *point = h->level + i * k;

		if (!design_is_legal(h->s, point) || is_among(h->level, n, k, point))
			continue;
		memmove(h->level + n++ * k, point, k * sizeof *point);
	}
	return n;
}

/* Points n_good .. n-1 from a list of legal ones, on which the good ones stand in front. */
static enum err_code complete(struct hypercube *h, size_t n_good, uint64_t *random, struct err *e)
{
	size_t k = h->s->n_factors;
	struct design all = {0};
	struct design_list l;
	size_t *list = NULL, *chosen = NULL, n_points = n_good;
	unsigned char *taken = NULL;
	bool complete_list;
	enum err_code rc;

	if ((rc = design_candidates(h->s, h->n + MAX_CANDIDATES, random, &all, &complete_list, e)))
		return rc;
	list = calloc((n_good + all.n) * k + 1, sizeof *list);
	taken = calloc(n_good + all.n + 1, sizeof *taken);
	chosen = calloc(h->n + 1, sizeof *chosen);
	if (!list || !taken || !chosen) {
		rc = err_set(e, ERR_NOMEM, "a design of %zu points", h->n);
		goto done;
	}
	memcpy(list, h->level, n_good * k * sizeof *list);
	memset(taken, 1, n_good);
	for (size_t i = 0; i < all.n; i++) {
		if (!is_among(list, n_good, k, design_point(&all, i)))
			memcpy(list + n_points++ * k, design_point(&all, i), k * sizeof *list);
	}
	if (n_points < h->n) {
		rc = err_set(e, ERR_ARG,
			     complete_list ? "a Latin hypercube of %zu runs, but only %zu "
					     "combinations of levels are legal"
					   : "a Latin hypercube of %zu runs, but only %zu legal "
					     "combinations of levels were found",
			     h->n, n_points);
		goto done;
	}
	l = (struct design_list){.n_points = n_points,
				 .n_factors = k,
				 .n_levels = h->s->n_levels,
				 .nominal = h->s->nominal,
				 .level = list,
				 .progress = h->s->progress};
	if ((rc = design_choose(&l, taken, h->n - n_good, splitmix_next(random), chosen, e)))
		goto done;
	for (size_t i = n_good; i < h->n; i++)
		memcpy(h->level + i * k, list + chosen[i - n_good] * k, k * sizeof *list);
done:
	design_release(&all);
	free(list);
	free(taken);
	free(chosen);
	return rc;
}

enum err_code design_latin_hypercube(const struct design_space *s, size_t n, uint64_t seed,
				     struct design *out, struct err *e)
{
	struct hypercube h = {.s = s, .n = n};
	size_t *order = NULL, n_good;
	enum err_code rc = design_check_space(s, e);

	if (rc)
		return rc;
	if (n < 1)
		return err_set(e, ERR_ARG, "a Latin hypercube of 0 runs");
	h.level = n <= SIZE_MAX / sizeof *h.level / s->n_factors
			  ? calloc(n * s->n_factors, sizeof *h.level)
			  : NULL;
	order = calloc(n, sizeof *order);
	if (!h.level || !order) {
		rc = err_set(e, ERR_NOMEM, "a design of %zu points", n);
		goto done;
	}
	fill_columns(&h, order, &seed);
	if ((rc = spread(&h, &seed, e)))
		goto done;
	n_good = keep_good(&h);
	if (n_good < n)
		rc = complete(&h, n_good, &seed, e);
done:
	free(order);
	if (rc)
		free(h.level);
	else
		*out = (struct design){
			.n = n, .n_factors = s->n_factors, .level = h.level, .efficiency = NAN};
	return rc;
}
