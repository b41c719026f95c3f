#include "mining/numerics/posynomial.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/numerics/ridge_fit.h"
#include "mining/numerics/robust_fit.h"

/* Penalties of the regressions that the search starts from, in observations. */
#define PENALTY_COMMON 0.01
#define PENALTY_START 1.0

/* How far a term's exponents stray from the common ones, on inputs of half-width 1: a choice;
 * within a factor of 3 the fits to two real codes changed little. Of its size nothing is known. */
#define STRAY 1.0
#define STRAY_SIZE 3.0

#define MIN_SCALE 1e-3

/* Runs that a coefficient wants. */
enum { RUNS_PER_COEFFICIENT = 4 };

static size_t terms_for(size_t n, size_t p, size_t most)
{
	size_t k = most < POSYNOMIAL_MAX_TERMS ? most : POSYNOMIAL_MAX_TERMS;

	while (k > 1 && (k * p > POSYNOMIAL_MAX_COEFFICIENTS || k * p * RUNS_PER_COEFFICIENT > n))
		k--;
	return k > 0 ? k : 1;
}

/* share[k] = the share of term k in the sum. */
static double log_sum(size_t n_terms, size_t p, const double *b, const double *x, double *share)
{
	double most = -INFINITY, sum = 0;

	for (size_t k = 0; k < n_terms; k++) {
		share[k] = 0;
		for (size_t j = 0; j < p; j++)
			share[k] += b[k * p + j] * x[j];
		most = fmax(most, share[k]);
	}
	for (size_t k = 0; k < n_terms; k++) {
		share[k] = exp(share[k] - most);
		sum += share[k];
	}
	for (size_t k = 0; k < n_terms; k++)
		share[k] /= sum;
	return most + log(fmax(sum, 1)); /* the largest alone is 1 */
}

double posynomial_log(const struct posynomial *m, const double *x)
{
	double share[POSYNOMIAL_MAX_TERMS];

	return log_sum(m->n_terms, m->p, m->b, x, share);
}

void posynomial_gradient(const struct posynomial *m, const double *x, double *u)
{
	double share[POSYNOMIAL_MAX_TERMS];

	(void)log_sum(m->n_terms, m->p, m->b, x, share);
	for (size_t k = 0; k < m->n_terms; k++) {
		for (size_t j = 0; j < m->p; j++)
			u[k * m->p + j] = share[k] * x[j];
	}
}

struct arg {
	const double *x;
	size_t n, p, n_terms;
};

static void eval(const void *data, const double *b, double *f, double *jac)
{
	const struct arg *a = data;
	const size_t n_b = a->n_terms * a->p;
	double share[POSYNOMIAL_MAX_TERMS];

	for (size_t i = 0; i < a->n; i++) {
		const double *x = a->x + i * a->p;
		double y = log_sum(a->n_terms, a->p, b, x, share);

		if (f)
			f[i] = y;
		for (size_t k = 0; jac && k < a->n_terms; k++) {
			for (size_t j = 0; j < a->p; j++)
				jac[i * n_b + k * a->p + j] = share[k] * x[j];
		}
	}
}

struct timed {
	double y;
	size_t at;
};

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->y != y->y)
		return x->y < y->y ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* What the search works on: the runs from the shortest to the longest. */
struct posynomial_work {
	double *x, *y, *rest;
	size_t *at; /* where each run comes from */
};

static enum err_code sort_runs(const double *x, const double *y, size_t n, size_t p,
			       struct posynomial_work *out, struct err *e)
{
	struct timed *order = calloc(n + 1, sizeof *order);

	out->x = calloc(n * p + 1, sizeof *out->x);
	out->y = calloc(n + 1, sizeof *out->y);
	out->rest = calloc(n + 1, sizeof *out->rest);
	out->at = calloc(n + 1, sizeof *out->at);
	if (!order || !out->x || !out->y || !out->rest || !out->at) {
		free(order);
		return err_set(e, ERR_NOMEM, "sum of power laws for %zu times", n);
	}
	for (size_t i = 0; i < n; i++)
		order[i] = (struct timed){y[i], i};
	qsort(order, n, sizeof *order, by_time);
	for (size_t i = 0; i < n; i++) {
		out->y[i] = order[i].y;
		out->at[i] = order[i].at;
		for (size_t j = 0; j < p; j++)
			out->x[i * p + j] = x[order[i].at * p + j];
	}
	free(order);
	return ERR_OK;
}

