#include "mining/structure/model_times.h"

#include <math.h>
#include <stdlib.h>

#include "mining/numerics/robust_fit.h"
#include "mining/structure/wavefront_time.h"

/* Of the Wg that is expected. */
static const double node_at[MODEL_TIMES_NODES] = {0.5, 0.75, 1, 1.35, 2};

/* ---- one configuration ---- */

/* Processes that share a node. */
static enum err_code set_tile(const struct application *a, const double *row,
			      struct model_input *in, struct err *e)
{
	double procs = (double)(in->sweep.npe_i * in->sweep.npe_j);
	double nodes = a->i_nodes == SIZE_MAX ? procs : row[a->i_nodes];

	return model_square_grid((int64_t)fmax(1, ceil(procs / nodes)), &in->tile_i, &in->tile_j,
				 e);
}

static enum err_code ask(const struct model *m, struct model_input *in, const double *Wg_s,
			 double *time_s, struct err *e)
{
	struct sweep_time time;
	enum err_code rc;

	for (int j = 0; j < MODEL_TIMES_NODES; j++) {
		in->run.Wg_s = in->run.Wg_fixup_s = Wg_s[j];
		if ((rc = model_run(m, in, &time, e)))
			return rc;
		time_s[j] = time.time_s;
	}
	return ERR_OK;
}

/* *n_answers counts. What a model refuses is no error here; the first reason is kept. */
static enum err_code ask_all(const struct model *m, const struct config_table *t,
			     const struct model_input *costs, const double *Wg_s, double *time_s,
			     size_t *n_answers, struct err *why, struct err *e)
{
	*n_answers = 0;
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i), *at = Wg_s + i * MODEL_TIMES_NODES;
		double *out = time_s + i * MODEL_TIMES_NODES;
		struct model_input in = *costs;
		enum err_code rc = wavefront_question(t->app, row, &in.sweep, &in.run, why);

		if (!rc && !(rc = set_tile(t->app, row, &in, why)))
			rc = ask(m, &in, at, out, why);
		if (rc == ERR_NOMEM)
			return err_set(e, rc, "%s", why->msg);
		for (int j = 0; rc && j < MODEL_TIMES_NODES; j++)
			out[j] = NAN;
		*n_answers += !rc;
	}
	return ERR_OK;
}

/* ---- all of them ---- */

static enum err_code allocate(struct model_times *m, size_t n_listed, struct err *e)
{
	m->model = calloc(n_listed, sizeof *m->model);
	m->refused = calloc(n_listed, sizeof *m->refused);
	m->Wg_s = calloc(m->n * MODEL_TIMES_NODES, sizeof *m->Wg_s);
	m->time_s = calloc(n_listed * m->n * MODEL_TIMES_NODES, sizeof *m->time_s);
	if (!m->model || !m->refused || !m->Wg_s || !m->time_s)
		return err_set(e, ERR_NOMEM, "times of %zu configurations by %zu models", m->n,
			       n_listed);
	return ERR_OK;
}

bool model_times_wants(const struct model *m)
{
	return !m->formula && !m->code;
}

enum err_code model_times_make(const struct config_table *t, const double *Wg_s,
			       const struct models_asked *asked, struct model_times *out,
			       struct err *e)
{
	const struct model_input costs = {.remote = asked->remote, .local = asked->local};
	struct model_times m = {.n = t->n};
	size_t n_answers;
	enum err_code rc = allocate(&m, asked->n, e);

	for (size_t i = 0; !rc && i < m.n * MODEL_TIMES_NODES; i++)
		m.Wg_s[i] = Wg_s[i / MODEL_TIMES_NODES] * node_at[i % MODEL_TIMES_NODES];
	for (size_t k = 0; !rc && k < asked->n; k++) {
		struct refused_model *refused = &m.refused[m.n_refused];
		double *time_s = m.time_s + m.n_models * m.n * MODEL_TIMES_NODES;

		if (!asked->take(&asked->model[k]))
			continue;
		if (!progress_step(asked->progress, "models", k, asked->n)) {
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
			break;
		}
		rc = ask_all(&asked->model[k], t, &costs, m.Wg_s, time_s, &n_answers, &refused->why,
			     e);
		if (n_answers > 0) {
			refused->why = (struct err){0};
			m.model[m.n_models++] = &asked->model[k];
		} else {
			refused->model = &asked->model[k];
			m.n_refused++;
		}
	}
	if (rc)
		model_times_release(&m);
	else
		*out = m;
	return rc;
}

void model_times_release(struct model_times *m)
{
	free(m->model);
	free(m->refused);
	free(m->Wg_s);
	free(m->time_s);
	*m = (struct model_times){0};
}

