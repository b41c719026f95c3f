#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_multimin.h>

#include "mining/gp/gaussian_process_private.h"

/* Hyperparameters by type II maximum a posteriori (Rasmussen and Williams, eqs. 5.8 and 5.9). */

/* Spread of the priors on logs: within a factor of e^1.5 = 4.5 either way is ordinary. Of noise
 * more is known: repeats show it. */
#define PRIOR_LOG_LENGTH 1.0
#define PRIOR_LOG_SD 1.5
#define PRIOR_LOG_NOISE 1.0

/* Largest step of the first line search, in logs; how exact a line search is (GSL's manual). */
#define FIRST_STEP 0.3
#define LINE_TOLERANCE 0.1
/* Gains of log evidence below this are not worth a step. */
#define WORTH_A_STEP 0.05

void gp_prior(const struct gp_design *design, const struct gp_points *points, struct gp_hyper *out)
{
	for (size_t i = 0; i < design->n_inputs; i++) {
		const double *z = points->z + i * points->stride;
		double lo = z[0], hi = z[0];

		for (size_t j = 1; j < points->n; j++) {
			lo = fmin(lo, z[j]);
			hi = fmax(hi, z[j]);
		}
		if (design->categorical >> i & 1 || !(hi > lo))
			hi = lo + 1;
		if (design->length_prior[i] > 0)
			hi = lo + design->length_prior[i];
		for (size_t k = 0; k < design->n_parts; k++)
			out->log_length[k][i] = log(hi - lo);
	}
	for (size_t k = 0; k < design->n_parts; k++)
		out->log_sd[k] = log(design->part[k].sd_prior);
	out->log_noise = log(design->noise_prior);
}

/* The hyperparameters in use as one list, in which place k is *place(h, k). */
static double *place(const struct gp_design *d, struct gp_hyper *h, size_t k)
{
	if (k == 0)
		return &h->log_noise;
	k--;
	for (size_t p = 0; p < d->n_parts; p++) {
		if (k-- == 0)
			return &h->log_sd[p];
		for (size_t i = 0; i < d->n_inputs; i++) {
			if ((d->part[p].inputs >> i & 1) && k-- == 0)
				return &h->log_length[p][i];
		}
	}
	return NULL;
}

static size_t n_places(const struct gp_design *d)
{
	struct gp_hyper h;
	size_t n = 0;

	while (place(d, &h, n))
		n++;
	return n;
}

static double prior_term(double x, double centre, double spread, double *slope)
{
	double u = (x - centre) / spread;

	*slope -= u / spread;
	return -0.5 * u * u;
}

static double add_priors(const struct gaussian_process *gp, struct gp_hyper *grad)
{
	const struct gp_design *d = &gp->kernel.design;
	const struct gp_hyper *h = &gp->hyper;
	struct gp_hyper centre;
	double sum;

	gp_prior(d, &gp->points, &centre);
	sum = prior_term(h->log_noise, centre.log_noise, PRIOR_LOG_NOISE, &grad->log_noise);
	for (size_t k = 0; k < d->n_parts; k++) {
		sum += prior_term(h->log_sd[k], centre.log_sd[k], PRIOR_LOG_SD, &grad->log_sd[k]);
		for (size_t i = 0; i < d->n_inputs; i++) {
			if (d->part[k].inputs >> i & 1)
				sum += prior_term(h->log_length[k][i], centre.log_length[k][i],
						  PRIOR_LOG_LENGTH, &grad->log_length[k][i]);
		}
	}
	return sum;
}

/* Of the likelihood: half the sum of (alpha alpha' - K^-1)_ij dK_ij. */
static enum err_code add_slopes(const struct gaussian_process *gp, struct gp_hyper *grad,
				struct err *e)
{
	const size_t n = gp->points.n;
	double *inverse = gp_inverse(gp);

	if (!inverse)
		return err_set(e, ERR_NOMEM, "gradient over %zu points", n);
	for (size_t i = 0; i < n; i++) {
		double *b = inverse + i * gp->points.stride;

		/* each pair once: the half is on the diagonal, which has no factor of 2 */
		for (size_t j = 0; j <= i; j++)
			b[j] = gp->alpha[i] * gp->alpha[j] - b[j];
		b[i] *= 0.5;
		gp_add_gradient(&gp->kernel, &gp->points, i, i + 1, b, grad);
		grad->log_noise += 2 * b[i] * gp_noise_variance(gp, i);
	}
	free(inverse);
	return ERR_OK;
}

