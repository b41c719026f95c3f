#include "mining/robust_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_statistics_double.h>

/* Re-weighting converges linearly: in 3 to 5 rounds on calm runs, in 30 where a third of them is
 * disturbed, each round leaving nine tenths of their pull. It is done when no weight moves by more
 * than a percent, and the sum of squares of a round, in units of s^2, by no more than 0.01: a tenth
 * of a standard error. Along the valleys of parameters that the runs cannot tell, solvers creep on
 * for long after that. */
enum { MAX_ROUNDS = 50, STEPS_PER_ROUND = 20 };
#define SETTLED 0.01 /* of both */

/* A residual that no step is worth: what stands for a model that is not finite. Its square, over
 * the square of any scale, is still a double. */
#define FAR_OFF 1e100

struct work {
	const struct robust_problem *problem;
	double *f;   /* n */
	double *jac; /* n * n_params */
	double *r;   /* n, for medians */
};

/* GSL's residual vector: observations first, then one row per prior. The weight of a prior row is
 * 1; those of observations carry 1/s^2 and the robust weight. */
static int residuals(const gsl_vector *x, void *arg, gsl_vector *out)
{
	struct work *w = arg;
	const struct robust_problem *q = w->problem;

	q->eval(q->arg, x->data, w->f, NULL);
	/* GSL passes over an error of this function, but shortens a step that went too far */
	for (size_t i = 0; i < q->n; i++)
		gsl_vector_set(out, i, isfinite(w->f[i]) ? w->f[i] - q->y[i] : FAR_OFF);
	for (size_t j = 0; j < q->n_params; j++) {
		double sd = q->prior_sd[j];

		gsl_vector_set(out, q->n + j,
			       isfinite(sd) ? (gsl_vector_get(x, j) - q->prior[j]) / sd : 0);
	}
	return GSL_SUCCESS;
}

static int jacobian(const gsl_vector *x, void *arg, gsl_matrix *out)
{
	struct work *w = arg;
	const struct robust_problem *q = w->problem;

	q->eval(q->arg, x->data, NULL, w->jac);
	gsl_matrix_set_zero(out);
	for (size_t i = 0; i < q->n; i++) {
		for (size_t j = 0; j < q->n_params; j++)
			gsl_matrix_set(out, i, j, w->jac[i * q->n_params + j]);
	}
	for (size_t j = 0; j < q->n_params; j++) {
		if (isfinite(q->prior_sd[j]))
			gsl_matrix_set(out, q->n + j, j, 1 / q->prior_sd[j]);
	}
	return GSL_SUCCESS;
}

static double weight_of(const struct robust_problem *q, size_t i)
{
	return q->weight ? q->weight[i] : 1;
}

/* s from w->f: of the observations that count in full. */
static double scale_of(struct work *w)
{
	const struct robust_problem *q = w->problem;
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		if (weight_of(q, i) >= 1)
			w->r[n++] = fabs(q->y[i] - w->f[i]);
	}
	return fmax(1.4826 * gsl_stats_median(w->r, 1, n), q->min_scale);
}

/* s from the residuals of p, and the weights that go with it. *moved: the largest relative change
 * of a weight. */
static double reweight(struct work *w, const double *p, gsl_vector *weight, double *moved)
{
	const struct robust_problem *q = w->problem;
	double s;

	*moved = 0;
	q->eval(q->arg, p, w->f, NULL);
	s = scale_of(w);
	for (size_t i = 0; i < q->n; i++) {
		double z = (q->y[i] - w->f[i]) * sqrt(weight_of(q, i)) / s;
		double now = weight_of(q, i) / (s * s * sqrt(1 + z * z));

		*moved = fmax(*moved, fabs(gsl_vector_get(weight, i) / now - 1));
		gsl_vector_set(weight, i, now);
	}
	for (size_t j = 0; j < q->n_params; j++)
		gsl_vector_set(weight, q->n + j, 1);
	return s;
}

