#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "mining/gp/gaussian_process_private.h"
#include "mining/numerics/vector_clones.h"

/* The exact variance costs a square of the number of observations, 1 ms for 1 000 of them; a search
 * asks for thousands. */
enum { NEAREST = 16 };

/* Observations taken at a time: their covariances stay in the first cache, and no memory is needed.
 * They are padded to a multiple of the lanes. */
enum { LANES = CHOLESKY_TILE, CHUNK = 32 * LANES };

/* The observations that say most about a point, by how much of its variance each explains alone;
 * in no order. */
struct nearest_points {
	size_t n;
	size_t least; /* which of them explains least, once there are NEAREST */
	size_t place[NEAREST];
	double covariance[NEAREST];
	double explains[NEAREST];
};

static void consider(struct nearest_points *best, size_t place, double covariance, double explains)
{
	size_t at = best->least;

	if (best->n < NEAREST)
		at = best->n++;
	else if (!(explains > best->explains[at]))
		return;
	best->place[at] = place;
	best->covariance[at] = covariance;
	best->explains[at] = explains;
	for (size_t i = 0; i < NEAREST && best->n == NEAREST; i++) {
		if (best->explains[i] < best->explains[best->least])
			best->least = i;
	}
}

static double total(const double lane[LANES])
{
	double sum = 0;

	for (size_t j = 0; j < LANES; j++)
		sum += lane[j];
	return sum;
}

/* sum[LANES] += k[] alpha[]; m a multiple of LANES, here and below. */
VECTOR_CLONES
static void add_products(const double *restrict k, const double *restrict alpha, size_t m,
			 double *restrict sum)
{
	for (size_t from = 0; from < m; from += LANES) {
		for (size_t j = 0; j < LANES; j++)
			sum[j] += k[from + j] * alpha[from + j];
	}
}

/* explains[] = k[]^2 / own[]; most[LANES]: the most of each lane. */
VECTOR_CLONES
static void put_explained(const double *restrict k, const double *restrict per_own, size_t m,
			  double *restrict explains, double *restrict most)
{
	for (size_t j = 0; j < LANES; j++)
		most[j] = 0;
	for (size_t from = 0; from < m; from += LANES) {
		for (size_t j = 0; j < LANES; j++) {
			const double x = k[from + j] * k[from + j] * per_own[from + j];

			explains[from + j] = x;
			most[j] = x > most[j] ? x : most[j];
		}
	}
}

/* The NEAREST-largest of them: as many observations explain at least that, so that those which
 * explain less need not be looked at again, which are all but some 20 of a chunk. */
VECTOR_CLONES
static double bar_of(const double *restrict most)
{
	double n_larger[LANES] = {0}, bar = INFINITY;

	for (size_t i = 0; i < LANES; i++) {
		const double at = most[i];

		for (size_t j = 0; j < LANES; j++)
			n_larger[j] += at > most[j] ? 1 : 0;
	}
	for (size_t j = 0; j < LANES; j++) {
		if (n_larger[j] < NEAREST && most[j] < bar)
			bar = most[j];
	}
	return bar;
}

/* What is summed up over the chunks: the mean, part by part, one place per lane. */
struct part_means {
	double sum[GP_MAX_PARTS][LANES];
};

/* out[] += k[] */
VECTOR_CLONES
static void add_covariances(const double *restrict k, size_t m, double *restrict out)
{
	for (size_t from = 0; from < m; from += LANES) {
		for (size_t j = 0; j < LANES; j++)
			out[from + j] += k[from + j];
	}
}

/* The observations from `from` on, CHUNK at most, with the padding. */
static struct gp_points chunk_of(const struct gp_points *points, size_t from)
{
	const size_t left = (points->n - from + LANES - 1) / LANES * LANES;

	return (struct gp_points){.n = left < CHUNK ? left : CHUNK,
				  .stride = points->stride,
				  .z = points->z + from,
				  .factor = points->factor + from};
}

/* A chunk of observations: what it adds to the means, and all[] (may be NULL) = its covariances
 * with a point. Returns how many there are, with the padding. */
