#include "mining/predictor/hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/predictor/time_limits.h"
#include "mining/structure/analytic_mean.h"

/* ---- what it predicts ---- */

/* What the factors make of the structure's time at a row. */
static double factor_at(const struct hybrid *h, const double *row)
{
	struct breakdown parts;
	double whole;

	h->base->breakdown(h->base_state, row, &parts);
	whole = breakdown_total_s(&parts);
	column_factors_apply(&h->factors, h->app, row, &parts);
	return breakdown_total_s(&parts) / whole;
}

static void predict(const void *state, const double *x, size_t n, size_t n_columns, double *time_s)
{
	const struct hybrid *h = state;

	h->base->predict(h->base_state, x, n, n_columns, time_s);
	for (size_t i = 0; i < n && h->factors.n > 0; i++)
		time_s[i] *= factor_at(h, x + i * n_columns);
}

/* A function drawn from a Gaussian process hardly ever goes farther from 0, nor does one of its
 * parts: a correction that does would follow a single run. It also bounds what the search has to
 * reckon with. */
#define MAX_SDS 3.0

static double max_correction(const void *state)
{
	const struct hybrid *h = state;
	double variance = 0;

	if (!h->process)
		return 0;
	for (size_t k = 0; k < gaussian_process_design(h->process)->n_parts; k++)
		variance += pow(exp(gaussian_process_hyper(h->process)->log_sd[k]), 2);
	return MAX_SDS * sqrt(variance);
}

double hybrid_limit_correction(const struct hybrid *h, const double *factor, const double *by_part)
{
	const struct gp_design *design = gaussian_process_design(h->process);
	const double *log_sd = gaussian_process_hyper(h->process)->log_sd;
	double sum = 0, variance = 0, most;

	for (size_t k = 0; k < design->n_parts; k++) {
		const int f = design->part[k].factor;
		const double sd = exp(log_sd[k]);

		most = MAX_SDS * sd * (f >= 0 ? fabs(factor[f]) : 1);
		sum += fmin(fmax(by_part[k], -most), most);
		variance += pow(sd, 2);
	}
	most = MAX_SDS * sqrt(variance);
	return fmin(fmax(sum, -most), most);
}

static double correction(const void *state, const double *row, double *epistemic_sd)
{
	const struct hybrid *h = state;
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS], by_part[GP_MAX_PARTS];

	if (epistemic_sd)
		*epistemic_sd = 0;
	if (!h->process)
		return 0;
	h->base->residual_point(h->base_state, row, z, factor);
	if (epistemic_sd)
		gaussian_process_predict(h->process, z, factor, by_part, epistemic_sd);
	else
		gaussian_process_mean(h->process, z, factor, by_part);
	return hybrid_limit_correction(h, factor, by_part);
}

static double predict_with_sd(const void *state, const double *row, double *epistemic_sd)
{
	double time_s;

	predict(state, row, 1, 0, &time_s);
	correction(state, row, epistemic_sd);
	return time_s;
}

/* ---- fitting the process: to what the structural model leaves of the times, and of the limits
 * that say a time is at least so long ---- */

enum {
	MAX_POINTS = 1000,
	MAX_TUNING_POINTS = 250, /* hyperparameters are few: more points move them little */
	/* Each lowers what a limit is missed by to the share that noise has in the variance there,
	 * a half at most: four leave a sixteenth. */
	LIMIT_ROUNDS = 4,
	/* Of these factors are fitted to. */
	MAX_FACTOR_CONFIGS = 2000,
	SEED = 1
};

/* Observations in the shape that the process takes: n_timed of times, then one for each limit that
 * is missed. */
struct leftovers {
	struct gp_design design;
	size_t n, n_timed;
	double *z, *factor, *y, *noise;
	double *limit_y; /* by limit: what stands for it; NaN: it is not missed */
	size_t *pick;
};

static void leftovers_release(struct leftovers *l)
{
	free(l->z);
	free(l->factor);
	free(l->y);
	free(l->noise);
	free(l->limit_y);
	free(l->pick);
}

