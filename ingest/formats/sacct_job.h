#ifndef INGEST_FORMATS_SACCT_JOB_H
#define INGEST_FORMATS_SACCT_JOB_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "domain/slurm_words.h"

/* What a job of Slurm's accounting counts as, by its state, its steps, and its other tries where it
 * was begun again. */

/* What the steps of a job ran on. NaN: not known. */
struct step_sizes {
	size_t n; /* steps */
	double nodes, tasks;
	uint64_t other_line; /* of the first step of another size; 0: none */
	double other_nodes, other_tasks;
};

/* A step of its own number, as srun makes. NaN: not known. */
struct sacct_step {
	uint64_t line;
	const char *state; /* as sacct has it */
	double elapsed_s;
	double nodes, tasks;
};

/* A try of a job: a row of sacct, and those of its steps. */
struct sacct_job {
	uint64_t line;
	const char *key; /* tries of one job have the same; borrowed */
	enum slurm_state state;
	bool requeued;	     /* its state says that it was ended to be begun again */
	bool derived_failed; /* its DerivedExitCode is not 0 */
	double elapsed_s;    /* NaN, as the next two: not known */
	double start_s;
	double restarts;
	/* of its steps: sacct_job_add_step() */
	size_t n_steps;
	struct step_sizes all_sizes, not_cancelled_sizes;
	size_t n_beside;       /* those of one task that took less than half of the job */
	double brief_tasks;    /* the most of these and of those too short to matter; NaN: none */
	char failed_state[24]; /* of the first that failed or met a limit; "": none */
	bool has_ended_step, has_cancelled_step;
	/* of its other tries: sacct_job_link() */
	bool is_repeated;     /* another row says this try */
	bool begun_again;     /* another came later, as far as is known */
	size_t n_before;      /* that came before it, or may have */
	double longest_cut_s; /* of those that were cut; 0: none was */
};

enum sacct_end {
	SACCT_AS_SAID,
	SACCT_UNFINISHED,
	SACCT_CUT,	/* the time is longer than what it ran */
	SACCT_CUT_SOON, /* in its first FOREIGN_LEAST_CUT_S: that tells nothing */
	SACCT_IDLE,	/* ended by others, but all of its steps had ended: how long it would have
			 * gone on is not known */
	SACCT_STEP_FAILED,    /* it completed, but one of its steps did not */
	SACCT_DERIVED_FAILED, /* the same, by its DerivedExitCode */
	SACCT_REMAINDER	      /* it completed, but may have gone on from a try that was cut */
};

/* Everything not known, without steps. */
void sacct_job_init(struct sacct_job *j);
/* Below its job; the job's elapsed_s is known. */
void sacct_job_add_step(struct sacct_job *j, const struct sacct_step *step);
/* What the job ran on: other_line tells whether that is one size. */
struct step_sizes sacct_job_sizes(const struct sacct_job *j);
bool sacct_job_has_ended(const struct sacct_job *j);
/* Find the tries of one job among all that have a key, in any order; job[n] is sorted. */
void sacct_job_link(struct sacct_job **job, size_t n);
/* Once its other tries are known. */
enum sacct_end sacct_job_end(const struct sacct_job *j);

#endif
