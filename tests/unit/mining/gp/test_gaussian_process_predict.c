#include "tests/support/check.h"
#include "tests/support/mining_set_up.h"

#include <gsl/gsl_linalg.h>

#include "mining/gp/gaussian_process_private.h"
#include "tests/support/uniform.h"

FREEABLE(gaussian_process)
FREEABLE(gp_part_bound)
FREEABLE(gp_shifted_bound)

/* What a process says of a point, against the formulas one number at a time, with exp() of the C
 * library and GSL. */

static const struct gp_design design = {.n_inputs = 3,
					.n_factors = 1,
					.n_parts = 3,
					.categorical = 4,
					.noise_prior = 0.1,
					.part = {{GP_MATERN_52, 7, -1, 0.5},
						 {GP_SQUARED_EXPONENTIAL, 2, 0, 0.3},
						 {GP_MATERN_52, 0, 0, 0.2}}};

/* n points on a rough grid, so that several explain exactly as much; any alpha will do. */
static struct gaussian_process *make_of(const struct gp_design *d, size_t n)
{
	struct gaussian_process *gp = gp_alloc(d, n);
	uint64_t seed = n;

	assert_non_null(gp);
	gp->hyper = (struct gp_hyper){.log_sd = {-1, -1.5, -2}, .log_noise = -3};
	for (size_t part = 0; part < d->n_parts; part++) {
		gp->hyper.log_length[part][0] = 0.2;
		gp->hyper.log_length[part][1] = -0.4;
		gp->hyper.log_length[part][2] = 0.7;
	}
	for (size_t i = 0; i < n; i++) {
		double *z = gp->points.z + i;

		z[0] = floor(uniform_draw(&seed, 0, 12)) / 4;
		z[gp->points.stride] = uniform_draw(&seed, -1, 1);
		z[2 * gp->points.stride] = floor(uniform_draw(&seed, 0, 3));
		gp->points.factor[i] = uniform_draw(&seed, -1, 1);
		gp->noise[i] = gp->weight[i] = 1;
		gp->alpha[i] = uniform_draw(&seed, -1, 1);
	}
	gp_prepare(gp);
	return gp;
}

static struct gaussian_process *make(size_t n)
{
	return make_of(&design, n);
}

/* struct gp_part's formula. */
static double part_covariance(const struct gp_design *d, size_t k, const struct gp_hyper *h,
			      const double *z, const double *w, double s, double t)
{
	const struct gp_part *p = &d->part[k];
	double r2 = 0, r;

	for (size_t i = 0; i < d->n_inputs; i++) {
		double u = (z[i] - w[i]) / exp(h->log_length[k][i]);

		if (d->categorical >> i & 1)
			u = (z[i] != w[i]) / exp(h->log_length[k][i]);
		if (p->inputs >> i & 1)
			r2 += u * u;
	}
	r = sqrt(5 * r2);
	return exp(2 * h->log_sd[k]) * (p->factor < 0 ? 1 : s * t) *
	       (p->shape == GP_MATERN_52 ? (1 + r + r * r / 3) * exp(-r) : exp(-r2 / 2));
}

static double covariance(const struct gp_hyper *h, const double *z, const double *w, double s,
			 double t)
{
	double sum = 0;

	for (size_t k = 0; k < design.n_parts; k++)
		sum += part_covariance(&design, k, h, z, w, s, t);
	return sum;
}

struct seen {
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS];
	double k, own, explains;
};

static int most_first(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return (x->explains < y->explains) - (x->explains > y->explains);
}

/* The standard deviation given the 16 that explain most, by GSL. */
static double doubt_by_gsl(const struct gp_hyper *h, const struct seen *seen, size_t n,
			   double variance)
{
	const size_t m = n < 16 ? n : 16;
	gsl_matrix *a = gsl_matrix_alloc(m, m);
	gsl_vector *x = gsl_vector_alloc(m);
	double explained = 0;

	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < m; j++)
			gsl_matrix_set(a, i, j,
				       i == j ? seen[i].own
					      : covariance(h, seen[i].z, seen[j].z,
							   seen[i].factor[0], seen[j].factor[0]));
		gsl_vector_set(x, i, seen[i].k);
	}
	assert_int_equal(gsl_linalg_cholesky_decomp1(a), 0);
	gsl_linalg_cholesky_svx(a, x);
	for (size_t i = 0; i < m; i++)
		explained += seen[i].k * gsl_vector_get(x, i);
	gsl_matrix_free(a);
	gsl_vector_free(x);
	return sqrt(variance - explained);
}

