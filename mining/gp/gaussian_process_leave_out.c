#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_linalg.h>

#include "mining/gp/gaussian_process_private.h"

/* The rows and columns of one group: list[m]. inverse: the lower triangle of K^-1. */
static enum err_code leave_group(const struct gaussian_process *gp, const double *inverse,
				 const size_t *list, size_t m, double *mean, double *variance,
				 struct err *e)
{
	gsl_matrix *part = gsl_matrix_alloc(m, m);
	gsl_vector *r = gsl_vector_alloc(m);
	enum err_code rc = ERR_OK;

	if (!part || !r) {
		rc = err_set(e, ERR_NOMEM, "group of %zu observations", m);
		goto done;
	}
	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j <= i; j++)
			gsl_matrix_set(part, i, j, inverse[list[i] * gp->points.stride + list[j]]);
		gsl_vector_set(r, i, gp->alpha[list[i]]);
	}
	if (gsl_linalg_cholesky_decomp1(part) || gsl_linalg_cholesky_svx(part, r) ||
	    (variance && gsl_linalg_cholesky_invert(part))) {
		rc = err_set(e, ERR_NUMERIC, "a group of %zu observations is singular", m);
		goto done;
	}
	for (size_t i = 0; i < m; i++) {
		mean[list[i]] = gp->y[list[i]] - gsl_vector_get(r, i);
		if (variance)
			variance[list[i]] = fmax(
				gsl_matrix_get(part, i, i) - gp_noise_variance(gp, list[i]), 0);
	}
done:
	gsl_matrix_free(part);
	gsl_vector_free(r);
	return rc;
}

struct member {
	size_t group, place;
};

static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

enum err_code gaussian_process_leave_out(const struct gaussian_process *gp, const size_t *group,
					 double *mean, double *variance, struct err *e)
{
	const size_t n = gp->points.n;
	struct member *member = NULL;
	size_t *list = NULL;
	double *inverse = NULL;
	enum err_code rc = ERR_OK;

	if (!gp->factor)
		return err_set(e, ERR_ARG, "a loaded Gaussian process cannot leave data out");
	member = calloc(n + 1, sizeof *member);
	list = calloc(n + 1, sizeof *list);
	inverse = gp_inverse(gp);
	if (!member || !list || !inverse) {
		rc = err_set(e, ERR_NOMEM, "leaving out %zu observations", n);
		goto done;
	}
	for (size_t i = 0; i < n; i++)
		member[i] = (struct member){group[i], i};
	qsort(member, n, sizeof *member, by_group);
	for (size_t i = 0, m = 0; i < n && !rc; i++) {
		list[m++] = member[i].place;
		if (i + 1 < n && member[i + 1].group == member[i].group)
			continue;
		rc = leave_group(gp, inverse, list, m, mean, variance, e);
		m = 0;
	}
done:
	free(member);
	free(list);
	free(inverse);
	return rc;
}
