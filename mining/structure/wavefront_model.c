#include "mining/structure/wavefront_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/structure/wavefront_tunings.h"

enum input {
	IN_IT,
	IN_JT,
	IN_KT,
	IN_MK,
	IN_MMI,
	IN_FIXED_UP, /* iterations with flux fix-ups: another inner loop */
	IN_PARTIAL,  /* the last k block is not full */
	IN_NPE_I,
	IN_NPE_J,
	IN_EW_BYTES,
	IN_NS_BYTES,
	IN_CELLS,
	N_INPUTS
};

#define BIT(i) (UINT32_C(1) << (i))

/* Likely sizes in log time: formulas of this kind are right to about a tenth for the computation,
 * and better for the rest, where messages are few. */
#define SHAPE_SD 0.1
#define GRID_SD 0.03
#define NOISE_SD 0.02
/* The time of loops jumps from one length to another (remainders of vectors, cache lines): what a
 * loop tells of one e times as long is little. Fix-ups make it another loop altogether. */
#define LOOP_LENGTH 1.0
#define FIX_LENGTH 0.2

void wavefront_residual_design(const void *state, struct gp_design *out)
{
	(void)state;
	*out = (struct gp_design){
		.n_inputs = N_INPUTS,
		.n_factors = 1,
		.n_parts = 2,
		.categorical = BIT(IN_FIXED_UP) | BIT(IN_PARTIAL),
		.noise_prior = NOISE_SD,
		.length_prior =
			{[IN_IT] = LOOP_LENGTH, [IN_JT] = LOOP_LENGTH, [IN_FIXED_UP] = FIX_LENGTH},
		.part = {
			{.shape = GP_MATERN_52,
			 .inputs = BIT(IN_IT) | BIT(IN_JT) | BIT(IN_KT) | BIT(IN_MK) | BIT(IN_MMI) |
				   BIT(IN_FIXED_UP) | BIT(IN_PARTIAL),
			 .factor = 0,
			 .sd_prior = SHAPE_SD},
			{.shape = GP_MATERN_52,
			 .inputs = BIT(IN_NPE_I) | BIT(IN_NPE_J) | BIT(IN_EW_BYTES) |
				   BIT(IN_NS_BYTES) | BIT(IN_CELLS),
			 .factor = -1,
			 .sd_prior = GRID_SD},
		}};
}

double wavefront_residual_share(const struct breakdown *parts)
{
	return (parts->compute_s + parts->fill_s + parts->other_s) / breakdown_total_s(parts);
}

void wavefront_residual_inputs(const void *state, const double *row, double *z)
{
	const struct wavefront_model *m = state;
	const size_t *c = m->time.column;
	const double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]], kt = row[c[WC_KT]];
	const double it = ceil(row[c[WC_IT_G]] / npe_i), jt = ceil(row[c[WC_JT_G]] / npe_j);
	const double mk = row[c[WC_MK]], mmi = row[c[WC_MMI]];

	z[IN_IT] = log(it);
	z[IN_JT] = log(jt);
	z[IN_KT] = log(kt);
	z[IN_MK] = log(mk);
	z[IN_MMI] = log(mmi);
	z[IN_FIXED_UP] = row[c[WC_ITERATIONS]] > 7;
	z[IN_PARTIAL] = fmod(kt, mk) > 0;
	z[IN_NPE_I] = log(npe_i);
	z[IN_NPE_J] = log(npe_j);
	z[IN_EW_BYTES] = log(jt * mk * mmi);
	z[IN_NS_BYTES] = log(it * mk * mmi);
	z[IN_CELLS] = log(it * jt * kt);
}

void wavefront_residual_point(const void *state, const double *row, double *z, double *factor)
{
	const struct wavefront_model *m = state;
	struct breakdown parts;

	wavefront_time_at(&m->time, row, NULL, &parts);
	wavefront_residual_inputs(state, row, z);
	factor[0] = wavefront_residual_share(&parts);
}

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

#define POSTERIOR "structure_posterior_"

/* The calibrated model as named numbers in the knowledge base, and back. */

/* The numbered parameters of one range of the message cost, as they are called in a fit. */
enum range_field {
	FROM_BYTES,
	TOTAL_S,
	TOTAL_S_PER_BYTE,
	SEND_S,
	RECEIVE_S,
	RECEIVE_S_PER_BYTE,
	SYNC_S,
	LATENCY_S,
	BLOCKS,
	RANGE_FIELDS
};
static const struct {
	const char *name, *unit, *meaning;
} range_field[RANGE_FIELDS] = {
	[FROM_BYTES] = {"from_bytes", "bytes", "messages of this size and more"},
	[TOTAL_S] = {"total_s", "s", "one-way cost, constant part"},
	[TOTAL_S_PER_BYTE] = {"total_s_per_byte", "s/byte", "one-way cost, slope"},
	[SEND_S] = {"send_s", "s", "the sender's call"},
	[RECEIVE_S] = {"receive_s", "s", "the receiver's call, constant part"},
	[RECEIVE_S_PER_BYTE] = {"receive_s_per_byte", "s/byte", "the receiver's call, slope"},
	[SYNC_S] = {"sync_s", "s", "latency paid for each wait on the other side"},
	[LATENCY_S] = {"latency_s", "s", "latency, whether the send waits or not"},
	[BLOCKS] = {"blocks", "1", "1: the send waits for the receive"},
};

