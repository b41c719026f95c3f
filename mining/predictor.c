#include "mining/predictor_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/holdout.h"

/* In order of preference: the first that applies is the default. */
static const struct point_model *const kinds[] = {
	&point_model_wavefront,
	&point_model_log_quadratic,
	&point_model_power_law,
};

enum {
	/* Fewer held-out residuals of a kind of support say nothing about its tails. */
	MIN_RESIDUALS = 20
};

/* What residuals of easier predictions are widened by where a kind of support has too few of its
 * own: choices, towards doubt, and the explanation says when they were used. */
#define WIDEN_EDGE 1.5
#define WIDEN_OUTSIDE 2.0
/* Beyond the first doubling outside the range seen, each further one widens by a quarter. */
#define WIDEN_PER_DOUBLING 0.25
#define MAX_SCALE 4.0

void mining_init(void)
{
	gsl_set_error_handler_off();
}

const char *support_name(enum support s)
{
	static const char *const name[] = {"inside", "edge", "outside"};

	return name[s];
}

const struct point_model *point_model_find(const char *name)
{
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		if (!strcmp(kinds[k]->name, name))
			return kinds[k];
	}
	return NULL;
}

void predictor_free(struct predictor *p)
{
	if (!p)
		return;
	if (p->state)
		p->kind->free(p->state);
	free(p->explanation);
	free(p);
}

/* ---- fit ---- */

static enum err_code choose_kind(const char *name, const struct application *app,
				 const struct point_model **out, struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;

	if (name && (*out = point_model_find(name)) != NULL) {
		if ((*out)->applies(app))
			return ERR_OK;
		return err_set(e, ERR_ARG, "predictor %s does not fit application %s", name,
			       app->name);
	}
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		strbuf_printf(&names, "%s%s", k ? ", " : "", kinds[k]->name);
		if (!name && kinds[k]->applies(app)) {
			*out = kinds[k];
			strbuf_release(&names);
			return ERR_OK;
		}
	}
	rc = err_set(e, ERR_ARG, "there is no predictor %s: use one of %s", name ? name : "",
		     strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

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
	double *r[3];
	size_t n[3];
	size_t cap[3];
};

