#ifndef MINING_RIDGE_FIT_H
#define MINING_RIDGE_FIT_H
#include <stddef.h>
#include "base/err.h"

/* Robust ridge regression: minimise sum_i s^2 rho((y_i - x_i b) / s) + sum_j penalty_j b_j^2
 * with the soft-L1 rho of robust_fit.h, by iteratively re-weighted normal equations (Cholesky).
 * x[n * p] row-major. b[p]: out. *scale: 1.4826 * median |residual|, at least min_scale.
 * Errors: NUMERIC (singular although every penalty > 0), NOMEM. */
enum err_code ridge_fit(const double *x, const double *y, size_t n, size_t p, const double *penalty,
			double min_scale, double *b, double *scale, struct err *e);

#endif
