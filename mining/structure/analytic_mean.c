#include "mining/structure/analytic_mean.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/structure/wavefront_tunings.h"
#include "mining/structure/wavefront_time.h"
#include "mining/training/predictor_kind.h"

static const struct {
	const char *name, *meaning;
} wg_info[WG_FIT_PARAMS] = {
	{"listed_log_wg", "log of Wg over that of the formula"},
	{"listed_wg_it", "exponent of it in that"},
	{"listed_wg_jt", "exponent of jt in that"},
	{"listed_wg_mk", "exponent of mk in that"},
	{"listed_wg_mmi", "exponent of mmi in that"},
};

/* A parameter called after the model says which: numbers in the list change, names do not. */
static const char *model_name(const struct model *m, char name[64])
{
	snprintf(name, 64, "listed_model_%s", m->name);
	return name;
}

/* struct predictor_kind's store and load of an analytic mean: the formula's numbers, then its
 * own. */
static enum err_code analytic_mean_store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct analytic_mean *m = state;
	char name[64];
	enum err_code rc = wavefront_store(m->formula, fit, e);

	if (!rc)
		rc = kb_fit_add(fit, model_name(m->model, name), 1, NAN, "", m->model->title, e);
	for (int j = 0; j < WG_FIT_PARAMS && !rc; j++)
		rc = kb_fit_add(fit, wg_info[j].name, m->p[j], NAN, "1", wg_info[j].meaning, e);
	return rc;
}

/* NULL: none that this program knows. */
static const struct model *stored_model(const struct kb_fit *fit)
{
	size_t n;
	const struct model *list = model_list(&n), *found = NULL;

	for (size_t k = 0; k < n && !found; k++) {
		char name[64];

		if (analytic_mean_wants(&list[k]) &&
		    !isnan(kb_fit_value(fit, model_name(&list[k], name))))
			found = &list[k];
	}
	return found;
}

static enum err_code analytic_mean_load(const struct kb_fit *fit, const struct application *app,
					void **state, struct err *e)
{
	struct analytic_mean *m = calloc(1, sizeof *m);
	void *formula = NULL;
	bool whole = true;
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "listed model");
	m->app = app;
	m->model = stored_model(fit);
	for (int j = 0; j < WG_FIT_PARAMS; j++) {
		m->p[j] = kb_fit_value(fit, wg_info[j].name);
		whole = whole && isfinite(m->p[j]);
	}
	if (!m->model || !whole)
		rc = err_set(e, ERR_NOTMINED,
			     "the fit lacks the model that it is made of: run `lemnos mine`");
	else
		rc = wavefront_load(fit, app, &formula, e);
	if (rc) {
		free(m);
		return rc;
	}
	m->formula = formula;
	*state = m;
	return ERR_OK;
}

/* On a sub-grid it x jt the time of a blocking is f(npe_i) + g(npe_j), both concave (closed_form in
 * models/model_list.h), for npe_i from a = ceil(it_g / it), the first that makes `it`, to the last.
 * Nobody on it has another neighbourhood: npe_i = 1 makes it = it_g, which no other npe_i <= it_g
 * does. A concave function lies on or above its chord, so with chords from a to the last and from
 * b, the first npe_j, to the last,
 *
 *	T >= T(a, b) + (npe_i - a) per_i + (npe_j - b) per_j,
 *
 * and where f and g are linear (all but global sums are), that is T itself. Three evaluations of
 * the model at most, whatever the number of grids. */
enum chord { CORNER, PER_I, PER_J, N_CHORDS };

struct analytic_mean_tunings {
	const struct analytic_mean *m;
	double *row; /* n * n_columns */
	size_t n;
	size_t n_columns;
	struct sub_grid_map *chords; /* arrays of n each, so that the loop over them vectorises */
};

enum err_code analytic_mean_tunings_new(const void *model, const double *rows, size_t n,
					size_t n_columns, void **out, struct err *e)
{
	struct analytic_mean_tunings *t = calloc(1, sizeof *t);

	if (t) {
		t->m = model;
		t->n = n;
		t->n_columns = n_columns;
		t->row = calloc(n * n_columns + 1, sizeof *t->row);
		t->chords = sub_grid_map_new();
	}
	if (!t || !t->row || !t->chords) {
		analytic_mean_tunings_free(t);
		return err_set(e, ERR_NOMEM, "%zu blockings", n);
	}
	memcpy(t->row, rows, n * n_columns * sizeof *rows);
	*out = t;
	return ERR_OK;
}