static bool residuals_add(struct residuals *all, enum support s, double r)
{
	if (all->n[s] == all->cap[s]) {
		size_t cap = all->cap[s] ? 2 * all->cap[s] : 256;
		double *more = realloc(all->r[s], cap * sizeof *more);

		if (!more)
			return false;
		all->r[s] = more;
		all->cap[s] = cap;
	}
	all->r[s][all->n[s]++] = r;
	return true;
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

static enum err_code make_tables(struct predictor *p, const struct config_table *t,
				 const struct fit_input *in, struct err *e)
{
	struct residuals all = {0};
	double widened = 1;
	enum err_code rc;

	if ((rc = hold_out(p, t, in, &all, e)))
		goto done;
	if (all.n[SUPPORT_INSIDE] == 0) {
		widened = 2; /* a fit is closer to its own runs than to others: doubled, a choice */
		if ((rc = in_sample(p, t, &all, e)))
			goto done;
	}
	for (int s = 0; s < 3; s++) {
		const double widen[3] = {widened, WIDEN_EDGE, WIDEN_OUTSIDE};

		if (all.n[s] >= MIN_RESIDUALS || (s == SUPPORT_INSIDE && all.n[s] > 0)) {
			residual_table_make(all.r[s], all.n[s], s == SUPPORT_INSIDE ? widened : 1,
					    &p->table[s]);
		} else if (s > 0) {
			p->table[s] = p->table[s - 1];
			p->table[s].widened *= widen[s];
		}
	}
done:
	for (int s = 0; s < 3; s++)
		free(all.r[s]);
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
	if ((rc = choose_kind(name, p->app, &p->kind, e)) ||
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

/* ---- use ---- */

const char *predictor_name(const struct predictor *p)
{
	return p->kind->name;
}

const char *predictor_explanation(const struct predictor *p)
{
	return p->explanation;
}

/* Support and scale of a row. Of a NaN feature the best is assumed. */
static size_t judge(const struct predictor *p, const double *row, struct prediction *out)
{
	double f[POINT_MODEL_MAX_FEATURES], beyond;
	size_t n = p->kind->features(p->state, row, f), n_missing = 0;

	out->support = support_map_judge(&p->map, f, &beyond);
	if (p->transferred)
		out->support = SUPPORT_OUTSIDE;
	out->scale = fmin(1 + WIDEN_PER_DOUBLING * fmax(beyond - 1, 0), MAX_SCALE);
	for (size_t i = 0; i < n; i++)
		n_missing += isnan(f[i]) != 0;
	return n_missing;
}

void predictor_predict(const struct predictor *p, const double *x, size_t n, struct prediction *out)
{
	for (size_t i = 0; i < n; i++) {
		const double *row = x + i * p->app->n_columns;

		p->kind->predict(p->state, row, 1, p->app->n_columns, &out[i].time_s);
		/* what is not known was not seen near here either */
		if (judge(p, row, &out[i]) > 0 && out[i].support == SUPPORT_INSIDE)
			out[i].support = SUPPORT_EDGE;
	}
}

void predictor_bound(const struct predictor *p, const double *row, struct prediction *out)
{
	judge(p, row, out);
	out->time_s = predictor_lower_bound(p, row);
}

double predictor_lower_bound(const struct predictor *p, const double *row)
{
	return p->kind->lower_bound ? p->kind->lower_bound(p->state, row) : 0;
}

void predictor_breakdown(const struct predictor *p, const double *row, struct breakdown *out,
			 bool *known)
{
	*known = p->kind->breakdown != NULL;
	if (*known)
		p->kind->breakdown(p->state, row, out);
}

double prediction_quantile_s(const struct predictor *p, const struct prediction *at, double prob)
{
	return at->time_s * exp(at->scale * residual_table_quantile(&p->table[at->support], prob));
}

double prediction_p_meet(const struct predictor *p, const struct prediction *at, double deadline_s)
{
	return residual_table_cdf(&p->table[at->support], log(deadline_s / at->time_s) / at->scale);
}

struct tuning_bound {
	const struct predictor *predictor;
	void *tunings; /* NULL: the kind has no faster way */
};

/* Beyond this the list costs more memory and time than it saves. */
enum { MAX_TUNINGS = 1024 };

enum err_code tuning_bound_new(const struct predictor *p, const double *rows, size_t n,
			       struct tuning_bound **out, struct err *e)
{
	struct tuning_bound *b = calloc(1, sizeof *b);
	enum err_code rc = ERR_OK;

	if (!b)
		return err_set(e, ERR_NOMEM, "bound of %zu tunings", n);
	b->predictor = p;
	if (p->kind->tunings_new && n > 0 && n <= MAX_TUNINGS)
		rc = p->kind->tunings_new(p->state, rows, n, p->app->n_columns, &b->tunings, e);
	if (rc)
		free(b);
	else
		*out = b;
	return rc;
}

void tuning_bound_free(struct tuning_bound *b)
{
	if (b && b->tunings)
		b->predictor->kind->tunings_free(b->tunings);
	free(b);
}

void tuning_bound_at(struct tuning_bound *b, const double *row, struct prediction *out)
{
	double least_s = b->tunings ? b->predictor->kind->tunings_least_s(b->tunings, row) : -1;

	judge(b->predictor, row, out);
	/* out of memory costs speed, not the answer */
	out->time_s = least_s >= 0 ? least_s : predictor_lower_bound(b->predictor, row);
}

double predictor_best_p_meet(const struct predictor *p, const struct prediction *bound,
			     double deadline_s)
{
	/* A slower point has less room, a larger scale only helps where there is none. */
	double room = bound->time_s > 0 ? fmax(log(deadline_s / bound->time_s), 0) : INFINITY;
	double best = 0;

	for (int s = (int)bound->support; s <= SUPPORT_OUTSIDE; s++)
		best = fmax(best, residual_table_cdf(&p->table[s], room / bound->scale));
	return best;
}

double predictor_min_quantile_s(const struct predictor *p, const struct prediction *bound,
				double prob)
{
	double least = INFINITY;

	for (int s = (int)bound->support; s <= SUPPORT_OUTSIDE; s++) {
		double r = residual_table_quantile(&p->table[s], prob);

		least = fmin(least, r < 0 ? MAX_SCALE * r : bound->scale * r);
	}
	return bound->time_s * exp(least);
}

enum err_code predictor_transfer(const struct predictor *from, const struct machine *machine,
				 double wg_factor, struct predictor **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct predictor *p;
	enum err_code rc;

	if (!from->kind->transfer)
		return err_set(e, ERR_ARG,
			       "predictor %s has no structure to carry over to another machine",
			       from->kind->name);
	if (!(wg_factor > 0) || !isfinite(wg_factor))
		return err_set(e, ERR_ARG, "the factor on computation must be a number > 0");
	p = malloc(sizeof *p);
	if (!p)
		return err_set(e, ERR_NOMEM, "predictor");
	*p = *from;
	p->state = NULL;
	p->explanation = NULL;
	p->transferred = true;
	if ((rc = from->kind->transfer(from->state, machine, wg_factor, &p->state, e))) {
		predictor_free(p);
		return rc;
	}
	strbuf_printf(&text,
		      "WHAT IF: machine %s has no runs. Its message costs are its own; computation "
		      "times are borrowed, times %g. %s",
		      machine->name, wg_factor, from->explanation);
	p->explanation = text.buf;
	if (text.failed) {
		strbuf_release(&text);
		p->explanation = NULL;
		predictor_free(p);
		return err_set(e, ERR_NOMEM, "explanation");
	}
	*out = p;
	return ERR_OK;
}