static void work_release(struct posynomial_work *w)
{
	free(w->x);
	free(w->y);
	free(w->rest);
	free(w->at);
}

static enum err_code regress(const double *x, const double *y, size_t n, size_t p, double penalty,
			     double *b, double *scale, struct err *e)
{
	double penalties[POSYNOMIAL_MAX_COEFFICIENTS];

	for (size_t j = 0; j < p; j++)
		penalties[j] = j ? penalty : 1e-9; /* the mean is free */
	return ridge_fit(x, y, n, p, penalties, MIN_SCALE, b, scale, e);
}

/* The one power law that fits best. */
static enum err_code fit_common(const struct posynomial_work *w, size_t n, size_t p,
				const struct posynomial_prior *prior, double *b, double *scale,
				struct err *e)
{
	enum err_code rc;

	if (!prior)
		return regress(w->x, w->y, n, p, PENALTY_COMMON, b, scale, e);
	for (size_t i = 0; i < n; i++) {
		w->rest[i] = w->y[i];
		for (size_t j = 0; j < p; j++)
			w->rest[i] -= prior->mean[j] * w->x[i * p + j];
	}
	rc = ridge_fit(w->x, w->rest, n, p, prior->penalty, MIN_SCALE, b, scale, e);
	for (size_t j = 0; j < p; j++)
		b[j] += prior->mean[j];
	return rc;
}

/* Each term starts as the power law of its share of the runs: in short runs another part of the
 * program rules than in long ones. */
static enum err_code start(const struct posynomial_work *w, size_t n, size_t p, size_t n_terms,
			   const double *common, double *b, struct err *e)
{
	double scale;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < n_terms && !rc; k++) {
		size_t from = n * k / n_terms, to = n * (k + 1) / n_terms;

		for (size_t i = from; i < to; i++) {
			w->rest[i] = w->y[i];
			for (size_t j = 0; j < p; j++)
				w->rest[i] -= common[j] * w->x[i * p + j];
		}
		rc = regress(w->x + from * p, w->rest + from, to - from, p, PENALTY_START,
			     b + k * p, &scale, e);
		for (size_t j = 0; j < p; j++)
			b[k * p + j] += common[j];
		b[k * p] -= log((double)n_terms);
	}
	return rc;
}

/* Each term starts as that of an earlier fit, told in the inputs of this one. */
static enum err_code start_like(const struct posynomial_work *w, size_t n, size_t p,
				const struct posynomial *like, const double *like_x, double *b,
				struct err *e)
{
	double scale;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < like->n_terms && !rc; k++) {
		for (size_t i = 0; i < n; i++) {
			w->rest[i] = 0;
			for (size_t j = 0; j < like->p; j++)
				w->rest[i] +=
					like->b[k * like->p + j] * like_x[w->at[i] * like->p + j];
		}
		rc = regress(w->x, w->rest, n, p, PENALTY_COMMON, b + k * p, &scale, e);
	}
	return rc;
}

static enum err_code refine(const struct posynomial_work *w, size_t n, const double *common,
			    struct posynomial *m, struct err *e)
{
	double prior[POSYNOMIAL_MAX_COEFFICIENTS], prior_sd[POSYNOMIAL_MAX_COEFFICIENTS];
	const struct arg arg = {w->x, n, m->p, m->n_terms};
	const struct robust_problem problem = {.n = n,
					       .n_params = m->n_terms * m->p,
					       .y = w->y,
					       .prior = prior,
					       .prior_sd = prior_sd,
					       .eval = eval,
					       .arg = &arg,
					       .min_scale = MIN_SCALE};
	struct robust_fit fit = {.scale = 0};
	enum err_code rc;

	for (size_t k = 0; k < m->n_terms; k++) {
		for (size_t j = 0; j < m->p; j++) {
			prior[k * m->p + j] = common[j] - (j ? 0 : log((double)m->n_terms));
			prior_sd[k * m->p + j] = j ? STRAY : STRAY_SIZE;
		}
	}
	if ((rc = robust_fit(&problem, m->b, &fit, e)))
		return rc;
	m->scale = fit.scale;
	return ERR_OK;
}