enum err_code gp_log_evidence(struct gaussian_process *gp, double *out, struct err *e)
{
	struct gp_hyper ignored = {.log_noise = 0};
	double sum;
	enum err_code rc;

	if ((rc = gp_factorise(gp, e)))
		return rc;
	sum = add_priors(gp, &ignored);
	for (size_t i = 0; i < gp->points.n; i++)
		sum -= 0.5 * gp->y[i] * gp->alpha[i] + log(gp->factor[i * gp->points.stride + i]) +
		       0.5 * log(2 * M_PI);
	*out = sum;
	return ERR_OK;
}

enum err_code gp_evidence_slopes(const struct gaussian_process *gp, struct gp_hyper *grad,
				 struct err *e)
{
	*grad = (struct gp_hyper){.log_noise = 0};
	add_priors(gp, grad);
	return add_slopes(gp, grad, e);
}

/* GSL asks for value and slopes apart, but often of the same point: the factor is kept. */
struct hyper_search {
	struct gaussian_process *gp;
	size_t n;
	gsl_vector *at; /* where gp->factor belongs to */
	double value;	/* there; INFINITY: no factor */
	enum err_code rc;
};

static void put(struct hyper_search *s, const gsl_vector *x)
{
	for (size_t k = 0; k < s->n; k++)
		*place(&s->gp->kernel.design, &s->gp->hyper, k) = gsl_vector_get(x, k);
}

static double value(const gsl_vector *x, void *arg)
{
	struct hyper_search *s = arg;
	struct err ignored = {0};
	double evidence;
	enum err_code rc;

	if (gsl_vector_equal(x, s->at))
		return s->value;
	gsl_vector_memcpy(s->at, x);
	put(s, x);
	rc = gp_log_evidence(s->gp, &evidence, &ignored);
	if (rc == ERR_NOMEM)
		s->rc = rc;
	s->value = rc ? INFINITY : -evidence;
	return s->value;
}

static void slopes(const gsl_vector *x, void *arg, gsl_vector *out)
{
	struct hyper_search *s = arg;
	struct gp_hyper grad = {.log_noise = 0};
	struct err ignored = {0};

	gsl_vector_set_zero(out);
	if (!isfinite(value(x, s)))
		return;
	if (gp_evidence_slopes(s->gp, &grad, &ignored))
		s->rc = ERR_NOMEM;
	for (size_t k = 0; k < s->n; k++)
		gsl_vector_set(out, k, -*place(&s->gp->kernel.design, &grad, k));
}

static void value_and_slopes(const gsl_vector *x, void *arg, double *f, gsl_vector *out)
{
	*f = value(x, arg);
	slopes(x, arg, out);
}

static void climb(gsl_multimin_fdfminimizer *m, int max_steps)
{
	for (int i = 0; i < max_steps; i++) {
		double before = gsl_multimin_fdfminimizer_minimum(m);

		if (gsl_multimin_fdfminimizer_iterate(m) ||
		    before - gsl_multimin_fdfminimizer_minimum(m) < WORTH_A_STEP)
			return;
	}
}

enum err_code gp_tune(struct gaussian_process *gp, int max_steps, struct err *e)
{
	struct hyper_search s = {.gp = gp, .n = n_places(&gp->kernel.design)};
	gsl_multimin_function_fdf function = {
		.f = value, .df = slopes, .fdf = value_and_slopes, .n = s.n, .params = &s};
	gsl_multimin_fdfminimizer *m =
		gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, s.n);
	gsl_vector *x = gsl_vector_alloc(s.n);
	enum err_code rc = ERR_OK;

	s.at = gsl_vector_alloc(s.n);
	if (!m || !x || !s.at) {
		rc = err_set(e, ERR_NOMEM, "%zu hyperparameters", s.n);
		goto done;
	}
	for (size_t k = 0; k < s.n; k++)
		gsl_vector_set(x, k, *place(&gp->kernel.design, &gp->hyper, k));
	gsl_vector_set_all(s.at, NAN); /* which equals nothing */
	gsl_multimin_fdfminimizer_set(m, &function, x, FIRST_STEP, LINE_TOLERANCE);
	climb(m, max_steps);
	put(&s, gsl_multimin_fdfminimizer_x(m));
	if (s.rc)
		rc = err_set(e, s.rc, "hyperparameters");
	else
		rc = gp_factorise(gp, e);
done:
	if (m)
		gsl_multimin_fdfminimizer_free(m);
	gsl_vector_free(x);
	gsl_vector_free(s.at);
	return rc;
}
