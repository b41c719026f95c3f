#include "models/cluster_speedup.h"

#include <math.h>

static enum err_code check_positive(const char *name, double value, struct err *e)
{
	if (isfinite(value) && value > 0)
		return ERR_OK;
	return err_set(e, ERR_ARG, "%s = %g must be finite and > 0", name, value);
}

static enum err_code check(const struct cluster *c, const struct kernel *k, double p, struct err *e)
{
	enum err_code rc;

	if ((rc = check_positive("l_peak", c->l_peak_flops, e)) ||
	    (rc = check_positive("b_c", c->bc_bytes_per_s, e)) ||
	    (rc = check_positive("n", k->n, e)) ||
	    (rc = check_positive("bytes of a number", k->bytes_per_number, e)))
		return rc;
	if (k->kind == KERNEL_LINPACK && (rc = check_positive("alpha", k->alpha, e)))
		return rc;
	if (!isfinite(p) || p < 1)
		return err_set(e, ERR_ARG, "%g units: at least 1", p);
	return ERR_OK;
}

static double y_of(const struct cluster *c, const struct kernel *k)
{
	double flops_per_byte = c->l_peak_flops / c->bc_bytes_per_s; /* a* */
	double w = k->bytes_per_number;

	switch (k->kind) {
	case KERNEL_SCALAR_PRODUCT:
		return 1 / w / flops_per_byte * 2 * k->n;
	case KERNEL_MATRIX_PRODUCT:
		return k->n / w / flops_per_byte;
	case KERNEL_LINPACK:
		break;
	}
	return k->n / (3 * w) / flops_per_byte / (3 * k->alpha);
}

/* d(p) = y / x */
static double d_of(enum kernel_kind kind, double p)
{
	switch (kind) {
	case KERNEL_SCALAR_PRODUCT:
		return p;
	case KERNEL_MATRIX_PRODUCT:
		return sqrt(p);
	case KERNEL_LINPACK:
		break;
	}
	return (1 + log2(p) / 12) / 2;
}

/* p d(p) = y for p >= 1, where the left side grows. */
static double half_performance(enum kernel_kind kind, double y)
{
	double lo = 1, hi = 1;

	if (y < d_of(kind, 1))
		return NAN;
	while (hi * d_of(kind, hi) < y)
		hi *= 2;
	for (;;) {
		double mid = lo + (hi - lo) / 2;

		if (mid <= lo || mid >= hi)
			return hi;
		if (mid * d_of(kind, mid) < y)
			lo = mid;
		else
			hi = mid;
	}
}

/* dl/dp = 0, that is p^2 d'(p) = y: the slides' equation in closed form. */
static double best_size(enum kernel_kind kind, double y)
{
	double p = 24 * log(2) * y; /* Linpack: d' = 1 / (24 p ln 2) */

	if (kind == KERNEL_SCALAR_PRODUCT) /* d' = 1 */
		p = sqrt(y);
	else if (kind == KERNEL_MATRIX_PRODUCT) /* d' = 1 / (2 sqrt p) */
		p = pow(2 * y, 2.0 / 3);
	return fmax(p, 1);
}

static double performance(const struct cluster *c, enum kernel_kind kind, double y, double p)
{
	return p * c->l_peak_flops * y / (p * d_of(kind, p) + y);
}

enum err_code cluster_speedup(const struct cluster *c, const struct kernel *k, double p,
			      struct cluster_speedup *out, struct err *e)
{
	struct cluster_speedup s = {.speedup_short = NAN,
				    .p_half_short = NAN,
				    .p_max_short = NAN,
				    .l_max_short_flops = NAN};
	enum err_code rc = check(c, k, p, e);

