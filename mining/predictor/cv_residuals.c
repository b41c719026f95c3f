#include "mining/predictor/cv_residuals.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/splitmix.h"
#include "base/thread_pool.h"
#include "domain/configuration.h"
#include "mining/predictor/predictor_state.h"

/* Fewer residuals of the best source say too little to do without the others. */
enum { MIN_OF_BEST = 8 };
/* Fewer say nothing, and the fit's own runs have to do. */
enum { MIN_HELD_OUT = 4 };

void residuals_release(struct residuals *all)
{
	free(all->off);
	free(all->which);
	free(all->said);
	*all = (struct residuals){.n = 0};
}

static bool reserve(struct residuals *all)
{
	const size_t cap = all->cap ? 2 * all->cap : 256;
	double *off = realloc(all->off, cap * sizeof *off);
	uint32_t *which;

	if (!off)
		return false;
	all->off = off;
	which = realloc(all->which, cap * sizeof *which);
	if (!which)
		return false;
	all->which = which;
	all->cap = cap;
	return true;
}

static bool reserve_said(struct residuals *all)
{
	const size_t cap = all->cap_said ? 2 * all->cap_said : 256;
	struct residual *said = realloc(all->said, cap * sizeof *said);

	if (!said)
		return false;
	all->said = said;
	all->cap_said = cap;
	return true;
}

/* But for `off`. */
static bool says_the_same(const struct residual *a, const struct residual *b)
{
	return a->row == b->row && a->correction == b->correction &&
	       a->epistemic_sd == b->epistemic_sd && a->trend_sd == b->trend_sd &&
	       a->extrapolation_inflation == b->extrapolation_inflation &&
	       (a->behind == b->behind || (isnan(a->behind) && isnan(b->behind))) &&
	       a->support == b->support && a->way == b->way && a->is_bound == b->is_bound &&
	       a->source == b->source;
}

static void count(struct residuals *all, const struct residual *r)
{
	if (r->is_bound)
		all->n_bounds[r->support]++;
	else
		all->n_of[r->support]++;
}

bool residuals_add(struct residuals *all, const struct residual *r)
{
	if (all->n == all->cap && !reserve(all))
		return false;
	if (all->n_said == 0 || !says_the_same(&all->said[all->n_said - 1], r)) {
		if (all->n_said == all->cap_said && !reserve_said(all))
			return false;
		all->said[all->n_said++] = *r;
	}
	all->off[all->n] = r->off;
	all->which[all->n++] = (uint32_t)(all->n_said - 1);
	count(all, r);
	return true;
}

/* What is held out: configurations and cut runs. */
struct held {
	enum holdout way;
	unsigned char *config; /* n */
	unsigned char *cut;    /* n_cut */
};

static void held_release(struct held *h)
{
	free(h->config);
	free(h->cut);
}

static bool held_reserve(struct held *h, const struct config_table *t)
{
	h->config = calloc(t->n + 1, 1);
	h->cut = calloc(t->n_cut + 1, 1);
	if (h->config && h->cut)
		return true;
	held_release(h);
	return false;
}

/* A fit that is asked about what it has not seen. */
struct judge {
	const struct predictor_kind *kind;
	const void *state;
	const struct applicability_domain *map;
	const struct application *app;
	struct tunable_settings others;
	bool *compared; /* of the table's configurations: with the others? NULL: none is */
	double *work;	/* n_columns */
};

/* All but `off`, and the predicted time. */
static struct residual ask(const struct judge *j, const double *row, double *time_s)
{
	double f[PREDICTOR_KIND_MAX_FEATURES], beyond, locality_weight;
	struct residual r = {.behind = NAN, .row = row};

