#include <math.h>
#include <string.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

#include "mining/gaussian_process_private.h"

/* The exact variance costs a square of the number of observations, 1 ms for 1 000 of them; a search
 * asks for thousands. */
enum { NEAREST = 16 };

/* The observations that say most about a point, by how much of its variance each explains alone;
 * least first. */
struct nearest {
	size_t n;
	struct near {
		size_t place;
		double covariance;
		double explains;
	} item[NEAREST];
};

static void consider(struct nearest *best, const struct near *candidate)
{
	size_t at;

	if (best->n == NEAREST) {
		if (candidate->explains <= best->item[0].explains)
			return;
		memmove(best->item, best->item + 1, --best->n * sizeof *best->item);
	}
	for (at = best->n++; at > 0 && best->item[at - 1].explains > candidate->explains; at--)
		best->item[at] = best->item[at - 1];
	best->item[at] = *candidate;
}

/* Their list, and the posterior mean, for which all covariances have to be known as well. */
static double find_nearest(const struct gaussian_process *gp, const double *z, const double *factor,
			   struct nearest *best)
{
	double k[GP_BLOCK], mean = 0;
	size_t m;

	best->n = 0;
	for (size_t from = 0; from < gp->points.n; from += GP_BLOCK) {
		const struct gp_points block = gp_block(gp, from, &m);

		gp_covariances(&gp->kernel, &block, m, z, factor, k);
		for (size_t j = 0; j < m; j++) {
			mean += k[j] * gp->alpha[from + j];
			consider(best,
				 &(struct near){from + j, k[j], k[j] * k[j] / gp->own[from + j]});
		}
	}
	return mean;
}

/* The standard deviation that is left of a function of this prior variance, given them. */
static double doubt_given(const struct gaussian_process *gp, const struct nearest *best,
			  double variance)
{
	double a[NEAREST * NEAREST], x[NEAREST], explained;
	gsl_matrix_view matrix;
	gsl_vector_view solution;

	if (best->n == 0)
		return sqrt(variance);
	for (size_t i = 0; i < best->n; i++) {
		size_t at = best->item[i].place;

		for (size_t j = 0; j < i; j++)
			a[i * best->n + j] =
				gp_covariance(&gp->kernel, &gp->points, at, best->item[j].place);
		a[i * best->n + i] = gp->own[at];
		x[i] = best->item[i].covariance;
	}
	matrix = gsl_matrix_view_array(a, best->n, best->n);
	solution = gsl_vector_view_array(x, best->n);
	if (gsl_linalg_cholesky_decomp1(&matrix.matrix))
		return sqrt(variance);
	/* k' K^-1 k = |L^-1 k|^2 */
	gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, &matrix.matrix, &solution.vector);
	gsl_blas_ddot(&solution.vector, &solution.vector, &explained);
	return sqrt(fmax(variance - explained, 0));
}

double gaussian_process_predict(const struct gaussian_process *gp, const double *z,
				const double *factor, double *doubt)
{
	struct nearest best;
	double mean = find_nearest(gp, z, factor, &best);

	*doubt = doubt_given(gp, &best, gp_prior_variance(&gp->kernel, factor));
	return mean;
}

double gaussian_process_doubt(const struct gaussian_process *gp, const double *z,
			      const double *factor)
{
	double doubt;

	gaussian_process_predict(gp, z, factor, &doubt);
	return doubt;
}
