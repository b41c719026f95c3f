#ifndef MINING_GAUSSIAN_PROCESS_H
#define MINING_GAUSSIAN_PROCESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

/* Gaussian process regression (Rasmussen and Williams, "Gaussian Processes for Machine Learning",
 * 2006): what is left of log time after a mean function, as a smooth function of many inputs that
 * returns to 0 far from the data. Its covariance is a sum of parts, each with a standard deviation
 * and a length per input of its own ("ARD"), plus noise. */

enum { GP_MAX_INPUTS = 24, GP_MAX_FACTORS = 6, GP_MAX_PARTS = 6 };

enum gp_shape {
	GP_MATERN_52,	       /* (1 + s + s^2 / 3) exp(-s), s = sqrt(5) r: twice differentiable */
	GP_SQUARED_EXPONENTIAL /* exp(-r^2 / 2) */
};

/* One part of the covariance: sd^2 shape(r) s(x) s(x'), r^2 the sum over its inputs of
 * (difference / length)^2; two different levels of a categorical input differ by 1. A part
 * without inputs is a constant; with a factor, a term linear in it. */
struct gp_part {
	enum gp_shape shape;
	uint32_t inputs; /* bit i: varies with input i */
	int factor;	 /* place of s in the factors of an observation; -1: s = 1 */
	double sd_prior; /* the likely size of what it explains */
};

struct gp_design {
	size_t n_inputs;
	size_t n_factors;
	size_t n_parts;
	uint32_t categorical; /* bit i: input i is equal or unequal, nothing between */
	double noise_prior;   /* the likely standard deviation of noise */
	double length_prior[GP_MAX_INPUTS]; /* the likely length of an input; 0: its range */
	struct gp_part part[GP_MAX_PARTS];
};

struct gp_data {
	size_t n;
	const double *z;      /* n * n_inputs, row-major, finite; logs where sizes multiply */
	const double *factor; /* n * n_factors, row-major; may be NULL without factors */
	const double *y;      /* n */
	const double *noise;  /* n: variance over that of the noise, such as 1 / repeats; NULL: 1 */
};

/* Logarithms: what the marginal likelihood chooses. */
struct gp_hyper {
	double log_sd[GP_MAX_PARTS];
	double log_length[GP_MAX_PARTS][GP_MAX_INPUTS]; /* in units of the input */
	double log_noise;
};

struct gp_options {
	size_t max_points; /* kept; of more data a seeded random subset. Time grows as its cube. */
	size_t max_tuning_points; /* of those, to choose hyperparameters from */
	uint64_t seed;
	const struct gp_hyper *hyper; /* as they are; NULL: choose */
};

struct gaussian_process;

/* Hyperparameters maximise the marginal likelihood times priors that hold what the data leave open:
 * log lengths are normal about the range of the input, log deviations about sd_prior and
 * noise_prior. Noise is robust: an observation more than 2.5 standard deviations off what the
 * others say of it (leave-one-out) has its noise raised, the more the farther it is off, so that
 * disturbed runs bend nothing. Errors: NODATA (n == 0), NUMERIC (not positive definite), NOMEM. */
enum err_code gaussian_process_fit(const struct gp_design *design, const struct gp_data *data,
				   const struct gp_options *options, struct gaussian_process **out,
				   struct err *e);
void gaussian_process_free(struct gaussian_process *gp);

/* Posterior mean at z[n_inputs], factor[n_factors]; by_part[n_parts] (may be NULL) is what each
 * part has in it. About 1.4 ns per point and part with vectors of 8 doubles, 2.4 ns with 4. */
double gaussian_process_mean(const struct gaussian_process *gp, const double *z,
			     const double *factor, double *by_part);
/* The mean, and in less than twice the time *epistemic_sd: the posterior standard deviation of the
 * function, without noise, given only the 16 observations that say most about this point: exact up
 * to that many, never below the exact one beyond (more data never widen it). */
double gaussian_process_predict(const struct gaussian_process *gp, const double *z,
				const double *factor, double *by_part, double *epistemic_sd);

/* A lower bound of what one part has in the mean, from the mean and its slope at the middle of
 * cells of its inputs, which are logs: to be asked of many points near each other, of which it
 * remembers the cells. *out is NULL where it would tell nothing: the part varies with levels, or so
 * fast that hardly two points share a cell. at_points: but for rounding it is the mean itself, of
 * points that are equal in the part's inputs found once. The process is borrowed. Threads may share
 * it. Errors: NOMEM. */
struct gp_part_bound;
enum err_code gp_part_bound_new(const struct gaussian_process *gp, size_t part, bool at_points,
				struct gp_part_bound **out, struct err *e);
void gp_part_bound_free(struct gp_part_bound *b);
/* -INFINITY where z is beyond all cells. */
double gp_part_bound_least(struct gp_part_bound *b, const double *z, const double *factor);

/* The same at z + shift[s] for each of n_shifts (shift[n_shifts * n_inputs]), the factor being 1,
 * from a place near z that was asked about before: for many z that are near each other. `of` must
 * not be at_points, and is borrowed. One must not be shared by threads. Errors: NOMEM. */
struct gp_shifted_bound;
enum err_code gp_shifted_bound_new(const struct gp_part_bound *of, const double *shift,
				   size_t n_shifts, struct gp_shifted_bound **out, struct err *e);
void gp_shifted_bound_free(struct gp_shifted_bound *b);
/* least[n_shifts]; false: out of memory. */
bool gp_shifted_bound_least(struct gp_shifted_bound *b, const double *z, double *least);

const struct gp_design *gaussian_process_design(const struct gaussian_process *gp);
const struct gp_hyper *gaussian_process_hyper(const struct gaussian_process *gp);
/* How many observations are kept. */
size_t gaussian_process_n_kept(const struct gaussian_process *gp);

/* As numbers that start with `prefix`, and back: predictions are equal to the last bit. Errors:
 * NOMEM; of load also NOTMINED (incomplete). */
enum err_code gaussian_process_store(const struct gaussian_process *gp, const char *prefix,
				     struct kb_fit *fit, struct err *e);
enum err_code gaussian_process_load(const struct kb_fit *fit, const char *prefix,
				    struct gaussian_process **out, struct err *e);

#endif
