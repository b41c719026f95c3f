#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/point_model.h"
#include "mining/robust_fit.h"
#include "mining/wavefront_time.h"
#include "mining/wavefront_tunings.h"

/* The structural predictor of wavefront codes: calibrates wavefront_time.h on runs. */

struct wavefront_model {
	struct wavefront_time time;
	double std_error[WP_COUNT];
	double scale; /* robust spread of the fitted residuals, log time */
	size_t n_configs;
	char cost_origin[32]; /* "ping-pong", "machine file", "assumed" */
};

enum {
	MIN_CONFIGS = 8,      /* fewer than about a third of the parameters say nothing */
	MAX_CONFIGS = 4000,   /* a fit beyond this moves no parameter by its standard error */
	MIN_STEP_CONFIGS = 8, /* on either side of a step */
	MAX_STEPS = 12
};

#define MIN_SCALE 0.01 /* nobody's repeats agree better than 1 % */

/* Without any figure for the network: 10 us and 1 GB/s, and a_eager, a_block, a_fill adapt. */
static const struct cost_segment assumed_cost = {.intercept_s = 1e-5, .s_per_byte = 1e-9};

static bool applies(const struct application *app)
{
	size_t column[WC_COUNT];

	return app->model && !strcmp(app->model, "wavefront") && wavefront_time_bind(app, column);
}

/* The break at which the one-way cost changes most, relative to itself: where sends begin to block
 * is where a ping-pong curve jumps. 0: the curve has no break. */
static double largest_break(const struct cost_segment *segment, size_t n)
{
	double at = 0, most = 0;

	for (size_t i = 1; i < n; i++) {
		double b = segment[i].from_bytes;
		double before = segment[i - 1].intercept_s + segment[i - 1].s_per_byte * b;
		double after = segment[i].intercept_s + segment[i].s_per_byte * b;
		double jump = fabs(log(fmax(after, 1e-12) / fmax(before, 1e-12)));

		if (jump > most) {
			most = jump;
			at = b;
		}
	}
	return at;
}

/* Parameters in the machine's file outrank fitted ones. */
static enum err_code choose_cost(const struct fit_input *in, struct wavefront_model *m,
				 struct err *e)
{
	const struct machine *mc = in->machine;
	double blocking;

	if (mc->has_loggp || mc->n_segment > 0) {
		snprintf(m->cost_origin, sizeof m->cost_origin, "machine file");
		return message_cost_from_machine(mc, &m->time.cost, e);
	}
	if (in->n_segment > 0) {
		snprintf(m->cost_origin, sizeof m->cost_origin, "ping-pong");
		blocking = mc->blocking_bytes > 0 ? mc->blocking_bytes
						  : largest_break(in->segment, in->n_segment);
		return message_cost_from_segments(in->segment, in->n_segment, blocking,
						  MESSAGE_COST_OVERHEAD_SHARE, &m->time.cost, e);
	}
	snprintf(m->cost_origin, sizeof m->cost_origin, "assumed");
	return message_cost_from_segments(&assumed_cost, 1, mc->blocking_bytes,
					  MESSAGE_COST_OVERHEAD_SHARE, &m->time.cost, e);
}

/* ---- the fit ---- */

struct fit_arg {
	struct wavefront_time *time; /* scratch: p is set at each evaluation */
	const struct config_table *table;
	const size_t *pick; /* the configurations that take part */
	size_t n;
};

static void eval(const void *arg, const double *p, double *f, double *jac)
{
	const struct fit_arg *a = arg;

	wavefront_time_set(a->time, p);
	for (size_t i = 0; i < a->n; i++) {
		double t = wavefront_time_at(a->time, config_table_row(a->table, a->pick[i]),
					     jac ? jac + i * WP_COUNT : NULL, NULL);

		if (f)
			f[i] = log(t);
	}
}

/* The median time per cell and angle over the runs, as if nothing but computation were done: the
 * start value of log Wg. */
