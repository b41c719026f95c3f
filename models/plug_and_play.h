#ifndef MODELS_PLUG_AND_PLAY_H
#define MODELS_PLUG_AND_PLAY_H
#include "base/err.h"
#include "models/message_cost.h"
#include "models/sweep.h"

/* One model for three wavefront codes, told apart by how often the pipeline fills.
 *
 * RESTATED: after Mudalige, Vernon and Jarvis, "A Plug-and-Play Model for Evaluating Wavefront
 * Computations on Parallel Architectures", IPDPS 2008, whose text was not at hand. One thing
 * supports the restatement: with free messages the fill of Sweep3D is the 2(n-1) + 4(m-1) blocks of
 * that program's own efficiency formula.
 *
 *              n_sweeps  n_full  n_diag  all-reduces   message to a neighbour, bytes
 *   LU             2        2       0         0        40 cells of the face
 *   Sweep3D        8        2       2         2        8 cells of the face, each angle
 *   Chimaera       8        4       2         1        8 cells of the face, each angle
 *
 *   W = Wg H_tile (Nx/n) (Ny/m), H_tile = mk mmi / mm, Wg for all mm angles of a cell: as sweep.h
 *       counts, Wg mk mmi it jt
 *   StartP: equation 6 of wavefront.h, but StartP(1,1) = W_pre
 *   T_diagfill = StartP(1,m), T_fullfill = StartP(n,m)
 *   T_stack = (Receive_W + Receive_N + W + Send_E + Send_S + W_pre) Nz/H_tile - W_pre
 *   T = n_diag T_diagfill + n_full T_fullfill + n_sweeps T_stack + T_nonwavefront
 *   T_nonwavefront = all-reduces of 8 bytes, log2(n m) Total_Comm each, and what is given
 *
 * We take whole cells and blocks: it, jt and #k-blocks #angle-groups = Nz/H_tile rounded up.
 * StartP(1,1) = W_pre makes one processor's time exactly n_sweeps (W + W_pre) Nz/H_tile for LU.
 * With one column (row) the east-west (north-south) messages vanish. */
enum plug_code { PLUG_LU, PLUG_SWEEP3D, PLUG_CHIMAERA };

struct plug_input {
	enum plug_code code;
	struct sweep sweep;    /* LU has no angles: mm = 1 */
	double Wg_s;	       /* computation per cell and angle after the messages have come */
	double Wg_pre_s;       /* and before: LU only, 0 otherwise */
	double nonwavefront_s; /* outside of the sweeps, besides all-reduces: LU's stencil */
};

struct plug_and_play {
	double W_s, W_pre_s; /* a block */
	double diagfill_s, fullfill_s, stack_s;
	double nonwavefront_s;
	struct sweep_time all; /* one iteration */
};

/* O(1). Errors: ARG (also LU with angles, W_pre for another code). */
enum err_code plug_and_play(const struct plug_input *in, const struct message_cost *cost,
			    struct plug_and_play *out, struct err *e);

#endif