	j->kind->features(j->state, row, f);
	r.support = applicability_domain_judge(
		j->map, &(struct support_point){j->app, row, f, j->kind->structural}, &beyond);
	r.extrapolation_inflation = predictor_kind_extrapolation_inflation(j->kind, beyond);
	r.trend_sd = predictor_kind_trend_sd(j->kind, j->state, row, beyond);
	r.support = predictor_kind_support(j->kind, j->state, row, r.support, r.trend_sd);
	locality_weight = predictor_kind_locality_weight(beyond);
	if (locality_weight > 0 && !j->kind->correction && j->kind->predict_with_sd) {
		*time_s = j->kind->predict_with_sd(j->state, row, &r.epistemic_sd);
		return r;
	}
	j->kind->predict(j->state, row, 1, j->app->n_columns, time_s);
	if (locality_weight == 0)
		r.epistemic_sd = INFINITY;
	else if (j->kind->correction)
		r.correction =
			locality_weight * j->kind->correction(j->state, row, &r.epistemic_sd);
	return r;
}

/* How far a configuration is behind the best of other tunables, as this fit sees it. */
static double behind_best(const struct judge *j, const double *row, double time_s)
{
	double best_s = time_s;

	for (size_t k = 0; k < j->others.n; k++) {
		double other_s;

		if (!tunable_settings_row(&j->others, k, row, j->work))
			continue;
		j->kind->predict(j->state, j->work, 1, j->app->n_columns, &other_s);
		best_s = fmin(best_s, other_s);
	}
	return log(time_s / best_s);
}

/* Of more runs a random part is asked about, which no order of repeats falls into step with. */
enum { MOST_RUNS = 200000 };

/* Is run k of the table one of them? */
static bool is_asked(const struct config_table *t, size_t k)
{
	const uint64_t n = t->first[t->n];
	uint64_t state = k;

	return n <= MOST_RUNS || splitmix_next(&state) % n < MOST_RUNS;
}

static enum err_code gather(const struct judge *j, const struct config_table *t,
			    const struct held *held, struct residuals *all, struct err *e)
{
	double time_s;

	for (size_t i = 0; i < t->n; i++) {
		struct residual r;

		if (!held->config[i])
			continue;
		r = ask(j, config_table_row(t, i), &time_s);
		r.way = held->way;
		r.source = (enum run_source)t->source[i];
		if (j->compared && j->compared[i])
			r.behind = behind_best(j, config_table_row(t, i), time_s);
		for (size_t k = t->first[i]; k < t->first[i + 1]; k++) {
			r.off = log(t->run_s[k] / time_s);
			if (is_asked(t, k) && !residuals_add(all, &r))
				return err_set(e, ERR_NOMEM, "held-out residuals");
		}
	}
	for (size_t k = 0; k < t->n_cut; k++) {
		struct residual r;

		if (!held->cut[k])
			continue;
		r = ask(j, config_table_cut_row(t, k), &time_s);
		r.way = held->way;
		r.source = (enum run_source)t->cut[k].source;
		r.is_bound = true;
		r.off = log(t->cut[k].limit_s / time_s);
		if (!residuals_add(all, &r))
			return err_set(e, ERR_NOMEM, "held-out residuals");
	}
	return ERR_OK;
}

/* More would take longer than they teach. */
enum { MOST_COMPARED = 400 };

/* Those of the table that are compared with what else could have been chosen: an even sample. */
static bool choose_compared(struct judge *j, const struct config_table *t)
{
	size_t *pick = calloc(t->n + 1, sizeof *pick), n;

	j->compared = calloc(t->n + 1, sizeof *j->compared);
	j->work = calloc(t->n_columns + 1, sizeof *j->work);
	if (!pick || !j->compared || !j->work) {
		free(pick);
		return false;
	}
	n = config_table_pick(t, MOST_COMPARED, pick);
	for (size_t i = 0; i < n; i++)
		j->compared[pick[i]] = true;
	free(pick);
	return true;
}

/* Whole configurations are compared, unless corrections are still to be weighed. */
static enum err_code ask_all(struct judge *j, const struct config_table *t, const struct held *held,
			     struct residuals *all, struct err *e)
{
	enum err_code rc = ERR_OK;

	if (held->way == HOLDOUT_CONFIGS && !j->kind->correction)
		tunable_settings_find(t, &j->others);
	if (j->others.n > 0 && !choose_compared(j, t))
		rc = err_set(e, ERR_NOMEM, "other tunables");
	if (!rc)
		rc = gather(j, t, held, all, e);
	free(j->compared);
	free(j->work);
	return rc;
}