static enum err_code store_cost(const struct message_cost *c, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->n_range; i++) {
		const struct message_range *r = &c->range[i];
		const double value[RANGE_FIELDS] = {
			r->from_bytes, r->total_s,   r->total_s_per_byte,
			r->send_s,     r->receive_s, r->receive_s_per_byte,
			r->sync_s,     r->latency_s, r->blocks ? 1 : 0};

		for (int f = 0; f < RANGE_FIELDS && !rc; f++) {
			char name[64];

			snprintf(name, sizeof name, "message_%zu_%s", i, range_field[f].name);
			rc = kb_fit_add(fit, name, value[f], NAN, range_field[f].unit,
					range_field[f].meaning, e);
		}
	}
	return rc;
}

static double range_value(const struct kb_fit *fit, size_t i, enum range_field f)
{
	return kb_fit_number(fit, "message_%zu_%s", i, range_field[f].name);
}

/* false: there is no range, or a number of one is missing or none. */
static bool load_cost(const struct kb_fit *fit, struct message_cost *c)
{
	memset(c, 0, sizeof *c);
	while (c->n_range <= MESSAGE_COST_MAX_SEGMENTS &&
	       !isnan(range_value(fit, c->n_range, FROM_BYTES))) {
		struct message_range *r = &c->range[c->n_range];
		double value[RANGE_FIELDS];

		for (int f = 0; f < RANGE_FIELDS; f++) {
			value[f] = range_value(fit, c->n_range, (enum range_field)f);
			if (!isfinite(value[f]))
				return false;
		}
		*r = (struct message_range){.from_bytes = value[FROM_BYTES],
					    .total_s = value[TOTAL_S],
					    .total_s_per_byte = value[TOTAL_S_PER_BYTE],
					    .send_s = value[SEND_S],
					    .receive_s = value[RECEIVE_S],
					    .receive_s_per_byte = value[RECEIVE_S_PER_BYTE],
					    .sync_s = value[SYNC_S],
					    .latency_s = value[LATENCY_S],
					    .blocks = value[BLOCKS] > 0};
		c->n_range++;
	}
	return c->n_range > 0;
}

enum err_code wavefront_store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct wavefront_model *m = state;
	enum err_code rc = ERR_OK;

	for (int j = 0; j < WP_COUNT && !rc; j++)
		rc = kb_fit_add(fit, wavefront_param_info[j].name, m->time.p[j], m->std_error[j],
				wavefront_param_info[j].unit, wavefront_param_info[j].meaning, e);
	if (!rc)
		rc = kb_fit_add(fit, "message_origin", m->cost_origin, NAN, "",
				"0 assumed, 1 ping-pong, 2 machine file", e);
	if (rc ||
	    (rc = kb_fit_add(fit, "step", isfinite(m->time.step) ? m->time.step : 0, NAN, "cells",
			     "inner loops longer than this start more slowly; 0: none", e)) ||
	    (rc = kb_fit_add(fit, "scale", m->scale, NAN, "log s", "robust misfit", e)) ||
	    (rc = kb_fit_add(fit, "n_configs", (double)m->n_configs, NAN, "", "configurations", e)))
		return rc;
	if ((rc = triangle_store(POSTERIOR, m->posterior, WP_COUNT, fit, e)))
		return rc;
	return store_cost(&m->time.cost, fit, e);
}

enum err_code wavefront_load(const struct kb_fit *fit, const struct application *app, void **state,
			     struct err *e)
{
	struct wavefront_model *m = calloc(1, sizeof *m);
	double p[WP_COUNT], step = kb_fit_value(fit, "step");
	double origin = kb_fit_value(fit, "message_origin"),
	       n_configs = kb_fit_value(fit, "n_configs");

	if (!m)
		return err_set(e, ERR_NOMEM, "wavefront model");
	for (int j = 0; j < WP_COUNT; j++) {
		p[j] = kb_fit_value(fit, wavefront_param_info[j].name);
		if (!isfinite(p[j])) {
			free(m);
			return err_set(e, ERR_NOTMINED,
				       "the fit lacks parameter %s: run `lemnos mine`",
				       wavefront_param_info[j].name);
		}
	}
	for (size_t i = 0; i < fit->n_param; i++) {
		for (int j = 0; j < WP_COUNT; j++) {
			if (!strcmp(fit->param[i].name, wavefront_param_info[j].name))
				m->std_error[j] = fit->param[i].std_error;
		}
	}
	if (!wavefront_time_bind(app, m->time.column) || !load_cost(fit, &m->time.cost) ||
	    !triangle_load(fit, POSTERIOR, m->posterior, WP_COUNT) ||
	    !(n_configs >= 1 && n_configs < 1e15)) {
		free(m);
		return err_set(e, ERR_NOTMINED,
			       "the fit does not suit application %s: run `lemnos mine`",
			       app->name);
	}
	wavefront_time_set(&m->time, p);
	m->time.step = step > 0 ? step : INFINITY;
	m->scale = kb_fit_value(fit, "scale");
	m->n_configs = (size_t)n_configs;
	m->cost_origin =
		origin >= 0 && origin < COST_ORIGINS ? (enum cost_origin)(int)origin : COST_ASSUMED;
	*state = m;
	return ERR_OK;
}
