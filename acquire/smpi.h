#ifndef ACQUIRE_SMPI_H
#define ACQUIRE_SMPI_H
#include <stdbool.h>
#include "acquire/smpi_platform.h"
#include "acquire/work_folder.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"

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
	struct strbuf remarks; /* of smpi_platform.h */
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
