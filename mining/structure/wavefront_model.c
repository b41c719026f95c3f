#include "mining/structure/wavefront_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/structure/wavefront_tunings.h"

const char *cost_origin_name(enum cost_origin o)
{
	static const char *const name[COST_ORIGINS] = {"assumed", "ping-pong", "machine file"};

	return name[o];
}

static bool applies(const struct application *app)
{
	size_t column[WC_COUNT];

	return app->model && !strcmp(app->model, "wavefront") && wavefront_time_bind(app, column);
}

/* The size from which sends block; INFINITY: none does. */
static double blocking_bytes(const struct message_cost *c)
{
	for (size_t i = 0; i < c->n_range; i++) {
		if (c->range[i].blocks)
			return c->range[i].from_bytes;
	}
	return INFINITY;
}

static void predict(const void *state, const double *x, size_t n, size_t n_columns, double *time_s)
{
	const struct wavefront_model *m = state;

	for (size_t i = 0; i < n; i++)
		time_s[i] = wavefront_time_at(&m->time, x + i * n_columns, NULL, NULL);
}

double wavefront_trend_sd(const void *state, const double *row)
{
	const struct wavefront_model *m = state;
	double gradient[WP_COUNT], work[WP_COUNT];

	wavefront_time_at(&m->time, row, gradient, NULL);
	return linear_posterior_sd(m->posterior, WP_COUNT, gradient, work);
}

static double lower_bound(const void *state, const double *row)
{
	const struct wavefront_model *m = state;

	return wavefront_time_lower_bound(&m->time, row);
}

static enum err_code tunings_new(const void *state, const double *rows, size_t n, size_t n_columns,
				 void **tunings, struct err *e)
{
	const struct wavefront_model *m = state;
	struct wavefront_tunings *t = NULL;
	enum err_code rc = wavefront_tunings_new(&m->time, rows, n, n_columns, &t, e);

	if (!rc)
		*tunings = t;
	return rc;
}

static double tunings_least_s(void *tunings, const double *row)
{
	return wavefront_tunings_least_s(tunings, row);
}

static void tunings_free(void *tunings)
{
	wavefront_tunings_free(tunings);
}

static void breakdown(const void *state, const double *row, struct breakdown *out)
{
	const struct wavefront_model *m = state;

	wavefront_time_at(&m->time, row, NULL, out);
}

/* What the formula sees of a configuration: the sub-grid, the blocks, the processor grid. */
static const char *const feature_names[] = {
	"it", "jt", "kt", "mk", "mmi", "npe_i", "npe_j", "cells per processor", "procs"};

static const char *feature_name(const void *state, size_t i)
{
	(void)state;
	return feature_names[i];
}

static size_t features(const void *state, const double *row, double *out)
{
	const struct wavefront_model *m = state;
	const size_t *c = m->time.column;

	out[5] = row[c[WC_NPE_I]];
	out[6] = row[c[WC_NPE_J]];
	out[0] = ceil(row[c[WC_IT_G]] / out[5]);
	out[1] = ceil(row[c[WC_JT_G]] / out[6]);
	out[2] = row[c[WC_KT]];
	out[3] = row[c[WC_MK]];
	out[4] = row[c[WC_MMI]];
	out[7] = out[0] * out[1] * out[2];
	out[8] = out[5] * out[6];
	return 9;
}

/* A parameter whose standard error is near the width it was allowed is not told by the runs. */
static bool identified(const struct wavefront_model *m, int j)
{
	double sd = wavefront_param_info[j].prior_sd;

	return m->std_error[j] < 0.5 * (isfinite(sd) ? sd : 1);
}

static void explain(const void *state, struct strbuf *out)
{
	const struct wavefront_model *m = state;
	bool any = false;

	strbuf_printf(
		out,
		"Wavefront model, its parameters calibrated on %zu configurations (robust least "
		"squares on log time; typical misfit %.1f %%). ",
		m->n_configs, 100 * m->scale);
	if (isfinite(m->time.step))
		strbuf_printf(out, "Inner loops of more than %g cells start more slowly. ",
			      floor(m->time.step));
	strbuf_printf(out, "Message costs: %s", cost_origin_name(m->cost_origin));
	if (isfinite(blocking_bytes(&m->time.cost)))
		strbuf_printf(out, ", sends block from %g bytes", blocking_bytes(&m->time.cost));
	strbuf_puts(out, ". Not told by these runs: ");
	for (int j = 0; j < WP_COUNT; j++) {
		if (!identified(m, j)) {
			strbuf_printf(out, "%s%s (%s)", any ? ", " : "",
				      wavefront_param_info[j].name,
				      wavefront_param_info[j].meaning);
			any = true;
		}
	}
	strbuf_puts(out, any ? "." : "nothing.");
}

static enum err_code transfer(const void *state, const struct machine *machine, double wg_factor,
			      void **out, struct err *e)
{
	struct wavefront_model *m = calloc(1, sizeof *m);
	struct fit_input in = {.machine = machine};
	double p[WP_COUNT];
	enum err_code rc;

	if (!m)
		return err_set(e, ERR_NOMEM, "wavefront model");
	memcpy(m, state, sizeof *m);
	if (!machine->has_loggp && machine->n_segment == 0) {
		free(m);
		return err_set(
			e, ERR_ARG,
			"machine %s has no message costs: give loggp or segments in its file, or "
			"`lemnos calibrate` it from a ping-pong",
			machine->name);
	}
	if ((rc = wavefront_choose_cost(&in, m, e))) {
		free(m);
		return rc;
	}
	memcpy(p, m->time.p, sizeof p);
	p[WP_WG] += log(wg_factor);
	wavefront_time_set(&m->time, p);
	*out = m;
	return ERR_OK;
}

const struct predictor_kind predictor_kind_wavefront = {
	.name = "wavefront",
	.title = "pipelined wavefront model, calibrated",
	.structural = true,
	.applies = applies,
	.fit = wavefront_calibrate,
	.predict = predict,
	.trend_sd = wavefront_trend_sd,
	.lower_bound = lower_bound,
	.tunings_new = tunings_new,
	.tunings_least_s = tunings_least_s,
	.tunings_free = tunings_free,
	.breakdown = breakdown,
	.features = features,
	.feature_name = feature_name,
	.residual_design = wavefront_residual_design,
	.residual_point = wavefront_residual_point,
	.explain = explain,
	.store = wavefront_store,
	.load = wavefront_load,
	.transfer = transfer,
	.free = free,
};
