#include "mining/structure/wg_fit.h"

#include <math.h>
#include <stdlib.h>

#include "mining/numerics/robust_fit.h"
#include "mining/structure/wavefront_question.h"

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
struct fit_arg {
	const struct model_times *times;
	size_t k;
	const size_t *pick; /* [n] */
	size_t n;
	const double *shape_s, *z;
};

static void eval(const void *arg, const double *p, double *f, double *jac)
{
	const struct fit_arg *a = arg;

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
	struct fit_arg arg = {.times = times, .k = k, .pick = pick, .shape_s = shape_s, .z = z};
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