static double start_log_wg(const struct fit_arg *a, const double *y, double *work)
{
	for (size_t i = 0; i < a->n; i++) {
		const double *row = config_table_row(a->table, a->pick[i]);
		const size_t *c = a->time->column;
		double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]];
		double blocks =
			8 * ceil(row[c[WC_KT]] / row[c[WC_MK]]) * row[c[WC_MM]] / row[c[WC_MMI]];
		double cells = ceil(row[c[WC_IT_G]] / npe_i) * ceil(row[c[WC_JT_G]] / npe_j) *
			       row[c[WC_MK]] * row[c[WC_MMI]];

		work[i] = y[i] -
			  log(row[c[WC_ITERATIONS]] * row[c[WC_GROUPS]] * row[c[WC_TIMESTEPS]] *
			      (blocks + 2 * (npe_i - 1) + 4 * (npe_j - 1)) * cells);
	}
	return gsl_stats_median(work, 1, a->n);
}

/* Fit all parameters for one step. *fit and model are set. work[n]. */
static enum err_code fit_step(const struct fit_arg *a, const double *y, double step, double *work,
			      struct wavefront_model *m, struct robust_fit *fit, struct err *e)
{
	double prior[WP_COUNT], prior_sd[WP_COUNT], p[WP_COUNT];
	struct robust_problem q = {.n = a->n,
				   .n_params = WP_COUNT,
				   .y = y,
				   .prior = prior,
				   .prior_sd = prior_sd,
				   .eval = eval,
				   .arg = a,
				   .min_scale = MIN_SCALE};
	bool assumed = !strcmp(m->cost_origin, "assumed");
	enum err_code rc;

	a->time->step = step;
	for (int j = 0; j < WP_COUNT; j++) {
		p[j] = prior[j] = wavefront_param_info[j].prior;
		prior_sd[j] = wavefront_param_info[j].prior_sd;
	}
	for (int j = WP_EAGER; assumed && j <= WP_REDUCE; j++)
		prior_sd[j] = 3; /* a factor 20: only the shape of the cost is assumed */
	p[WP_WG] = prior[WP_WG] = start_log_wg(a, y, work);
	fit->std_error = m->std_error;
	if ((rc = robust_fit(&q, p, fit, e)))
		return rc;
	wavefront_time_set(a->time, p);
	m->time = *a->time;
	m->scale = fit->scale;
	return ERR_OK;
}

/* Values of it after which the inner loop might get longer to start: midway between two that were
 * seen, with enough configurations on both sides; at most MAX_STEPS, evenly taken. */
static size_t step_candidates(const struct fit_arg *a, double *its, double out[MAX_STEPS])
{
	double all[256];
	size_t n = 0, n_out;

	for (size_t i = 0; i < a->n; i++) {
		const double *row = config_table_row(a->table, a->pick[i]);

		its[i] = ceil(row[a->time->column[WC_IT_G]] / row[a->time->column[WC_NPE_I]]);
	}
	gsl_sort(its, 1, a->n);
	for (size_t i = MIN_STEP_CONFIGS; i + MIN_STEP_CONFIGS <= a->n && n < 256; i++) {
		/* beyond 64 cells an inner loop's start no longer shows */
		if (its[i] > its[i - 1] && its[i] <= 64)
			all[n++] = (its[i] + its[i - 1]) / 2;
	}
	n_out = n < MAX_STEPS ? n : MAX_STEPS;
	for (size_t k = 0; k < n_out; k++)
		out[k] = all[n <= MAX_STEPS ? k : k * (n - 1) / (MAX_STEPS - 1)];
	return n_out;
}

/* The step that explains the times best, if it earns its two parameters (place and size) by the
 * Bayesian information criterion, 2 log n; the objective counts in units of its own scale. */
static enum err_code fit_steps(const struct fit_arg *a, const double *y, double *work,
			       const struct progress *progress, struct wavefront_model *m,
			       struct err *e)
{
	struct wavefront_model best, trial = *m;
	struct robust_fit fit = {0};
	double step[MAX_STEPS], least;
	size_t n_steps = step_candidates(a, work, step);
	enum err_code rc;

	if ((rc = fit_step(a, y, INFINITY, work, &trial, &fit, e)))
		return rc;
	best = trial;
	least = fit.objective - 2 * log((double)a->n) * fit.scale / MIN_SCALE;
	for (size_t k = 0; k < n_steps; k++) {
		struct err ignored = {0};

		if (!progress_step(progress, "calibrating", k, n_steps))
			return err_set(e, ERR_INTERRUPTED, "calibration interrupted");
		/* a step whose fit fails is a step that does not explain the times */
		if (!fit_step(a, y, step[k], work, &trial, &fit, &ignored) &&
		    fit.objective < least) {
			least = fit.objective;
			best = trial;
		}
	}
	*m = best;
	return ERR_OK;
}

