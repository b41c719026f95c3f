#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/numerics/linear_posterior.h"
#include "mining/numerics/robust_fit.h"
#include "mining/structure/wavefront_model.h"

/* Calibration: the parameters of wavefront_time.h from runs. */

enum {
	MIN_CONFIGS = 8,      /* fewer than about a third of the parameters say nothing */
	MIN_FOLD_CONFIGS = 4, /* a part of those of a fit, to see how far off that is */
	MAX_CONFIGS = 4000,   /* a fit beyond this moves no parameter by its standard error */
	/* Of a part of those of a fit, and to propose a step: a quarter leaves parameters twice as
	 * open, which is little beside what the formula leaves of times. */
	MAX_FOLD_CONFIGS = 1000,
	MIN_STEP_CONFIGS = 8, /* on either side of a step */
	MAX_STEPS = 12
};

#define MIN_SCALE 0.01 /* nobody's repeats agree better than 1 % */

/* Without any figure for the network: 10 us and 1 GB/s, and a_eager, a_block, a_fill adapt. */
static const struct cost_segment assumed_cost = {.intercept_s = 1e-5, .s_per_byte = 1e-9};

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

enum err_code wavefront_choose_cost(const struct fit_input *in, struct wavefront_model *m,
				    struct err *e)
{
	const struct machine *mc = in->machine;
	double blocking;

	if (mc->has_loggp || mc->n_segment > 0) {
		m->cost_origin = COST_MACHINE_FILE;
		return message_cost_from_machine(mc, &m->time.cost, e);
	}
	if (in->n_segment > 0) {
		m->cost_origin = COST_PINGPONG;
		blocking = mc->blocking_bytes > 0 ? mc->blocking_bytes
						  : largest_break(in->segment, in->n_segment);
		return message_cost_from_segments(
			in->segment, in->n_segment, blocking,
			message_cost_overhead_share(mc->overhead_s, in->segment), &m->time.cost, e);
	}
	m->cost_origin = COST_ASSUMED;
	return message_cost_from_segments(&assumed_cost, 1, mc->blocking_bytes,
					  MESSAGE_COST_OVERHEAD_SHARE, &m->time.cost, e);
}

/* ---- the fit ---- */

struct fit_arg {
	struct wavefront_time *time; /* scratch: p is set at each evaluation */
	const struct config_table *table;
	size_t *pick;		       /* the configurations that take part */
	struct wavefront_point *point; /* n: they, as the formula sees them */
	double *y;		       /* n: log of their times */
	double *weight;		       /* n: what they count */
	size_t n;
};

static void eval(const void *arg, const double *p, double *f, double *jac)
{
	const struct fit_arg *a = arg;

	wavefront_time_set(a->time, p);
	for (size_t i = 0; i < a->n; i++) {
		double t = wavefront_time_of(a->time, &a->point[i], jac ? jac + i * WP_COUNT : NULL,
					     NULL);

		if (f)
			f[i] = log(t);
	}
}

/* The median time per cell and angle over the runs, as if nothing but computation were done: the
 * start value of log Wg. */
static double start_log_wg(const struct fit_arg *a, double *work)
{
	for (size_t i = 0; i < a->n; i++) {
		const double *row = config_table_row(a->table, a->pick[i]);
		const size_t *c = a->time->column;
		double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]];
		double blocks =
			8 * ceil(row[c[WC_KT]] / row[c[WC_MK]]) * row[c[WC_MM]] / row[c[WC_MMI]];
		double cells = ceil(row[c[WC_IT_G]] / npe_i) * ceil(row[c[WC_JT_G]] / npe_j) *
			       row[c[WC_MK]] * row[c[WC_MMI]];

		work[i] = a->y[i] -
			  log(row[c[WC_ITERATIONS]] * row[c[WC_GROUPS]] * row[c[WC_TIMESTEPS]] *
			      (blocks + 2 * (npe_i - 1) + 4 * (npe_j - 1)) * cells);
	}
	return gsl_stats_median(work, 1, a->n);
}

