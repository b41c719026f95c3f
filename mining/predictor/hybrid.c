#include "mining/predictor/hybrid.h"

#include <math.h>
#include <stdlib.h>

#include "mining/structure/analytic_mean.h"
#include "mining/structure/structure_choice.h"

/* A function drawn from a Gaussian process hardly ever goes farther from 0: a correction that does
 * would follow a single run. It also bounds what the search has to reckon with. */
#define MAX_SDS 3.0

static bool applies(const struct application *app)
{
	return predictor_kind_wavefront.applies(app);
}

static void hybrid_free(void *state)
{
	struct hybrid *h = state;

	if (h->base_state)
		h->base->free(h->base_state);
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

	h->base = &predictor_kind_wavefront;
	if ((rc = h->base->fit(t, in, NULL, &h->base_state, e)) ||
	    (rc = structure_choose(t, in, h->base_state, &h->choice, e)) || h->choice.chosen == 0)
		return rc;
	if ((rc = model_find(h->choice.candidate[h->choice.chosen].name, &model, e)) ||
	    (rc = analytic_mean_fit(model, t, in->progress, h->base_state, &listed, e)))
		return rc;
	h->base = &predictor_kind_analytic_mean;
	h->base_state = listed;
	return ERR_OK;
}

static enum err_code fit_like(const struct config_table *t, const struct fit_input *in,
			      const struct hybrid *like, struct hybrid *h, struct err *e)
{
	h->base = like->base;
	h->choice = like->choice;
	return h->base->fit(t, in, like->base_state, &h->base_state, e);
}

static enum err_code fit(const struct config_table *t, const struct fit_input *in, const void *like,
			 void **state, struct err *e)
{
	struct hybrid *h = calloc(1, sizeof *h);
	enum err_code rc;

	if (!h)
		return err_set(e, ERR_NOMEM, "hybrid predictor");
	rc = like ? fit_like(t, in, like, h, e) : fit_structure(t, in, h, e);
	if (rc || (rc = hybrid_fit_process(t, like, h, e)))
		hybrid_free(h);
	else
		*state = h;
	return rc;
}

/* ---- what it predicts ---- */

static void predict(const void *state, const double *x, size_t n, size_t n_columns, double *time_s)
{
	const struct hybrid *h = state;

	h->base->predict(h->base_state, x, n, n_columns, time_s);
}

static double max_correction(const void *state)
{
	const struct hybrid *h = state;
	const struct gp_design *design;
	const struct gp_hyper *hyper;
	double variance = 0;

	if (!h->process)
		return 0;
	design = gaussian_process_design(h->process);
	hyper = gaussian_process_hyper(h->process);
	for (size_t k = 0; k < design->n_parts; k++)
		variance += exp(2 * hyper->log_sd[k]);
	return MAX_SDS * sqrt(variance);
}

double hybrid_correction(const void *state, const double *row, double *epistemic_sd)
{
	const struct hybrid *h = state;
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS], most = max_correction(h), mean;

	if (epistemic_sd)
		*epistemic_sd = 0;
	if (!h->process)
		return 0;
	h->base->residual_point(h->base_state, row, z, factor);
	mean = epistemic_sd ? gaussian_process_predict(h->process, z, factor, epistemic_sd)
			    : gaussian_process_mean(h->process, z, factor);
	return fmin(fmax(mean, -most), most);
}

static double predict_with_sd(const void *state, const double *row, double *epistemic_sd)
{
	double time_s;

	predict(state, row, 1, 0, &time_s);
	hybrid_correction(state, row, epistemic_sd);
	return time_s;
}

/* ---- what the structural part answers ---- */

static double trend_sd(const void *state, const double *row)
{
	const struct hybrid *h = state;

	return h->base->trend_sd(h->base_state, row);
}

static double lower_bound(const void *state, const double *row)
{
	const struct hybrid *h = state;

	return h->base->lower_bound(h->base_state, row);
}

/* The base's tunings, with whose they are. */
struct hybrid_tunings {
	const struct predictor_kind *base;
	void *of_base;
};

static enum err_code tunings_new(const void *state, const double *rows, size_t n, size_t n_columns,
				 void **tunings, struct err *e)
{
	const struct hybrid *h = state;
	struct hybrid_tunings *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "tunings of a hybrid predictor");
	t->base = h->base;
	if ((rc = h->base->tunings_new(h->base_state, rows, n, n_columns, &t->of_base, e)))
		free(t);
	else
		*tunings = t;
	return rc;
}

static double tunings_least_s(void *tunings, const double *row)
{
	struct hybrid_tunings *t = tunings;

	return t->base->tunings_least_s(t->of_base, row);
}

static void tunings_free(void *tunings)
{
	struct hybrid_tunings *t = tunings;

	t->base->tunings_free(t->of_base);
	free(t);
}

static void breakdown(const void *state, const double *row, struct breakdown *out)
{
	const struct hybrid *h = state;

	h->base->breakdown(h->base_state, row, out);
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
	to->base = h->base;
	to->choice = h->choice;
	if ((rc = h->base->transfer(h->base_state, machine, wg_factor, &to->base_state, e)))
		hybrid_free(to);
	else
		*out = to;
	return rc;
}

static const struct structure_choice *structure(const void *state)
{
	return &((const struct hybrid *)state)->choice;
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
	structure_choice_explain(&h->choice, out);
	h->base->explain(h->base_state, out);
}

/* ---- in the knowledge base ---- */

#define PREFIX "process_"

static enum err_code store(const void *state, struct kb_fit *kb_fit, struct err *e)
{
	const struct hybrid *h = state;
	enum err_code rc = h->base->store(h->base_state, kb_fit, e);

	if (rc || (rc = structure_choice_store(&h->choice, kb_fit, e)))
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
	h->base = h->choice.chosen == 0 ? &predictor_kind_wavefront : &predictor_kind_analytic_mean;
	if ((rc = h->base->load(kb_fit, app, &h->base_state, e)) ||
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
	.correction = hybrid_correction,
	.max_correction = max_correction,
	.lower_bound = lower_bound,
	.tunings_new = tunings_new,
	.tunings_least_s = tunings_least_s,
	.tunings_free = tunings_free,
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
