#include "mining/numerics/cholesky.h"

#include <math.h>
#include <string.h>

#include "mining/numerics/vector_clones.h"

/* Left-looking, by panels of TILE columns (Golub and Van Loan, "Matrix Computations", 4th ed.,
 * section 4.2.9). All of the work of order n^3 is in subtract_product(). */

enum {
	TILE = CHOLESKY_TILE,
	DEPTH = 128, /* of a product at a time: TILE * DEPTH numbers stay in the first cache */
	AT_ONCE = 8, /* products, a divisor of TILE and DEPTH */
	ROWS = 4     /* at a time, a divisor of TILE */
};

/* c[m][TILE] -= a[m][k] b[k][TILE]; k a multiple of AT_ONCE, b without gaps. The sums stay in
 * memory with GCC at -O2: several products, one after the other, fetch them less often. */
VECTOR_CLONES
static void subtract_rows(double *restrict c, size_t ldc, const double *restrict a, size_t lda,
			  const double *restrict b, size_t m, size_t k)
{
	for (size_t i = 0; i < m; i++, c += ldc, a += lda) {
		double sum[TILE] = {0};

		for (size_t p = 0; p < k; p += AT_ONCE) {
			const double *restrict x = a + p, *restrict y = b + p * TILE;

			for (size_t j = 0; j < TILE; j++)
				sum[j] = sum[j] + x[0] * y[j] + x[1] * y[TILE + j] +
					 x[2] * y[2 * TILE + j] + x[3] * y[3 * TILE + j] +
					 x[4] * y[4 * TILE + j] + x[5] * y[5 * TILE + j] +
					 x[6] * y[6 * TILE + j] + x[7] * y[7 * TILE + j];
		}
		for (size_t j = 0; j < TILE; j++)
			c[j] -= sum[j];
	}
}

#ifdef VECTOR_WIDE
typedef double lanes __attribute__((vector_size(64), aligned(8)));

enum { LANES = 8 };

/* The same sums in the same order, ROWS * 2 * LANES of them in registers: what is fetched of b
 * serves ROWS rows. m is a multiple of ROWS. */
VECTOR_WIDE
static void subtract_rows_wide(double *restrict c, size_t ldc, const double *restrict a, size_t lda,
			       const double *restrict b, size_t m, size_t k)
{
	for (size_t i = 0; i < m; i += ROWS, c += ROWS * ldc, a += ROWS * lda) {
		for (size_t j = 0; j < TILE; j += 2 * LANES) {
			lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
			lanes t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
			double *to = c + j;

			for (size_t p = 0; p < k; p++) {
				const double *x = a + p, *y = b + p * TILE + j;
				const lanes s = *(const lanes *)y, t = *(const lanes *)(y + LANES);

				s0 += x[0] * s;
				t0 += x[0] * t;
				s1 += x[lda] * s;
				t1 += x[lda] * t;
				s2 += x[2 * lda] * s;
				t2 += x[2 * lda] * t;
				s3 += x[3 * lda] * s;
				t3 += x[3 * lda] * t;
			}
			*(lanes *)to -= s0;
			*(lanes *)(to + LANES) -= t0;
			*(lanes *)(to + ldc) -= s1;
			*(lanes *)(to + ldc + LANES) -= t1;
			*(lanes *)(to + 2 * ldc) -= s2;
			*(lanes *)(to + 2 * ldc + LANES) -= t2;
			*(lanes *)(to + 3 * ldc) -= s3;
			*(lanes *)(to + 3 * ldc + LANES) -= t3;
		}
	}
}
#endif

static void subtract_product(double *restrict c, size_t ldc, const double *restrict a, size_t lda,
			     const double *restrict b, size_t m, size_t k)
{
#ifdef VECTOR_WIDE
	if (has_wide_vectors()) {
		subtract_rows_wide(c, ldc, a, lda, b, m, k);
		return;
	}
#endif
	subtract_rows(c, ldc, a, lda, b, m, k);
}

/* c[m][TILE] -= a[m][k] b[TILE][k]'. */
static void subtract_transposed(double *c, size_t ldc, const double *a, size_t lda, const double *b,
				size_t ldb, size_t m, size_t k)
{
	double packed[DEPTH * TILE];

	for (size_t from = 0; from < k; from += DEPTH) {
		const size_t depth = k - from < DEPTH ? k - from : DEPTH;

		for (size_t j = 0; j < TILE; j++) {
			for (size_t p = 0; p < depth; p++)
				packed[p * TILE + j] = b[j * ldb + from + p];
		}
		subtract_product(c, ldc, a + from, lda, packed, m, depth);
	}
}

/* The first n rows of one tile on the diagonal, by columns. */
static bool factor_tile(double *a, size_t lda, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		for (size_t i = j; i < n; i++) {
			double sum = a[i * lda + j];

			for (size_t p = 0; p < j; p++)
				sum -= a[i * lda + p] * a[j * lda + p];
			if (i == j && !(sum > 0 && isfinite(sum)))
				return false;
			a[i * lda + j] = i == j ? sqrt(sum) : sum / a[j * lda + j];
		}
	}
	return true;
}

