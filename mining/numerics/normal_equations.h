#ifndef MINING_NORMAL_EQUATIONS_H
#define MINING_NORMAL_EQUATIONS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* One step of least squares with few parameters and many observations: H step = -g, where
 * H = sum_i curvature_i x_i x_i' and g = sum_i slope_i x_i are gathered from the rows x_i of a
 * Jacobian matrix and from priors. Normal equations square the condition of the matrix; priors, and
 * scaling to a diagonal of ones, keep that far from the precision of a double. */
struct normal_equations {
	size_t n;     /* parameters */
	size_t width; /* n, padded for cholesky.h */
	double *h;    /* width * width, row-major; its lower triangle counts */
	double *g;    /* width */
	/* scratch */
	double *factor; /* width * width */
	double *invert; /* width * width */
	double *root;	/* width: of the diagonal of h, 1 where that is 0 */
	double *rows;	/* a few of x, and the same times their curvatures */
};

/* Errors: NOMEM. Released in either case. */
enum err_code normal_equations_init(struct normal_equations *q, size_t n, struct err *e);
void normal_equations_release(struct normal_equations *q);

/* H = 0, g = 0. */
void normal_equations_clear(struct normal_equations *q);
/* x[n_rows * n], row-major; curvature[n_rows] >= 0, slope[n_rows]. */
void normal_equations_add(struct normal_equations *q, const double *x, size_t n_rows,
			  const double *curvature, const double *slope);
/* The row that is 1 for parameter j and 0 for all others. */
void normal_equations_add_prior(struct normal_equations *q, size_t j, double curvature,
				double slope);

/* step[n]: (H + damping diag H) step = -g. *gain: what the quadratic model of a sum with the
 * gradient 2 g and the second derivatives 2 H loses by it. Parameters that nothing depends on stay.
 * false: H is not positive definite, and neither changes. */
bool normal_equations_step(struct normal_equations *q, double damping, double *step, double *gain);

/* Roots of the diagonal of the inverse of H; NaN where nothing depends on the parameter, or where
 * H is not positive definite. */
void normal_equations_errors(struct normal_equations *q, double *std_error);

#endif