void analytic_mean_tunings_free(void *tunings)
{
	struct analytic_mean_tunings *t = tunings;

	if (!t)
		return;
	sub_grid_map_free(t->chords);
	free(t->row);
	free(t);
}

/* The processors along one side that make the same sub-grid of it. */
struct side {
	double first, last;
};

static struct side side_of(double cells, double part)
{
	/* ceil(cells / n) >= part as long as n < cells / (part - 1) */
	return (struct side){ceil(cells / part), part > 1 ? ceil(cells / (part - 1)) - 1 : cells};
}

/* What blocking k takes on that many processors; false: the model refuses it. */
static bool time_on(const struct analytic_mean_tunings *t, size_t k, double npe_i, double npe_j,
		    double *time_s)
{
	const size_t *c = t->m->formula->time.column;
	double *row = t->row + k * t->n_columns;
	struct sweep_time time;

	row[c[WC_NPE_I]] = npe_i;
	row[c[WC_NPE_J]] = npe_j;
	if (!analytic_mean_ask(t->m, row, &time))
		return false;
	*time_s = time.time_s;
	return true;
}

/* What is refused is left at 0, below whatever is predicted instead. */
static void put_chords(const struct analytic_mean_tunings *t, const struct side *i,
		       const struct side *j, double *chords)
{
	const double n_i = i->last - i->first, n_j = j->last - j->first;

	for (size_t k = 0; k < t->n; k++) {
		double corner_s, along_i_s = 0, along_j_s = 0;

		if (!time_on(t, k, i->first, j->first, &corner_s) ||
		    (n_i > 0 && !time_on(t, k, i->last, j->first, &along_i_s)) ||
		    (n_j > 0 && !time_on(t, k, i->first, j->last, &along_j_s)))
			continue;
		chords[CORNER * t->n + k] = corner_s;
		if (n_i > 0)
			chords[PER_I * t->n + k] = (along_i_s - corner_s) / n_i;
		if (n_j > 0)
			chords[PER_J * t->n + k] = (along_j_s - corner_s) / n_j;
	}
}

double analytic_mean_tunings_least_s(void *tunings, const double *row)
{
	struct analytic_mean_tunings *t = tunings;
	const size_t *c = t->m->formula->time.column;
	double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]];
	double it = ceil(row[c[WC_IT_G]] / npe_i), jt = ceil(row[c[WC_JT_G]] / npe_j);
	const struct side i = side_of(row[c[WC_IT_G]], it), j = side_of(row[c[WC_JT_G]], jt);
	double *s = sub_grid_map_find(t->chords, it, jt), least = INFINITY;

	if (npe_i > i.last || npe_j > j.last) /* more processors than cells: no sweep */
		return 0;
	if (!s) {
		s = sub_grid_map_add(t->chords, it, jt, N_CHORDS * t->n);
		if (!s)
			return -1;
		put_chords(t, &i, &j, s);
	}
	for (size_t k = 0; k < t->n; k++) {
		double time_s = s[CORNER * t->n + k] + (npe_i - i.first) * s[PER_I * t->n + k] +
				(npe_j - j.first) * s[PER_J * t->n + k];

		least = time_s < least ? time_s : least;
	}
	/* a relative 1e-12 for the rounding of two ways to sum */
	return least * (1 - 1e-12);
}

bool analytic_mean_wants(const struct model *m)
{
	return model_times_wants(m) && m->closed_form;
}

/* ---- the fit ---- */

static enum err_code take_times(const struct config_table *t, const double *Wg_s,
				const struct progress *progress, const struct analytic_mean *m,
				struct model_times *out, struct err *e)
{
	const struct models_asked asked = {.model = m->model,
					   .n = 1,
					   .take = analytic_mean_wants,
					   .remote = &m->formula->time.cost,
					   .progress = progress};
	enum err_code rc = model_times_make(t, Wg_s, &asked, out, e);

	if (!rc && out->n_models == 0)
		rc = err_set(e, ERR_ARG, "model %s: %s", m->model->name, out->refused[0].why.msg);
	return rc;
}

