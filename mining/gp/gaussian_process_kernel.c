#include <math.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "mining/gp/gaussian_process_private.h"
#include "mining/numerics/vector_clones.h"

/* Loops over points go through a span of them at a time: what is computed of it stays in the first
 * cache, and there is always another block to work on while one waits for its own last step. Inside
 * of a span they go by blocks of a constant length, which compilers vectorise; its length m is a
 * multiple of that. */
enum { SPAN = 16 * GP_BLOCK };

VECTOR_PART
static inline void clear(size_t m, double *restrict x)
{
	for (size_t block = 0; block < m; block += GP_BLOCK, x += GP_BLOCK) {
		for (size_t j = 0; j < GP_BLOCK; j++)
			x[j] = 0;
	}
}

/* An input of a span of points, the value that they are compared with, and 1 / its length. */
struct kernel_axis {
	const double *p;
	double at, per_length;
};

static inline double squared_difference(const struct kernel_axis *a, size_t i)
{
	const double u = (a->p[i] - a->at) * a->per_length;

	return u * u;
}

/* r2[m] += squared distances along one axis, or three: then it is read and written once. */
VECTOR_PART
static inline void add_one(const struct kernel_axis *a, size_t m, double *restrict r2)
{
	for (size_t block = 0; block < m; block += GP_BLOCK) {
		double *r = r2 + block;

		for (size_t j = 0; j < GP_BLOCK; j++)
			r[j] += squared_difference(a, block + j);
	}
}

VECTOR_PART
static inline void add_three(const struct kernel_axis *a, size_t m, double *restrict r2)
{
	for (size_t block = 0; block < m; block += GP_BLOCK) {
		double *r = r2 + block;

		for (size_t j = 0; j < GP_BLOCK; j++)
			r[j] = r[j] + squared_difference(&a[0], block + j) +
			       squared_difference(&a[1], block + j) +
			       squared_difference(&a[2], block + j);
	}
}

/* Along an axis of levels, which are equal or not. */
VECTOR_PART
static inline void add_levels(const struct kernel_axis *a, size_t m, double *restrict r2)
{
	const double apart = a->per_length * a->per_length, at = a->at;

	for (size_t block = 0; block < m; block += GP_BLOCK) {
		const double *p = a->p + block;
		double *r = r2 + block;

		for (size_t j = 0; j < GP_BLOCK; j++)
			r[j] += p[j] == at ? 0 : apart;
	}
}

static inline bool is_level(const struct gp_kernel *k, size_t part, size_t i)
{
	return (k->design.categorical >> k->input[part][i] & 1) != 0;
}

/* How many of a part's inputs are taken at once from the i-th on; their order stays. */
static inline size_t at_once(const struct gp_kernel *k, size_t part, size_t i)
{
	if (i + 2 >= k->n_inputs[part] || is_level(k, part, i) || is_level(k, part, i + 1) ||
	    is_level(k, part, i + 2))
		return 1;
	return 3;
}

/* r2[m] = squared distances of z from the points from `first` on. */
VECTOR_PART
static inline void squared_distances(const struct gp_kernel *k, size_t part,
				     const struct gp_points *points, size_t first, size_t m,
				     const double *z, double *restrict r2)
{
	struct kernel_axis a[GP_MAX_INPUTS];

	for (size_t i = 0; i < k->n_inputs[part]; i++) {
		const size_t input = k->input[part][i];

		a[i] = (struct kernel_axis){.p = points->z + input * points->stride + first,
					    .at = z[input],
					    .per_length = k->per_length[part][input]};
	}
	clear(m, r2);
	for (size_t i = 0, n; i < k->n_inputs[part]; i += n) {
		n = at_once(k, part, i);
		if (n == 3)
			add_three(a + i, m, r2);
		else if (is_level(k, part, i))
			add_levels(a + i, m, r2);
		else
			add_one(a + i, m, r2);
	}
}

/* out[m] = the shape at distances whose squares are r2[m]. */
VECTOR_PART
static inline void put_shapes(enum gp_shape shape, size_t m, const double *restrict r2,
			      double *restrict out)
{
	for (size_t block = 0; block < m; block += GP_BLOCK, r2 += GP_BLOCK, out += GP_BLOCK) {
		if (shape == GP_SQUARED_EXPONENTIAL) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				out[j] = exp_negative(0.5 * r2[j]);
			continue;
		}
		for (size_t j = 0; j < GP_BLOCK; j++) {
			double s = sqrt(5 * r2[j]);

			out[j] = (1 + s + 5.0 / 3 * r2[j]) * exp_negative(s);
		}
	}
}

/* out[m] = the shape there, and slope[m] so that d shape / d log length_i = slope * (difference_i /
 * length_i)^2. */
VECTOR_PART
static inline void put_slopes(enum gp_shape shape, size_t m, const double *restrict r2,
			      double *restrict out, double *restrict slope)
{
	for (size_t block = 0; block < m; block += GP_BLOCK) {
		const double *r = r2 + block;
		double *o = out + block, *p = slope + block;

		if (shape == GP_SQUARED_EXPONENTIAL) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				o[j] = p[j] = exp_negative(0.5 * r[j]);
			continue;
		}
		for (size_t j = 0; j < GP_BLOCK; j++) {
			const double s = sqrt(5 * r[j]), decay = exp_negative(s);

			o[j] = (1 + s + 5.0 / 3 * r[j]) * decay;
			p[j] = 5.0 / 3 * (1 + s) * decay;
		}
	}
}

