#ifndef MINING_GAUSSIAN_PROCESS_PRIVATE_H
#define MINING_GAUSSIAN_PROCESS_PRIVATE_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "mining/numerics/cholesky.h"
#include "mining/gp/gaussian_process.h"

/* Shared by the files gaussian_process*.c: _kernel (covariance), _tune (hyperparameters), _fit
 * (robust noise), _predict, _bound, _store. */

/* Loops over points run in blocks of this constant, a divisor of CHOLESKY_TILE, which compilers
 * vectorise. */
enum { GP_BLOCK = 16 };
/* The widest vectors: those that straddle lines of the cache take twice as long. */
enum { GP_VECTOR_BYTES = 64 };

/* exp(-x) for x >= 0, for loops that a compiler is to vectorise, which calls of the C library's
 * exp() prevent; alike on every processor, which that is not. At most 1.1 units in the last place
 * off; 0 from 708 on, where the last normal numbers are; NaN for NaN.
 * -x = n log 2 + r, |r| <= log(2) / 2 (Cody and Waite, "Software Manual for the Elementary
 * Functions", 1980, chapter 6), and a polynomial of degree 11 for exp(r): 1 + r + r^2 q(r), q the
 * Chebyshev interpolation of (exp(r) - 1 - r) / r^2, which is off by less than 0.08 units. */
static inline double exp_negative(double x)
{
	/* Beyond 2^52 the unit in the last place is 1: adding this rounds, and leaves the integer
	 * in the lowest bits. */
	const double rounder = 0x1.8p52;
	/* log 2, the first part with so few bits that n times it is exact */
	const double log2_high = 0x1.62e42fefa2p-1, log2_low = 0x1.9ef35793c7673p-41;
	const double t = rounder - x * 0x1.71547652b82fep+0; /* 1 / log 2 */
	const double n = t - rounder;
	const double r = (-x - n * log2_high) - n * log2_low;
	const double r2 = r * r;
	double power, q;
	uint64_t bits;

	/* pairs first: half as long to wait for as one after the other */
	q = 0x1.af389ed28db09p-26 * r + 0x1.28917c8be7ad6p-22;
	q = q * r2 + (0x1.71de0db2f585ep-19 * r + 0x1.a019b914985a9p-16);
	q = q * r2 + (0x1.a01a01a7c2f03p-13 * r + 0x1.6c16c17889ef9p-10);
	q = q * r2 + (0x1.11111111109b5p-7 * r + 0x1.5555555553d68p-5);
	q = q * r2 + (0x1.5555555555556p-3 * r + 0x1.0000000000001p-1);
	/* 2^n: the exponent of a double, with its bias */
	memcpy(&bits, &t, sizeof bits);
	bits = (bits + 1023) << 52;
	memcpy(&power, &bits, sizeof power);
	power *= r2 * q + r + 1;
	return x > 708 ? 0 : power;
}

/* Points input by input, each padded with zeros to a multiple of CHOLESKY_TILE. */
struct gp_points {
	size_t n;
	size_t stride;	/* n, padded */
	double *z;	/* n_inputs * stride */
	double *factor; /* n_factors * stride */
};

/* What covariances are computed from, in the form that is fastest to use. */
struct gp_kernel {
	struct gp_design design;
	double variance[GP_MAX_PARTS];
	size_t n_inputs[GP_MAX_PARTS]; /* that it varies with, and which they are */
	size_t input[GP_MAX_PARTS][GP_MAX_INPUTS];
	double per_length[GP_MAX_PARTS][GP_MAX_INPUTS]; /* 1 / length, by input */
};

