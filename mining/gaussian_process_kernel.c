#include <math.h>
#include <stdbool.h>

#include "mining/exp_minus.h"
#include "mining/gaussian_process_private.h"
#include "mining/vector_clones.h"

static inline bool has_input(const struct gp_part *p, size_t i)
{
	return (p->inputs >> i & 1) != 0;
}

/* r2[] = squared distances of z from the points of one block. */
static inline void squared_distances(const struct gp_kernel *k, size_t part,
				     const struct gp_points *points, size_t block, const double *z,
				     double r2[GP_BLOCK])
{
	const struct gp_design *d = &k->design;

	for (size_t j = 0; j < GP_BLOCK; j++)
		r2[j] = 0;
	for (size_t i = 0; i < d->n_inputs; i++) {
		const double *p = points->z + i * points->stride + block;
		const double per_length = k->per_length[part][i], at = z[i];

		if (!has_input(&d->part[part], i))
			continue;
		if (d->categorical >> i & 1) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				r2[j] += p[j] == at ? 0 : per_length * per_length;
			continue;
		}
		for (size_t j = 0; j < GP_BLOCK; j++) {
			double u = (p[j] - at) * per_length;

			r2[j] += u * u;
		}
	}
}

/* out[] = the shape at distances whose squares are r2[]. */
static inline void put_shapes(enum gp_shape shape, const double r2[GP_BLOCK], double out[GP_BLOCK])
{
	if (shape == GP_SQUARED_EXPONENTIAL) {
		for (size_t j = 0; j < GP_BLOCK; j++)
			out[j] = exp_minus(0.5 * r2[j]);
		return;
	}
	for (size_t j = 0; j < GP_BLOCK; j++) {
		double s = sqrt(5 * r2[j]);

		out[j] = (1 + s + 5.0 / 3 * r2[j]) * exp_minus(s);
	}
}

/* d shape / d log length_i = slope * (difference_i / length_i)^2. */
static inline void put_slopes(enum gp_shape shape, const double r2[GP_BLOCK], double out[GP_BLOCK])
{
	if (shape == GP_SQUARED_EXPONENTIAL) {
		put_shapes(shape, r2, out);
		return;
	}
	for (size_t j = 0; j < GP_BLOCK; j++) {
		double s = sqrt(5 * r2[j]);

		out[j] = 5.0 / 3 * (1 + s) * exp_minus(s);
	}
}

static inline double factor_of(const struct gp_part *p, const double *factor)
{
	return p->factor >= 0 ? factor[p->factor] : 1;
}

/* The factor of part p at each of the points from `block` on; NULL: 1. */
static inline const double *factors_of(const struct gp_part *p, const struct gp_points *points,
				       size_t block)
{
	return p->factor >= 0 ? points->factor + (size_t)p->factor * points->stride + block : NULL;
}

void gp_kernel_make(const struct gp_design *design, const struct gp_hyper *h, struct gp_kernel *out)
{
	out->design = *design;
	for (size_t k = 0; k < design->n_parts; k++) {
		out->variance[k] = exp(2 * h->log_sd[k]);
		for (size_t i = 0; i < design->n_inputs; i++) {
			if (has_input(&design->part[k], i))
				out->per_length[k][i] = exp(-h->log_length[k][i]);
		}
	}
}

VECTOR_CLONES
static void put_covariances(const struct gp_kernel *k, const struct gp_points *points, size_t n,
			    const double *z, const double *factor, double *restrict out)
{
	double r2[GP_BLOCK], shape[GP_BLOCK];

	for (size_t block = 0; block < n; block += GP_BLOCK) {
		double *o = out + block;

		for (size_t j = 0; j < GP_BLOCK; j++)
			o[j] = 0;
		for (size_t part = 0; part < k->design.n_parts; part++) {
			const struct gp_part *p = &k->design.part[part];
			const double c = k->variance[part] * factor_of(p, factor);
			const double *s = factors_of(p, points, block);

			squared_distances(k, part, points, block, z, r2);
			put_shapes(p->shape, r2, shape);
			if (s) {
				for (size_t j = 0; j < GP_BLOCK; j++)
					o[j] += c * s[j] * shape[j];
			} else {
				for (size_t j = 0; j < GP_BLOCK; j++)
					o[j] += c * shape[j];
			}
		}
	}
}

void gp_covariances(const struct gp_kernel *k, const struct gp_points *points, size_t n,
		    const double *z, const double *factor, double *out)
{
	put_covariances(k, points, n, z, factor, out);
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

/* What one part adds to the gradient, in one place per lane of the blocks. */
struct part_sums {
	double sd[GP_BLOCK];
	double along[GP_MAX_INPUTS][GP_BLOCK];
};

/* weight[] = b[] times what stands before the shape in a block of points; 0 beyond its m. */
static inline void weigh(const struct gp_kernel *k, const struct gp_points *points, size_t part,
			 size_t block, size_t m, const double *factor, const double *b,
			 double weight[GP_BLOCK])
{
	const struct gp_part *p = &k->design.part[part];
	const double c = k->variance[part] * factor_of(p, factor);
	const double *s = factors_of(p, points, block);

	for (size_t j = 0; j < m; j++)
		weight[j] = c * b[j] * (s ? s[j] : 1);
	for (size_t j = m; j < GP_BLOCK; j++)
		weight[j] = 0;
}

static inline void add_block(const struct gp_kernel *k, const struct gp_points *points, size_t part,
			     size_t block, const double *z, const double weight[GP_BLOCK],
			     struct part_sums *sums)
{
	const struct gp_part *p = &k->design.part[part];
	double r2[GP_BLOCK], shape[GP_BLOCK], slope[GP_BLOCK];

	squared_distances(k, part, points, block, z, r2);
	put_shapes(p->shape, r2, shape);
	put_slopes(p->shape, r2, slope);
	for (size_t j = 0; j < GP_BLOCK; j++) {
		sums->sd[j] += weight[j] * shape[j];
		slope[j] *= weight[j];
	}
	for (size_t i = 0; i < k->design.n_inputs; i++) {
		const double *q = points->z + i * points->stride + block;
		const double at = z[i];
		double *sum = sums->along[i];

		if (!has_input(p, i))
			continue;
		if (k->design.categorical >> i & 1) {
			for (size_t j = 0; j < GP_BLOCK; j++)
				sum[j] += q[j] == at ? 0 : slope[j];
			continue;
		}
		for (size_t j = 0; j < GP_BLOCK; j++)
			sum[j] += slope[j] * ((q[j] - at) * (q[j] - at));
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
		     struct part_sums *sums)
{
	double weight[GP_BLOCK];

	for (size_t block = 0; block < n; block += GP_BLOCK) {
		size_t m = n - block < GP_BLOCK ? n - block : GP_BLOCK;

		weigh(k, points, part, block, m, factor, b + block, weight);
		add_block(k, points, part, block, z, weight, sums);
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

		add_part(k, points, part, n, z, factor, b, &sums);
		grad->log_sd[part] += 2 * total(sums.sd);
		for (size_t d = 0; d < k->design.n_inputs; d++) {
			if (has_input(&k->design.part[part], d))
				grad->log_length[part][d] +=
					total(sums.along[d]) * per_length[d] * per_length[d];
		}
	}
}