static bool leftovers_reserve(struct leftovers *l, const struct config_table *t)
{
	const size_t n = t->n + t->n_cut;

	l->z = calloc(n * l->design.n_inputs + 1, sizeof *l->z);
	l->factor = calloc(n * l->design.n_factors + 1, sizeof *l->factor);
	l->y = calloc(n + 1, sizeof *l->y);
	l->noise = calloc(n + 1, sizeof *l->noise);
	l->limit_y = calloc(t->n_cut + 1, sizeof *l->limit_y);
	l->pick = calloc(t->n + 1, sizeof *l->pick);
	for (size_t k = 0; l->limit_y && k < t->n_cut; k++)
		l->limit_y[k] = NAN;
	return l->z && l->factor && l->y && l->noise && l->limit_y && l->pick;
}

/* log of a time over what the structural model says of it. */
static double leftover(const struct hybrid *h, const struct config_table *t, const double *row,
		       double time_s)
{
	double structure_s;

	predict(h, row, 1, t->n_columns, &structure_s);
	return log(time_s / structure_s);
}

static void add(const struct hybrid *h, const double *row, double y, double noise,
		struct leftovers *l)
{
	h->base->residual_point(h->base_state, row, l->z + l->n * l->design.n_inputs,
				l->factor + l->n * l->design.n_factors);
	l->y[l->n] = y;
	l->noise[l->n++] = noise;
}

/* At most `most` configurations; those of the best source come before others. */
static void add_times(const struct hybrid *h, const struct config_table *t, size_t most,
		      struct leftovers *l)
{
	l->n_timed = config_table_pick(t, most, l->pick);
	for (size_t k = 0; k < l->n_timed; k++) {
		const size_t i = l->pick[k];
		const double *row = config_table_row(t, i);

		/* repeats cure their own noise, not what the shape of the function hides */
		add(h, row, leftover(h, t, row, t->time_s[i]),
		    (0.5 + 0.5 / (double)t->n_repeats[i]) / config_table_weight(t, i), l);
	}
}

static enum err_code fit_to(const struct leftovers *l, const struct gp_hyper *hyper,
			    struct gaussian_process **out, struct err *e)
{
	const struct gp_options options = {
		.max_points = MAX_POINTS,
		.max_tuning_points = MAX_TUNING_POINTS,
		.seed = SEED,
		.hyper = hyper,
	};
	const struct gp_data data = {
		.n = l->n, .z = l->z, .factor = l->factor, .y = l->y, .noise = l->noise};

	return gaussian_process_fit(&l->design, &data, &options, out, e);
}

/* Of several sources: hyperparameters from as few as will do, so that the best source has its say.
 */
static enum err_code choose_hyper(const struct hybrid *h, const struct config_table *t,
				  struct leftovers *l, struct gp_hyper *out, struct err *e)
{
	struct gaussian_process *process = NULL;
	enum err_code rc;

	add_times(h, t, MAX_TUNING_POINTS, l);
	if (!(rc = fit_to(l, NULL, &process, e)))
		*out = *gaussian_process_hyper(process);
	gaussian_process_free(process);
	l->n = 0;
	return rc;
}

/* What stands for limit k from now on. Schmee and Hahn's step on first sight; then it is raised by
 * what the fit still misses, which their iteration leaves where neighbours pull the other way. A
 * limit that was never missed stays out: it says nothing. */
static void stand_for(const struct hybrid *h, const struct config_table *t, size_t k,
		      struct leftovers *l)
{
	const double *row = config_table_cut_row(t, k);
	double epistemic_sd;
	const double at = correction(h, row, &epistemic_sd);
	const double limit = leftover(h, t, row, t->cut[k].limit_s);

	if (at >= limit)
		return;
	if (isnan(l->limit_y[k]))
		l->limit_y[k] = censored_normal_mean(
			at, hypot(epistemic_sd, exp(gaussian_process_hyper(h->process)->log_noise)),
			limit);
	else
		l->limit_y[k] += limit - at;
}

