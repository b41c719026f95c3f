#include "models/cluster_speedup.h"

#include <math.h>

#include "models/formula.h"

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

/* Inputs in the order of in[], results in the order of out[]. */
#define LARGEST 1e300
#define SMALLEST 1e-300

/* The hardware of the slides (bwGRiD) is the default. */
static const struct formula_input cluster_inputs[] = {
	{"p", "units", 1, 1e15, (double)NAN},
	{"n", "size of the problem", 1, 1e15, (double)NAN},
	{"l_peak_flops", "peak of a unit, per second", SMALLEST, LARGEST, 8e9},
	{"bc_bytes_per_s", "bandwidth of the network", SMALLEST, LARGEST, 1.5e9},
	{"w_bytes", "size of a number", SMALLEST, LARGEST, 8},
	{"alpha", "Linpack's #x is 3 alpha (1 + log2(p)/12) n^2 w", SMALLEST, LARGEST, 1.0 / 3},
};
static const struct formula_result cluster_results[] = {
	{"speedup", "S = (1 + x) / (1 + x/p)"},
	{"l_flops", "performance, per second"},
	{"x", "computation by communication, y r(p)"},
	{"y", "the part of x that does not depend on p"},
	{"p_half", "units at half of their peak: y r(p) = p, solved exactly"},
	{"p_max", "units of the highest performance: p^2 d'(p) = y, solved exactly"},
	{"l_max_flops", "performance of p_max units"},
	{"p_half_short", "p_half by the slides' shortcut: y"},
	{"p_max_short", "p_max by the slides' shortcut: 24 ln 2 p_half_short"},
	{"l_max_short_flops", "l_max by the slides' shortcut: 9/10 l_peak y"},
	{"speedup_short", "S by the slides' shortcut: x = y = n/128 on bwGRiD"},
};
/* alpha and the shortcuts come last: they are Linpack's only. */
enum {
	N_LINPACK_INPUTS = sizeof cluster_inputs / sizeof *cluster_inputs,
	N_KERNEL_INPUTS = N_LINPACK_INPUTS - 1,
	N_LINPACK_RESULTS = sizeof cluster_results / sizeof *cluster_results,
	N_KERNEL_RESULTS = N_LINPACK_RESULTS - 4
};

static enum err_code evaluate_kernel(enum kernel_kind kind, const double *in, double alpha,
				     double *out, struct cluster_speedup *s, struct err *e)
{
	const struct cluster c = {in[2], in[3]};
	const struct kernel k = {kind, in[1], in[4], alpha};
	enum err_code rc = cluster_speedup(&c, &k, in[0], s, e);

	if (rc)
		return rc;
	out[0] = s->speedup;
	out[1] = s->l_flops;
	out[2] = s->x;
	out[3] = s->y;
	out[4] = s->p_half;
	out[5] = s->p_max;
	out[6] = s->l_max_flops;
	return ERR_OK;
}

static enum err_code scalar_evaluate(const double *in, double *out, struct err *e)
{
	struct cluster_speedup s;

	return evaluate_kernel(KERNEL_SCALAR_PRODUCT, in, 0, out, &s, e);
}

static enum err_code matrix_evaluate(const double *in, double *out, struct err *e)
{
	struct cluster_speedup s;

	return evaluate_kernel(KERNEL_MATRIX_PRODUCT, in, 0, out, &s, e);
}

static enum err_code linpack_evaluate(const double *in, double *out, struct err *e)
{
	struct cluster_speedup s;
	enum err_code rc = evaluate_kernel(KERNEL_LINPACK, in, in[5], out, &s, e);

	if (rc)
		return rc;
	out[7] = s.p_half_short;
	out[8] = s.p_max_short;
	out[9] = s.l_max_short_flops;
	out[10] = s.speedup_short;
	return ERR_OK;
}

#define CLUSTER_FORMULA(inputs, results, how)                                           \
	{                                                                               \
		.input = cluster_inputs, .n_inputs = inputs, .result = cluster_results, \
		.n_results = results, .procs = "p", .size = "n", .evaluate = how        \
	}
const struct formula formula_scalar_product =
	CLUSTER_FORMULA(N_KERNEL_INPUTS, N_KERNEL_RESULTS, scalar_evaluate);
const struct formula formula_matrix_product =
	CLUSTER_FORMULA(N_KERNEL_INPUTS, N_KERNEL_RESULTS, matrix_evaluate);
const struct formula formula_linpack =
	CLUSTER_FORMULA(N_LINPACK_INPUTS, N_LINPACK_RESULTS, linpack_evaluate);

/* ---- two kinds of units ---- */

static const struct formula_input mixed_inputs[] = {
	{"p1", "units of the first kind", 1, 1e6, (double)NAN},
	{"l1_flops", "peak of one of them", SMALLEST, LARGEST, (double)NAN},
	{"p2", "units of the second kind", 1, 1e6, (double)NAN},
	{"l2_flops", "peak of one of them", SMALLEST, LARGEST, (double)NAN},
	{"omega1", "share of the operations that the first kind does", 0, 1, (double)NAN},
	{"ops", "arithmetic operations", SMALLEST, LARGEST, (double)NAN},
	{"x_bytes", "bytes communicated", 0, LARGEST, (double)NAN},
	{"bc_bytes_per_s", "bandwidth of the network", SMALLEST, LARGEST, (double)NAN},
};
static const struct formula_result mixed_results[] = {
	{"time_s", "the longest computation, and communication"},
	{"l_flops", "performance"},
	{"speedup", "over one unit of the kind that computes longest"},
	{"slowest_kind", "which kind that is: 1 or 2"},
};

static enum err_code mixed_evaluate(const double *in, double *out, struct err *e)
{
	const struct unit_kind kind[] = {{in[0], in[1], in[4]}, {in[2], in[3], 1 - in[4]}};
	struct mixed_speedup s;
	enum err_code rc = cluster_speedup_mixed(kind, 2, in[7], in[5], in[6], &s, e);

	if (rc)
		return rc;
	out[0] = s.time_s;
	out[1] = s.l_flops;
	out[2] = s.speedup;
	out[3] = (double)s.slowest + 1;
	return ERR_OK;
}

const struct formula formula_mixed_cluster = {
	FORMULA_TABLES(mixed_inputs, mixed_results),
	.evaluate = mixed_evaluate,
};

/* ---- TOP500 ---- */

static const struct formula_input top500_inputs[] = {
	{"rmax_flops", "R_max, per second", SMALLEST, LARGEST, (double)NAN},
	{"nmax", "N_max", 1, 1e15, (double)NAN},
	{"w_bytes", "size of a number", SMALLEST, LARGEST, 8},
};
static const struct formula_result top500_results[] = {
	{"b_eff_bytes_per_s", "effective bandwidth, (R_max / N_max) 3 w 10/9"},
};

static enum err_code top500_evaluate(const double *in, double *out, struct err *e)
{
	return cluster_effective_bandwidth(in[0], in[1], in[2], out, e);
}

const struct formula formula_effective_bandwidth = {
	FORMULA_TABLES(top500_inputs, top500_results),
	.evaluate = top500_evaluate,
};
