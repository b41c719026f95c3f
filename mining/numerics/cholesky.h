#ifndef MINING_CHOLESKY_H
#define MINING_CHOLESKY_H
#include <stdbool.h>
#include <stddef.h>

/* Cholesky factors of symmetric positive definite matrices of some thousand rows, in tiles that
 * compilers vectorise: three to eight times the speed of GSL with the BLAS that it brings. Matrices
 * are row-major and of order n, a multiple of CHOLESKY_TILE: pad with ones on the diagonal. */
enum { CHOLESKY_TILE = 32 };

/* a = L L'. Only the lower triangle of a[stride * stride] is read; L replaces it. Its order is n,
 * and stride the next multiple: what is padded stays as it is. false: not positive definite, and a
 * is spoilt. */
bool cholesky_factor(double *a, size_t stride, size_t n);

/* x[n]: in y, out the solution of L L' x = y. */
void cholesky_solve(const double *l, size_t stride, size_t n, double *x);

/* out[n * n] = the transpose of L^-1: its upper triangle, zeros below. scratch[n * CHOLESKY_TILE].
 */
void cholesky_invert_factor(const double *l, size_t n, double *scratch, double *out);

/* out[n] = the diagonal of (L L')^-1, without the rest of it. scratch[n * CHOLESKY_TILE]. */
void cholesky_inverse_diagonal(const double *l, size_t n, double *scratch, double *out);

/* From that, the lower triangle of (L L')^-1. */
void cholesky_inverse(const double *inverted_factor, size_t n, double *out);

#endif