struct gaussian_process {
	struct gp_hyper hyper;
	struct gp_kernel kernel; /* of the design and hyper */
	struct gp_points points;
	double *y;	 /* n */
	double *noise;	 /* n, as given */
	double *weight;	 /* n: the noise of i is that of hyper, times noise[i] / weight[i] */
	double *alpha;	 /* stride: K^-1 y, padded with zeros */
	double *own;	 /* n: K_ii, an observation's variance with its noise */
	double *per_own; /* stride: 1 / own, padded with zeros */
	size_t *kept;	 /* n: which of the data they are, ascending; NULL after a load */
	double *factor;	 /* stride * stride, lower triangle: L, L L' = K; NULL after a load */
};

/* All of struct gaussian_process but factor and kept; the design is set. NULL: out of memory. */
struct gaussian_process *gp_alloc(const struct gp_design *design, size_t n);

void gp_kernel_make(const struct gp_design *design, const struct gp_hyper *h,
		    struct gp_kernel *out);

/* out[j] = covariance of the point (z, factor) with each of the first n points. out[stride] is
 * scratch beyond n. */
void gp_covariances(const struct gp_kernel *k, const struct gp_points *points, size_t n,
		    const double *z, const double *factor, double *out);
/* What one part has in that. */
void gp_part_covariances(const struct gp_kernel *k, size_t part, const struct gp_points *points,
			 size_t n, const double *z, const double *factor, double *out);
/* Covariances of pairs of points, equal to those to the last bit, for many pairs at once: apart->z
 * has the difference of the two, apart->factor the factors of one, others[] in the same way those
 * of the other. out[apart->stride]. */
void gp_pair_covariances(const struct gp_kernel *k, const struct gp_points *apart,
			 const double *others, double *out);
/* Of a point with itself. */
double gp_prior_variance(const struct gp_kernel *k, const double *factor);
/* grad += sum over j < n of b[j] d covariance(point i, point j) / d hyper (logs; log_noise has no
 * part in it). */
void gp_add_gradient(const struct gp_kernel *k, const struct gp_points *points, size_t i, size_t n,
		     const double *b, struct gp_hyper *grad);
/* sum over j < n of b[j] times what `part` has in the covariance of z, its factor 1, with point j;
 * slope[]: its derivative with respect to each of the part's inputs, in their order. */
double gp_part_slope(const struct gp_kernel *k, size_t part, const struct gp_points *points,
		     size_t n, const double *z, const double *b, double *slope);
/* What `part` has in the posterior mean at z, its factor 1. */
double gp_part_mean(const struct gaussian_process *gp, size_t part, const double *z);
void gp_points_get(const struct gp_design *design, const struct gp_points *points, size_t i,
		   double z[GP_MAX_INPUTS], double factor[GP_MAX_FACTORS]);

/* Noise variance of kept observation i. */
double gp_noise_variance(const struct gaussian_process *gp, size_t i);
/* kernel and own from the rest. */
void gp_prepare(struct gaussian_process *gp);
/* gp_prepare(), factor and alpha. Errors: NUMERIC. */
enum err_code gp_factorise(struct gaussian_process *gp, struct err *e);
/* out[stride] = the diagonal of K^-1; false: out of memory. */
bool gp_inverse_diagonal(const struct gaussian_process *gp, double *out);
/* The lower triangle of K^-1, stride * stride; NULL: out of memory. The caller frees it. */
double *gp_inverse(const struct gaussian_process *gp);
/* hyper: the most likely, from where they stand. gp->factor and alpha follow. Errors: NUMERIC,
 * NOMEM. */
enum err_code gp_tune(struct gaussian_process *gp, int max_steps, struct err *e);
/* Where hyperparameters start, and the centre of their priors. */
void gp_prior(const struct gp_design *design, const struct gp_points *points, struct gp_hyper *out);
/* The logarithm of marginal likelihood times priors, with factor and alpha. Errors: NUMERIC, NOMEM.
 */
enum err_code gp_log_evidence(struct gaussian_process *gp, double *out, struct err *e);
/* Then its slopes with respect to hyper. Errors: NOMEM. */
enum err_code gp_evidence_slopes(const struct gaussian_process *gp, struct gp_hyper *grad,
				 struct err *e);

#endif