/* ---- parts whose exponents are known ---- */

struct parts {
	const struct posynomial_prior *prior;
	size_t n, item[POSYNOMIAL_PARTS_TAKEN]; /* of the prior's */
};

struct part_arg {
	const double *x;
	size_t n, p;
	const struct parts *parts;
};

/* b[p] is the power law, b[p..] the logs of the parts' sizes. */
static void put_parts(const double *b, size_t p, const struct parts *parts, double *all)
{
	memcpy(all, b, p * sizeof *all);
	for (size_t i = 0; i < parts->n; i++) {
		const double *same = parts->prior->same[parts->item[i]],
			     *plus = parts->prior->plus[parts->item[i]];
		double *part = all + (i + 1) * p;

		part[0] = b[p + i];
		for (size_t j = 1; j < p; j++)
			part[j] = same[j] * b[j] + plus[j];
	}
}

static void eval_parts(const void *data, const double *b, double *f, double *jac)
{
	const struct part_arg *a = data;
	const size_t n_terms = a->parts->n + 1, n_b = a->p + a->parts->n;
	double all[(POSYNOMIAL_PARTS_TAKEN + 1) * POSYNOMIAL_MAX_COEFFICIENTS];
	double share[POSYNOMIAL_MAX_TERMS];

	put_parts(b, a->p, a->parts, all);
	for (size_t i = 0; i < a->n; i++) {
		const double *x = a->x + i * a->p;
		double *row = jac ? jac + i * n_b : NULL;
		const double y = log_sum(n_terms, a->p, all, x, share);

		if (f)
			f[i] = y;
		if (!row)
			continue;
		row[0] = share[0];
		for (size_t j = 1; j < a->p; j++)
			row[j] = x[j] * share[0];
		for (size_t k = 0; k < a->parts->n; k++) {
			const double *same = a->parts->prior->same[a->parts->item[k]];

			row[a->p + k] = share[k + 1];
			for (size_t j = 1; j < a->p; j++)
				row[j] += x[j] * same[j] * share[k + 1];
		}
	}
}

static double sum_off(const struct posynomial_work *w, size_t n, size_t p, size_t n_terms,
		      const double *b)
{
	double share[POSYNOMIAL_MAX_TERMS], sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs(w->y[i] - log_sum(n_terms, p, b, w->x + i * p, share));
	return sum;
}

/* The size that is expected of a part, before runs are asked, as a share of the rest. */
#define LIKELY_PART 0.05

/* b[p + parts->n]: what the search starts from, and what it finds. */
static enum err_code fit_parts(const struct posynomial_work *w, size_t n, size_t p,
			       const struct parts *parts, const double *common, double *b,
			       struct posynomial *m, struct err *e)
{
	enum { MOST = POSYNOMIAL_MAX_COEFFICIENTS + POSYNOMIAL_PARTS_TAKEN };
	double mean[MOST], sd[MOST];
	bool is_size[MOST] = {true};
	const struct part_arg arg = {w->x, n, p, parts};
	const struct robust_problem problem = {.n = n,
					       .n_params = p + parts->n,
					       .y = w->y,
					       .prior = mean,
					       .prior_sd = sd,
					       .eval = eval_parts,
					       .arg = &arg,
					       .is_log_amount = is_size,
					       .min_scale = MIN_SCALE};
	struct robust_fit fit = {.scale = 0};
	enum err_code rc;

	for (size_t j = 0; j < p; j++) {
		mean[j] = parts->prior->mean[j];
		sd[j] = POSTERIOR_MIN_NOISE / sqrt(parts->prior->penalty[j]);
	}
	mean[0] = common[0];
	sd[0] = INFINITY;
	for (size_t k = 0; k < parts->n; k++) {
		mean[p + k] = common[0] + log(LIKELY_PART);
		sd[p + k] = STRAY_SIZE;
		is_size[p + k] = true;
	}
	if ((rc = robust_fit(&problem, b, &fit, e)))
		return rc;
	m->n_terms = parts->n + 1;
	m->p = p;
	m->scale = fit.scale;
	put_parts(b, p, parts, m->b);
	return ERR_OK;
}