static enum err_code fit_wg(const struct config_table *t, const struct progress *progress,
			    struct analytic_mean *m, struct err *e)
{
	double *Wg_s = calloc(t->n + 1, sizeof *Wg_s);
	double *z = calloc((t->n + 1) * WG_FIT_PARAMS, sizeof *z);
	unsigned char *train = calloc(t->n + 1, 1);
	struct model_times times = {0};
	enum err_code rc;

	if (!Wg_s || !z || !train) {
		rc = err_set(e, ERR_NOMEM, "Wg of %zu configurations", t->n);
		goto done;
	}
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);
		struct err no_sweep = {0};

		Wg_s[i] = wavefront_time_wg(&m->formula->time, row);
		train[i] = !wg_fit_inputs(t->app, row, z + i * WG_FIT_PARAMS, &no_sweep);
	}
	if (!(rc = take_times(t, Wg_s, progress, m, &times, e)))
		rc = wg_fit(&times, 0, t, train, Wg_s, z, m->p, e);
done:
	model_times_release(&times);
	free(Wg_s);
	free(z);
	free(train);
	return rc;
}

enum err_code analytic_mean_fit(const struct model *model, const struct config_table *t,
				const struct progress *progress, struct wavefront_model *formula,
				struct analytic_mean **out, struct err *e)
{
	struct analytic_mean *m = calloc(1, sizeof *m);
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "model %s", model->name);
	m->app = t->app;
	m->model = model;
	m->formula = formula;
	if ((rc = fit_wg(t, progress, m, e)))
		free(m);
	else
		*out = m;
	return rc;
}

static enum err_code fit(const struct config_table *t, const struct fit_input *in, const void *like,
			 void **state, struct err *e)
{
	const struct analytic_mean *known = like;
	struct analytic_mean *m = NULL;
	void *formula = NULL;
	enum err_code rc;

	if ((rc = wavefront_calibrate(t, in, known->formula, &formula, e)))
		return rc;
	if ((rc = analytic_mean_fit(known->model, t, in->progress, formula, &m, e)))
		predictor_kind_wavefront.free(formula);
	else
		*state = m;
	return rc;
}

static void analytic_mean_free(void *state)
{
	struct analytic_mean *m = state;

	predictor_kind_wavefront.free(m->formula);
	free(m);
}

/* ---- what it predicts ---- */

static double factor_of(const struct analytic_mean *m, const struct sweep *s,
			const struct sweep_block *b)
{
	return exp(m->p[0] + m->p[1] * log((double)b->it) + m->p[2] * log((double)b->jt) +
		   m->p[3] * log((double)s->mk) + m->p[4] * log((double)s->mmi));
}

bool analytic_mean_ask(const struct analytic_mean *m, const double *row, struct sweep_time *out)
{
	const struct wavefront_time *formula = &m->formula->time;
	struct model_input in = {.remote = &formula->cost, .tile_i = 1, .tile_j = 1};
	struct sweep_block block;
	struct err refused = {0};

	if (wavefront_question_at(m->app, formula->column, row, &in.sweep, &in.run, &refused) ||
	    sweep_block_of(&in.sweep, &block, &refused))
		return false;
	in.run.Wg_s = wavefront_time_wg(formula, row) * factor_of(m, &in.sweep, &block);
	in.run.Wg_fixup_s = in.run.Wg_s;
	return !model_run(m->model, &in, out, &refused);
}

static void ask(const struct analytic_mean *m, const double *row, struct sweep_time *out)
{
	if (!analytic_mean_ask(m, row, out))
		out->time_s = wavefront_time_at(&m->formula->time, row, NULL, &out->parts);
}

static void predict(const void *state, const double *x, size_t n, size_t n_columns, double *time_s)
{
	for (size_t i = 0; i < n; i++) {
		struct sweep_time time;

		ask(state, x + i * n_columns, &time);
		time_s[i] = time.time_s;
	}
}

/* That of the formula, whose computation the model has. */
static double trend_sd(const void *state, const double *row)
{
	return wavefront_trend_sd(((const struct analytic_mean *)state)->formula, row);
}

static void breakdown(const void *state, const double *row, struct breakdown *out)
{
	struct sweep_time time;

	ask(state, row, &time);
	*out = time.parts;
}

/* The least of a * x over x in [lo, hi]. */
static double least(double a, double lo, double hi)
{
	return a > 0 ? a * lo : a * hi;
}

