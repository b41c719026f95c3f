#include "models/formulas.h"

#include <math.h>

#include "models/cluster_speedup.h"

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

const struct formula formula_scalar_product = {
	.input = cluster_inputs,
	.n_inputs = N_KERNEL_INPUTS,
	.result = cluster_results,
	.n_results = N_KERNEL_RESULTS,
	.procs = "p",
	.size = "n",
	.evaluate = scalar_evaluate,
};
const struct formula formula_matrix_product = {
	.input = cluster_inputs,
	.n_inputs = N_KERNEL_INPUTS,
	.result = cluster_results,
	.n_results = N_KERNEL_RESULTS,
	.procs = "p",
	.size = "n",
	.evaluate = matrix_evaluate,
};
const struct formula formula_linpack = {
	.input = cluster_inputs,
	.n_inputs = N_LINPACK_INPUTS,
	.result = cluster_results,
	.n_results = N_LINPACK_RESULTS,
	.procs = "p",
	.size = "n",
	.evaluate = linpack_evaluate,
};

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
	.input = mixed_inputs,
	.n_inputs = sizeof mixed_inputs / sizeof *mixed_inputs,
	.result = mixed_results,
	.n_results = sizeof mixed_results / sizeof *mixed_results,
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
	.input = top500_inputs,
	.n_inputs = sizeof top500_inputs / sizeof *top500_inputs,
	.result = top500_results,
	.n_results = sizeof top500_results / sizeof *top500_results,
	.evaluate = top500_evaluate,
};