/* At most MAX_CONFIGS of n, evenly: runs come in no order that matters to a fit. */
static size_t pick_configs(size_t n, size_t *pick)
{
	size_t n_pick = n < MAX_CONFIGS ? n : MAX_CONFIGS;

	for (size_t i = 0; i < n_pick; i++)
		pick[i] = n <= MAX_CONFIGS ? i : (size_t)((double)i * (double)n / MAX_CONFIGS);
	return n_pick;
}

static enum err_code fit(const struct config_table *t, const struct fit_input *in, const void *like,
			 void **state, struct err *e)
{
	const struct wavefront_model *known = like;
	struct robust_fit ignored;
	struct wavefront_model *m = calloc(1, sizeof *m);
	struct wavefront_time scratch;
	size_t *pick = calloc(t->n + 1, sizeof *pick);
	double *y = calloc(t->n + 1, sizeof *y), *work = calloc(t->n + 1, sizeof *work);
	struct fit_arg a = {.time = &scratch, .table = t, .pick = pick};
	enum err_code rc;

	if (!m || !pick || !y || !work) {
		rc = err_set(e, ERR_NOMEM, "wavefront fit to %zu configurations", t->n);
		goto done;
	}
	if (t->n < MIN_CONFIGS) {
		rc = err_set(
			e, ERR_NODATA,
			"%zu configuration%s: the wavefront model wants %d or more to calibrate on",
			t->n, t->n == 1 ? "" : "s", MIN_CONFIGS);
		goto done;
	}
	if (!wavefront_time_bind(t->app, m->time.column)) {
		rc = err_set(e, ERR_ARG, "application %s lacks columns of the wavefront model",
			     t->app->name);
		goto done;
	}
	if ((rc = choose_cost(in, m, e)))
		goto done;
	a.n = pick_configs(t->n, pick);
	for (size_t i = 0; i < a.n; i++)
		y[i] = log(t->time_s[pick[i]]);
	scratch = m->time;
	m->n_configs = t->n;
	rc = known ? fit_step(&a, y, known->time.step, work, m, &ignored, e)
		   : fit_steps(&a, y, work, in->progress, m, e);
	if (rc)
		goto done;
	*state = m;
	m = NULL;
done:
	free(m);
	free(pick);
	free(y);
	free(work);
	return rc;
}

/* ---- use ---- */

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
	strbuf_printf(out, "Message costs: %s", m->cost_origin);
	if (isfinite(blocking_bytes(&m->time.cost)))
		strbuf_printf(out, ", sends block from %g bytes", blocking_bytes(&m->time.cost));
	strbuf_puts(out, ". Not told by these runs: ");
	for (int j = 0; j < WP_COUNT; j++) {
		if (!identified(m, j)) {
			strbuf_printf(out, "%s%s", any ? ", " : "", wavefront_param_info[j].name);
			any = true;
		}
	}
	strbuf_puts(out, any ? "." : "nothing.");
}

/* ---- storage ---- */

/* The numbered parameters of one range of the message cost, as they are called in a fit. */
enum range_field { FROM_BYTES, TOTAL_S, TOTAL_S_PER_BYTE, BLOCKS, RANGE_FIELDS };
static const struct {
	const char *name, *unit, *meaning;
} range_field[RANGE_FIELDS] = {
	[FROM_BYTES] = {"from_bytes", "bytes", "messages of this size and more"},
	[TOTAL_S] = {"total_s", "s", "one-way cost, constant part"},
	[TOTAL_S_PER_BYTE] = {"total_s_per_byte", "s/byte", "one-way cost, slope"},
	[BLOCKS] = {"blocks", "1", "1: the send waits for the receive"},
};

static enum err_code store_cost(const struct message_cost *c, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->n_range; i++) {
		const struct message_range *r = &c->range[i];
		const double value[RANGE_FIELDS] = {r->from_bytes, r->total_s, r->total_s_per_byte,
						    r->blocks ? 1 : 0};

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
	char name[64];

