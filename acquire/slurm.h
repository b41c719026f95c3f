#ifndef ACQUIRE_SLURM_H
#define ACQUIRE_SLURM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/slurm_words.h"

/* Slurm by its commands sbatch, sacct, squeue and scancel, found in PATH and run without a shell.
 *
 *	struct slurm_batch batch = {.script = text, .name = "sweep3d-7f3a9c01"};
 *	struct slurm_job job;
 *	rc = slurm_submit(&batch, &job, e);
 *	...
 *	rc = slurm_ask(&job, 1, NULL, &reply, e);
 *	if (!rc && slurm_state_is_final(job.state)) ...
 *
 * Tested with Slurm 22.05 (tests/slurm/run.sh); the fields that are asked for exist since 17.11. */

enum { SLURM_ID_SIZE = 32, SLURM_NAME_SIZE = 128, SLURM_WORDS_SIZE = 64, SLURM_MAX_OPTIONS = 24 };

struct slurm_job {
	/* What is asked about. A job without an id is looked for by its name. */
	char id[SLURM_ID_SIZE];	       /* "123"; of an array "123_4" */
	char cluster[SLURM_NAME_SIZE]; /* "": the default one */
	/* A job of this id and another name is not it; "": any name, "lemnos-7f3a-": all that begin
	 * so. */
	char name[SLURM_NAME_SIZE];
	int64_t task; /* of the array of this name, from 1, where there is no id; 0: it is no array
		       */
	int64_t since_s; /* it was submitted no earlier; since 1970 */

	/* What became of it: of the last time, if it was requeued. */
	enum slurm_state state;
	char words[SLURM_WORDS_SIZE];	  /* Slurm's own: "CANCELLED by 1000"; "": none */
	double elapsed_s;		  /* in whole seconds, the whole job; NaN: not known */
	double limit_s;			  /* NaN: none, or not known */
	int64_t submit_s, start_s, end_s; /* since 1970; 0: not yet, or not known */
	int64_t nodes;			  /* 0: not known */
	char ran_on[SLURM_NAME_SIZE]; /* the cluster, as the accounting calls it; "": not known */
	int exit_status, signal;      /* of the script; -1: not known */
	bool from_queue; /* squeue told it: a state comes there earlier, but without exit status */
};

struct slurm_reply {
	bool accounted; /* sacct answered; else only the queue is known, for some minutes */
	bool queued;	/* squeue answered, or there was no need to ask it */
	char why[512];	/* the words of what did not answer; "": all did */
};

struct slurm_batch {
	const char *script;	   /* its text */
	const char *name;	   /* overrides the script's; NULL: leave it */
	const char *cluster;	   /* NULL: the default one */
	const char *folder;	   /* where the job runs and writes its output; NULL: here */
	const char *const *option; /* further ones: "--array=1-5"; they override the script's */
	size_t n_option;	   /* at most SLURM_MAX_OPTIONS */
	/* What the job asks for, to be held against what partitions give. 0: not known. */
	double limit_min, nodes;
	const char *partition;		 /* those it may run in, by commas; NULL: the default one */
	const struct progress *progress; /* NULL: an interrupt does not stop it half-way */
};

/* Submit a script, once: nothing is tried again, and variables of sbatch that would change the job
 * ($SBATCH_TIMELIMIT, $SBATCH_CLUSTERS, ...) are not passed on. *out is a job to ask about (its id,
 * cluster and name; pending). Errors: NOTFOUND (there is no sbatch), ARG (the job asks for more
 * time or nodes than any of its partitions gives one, as sinfo says: such a job would wait for
 * ever), IO (it cannot be started, or sbatch refused: its words), NOMEM: nothing was submitted.
 * PARSE (sbatch says nothing that names a job, was too slow, or lost the controller before it heard
 * an answer), INTERRUPTED: it is not known whether there is a job; one of this name may be looked
 * for by slurm_ask(). */
enum err_code slurm_submit(const struct slurm_batch *b, struct slurm_job *out, struct err *e);

/* What became of jobs: sacct is asked, and squeue about those that sacct does not know (yet), or
 * about all of them where there is no accounting. A job that neither knows is GONE if both
 * answered, or if there is no accounting; and UNKNOWN if one of them failed. A pending array is one
 * line to sacct: it stands for all tasks of it that have no line of their own. Errors: NOTFOUND
 * (there is neither sacct nor squeue), IO (neither answers: the words of both), PARSE (an answer
 * that is cut short or not understood: says where), INTERRUPTED, NOMEM; then no job has changed. */
enum err_code slurm_ask(struct slurm_job *jobs, size_t n, const struct progress *progress,
			struct slurm_reply *out, struct err *e);

/* Cancel a job; one that has ended is left as it is. Errors: NOTFOUND (there is no scancel), IO
 * (scancel's words), INTERRUPTED, NOMEM. */
enum err_code slurm_cancel(const struct slurm_job *job, const struct progress *progress,
			   struct err *e);

#endif