/* The observations for limits anew. Returns whether one is missed by h. */
static bool add_limits(const struct hybrid *h, const struct config_table *t, struct leftovers *l)
{
	bool missed = false;

	l->n = l->n_timed;
	for (size_t k = 0; k < t->n_cut; k++) {
		const double before = l->limit_y[k];

		if (!t->cut[k].longest)
			continue;
		stand_for(h, t, k, l);
		missed = missed || l->limit_y[k] > before || isnan(before) != isnan(l->limit_y[k]);
		if (!isnan(l->limit_y[k]))
			add(h, config_table_cut_row(t, k), l->limit_y[k],
			    1 / t->weight[t->cut[k].source], l);
	}
	return missed;
}

/* Where limits are missed, times alone chose hyperparameters that know nothing of what is slow:
 * they are chosen anew (like NULL), once. */
static enum err_code obey_limits(const struct config_table *t, const struct hybrid *like,
				 struct leftovers *l, struct hybrid *h, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int round = 0; round < LIMIT_ROUNDS && !rc && add_limits(h, t, l); round++) {
		const struct gp_hyper hyper = *gaussian_process_hyper(h->process);
		struct gaussian_process *process = NULL;

		if ((rc = fit_to(l, round == 0 && !like ? NULL : &hyper, &process, e)))
			break;
		gaussian_process_free(h->process);
		h->process = process;
	}
	return rc;
}

static size_t n_limits(const struct config_table *t)
{
	size_t n = 0;

	for (size_t k = 0; k < t->n_cut; k++)
		n += t->cut[k].longest;
	return n;
}

/* How many configurations a process is given: one source is for the process to thin out. Of several
 * a random part would lose the best; limits get up to half of the room. */
static size_t room(const struct config_table *t, bool mixed)
{
	size_t limits = n_limits(t);

	if (!mixed)
		return t->n;
	return MAX_POINTS - (limits < MAX_POINTS / 2 ? limits : MAX_POINTS / 2);
}

/* h->base and its state being set. like (may be NULL): whose hyperparameters it takes. */
static enum err_code fit_process(const struct config_table *t, const struct hybrid *like,
				 struct hybrid *h, struct err *e)
{
	struct leftovers l = {.z = NULL};
	size_t n_of[SOURCE_COUNT];
	const enum run_source best = config_table_best_source(t, n_of);
	const bool mixed = n_of[best] < t->n;
	struct gp_hyper chosen;
	const struct gp_hyper *hyper = like ? gaussian_process_hyper(like->process) : NULL;
	enum err_code rc;

	h->base->residual_design(h->base_state, &l.design);
	if (!leftovers_reserve(&l, t)) {
		rc = err_set(e, ERR_NOMEM, "what a model leaves of %zu configurations", t->n);
		goto done;
	}
	if (mixed && !hyper) {
		if ((rc = choose_hyper(h, t, &l, &chosen, e)))
			goto done;
		hyper = &chosen;
	}
	add_times(h, t, room(t, mixed), &l);
	if (!(rc = fit_to(&l, hyper, &h->process, e)))
		rc = obey_limits(t, like, &l, h, e);
done:
	leftovers_release(&l);
	return rc;
}

/* ---- fitting ---- */

static bool applies(const struct application *app)
{
	return predictor_kind_wavefront.applies(app);
}

static void hybrid_free(void *state)
{
	struct hybrid *h = state;

	if (h->base_state)
		h->base->free(h->base_state);
	column_factors_release(&h->factors);
	free(h->columns);
	level_interactions_release(&h->interactions);
	gaussian_process_free(h->process);
	free(h);
}

/* The formula, or the model of the list that held-out runs prefer to it, which stands on it. */
static enum err_code fit_structure(const struct config_table *t, const struct fit_input *in,
				   struct hybrid *h, struct err *e)
{
	struct analytic_mean *listed = NULL;
	const struct model *model;
	enum err_code rc;