	if (rc)
		return rc;
	s.y = y_of(c, k);
	s.r = 1 / d_of(k->kind, p);
	s.x = s.y * s.r;
	s.l_flops = performance(c, k->kind, s.y, p);
	s.speedup = (1 + s.x) / (1 + s.x / p);
	if (!isfinite(s.speedup) || !isfinite(p * c->l_peak_flops))
		return err_set(e, ERR_ARG, "the performance is too large for a number");
	s.p_half = half_performance(k->kind, s.y);
	s.p_max = best_size(k->kind, s.y);
	s.l_max_flops = performance(c, k->kind, s.y, s.p_max);
	if (k->kind == KERNEL_LINPACK) {
		s.speedup_short = (1 + s.y) / (1 + s.y / p);
		s.p_half_short = s.y;
		s.p_max_short = 24 * log(2) * s.p_half_short;
		s.l_max_short_flops = 0.9 * c->l_peak_flops * s.y;
	}
	*out = s;
	return ERR_OK;
}

static enum err_code check_mixed(const struct unit_kind *kind, size_t n_kinds,
				 double bc_bytes_per_s, double n_op, double x_bytes, struct err *e)
{
	double sum = 0;
	enum err_code rc;

	if ((rc = check_positive("operations", n_op, e)) ||
	    (rc = check_positive("b_c", bc_bytes_per_s, e)))
		return rc;
	if (!isfinite(x_bytes) || x_bytes < 0)
		return err_set(e, ERR_ARG, "communicated bytes = %g must be finite and >= 0",
			       x_bytes);
	for (size_t k = 0; k < n_kinds; k++) {
		if ((rc = check_positive("the peak of a unit", kind[k].l_peak_flops, e)))
			return rc;
		if (!(kind[k].count >= 1))
			return err_set(e, ERR_ARG, "kind %zu has %g units: at least 1", k + 1,
				       kind[k].count);
		if (!(kind[k].share >= 0))
			return err_set(e, ERR_ARG, "the work share %g of kind %zu must be >= 0",
				       kind[k].share, k + 1);
		sum += kind[k].share;
	}
	/* shares typed with 6 digits are meant to sum to 1 */
	if (!(fabs(sum - 1) <= 1e-6))
		return err_set(e, ERR_ARG, "the work shares sum to %g, not to 1", sum);
	return ERR_OK;
}

enum err_code cluster_speedup_mixed(const struct unit_kind *kind, size_t n_kinds,
				    double bc_bytes_per_s, double n_op, double x_bytes,
				    struct mixed_speedup *out, struct err *e)
{
	struct mixed_speedup s = {.slowest = 0};
	double longest_s = -1, communication_s;
	enum err_code rc = check_mixed(kind, n_kinds, bc_bytes_per_s, n_op, x_bytes, e);

	if (rc)
		return rc;
	for (size_t k = 0; k < n_kinds; k++) {
		double omega = kind[k].share / kind[k].count;
		double compute_s = omega * n_op / kind[k].l_peak_flops;

		if (compute_s > longest_s) {
			longest_s = compute_s;
			s.slowest = k;
		}
	}
	communication_s = x_bytes / bc_bytes_per_s;
	s.time_s = longest_s + communication_s;
	s.l_flops = n_op / s.time_s;
	s.speedup = (n_op / kind[s.slowest].l_peak_flops + communication_s) / s.time_s;
	if (!isfinite(s.time_s) || !isfinite(s.speedup))
		return err_set(e, ERR_ARG, "the run time is too large for a number");
	*out = s;
	return ERR_OK;
}

void cluster_share_by_peak(struct unit_kind *kind, size_t n_kinds)
{
	double sum = 0;

	for (size_t k = 0; k < n_kinds; k++)
		sum += kind[k].count * kind[k].l_peak_flops;
	for (size_t k = 0; k < n_kinds; k++)
		kind[k].share = kind[k].count * kind[k].l_peak_flops / sum;
}

enum err_code cluster_effective_bandwidth(double rmax_flops, double nmax, double bytes_per_number,
					  double *out, struct err *e)
{
	enum err_code rc;

	if ((rc = check_positive("R_max", rmax_flops, e)) ||
	    (rc = check_positive("N_max", nmax, e)) ||
	    (rc = check_positive("bytes of a number", bytes_per_number, e)))
		return rc;
	*out = rmax_flops / nmax * 3 * bytes_per_number * 10 / 9;
	return ERR_OK;
}
