#ifndef KB_KB_JOBS_H
#define KB_KB_JOBS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"

struct kb;

/* Judgement: the jobs that were submitted for recommendations (table advice_job). */

struct kb_job {
	char *name;	 /* Slurm's; unique in a base */
	char *advice_id; /* of a recommendation that the base has */
	char *folder;	 /* where it was submitted */
	double limit_s;
	char *slurm_id; /* NULL: sbatch's answer was not heard */
	char *cluster;	/* NULL: the default one */
	char *state;	/* slurm_state_name() */
	char *words;	/* NULL: none */
	char *ran_on;	/* NULL: not known */
	/* Since 1970; 0: not yet, or not known. */
	int64_t submitted_s, asked_s, queued_s, started_s, ended_s;
	double elapsed_s;    /* of the whole job; NaN: not known */
	double command_s;    /* of the command in it; NaN: not measured */
	int64_t nodes;	     /* 0: not known */
	int64_t exit_status; /* -1: not known */
	int64_t exit_signal; /* -1: not known */
	double wall_s;	     /* imported; NaN: none */
	char *timed_by;	     /* "application", "command", "job"; NULL: no time was imported */
	char *import_sha256; /* NULL: no run came of it */
	bool settled;	     /* there is nothing more to ask or to import */
	char *note;	     /* NULL: none */
};
struct kb_jobs {
	struct kb_job *item;
	size_t n;
};

/* A new job, or a known one (of the same name) as it is now. Errors: KB (there is no such
 * recommendation), BUSY. */
enum err_code kb_put_job(struct kb *kb, const struct kb_job *job, struct err *e);
/* It was refused: there is no job. */
enum err_code kb_delete_job(struct kb *kb, const char *name, struct err *e);
/* Those of a recommendation, in the order they were submitted; advice_id NULL: of all; only those
 * that are not settled, where unsettled. */
enum err_code kb_list_jobs(struct kb *kb, const char *advice_id, bool unsettled,
			   struct kb_jobs *out, struct err *e);
/* The run of application a that came of it, unless its import was undone since: 0 then. */
enum err_code kb_job_run(struct kb *kb, const struct kb_job *job, const struct application *a,
			 int64_t *run_id, struct err *e);
/* Replace a text of it by a copy of another; NULL: none. Errors: NOMEM. */
enum err_code kb_job_set(char **text, const char *to, struct err *e);
void kb_job_release(struct kb_job *job);
void kb_jobs_release(struct kb_jobs *jobs);

#endif
