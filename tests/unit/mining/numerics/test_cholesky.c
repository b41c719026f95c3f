#include "tests/support/check.h"
#include "tests/support/mining_set_up.h"

#include <gsl/gsl_linalg.h>

#include "mining/numerics/cholesky.h"

/* Five tiles: more than one panel deep, and past one DEPTH of products. */
enum { N = 5 * CHOLESKY_TILE };

/* exp(-|i - j| / 20), and 0.1 on the diagonal: positive definite (Ornstein and Uhlenbeck). The
 * upper triangle, which nobody is to read, is NaN. */
static double *matrix(void)
{
	double *a = zeroed((size_t)N * N, sizeof *a);

	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			a[i * N + j] = j > i ? NAN : exp(-(i - j) / 20.0) + (i == j ? 0.1 : 0);
	}
	return a;
}

static gsl_matrix *by_gsl(void)
{
	gsl_matrix *a = gsl_matrix_alloc(N, N);

	assert_non_null(a);
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < N; j++)
			gsl_matrix_set(a, i, j,
				       exp(-fabs((double)i - (double)j) / 20) + (i == j ? 0.1 : 0));
	}
	assert_int_equal(gsl_linalg_cholesky_decomp1(a), 0);
	return a;
}

TEST(factor_and_solution_agree_with_gsl)
{
	double *a = matrix(), x[N];
	gsl_matrix *want = by_gsl();
	gsl_vector *y = gsl_vector_alloc(N);

	assert_non_null(y);
	assert_true(cholesky_factor(a, N, N));
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j <= i; j++)
			check_abs(a[i * N + j], gsl_matrix_get(want, i, j), 1e-13);
		x[i] = sin((double)i);
		gsl_vector_set(y, i, x[i]);
	}
	cholesky_solve(a, N, N, x);
	gsl_linalg_cholesky_svx(want, y);
	for (size_t i = 0; i < N; i++)
		check_abs(x[i], gsl_vector_get(y, i), 1e-11);
	gsl_vector_free(y);
	gsl_matrix_free(want);
	free(a);
}

TEST(inverses_agree_with_gsl)
{
	HEAP double *a = matrix(), *inverted = zeroed((size_t)N * N, sizeof *a);
	HEAP double *inverse = zeroed((size_t)N * N, sizeof *a);
	double *scratch = zeroed((size_t)N * CHOLESKY_TILE, sizeof *a), diagonal[N];
	gsl_matrix *want = by_gsl();

	assert_true(cholesky_factor(a, N, N));
	cholesky_invert_factor(a, N, scratch, inverted);
	cholesky_inverse_diagonal(a, N, scratch, diagonal);
	cholesky_inverse(inverted, N, inverse);
	gsl_linalg_cholesky_invert(want);
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j <= i; j++)
			check_abs(inverse[i * N + j], gsl_matrix_get(want, i, j), 1e-11);
		for (size_t j = 0; j < i; j++)
			check_abs(inverted[i * N + j], 0, 0);
		check_rel(inverted[i * N + i], 1 / a[i * N + i], 1e-14);
		check_rel(diagonal[i], gsl_matrix_get(want, i, i), 1e-11);
	}
	gsl_matrix_free(want);
	free(scratch);
}

TEST(a_matrix_that_is_not_positive_definite_is_told)
{
	double *a = matrix();

	a[70 * N + 70] = -1;
	assert_false(cholesky_factor(a, N, N));
	free(a);
	a = matrix();
	a[3 * N + 1] = NAN;
	assert_false(cholesky_factor(a, N, N));
	free(a);
}

/* Down to a single row, and so past whole tiles. */
TEST(what_is_padded_changes_no_bit)
{
	for (size_t n = 1; n <= N; n += 13) {
		const size_t stride = (n + CHOLESKY_TILE - 1) / CHOLESKY_TILE * CHOLESKY_TILE;
		double *a = zeroed(stride * stride, sizeof *a), *b = matrix(), x[N], y[N];

		for (size_t i = 0; i < stride; i++) {
			for (size_t j = 0; j <= i; j++)
				a[i * stride + j] = i < n ? b[i * N + j] : i == j;
			x[i] = y[i] = i < n ? cos((double)i) : 0;
		}
		memcpy(b, a, stride * stride * sizeof *a);
		assert_true(cholesky_factor(a, stride, n));
		assert_true(cholesky_factor(b, stride, stride));
		assert_memory_equal(a, b, stride * stride * sizeof *a);
		cholesky_solve(a, stride, n, x);
		cholesky_solve(b, stride, stride, y);
		assert_memory_equal(x, y, stride * sizeof *x);
		free(b);
		free(a);
	}
}

TEST_GROUP(mining_set_up, NULL)
