#ifndef MODELS_COLLECTIVE_COST_H
#define MODELS_COLLECTIVE_COST_H
#include <stddef.h>
#include "base/err.h"

/* What a collective operation of m bytes on n nodes takes: t(m, n) = t0(n) + m / r(n).
 *
 * Source: Liu, Qiao and Liu, "The Hierarchical Analysis and Performance Evaluating for Parallel
 * Application", Computer Science 27(5), 2000, section 5, after Hwang and Xu, "Scalable Parallel
 * Computing". Their equation 1, a broadcast costs t_p(m) log2 n, is the case that start-up and the
 * time per byte both have a part for each stage only. */

/* t0(n) = t0_s + t0_stage_s log2 n, 1 / r(n) = s_per_byte + stage_s_per_byte log2 n. */
struct collective_cost {
	double t0_s, t0_stage_s;
	double s_per_byte, stage_s_per_byte;
};
double collective_start_s(const struct collective_cost *c, double nodes);
double collective_s_per_byte(const struct collective_cost *c, double nodes);
double collective_time_s(const struct collective_cost *c, double bytes, double nodes);

/* The operations measured on one number of nodes. */
struct collective_line {
	double nodes;
	size_t n;		 /* measurements */
	double t0_s, s_per_byte; /* least squares of relative errors; NaN: of one size only */
	double misfit;		 /* largest |fitted / measured - 1|; NaN without a fit */
};
struct collective_fit {
	struct collective_line *line; /* by ascending nodes */
	size_t n_lines;
	struct collective_cost law; /* all numbers of nodes together; NaN where there are too few */
	double law_misfit;
};

/* From n measurements: bytes[] >= 0, nodes[] >= 1, time_s[] > 0. The law needs two sizes and two
 * numbers of nodes. Coefficients may come out negative: that says what the measurements do not
 * follow. Errors: NODATA (n == 0), ARG (a measurement out of range is named), NOMEM. */
enum err_code collective_fit_find(const double *bytes, const double *nodes, const double *time_s,
				  size_t n, struct collective_fit *out, struct err *e);
void collective_fit_release(struct collective_fit *f);

#endif