/* All that is not held out. */
static enum err_code take_rest(const struct config_table *t, const struct held *held,
			       struct config_table **out, struct err *e)
{
	struct held keep;
	enum err_code rc;

	if (!held_reserve(&keep, t))
		return err_set(e, ERR_NOMEM, "folds of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++)
		keep.config[i] = !held->config[i];
	for (size_t k = 0; k < t->n_cut; k++)
		keep.cut[k] = !held->cut[k];
	rc = config_table_split(t, keep.config, keep.cut, out, e);
	held_release(&keep);
	return rc;
}

/* One fold: fit to the rest, predict what was held out. A fold that leaves too little to fit adds
 * nothing. */
static enum err_code run_fold(const struct predictor *p, const struct config_table *t,
			      const struct fit_input *in, const struct held *held,
			      struct residuals *all, struct err *e)
{
	struct config_table *train = NULL;
	struct applicability_domain map;
	struct err fold_error = {0};
	void *state = NULL;
	enum err_code rc;

	if ((rc = take_rest(t, held, &train, e)))
		return rc;
	rc = p->kind->fit(train, in, p->state, &state, &fold_error);
	if (rc == ERR_NODATA || rc == ERR_NUMERIC) {
		rc = ERR_OK;
		goto done;
	}
	if (rc) {
		err_set(e, rc, "%s", fold_error.msg);
		goto done;
	}
	if ((rc = applicability_domain_make(p->kind, state, train, &map, e)))
		goto done;
	rc = ask_all(&(struct judge){.kind = p->kind, .state = state, .map = &map, .app = p->app},
		     t, held, all, e);
done:
	if (state)
		p->kind->free(state);
	config_table_free(train);
	return rc;
}

/* held: what the fold takes. *possible: is there something on both sides? */
static enum err_code choose(enum holdout kind, int fold, const struct config_table *t,
			    struct held *held, bool *possible, struct err *e)
{
	struct holdout_fold f;
	int both = 0;
	enum err_code rc;

	if ((rc = holdout_fold_make(kind, fold, 0, t, &f, e)) ||
	    (rc = holdout_split(kind, fold, 0, t, held->config, &both, e)))
		return rc;
	held->way = kind;
	for (size_t k = 0; k < t->n_cut; k++)
		held->cut[k] = holdout_fold_takes(&f, t->app, config_table_cut_row(t, k));
	*possible = both;
	return ERR_OK;
}

/* ---- many folds ---- */

enum { FOLD_HELPERS = 3 };

/* Fits to parts of t. Folds are independent of each other: threads take them in turn, each with
 * residuals of its own, which are put together in the order of the folds. */
struct folds {
	const struct predictor *p;
	const struct config_table *t;
	struct fit_input in; /* its progress asks the caller's */
	const struct progress *progress;
	const char *what;
	size_t n;
	struct fold *fold;
	pthread_mutex_t lock; /* of the caller's progress, begun and stopped */
	size_t begun;
	bool stopped;
};

struct fold {
	struct thread_pool_job job;
	struct folds *of;
	enum holdout kind; /* fold `number` of it, if level is NULL */
	int number;
	const struct level_fold *level;
	struct residuals all;
	enum err_code rc;
	struct err error;
};

static bool ask_caller(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct folds *s = arg;
	bool go_on;

	(void)what, (void)done, (void)total;
	pthread_mutex_lock(&s->lock);
	s->stopped = s->stopped || !progress_step(s->progress, s->what, s->begun, s->n);
	go_on = !s->stopped;
	pthread_mutex_unlock(&s->lock);
	return go_on;
}

/* A fold of levels holds out all configurations with one of its values. */
static bool choose_levels(const struct level_fold *f, const struct config_table *t,
			  struct held *held)
{
	size_t n_held = 0;