	if ((rc = structure_choose(t, in, h->base_state, &h->choice, e)) || h->choice.chosen == 0)
		return rc;
	if ((rc = model_find(h->choice.candidate[h->choice.chosen].name, &model, e)) ||
	    (rc = analytic_mean_fit(model, t, in->progress, h->base_state, &listed, e)))
		return rc;
	h->base = &predictor_kind_analytic_mean;
	h->base_state = listed;
	return ERR_OK;
}

/* The factors by what h's structure says of t. */
static enum err_code fit_factors(const struct config_table *t, struct hybrid *h, struct err *e)
{
	size_t *pick = calloc(t->n + 1, sizeof *pick), n;
	struct breakdown *parts = calloc(MAX_FACTOR_CONFIGS, sizeof *parts);
	enum err_code rc;

	if (!pick || !parts) {
		rc = err_set(e, ERR_NOMEM, "factors of %zu configurations", t->n);
	} else {
		n = config_table_pick(t, MAX_FACTOR_CONFIGS, pick);
		for (size_t i = 0; i < n; i++)
			h->base->breakdown(h->base_state, config_table_row(t, pick[i]), &parts[i]);
		rc = column_factors_fit(t, pick, n, parts, &h->factors, e);
	}
	free(pick);
	free(parts);
	return rc;
}

/* t with each time divided by what `part` says of its row. */
static enum err_code divide_times(const struct config_table *t, const struct hybrid *h,
				  double (*part)(const struct hybrid *, const double *),
				  struct config_table **out, struct err *e)
{
	struct config_table *left = NULL;
	enum err_code rc = config_table_subset(t, NULL, &left, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < left->n; i++) {
		const double divisor = part(h, config_table_row(left, i));

		left->time_s[i] /= divisor;
		for (size_t k = left->first[i]; k < left->first[i + 1]; k++)
			left->run_s[k] /= divisor;
	}
	for (size_t k = 0; k < left->n_cut; k++)
		left->cut[k].limit_s /= part(h, config_table_cut_row(left, k));
	*out = left;
	return ERR_OK;
}

/* Structure and factors are fitted in turn (backfitting: Hastie, Tibshirani and Friedman, "The
 * Elements of Statistical Learning", 2nd ed. 2009, algorithm 9.1): each to what the other leaves. A
 * second round changes next to nothing. like (may be NULL): the state of a base whose structure is
 * kept. *plain: the runs without factors, the caller's; NULL: nothing varied but what the structure
 * reads. */
static enum err_code fit_in_turn(const struct config_table *t, const struct fit_input *in,
				 const void *like, struct hybrid *h, struct config_table **plain,
				 struct err *e)
{
	size_t reads[WC_COUNT];
	void *again = NULL;
	enum err_code rc;

	*plain = NULL;
	if ((rc = h->base->fit(t, in, like, &h->base_state, e)) ||
	    !wavefront_time_bind(t->app, reads))
		return rc;
	column_factors_find(t, reads, WC_COUNT, &h->factors);
	if (h->factors.n == 0)
		return ERR_OK;
	if ((rc = fit_factors(t, h, e)) || (rc = divide_times(t, h, factor_at, plain, e)) ||
	    (rc = h->base->fit(*plain, in, like, &again, e)))
		return rc;
	h->base->free(h->base_state);
	h->base_state = again;
	return fit_factors(t, h, e);
}

static double predicted_s(const struct hybrid *h, const double *row)
{
	double time_s;

	predict(h, row, 1, 0, &time_s);
	return time_s;
}

static enum err_code fit_interactions(const struct config_table *t, struct hybrid *h, struct err *e)
{
	struct config_table *left = NULL;
	struct err why = {0};
	enum err_code rc;

	if (!column_factors_of_levels(&h->factors))
		return ERR_OK;
	if ((rc = divide_times(t, h, predicted_s, &left, e)))
		return rc;
	rc = log_polynomial_fit(left, 1, &h->columns, &why);
	if (rc == ERR_NODATA)
		rc = ERR_OK;
	else if (rc)
		err_set(e, rc, "%s", why.msg);
	if (!rc && h->columns)
		rc = level_interactions_make(left, h->columns, &h->interactions, e);
	config_table_free(left);
	return rc;
}

