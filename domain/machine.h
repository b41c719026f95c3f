#ifndef DOMAIN_MACHINE_H
#define DOMAIN_MACHINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"

/* What a job script for Slurm wants to know of a machine: the group `slurm` of its definition, all
 * of it optional. */
struct slurm {
	char *partition; /* NULL: the cluster's default */
	char *account;	 /* NULL: the user's default */
	char *launcher;	 /* what starts the processes: "srun" unless given */
	char **option;	 /* further directives: "--qos=debug" */
	size_t n_option;
	char **setup; /* shell lines that run first: "module load openmpi" */
	size_t n_setup;
	double startup_s; /* from the job's start to that of the timed part [s]; 60 unless given */
};

/* A machine as data, from a libconfig text (data/machines/NAME.conf). What is not known is 0 or
 * false and is said so, never guessed. */

/* LogGP as in Sundaram-Stukel and Vernon, PPoPP 1999, Table 1: two ranges of o and G. */
struct loggp {
	double L_s;	  /* latency [s] */
	double o_small_s; /* CPU overhead of a message <= small_max_bytes [s] */
	double o_large_s; /* CPU overhead above [s] */
	double G_small_s_per_byte;
	double G_large_s_per_byte;
	double small_max_bytes; /* 1024 on the SP/2 */
	double handshake_bytes; /* messages of this size and more wait for the receiver; 4096 on
				   SP/2 */
};

/* One range of a piecewise linear one-way message cost, from_bytes up to the next range:
 * intercept + slope * bytes = half the round trip. */
struct cost_segment {
	double from_bytes;
	double intercept_s;
	double s_per_byte;
	double se_intercept_s; /* standard errors; 0 when given, not fitted */
	double se_s_per_byte;
};

struct machine {
	char *name;
	char *title;
	char *origin;	/* where the figures come from */
	bool simulated; /* invented or simulated: answers say so */
	int64_t nodes;	/* 0: not known */
	int64_t cores_per_node;
	double memory_bytes_per_node;

	bool has_loggp;
	struct loggp loggp;
	bool has_loggp_local; /* costs inside a node, where they differ */
	struct loggp loggp_local;
	struct cost_segment *segment; /* given, not fitted */
	size_t n_segment;
	double blocking_bytes; /* sends of this size and more block; 0: not known */
	double overhead_s;     /* with segments: what a small message takes of the processor at
				  either end; 0: not known */
	/* Inside a node, as segments, blocking_bytes and overhead_s are between nodes. */
	struct cost_segment *segment_local;
	size_t n_segment_local;
	double blocking_local_bytes, overhead_local_s;

	struct slurm slurm; /* for job scripts */

	char *definition;
	char sha256[65];
};

/* What is wrong with a machine's name ("longer than 100 bytes"); NULL: nothing. Names are typed on
 * command lines and printed on terminals. */
const char *machine_name_fault(const char *name);
enum err_code machine_parse(const char *text, const char *origin, struct machine **out,
			    struct err *e);
enum err_code machine_read(const char *path, struct machine **out, struct err *e);
/* The definition of a machine of which only the name is known (as an import creates it).
 * Errors: ARG (machine_name_fault), NOMEM. */
enum err_code machine_unknown_text(const char *name, struct strbuf *out, struct err *e);
/* A definition with what is known of the nodes; node may be NULL. */
struct machine_node {
	int64_t cores;	     /* 0: not known */
	double memory_bytes; /* 0: not known */
};
enum err_code machine_node_text(const char *name, const struct machine_node *node,
				struct strbuf *out, struct err *e);
void machine_free(struct machine *m);

/* Append the definition of a machine as machine_parse() reads it: what is known of nodes, memory
 * and messages (segments, in 6 digits), not LogGP and the settings for Slurm. comment: lines, each
 * ended by a newline, without their "# ". Errors: ARG (machine_name_fault), NOMEM. */
enum err_code machine_put_text(const struct machine *m, const char *comment, struct strbuf *out,
			       struct err *e);

#endif