double model_times_at(const struct model_times *m, size_t k, size_t i, double Wg_s,
		      double *s_per_Wg)
{
	const double *x = m->Wg_s + i * MODEL_TIMES_NODES;
	const double *y = m->time_s + (k * m->n + i) * MODEL_TIMES_NODES;
	int j = 0;
	double slope;

	while (j < MODEL_TIMES_NODES - 2 && Wg_s > x[j + 1])
		j++;
	slope = (y[j + 1] - y[j]) / (x[j + 1] - x[j]);
	if (s_per_Wg)
		*s_per_Wg = slope;
	/* Towards Wg = 0 times end at what messages take, which is more than nothing. */
	return fmax(y[j] + slope * (Wg_s - x[j]), 0.01 * y[0]);
}

#define EXPONENT_SD 0.1
#define MIN_SCALE 0.01 /* nobody's repeats agree better than 1 % */

enum err_code wg_fit_inputs(const struct application *app, const double *row, double *z,
			    struct err *e)
{
	struct sweep_run run = {0};
	struct sweep_block block;
	struct sweep sweep;
	enum err_code rc;

	if ((rc = wavefront_question(app, row, &sweep, &run, e)) ||
	    (rc = sweep_block_of(&sweep, &block, e)))
		return rc;
	z[0] = 1;
	z[1] = log((double)block.it);
	z[2] = log((double)block.jt);
	z[3] = log((double)sweep.mk);
	z[4] = log((double)sweep.mmi);
	return ERR_OK;
}

double wg_fit_at(const double p[WG_FIT_PARAMS], double shape_s, const double *z)
{
	double log_factor = 0;

	for (int j = 0; j < WG_FIT_PARAMS; j++)
		log_factor += p[j] * z[j];
	return shape_s * exp(log_factor);
}

/* One fit under way: the configurations that take part. */
struct wg_fit_arg {
	const struct model_times *times;
	size_t k;
	const size_t *pick; /* [n] */
	size_t n;
	const double *shape_s, *z;
};

static void eval(const void *arg, const double *p, double *f, double *jac)
{
	const struct wg_fit_arg *a = arg;

	for (size_t i = 0; i < a->n; i++) {
		const double *z = a->z + a->pick[i] * WG_FIT_PARAMS;
		double Wg_s = wg_fit_at(p, a->shape_s[a->pick[i]], z), s_per_Wg;
		double time_s = model_times_at(a->times, a->k, a->pick[i], Wg_s, &s_per_Wg);

		if (f)
			f[i] = log(time_s);
		for (int j = 0; jac && j < WG_FIT_PARAMS; j++)
			jac[i * WG_FIT_PARAMS + (size_t)j] = z[j] * s_per_Wg * Wg_s / time_s;
	}
}

static size_t pick_training(const struct model_times *times, size_t k, const struct config_table *t,
			    const unsigned char *train, const double *shape_s, size_t *pick,
			    double *y, double *weight)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!train[i] || isnan(model_times_at(times, k, i, shape_s[i], NULL)))
			continue;
		y[n] = log(t->time_s[i]);
		weight[n] = config_table_weight(t, i);
		pick[n++] = i;
	}
	return n;
}

enum err_code wg_fit(const struct model_times *times, size_t k, const struct config_table *t,
		     const unsigned char *train, const double *shape_s, const double *z,
		     double p[WG_FIT_PARAMS], struct err *e)
{
	static const double prior[WG_FIT_PARAMS] = {0},
			    prior_sd[WG_FIT_PARAMS] = {(double)INFINITY, EXPONENT_SD, EXPONENT_SD,
						       EXPONENT_SD, EXPONENT_SD};
	double found[WG_FIT_PARAMS] = {0}, std_error[WG_FIT_PARAMS];
	struct robust_fit fit = {.std_error = std_error};
	size_t *pick = calloc(t->n + 1, sizeof *pick);
	double *y = calloc(t->n + 1, sizeof *y), *weight = calloc(t->n + 1, sizeof *weight);
	struct wg_fit_arg arg = {.times = times, .k = k, .pick = pick, .shape_s = shape_s, .z = z};
	struct robust_problem q = {.n_params = WG_FIT_PARAMS,
				   .y = y,
				   .weight = weight,
				   .prior = prior,
				   .prior_sd = prior_sd,
				   .eval = eval,
				   .arg = &arg,
				   .min_scale = MIN_SCALE};
	struct err why = {0};
	enum err_code rc;

	if (!pick || !y || !weight) {
		rc = err_set(e, ERR_NOMEM, "Wg of %zu configurations", t->n);
		goto done;
	}
	q.n = arg.n = pick_training(times, k, t, train, shape_s, pick, y, weight);
	rc = robust_fit(&q, found, &fit, &why);
	if (rc == ERR_NOMEM) {
		err_set(e, rc, "%s", why.msg);
		goto done;
	}
	for (int j = 0; j < WG_FIT_PARAMS; j++)
		p[j] = rc ? 0 : found[j];
	rc = ERR_OK;
done:
	free(pick);
	free(y);
	free(weight);
	return rc;
}
