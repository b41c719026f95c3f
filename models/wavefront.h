#ifndef MODELS_WAVEFRONT_H
#define MODELS_WAVEFRONT_H
#include <stdint.h>
#include "base/err.h"
#include "models/message_cost.h"
#include "models/sweep.h"

/* The LogGP model of a pipelined wavefront: one iteration of 8 octant sweeps, one energy group.
 * Source: Sundaram-Stukel and Vernon, "Predictive Analysis of a Wavefront Application Using
 * LogGP", PPoPP 1999, equations 5 to 9 (Table 2) and Table 3. n = npe_i columns, m = npe_j rows.
 *
 * Edges, where the paper says little: with one column every east-west term vanishes and T78 = T56;
 * with one row every north-south term vanishes, also in (6); with n = 2 equation 8 stands as
 * printed, Receive_W included. At 1 x 1 the time is exactly 8 W #k-blocks #angle-groups.
 *
 * The delays of blocked sends, (m-1)L, are zero below the handshake size: the paper says so. The
 * receive delay (n-2)L it exempts on the west edge only. We drop it below the handshake size too,
 * except in wavefront_printed(): docs/models.md has both beside an exact recurrence. */

struct wavefront {
	double W_s;	       /* (5), one block */
	double start_1m_s;     /* StartP(1, m) (6) */
	double start_n1m_s;    /* StartP(n-1, m); StartP(1, m) with one column */
	double T56_s, T78_s;   /* (7), (8) */
	struct sweep_time all; /* (9) */
};

/* Tables 1 and 2: every processor on a node of its own. O(1). Errors: ARG. */
enum err_code wavefront_basic(const struct sweep *s, const struct message_cost *cost, double Wg_s,
			      struct wavefront *out, struct err *e);

/* Tables 1 and 2 to the letter: the receive delay (n-2)L stays at every message size. O(1).
 * Errors: ARG. */
enum err_code wavefront_printed(const struct sweep *s, const struct message_cost *cost, double Wg_s,
				struct wavefront *out, struct err *e);

/* Table 3 as printed: 2 x 2 processors share a node; npe_i and npe_j must be even. StartP takes
 * local costs for a whole term where i (first term) or j (second term) is even; T56 and T78 take
 * local Send and Receive, and the mean L in the synchronisation terms (of blocking messages only,
 * see above). O(1). Errors: ARG. */
enum err_code wavefront_smp_printed(const struct sweep *s, const struct message_cost *remote,
				    const struct message_cost *local, double Wg_s,
				    struct wavefront *out, struct err *e);

/* Our extension to tiles of tile_i x tile_j processors a node, any n and m. Each message has the
 * cost of the two processors it connects: the one into column i is local unless i - 1 is a
 * multiple of tile_i, the one into row j unless j - 1 is a multiple of tile_j; the synchronisation
 * terms sum L over the rows and columns passed. This is not Table 3 with other numbers: there
 * Send_E and Receive_N go with the other message of their term. With 1 x 1 tiles it is
 * wavefront_basic(remote), with one tile over all wavefront_basic(local). O(n m) time, O(n)
 * memory. Errors: ARG (also above WAVEFRONT_MAX_RECURRENCE processors), NOMEM. */
enum err_code wavefront_smp_tiled(const struct sweep *s, const struct message_cost *remote,
				  const struct message_cost *local, int64_t tile_i, int64_t tile_j,
				  double Wg_s, struct wavefront *out, struct err *e);
#define WAVEFRONT_MAX_RECURRENCE INT64_C(100000000)

/* StartP by itself. The costs of the messages between neighbours: [0] between nodes, [1] inside. */
struct wavefront_hops {
	double W_s;
	struct message_time ew[2], ns[2];
	int64_t tile_i, tile_j;
};

/* Equation 6 as a recurrence over i = 1..n, j = 1..m; the row without a north neighbour receives
 * nothing from there. *start_s = StartP(n, m). Errors: ARG, NOMEM. */
enum err_code wavefront_start_recurrence(const struct wavefront_hops *h, int64_t n, int64_t m,
					 double *start_s, struct err *e);
/* StartP for 1 x 1 tiles in O(1): each step east adds the first term's cost and each step south
 * the second's, whichever comes first, so StartP = (n-1)(W + Total_EW + Receive_N) +
 * (m-1)(W + Send_E + Total_NS). */
double wavefront_start_closed(const struct wavefront_hops *h, int64_t n, int64_t m);

#endif
