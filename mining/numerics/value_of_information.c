#include "mining/numerics/value_of_information.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The one path before the first run is looked at closely, the many after it each by less: 65 536
 * suppositions in all. */
enum { FIRST_OUTCOMES = 64, FIRST_DRAWS = 1024, OUTCOMES = 16, DRAWS = 128 };

/* A run that is looked at. */
struct view {
	const struct choice_problem *c;
	const struct posterior_samples *d;
	size_t n_outcomes, n_draws;
	double z[FIRST_OUTCOMES];
	double *gain, *outcome;	   /* preposterior_outcome() */
	double *x;		   /* n: log times, if a draw were true */
	size_t *n_right;	   /* (n + 1) per outcome: draws in which the option is right */
	size_t *n_right_any;	   /* n + 1: over all outcomes */
	double *waste, *waste_any; /* n: the same for node-hours */
};

static enum err_code view_init(struct view *v, const struct choice_problem *c,
			       const struct posterior_samples *d, struct err *e)
{
	*v = (struct view){.c = c, .d = d};
	v->n_outcomes = d->n_paths > 1 ? OUTCOMES : FIRST_OUTCOMES;
	v->n_draws = d->n_paths > 1 ? DRAWS : FIRST_DRAWS;
	posterior_samples_outcomes(v->z, v->n_outcomes);
	v->gain = calloc(d->n + 1, sizeof *v->gain);
	v->outcome = calloc(POSTERIOR_DRAWS, sizeof *v->outcome);
	v->x = calloc(c->n + 1, sizeof *v->x);
	v->n_right = calloc(v->n_outcomes * (c->n + 1), sizeof *v->n_right);
	v->n_right_any = calloc(c->n + 1, sizeof *v->n_right_any);
	v->waste = calloc(c->n + 1, sizeof *v->waste);
	v->waste_any = calloc(c->n + 1, sizeof *v->waste_any);
	if (!v->waste || !v->waste_any || !v->gain || !v->outcome || !v->x || !v->n_right ||
	    !v->n_right_any)
		return err_set(e, ERR_NOMEM, "a choice of %zu", c->n);
	return ERR_OK;
}

static void view_release(struct view *v)
{
	free(v->gain);
	free(v->outcome);
	free(v->x);
	free(v->n_right);
	free(v->n_right_any);
	free(v->waste);
	free(v->waste_any);
}

/* ---- one draw ---- */

/* v->x, if runs have shown what they do on a path, this one shows z, and of what is left draw m
 * is true. */
static void suppose(const struct view *v, size_t path, double z, size_t m)
{
	const double *shown = v->d->shown + path * v->d->n, *left = v->d->left + m * v->d->n;
	double learnt = z - v->outcome[m];

	for (size_t i = 0; i < v->c->n; i++)
		v->x[i] = v->c->option[i].log_time + shown[i] + left[i] + v->gain[i] * learnt;
}

/* The best option at log times x; n if none is good enough. */
static size_t best_option(const struct choice_problem *c, const double *x)
{
	size_t best = c->n;
	double best_level = INFINITY, best_price = INFINITY;

	for (size_t i = 0; i < c->n; i++) {
		const struct option *o = &c->option[i];
		double price = x[i] + o->log_price;

		if (x[i] > o->log_limit || o->level > best_level ||
		    (o->level == best_level && price >= best_price))
			continue;
		best = i;
		best_level = o->level;
		best_price = price;
	}
	return best;
}

static void count_right(const struct choice_problem *c, const double *x, size_t *n_right)
{
	size_t best = best_option(c, x);
	double most;

	if (best == c->n) {
		n_right[c->n]++;
		return;
	}
	most = x[best] + c->option[best].log_price + log1p(c->tolerance);
	for (size_t i = 0; i < c->n; i++) {
		const struct option *o = &c->option[i];

		n_right[i] += x[i] <= o->log_limit && o->level == c->option[best].level &&
			      x[i] + o->log_price <= most;
	}
}

/* Over what the best option takes, or all until it is stopped. */
static double wasted_node_hours(const struct choice_problem *c, const double *x, size_t best,
				size_t chosen)
{
	const struct option *o = &c->option[chosen];

	if (x[chosen] > o->log_limit)
		return o->nodes * o->stop_s / 3600;
	return fmax(0, o->nodes * exp(x[chosen]) - c->option[best].nodes * exp(x[best])) / 3600;
}