static size_t look_at(const struct gaussian_process *gp, size_t from, const double *z,
		      const double *factor, struct part_means *means, double all[CHUNK])
{
	const struct gp_points chunk = chunk_of(&gp->points, from);
	alignas(GP_VECTOR_BYTES) double k[CHUNK];

	if (all)
		memset(all, 0, chunk.n * sizeof *all);
	for (size_t part = 0; part < gp->kernel.design.n_parts; part++) {
		gp_part_covariances(&gp->kernel, part, &chunk, chunk.n, z, factor, k);
		add_products(k, gp->alpha + from, chunk.n, means->sum[part]);
		if (all)
			add_covariances(k, chunk.n, all);
	}
	return chunk.n;
}

double gp_part_mean(const struct gaussian_process *gp, size_t part, const double *z)
{
	alignas(GP_VECTOR_BYTES) double k[CHUNK], sum[LANES] = {0};
	double one[GP_MAX_FACTORS];

	for (size_t f = 0; f < GP_MAX_FACTORS; f++)
		one[f] = 1;
	for (size_t from = 0; from < gp->points.n; from += CHUNK) {
		const struct gp_points chunk = chunk_of(&gp->points, from);

		gp_part_covariances(&gp->kernel, part, &chunk, chunk.n, z, one, k);
		add_products(k, gp->alpha + from, chunk.n, sum);
	}
	return total(sum);
}

/* by_part[n_parts] may be NULL. */
static double total_of(const struct gaussian_process *gp, const struct part_means *means,
		       double *by_part)
{
	double sum = 0;

	for (size_t part = 0; part < gp->kernel.design.n_parts; part++) {
		const double mean = total(means->sum[part]);

		if (by_part)
			by_part[part] = mean;
		sum += mean;
	}
	return sum;
}

double gaussian_process_mean(const struct gaussian_process *gp, const double *z,
			     const double *factor, double *by_part)
{
	alignas(GP_VECTOR_BYTES) struct part_means means = {.sum = {{0}}};

	for (size_t from = 0; from < gp->points.n; from += CHUNK)
		look_at(gp, from, z, factor, &means, NULL);
	return total_of(gp, &means, by_part);
}

/* Those of one chunk that count. */
static void consider_chunk(const struct gaussian_process *gp, size_t from, size_t m,
			   const double *k, struct nearest_points *best)
{
	alignas(GP_VECTOR_BYTES) double explains[CHUNK], most[LANES];
	double bar;
	const size_t n = gp->points.n - from < m ? gp->points.n - from : m;

	put_explained(k, gp->per_own + from, m, explains, most);
	bar = bar_of(most);
	for (size_t j = 0; j < n; j++) {
		if (explains[j] >= bar)
			consider(best, from + j, k[j], explains[j]);
	}
}

/* Their list, and the posterior means, for which all covariances have to be known as well. */
static void find_nearest(const struct gaussian_process *gp, const double *z, const double *factor,
			 struct part_means *means, struct nearest_points *best)
{
	alignas(GP_VECTOR_BYTES) double k[CHUNK];

	best->n = best->least = 0;
	for (size_t from = 0; from < gp->points.n; from += CHUNK) {
		const size_t m = look_at(gp, from, z, factor, means, k);

		consider_chunk(gp, from, m, k, best);
	}
}

/* Pairs of the nearest: the rows of a lower triangle without its diagonal, one after the other,
 * that of i from place first_pair(i) on. Whole rows are written, of which the next overwrites the
 * rest. */
enum { N_PAIRS = NEAREST * (NEAREST - 1) / 2, PADDED_PAIRS = NEAREST * NEAREST / 2 };

static size_t first_pair(size_t i)
{
	return i * (i - 1) / 2;
}

/* out[] = one input, or factor, of the nearest, from that of all; 0 beyond them. */
static void gather(const struct nearest_points *best, const double *all, double out[NEAREST])
{
	for (size_t i = 0; i < NEAREST; i++)
		out[i] = i < best->n ? all[best->place[i]] : 0;
}

/* out[PADDED_PAIRS] = the difference within each pair. */
VECTOR_CLONES
static void put_pair_differences(const double *restrict x, double *restrict out)
{
	memset(out + N_PAIRS, 0, (PADDED_PAIRS - N_PAIRS) * sizeof *out);
	for (size_t i = 1; i < NEAREST; i++) {
		double *row = out + first_pair(i);

		for (size_t j = 0; j < NEAREST; j++)
			row[j] = x[j] - x[i];
	}
}