/* How far parameters are allowed from their prior. */
static void prior_sds(const struct wavefront_model *m, double prior_sd[WP_COUNT])
{
	for (int j = 0; j < WP_COUNT; j++)
		prior_sd[j] = wavefront_param_info[j].prior_sd;
	for (int j = WP_EAGER; m->cost_origin == COST_ASSUMED && j <= WP_REDUCE; j++)
		prior_sd[j] = 3; /* a factor 20: only the shape of the cost is assumed */
}

/* Fit all parameters for one step. *fit and model are set. work[n]. */
static enum err_code fit_step(const struct fit_arg *a, double step, double *work,
			      struct wavefront_model *m, struct robust_fit *fit, struct err *e)
{
	double prior[WP_COUNT], prior_sd[WP_COUNT], p[WP_COUNT];
	bool is_log_amount[WP_COUNT];
	struct robust_problem q = {.n = a->n,
				   .n_params = WP_COUNT,
				   .y = a->y,
				   .weight = a->weight,
				   .prior = prior,
				   .prior_sd = prior_sd,
				   .eval = eval,
				   .arg = a,
				   .is_log_amount = is_log_amount,
				   .min_scale = MIN_SCALE};
	enum err_code rc;

	a->time->step = step;
	prior_sds(m, prior_sd);
	for (int j = 0; j < WP_COUNT; j++) {
		p[j] = prior[j] = wavefront_param_info[j].prior;
		is_log_amount[j] = j == WP_WG || j >= WP_N_PHI;
	}
	p[WP_WG] = prior[WP_WG] = start_log_wg(a, work);
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

/* Of these steps the one that explains the times best, if it earns its two parameters (place and
 * size) by the Bayesian information criterion, 2 log n; the objective counts in units of its own
 * scale. */
static enum err_code fit_steps(const struct fit_arg *a, const double *step, size_t n_steps,
			       double *work, const struct progress *progress,
			       struct wavefront_model *m, struct err *e)
{
	struct wavefront_model best, trial = *m;
	struct robust_fit fit = {0};
	double least;
	enum err_code rc;

	if ((rc = fit_step(a, INFINITY, work, &trial, &fit, e)))
		return rc;
	best = trial;
	least = fit.objective - 2 * log((double)a->n) * fit.scale / MIN_SCALE;
	for (size_t k = 0; k < n_steps; k++) {
		struct err why = {0};

		if (!progress_step(progress, "calibrating", k, n_steps))
			return err_set(e, ERR_INTERRUPTED, "calibration interrupted");
		rc = fit_step(a, step[k], work, &trial, &fit, &why);
		/* a step whose fit fails is a step that does not explain the times */
		if (rc && rc != ERR_NUMERIC)
			return err_set(e, rc, "%s", why.msg);
		if (!rc && fit.objective < least) {
			least = fit.objective;
			best = trial;
		}
	}
	*m = best;
	return ERR_OK;
}

/* ---- what the runs leave open ---- */

/* How many parameters n observations tell: the trace of the hat matrix, sum_i w_i j_i' A^-1 j_i /
 * s^2. */
static double n_told(const double *jac, const double *weight, size_t n, const double *factor,
		     double s)
{
	double work[WP_COUNT], told = 0;

	for (size_t i = 0; i < n; i++) {
		double sd = linear_posterior_sd(factor, WP_COUNT, jac + i * WP_COUNT, work);

		told += weight[i] * sd * sd / (s * s);
	}
	return told;
}

/* The posterior of the parameters by the formula's first derivatives at its fit (Laplace's
 * approximation). What the formula leaves of log time has a variance that few runs tell: they are
 * mixed with PRIOR_RUNS residuals of PRIOR_MISFIT, and parameters that they tell take as many
 * degrees of freedom (Gelman et al., "Bayesian Data Analysis", 3rd ed., 2013, section 2.6). */
#define PRIOR_RUNS 3
#define PRIOR_MISFIT 0.03

static enum err_code learn_posterior(const struct fit_arg *a, struct wavefront_model *m,
				     struct err *e)
{
	double prior_sd[WP_COUNT], s = fmax(m->scale, PRIOR_MISFIT), left;
	double *jac = calloc(a->n * WP_COUNT + 1, sizeof *jac);
	enum err_code rc;

