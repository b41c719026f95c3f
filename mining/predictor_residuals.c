#include "mining/predictor_residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/holdout.h"

/* Held-out residuals: from them a predictor learns how far to believe its corrections, and how far
 * off it is. */

enum {
	/* Fewer held-out residuals of a kind of support say nothing about its tails. */
	MIN_RESIDUALS = 20,
	/* Of still fewer inside, the next run falls beyond all of them more often than 1 in 4. */
	MIN_INSIDE = 8
};

/* Nothing is known better than this, in log time. */
#define MIN_SPREAD 1e-4

/* What residuals of easier predictions are widened by where a kind of support has too few of its
 * own: choices, towards doubt, and the explanation says when they were used. */
#define WIDEN_EDGE 1.5
#define WIDEN_OUTSIDE 2.0

enum err_code predictor_map_support(const struct point_model *kind, const void *state,
				    const struct config_table *t, struct support_map *out,
				    struct err *e)
{
	double *f = calloc(t->n * POINT_MODEL_MAX_FEATURES + 1, sizeof *f);
	size_t n_features = 0;

	if (!f)
		return err_set(e, ERR_NOMEM, "support of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		double one[POINT_MODEL_MAX_FEATURES];

		n_features = kind->features(state, config_table_row(t, i), one);
		memcpy(f + i * n_features, one, n_features * sizeof *f);
	}
	support_map_make(f, t->n, n_features, out);
	free(f);
	return ERR_OK;
}

/* Told apart by the support that the training runs gave each prediction: what is said of a
 * prediction "outside" was learned from predictions outside. */
struct residuals {
	struct residual {
		double off;	   /* log(measured / predicted without correction) */
		double correction; /* that was offered */
		double doubt;
		enum support support;
	} * item;
	size_t n, cap;
	size_t n_of[3];
};

static bool residuals_add(struct residuals *all, const struct residual *r)
{
	if (all->n == all->cap) {
		size_t cap = all->cap ? 2 * all->cap : 256;
		struct residual *more = realloc(all->item, cap * sizeof *more);

		if (!more)
			return false;
		all->item = more;
		all->cap = cap;
	}
	all->item[all->n++] = *r;
	all->n_of[r->support]++;
	return true;
}

static enum err_code gather(const struct point_model *kind, const void *state,
			    const struct support_map *map, const struct config_table *t,
			    const unsigned char *test, struct residuals *all, struct err *e)
{
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);
		double f[POINT_MODEL_MAX_FEATURES], time_s;
		struct residual r = {.off = 0};

		if (!test[i])
			continue;
		kind->predict(state, row, 1, t->n_columns, &time_s);
		kind->features(state, row, f);
		r.support = support_map_judge(map, f, NULL);
		if (kind->correction)
			r.correction = kind->correction(state, row, &r.doubt);
		else if (kind->doubt)
			r.doubt = kind->doubt(state, row);
		for (size_t k = t->first[i]; k < t->first[i + 1]; k++) {
			r.off = log(t->run_s[k] / time_s);
			if (!residuals_add(all, &r))
				return err_set(e, ERR_NOMEM, "held-out residuals");
		}
	}
	return ERR_OK;
}

/* One fold: fit to the rest, predict what was held out. A fold that leaves too little to fit adds
 * nothing. */
static enum err_code run_fold(const struct predictor *p, const struct config_table *t,
			      const struct fit_input *in, const unsigned char *test,
			      struct residuals *all, struct err *e)
{
	struct config_table *train = NULL;
	struct support_map map;
	struct err fold_error = {0};
	unsigned char *keep = calloc(t->n + 1, 1);
	void *state = NULL;
	enum err_code rc = ERR_OK;

	if (!keep)
		return err_set(e, ERR_NOMEM, "fold of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++)
		keep[i] = !test[i];
	if ((rc = config_table_subset(t, keep, &train, e)))
		goto done;
	rc = p->kind->fit(train, in, p->state, &state, &fold_error);
	if (rc == ERR_NODATA || rc == ERR_NUMERIC) {
		rc = ERR_OK;
		goto done;
	}
	if (rc) {
		err_set(e, rc, "%s", fold_error.msg);
		goto done;
	}
	if ((rc = predictor_map_support(p->kind, state, train, &map, e)))
		goto done;
	rc = gather(p->kind, state, &map, t, test, all, e);
done:
	if (state)
		p->kind->free(state);
	config_table_free(train);
	free(keep);
	return rc;
}

static enum err_code hold_out(const struct predictor *p, const struct config_table *t,
			      const struct fit_input *in, struct residuals *all, struct err *e)
{
	unsigned char *test = calloc(t->n + 1, 1);
	enum err_code rc = ERR_OK;
	uint64_t done = 0, total = 0;

	if (!test)
		return err_set(e, ERR_NOMEM, "folds of %zu configurations", t->n);
	for (int h = 0; h < HOLDOUT_COUNT; h++)
		total += (uint64_t)holdout_info[h].n_folds;
	for (int h = 0; h < HOLDOUT_COUNT && !rc; h++) {
		for (int fold = 0; fold < holdout_info[h].n_folds && !rc; fold++) {
			int possible = 0;

			if (!progress_step(in->progress, "holding out", done++, total))
				rc = err_set(e, ERR_INTERRUPTED, "mining interrupted");
			else
				rc = holdout_split((enum holdout)h, fold, 0, t, test, &possible, e);
			if (!rc && possible)
				rc = run_fold(p, t, in, test, all, e);
		}
	}
	free(test);
	return rc;
}

/* In-sample residuals, for so few runs that no fold could be held out. */
static enum err_code in_sample(const struct predictor *p, const struct config_table *t,
			       struct residuals *all, struct err *e)
{
	unsigned char *test = calloc(t->n + 1, 1);
	enum err_code rc;

