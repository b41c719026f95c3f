#ifndef MINING_ROBUST_FIT_H
#define MINING_ROBUST_FIT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* Robust nonlinear least squares on log time, with normal priors that keep parameters in place
 * which the runs cannot tell (maximum a posteriori):
 *
 *   minimise  sum_i s^2 rho((log t_i - f_i(p)) / s) / s^2  +  sum_j ((p_j - prior_j) / sd_j)^2
 *
 * rho(z) = 2 (sqrt(1 + z^2) - 1), the "soft L1": quadratic for small residuals, linear for large
 * ones, so a disturbed run pulls with bounded force. An observation of weight w is one of scale
 * s / sqrt(w). s is re-estimated from the residuals: 1.4826 * the weighted median of sqrt(w) |r|.
 */
struct robust_problem {
	size_t n; /* observations */
	size_t n_params;
	const double *y;	/* log of the observed times */
	const double *weight;	/* n, in (0, 1]; NULL: all 1 */
	const double *prior;	/* n_params */
	const double *prior_sd; /* n_params, > 0; INFINITY: no prior */
	/* f[n], and jac[n * n_params] = df_i / dp_j row-major; either may be NULL. */
	void (*eval)(const void *arg, const double *p, double *f, double *jac);
	const void *arg;
	/* n_params, or NULL: is p_j the log of an amount, so that exp(f) is a sum of terms, each
	 * proportional to exp(p_j) or without it? Where runs ask for an amount of next to nothing,
	 * steps that do not know this go on and on. */
	const bool *is_log_amount;
	double min_scale; /* s is not taken below this: ties and exact fits */
};

struct robust_fit {
	double scale;	   /* s [log time] */
	double objective;  /* the minimised sum, at s = min_scale for comparison between fits */
	double *std_error; /* n_params, caller's array; scaled by the residual variance */
};

/* p[n_params]: start in, solution out. Errors: NUMERIC (no step lowers the sum, or the model is not
 * finite at the start), NOMEM, NODATA (n == 0). */
enum err_code robust_fit(const struct robust_problem *problem, double *p, struct robust_fit *out,
			 struct err *e);

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