static inline double factor_of(const struct gp_part *p, const double *factor)
{
	return p->factor >= 0 ? factor[p->factor] : 1;
}

/* The factor of part p at each of the points from `first` on, in a table of theirs; NULL: 1. */
static inline const double *factors_of(const struct gp_part *p, const double *table, size_t stride,
				       size_t first)
{
	return p->factor >= 0 ? table + (size_t)p->factor * stride + first : NULL;
}

void gp_kernel_make(const struct gp_design *design, const struct gp_hyper *h, struct gp_kernel *out)
{
	out->design = *design;
	for (size_t k = 0; k < design->n_parts; k++) {
		out->variance[k] = exp(2 * h->log_sd[k]);
		out->n_inputs[k] = 0;
		for (size_t i = 0; i < design->n_inputs; i++) {
			if (!(design->part[k].inputs >> i & 1))
				continue;
			out->input[k][out->n_inputs[k]++] = i;
			out->per_length[k][i] = exp(-h->log_length[k][i]);
		}
	}
}

static inline size_t padded(size_t n)
{
	return (n + GP_BLOCK - 1) / GP_BLOCK * GP_BLOCK;
}

/* out[m] += c a[m] b[m] shape[m], multiplied in this order; a or both may be NULL: 1. */
VECTOR_PART
static inline void add_products(double c, const double *restrict a, const double *restrict b,
				const double *restrict shape, size_t m, double *restrict out)
{
	for (size_t block = 0; block < m; block += GP_BLOCK) {
		const double *s = shape + block;
		double *o = out + block;

		if (a) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				o[j] += c * a[block + j] * b[block + j] * s[j];
		} else if (b) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				o[j] += c * b[block + j] * s[j];
		} else {
			for (size_t j = 0; j < GP_BLOCK; j++)
				o[j] += c * s[j];
		}
	}
}

/* How many of n points make up the span from `first` on, with the padding. */
static inline size_t span_of(size_t n, size_t first)
{
	return n - first < SPAN ? padded(n - first) : SPAN;
}

/* Of n_parts from `from` on. others: what the factors are times for each of the points, a table
 * like theirs; NULL: 1. */
VECTOR_CLONES
static void put_covariances(const struct gp_kernel *k, size_t from, size_t n_parts,
			    const struct gp_points *points, size_t n, const double *z,
			    const double *factor, const double *others, double *restrict out)
{
	alignas(GP_VECTOR_BYTES) double r2[SPAN], shape[SPAN];

	clear(padded(n), out);
	for (size_t first = 0; first < n; first += SPAN) {
		const size_t m = span_of(n, first);

		for (size_t part = from; part < from + n_parts; part++) {
			const struct gp_part *p = &k->design.part[part];
			const double c = k->variance[part] * factor_of(p, factor);
			const double *a =
				others ? factors_of(p, others, points->stride, first) : NULL;
			const double *b = factors_of(p, points->factor, points->stride, first);

			squared_distances(k, part, points, first, m, z, r2);
			put_shapes(p->shape, m, r2, shape);
			add_products(c, a, b, shape, m, out + first);
		}
	}
}

void gp_covariances(const struct gp_kernel *k, const struct gp_points *points, size_t n,
		    const double *z, const double *factor, double *out)
{
	put_covariances(k, 0, k->design.n_parts, points, n, z, factor, NULL, out);
}

void gp_part_covariances(const struct gp_kernel *k, size_t part, const struct gp_points *points,
			 size_t n, const double *z, const double *factor, double *out)
{
	put_covariances(k, part, 1, points, n, z, factor, NULL, out);
}

void gp_pair_covariances(const struct gp_kernel *k, const struct gp_points *apart,
			 const double *others, double *out)
{
	static const double nowhere[GP_MAX_INPUTS];
	double one[GP_MAX_FACTORS];

	for (size_t f = 0; f < GP_MAX_FACTORS; f++)
		one[f] = 1;
	put_covariances(k, 0, k->design.n_parts, apart, apart->n, nowhere, one, others, out);
}

double gp_prior_variance(const struct gp_kernel *k, const double *factor)
{
	double sum = 0;

	for (size_t part = 0; part < k->design.n_parts; part++) {
		double s = factor_of(&k->design.part[part], factor);

		sum += k->variance[part] * s * s;
	}
	return sum;
}

void gp_points_get(const struct gp_design *design, const struct gp_points *points, size_t i,
		   double z[GP_MAX_INPUTS], double factor[GP_MAX_FACTORS])
{
	for (size_t k = 0; k < design->n_inputs; k++)
		z[k] = points->z[k * points->stride + i];
	for (size_t k = 0; k < design->n_factors; k++)
		factor[k] = points->factor[k * points->stride + i];
}