/* ---- all draws ---- */

static size_t likeliest(const size_t *n_right, size_t n)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		best = n_right[i] > n_right[best] ? i : best;
	return best;
}

/* Of n options, each right in n_right of n_draws. */
static void add_chances(const size_t *n_right, size_t n, double n_draws, double weight,
			struct expectation *to)
{
	to->wrong += weight * (1 - (double)n_right[likeliest(n_right, n)] / n_draws);
	for (size_t i = 0; i < n; i++) {
		double p = (double)n_right[i] / n_draws;

		to->brier += weight * p * (1 - p) / 2;
	}
}

static double least(const double *x, size_t n)
{
	double least = x[0];

	for (size_t i = 1; i < n; i++)
		least = fmin(least, x[i]);
	return least;
}

/* Node-hours, of whoever submits what is expected to waste least. */
static void add_waste(const struct view *v, size_t path, struct expectation *before,
		      struct expectation *after)
{
	const struct choice_problem *c = v->c;
	double n_draws = (double)v->n_draws;

	memset(v->waste_any, 0, c->n * sizeof *v->waste_any);
	for (size_t q = 0; q < v->n_outcomes; q++) {
		memset(v->waste, 0, c->n * sizeof *v->waste);
		for (size_t m = 0; m < v->n_draws; m++) {
			size_t best;

			suppose(v, path, v->z[q], m);
			best = best_option(c, v->x);
			for (size_t i = 0; i < c->n; i++)
				v->waste[i] += wasted_node_hours(c, v->x, best, i) / n_draws;
		}
		for (size_t i = 0; i < c->n; i++)
			v->waste_any[i] += v->waste[i];
		after->wasted_node_hours += least(v->waste, c->n);
	}
	before->wasted_node_hours += least(v->waste_any, c->n);
}

/* Add what one path comes to; the sums are over outcomes and, of draws, means. */
static void add_path(const struct view *v, size_t path, struct expectation *before,
		     struct expectation *after)
{
	size_t n = v->c->n + 1;
	double n_draws = (double)v->n_draws;

	memset(v->n_right, 0, v->n_outcomes * n * sizeof *v->n_right);
	memset(v->n_right_any, 0, n * sizeof *v->n_right_any);
	for (size_t q = 0; q < v->n_outcomes; q++) {
		size_t *n_right = v->n_right + q * n;

		for (size_t m = 0; m < v->n_draws; m++) {
			suppose(v, path, v->z[q], m);
			count_right(v->c, v->x, n_right);
		}
		add_chances(n_right, n, n_draws, 1, after);
		for (size_t i = 0; i < n; i++)
			v->n_right_any[i] += n_right[i];
	}
	add_chances(v->n_right_any, n, n_draws * (double)v->n_outcomes, (double)v->n_outcomes,
		    before);
}

static void scale(struct expectation *x, double n)
{
	x->wrong /= n;
	x->brier /= n;
	x->wasted_node_hours /= n;
}

enum err_code voi_foresee(const struct choice_problem *c, const struct posterior_samples *d,
			  size_t r, double noise_sd, bool waste, struct expectation *before,
			  struct expectation *after, struct err *e)
{
	struct expectation without = {0}, with = {0};
	struct view v;
	enum err_code rc = view_init(&v, c, d, e);

	if (!rc) {
		preposterior_outcome(d, r, noise_sd, v.gain, v.outcome, v.n_draws);
		for (size_t path = 0; path < d->n_paths; path++) {
			add_path(&v, path, &without, &with);
			if (waste)
				add_waste(&v, path, &without, &with);
		}
		scale(&without, (double)(d->n_paths * v.n_outcomes));
		scale(&with, (double)(d->n_paths * v.n_outcomes));
		*before = without;
		*after = with;
	}
	view_release(&v);
	return rc;
}

enum err_code choice_chances(const struct choice_problem *c, const struct posterior_samples *d,
			     double *right, struct err *e)
{
	struct view v;
	enum err_code rc = view_init(&v, c, d, e);

	if (!rc) {
		for (size_t m = 0; m < POSTERIOR_DRAWS; m++) {
			suppose(&v, 0, 0, m); /* no gain: as nothing is run */
			count_right(c, v.x, v.n_right_any);
		}
		for (size_t i = 0; i <= c->n; i++)
			right[i] = (double)v.n_right_any[i] / POSTERIOR_DRAWS;
	}
	view_release(&v);
	return rc;
}
