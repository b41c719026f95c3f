#include "kernels/sweep_block.h"

#include <stddef.h>

/* Lewis and Miller 1984, table 4-1: direction cosines and weights of the level-symmetric sets. The
 * weights of an octant sum to 1 there, here to 1/8: a flux of 1 from all sides is 1. */
bool sweep_angles_set(int n, struct sweep_angles *out)
{
	static const struct sweep_angles s4 = {
		.n = 3,
		.mu = {0.3500212, 0.8688903, 0.3500212},
		.eta = {0.3500212, 0.3500212, 0.8688903},
		.xi = {0.8688903, 0.3500212, 0.3500212},
		.weight = {1.0 / 24, 1.0 / 24, 1.0 / 24},
	};
	static const struct sweep_angles s6 = {
		.n = 6,
		.mu = {0.2666355, 0.6815076, 0.9261808, 0.2666355, 0.6815076, 0.2666355},
		.eta = {0.2666355, 0.2666355, 0.2666355, 0.6815076, 0.6815076, 0.9261808},
		.xi = {0.9261808, 0.6815076, 0.2666355, 0.6815076, 0.2666355, 0.2666355},
		/* 0.1761263 at the corners of the triangle, 0.1572071 between: 1 with rounding */
		.weight = {0.1761263 / 8, 0.1572071 / 8, 0.1761263 / 8, 0.1572071 / 8,
			   0.1572071 / 8, 0.1761263 / 8},
	};

	if (n == s4.n)
		*out = s4;
	else if (n == s6.n)
		*out = s6;
	else
		return false;
	return true;
}

/* What a cell needs of an angle: 2 mu / dx and so on. */
struct coefficients {
	double ci, cj, ck, sigma, weight;
};

/* Solve the balance of one cell with the outflows that come out negative held at zero. An outflow
 * that is zero takes nothing out: its half of c leaves numerator and denominator. Each round holds
 * one more of three, so there are at most three. Returns how many are held. */
static long fix_cell(const struct coefficients *c, double q, const double in[3], double out[3],
		     double *psi)
{
	const double coefficient[3] = {c->ci, c->cj, c->ck};
	bool held[3] = {false, false, false};
	long n = 0;

	for (;;) {
		double top = q, bottom = c->sigma;
		long before = n;

		for (int f = 0; f < 3; f++) {
			top += (held[f] ? 0.5 : 1.0) * coefficient[f] * in[f];
			bottom += held[f] ? 0.0 : coefficient[f];
		}
		*psi = top / bottom;
		for (int f = 0; f < 3; f++) {
			out[f] = held[f] ? 0.0 : 2 * *psi - in[f];
			if (out[f] < 0) {
				held[f] = true;
				n++;
			}
		}
		if (n == before)
			return n;
	}
}

/* A line of cells along i: face_i is the one flow that enters and leaves it. */
static void line(const struct coefficients *c, const double *q, double *flux, int it, bool up,
		 double *face_i, double *face_j, double *face_k)
{
	const double bottom = c->sigma + c->ci + c->cj + c->ck;
	double in_i = *face_i;

	for (int n = 0; n < it; n++) {
		int i = up ? n : it - 1 - n;
		double psi = (q[i] + c->ci * in_i + c->cj * face_j[i] + c->ck * face_k[i]) / bottom;

		flux[i] += c->weight * psi;
		in_i = 2 * psi - in_i;
		face_j[i] = 2 * psi - face_j[i];
		face_k[i] = 2 * psi - face_k[i];
	}
	*face_i = in_i;
}

static long line_fixup(const struct coefficients *c, const double *q, double *flux, int it, bool up,
		       double *face_i, double *face_j, double *face_k)
{
	const double bottom = c->sigma + c->ci + c->cj + c->ck;
	double in_i = *face_i;
	long n_fixed = 0;

	for (int n = 0; n < it; n++) {
		int i = up ? n : it - 1 - n;
		const double in[3] = {in_i, face_j[i], face_k[i]};
		double psi = (q[i] + c->ci * in[0] + c->cj * in[1] + c->ck * in[2]) / bottom;
		double out[3] = {2 * psi - in[0], 2 * psi - in[1], 2 * psi - in[2]};

		if (out[0] < 0 || out[1] < 0 || out[2] < 0)
			n_fixed += fix_cell(c, q[i], in, out, &psi);
		flux[i] += c->weight * psi;
		in_i = out[0];
		face_j[i] = out[1];
		face_k[i] = out[2];
	}
	*face_i = in_i;
	return n_fixed;
}

void sweep_task_octant(int n, struct sweep_task *task)
{
	task->i_up = n & 4;
	task->j_up = n & 2;
	task->k_up = n & 1;
}

long sweep_block_do(const struct sweep_cells *cells, const struct sweep_angles *angles,
		    const struct sweep_task *task, double *face_i, double *face_j, double *face_k)
{
	const size_t it = (size_t)cells->it, jt = (size_t)cells->jt;
	long n_fixed = 0;

	for (int a = 0; a < task->n_angle; a++) {
		int angle = task->angle_first + a;
		const struct coefficients c = {
			2 * angles->mu[angle] / cells->dx, 2 * angles->eta[angle] / cells->dy,
			2 * angles->xi[angle] / cells->dz, cells->sigma, angles->weight[angle]};

		for (int n_k = 0; n_k < task->n_k; n_k++) {
			size_t plane = (size_t)a * (size_t)task->n_k + (size_t)n_k;
			int k = task->k_first + n_k;

			k = task->k_up ? k : cells->kt - 1 - k;
			for (size_t n_j = 0; n_j < jt; n_j++) {
				size_t j = task->j_up ? n_j : jt - 1 - n_j;
				size_t first = ((size_t)k * jt + j) * it;
				const double *q = cells->source + first;
				double *flux = cells->flux + first;
				double *in_i = face_i + plane * jt + j, *in_j = face_j + plane * it;
				double *in_k = face_k + ((size_t)a * jt + j) * it;

				if (task->fixup)
					n_fixed += line_fixup(&c, q, flux, cells->it, task->i_up,
							      in_i, in_j, in_k);
				else
					line(&c, q, flux, cells->it, task->i_up, in_i, in_j, in_k);
			}
		}
	}
	return n_fixed;
}
