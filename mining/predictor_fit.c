#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/holdout.h"
#include "mining/predictor_state.h"

/* Fitting: the kind's own fit, where it was fitted, and how far off it is on runs held out. */

enum {
	/* Fewer held-out residuals of a kind of support say nothing about its tails. */
	MIN_RESIDUALS = 20,
	/* Of still fewer inside, the next run falls beyond all of them more often than 1 in 4. */
	MIN_INSIDE = 8
};

/* What residuals of easier predictions are widened by where a kind of support has too few of its
 * own: choices, towards doubt, and the explanation says when they were used. */
#define WIDEN_EDGE 1.5
#define WIDEN_OUTSIDE 2.0

static enum err_code map_support(const struct point_model *kind, const void *state,
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

/* Held-out residuals, told apart by the support that the training runs gave each prediction: what
 * is said of a prediction "outside" was learned from predictions outside. */
struct residuals {
	struct residual {
		double r;
		enum support support;
	} * item;
	size_t n, cap;
	size_t n_of[3];
};

static bool residuals_add(struct residuals *all, enum support s, double r)
{
	if (all->n == all->cap) {
		size_t cap = all->cap ? 2 * all->cap : 256;
		struct residual *more = realloc(all->item, cap * sizeof *more);

		if (!more)
			return false;
		all->item = more;
		all->cap = cap;
	}
	all->item[all->n++] = (struct residual){r, s};
	all->n_of[s]++;
	return true;
}

static void residuals_of(const struct residuals *all, enum support s, double *out)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->item[i].support == s)
			*out++ = all->item[i].r;
	}
}

static enum err_code gather(const struct point_model *kind, const void *state,
			    const struct support_map *map, const struct config_table *t,
			    const unsigned char *test, struct residuals *all, struct err *e)
{
	for (size_t i = 0; i < t->n; i++) {
		double f[POINT_MODEL_MAX_FEATURES], time_s;
		enum support s;

		if (!test[i])
			continue;
		kind->predict(state, config_table_row(t, i), 1, t->n_columns, &time_s);
		kind->features(state, config_table_row(t, i), f);
		s = support_map_judge(map, f, NULL);
		for (size_t k = t->first[i]; k < t->first[i + 1]; k++) {
			if (!residuals_add(all, s, log(t->run_s[k] / time_s)))
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
	if ((rc = map_support(p->kind, state, train, &map, e)))
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
			if (all->item[i].support == (enum support)s &&
			    !residuals_add(all, SUPPORT_INSIDE, all->item[i].r))
				return err_set(e, ERR_NOMEM, "held-out residuals");
		}
	}
	return ERR_OK;
}

static enum err_code fill_tables(struct predictor *p, const struct residuals *all, double widened,
				 struct err *e)
{
	const double widen[3] = {widened, WIDEN_EDGE, WIDEN_OUTSIDE};
	double *r = calloc(all->n + 1, sizeof *r);

	if (!r)
		return err_set(e, ERR_NOMEM, "%zu held-out residuals", all->n);
	for (int s = 0; s < 3; s++) {
		size_t n = all->n_of[s];

		if (n >= MIN_RESIDUALS || (s == SUPPORT_INSIDE && n > 0)) {
			residuals_of(all, (enum support)s, r);
			residual_table_make(r, n, s == SUPPORT_INSIDE ? widened : 1, &p->table[s]);
		} else if (s > 0) {
			p->table[s] = p->table[s - 1];
			p->table[s].widened *= widen[s];
		}
	}
	free(r);
	return ERR_OK;
}

static enum err_code make_tables(struct predictor *p, const struct config_table *t,
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
		rc = fill_tables(p, &all, widened, e);
done:
	free(all.item);
	return rc;
}

static enum err_code write_explanation(struct predictor *p, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	p->kind->explain(p->state, &text);
	strbuf_puts(&text, " Held-out runs (measured over predicted, middle 90 %):");
	for (int s = 0; s < 3; s++) {
		const struct residual_table *t = &p->table[s];

		strbuf_printf(&text, "%s %s x%.2f..x%.2f (%zu runs%s)", s ? "," : "",
			      support_name((enum support)s), exp(residual_table_quantile(t, 0.05)),
			      exp(residual_table_quantile(t, 0.95)), t->n,
			      t->widened > 1 ? ", widened: too few of its own" : "");
	}
	strbuf_putc(&text, '.');
	if (text.failed) {
		strbuf_release(&text);
		return err_set(e, ERR_NOMEM, "explanation");
	}
	p->explanation = text.buf;
	return ERR_OK;
}

enum err_code predictor_fit(const char *name, const struct fit_input *in, struct predictor **out,
			    struct err *e)
{
	struct predictor *p = calloc(1, sizeof *p);
	struct config_table *t = NULL;
	enum err_code rc;

	if (!p)
		return err_set(e, ERR_NOMEM, "predictor");
	p->app = in->runs->app;
	if ((rc = point_model_choose(name, p->app, &p->kind, e)) ||
	    (rc = config_table_make(in->runs, &t, e)))
		goto done;
	p->n_runs = t->first[t->n];
	if ((rc = p->kind->fit(t, in, NULL, &p->state, e)) ||
	    (rc = map_support(p->kind, p->state, t, &p->map, e)) ||
	    (rc = make_tables(p, t, in, e)) || (rc = write_explanation(p, e)))
		goto done;
	*out = p;
	p = NULL;
done:
	config_table_free(t);
	predictor_free(p);
	return rc;
}
