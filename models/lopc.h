#ifndef MODELS_LOPC_H
#define MODELS_LOPC_H
#include <stdbool.h>
#include "base/err.h"

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

#endif