/* one[], other[PADDED_PAIRS]: each of a pair on its own. */
VECTOR_CLONES
static void put_pair_members(const double *restrict x, double *restrict one, double *restrict other)
{
	memset(one + N_PAIRS, 0, (PADDED_PAIRS - N_PAIRS) * sizeof *one);
	memset(other + N_PAIRS, 0, (PADDED_PAIRS - N_PAIRS) * sizeof *other);
	for (size_t i = 1; i < NEAREST; i++) {
		double *a = one + first_pair(i), *b = other + first_pair(i);

		for (size_t j = 0; j < NEAREST; j++) {
			a[j] = x[j];
			b[j] = x[i];
		}
	}
}

/* a[NEAREST * NEAREST] = the covariance of the nearest, its lower triangle; ones on the diagonal
 * beyond them; zeros elsewhere. */
static void put_covariance(const struct gaussian_process *gp, const struct nearest_points *best,
			   double *a)
{
	const struct gp_design *d = &gp->kernel.design;
	const size_t stride = gp->points.stride;
	double z[GP_MAX_INPUTS * PADDED_PAIRS], one[GP_MAX_FACTORS * PADDED_PAIRS],
		other[GP_MAX_FACTORS * PADDED_PAIRS];
	const struct gp_points apart = {
		.n = N_PAIRS, .stride = PADDED_PAIRS, .z = z, .factor = one};
	double x[NEAREST], covariance[PADDED_PAIRS];

	for (size_t k = 0; k < d->n_inputs; k++) {
		gather(best, gp->points.z + k * stride, x);
		put_pair_differences(x, z + k * PADDED_PAIRS);
	}
	for (size_t k = 0; k < d->n_factors; k++) {
		gather(best, gp->points.factor + k * stride, x);
		put_pair_members(x, one + k * PADDED_PAIRS, other + k * PADDED_PAIRS);
	}
	gp_pair_covariances(&gp->kernel, &apart, other, covariance);
	memset(a, 0, NEAREST * NEAREST * sizeof *a);
	for (size_t i = 0; i < best->n; i++) {
		memcpy(a + i * NEAREST, covariance + first_pair(i), i * sizeof *a);
		a[i * NEAREST + i] = gp->own[best->place[i]];
	}
	for (size_t i = best->n; i < NEAREST; i++)
		a[i * NEAREST + i] = 1;
}

/* x' A^-1 x by Gaussian elimination, column by column; NaN where A is not positive definite. Of
 * a[NEAREST * NEAREST] only the lower triangle counts, and is spoilt, as x is. */
VECTOR_CLONES
static double quadratic_form(double *restrict a, double *restrict x)
{
	double sum = 0;

	for (size_t j = 0; j < NEAREST; j++) {
		double pivot = a[j * NEAREST + j], column[NEAREST], share;

		if (!(pivot > 0))
			return NAN;
		for (size_t i = 0; i < NEAREST; i++)
			column[i] = i > j ? a[i * NEAREST + j] : 0;
		share = x[j] / pivot;
		sum += x[j] * share;
		for (size_t i = 0; i < NEAREST; i++)
			x[i] -= share * column[i];
		for (size_t i = j + 1; i < NEAREST; i++) {
			const double part = column[i] / pivot;
			double *row = a + i * NEAREST;

			/* beyond the triangle, too: loops of a constant length are vectors */
			for (size_t k = 0; k < NEAREST; k++)
				row[k] -= part * column[k];
		}
	}
	return sum;
}

/* The standard deviation that is left of a function of this prior variance, given them. */
static double epistemic_sd_given(const struct gaussian_process *gp,
				 const struct nearest_points *best, double variance)
{
	double a[NEAREST * NEAREST], x[NEAREST] = {0}, explained;

	put_covariance(gp, best, a);
	memcpy(x, best->covariance, best->n * sizeof *x);
	explained = quadratic_form(a, x);
	return sqrt(isnan(explained) ? variance : fmax(variance - explained, 0));
}

double gaussian_process_predict(const struct gaussian_process *gp, const double *z,
				const double *factor, double *by_part, double *epistemic_sd)
{
	alignas(GP_VECTOR_BYTES) struct part_means means = {.sum = {{0}}};
	struct nearest_points best;

	find_nearest(gp, z, factor, &means, &best);
	*epistemic_sd = epistemic_sd_given(gp, &best, gp_prior_variance(&gp->kernel, factor));
	return total_of(gp, &means, by_part);
}
