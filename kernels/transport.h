#ifndef KERNELS_TRANSPORT_H
#define KERNELS_TRANSPORT_H
#include <stdbool.h>
#include <stdint.h>

#include "kernels/sweep_block.h"

/* A small fixed-source transport problem, as one processor holds it: its part of the grid, the
 * source iteration around the sweeps, and numbers that tell two answers apart. The programs bring
 * the order of the blocks and the messages.
 *
 * The problem: cubes of 0.1 mean free paths, scattering ratio 1/2, vacuum around, an external
 * source of 1 in the corner i < it_g/2, j < jt_g/2, k < kt/2 (not in the middle: an octant taken
 * for another changes the answer). */
struct transport {
	struct sweep_cells cells;
	struct sweep_angles angles;
	int it_g, jt_g;	      /* the whole grid; k is never divided */
	int i_first, j_first; /* where this part begins in it */
	double *source, *flux, *flux_before;
	double *face_i, *face_j, *face_k; /* of a block of mk planes and mmi angles */
};

/* After so many iterations flux fix-ups are on: Sweep3D's ifixups = -7. */
enum { TRANSPORT_PLAIN_ITERATIONS = 7 };

/* Part of the grid with these cells.it, jt, kt, it_g, jt_g, i_first, j_first and angles, which the
 * caller has filled in; zero flux. False: not enough memory, nothing is left allocated. */
bool transport_init(struct transport *t, int mk, int mmi);
void transport_release(struct transport *t);

/* Before the sweeps of an iteration: source from the flux so far, flux from zero. */
void transport_begin(struct transport *t);
/* After them: the largest change of the scalar flux in this part. */
double transport_change(const struct transport *t);

/* A sum over the cells, modulo 2^64, of a hash of where a cell is and of the bits of its flux. The
 * checksums of all parts add up to that of the whole grid, in any order; one bit in one cell or two
 * cells exchanged make another. */
uint64_t transport_checksum(const struct transport *t);

#endif