static void check_at(const struct gaussian_process *gp, struct seen *seen, const double *z,
		     double s)
{
	double mean = 0, epistemic_sd, prior = 0, alpha = 0;
	double part[3] = {0}, by_part[3], again[3];
	const size_t n = gp->points.n;

	for (size_t i = 0; i < n; i++) {
		struct seen *o = &seen[i];

		gp_points_get(&design, &gp->points, i, o->z, o->factor);
		o->k = covariance(&gp->hyper, z, o->z, s, o->factor[0]);
		o->own = gp->own[i];
		o->explains = o->k * o->k / o->own;
		mean += o->k * gp->alpha[i];
		for (size_t k = 0; k < design.n_parts; k++)
			part[k] += gp->alpha[i] * part_covariance(&design, k, &gp->hyper, z, o->z,
								  s, o->factor[0]);
		alpha += fabs(gp->alpha[i]);
	}
	qsort(seen, n, sizeof *seen, most_first);
	for (size_t k = 0; k < design.n_parts; k++)
		prior += exp(2 * gp->hyper.log_sd[k]) * (design.part[k].factor < 0 ? 1 : s * s);
	/* parts of two signs may cancel within a covariance: in units of the prior */
	check_abs(gaussian_process_predict(gp, z, &s, by_part, &epistemic_sd), mean,
		  1e-14 * alpha * prior);
	for (size_t k = 0; k < design.n_parts; k++)
		check_abs(by_part[k], part[k], 1e-14 * alpha * prior);
	check_rel(epistemic_sd, doubt_by_gsl(&gp->hyper, seen, n, prior), 1e-10);
	/* both ways to ask agree to the last bit */
	assert_true(gaussian_process_mean(gp, z, &s, again) ==
		    gaussian_process_predict(gp, z, &s, NULL, &epistemic_sd));
	assert_memory_equal(by_part, again, sizeof again);
}

/* Fewer than the nearest, than a block, than a chunk, and more than that. */
TEST(mean_and_doubt_agree_with_formulas_one_number_at_a_time)
{
	static const size_t size[] = {1, 5, 15, 16, 17, 31, 100, 1024, 1025, 2500};
	HEAP struct seen *seen = zeroed(2500, sizeof *seen);
	uint64_t seed = 7;

	for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
		FREED(gaussian_process) *gp = make(size[k]);

		for (int i = 0; i < 20; i++) {
			const double z[] = {uniform_draw(&seed, -1, 4), uniform_draw(&seed, -2, 2),
					    floor(uniform_draw(&seed, 0, 4))};

			check_at(gp, seen, z, uniform_draw(&seed, -1, 1));
		}
	}
}

/* exp(-s) is 0 there, whatever s. */
TEST(nothing_is_known_infinitely_far_from_all_points)
{
	FREED(gaussian_process) *gp = make(40);
	const double z[] = {1e150, -1e150, 9}, none = 0;
	double epistemic_sd;

	assert_true(gaussian_process_predict(gp, z, &none, NULL, &epistemic_sd) == 0);
	check_rel(epistemic_sd, exp(-1), 1e-15);
}

/* ---- bounds of a part ---- */

/* Two inputs and a factor of either shape, and a constant. */
static const struct gp_design smooth = {.n_inputs = 3,
					.n_factors = 1,
					.n_parts = 3,
					.noise_prior = 0.1,
					.part = {{GP_MATERN_52, 3, 0, 0.5},
						 {GP_SQUARED_EXPONENTIAL, 5, -1, 0.3},
						 {GP_MATERN_52, 0, 0, 0.2}}};

static double part_mean(const struct gaussian_process *gp, size_t part, const double *z, double s)
{
	double by_part[3];

	gaussian_process_mean(gp, z, &s, by_part);
	return by_part[part];
}

/* Twenty steps of a hundredth of the lengths from a random place in a random direction: within a
 * few cells. How far below the bounds are, in standard deviations of the part. */
static double follow_a_line(const struct gaussian_process *gp, struct gp_part_bound *b, size_t part,
			    uint64_t *seed)
{
	double z[3], step[3], worst = 0;
	const double s = uniform_draw(seed, -1, 1), sd = exp(gp->hyper.log_sd[part]);

	for (size_t i = 0; i < 3; i++) {
		z[i] = uniform_draw(seed, -3, 4);
		step[i] = uniform_draw(seed, -0.01, 0.01);
	}
	for (int k = 0; k < 20; k++) {
		const double mean = part_mean(gp, part, z, s);
		const double least = gp_part_bound_least(b, z, &s);

		assert_true(least <= mean);
		worst = fmax(worst, (mean - least) / sd);
		for (size_t i = 0; i < 3; i++)
			z[i] += step[i];
	}
	return worst;
}

/* Where it is bounded by what a cell's middle says, by twice a quarter of a deviation at most: the
 * middle's tangent is off by up to a quarter itself. */
