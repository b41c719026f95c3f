#include <math.h>
#include <stdbool.h>

#include "mining/gaussian_process_private.h"

static bool has_input(const struct gp_part *p, size_t i)
{
	return (p->inputs >> i & 1) != 0;
}

/* r2[] = squared distances of z from the points of one block. */
static void squared_distances(const struct gp_kernel *k, size_t part,
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

static double shape_at(enum gp_shape shape, double r2)
{
	double s;

	if (shape == GP_SQUARED_EXPONENTIAL)
		return exp(-0.5 * r2);
	s = sqrt(5 * r2);
	return (1 + s + s * s / 3) * exp(-s);
}

/* d shape / d log length_i = slope * (difference_i / length_i)^2. */
static double slope_at(enum gp_shape shape, double r2)
{
	double s;

	if (shape == GP_SQUARED_EXPONENTIAL)
		return exp(-0.5 * r2);
	s = sqrt(5 * r2);
	return 5.0 / 3 * (1 + s) * exp(-s);
}

static double factor_of(const struct gp_part *p, const double *factor)
{
	return p->factor >= 0 ? factor[p->factor] : 1;
}

/* The factor of part p at each of the points from `block` on; NULL: 1. */
static const double *factors_of(const struct gp_part *p, const struct gp_points *points,
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

void gp_covariances(const struct gp_kernel *k, const struct gp_points *points, size_t n,
		    const double *z, const double *factor, double *out)
{
	double r2[GP_BLOCK];

	for (size_t block = 0; block < n; block += GP_BLOCK) {
		double *o = out + block;

		for (size_t j = 0; j < GP_BLOCK; j++)
			o[j] = 0;
		for (size_t part = 0; part < k->design.n_parts; part++) {
			const struct gp_part *p = &k->design.part[part];
			const double c = k->variance[part] * factor_of(p, factor);
			const double *s = factors_of(p, points, block);

			squared_distances(k, part, points, block, z, r2);
			for (size_t j = 0; j < GP_BLOCK; j++)
				o[j] += c * (s ? s[j] : 1) * shape_at(p->shape, r2[j]);
		}
	}
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

/* (difference / length)^2 of two points along input i. */
static double square_along(const struct gp_kernel *k, size_t part, const struct gp_points *points,
			   size_t i, size_t a, size_t b)
{
	const double *z = points->z + i * points->stride;
	const double per_length = k->per_length[part][i];
	double u;

	if (k->design.categorical >> i & 1)
		return z[a] == z[b] ? 0 : per_length * per_length;
	u = (z[b] - z[a]) * per_length;
	return u * u;
}

double gp_covariance(const struct gp_kernel *k, const struct gp_points *points, size_t i, size_t j)
{
	double sum = 0;

	for (size_t part = 0; part < k->design.n_parts; part++) {
		const struct gp_part *p = &k->design.part[part];
		const double *s = factors_of(p, points, 0);
		double r2 = 0;

		for (size_t d = 0; d < k->design.n_inputs; d++) {
			if (has_input(p, d))
				r2 += square_along(k, part, points, d, i, j);
		}
		sum += k->variance[part] * (s ? s[i] * s[j] : 1) * shape_at(p->shape, r2);
	}
	return sum;
}

/* One part's share of gp_add_gradient() in one block of points, of which m count. */
static void add_block(const struct gp_kernel *k, const struct gp_points *points, size_t part,
		      size_t block, size_t m, const double *z, const double *factor,
		      const double *b, struct gp_hyper *grad)
{
	const struct gp_part *p = &k->design.part[part];
	const double c = k->variance[part] * factor_of(p, factor);
	const double *s = factors_of(p, points, block);
	double r2[GP_BLOCK], slope[GP_BLOCK];

	squared_distances(k, part, points, block, z, r2);
	for (size_t j = 0; j < m; j++) {
		double w = c * b[j] * (s ? s[j] : 1);

		grad->log_sd[part] += 2 * w * shape_at(p->shape, r2[j]);
		slope[j] = w * slope_at(p->shape, r2[j]);
	}
	for (size_t i = 0; i < k->design.n_inputs; i++) {
		const double *q = points->z + i * points->stride + block;
		const double per_length = k->per_length[part][i];
		double sum = 0;

		if (!has_input(p, i))
			continue;
		for (size_t j = 0; j < m; j++) {
			double u = k->design.categorical >> i & 1 ? q[j] != z[i] : q[j] - z[i];

			sum += slope[j] * u * u;
		}
		grad->log_length[part][i] += sum * per_length * per_length;
	}
}

void gp_add_gradient(const struct gp_kernel *k, const struct gp_points *points, size_t i, size_t n,
		     const double *b, struct gp_hyper *grad)
{
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS];

	gp_points_get(&k->design, points, i, z, factor);
	for (size_t block = 0; block < n; block += GP_BLOCK) {
		size_t m = n - block < GP_BLOCK ? n - block : GP_BLOCK;

		for (size_t part = 0; part < k->design.n_parts; part++)
			add_block(k, points, part, block, m, z, factor, b + block, grad);
	}
}
