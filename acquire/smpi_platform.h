#ifndef ACQUIRE_SMPI_PLATFORM_H
#define ACQUIRE_SMPI_PLATFORM_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "models/message_cost.h"

/* A machine as SimGrid's SMPI takes one: a platform file with everything in it, the settings of the
 * message costs included, and a host file. Written for SimGrid 3.32 (Debian 12).
 *
 * The network: nodes with a link each, in and out, and nothing between. A backbone costs the
 * simulation four times as long, and costs given as LogGP or as a ping-pong know none.
 *
 * What a message costs (struct message_cost), and what SMPI makes of it:
 *   - One that does not block: the sender's call takes Send (smpi/os), the wire Total_Comm - Send -
 *     Receive, the receiver's call Receive (smpi/or). Exactly the machine's, apart from links that
 *     several messages share.
 *   - One that blocks: SMPI has no processor time for these; both calls end when the last byte has
 *     arrived. The wire takes Total_Comm, counted from when both calls are there. A receiver that
 *     was there in time sees exactly that; the sender is held Total_Comm instead of Send, and a
 *     late receiver Total_Comm instead of Receive.
 * Collective operations are those that MPICH would choose.
 * SMPI sends an envelope of 16 bytes with each message; its time is taken out of the latency. */

/* One flop is a nanosecond of computation. */
#define SMPI_FLOPS_PER_S 1e9

struct smpi_machine {
	const struct message_cost *remote; /* between nodes */
	const struct message_cost *local;  /* inside a node; NULL: not known, as between nodes */
	int64_t procs;
	int64_t procs_per_node; /* 1 or more; consecutive ranks share a node */
	/* Computation of the program takes so many times as long as here; 0: none is measured, it
	 * takes no time but what the program itself says (smpi_execute_flops() and the like). */
	double cpu_scale;
};

struct smpi_platform {
	struct strbuf xml;
	struct strbuf hosts;   /* a line for each rank */
	struct strbuf remarks; /* what could not be expressed, lines; "": nothing */
};

/* Errors: ARG (counts below 1 or procs above SMPI_MAX_PROCS, a negative cpu_scale), NOMEM. */
#define SMPI_MAX_PROCS 4096 /* these take SMPI minutes */
enum err_code smpi_platform_make(const struct smpi_machine *m, struct smpi_platform *out,
				 struct err *e);
void smpi_platform_release(struct smpi_platform *p);

#endif