static enum err_code fit(const struct config_table *t, const struct fit_input *in, const void *like,
			 void **state, struct err *e)
{
	const struct hybrid *known = like;
	struct config_table *plain = NULL;
	struct hybrid *h = calloc(1, sizeof *h);
	enum err_code rc;

	if (!h)
		return err_set(e, ERR_NOMEM, "hybrid predictor");
	h->app = t->app;
	h->base = known ? known->base : &predictor_kind_wavefront;
	rc = fit_in_turn(t, in, known ? known->base_state : NULL, h, &plain, e);
	if (known)
		h->choice = known->choice;
	else if (!rc)
		rc = fit_structure(plain ? plain : t, in, h, e);
	if (rc || (rc = fit_interactions(t, h, e)) || (rc = fit_process(t, like, h, e)))
		hybrid_free(h);
	else
		*state = h;
	config_table_free(plain);
	return rc;
}

/* ---- what the structural part answers ---- */

static double trend_sd(const void *state, const double *row)
{
	const struct hybrid *h = state;
	double sd = h->base->trend_sd(h->base_state, row);
	struct breakdown parts;

	if (h->factors.n == 0)
		return sd;
	h->base->breakdown(h->base_state, row, &parts);
	sd = hypot(sd, column_factors_sd(&h->factors, h->app, row, &parts));
	return h->columns
		       ? hypot(sd,
			       sqrt(level_interactions_variance(&h->interactions, h->columns, row)))
		       : sd;
}

static void breakdown(const void *state, const double *row, struct breakdown *out)
{
	const struct hybrid *h = state;

	h->base->breakdown(h->base_state, row, out);
	column_factors_apply(&h->factors, h->app, row, out);
}

static size_t features(const void *state, const double *row, double *out)
{
	const struct hybrid *h = state;

	return h->base->features(h->base_state, row, out);
}

static const char *feature_name(const void *state, size_t i)
{
	const struct hybrid *h = state;

	return h->base->feature_name(h->base_state, i);
}

static enum err_code transfer(const void *state, const struct machine *machine, double wg_factor,
			      void **out, struct err *e)
{
	const struct hybrid *h = state;
	struct hybrid *to = calloc(1, sizeof *to);
	enum err_code rc;

	if (!to)
		return err_set(e, ERR_NOMEM, "hybrid predictor");
	to->app = h->app;
	to->base = h->base;
	to->choice = h->choice;
	if ((rc = column_factors_copy(&h->factors, &to->factors, e)) ||
	    (rc = h->base->transfer(h->base_state, machine, wg_factor, &to->base_state, e)))
		hybrid_free(to);
	else
		*out = to;
	return rc;
}

static const struct structure_choice *structure(const void *state)
{
	return &((const struct hybrid *)state)->choice;
}

/* In the words of trend_posterior_explain(). */
static void explain_interactions(const struct hybrid *h, struct strbuf *out)
{
	struct strbuf untold = STRBUF_INIT;

	level_interactions_explain(&h->interactions, h->columns, &untold);
	if (untold.len > 0)
		strbuf_printf(out,
			      " In these runs %s: what other values would do to time cannot be "
			      "told.",
			      strbuf_text(&untold));
	out->failed |= untold.failed;
	strbuf_release(&untold);
}

static void explain(const void *state, struct strbuf *out)
{
	const struct hybrid *h = state;

	if (h->process)
		strbuf_printf(out,
			      "Structural model, corrected by what runs say beyond it: a Gaussian "
			      "process over %zu configurations (corrections of typically %.1f %%; "
			      "%.1f %% stay unexplained). ",
			      gaussian_process_n_kept(h->process),
			      100 * max_correction(h) / MAX_SDS,
			      100 * exp(gaussian_process_hyper(h->process)->log_noise));
	column_factors_explain(&h->factors, h->app, out);
	structure_choice_explain(&h->choice, out);
	h->base->explain(h->base_state, out);
	if (h->columns)
		explain_interactions(h, out);
}

/* ---- in the knowledge base ---- */

#define PREFIX "process_"