	held->way = HOLDOUT_PROBLEMS;
	for (size_t i = 0; i < t->n; i++) {
		held->config[i] = level_fold_takes(f, config_table_row(t, i)) > 0;
		n_held += held->config[i];
	}
	return n_held > 0 && n_held < t->n;
}

static enum err_code do_fold(struct fold *f, struct err *e)
{
	struct folds *s = f->of;
	struct held held;
	bool possible = false;
	enum err_code rc = ERR_OK;

	if (!ask_caller(s, NULL, 0, 0))
		return err_set(e, ERR_INTERRUPTED, "mining interrupted");
	if (!held_reserve(&held, s->t))
		return err_set(e, ERR_NOMEM, "folds of %zu configurations", s->t->n);
	if (f->level)
		possible = choose_levels(f->level, s->t, &held);
	else
		rc = choose(f->kind, f->number, s->t, &held, &possible, e);
	if (!rc && possible)
		rc = run_fold(s->p, s->t, &s->in, &held, &f->all, e);
	held_release(&held);
	return rc;
}

static void run_job(void *arg)
{
	struct fold *f = arg;
	struct folds *s = f->of;

	f->rc = do_fold(f, &f->error);
	pthread_mutex_lock(&s->lock);
	s->begun++;
	s->stopped = s->stopped || f->rc;
	pthread_mutex_unlock(&s->lock);
}

/* The error of the first fold that failed for a reason of its own; being stopped is none. */
static enum err_code first_error(const struct folds *s, struct err *e)
{
	const struct fold *at = NULL;

	for (size_t k = 0; k < s->n; k++) {
		const struct fold *f = &s->fold[k];

		if (f->rc && (!at || (at->rc == ERR_INTERRUPTED && f->rc != ERR_INTERRUPTED)))
			at = f;
	}
	return at ? err_set(e, at->rc, "%s", at->error.msg) : ERR_OK;
}

/* What helpers freed would stay with them, though they are gone. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

/* Does fold[n], whose kind or level is set. After an error the residuals of some are there. */
static enum err_code run_folds(struct folds *s, const struct fit_input *in, struct err *e)
{
	const struct progress ask = {.step = ask_caller, .arg = s};
	struct thread_pool *pool;
	enum err_code rc = thread_pool_new(FOLD_HELPERS, &pool, e);

	if (rc)
		return rc;
	s->in = *in;
	s->in.progress = &ask;
	s->progress = in->progress;
	pthread_mutex_init(&s->lock, NULL);
	for (size_t k = 0; k < s->n; k++) {
		s->fold[k].of = s;
		s->fold[k].job = (struct thread_pool_job){.run = run_job, .arg = &s->fold[k]};
		thread_pool_submit(pool, &s->fold[k].job);
	}
	for (size_t k = 0; k < s->n; k++)
		thread_pool_wait(pool, &s->fold[k].job);
	thread_pool_free(pool);
	pthread_mutex_destroy(&s->lock);
	give_back_memory();
	return first_error(s, e);
}

static void folds_release(struct folds *s)
{
	for (size_t k = 0; k < s->n && s->fold; k++)
		residuals_release(&s->fold[k].all);
	free(s->fold);
}

/* Adds those of one fold and releases them. */
static enum err_code add_fold(struct residuals *all, struct residuals *of_fold, struct err *e)
{
	for (size_t i = 0; i < of_fold->n; i++) {
		const struct residual r = residuals_at(of_fold, i);

		if (!residuals_add(all, &r))
			return err_set(e, ERR_NOMEM, "held-out residuals");
	}
	residuals_release(of_fold);
	return ERR_OK;
}

static enum err_code hold_out(const struct predictor *p, const struct config_table *t,
			      const struct fit_input *in, struct residuals *all, struct err *e)
{
	struct folds s = {.p = p, .t = t, .what = "holding out"};
	size_t n = 0;
	enum err_code rc;

	for (int h = 0; h < HOLDOUT_COUNT; h++)
		s.n += (size_t)holdout_info[h].n_folds;
	s.fold = calloc(s.n, sizeof *s.fold);
	if (!s.fold)
		return err_set(e, ERR_NOMEM, "%zu folds", s.n);
	for (int h = 0; h < HOLDOUT_COUNT; h++) {
		for (int number = 0; number < holdout_info[h].n_folds; number++)
			s.fold[n++] = (struct fold){.kind = (enum holdout)h, .number = number};
	}
	rc = run_folds(&s, in, e);
	for (size_t k = 0; k < s.n && !rc; k++)
		rc = add_fold(all, &s.fold[k].all, e);
	folds_release(&s);
	return rc;
}

static enum err_code of_own_fit(const struct predictor *p, const struct config_table *t,
				struct residuals *all, struct err *e)
{
	struct held held;
	enum err_code rc;