	if (!test)
		return err_set(e, ERR_NOMEM, "residuals of %zu configurations", t->n);
	memset(test, 1, t->n);
	rc = gather(p->kind, p->state, &p->map, t, test, all, e);
	free(test);
	return rc;
}

/* A handful of residuals inside would make intervals of no width: those of harder predictions join
 * them, which errs towards doubt. */
static enum err_code borrow_harder(struct residuals *all, struct err *e)
{
	size_t n = all->n;

	for (int s = SUPPORT_EDGE; s <= SUPPORT_OUTSIDE; s++) {
		if (all->n_of[SUPPORT_INSIDE] >= MIN_INSIDE)
			break;
		for (size_t i = 0; i < n; i++) {
			struct residual r = all->item[i];

			if (r.support != (enum support)s)
				continue;
			r.support = SUPPORT_INSIDE;
			if (!residuals_add(all, &r))
				return err_set(e, ERR_NOMEM, "held-out residuals");
		}
	}
	return ERR_OK;
}

/* ---- what they teach ---- */

struct pull {
	double ratio; /* of what it was off by to the correction offered */
	double weight;
};

static int by_ratio(const void *a, const void *b)
{
	double x = ((const struct pull *)a)->ratio, y = ((const struct pull *)b)->ratio;

	return (x > y) - (x < y);
}

/* The share a of the corrections that minimises sum |off - a correction|: the median of their
 * ratios, weighted by |correction|. pull[n] is scratch. */
static double best_share(const struct residuals *all, enum support s, struct pull *pull)
{
	double total = 0, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct residual *r = &all->item[i];

		if (r->support != s || r->correction == 0)
			continue;
		pull[n++] = (struct pull){r->off / r->correction, fabs(r->correction)};
		total += fabs(r->correction);
	}
	if (n == 0)
		return 0;
	qsort(pull, n, sizeof *pull, by_ratio);
	for (size_t i = 0; i < n; i++) {
		sum += pull[i].weight;
		if (2 * sum >= total)
			return fmin(fmax(pull[i].ratio, 0), 1);
	}
	return 0;
}

/* Corrections are believed as far as they bettered held-out predictions of the same support; where
 * there were few, half as far as where it is easier to predict. */
static enum err_code learn_trust(struct predictor *p, const struct residuals *all, struct err *e)
{
	struct pull *pull = calloc(all->n + 1, sizeof *pull);

	if (!pull)
		return err_set(e, ERR_NOMEM, "%zu held-out residuals", all->n);
	for (int s = 0; s < 3; s++) {
		if (all->n_of[s] >= MIN_RESIDUALS)
			p->trust[s] = best_share(all, (enum support)s, pull);
		else
			p->trust[s] = s > 0 ? p->trust[s - 1] / 2 : 0;
	}
	free(pull);
	return ERR_OK;
}

static double residual(const struct predictor *p, const struct residual *r)
{
	return r->off - p->trust[r->support] * r->correction;
}

/* What is left where there is little doubt: the robust spread of the half with the least. work[n]
 * and size[n] are scratch. */
static void learn_spread(struct predictor *p, const struct residuals *all, double *work)
{
	double median;
	size_t n = 0;

	p->sure = 1;
	if (!p->kind->doubt)
		return;
	for (size_t i = 0; i < all->n; i++) {
		work[i] = all->item[i].doubt;
		p->max_doubt = fmax(p->max_doubt, work[i]);
	}
	median = gsl_stats_median(work, 1, all->n);
	for (size_t i = 0; i < all->n; i++) {
		if (all->item[i].doubt <= median)
			work[n++] = fabs(residual(p, &all->item[i]));
	}
	p->sure = fmax(1.4826 * gsl_stats_median(work, 1, n), MIN_SPREAD);
}

static void fill_tables(struct predictor *p, const struct residuals *all, double widened,
			double *work)
{
	const double widen[3] = {widened, WIDEN_EDGE, WIDEN_OUTSIDE};

	for (int s = 0; s < 3; s++) {
		size_t n = 0;

		for (size_t i = 0; i < all->n; i++) {
			const struct residual *r = &all->item[i];

			if (r->support == (enum support)s)
				work[n++] = residual(p, r) / predictor_spread(p, r->doubt);
		}
		if (n >= MIN_RESIDUALS || (s == SUPPORT_INSIDE && n > 0)) {
			residual_table_make(work, n, s == SUPPORT_INSIDE ? widened : 1,
					    &p->table[s]);
		} else if (s > 0) {
			p->table[s] = p->table[s - 1];
			p->table[s].widened *= widen[s];
		}
	}
}

static enum err_code learn(struct predictor *p, const struct residuals *all, double widened,
			   struct err *e)
{
	double *work = calloc(all->n + 1, sizeof *work);
	enum err_code rc;

	if (!work)
		return err_set(e, ERR_NOMEM, "%zu held-out residuals", all->n);
	if (!(rc = learn_trust(p, all, e))) {
		learn_spread(p, all, work);
		fill_tables(p, all, widened, work);
	}
	free(work);
	return rc;
}

enum err_code predictor_learn_residuals(struct predictor *p, const struct config_table *t,
					const struct fit_input *in, struct err *e)
{
	struct residuals all = {0};
	double widened = 1;
	enum err_code rc;

	if ((rc = hold_out(p, t, in, &all, e)))
		goto done;
	if (all.n_of[SUPPORT_INSIDE] == 0) {
		widened = 5; /* a fit is far closer to its own runs than to others: a choice */
		if ((rc = in_sample(p, t, &all, e)))
			goto done;
	}
	if (!(rc = borrow_harder(&all, e)))
		rc = learn(p, &all, widened, e);
done:
	free(all.item);
	return rc;
}