	snprintf(name, sizeof name, "message_%zu_%s", i, range_field[f].name);
	return kb_fit_value(fit, name);
}

static void load_cost(const struct kb_fit *fit, struct message_cost *c)
{
	memset(c, 0, sizeof *c);
	while (c->n_range <= MESSAGE_COST_MAX_SEGMENTS &&
	       !isnan(range_value(fit, c->n_range, FROM_BYTES))) {
		struct message_range *r = &c->range[c->n_range];

		r->from_bytes = range_value(fit, c->n_range, FROM_BYTES);
		r->total_s = range_value(fit, c->n_range, TOTAL_S);
		r->total_s_per_byte = range_value(fit, c->n_range, TOTAL_S_PER_BYTE);
		r->blocks = range_value(fit, c->n_range, BLOCKS) > 0;
		c->n_range++;
	}
}

static const char *const cost_origins[] = {"assumed", "ping-pong", "machine file"};

static enum err_code store(const void *state, struct kb_fit *fit, struct err *e)
{
	const struct wavefront_model *m = state;
	enum err_code rc = ERR_OK;

	for (int j = 0; j < WP_COUNT && !rc; j++)
		rc = kb_fit_add(fit, wavefront_param_info[j].name, m->time.p[j], m->std_error[j],
				wavefront_param_info[j].unit, wavefront_param_info[j].meaning, e);
	for (int k = 0; k < 3 && !rc; k++) {
		if (!strcmp(m->cost_origin, cost_origins[k]))
			rc = kb_fit_add(fit, "message_origin", k, NAN, "",
					"0 assumed, 1 ping-pong, 2 machine file", e);
	}
	if (rc ||
	    (rc = kb_fit_add(fit, "step", isfinite(m->time.step) ? m->time.step : 0, NAN, "cells",
			     "inner loops longer than this start more slowly; 0: none", e)) ||
	    (rc = kb_fit_add(fit, "scale", m->scale, NAN, "log s", "robust misfit", e)) ||
	    (rc = kb_fit_add(fit, "n_configs", (double)m->n_configs, NAN, "", "configurations", e)))
		return rc;
	return store_cost(&m->time.cost, fit, e);
}

static enum err_code load(const struct kb_fit *fit, const struct application *app, void **state,
			  struct err *e)
{
	struct wavefront_model *m = calloc(1, sizeof *m);
	double p[WP_COUNT], step = kb_fit_value(fit, "step");
	int origin = (int)kb_fit_value(fit, "message_origin");

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
	load_cost(fit, &m->time.cost);
	if (!wavefront_time_bind(app, m->time.column) || m->time.cost.n_range == 0) {
		free(m);
		return err_set(e, ERR_NOTMINED,
			       "the fit does not suit application %s: run `lemnos mine`",
			       app->name);
	}
	wavefront_time_set(&m->time, p);
	m->time.step = step > 0 ? step : INFINITY;
	m->scale = kb_fit_value(fit, "scale");
	m->n_configs = (size_t)kb_fit_value(fit, "n_configs");
	snprintf(m->cost_origin, sizeof m->cost_origin, "%s",
		 cost_origins[origin >= 0 && origin < 3 ? origin : 0]);
	*state = m;
	return ERR_OK;
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
	if ((rc = choose_cost(&in, m, e))) {
		free(m);
		return rc;
	}
	memcpy(p, m->time.p, sizeof p);
	p[WP_WG] += log(wg_factor);
	wavefront_time_set(&m->time, p);
	*out = m;
	return ERR_OK;
}

const struct point_model point_model_wavefront = {
	.name = "wavefront",
	.title = "pipelined wavefront model, calibrated",
	.structural = true,
	.applies = applies,
	.fit = fit,
	.predict = predict,
	.lower_bound = lower_bound,
	.tunings_new = tunings_new,
	.tunings_least_s = tunings_least_s,
	.tunings_free = tunings_free,
	.breakdown = breakdown,
	.features = features,
	.feature_name = feature_name,
	.explain = explain,
	.store = store,
	.load = load,
	.transfer = transfer,
	.free = free,
};