/* What points add to one part, by sd, and along each of its inputs: shape and slope times weight,
 * the latter times the difference or its square; in one place per lane of the blocks. */
enum along { DIFFERENCES, SQUARES };
struct part_sums {
	double sd[GP_BLOCK];
	double along[GP_MAX_INPUTS][GP_BLOCK];
};

/* weight[m] = b[n] times what stands before the shape at the n points from `first` on; 0 beyond. */
VECTOR_PART
static inline void weigh(const struct gp_kernel *k, const struct gp_points *points, size_t part,
			 size_t first, size_t n, size_t m, const double *factor,
			 const double *restrict b, double *restrict weight)
{
	const struct gp_part *p = &k->design.part[part];
	const double c = k->variance[part] * factor_of(p, factor);
	const double *s = factors_of(p, points->factor, points->stride, first);

	for (size_t j = 0; j < n; j++)
		weight[j] = s ? c * b[j] * s[j] : c * b[j];
	for (size_t j = n; j < m; j++)
		weight[j] = 0;
}

/* sum[] += the slopes times what the points are away along one axis. */
VECTOR_PART
static inline void add_along(const struct kernel_axis *a, bool level, enum along along, size_t m,
			     const double *restrict slope, double *restrict sum)
{
	const double at = a->at;
	double lane[GP_BLOCK];

	memcpy(lane, sum, sizeof lane);
	for (size_t block = 0; block < m; block += GP_BLOCK) {
		const double *q = a->p + block, *w = slope + block;

		if (level) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				lane[j] += q[j] == at ? 0 : w[j];
		} else if (along == SQUARES) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				lane[j] += w[j] * ((q[j] - at) * (q[j] - at));
		} else {
			for (size_t j = 0; j < GP_BLOCK; j++)
				lane[j] += w[j] * (q[j] - at);
		}
	}
	memcpy(sum, lane, sizeof lane);
}

/* A span of points: sd[] += weight[m] shape[m], and slope[m] times the weight. */
VECTOR_PART
static inline void weigh_slopes(size_t m, const double *restrict weight,
				const double *restrict shape, double *restrict slope,
				double *restrict sd)
{
	for (size_t block = 0; block < m; block += GP_BLOCK) {
		for (size_t j = 0; j < GP_BLOCK; j++) {
			sd[j] += weight[block + j] * shape[block + j];
			slope[block + j] *= weight[block + j];
		}
	}
}

static double total(const double lane[GP_BLOCK])
{
	double sum = 0;

	for (size_t j = 0; j < GP_BLOCK; j++)
		sum += lane[j];
	return sum;
}

VECTOR_CLONES
static void add_part(const struct gp_kernel *k, const struct gp_points *points, size_t part,
		     size_t n, const double *z, const double *factor, const double *b,
		     enum along along, struct part_sums *sums)
{
	alignas(GP_VECTOR_BYTES) double weight[SPAN], r2[SPAN], shape[SPAN], slope[SPAN];

	for (size_t first = 0; first < n; first += SPAN) {
		const size_t m = span_of(n, first);

		weigh(k, points, part, first, n - first < m ? n - first : m, m, factor, b + first,
		      weight);
		squared_distances(k, part, points, first, m, z, r2);
		put_slopes(k->design.part[part].shape, m, r2, shape, slope);
		weigh_slopes(m, weight, shape, slope, sums->sd);
		for (size_t in = 0; in < k->n_inputs[part]; in++) {
			const size_t i = k->input[part][in];
			const struct kernel_axis a = {.p = points->z + i * points->stride + first,
						      .at = z[i]};

			add_along(&a, is_level(k, part, in), along, m, slope, sums->along[i]);
		}
	}
}

void gp_add_gradient(const struct gp_kernel *k, const struct gp_points *points, size_t i, size_t n,
		     const double *b, struct gp_hyper *grad)
{
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS];

	gp_points_get(&k->design, points, i, z, factor);
	for (size_t part = 0; part < k->design.n_parts; part++) {
		const double *per_length = k->per_length[part];
		struct part_sums sums = {.sd = {0}};

		add_part(k, points, part, n, z, factor, b, SQUARES, &sums);
		grad->log_sd[part] += 2 * total(sums.sd);
		for (size_t in = 0; in < k->n_inputs[part]; in++) {
			const size_t d = k->input[part][in];

			grad->log_length[part][d] +=
				total(sums.along[d]) * per_length[d] * per_length[d];
		}
	}
}

double gp_part_slope(const struct gp_kernel *k, size_t part, const struct gp_points *points,
		     size_t n, const double *z, const double *b, double *slope)
{
	const double *per_length = k->per_length[part];
	struct part_sums sums = {.sd = {0}};
	double one[GP_MAX_FACTORS];

	for (size_t f = 0; f < GP_MAX_FACTORS; f++)
		one[f] = 1;
	add_part(k, points, part, n, z, one, b, DIFFERENCES, &sums);
	for (size_t in = 0; in < k->n_inputs[part]; in++) {
		const size_t i = k->input[part][in];

		slope[in] = total(sums.along[i]) * per_length[i] * per_length[i];
	}
	return total(sums.sd);
}