/* Every model of a sweep computes all cells and angles of the largest sub-grid, eight octants of
 * them in one after another, and messages, waits and fills only add to that. So
 *
 *	T >= groups timesteps iterations 8 kt mm it jt Wg    (#k-blocks mk >= kt),
 *
 * with the least Wg over mk and mmi, where they are free: that of the formula times that of the
 * power law, each by itself. Where the model refuses, the formula answers, with its own bound. */
static double lower_bound(const void *state, const double *row)
{
	const struct analytic_mean *m = state;
	const size_t *c = m->formula->time.column;
	double it = ceil(row[c[WC_IT_G]] / row[c[WC_NPE_I]]);
	double jt = ceil(row[c[WC_JT_G]] / row[c[WC_NPE_J]]);
	double mk = row[c[WC_MK]], mmi = row[c[WC_MMI]], log_factor, cells, work_s;

	log_factor = m->p[0] + m->p[1] * log(it) + m->p[2] * log(jt);
	log_factor += least(m->p[3], isnan(mk) ? 0 : log(mk), log(isnan(mk) ? row[c[WC_KT]] : mk));
	log_factor +=
		least(m->p[4], isnan(mmi) ? 0 : log(mmi), log(isnan(mmi) ? row[c[WC_MM]] : mmi));
	cells = row[c[WC_GROUPS]] * row[c[WC_TIMESTEPS]] * row[c[WC_ITERATIONS]] * 8 *
		row[c[WC_KT]] * row[c[WC_MM]] * it * jt;
	work_s = cells * wavefront_time_least_wg(&m->formula->time, row) * exp(log_factor);
	/* a relative 1e-12 for the rounding of two ways to sum */
	return fmin(work_s * (1 - 1e-12), wavefront_time_lower_bound(&m->formula->time, row));
}

/* ---- where it is, and what it leaves: the formula's view of a configuration ---- */

static size_t features(const void *state, const double *row, double *out)
{
	return predictor_kind_wavefront.features(((const struct analytic_mean *)state)->formula,
						 row, out);
}

static const char *feature_name(const void *state, size_t i)
{
	return predictor_kind_wavefront.feature_name(((const struct analytic_mean *)state)->formula,
						     i);
}

static void residual_design(const void *state, struct gp_design *out)
{
	wavefront_residual_design(((const struct analytic_mean *)state)->formula, out);
}

static void residual_point(const void *state, const double *row, double *z, double *factor)
{
	const struct analytic_mean *m = state;
	struct sweep_time time;

	ask(m, row, &time);
	wavefront_residual_point(m->formula, row, z, factor);
	factor[0] = wavefront_residual_share(&time.parts);
}

static void explain(const void *state, struct strbuf *out)
{
	const struct analytic_mean *m = state;

	strbuf_printf(out,
		      "Model %s (%s), its time per cell and angle calibrated on %zu "
		      "configurations. Message costs: %s.",
		      m->model->name, m->model->title, m->formula->n_configs,
		      cost_origin_name(m->formula->cost_origin));
	if (m->model->caveat)
		strbuf_printf(out, " Of that model: %s.", m->model->caveat);
}

/* Its costs are those of messages between nodes, which is what a transfer demands of a machine. */
static enum err_code transfer(const void *state, const struct machine *machine, double wg_factor,
			      void **out, struct err *e)
{
	const struct analytic_mean *from = state;
	struct analytic_mean *m = malloc(sizeof *m);
	void *formula = NULL;
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "model %s", from->model->name);
	*m = *from;
	rc = predictor_kind_wavefront.transfer(from->formula, machine, wg_factor, &formula, e);
	if (rc) {
		free(m);
		return rc;
	}
	m->formula = formula;
	*out = m;
	return ERR_OK;
}

const struct predictor_kind predictor_kind_analytic_mean = {
	.name = "listed",
	.title = "a model of the list, calibrated",
	.structural = true,
	.fit = fit,
	.predict = predict,
	.trend_sd = trend_sd,
	.lower_bound = lower_bound,
	.tunings_new = analytic_mean_tunings_new,
	.tunings_least_s = analytic_mean_tunings_least_s,
	.tunings_free = analytic_mean_tunings_free,
	.breakdown = breakdown,
	.features = features,
	.feature_name = feature_name,
	.residual_design = residual_design,
	.residual_point = residual_point,
	.explain = explain,
	.store = analytic_mean_store,
	.load = analytic_mean_load,
	.transfer = transfer,
	.free = analytic_mean_free,
};