	if (!held_reserve(&held, t))
		return err_set(e, ERR_NOMEM, "folds of %zu configurations", t->n);
	held.way = HOLDOUT_CONFIGS;
	memset(held.config, 1, t->n);
	memset(held.cut, 1, t->n_cut);
	rc = gather(
		&(struct judge){.kind = p->kind, .state = p->state, .map = &p->map, .app = p->app},
		t, &held, all, e);
	held_release(&held);
	return rc;
}

/* Keep those of the best source, if they are enough. */
static void drop_lesser(const struct config_table *t, struct residuals *all)
{
	const enum run_source best = config_table_best_source(t, NULL);
	size_t n = 0, n_kept = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		n += r.source == best && !r.is_bound;
	}
	if (n < MIN_OF_BEST)
		return;
	memset(all->n_of, 0, sizeof all->n_of);
	memset(all->n_bounds, 0, sizeof all->n_bounds);
	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		if (r.source > best)
			continue;
		all->off[n_kept] = all->off[i];
		all->which[n_kept++] = all->which[i];
		count(all, &r);
	}
	all->n = n_kept;
}

enum err_code held_out_residuals(const struct predictor *p, const struct config_table *t,
				 const struct fit_input *in, struct residuals *all, bool *in_sample,
				 struct err *e)
{
	enum err_code rc;

	*in_sample = false;
	if ((rc = hold_out(p, t, in, all, e)))
		return rc;
	if (all->n_of[SUPPORT_INSIDE] + all->n_of[SUPPORT_EDGE] + all->n_of[SUPPORT_OUTSIDE] <
	    MIN_HELD_OUT) {
		*in_sample = true;
		rc = of_own_fit(p, t, all, e);
	}
	drop_lesser(t, all);
	return rc;
}

/* Of level[n]: which is the first that leaves the same level out as column k of the last one does?
 */
static struct new_values same_level(const struct level_fold *level, size_t n, int k)
{
	const struct level_fold *last = &level[n - 1];
	struct new_values out = {.n = 1};

	for (size_t i = 0; i < n; i++) {
		for (int j = 0; j < 2; j++) {
			if (level[i].column[j] == last->column[k] &&
			    level[i].value[j] == last->value[k]) {
				out.group = (unsigned char)(2 * i + (size_t)j);
				return out;
			}
		}
	}
	return out;
}

/* What is new of a row to the fit that left out the levels of the last of level[n]. */
static struct new_values new_values_of(const struct level_fold *level, size_t n, const double *row)
{
	const struct level_fold *last = &level[n - 1];

	switch (level_fold_takes(last, row)) {
	case 0:
		return (struct new_values){0};
	case 1:
		return same_level(level, n, row[last->column[0]] == last->value[0] ? 0 : 1);
	default:
		return (struct new_values){.n = 2, .group = (unsigned char)(n - 1)};
	}
}

/* Adds the residuals of the fold of the last of level[n], and what was new to it of each. */
static enum err_code add_level_fold(const struct config_table *t, const struct level_fold *level,
				    size_t n, struct fold *f, struct residuals *all,
				    struct new_values **is_new, struct err *e)
{
	size_t at = all->n;
	const bool any = f->all.n > 0;
	struct new_values *grown;
	enum err_code rc = add_fold(all, &f->all, e);

