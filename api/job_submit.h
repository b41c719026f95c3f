#ifndef API_JOB_SUBMIT_H
#define API_JOB_SUBMIT_H
#include <stdbool.h>
#include "api/answer.h"
#include "api/session.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "kb/kb_jobs.h"

/* From a recommendation to a job of Slurm. A job costs node-hours and hours of waiting and is
 * submitted in the asker's name, so what speaks against it is not submitted unless somebody who
 * was told so accepts it, by name: one word for all objections would also accept those of tomorrow.
 */

enum job_objection {
	OBJECTION_INFEASIBLE, /* it is the best effort: deadline or budget are expected to be missed
			       */
	OBJECTION_OUTSIDE,    /* extrapolated: the interval rests on no runs near by */
	OBJECTION_FAILED,     /* runs of this configuration failed */
	OBJECTION_AT_RISK,    /* runs failed that it is no safer than */
	OBJECTION_CUT,	      /* each run of it was cut by its time limit */
	OBJECTION_SIMULATED,  /* the machine is invented or simulated: its times are none of the
			     cluster's */
	OBJECTION_BORROWED,   /* a what if: the machine has no runs */
	OBJECTION_AGAIN,      /* a job of this very recommendation has not ended yet */
	JOB_N_OBJECTIONS
};
/* For options and answers: "outside"; in a sentence. */
const char *job_objection_name(enum job_objection d);
const char *job_objection_text(enum job_objection d);

/* objection[]: those that there are about the answer (never AGAIN, which only the base knows). */
void job_objections_of(const struct answer *a, bool objection[JOB_N_OBJECTIONS]);

/* Before the script is made: the job's name, which no other job has, and where it tells its times.
 */
struct job_place {
	struct strbuf name, folder, time_file;
};
/* The job will run in the present directory. Errors: IO, NOMEM. */
enum err_code job_place_find(const char *app, struct job_place *out, struct err *e);
void job_place_release(struct job_place *p);

struct job_submission {
	const char *advice_id; /* of a recommendation that the base has */
	const struct job_place *place;
	const char *script;
	int64_t limit_min;
	const struct machine *machine; /* its partition and account go before $SBATCH_PARTITION */
	const char *cluster;	       /* NULL: the default one */
	bool again;		       /* even if a job of it has not ended */
};
/* Is there an sbatch here? Errors: NOTFOUND (says why not). */
enum err_code job_can_submit(struct err *e);
/* Submit it, once. The base knows of it before sbatch does, so that `advice sync` finds a job whose
 * number was never heard. Errors: those of slurm_submit() (IO: refused, and the base has forgotten
 * it; PARSE: it may be submitted), ARG (a job of it has not ended yet: names it), BUSY, those of
 * kb: nothing was submitted. */
enum err_code job_submit(const struct session *session, const struct job_submission *s,
			 struct kb_job *out, struct err *e);

/* What is to be submitted, what speaks against it, and what became of it. */
struct submission {
	struct job_place place;
	struct strbuf script;
	int64_t limit_min;
	bool objection[JOB_N_OBJECTIONS]; /* that were not accepted */
	struct strbuf reason;		  /* why it is not submitted; "": it is */
	bool dry_run;	   /* nobody wants it submitted, or it cannot be: show the script */
	bool said_no;	   /* and that is no success */
	struct kb_job job; /* name NULL: not submitted */
};
void submission_release(struct submission *s);
/* Set "job" of an answer: {"submitted", "slurm_id", "cluster", "name", "folder", "limit_s",
 * "reason", "doubts": [...], "script"}. Errors: NOMEM. */
struct json_t;
enum err_code submission_json(const struct submission *s, struct json_t *answer, struct err *e);

#endif
