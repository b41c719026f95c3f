#ifndef DOMAIN_JOB_SCRIPT_H
#define DOMAIN_JOB_SCRIPT_H
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/machine.h"

/* A batch job that runs one configuration. */
struct job {
	const struct application *app;
	const struct machine *machine;
	const double *row; /* n_columns, complete and derived */
	int64_t limit_min; /* what the job may take [min], see job_limit_min() */
	/* Lines about the job; they become comments whatever stands in them. NULL: none. */
	const char *remarks;
	/* An absolute path to which the script tells when the command began and ended; NULL: to
	 * none. */
	const char *time_file;
};

/* The lines of such a file: what the script of the time before left is removed first. A line that
 * the program itself adds comes through $LEMNOS_TIME_FILE. Times are by the clock of the node that
 * the script ran on. */
struct job_times {
	double began_s;	   /* since 1970; NaN: it never came so far */
	double ended_s;	   /* NaN: it did not get to tell */
	int exit_status;   /* of the command; -1: not told */
	double own_wall_s; /* "wall_s 12.5", the program's own time; NaN: none */
};
/* Lines that are something else are passed over: they are a program's. */
void job_times_read(const char *text, struct job_times *out);

/* The limit of a job whose timed part takes no longer than wall_s on a machine: start-up is added,
 * whole minutes are made of it. Errors: ARG (longer than a batch system can be asked for). */
enum err_code job_limit_min(const struct machine *m, double wall_s, int64_t *out, struct err *e);

/* Can the application be started on this configuration? NULL: yes, or nothing is known of how it is
 * started; else the reason. */
const char *job_refusal(const struct application *a, const double *row);

/* A script for Slurm's sbatch, for bash, self-contained: input files are here-documents. Where the
 * application tells no command, the script wants it in $PROGRAM and says so before anything runs.
 * No name or value in it can become shell code but the machine's `setup` and the application's
 * `command`, which are. Errors: ARG (job_refusal(); a template that cannot be filled), NOMEM. */
enum err_code job_script_slurm(const struct job *j, struct strbuf *out, struct err *e);

#endif
