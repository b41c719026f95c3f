#ifndef API_JOB_SYNC_H
#define API_JOB_SYNC_H
#include <stdbool.h>
#include <stddef.h>
#include "api/advice_record.h"
#include "api/session.h"
#include "base/err.h"
#include "kb/kb_jobs.h"

/* Outcomes of the jobs that were submitted for recommendations: promised against happened.
 *
 * A job that completed is a run with a time, one that met its limit a censored run, one that failed
 * or ran out of memory a failed run, of what was recommended; they go through ingest, each as an
 * import of its own, in one transaction with the job's new state. A job that was cancelled or
 * preempted, whose node failed, or that failed before its command began or because there is no such
 * command, tells nothing about the configuration: no run.
 *
 * The time of a run is, the first that there is: what the program itself told ("wall_s" in the file
 * of times), that of the command with all that it starts and reads, to a fraction of a second, both
 * from the file that the script writes (job_script.h); that of the whole job, in whole seconds,
 * from sacct. timed_by says which. */

struct job_report {
	struct kb_job job;
	struct reliability forecast;	    /* of its recommendation */
	struct reliability_outcome outcome; /* of this job alone; n_runs 0: no run */
	int64_t run_id;			    /* 0: none, or its import was undone */
	bool asked;			    /* Slurm answered about it this time */
	bool unaccounted; /* it is known from the queue only: sacct does not work here */
};
struct job_reports {
	struct job_report *item;
	size_t n;
	char why[512]; /* the words of sacct or squeue, if one of them did not answer; "": both did
			*/
};
void job_reports_release(struct job_reports *r);

/* Ask Slurm about the jobs that are not settled: of all recommendations, or of those whose ids, or
 * beginnings of them, are given. *out: the jobs that it was asked about; of recommendations that
 * were given also those that are settled. The session's base is open for writing. Interrupted, or
 * killed, what was stored is whole, and the rest is asked again. Errors: those of slurm_ask(),
 * NOTFOUND (no such recommendation), INTERRUPTED, BUSY, those of kb. */
enum err_code job_sync(struct session *session, const char *const *advice_id, size_t n,
		       struct job_reports *out, struct err *e);

/* The jobs of a recommendation as the base knows them, without asking anybody. */
enum err_code job_reports_read(struct session *session, const char *advice_id,
			       struct job_reports *out, struct err *e);

/* A list of them; NULL: out of memory. */
struct json_t;
struct json_t *job_reports_json(const struct job_reports *r);

#endif
