#ifndef MINING_WAVEFRONT_TIME_H
#define MINING_WAVEFRONT_TIME_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "domain/breakdown.h"
#include "models/message_cost.h"
#include "models/sweep.h"

/* The run time of a pipelined wavefront code as a formula with calibrated parameters, O(1) a
 * configuration.
 *
 *   T = groups timesteps [ E (B W + F_i (V + a_fill C_ew) + F_j (V + a_fill C_ns))
 *                        + iterations (B (u_ew C_ew + u_ns C_ns)
 *                                      + a_src Wg 48 (it + start) jt kt
 *                                      + a_reduce log2(P) C(8 bytes)) ]
 *   B   = 8 k_blocks angle_groups            blocks through the full pipeline, partial ones whole
 *   F_i = 2 (npe_i - 1), F_j = 4 (npe_j - 1) blocks of fill (Sweep3D README)
 *   E   = iterations + fix * (iterations after the 7th)             flux fix-ups
 *   W   = Wg (it + start) jt mk mmi, the time of a block on the processor with the most cells
 *   V   = Wg (it_g/npe_i + start) (jt_g/npe_j) mk mmi, its mean over the processors
 *   start = line + [it > step] long    C = one-way message cost; u = a_eager for messages
 *         that do not block, a_block for those that do, 0 without a neighbour in that direction
 *   log Wg = b_0 + sum b_i phi_i
 *
 * phi: log it, log jt, log mk, log mmi, and hinges max(0, log(cells / knot)) of the cells of the
 * sub-grid (they leave one cache after another; also divided by mmi: fewer angles a block stream
 * them more often) and of the cells of a block. The step is the length of the inner loop beyond
 * which its exit is mispredicted: found from the runs, not assumed.
 *
 * Source: the shape of equations (5) to (9) of Sundaram-Stukel and Vernon, PPoPP 1999, with the
 * fill of the efficiency formula. We differ: grids need not divide evenly (a full pipeline goes at
 * the pace of the fullest processor, a wave that fills it meets the mean one); Wg is a function
 * instead of a measured table, message costs enter in calibrated shares of the one-way cost (the
 * paper's Send, Receive and delay terms cannot be told apart from run times), and synchronisation
 * is part of a_block. */

enum wavefront_param {
	WP_WG, /* log of the time per cell and angle at it = jt = mk = mmi = 1 */
	WP_IT,
	WP_JT,
	WP_MK,
	WP_MMI,
	WP_GRID_1,
	WP_GRID_2,
	WP_GRID_3, /* hinges of the sub-grid's cells */
	WP_STREAM_1,
	WP_STREAM_2,
	WP_STREAM_3, /* the same over mmi */
	WP_BLOCK_1,
	WP_BLOCK_2, /* hinges of a block's cells */
	WP_N_PHI,
	/* logs of positive numbers */
	WP_EAGER = WP_N_PHI,
	WP_BLOCK,
	WP_FILL,
	WP_REDUCE,
	WP_SOURCE,
	WP_FIX,
	WP_LINE,
	WP_LONG,
	WP_COUNT
};

struct wavefront_param_info {
	const char *name;
	const char *unit;
	const char *meaning;
	double prior; /* in the scale of the parameter (log for the positive ones) */
	double prior_sd;
};
extern const struct wavefront_param_info wavefront_param_info[WP_COUNT];

/* The columns it reads, by their standard names. */
enum wavefront_column {
	WC_IT_G,
	WC_JT_G,
	WC_KT,
	WC_NPE_I,
	WC_NPE_J,
	WC_MK,
	WC_MMI,
	WC_MM,
	WC_ITERATIONS,
	WC_GROUPS,
	WC_TIMESTEPS,
	WC_COUNT
};

struct wavefront_time {
	size_t column[WC_COUNT]; /* index in a row */
	double p[WP_COUNT];
	double amount[WP_COUNT]; /* exp(p) */
	double step;		 /* inner loops longer than this pay WP_LONG; INFINITY: none */
	struct message_cost cost;
};

/* Does the application have all columns? On success columns are set. */
bool wavefront_time_bind(const struct application *app, size_t column[WC_COUNT]);

/* Set p and what is computed from it. */
void wavefront_time_set(struct wavefront_time *w, const double p[WP_COUNT]);

/* A configuration as the formula sees it: all of it that no parameter and no step changes. */
struct wavefront_point {
	double it, jt, kt, mk, mmi, mm, procs;
	double mean_it, mean_jt;     /* over the processors */
	double full;		     /* blocks B */
	double fill_i, fill_j;	     /* F_i, F_j */
	double iterations, fixed_up; /* all, and those after the 7th */
	double repeats;		     /* groups * timesteps */
	double phi[WP_N_PHI];
	struct message_time ew, ns;
	double levels, level_s; /* of a global sum, and the message of one */
};

/* By the columns and the cost of w. */
void wavefront_point_read(const struct wavefront_time *w, const double *row,
			  struct wavefront_point *out);
/* Its time [s]; gradient[WP_COUNT] of log T and *parts may be NULL. */
double wavefront_time_of(const struct wavefront_time *w, const struct wavefront_point *c,
			 double *gradient, struct breakdown *parts);
/* Both. */
double wavefront_time_at(const struct wavefront_time *w, const double *row, double *gradient,
			 struct breakdown *parts);
/* The time as a function of the processor grid, for a fixed sub-grid it x jt and blocking:
 *   T = base + [npe_i > 1] ew + [npe_j > 1] ns + (npe_i - 1) per_i + (npe_j - 1) per_j
 *       + (2 (npe_i - 1) + 4 (npe_j - 1)) (it_g/npe_i + loop_start) (jt_g/npe_j) fill
 *       + per_level log2(npe_i npe_j)                                                        [s]
 * fill: per cell; loop_start in cells. */
struct wavefront_shares {
	double base, ew, ns, per_i, per_j, fill, loop_start, per_level;
};
void wavefront_time_shares(const struct wavefront_time *w, const double *row,
			   struct wavefront_shares *out);

/* Wg of it: the computation of the full pipeline by the cells and angles there, a mean over
 * iterations with and without fix-ups [s]. */
double wavefront_time_wg(const struct wavefront_time *w, const double *row);
/* No legal mk, mmi (where NaN) gives a smaller one. */
double wavefront_time_least_wg(const struct wavefront_time *w, const double *row);

/* No legal mk, mmi (where NaN) has less computation, fill and work outside the sweeps [s]. */
double wavefront_time_least_compute_s(const struct wavefront_time *w, const double *row);
/* No legal mk, mmi (where NaN) gives a shorter time. */
double wavefront_time_lower_bound(const struct wavefront_time *w, const double *row);

/* A complete row of a wavefront application in the words of models/sweep.h: *sweep, and iterations,
 * groups and timesteps of *run, whose times are left as they are. Errors: ARG (no such application;
 * a count that is missing or more than the models count to: named). */
enum err_code wavefront_question(const struct application *app, const double *row,
				 struct sweep *sweep, struct sweep_run *run, struct err *e);

/* For many rows, of an application whose columns are bound (wavefront_time_bind()). */
enum err_code wavefront_question_at(const struct application *app, const size_t column[WC_COUNT],
				    const double *row, struct sweep *sweep, struct sweep_run *run,
				    struct err *e);

/* The error of an application without the columns. */
enum err_code wavefront_question_refuse(const struct application *app, struct err *e);

#endif
