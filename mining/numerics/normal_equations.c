#include "mining/numerics/normal_equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/cholesky.h"
#include "mining/numerics/vector_clones.h"

enum {
	LANES = 8,  /* divides CHOLESKY_TILE */
	AT_ONCE = 4 /* rows: so many products fetch and store a sum once */
};

enum err_code normal_equations_init(struct normal_equations *q, size_t n, struct err *e)
{
	const size_t width = (n + CHOLESKY_TILE - 1) / CHOLESKY_TILE * CHOLESKY_TILE;

	*q = (struct normal_equations){.n = n, .width = width};
	q->h = calloc(width * width, sizeof *q->h);
	q->g = calloc(width, sizeof *q->g);
	q->factor = calloc(width * width, sizeof *q->factor);
	q->invert = calloc(width * width, sizeof *q->invert);
	q->root = calloc(width, sizeof *q->root);
	q->rows = calloc(2 * AT_ONCE * width, sizeof *q->rows);
	if (q->h && q->g && q->factor && q->invert && q->root && q->rows)
		return ERR_OK;
	return err_set(e, ERR_NOMEM, "normal equations of %zu parameters", n);
}

void normal_equations_release(struct normal_equations *q)
{
	free(q->h);
	free(q->g);
	free(q->factor);
	free(q->invert);
	free(q->root);
	free(q->rows);
	*q = (struct normal_equations){.n = 0};
}

void normal_equations_clear(struct normal_equations *q)
{
	memset(q->h, 0, q->width * q->width * sizeof *q->h);
	memset(q->g, 0, q->width * sizeof *q->g);
}

void normal_equations_add_prior(struct normal_equations *q, size_t j, double curvature,
				double slope)
{
	q->h[j * q->width + j] += curvature;
	q->g[j] += slope;
}

/* h[n][width] += the products of AT_ONCE rows, up to the diagonal's group of lanes. */
VECTOR_CLONES
static void add_outer_product(double *restrict h, size_t n, size_t width, const double *restrict x,
			      const double *restrict times)
{
	for (size_t j = 0; j < n; j++) {
		const double a = times[j], b = times[width + j], c = times[2 * width + j],
			     d = times[3 * width + j];

		for (size_t k = 0; k <= j; k += LANES) {
			double *restrict to = h + j * width + k;
			const double *restrict from = x + k;

			for (size_t l = 0; l < LANES; l++)
				to[l] += a * from[l] + b * from[width + l] +
					 c * from[2 * width + l] + d * from[3 * width + l];
		}
	}
}

void normal_equations_add(struct normal_equations *q, const double *x, size_t n_rows,
			  const double *curvature, const double *slope)
{
	const size_t n = q->n, width = q->width;
	double *row = q->rows, *times = q->rows + AT_ONCE * width;

	for (size_t i = 0; i < n_rows; i += AT_ONCE) {
		for (size_t r = 0; r < AT_ONCE; r++) {
			const bool there = i + r < n_rows;
			const double *from = x + (i + r) * n;

			for (size_t j = 0; j < n; j++) {
				row[r * width + j] = there ? from[j] : 0;
				times[r * width + j] = there ? curvature[i + r] * from[j] : 0;
				q->g[j] += there ? slope[i + r] * from[j] : 0;
			}
		}
		add_outer_product(q->h, n, width, row, times);
	}
}

/* factor: of H, scaled to a diagonal of 1 + damping. */
static bool factorise(struct normal_equations *q, double damping)
{
	for (size_t j = 0; j < q->width; j++) {
		const double own = q->h[j * q->width + j];

		q->root[j] = own > 0 ? sqrt(own) : 1;
	}
	for (size_t j = 0; j < q->width; j++) {
		for (size_t k = 0; k < j; k++)
			q->factor[j * q->width + k] =
				q->h[j * q->width + k] / (q->root[j] * q->root[k]);
		q->factor[j * q->width + j] = 1 + damping;
	}
	return cholesky_factor(q->factor, q->width);
}

bool normal_equations_step(struct normal_equations *q, double damping, double *step, double *gain)
{
	double *x = q->invert; /* a row of it */

	if (!factorise(q, damping))
		return false;
	for (size_t j = 0; j < q->width; j++)
		x[j] = -q->g[j] / q->root[j];
	cholesky_solve(q->factor, q->width, x);
	*gain = 0;
	for (size_t j = 0; j < q->n; j++) {
		/* by (H + damping D) step = -g: -2 g'step - step'H step */
		*gain += x[j] * (damping * x[j] - q->g[j] / q->root[j]);
		step[j] = x[j] / q->root[j];
	}
	return true;
}

void normal_equations_errors(struct normal_equations *q, double *std_error)
{
	const bool known = factorise(q, 0);

	if (known)
		cholesky_invert_factor(q->factor, q->width, q->invert);
	for (size_t j = 0; j < q->n; j++) {
		double sum = 0;

		for (size_t k = j; known && k < q->width; k++)
			sum += q->invert[j * q->width + k] * q->invert[j * q->width + k];
		std_error[j] =
			known && q->h[j * q->width + j] > 0 ? sqrt(sum) / q->root[j] : (double)NAN;
	}
}
