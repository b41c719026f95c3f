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

#endif
