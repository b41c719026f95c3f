#ifndef KERNELS_SWEEP_BLOCK_H
#define KERNELS_SWEEP_BLOCK_H
#include <stdbool.h>

/* The computation of one block of a discrete-ordinates transport sweep: what a processor of
 * Sweep3D does between its receives and its sends. C library only: it is measured by itself
 * (sweep_task.c), under valgrind, and inside the MPI program (wavefront.c).
 *
 * Solved is mu dpsi/dx + eta dpsi/dy + xi dpsi/dz + sigma psi = q for each angle, on a regular
 * grid, by diamond differences. With cell inflows i, j, k and c_i = 2 mu / dx (c_j, c_k alike):
 *
 *   psi = (q + c_i i + c_j j + c_k k) / (sigma + c_i + c_j + c_k),   outflow = 2 psi - inflow
 *
 * (Lewis and Miller, "Computational Methods of Neutron Transport", 1984, chapter 4). With fix-ups a
 * negative outflow is set to zero and the cell's balance solved again, as Sweep3D does in its later
 * iterations.
 *
 * Every cell does the same floating-point operations whatever the blocks and the decomposition are,
 * and the scalar flux of a cell sums its angles in their order: so a whole sweep gives the same
 * bits for any of them, as long as a caller goes through octants, then angles, in the same order.
 */

enum { SWEEP_OCTANTS = 8, SWEEP_MAX_ANGLES = 6 };

/* Angles of one octant: direction cosines > 0, and weights that sum to 1/8. */
struct sweep_angles {
	int n;
	double mu[SWEEP_MAX_ANGLES], eta[SWEEP_MAX_ANGLES], xi[SWEEP_MAX_ANGLES];
	double weight[SWEEP_MAX_ANGLES];
};

/* The level-symmetric sets that Sweep3D has: S4 with 3 angles, S6 with 6. False: no such set. */
bool sweep_angles_set(int n, struct sweep_angles *out);

/* A processor's part of the grid. Cells are [kt][jt][it], i fastest; one size and one material. */
struct sweep_cells {
	int it, jt, kt;
	double dx, dy, dz;
	double sigma;	      /* total cross section */
	const double *source; /* q: isotropic, of this iteration */
	double *flux;	      /* the scalar flux: each block adds weight * psi */
};

/* The place of a block. Planes and angles are counted in the order of the sweep. */
struct sweep_task {
	bool i_up, j_up, k_up; /* the octant: does the sweep go towards higher i, j, k? */
	int k_first, n_k;
	int angle_first, n_angle;
	bool fixup;
};

/* The n-th octant, n = 0 .. 7, in Sweep3D's order: the corners (i from, j from) =
 * (high, high), (high, low), (low, high), (low, low), and at each k from high, then from low. */
void sweep_task_octant(int n, struct sweep_task *task);

/* Do a block. The faces hold its inflow, and afterwards its outflow:
 *   face_i [n_angle][n_k][jt]   between columns: the east-west message
 *   face_j [n_angle][n_k][it]   between rows: the north-south message
 *   face_k [n_angle][jt][it]    between blocks of planes: stays on the processor
 * Planes count as the sweep goes, j and i as the grid does. Returns how many outflows were fixed.
 */
long sweep_block_do(const struct sweep_cells *cells, const struct sweep_angles *angles,
		    const struct sweep_task *task, double *face_i, double *face_j, double *face_k);

#endif