/* x[TILE][TILE] = L^-1 x with the tile of L on the diagonal. */
VECTOR_CLONES
static void forward_tile(const double *restrict l, size_t ldl, double *restrict x)
{
	for (size_t i = 0; i < TILE; i++) {
		double row[TILE];

		for (size_t j = 0; j < TILE; j++)
			row[j] = x[i * TILE + j];
		for (size_t p = 0; p < i; p++) {
			const double factor = l[i * ldl + p];

			for (size_t j = 0; j < TILE; j++)
				row[j] -= factor * x[p * TILE + j];
		}
		for (size_t j = 0; j < TILE; j++)
			x[i * TILE + j] = row[j] / l[i * ldl + i];
	}
}

/* x[TILE][TILE] = L^-1: as forward_tile() of the identity, without the products with zeros right of
 * the diagonal, whole groups of AT_ONCE of them. */
VECTOR_CLONES
static void invert_tile(const double *restrict l, size_t ldl, double *restrict x)
{
	for (size_t i = 0; i < TILE; i++) {
		double row[TILE] = {0};

		row[i] = 1;
		for (size_t p = 0; p < i; p++) {
			const double factor = l[i * ldl + p];

			for (size_t j = 0; j <= p; j += AT_ONCE) {
				for (size_t s = j; s < j + AT_ONCE; s++)
					row[s] -= factor * x[p * TILE + s];
			}
		}
		for (size_t j = 0; j < TILE; j++)
			x[i * TILE + j] = row[j] / l[i * ldl + i];
	}
}

/* a[m][TILE] of what lies below a tile on the diagonal, divided by the tile's transpose: times its
 * inverse, which is as stable for so small a tile and runs at the speed of products. */
static void divide_rows(double *a, size_t lda, size_t m, const double *tile)
{
	double inverse[TILE * TILE], minus[TILE * TILE], rows[ROWS * TILE];

	if (m == 0)
		return;
	invert_tile(tile, lda, inverse);
	for (size_t i = 0; i < TILE; i++) {
		for (size_t j = 0; j < TILE; j++)
			minus[j * TILE + i] = -inverse[i * TILE + j];
	}
	for (size_t i = 0; i < m; i += ROWS) {
		for (size_t r = 0; r < ROWS; r++) {
			memcpy(rows + r * TILE, a + (i + r) * lda, TILE * sizeof *rows);
			memset(a + (i + r) * lda, 0, TILE * sizeof *rows);
		}
		subtract_product(a + i * lda, lda, rows, TILE, minus, ROWS, TILE);
	}
}

bool cholesky_factor(double *a, size_t stride, size_t n)
{
	for (size_t j = 0; j < n; j += TILE) {
		double *panel = a + j * stride + j;

		subtract_transposed(panel, stride, a + j * stride, stride, a + j * stride, stride,
				    stride - j, j);
		if (!factor_tile(panel, stride, n - j < TILE ? n - j : TILE))
			return false;
		divide_rows(panel + TILE * stride, stride, stride - j - TILE, panel);
	}
	return true;
}

void cholesky_solve(const double *l, size_t stride, size_t n, double *x)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++)
			x[i] -= l[i * stride + j] * x[j];
		x[i] /= l[i * stride + i];
	}
	for (size_t i = n; i-- > 0;) {
		x[i] /= l[i * stride + i];
		for (size_t j = 0; j < i; j++)
			x[j] -= l[i * stride + j] * x[i];
	}
}

/* x[n - j][TILE]: columns j to j + TILE of L^-1, from row j on. */
static void invert_columns(const double *l, size_t n, size_t j, double *x)
{
	memset(x + TILE * TILE, 0, (n - j - TILE) * TILE * sizeof *x);
	invert_tile(l + j * n + j, n, x);
	for (size_t i = j + TILE; i < n; i += TILE) {
		double *tile = x + (i - j) * TILE;

		for (size_t from = j; from < i; from += DEPTH)
			subtract_product(tile, TILE, l + i * n + from, n, x + (from - j) * TILE,
					 TILE, i - from < DEPTH ? i - from : DEPTH);
		forward_tile(l + i * n + i, n, tile);
	}
}

void cholesky_invert_factor(const double *l, size_t n, double *scratch, double *out)
{
	memset(out, 0, n * n * sizeof *out);
	for (size_t j = 0; j < n; j += TILE) {
		invert_columns(l, n, j, scratch);
		for (size_t i = 0; i < n - j; i += TILE) {
			for (size_t s = 0; s < TILE; s++) {
				for (size_t r = 0; r < TILE; r++)
					out[(j + s) * n + j + i + r] = scratch[(i + r) * TILE + s];
			}
		}
	}
}

void cholesky_inverse_diagonal(const double *l, size_t n, double *scratch, double *out)
{
	memset(out, 0, n * sizeof *out);
	for (size_t j = 0; j < n; j += TILE) {
		invert_columns(l, n, j, scratch);
		for (size_t i = 0; i < n - j; i++) {
			const double *row = scratch + i * TILE;

			for (size_t s = 0; s < TILE; s++)
				out[j + s] += row[s] * row[s];
		}
	}
}

void cholesky_inverse(const double *inverted_factor, size_t n, double *out)
{
	const double *x = inverted_factor;

	for (size_t i = 0; i < n; i += TILE) {
		for (size_t j = 0; j <= i; j += TILE) {
			double sum[TILE * TILE] = {0};

			subtract_transposed(sum, TILE, x + i * n + i, n, x + j * n + i, n, TILE,
					    n - i);
			for (size_t r = 0; r < TILE; r++) {
				for (size_t s = 0; s < TILE; s++)
					out[(i + r) * n + j + s] = -sum[r * TILE + s];
			}
		}
	}
}
