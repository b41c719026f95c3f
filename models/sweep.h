#ifndef MODELS_SWEEP_H
#define MODELS_SWEEP_H
#include <stdint.h>
#include "base/err.h"
#include "domain/breakdown.h"

/* What every model of a pipelined wavefront (Sweep3D) starts from: the configuration, its blocks,
 * and how iterations add up to a run. */

/* Grid, processors and blocking. Columns i run west to east, rows j north to south (the axes of
 * Sundaram-Stukel and Vernon 1999). */
struct sweep {
	int64_t it_g, jt_g, kt; /* global grid [cells] */
	int64_t npe_i, npe_j;	/* processor columns n, rows m */
	int64_t mk;		/* k planes of a block */
	int64_t mmi;		/* angles of a block; divides mm */
	int64_t mm;		/* angles of an octant */
};

/* The largest sub-grid and its blocks; it sets the pace. */
struct sweep_block {
	int64_t it, jt;	      /* [cells], rounded up */
	int64_t k_blocks;     /* ceil(kt / mk); the last may be partial */
	int64_t angle_groups; /* mm / mmi */
	double n_block;	      /* of an octant: k_blocks * angle_groups */
	double cell_angles;   /* of a full block: mmi mk it jt */
	double ew_bytes;      /* message to the east or west neighbour: 8 jt mk mmi */
	double ns_bytes;      /* to the north or south: 8 it mk mmi */
};

/* Every count from 1 to SWEEP_MAX_COUNT, npe_i <= it_g, npe_j <= jt_g, mk <= kt, mmi divides mm.
 * Errors: ARG (the message names the value and what would be right). */
#define SWEEP_MAX_COUNT INT64_C(1000000000)
enum err_code sweep_block_of(const struct sweep *s, struct sweep_block *out, struct err *e);

/* Cells of part x (from 0) when `cells` are dealt out to n: where n does not divide them, the first
 * cells mod n parts have one more than the others. */
int64_t sweep_cells_of(int64_t cells, int64_t n, int64_t x);

/* A predicted time and where it goes; the parts sum to time_s up to rounding. */
struct sweep_time {
	double time_s;
	struct breakdown parts;
};

/* How much is swept. Wg is the computation per cell and angle; flux fix-ups make the iterations
 * after the 7th of a time step dearer. Where that is not known, Wg_fixup_s = Wg_s. */
struct sweep_run {
	int64_t iterations; /* of a time step */
	int64_t groups, timesteps;
	double Wg_s, Wg_fixup_s;
	double W_before_s, W_after_s; /* around the iterations of a time step */
};
enum { SWEEP_PLAIN_ITERATIONS = 7 };

/* T_run = groups * timesteps * (W_before + sum over the iterations + W_after), from the times of
 * one iteration of each kind. Errors: ARG (counts outside 1 .. SWEEP_MAX_COUNT, a negative time,
 * a run time that overflows). */
enum err_code sweep_run_time(const struct sweep_run *r, const struct sweep_time *plain,
			     const struct sweep_time *fixup, struct sweep_time *out, struct err *e);

/* A time per cell and angle must be finite and >= 0. Errors: ARG. */
enum err_code sweep_check_Wg(double Wg_s, struct err *e);

#endif
