#include "kernels/transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_SIZE 0.1
#define SIGMA_TOTAL 1.0
#define SIGMA_SCATTER 0.5

static size_t n_cells(const struct transport *t)
{
	return (size_t)t->cells.it * (size_t)t->cells.jt * (size_t)t->cells.kt;
}

bool transport_init(struct transport *t, int mk, int mmi)
{
	size_t it = (size_t)t->cells.it, jt = (size_t)t->cells.jt;
	size_t planes = (size_t)mk * (size_t)mmi;

	t->source = calloc(n_cells(t), sizeof *t->source);
	t->flux = calloc(n_cells(t), sizeof *t->flux);
	t->flux_before = calloc(n_cells(t), sizeof *t->flux_before);
	t->face_i = calloc(planes * jt, sizeof *t->face_i);
	t->face_j = calloc(planes * it, sizeof *t->face_j);
	t->face_k = calloc((size_t)mmi * jt * it, sizeof *t->face_k);
	if (!t->source || !t->flux || !t->flux_before || !t->face_i || !t->face_j || !t->face_k) {
		transport_release(t);
		return false;
	}
	t->cells.dx = t->cells.dy = t->cells.dz = CELL_SIZE;
	t->cells.sigma = SIGMA_TOTAL;
	t->cells.source = t->source;
	t->cells.flux = t->flux;
	return true;
}

void transport_release(struct transport *t)
{
	free(t->source);
	free(t->flux);
	free(t->flux_before);
	free(t->face_i);
	free(t->face_j);
	free(t->face_k);
	t->source = t->flux = t->flux_before = t->face_i = t->face_j = t->face_k = NULL;
}

void transport_begin(struct transport *t)
{
	size_t cell = 0;

	for (int k = 0; k < t->cells.kt; k++) {
		for (int j = t->j_first; j < t->j_first + t->cells.jt; j++) {
			for (int i = t->i_first; i < t->i_first + t->cells.it; i++, cell++) {
				bool bright =
					2 * i < t->it_g && 2 * j < t->jt_g && 2 * k < t->cells.kt;

				t->source[cell] =
					(bright ? 1.0 : 0.0) + SIGMA_SCATTER * t->flux[cell];
			}
		}
	}
	memcpy(t->flux_before, t->flux, n_cells(t) * sizeof *t->flux);
	memset(t->flux, 0, n_cells(t) * sizeof *t->flux);
}

double transport_change(const struct transport *t)
{
	double largest = 0;

	for (size_t cell = 0; cell < n_cells(t); cell++)
		largest = fmax(largest, fabs(t->flux[cell] - t->flux_before[cell]));
	return largest;
}

/* Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014: every bit
 * of the result depends on every bit of x. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

uint64_t transport_checksum(const struct transport *t)
{
	uint64_t sum = 0, it_g = (uint64_t)t->it_g, jt_g = (uint64_t)t->jt_g;
	size_t cell = 0;

	for (int k = 0; k < t->cells.kt; k++) {
		for (int j = t->j_first; j < t->j_first + t->cells.jt; j++) {
			for (int i = t->i_first; i < t->i_first + t->cells.it; i++, cell++) {
				uint64_t bits, place = ((uint64_t)k * jt_g + (uint64_t)j) * it_g +
						       (uint64_t)i;

				memcpy(&bits, &t->flux[cell], sizeof bits);
				sum += mix(mix(place) ^ bits);
			}
		}
	}
	return sum;
}
