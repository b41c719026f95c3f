#ifndef MODELS_LOGP_WAVEFRONT_H
#define MODELS_LOGP_WAVEFRONT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "models/message_cost.h"
#include "models/sweep.h"

/* Contention for the processor that handles messages: LoPC's queue, as a fixed point.
 *
 * One processor of a pipeline repeats a cycle: compute a block, wait for and handle the message
 * that the next block needs. LogP has C = W + o + 2L. Messages come from several neighbours,
 * though, so one may find another in service. By approximate mean value analysis (Bard and
 * Schweitzer), with k messages a cycle, each in service or queued for R:
 *   C = W' + R + 2L
 *   R = o (1 + (k-1)/k Q),  Q = k R / C    the others that an arriving message finds (Little)
 *   U = k o / C                            the share of time that handling takes
 *   W' = W with a message co-processor, else W / (1 - U): handling comes before computing
 * As U goes to 0, R goes to o and W' to W: LogP.
 *
 * Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms", PPoPP
 * 1997, which POEMS (1998, section 4.1) applies to Sweep3D. We differ: their cycle is a request and
 * its reply, ours a block of a pipeline; with k known neighbours a message does not queue behind
 * itself, hence (k-1)/k. Restated without the text of the 1997 paper at hand. */
struct lopc {
	double W_s;	  /* computation of a block */
	double L_s;	  /* latency */
	double o_s;	  /* handling of a message */
	int messages;	  /* k: neighbours that send, one message each a block */
	bool coprocessor; /* messages are handled beside the computation */
};

struct lopc_cycle {
	double cycle_s;	    /* C */
	double W_s;	    /* W' */
	double o_s;	    /* R */
	double utilisation; /* U, from 0 to 1 */
};

/* C - W' - R - 2L grows with C from k o on, so there is one solution, found by bisection to the
 * last digit. Errors: ARG (a time that is negative or not finite, messages outside 0 .. 4, a cycle
 * too long for a number). */
enum err_code lopc_solve(const struct lopc *p, struct lopc_cycle *out, struct err *e);

/* The LogP model of Sweep3D, and LoPC on top of it: older than the LogGP model of wavefront.h, with
 * neither message sizes nor handshakes nor synchronisation terms. One iteration of 8 octants.
 *
 * Source: Deelman et al., "POEMS: End-to-end Performance Design of Large Parallel Adaptive
 * Computational Systems", WOSP 1998, section 4.1. Its axes are the other way round: i = 1..m counts
 * rows (north to south), j = 1..n columns (west to east).
 *   W = Wg mmi mk it jt
 *   startP(i,j) = max(startP(i-1,j) + W + o + L, startP(i,j-1) + W + 2o + 3L), startP(1,1) = 0
 *   time12 = startP(m,1)   + 2 (W + o + 2L) #k-blocks #angle-groups
 *   time34 = startP'(1,n-1) + 2 (W + o + 2L) #k-blocks #angle-groups + W
 *   T = 2 (time12 + time34)
 * startP is that of the downward sweeps 1 and 2, which begin at (1,1). Sweeps 3 and 4 go up and to
 * the right and begin at (m,1); the paper prints the same symbol and says that "sweeps in other
 * directions have a recursive equation with a similar form". That form, mirrored, is
 *   startP'(i,j) = max(startP'(i+1,j) + W + o + L, startP'(i,j-1) + W + 2o + 3L), startP'(m,1) = 0
 *   startP'(1,n-1) = (m-1)(W + o + L) + (n-2)(W + 2o + 3L)
 * With free messages the fill is then 2 (n-1) + 4 (m-1) blocks, as in every wavefront model here.
 * LoPC has R for o and W' for W (above).
 *
 * Edges, where the paper is silent (as in wavefront.h): with one column time34 = time12; on one
 * processor there are no messages and T is exactly 8 W #k-blocks #angle-groups.
 *
 * Valid for messages that are short (the time per byte is left out), that do not block, and whose
 * sends are further apart than LogP's gap g, which machines here do not state. On the SP/2 its
 * authors found it about 1 s too long. */

/* LogP of a machine: its shortest message, o the time of the send, L what remains of the one-way
 * time after o at both ends (never below 0). */
struct logp {
	double L_s, o_s;
};
struct logp logp_from_message_cost(const struct message_cost *c);

enum logp_contention {
	LOGP_NO_CONTENTION,
	LOPC_COPROCESSOR,  /* a queue of messages beside the computation (SP/2) */
	LOPC_ONE_PROCESSOR /* handling a message interrupts the computation */
};

struct logp_wavefront {
	struct lopc_cycle cycle; /* W', R and the utilisation; without contention W, o and 0 */
	double start_m1_s;	 /* startP(m, 1) */
	double start_1n1_s;	 /* startP'(1, n-1); with one column startP(m, 1) */
	double time12_s, time34_s;
	struct sweep_time all; /* what contention adds is under sync_s, but for the fill's */
};

/* O(1). Errors: ARG. */
enum err_code logp_wavefront(const struct sweep *s, const struct logp *p,
			     enum logp_contention contention, double Wg_s,
			     struct logp_wavefront *out, struct err *e);

#endif
