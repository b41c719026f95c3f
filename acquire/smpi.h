#ifndef ACQUIRE_SMPI_H
#define ACQUIRE_SMPI_H
#include <stdbool.h>
#include <stdint.h>
#include "acquire/work_folder.h"
#include "base/err.h"
#include "base/progress.h"
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

/* Run a real MPI program on a simulated machine: SimGrid's SMPI executes its code here, all ranks
 * in one process, and simulates its messages. The program was compiled by smpicc (or smpif90,
 * smpicxx). Repeats give the same time to the last digit, unless computation is measured. */
struct smpi_run {
	const struct smpi_machine *machine;
	const char *program; /* a file; its ending and folder do not matter */
	const char *const *
		argv; /* its arguments, NULL-terminated; no blanks, no * ? [: smpirun is a script */
	/* It has no variables that ranks must not share: saves a copy of it for each rank. */
	bool no_globals;
	double limit_s;			 /* of wall time; 0: none */
	const struct progress *progress; /* may be NULL */
};

struct smpi_result {
	double simulated_s;    /* the whole program, start-up included */
	double wall_s;	       /* what the simulation took here */
	struct strbuf printed; /* what the program wrote to stdout, the last MEGABYTE of it */
	struct strbuf remarks; /* of struct smpi_platform */
};

/* In a folder, where platform.xml, hosts, output and log stay. Errors: IO (SimGrid is not
 * installed: names the package; the program failed or is none for SMPI: says where the log is or
 * how it ends), ARG (those of smpi_platform_make(), an argument that smpirun cannot pass), PARSE
 * (no simulated time), INTERRUPTED, NOMEM. */
enum err_code smpi_run(const struct smpi_run *run, const struct work_folder *folder,
		       struct smpi_result *out, struct err *e);
void smpi_result_release(struct smpi_result *r);

/* Is SimGrid's SMPI here? Errors: IO (no: names the package). */
enum err_code smpi_check(struct err *e);

/* The last "Simulated time: N seconds" that SMPI logged. Errors: PARSE (there is none). */
enum err_code smpi_read_time(const char *log, double *out_s, struct err *e);

#endif
