#include "tests/support/check.h"

#include <float.h>

#include "mining/gp/gaussian_process_private.h"
#include "mining/numerics/vector_clones.h"
#include "tests/support/uniform.h"

FREEABLE(gaussian_process)

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

TEST(a_point_among_many_has_the_covariance_that_it_has_alone)
{
	FREED(gaussian_process) *gp = make();
	double z[GP_MAX_INPUTS], factor[GP_MAX_FACTORS];
	HEAP double *out = zeroed(gp->points.stride, sizeof *out);

	for (size_t from = 0; from < N; from += 97) {
		gp_points_get(&design, &gp->points, from, z, factor);
		gp_covariances(&gp->kernel, &gp->points, N, z, factor, out);
		for (size_t i = 0; i < N; i++)
			assert_true(out[i] == alone(gp, i, z, factor));
	}
}

/* Neighbours in the list of points. */
TEST(a_pair_has_the_covariance_of_its_points)
{
	FREED(gaussian_process) *gp = make();
	const size_t stride = gp->points.stride;
	HEAP double *apart = calloc(design.n_inputs * stride, sizeof *apart);
	HEAP double *others = calloc(design.n_factors * stride, sizeof *others);
	HEAP double *out = calloc(stride, sizeof *out);
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
}

/* ---- exp(-x) ---- */

/* Units in the last place of the right answer. */
static double units_off(double x)
{
	const long double right = expl(-(long double)x);
	int exponent;

	frexpl(right, &exponent);
	return (double)(fabsl((long double)exp_negative(x) - right) /
			ldexpl(1, exponent - DBL_MANT_DIG));
}

TEST(is_within_1_1_units_of_the_long_double_one)
{
	static const double upto[] = {0.35, 1, 8, 708};
	uint64_t seed = 1;
	double worst = 0;

	skip_under_valgrind("its long double has the precision of double");
	for (size_t k = 0; k < 4; k++) {
		for (int i = 0; i < 100000; i++)
			worst = fmax(worst, units_off(uniform_draw(&seed, 0, upto[k])));
	}
	/* where the polynomial changes over: halves of log 2, and their neighbours */
	for (int n = 1; n < 2040; n += 2) {
		const double x = n * (M_LN2 / 2);

		worst = fmax(worst, units_off(x));
		worst = fmax(worst, units_off(nextafter(x, 0)));
		worst = fmax(worst, units_off(nextafter(x, 709)));
	}
	check_abs(worst, 0, 1.1);
}

TEST(ends_at_708_and_passes_nan_on)
{
	assert_true(exp_negative(0.0) == 1);
	assert_true(exp_negative(-0.0) == 1);
	assert_true(exp_negative(DBL_TRUE_MIN) == 1);
	assert_true(exp_negative(DBL_EPSILON / 8) == 1);
	check_rel(exp_negative(708), exp(-708), 1e-15);
	assert_true(exp_negative(nextafter(708, 709)) == 0);
	assert_true(exp_negative(745) == 0);
	assert_true(exp_negative(DBL_MAX) == 0);
	assert_true(exp_negative(INFINITY) == 0);
	assert_true(isnan(exp_negative(NAN)));
}

enum { MANY = 64 };

VECTOR_CLONES
static void put_many(const double *restrict x, double *restrict out)
{
	for (size_t j = 0; j < MANY; j++)
		out[j] = exp_negative(x[j]);
}

TEST(a_vector_of_them_is_the_same_to_the_last_bit)
{
	uint64_t seed = 2;
	double x[MANY], out[MANY];

	for (int round = 0; round < 1000; round++) {
		for (size_t j = 0; j < MANY; j++)
			x[j] = uniform_draw(&seed, 0, round % 2 ? 4 : 740);
		x[5] = INFINITY;
		x[18] = 708;
		x[41] = DBL_TRUE_MIN;
		put_many(x, out);
		for (size_t j = 0; j < MANY; j++) {
			/* volatile: one at a time */
			volatile double one = x[j];
			const double alone = exp_negative(one);

			assert_memory_equal(&out[j], &alone, sizeof alone);
		}
	}
}