static double objective(struct work *w, const double *p)
{
	const struct robust_problem *q = w->problem;
	double sum = 0;

	q->eval(q->arg, p, w->f, NULL);
	for (size_t i = 0; i < q->n; i++) {
		double z = (q->y[i] - w->f[i]) * sqrt(weight_of(q, i)) / q->min_scale;

		sum += 2 * (sqrt(1 + z * z) - 1);
	}
	for (size_t j = 0; j < q->n_params; j++) {
		if (isfinite(q->prior_sd[j]))
			sum += pow((p[j] - q->prior[j]) / q->prior_sd[j], 2);
	}
	return sum;
}

/* J P = Q R, by which J'J = P R'R P': what standard errors need room for. */
struct decomposition {
	gsl_matrix *r; /* R in its upper triangle */
	gsl_vector *tau, *norm;
	gsl_permutation *p;
};

static enum err_code decomposition_init(struct decomposition *d, const gsl_matrix *jac,
					struct err *e)
{
	int sign;

	d->r = gsl_matrix_alloc(jac->size1, jac->size2);
	d->tau = gsl_vector_alloc(jac->size2);
	d->norm = gsl_vector_alloc(jac->size2);
	d->p = gsl_permutation_alloc(jac->size2);
	if (!d->r || !d->tau || !d->norm || !d->p)
		return err_set(e, ERR_NOMEM, "standard errors of %zu parameters", jac->size2);
	gsl_matrix_memcpy(d->r, jac);
	gsl_linalg_QRPT_decomp(d->r, d->tau, d->p, &sign, d->norm);
	return ERR_OK;
}

static void decomposition_release(struct decomposition *d)
{
	gsl_matrix_free(d->r);
	gsl_vector_free(d->tau);
	gsl_vector_free(d->norm);
	gsl_permutation_free(d->p);
}

static size_t rank_of(const gsl_matrix *r)
{
	size_t rank = 0;

	while (rank < r->size2 && gsl_matrix_get(r, rank, rank) != 0)
		rank++;
	return rank;
}

/* Roots of the diagonal of the inverse of J'WJ; W already holds 1/s^2, so no further scale is due.
 * NaN where neither observations nor a prior tell anything. gsl_multifit_nlinear_covar(), which
 * does the same, looks at none of its allocations. */
static enum err_code standard_errors(gsl_multifit_nlinear_workspace *solver, size_t n_params,
				     double *out, struct err *e)
{
	struct decomposition d = {0};
	enum err_code rc = decomposition_init(&d, gsl_multifit_nlinear_jac(solver), e);
	size_t rank = rc ? 0 : rank_of(d.r);

	for (size_t j = 0; j < n_params; j++)
		out[j] = NAN;
	if (rank > 0) {
		gsl_matrix_view square = gsl_matrix_submatrix(d.r, 0, 0, rank, rank);

		gsl_linalg_tri_invert(CblasUpper, CblasNonUnit, &square.matrix);
	}
	for (size_t i = 0; i < rank; i++) {
		gsl_vector_const_view row = gsl_matrix_const_subrow(d.r, i, i, rank - i);
		double root = gsl_blas_dnrm2(&row.vector);

		if (root > 0)
			out[gsl_permutation_get(d.p, i)] = root;
	}
	decomposition_release(&d);
	return rc;
}

static bool finite_at(struct work *w, const double *p)
{
	w->problem->eval(w->problem->arg, p, w->f, NULL);
	for (size_t i = 0; i < w->problem->n; i++) {
		if (!isfinite(w->f[i]))
			return false;
	}
	return true;
}

static double sum_of_squares(const gsl_multifit_nlinear_workspace *solver)
{
	double norm = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(solver));

	return norm * norm;
}

static enum err_code gsl_fail(int status, struct err *e)
{
	return err_set(e, status == GSL_ENOMEM ? ERR_NOMEM : ERR_NUMERIC, "fit: %s",
		       gsl_strerror(status));
}