	if (!jac)
		return err_set(e, ERR_NOMEM, "posterior of the wavefront formula");
	prior_sds(m, prior_sd);
	a->time->step = m->time.step;
	eval(a, m->time.p, NULL, jac);
	if (!(rc = linear_posterior_factor(jac, a->weight, a->n, WP_COUNT, prior_sd, s,
					   m->posterior, e))) {
		left = fmax((double)a->n - n_told(jac, a->weight, a->n, m->posterior, s), 0);
		s = sqrt(((double)a->n * m->scale * m->scale +
			  PRIOR_RUNS * PRIOR_MISFIT * PRIOR_MISFIT) /
			 (left + PRIOR_RUNS));
		rc = linear_posterior_factor(jac, a->weight, a->n, WP_COUNT, prior_sd, s,
					     m->posterior, e);
	}
	free(jac);
	return rc;
}

/* At most so many of the table: a->n, and the arrays. */
static void take_configs(struct fit_arg *a, size_t most)
{
	a->n = config_table_pick(a->table, most, a->pick);
	for (size_t i = 0; i < a->n; i++) {
		a->y[i] = log(a->table->time_s[a->pick[i]]);
		a->weight[i] = config_table_weight(a->table, a->pick[i]);
		wavefront_point_read(a->time, config_table_row(a->table, a->pick[i]), &a->point[i]);
	}
}

/* Where there are many configurations, a part of them proposes a step, if any, and as many as a fit
 * takes judge it. known (may be NULL): its step is kept. */
static enum err_code fit_all(struct fit_arg *a, const struct wavefront_model *known, double *work,
			     const struct progress *progress, struct wavefront_model *m,
			     struct err *e)
{
	struct robust_fit ignored;
	double step[MAX_STEPS] = {0};
	size_t n_steps;
	enum err_code rc;

	take_configs(a, MAX_FOLD_CONFIGS);
	if (known)
		return fit_step(a, known->time.step, work, m, &ignored, e);
	n_steps = step_candidates(a, work, step);
	if ((rc = fit_steps(a, step, n_steps, work, progress, m, e)) || a->n == a->table->n)
		return rc;
	n_steps = isfinite(m->time.step) ? 1 : 0;
	step[0] = m->time.step;
	take_configs(a, MAX_CONFIGS);
	return fit_steps(a, step, n_steps, work, progress, m, e);
}

enum err_code wavefront_calibrate(const struct config_table *t, const struct fit_input *in,
				  const void *like, void **state, struct err *e)
{
	struct wavefront_model *m = calloc(1, sizeof *m);
	struct wavefront_time scratch;
	const size_t most = t->n < MAX_CONFIGS ? t->n : MAX_CONFIGS;
	size_t *pick = calloc(most + 1, sizeof *pick);
	double *y = calloc(most + 1, sizeof *y), *work = calloc(most + 1, sizeof *work);
	double *weight = calloc(most + 1, sizeof *weight);
	struct wavefront_point *point = calloc(most + 1, sizeof *point);
	struct fit_arg a = {.time = &scratch,
			    .table = t,
			    .pick = pick,
			    .point = point,
			    .y = y,
			    .weight = weight};
	enum err_code rc;

	if (!m || !pick || !y || !work || !weight || !point) {
		rc = err_set(e, ERR_NOMEM, "wavefront fit to %zu configurations", t->n);
		goto done;
	}
	if (t->n < (like ? MIN_FOLD_CONFIGS : MIN_CONFIGS)) {
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
	if ((rc = wavefront_choose_cost(in, m, e)))
		goto done;
	scratch = m->time;
	m->n_configs = t->n;
	if ((rc = fit_all(&a, like, work, in->progress, m, e)) || (rc = learn_posterior(&a, m, e)))
		goto done;
	*state = m;
	m = NULL;
done:
	free(point);
	free(m);
	free(pick);
	free(y);
	free(work);
	free(weight);
	return rc;
}
