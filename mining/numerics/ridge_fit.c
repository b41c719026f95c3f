#include "mining/numerics/ridge_fit.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_statistics_double.h>

/* As in robust_fit.c: until no weight moves by more than a percent. */
enum { MAX_ROUNDS = 50 };
#define SETTLED 0.01

/* Normal equations with weights: a = X'WX + diag(penalty), c = X'Wy. wx[n * p] is scratch. */
static void normal_equations(const double *x, const double *y, const double *weight, size_t n,
			     size_t p, const double *penalty, double *wx, gsl_matrix *a,
			     gsl_vector *c)
{
	gsl_matrix_view w = gsl_matrix_view_array(wx, n, p);

	gsl_vector_set_zero(c);
	for (size_t i = 0; i < n; i++) {
		double root = sqrt(weight[i]);

		for (size_t j = 0; j < p; j++) {
			wx[i * p + j] = root * x[i * p + j];
			*gsl_vector_ptr(c, j) += weight[i] * x[i * p + j] * y[i];
		}
	}
	gsl_blas_dsyrk(CblasLower, CblasTrans, 1, &w.matrix, 0, a);
	for (size_t j = 0; j < p; j++)
		*gsl_matrix_ptr(a, j, j) += penalty[j];
}

static void residuals(const double *x, const double *y, size_t n, size_t p, const gsl_vector *b,
		      double *r)
{
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t j = 0; j < p; j++)
			sum += x[i * p + j] * gsl_vector_get(b, j);
		r[i] = y[i] - sum;
	}
}

/* weight[] from residuals; returns their scale. *moved: the largest relative change of a weight.
 * work[n]. */
static double reweight(const double *r, size_t n, double min_scale, double *weight, double *work,
		       double *moved)
{
	double s;

	*moved = 0;
	for (size_t i = 0; i < n; i++)
		work[i] = fabs(r[i]);
	s = fmax(1.4826 * gsl_stats_median(work, 1, n), min_scale);
	for (size_t i = 0; i < n; i++) {
		double now = 1 / sqrt(1 + r[i] * r[i] / (s * s));

		*moved = fmax(*moved, fabs(weight[i] / now - 1));
		weight[i] = now;
	}
	return s;
}

enum err_code ridge_fit(const double *x, const double *y, size_t n, size_t p, const double *penalty,
			double min_scale, double *b, double *scale, struct err *e)
{
	double *wx = calloc(n * p + 1, sizeof *wx), *weight = calloc(n + 1, sizeof *weight);
	double *r = calloc(n + 1, sizeof *r), *work = calloc(n + 1, sizeof *work);
	gsl_matrix *a = gsl_matrix_alloc(p, p);
	gsl_vector *c = gsl_vector_alloc(p);
	double s = min_scale, moved = INFINITY;
	enum err_code rc = ERR_OK;

	if (!wx || !weight || !r || !work || !a || !c) {
		rc = err_set(e, ERR_NOMEM, "regression of %zu times on %zu terms", n, p);
		goto done;
	}
	for (size_t i = 0; i < n; i++)
		weight[i] = 1;
	for (int round = 0; round < MAX_ROUNDS && moved > SETTLED; round++) {
		normal_equations(x, y, weight, n, p, penalty, wx, a, c);
		if (gsl_linalg_cholesky_decomp1(a) || gsl_linalg_cholesky_svx(a, c)) {
			rc = err_set(e, ERR_NUMERIC, "regression on %zu terms is singular", p);
			goto done;
		}
		residuals(x, y, n, p, c, r);
		s = reweight(r, n, min_scale, weight, work, &moved);
	}
	for (size_t j = 0; j < p; j++)
		b[j] = gsl_vector_get(c, j);
	*scale = s;
done:
	free(wx);
	free(weight);
	free(r);
	free(work);
	gsl_matrix_free(a);
	gsl_vector_free(c);
	return rc;
}