/* Its misfit and number of configurations are those of the structure, which have these names. */
static enum err_code store_interactions(const struct hybrid *h, struct kb_fit *kb_fit,
					struct err *e)
{
	struct kb_fit own = {0};
	enum err_code rc;

	if (!h->columns)
		return ERR_OK;
	rc = log_polynomial_store(h->columns, &own, e);
	for (size_t i = 0; i < own.n_param && !rc; i++) {
		const struct kb_param *p = &own.param[i];

		if (strcmp(p->name, "scale") && strcmp(p->name, "n_configs"))
			rc = kb_fit_add(kb_fit, p->name, p->value, p->std_error, p->unit,
					p->meaning, e);
	}
	kb_fit_release(&own);
	return rc ? rc : level_interactions_store(&h->interactions, h->columns, kb_fit, e);
}

static enum err_code load_interactions(const struct kb_fit *kb_fit, const struct application *app,
				       struct hybrid *h, struct err *e)
{
	void *columns = NULL;
	enum err_code rc;

	if (isnan(kb_fit_value(kb_fit, "degree")))
		return ERR_OK;
	if ((rc = log_polynomial_load(kb_fit, app, &columns, e)))
		return rc;
	h->columns = columns;
	return level_interactions_load(kb_fit, h->columns, &h->interactions, e);
}

static enum err_code store(const void *state, struct kb_fit *kb_fit, struct err *e)
{
	const struct hybrid *h = state;
	enum err_code rc = h->base->store(h->base_state, kb_fit, e);

	if (rc || (rc = structure_choice_store(&h->choice, kb_fit, e)) ||
	    (rc = column_factors_store(&h->factors, h->app, kb_fit, e)) ||
	    (rc = store_interactions(h, kb_fit, e)))
		return rc;
	return gaussian_process_store(h->process, PREFIX, kb_fit, e);
}

static enum err_code load(const struct kb_fit *kb_fit, const struct application *app, void **state,
			  struct err *e)
{
	struct hybrid *h = calloc(1, sizeof *h);
	enum err_code rc;

	if (!h)
		return err_set(e, ERR_NOMEM, "hybrid predictor");
	if (!applies(app)) {
		free(h);
		return err_set(e, ERR_NOTMINED,
			       "application %s has no structural model any more: run `lemnos mine`",
			       app->name);
	}
	if ((rc = structure_choice_load(kb_fit, &h->choice, e))) {
		free(h);
		return rc;
	}
	h->app = app;
	h->base = h->choice.chosen == 0 ? &predictor_kind_wavefront : &predictor_kind_analytic_mean;
	if ((rc = h->base->load(kb_fit, app, &h->base_state, e)) ||
	    (rc = column_factors_load(kb_fit, app, &h->factors, e)) ||
	    (rc = load_interactions(kb_fit, app, h, e)) ||
	    (rc = gaussian_process_load(kb_fit, PREFIX, &h->process, e)))
		hybrid_free(h);
	else
		*state = h;
	return rc;
}

const struct predictor_kind predictor_kind_hybrid = {
	.name = "hybrid",
	.title = "structural model, corrected by a Gaussian process",
	.structural = true,
	.applies = applies,
	.fit = fit,
	.predict = predict,
	.predict_with_sd = predict_with_sd,
	.trend_sd = trend_sd,
	.correction = correction,
	.max_correction = max_correction,
	.corrections_new = hybrid_corrections_new,
	.corrections_least = hybrid_corrections_least,
	.corrections_free = hybrid_corrections_free,
	.lower_bound = hybrid_lower_bound,
	.tunings_new = hybrid_tunings_new,
	.tunings_least_s = hybrid_tunings_least_s,
	.tunings_each = hybrid_tunings_each,
	.tunings_correction = hybrid_tunings_correction,
	.tunings_free = hybrid_tunings_free,
	.breakdown = breakdown,
	.features = features,
	.feature_name = feature_name,
	.structure = structure,
	.explain = explain,
	.store = store,
	.load = load,
	.transfer = transfer,
	.free = hybrid_free,
};