	if (rc)
		return rc;
	grown = realloc(*is_new, (all->n + 1) * sizeof *grown);
	if (!grown)
		return err_set(e, ERR_NOMEM, "held-out residuals");
	*is_new = grown;
	/* a fold adds the runs of its configurations in their order, or nothing */
	for (size_t i = 0; i < t->n && any; i++) {
		const struct new_values v = new_values_of(level, n, config_table_row(t, i));

		for (size_t k = t->first[i]; v.n > 0 && k < t->first[i + 1]; k++) {
			if (is_asked(t, k))
				grown[at++] = v;
		}
	}
	return ERR_OK;
}

enum err_code new_level_residuals(const struct predictor *p, const struct config_table *t,
				  const struct fit_input *in, struct residuals *all,
				  struct new_values **is_new, struct err *e)
{
	struct level_fold level[LEVEL_FOLDS];
	struct folds s = {.p = p, .t = t, .what = "leaving levels out"};
	enum err_code rc;

	s.n = level_folds_make(&p->levels, level);
	s.fold = calloc(s.n + 1, sizeof *s.fold);
	if (!s.fold)
		return err_set(e, ERR_NOMEM, "%zu folds", s.n);
	for (size_t k = 0; k < s.n; k++)
		s.fold[k].level = &level[k];
	rc = run_folds(&s, in, e);
	for (size_t k = 0; k < s.n && !rc; k++)
		rc = add_level_fold(t, level, k + 1, &s.fold[k], all, is_new, e);
	folds_release(&s);
	return rc;
}

/* ---- the optimism of a choice ---- */

/* In spreads. The expected least of 16 independent standard normal errors is -1.77: more would be a
 * line through outliers. */
#define MOST_OPTIMISM 1.77

/* ---- what else could have been chosen ---- */

static bool same_tunables(const struct config_table *t, size_t i, size_t k)
{
	const double *x = config_table_row(t, i), *y = config_table_row(t, k);

	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->app->column[c].role == COL_TUNABLE && x[c] != y[c] &&
		    !(isnan(x[c]) && isnan(y[c])))
			return false;
	}
	return true;
}

void tunable_settings_find(const struct config_table *t, struct tunable_settings *out)
{
	out->t = t;
	out->n = 0;
	for (size_t i = 0; i < t->n && out->n < TUNABLE_SETTINGS; i++) {
		bool is_new = true;

		for (size_t k = 0; k < out->n && is_new; k++)
			is_new = !same_tunables(t, i, out->config[k]);
		if (is_new)
			out->config[out->n++] = i;
	}
	if (out->n == 1)
		out->n = 0;
}

bool tunable_settings_row(const struct tunable_settings *a, size_t k, const double *row,
			  double *out)
{
	const struct application *app = a->t->app;
	const double *like = config_table_row(a->t, a->config[k]);

	for (size_t c = 0; c < app->n_columns; c++)
		out[c] = app->column[c].role == COL_TUNABLE ? like[c] : row[c];
	configuration_derive(app, out);
	return configuration_legal(app, out, NULL);
}

/* ---- the line ---- */

double optimism_of(const struct optimism_point *x, size_t n)
{
	double mean_w = 0, mean_off = 0, sww = 0, swo = 0, rest = 0;
	double slope, value, se;

	if (n < OPTIMISM_LEAST)
		return 0;
	for (size_t i = 0; i < n; i++) {
		mean_w += exp(-x[i].gap) / (double)n;
		mean_off += x[i].off / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		const double w = exp(-x[i].gap) - mean_w;

		sww += w * w;
		swo += w * (x[i].off - mean_off);
	}
	if (!(sww > 1e-12 * (double)n))
		return 0;
	slope = swo / sww;
	for (size_t i = 0; i < n; i++) {
		const double left = x[i].off - mean_off - slope * (exp(-x[i].gap) - mean_w);

		rest += left * left;
	}
	value = slope * (1 - mean_w);
	se = (1 - mean_w) * sqrt(rest / (double)(n - 2) / sww);
	if (!(value > se))
		return 0;
	return fmin(value * (1 - se / value * (se / value)), MOST_OPTIMISM);
}
