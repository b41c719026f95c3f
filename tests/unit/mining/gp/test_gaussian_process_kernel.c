#include "tests/support/check.h"

#include "mining/gp/gaussian_process_private.h"
#include "tests/support/uniform.h"

/* Covariances are computed span by span, several inputs at once, and by pairs. None of that may
 * show in a single bit: stored predictors promise it. */

/* Runs of one to four numbers with levels between and at both ends, and what a factor can be. */
static const struct gp_design design = {.n_inputs = 9,
					.n_factors = 2,
					.n_parts = 4,
					.categorical = 0x111,
					.noise_prior = 0.1,
					.part = {{GP_MATERN_52, 0x1ff, 0, 0.5},
						 {GP_SQUARED_EXPONENTIAL, 0x0ee, -1, 0.3},
						 {GP_MATERN_52, 0x006, 1, 0.2},
						 {GP_MATERN_52, 0, -1, 0.2}}};

/* More than two spans, and no multiple of a block. */
enum { N = 600 };

static struct gaussian_process *make(void)
{
	struct gaussian_process *gp = gp_alloc(&design, N);
	uint64_t seed = 3;

	assert_non_null(gp);
	for (size_t part = 0; part < design.n_parts; part++) {
		gp->hyper.log_sd[part] = -0.5 * (double)part;
		for (size_t i = 0; i < design.n_inputs; i++)
			gp->hyper.log_length[part][i] = uniform_draw(&seed, -1, 2);
	}
	for (size_t i = 0; i < N; i++) {
		for (size_t k = 0; k < design.n_inputs; k++)
			gp->points.z[k * gp->points.stride + i] =
				design.categorical >> k & 1 ? floor(uniform_draw(&seed, 0, 3))
							    : uniform_draw(&seed, -2, 2);
		for (size_t k = 0; k < design.n_factors; k++)
			gp->points.factor[k * gp->points.stride + i] = uniform_draw(&seed, -1, 1);
		gp->noise[i] = gp->weight[i] = 1;
	}
	gp_prepare(gp);
	return gp;
}

/* Point i alone: one block, whose other places are empty. */
static double alone(const struct gaussian_process *gp, size_t i, const double *z,
		    const double *factor)
{
	double p[GP_MAX_INPUTS * GP_BLOCK] = {0}, s[GP_MAX_FACTORS * GP_BLOCK] = {0};
	double at[GP_MAX_INPUTS], t[GP_MAX_FACTORS], out[GP_BLOCK];
	const struct gp_points one = {.n = 1, .stride = GP_BLOCK, .z = p, .factor = s};

	gp_points_get(&design, &gp->points, i, at, t);
	for (size_t k = 0; k < design.n_inputs; k++)
		p[k * GP_BLOCK] = at[k];
	for (size_t k = 0; k < design.n_factors; k++)
		s[k * GP_BLOCK] = t[k];
	gp_covariances(&gp->kernel, &one, 1, z, factor, out);
	return out[0];
}

static void a_point_among_many_has_the_covariance_that_it_has_alone(void **state)
{
	struct gaussian_process *gp = make();
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS];
	double *out = calloc(gp->points.stride, sizeof *out);

	assert_non_null(out);
	for (size_t from = 0; from < N; from += 97) {
		gp_points_get(&design, &gp->points, from, z, factor);
		gp_covariances(&gp->kernel, &gp->points, N, z, factor, out);
		for (size_t i = 0; i < N; i++)
			assert_true(out[i] == alone(gp, i, z, factor));
	}
	free(out);
	gaussian_process_free(gp);
}

/* Neighbours in the list of points. */
static void a_pair_has_the_covariance_of_its_points(void **state)
{
	struct gaussian_process *gp = make();
	const size_t stride = gp->points.stride;
	double *apart = calloc(design.n_inputs * stride, sizeof *apart);
	double *others = calloc(design.n_factors * stride, sizeof *others);
	double *out = calloc(stride, sizeof *out);
	const struct gp_points pairs = {
		.n = N - 1, .stride = stride, .z = apart, .factor = gp->points.factor};
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS];

	assert_true(apart && others && out);
	for (size_t i = 0; i + 1 < N; i++) {
		gp_points_get(&design, &gp->points, i + 1, z, factor);
		for (size_t k = 0; k < design.n_inputs; k++)
			apart[k * stride + i] = gp->points.z[k * stride + i] - z[k];
		for (size_t k = 0; k < design.n_factors; k++)
			others[k * stride + i] = factor[k];
	}
	gp_pair_covariances(&gp->kernel, &pairs, others, out);
	for (size_t i = 0; i + 1 < N; i++) {
		gp_points_get(&design, &gp->points, i + 1, z, factor);
		assert_true(out[i] == alone(gp, i, z, factor));
	}
	free(apart);
	free(others);
	free(out);
	gaussian_process_free(gp);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_point_among_many_has_the_covariance_that_it_has_alone),
	cmocka_unit_test(a_pair_has_the_covariance_of_its_points),
};

CHECK_MAIN(tests)
