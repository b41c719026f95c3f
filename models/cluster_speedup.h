#ifndef MODELS_CLUSTER_SPEEDUP_H
#define MODELS_CLUSTER_SPEEDUP_H
#include <stddef.h>
#include "base/err.h"

/* Speed-up of a cluster from few numbers, and the size of cluster that a problem is worth.
 *
 * Source: Kredel, Richling, Kruse, Strohmaier and Kruse, "A Simple Concept for the Performance
 * Analysis of Cluster-Computing", ISC 2013 (slides). With the software's #op operations on #b bytes
 * of data, #x bytes of them communicated, and the hardware's l_peak of one unit and bandwidth b_c:
 *   a = #op / #b, a* = l_peak / b_c, r = #b / #x, x = a r / a*    computation by communication
 *   l(p) = p l_peak (x/p) / (1 + x/p),  S(p) = l(p) / l(1) = (1 + x) / (1 + x/p)
 * The slides' z = b_c / b_c0 and reference bandwidth b_c0 cancel in x. */

/* Units that are all alike. */
struct cluster {
	double l_peak_flops;
	double bc_bytes_per_s;
};

/* What #op, #b and #x are for the kernels of the slides, on a problem of size n with w bytes a
 * number: x(n, p) = y(n) / d(p). */
enum kernel_kind {
	KERNEL_SCALAR_PRODUCT, /* of vectors: #op 2n, #b 2nw, #x pw; d = p */
	KERNEL_MATRIX_PRODUCT, /* Cannon: #op 2n^3, #b 2n^2 w, #x 2n^2 w sqrt p; d = sqrt p */
	KERNEL_LINPACK	       /* #op 2/3 n^3, #b 2n^2 w, #x 3 alpha (1 + log2(p)/12) n^2 w;
				* d = (1 + log2(p)/12) / 2 */
};
struct kernel {
	enum kernel_kind kind;
	double n;
	double bytes_per_number; /* w: 8 */
	double alpha;		 /* Linpack only; 1/3 on the slides */
};

struct cluster_speedup {
	double y;	/* x d(p): does not depend on p */
	double r;	/* 1 / d(p) */
	double x;	/* y r */
	double l_flops; /* performance of p units */
	double speedup; /* S */
	double p_half;	/* units that reach half of their peak: y r(p) = p, exactly; NaN if even
			 * one stays below */
	double p_max;	/* units of the highest performance: p^2 d'(p) = y, exactly; at least 1 */
	double l_max_flops; /* l(p_max) */
	/* Linpack by the slides' shortcut r = 1, so that x = y; NaN for other kernels. */
	double speedup_short;	  /* (1 + y) / (1 + y/p): "S with x = n / 128", slide 19 */
	double p_half_short;	  /* y */
	double p_max_short;	  /* 24 ln 2 p_half_short */
	double l_max_short_flops; /* 9/10 l_peak y */
};

/* p >= 1 units. Errors: ARG (names the value). */
enum err_code cluster_speedup(const struct cluster *c, const struct kernel *k, double p,
			      struct cluster_speedup *out, struct err *e);

/* Units of different speed, by kinds: units of a kind are alike and do equal parts of its share of
 * the operations, so omega_k = share / count for each of them. */
struct unit_kind {
	double count;
	double l_peak_flops;
	double share; /* of all operations; the shares sum to 1 */
};
struct mixed_speedup {
	double time_s; /* max over k of omega_k #op / l_k, and #x / b_c */
	double l_flops;
	size_t slowest; /* the kind that computes longest */
	double speedup; /* over one unit of it by itself: (1 + x_k) / (1 + omega_k x_k) */
};
/* Any number of kinds; the shares of all must sum to 1 (cluster_share_by_peak() makes them so that
 * all end together). The data shares delta_k of the slides do not enter their formula, nor this
 * one. Errors: ARG. */
enum err_code cluster_speedup_mixed(const struct unit_kind *kind, size_t n_kinds,
				    double bc_bytes_per_s, double n_op, double x_bytes,
				    struct mixed_speedup *out, struct err *e);

/* Shares by which all units compute equally long: count times peak over the sum of that. */
void cluster_share_by_peak(struct unit_kind *kind, size_t n_kinds);

/* Inverse use: the bandwidth that explains a TOP500 entry, b_eff = (R_max / N_max) 3 w 10/9, the
 * slides' l_max solved for b_c [bytes/s]. Errors: ARG. */
enum err_code cluster_effective_bandwidth(double rmax_flops, double nmax, double bytes_per_number,
					  double *out, struct err *e);

#endif