/* One round: least squares with fixed weights, from x to x. *gain: what the sum lost. */
static enum err_code one_round(gsl_multifit_nlinear_workspace *solver,
			       gsl_multifit_nlinear_fdf *fdf, const gsl_vector *weight,
			       gsl_vector *x, double *gain, struct err *e)
{
	int info = 0, status;

	if ((status = gsl_multifit_nlinear_winit(x, weight, fdf, solver)))
		return gsl_fail(status, e);
	*gain = sum_of_squares(solver);
	status = gsl_multifit_nlinear_driver(STEPS_PER_ROUND, 1e-8, 1e-10, 1e-10, NULL, NULL, &info,
					     solver);
	/* no further step and "not yet" are both where the next round begins */
	if (status != GSL_SUCCESS && status != GSL_EMAXITER && status != GSL_ENOPROG)
		return gsl_fail(status, e);
	*gain -= sum_of_squares(solver);
	gsl_vector_memcpy(x, gsl_multifit_nlinear_position(solver));
	return ERR_OK;
}

/* Normal equations instead of the default's QR: half the time, and the priors keep them well
 * conditioned. */
static gsl_multifit_nlinear_parameters how_to_solve(void)
{
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();

	how.solver = gsl_multifit_nlinear_solver_cholesky;
	return how;
}

static enum err_code solve(struct work *w, double *p, struct robust_fit *out, struct err *e)
{
	const struct robust_problem *q = w->problem;
	const size_t n_rows = q->n + q->n_params;
	const gsl_multifit_nlinear_parameters how = how_to_solve();
	gsl_multifit_nlinear_fdf fdf = {
		.f = residuals, .df = jacobian, .n = n_rows, .p = q->n_params, .params = w};
	gsl_multifit_nlinear_workspace *solver =
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, n_rows, q->n_params);
	gsl_vector *weight = gsl_vector_calloc(n_rows);
	gsl_vector_const_view start = gsl_vector_const_view_array(p, q->n_params);
	gsl_vector *x = gsl_vector_alloc(q->n_params);
	double scale, moved = INFINITY, gain = INFINITY;
	enum err_code rc = ERR_OK;

	if (!solver || !weight || !x) {
		rc = err_set(e, ERR_NOMEM, "fit of %zu parameters to %zu times", q->n_params, q->n);
		goto done;
	}
	if (!finite_at(w, p)) {
		rc = err_set(e, ERR_NUMERIC, "the model is not finite at its start values");
		goto done;
	}
	gsl_vector_memcpy(x, &start.vector);
	scale = reweight(w, x->data, weight, &moved);
	for (int i = 0; i < MAX_ROUNDS && (moved > SETTLED || gain > SETTLED); i++) {
		if ((rc = one_round(solver, &fdf, weight, x, &gain, e)))
			goto done;
		scale = reweight(w, x->data, weight, &moved);
	}
	for (size_t j = 0; j < q->n_params; j++)
		p[j] = gsl_vector_get(x, j);
	out->scale = scale;
	out->objective = objective(w, p);
	if (out->std_error)
		rc = standard_errors(solver, q->n_params, out->std_error, e);
done:
	if (solver)
		gsl_multifit_nlinear_free(solver);
	gsl_vector_free(weight);
	gsl_vector_free(x);
	return rc;
}

enum err_code robust_fit(const struct robust_problem *problem, double *p, struct robust_fit *out,
			 struct err *e)
{
	struct work w = {.problem = problem};
	enum err_code rc;

	if (problem->n == 0)
		return err_set(e, ERR_NODATA, "no times to fit to");
	w.f = calloc(problem->n, sizeof *w.f);
	w.r = calloc(problem->n, sizeof *w.r);
	w.jac = calloc(problem->n * problem->n_params + 1, sizeof *w.jac);
	if (w.f && w.r && w.jac)
		rc = solve(&w, p, out, e);
	else
		rc = err_set(e, ERR_NOMEM, "fit to %zu times", problem->n);
	free(w.f);
	free(w.r);
	free(w.jac);
	return rc;
}