struct part_search {
	const struct posynomial_work *w;
	size_t n, p;
	const double *common;
	double least; /* of criterion() */
	struct parts parts;
	double b[POSYNOMIAL_MAX_COEFFICIENTS + POSYNOMIAL_PARTS_TAKEN];
};

/* 2 n ln sum |r|, and ln n + 2 ln n_parts for each part; of times that agree to the last digit
 * nothing is asked. */
static double criterion(const struct part_search *s, const struct posynomial *m)
{
	const double n = (double)s->n;
	const double sum = fmax(sum_off(s->w, s->n, s->p, m->n_terms, m->b), n * MIN_SCALE);

	return 2 * n * log(sum) +
	       (double)s->parts.n * (log(n) + 2 * log((double)s->parts.prior->n_parts));
}

/* Those of from, and two more, or one if they are the same; *best, m: if that is better. */
static enum err_code try_parts(const struct part_search *from, size_t one, size_t other,
			       struct part_search *best, struct posynomial *m, struct err *e)
{
	struct part_search with = *from;
	struct posynomial fitted;
	struct err why = {0};
	enum err_code rc;

	for (size_t k = 0; k < 1 + (size_t)(one != other); k++) {
		with.b[with.p + with.parts.n] = with.common[0] + log(LIKELY_PART);
		with.parts.item[with.parts.n++] = k == 0 ? one : other;
	}
	rc = fit_parts(with.w, with.n, with.p, &with.parts, with.common, with.b, &fitted, &why);
	if (rc == ERR_NUMERIC) /* runs that it cannot be fitted to do not want it */
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	with.least = criterion(&with, &fitted);
	if (with.least < best->least) {
		*best = with;
		*m = fitted;
	}
	return ERR_OK;
}

/* The power law in m, and the parts that it may have beside it: the best one or two of them. */
static enum err_code choose_parts(const struct posynomial_work *w, size_t n,
				  const struct posynomial_prior *prior, struct posynomial *m,
				  struct err *e)
{
	const struct posynomial alone = *m;
	const struct part_search none = {
		.w = w, .n = n, .p = alone.p, .common = alone.b, .parts.prior = prior};
	struct part_search from = none, best;
	enum err_code rc = ERR_OK;

	memcpy(from.b, alone.b, alone.p * sizeof *from.b);
	from.least = criterion(&from, &alone);
	best = from;
	for (size_t k = 0; k < prior->n_parts && !rc; k++) {
		for (size_t j = 0; j <= k && !rc; j++)
			rc = try_parts(&from, k, j, &best, m, e);
	}
	return rc;
}

enum err_code posynomial_fit(const double *x, const double *y, size_t n, size_t p,
			     size_t most_terms, const struct posynomial_prior *prior,
			     const struct posynomial *like, const double *like_x,
			     struct posynomial *out, struct err *e)
{
	struct posynomial m = {.n_terms = terms_for(n, p, most_terms), .p = p};
	double common[POSYNOMIAL_MAX_COEFFICIENTS];
	struct posynomial_work w = {NULL, NULL, NULL, NULL};
	enum err_code rc;

	if (n == 0)
		return err_set(e, ERR_NODATA, "no times to fit to");
	if (p == 0 || p > POSYNOMIAL_MAX_COEFFICIENTS)
		return err_set(e, ERR_ARG, "a power law of %zu coefficients: 1 to %d can be fitted",
			       p, POSYNOMIAL_MAX_COEFFICIENTS);
	if ((rc = sort_runs(x, y, n, p, &w, e)) ||
	    (rc = fit_common(&w, n, p, prior, common, &m.scale, e)))
		goto done;
	if (m.n_terms == 1) {
		memcpy(m.b, common, p * sizeof *common);
		if (prior && (1 + POSYNOMIAL_PARTS_TAKEN) * p <= POSYNOMIAL_MAX_COEFFICIENTS)
			rc = choose_parts(&w, n, prior, &m, e);
		if (!rc)
			*out = m;
		goto done;
	}
	if (like && like->n_terms == m.n_terms)
		rc = start_like(&w, n, p, like, like_x, m.b, e);
	else
		rc = start(&w, n, p, m.n_terms, common, m.b, e);
	if (rc || (rc = refine(&w, n, common, &m, e)))
		goto done;
	*out = m;
done:
	work_release(&w);
	return rc;
}