TEST(no_part_is_below_its_bound_which_is_near)
{
	FREED(gaussian_process) *gp = make_of(&smooth, 300);
	uint64_t seed = 3;

	for (size_t part = 0; part < smooth.n_parts; part++) {
		FREED(gp_part_bound) *b = NULL;
		double worst = 0;

		must(gp_part_bound_new(gp, part, false, &b, &err));
		for (int line = 0; line < 300; line++)
			worst = fmax(worst, follow_a_line(gp, b, part, &seed));
		assert_true(worst <= 0.5);
		assert_true(part == 2 ? worst < 1e-9 : worst > 0.1);
	}
}

/* The two inputs of part 0 shifted, over more places than it keeps: it forgets, and stays a bound.
 */
TEST(shifts_of_a_place_are_bounded_as_nearly)
{
	enum { N_SHIFTS = 5 };
	FREED(gaussian_process) *gp = make_of(&smooth, 100);
	FREED(gp_part_bound) *of = NULL;
	FREED(gp_shifted_bound) *b = NULL;
	const double sd = exp(gp->hyper.log_sd[0]);
	double shift[N_SHIFTS * 3], z[3], least[N_SHIFTS], worst = 0;
	uint64_t seed = 5;

	for (size_t i = 0; i < N_SHIFTS * 3; i++)
		shift[i] = uniform_draw(&seed, -1, 1);
	must(gp_part_bound_new(gp, 0, false, &of, &err));
	must(gp_shifted_bound_new(of, shift, N_SHIFTS, &b, &err));
	for (int k = 0; k < 5000; k++) {
		const double range = k % 2 ? 2 : 200;

		for (size_t i = 0; i < 3; i++)
			z[i] = uniform_draw(&seed, -range, range);
		assert_true(gp_shifted_bound_least(b, z, least));
		for (size_t s = 0; s < N_SHIFTS; s++) {
			const double at[] = {z[0] + shift[3 * s], z[1] + shift[3 * s + 1], 0};
			const double mean = part_mean(gp, 0, at, 1);

			assert_true(least[s] <= mean);
			worst = fmax(worst, (mean - least[s]) / sd);
		}
	}
	assert_true(worst > 0.1 && worst <= 0.5);
}

/* A hundred thousand places are more cells than it keeps: it forgets, and says the same again. */
TEST(a_bound_says_the_same_of_a_place_whatever_was_asked_before)
{
	FREED(gaussian_process) *gp = make_of(&smooth, 2);
	FREED(gp_part_bound) *b = NULL;
	const double here[] = {0.3, 0.1, 0.2}, s = 0.7;
	uint64_t seed = 4;
	double before;

	must(gp_part_bound_new(gp, 0, false, &b, &err));
	before = gp_part_bound_least(b, here, &s);
	for (int k = 0; k < 100000; k++) {
		const double z[] = {uniform_draw(&seed, -500, 500), uniform_draw(&seed, -500, 500),
				    0};

		assert_true(gp_part_bound_least(b, z, &s) <= part_mean(gp, 0, z, s));
	}
	assert_true(gp_part_bound_least(b, here, &s) == before);
}

TEST(what_has_no_cell_has_no_bound)
{
	FREED(gaussian_process) *gp = make_of(&smooth, 5), *levels = make(5);
	struct gp_part_bound *b = NULL;
	const double far[] = {1e150, 0, 0}, none[] = {NAN, 0, 0}, s = 1;

	must(gp_part_bound_new(gp, 0, false, &b, &err));
	assert_true(gp_part_bound_least(b, far, &s) == -INFINITY);
	assert_true(gp_part_bound_least(b, none, &s) == -INFINITY);
	gp_part_bound_free(b);
	/* between levels nothing is near, nor where a thousandth is far */
	must(gp_part_bound_new(levels, 0, false, &b, &err));
	assert_null(b);
	gp->hyper.log_length[0][1] = log(0.001);
	gp_prepare(gp);
	must(gp_part_bound_new(gp, 0, false, &b, &err));
	assert_null(b);
}

/* Of any part: with levels, and where nothing is near anything. */
TEST(at_points_a_bound_is_the_mean_but_for_rounding)
{
	FREED(gaussian_process) *gp = make(200);
	uint64_t seed = 6;

	for (size_t part = 0; part < gaussian_process_design(gp)->n_parts; part++) {
		FREED(gp_part_bound) *b = NULL;

		must(gp_part_bound_new(gp, part, true, &b, &err));
		for (int k = 0; k < 400; k++) {
			const double s = uniform_draw(&seed, -1, 1);
			double z[GP_MAX_INPUTS], by_part[GP_MAX_PARTS], least;

			for (size_t i = 0; i < GP_MAX_INPUTS; i++)
				z[i] = floor(uniform_draw(&seed, 0, 3));
			gaussian_process_mean(gp, z, &s, by_part);
			least = gp_part_bound_least(b, z, &s);
			assert_true(least <= by_part[part] && least > by_part[part] - 1e-3);
		}
	}
}

TEST_GROUP(mining_set_up, NULL)
