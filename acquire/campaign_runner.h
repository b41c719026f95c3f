#ifndef ACQUIRE_CAMPAIGN_RUNNER_H
#define ACQUIRE_CAMPAIGN_RUNNER_H
#include "acquire/campaign_private.h"

/* The state of a campaign that is being run, for the files that run it: campaign.c begins, goes
 * round and ends, campaign_next.c says what is started, campaign_flights.c looks after what was. */

struct flight {
	struct kb_campaign_run *run;
	double *row;
	char *folder;
	size_t job; /* runs that were started together have one number; only they do */
	pid_t pid;  /* a child of ours; 0: it is none */
	bool told;  /* to end, and heard it */
};

struct runner {
	const struct campaign_job *job;
	const struct campaign_target *t;
	struct kb_campaign_runs runs;
	struct campaign_count count;
	struct campaign_origin origin;
	struct strbuf root;
	int lock;
	struct flight *flight;
	size_t n_flights, most_flights;
	size_t n_jobs_started;
	size_t n_refused;     /* in a row */
	size_t n_lost;	      /* likewise, whose watching processes were killed */
	size_t n_unsubmitted; /* likewise, with nothing in flight */
	size_t n_idle_jobs;   /* in a row, that ended before a run of theirs began */
	char idle_job[64];    /* the last of them */
	bool later;	      /* the next job is submitted after a while */
	bool silent;	      /* Slurm did not answer the last question */
	bool stopping;
	char why[600]; /* it stops */
};

/* ---- the state (campaign.c) ---- */

void runner_note(const struct runner *r, const char *text);
bool runner_is_slurm(const struct runner *r);
/* It starts nothing more; the first reason is kept. */
void runner_stop_because(struct runner *r, const char *why);
/* Errors: those of kb. */
enum err_code runner_recount(struct runner *r, struct err *e);
/* Runs from the base; nothing is in flight. */
enum err_code runner_reload(struct runner *r, struct err *e);
void runner_wait_s(double time_s);

/* ---- runs on their way (campaign_flights.c) ---- */

/* Row and folder of a run's attempt. job: flight.job. Errors: KB (the application's definition has
 * changed), NOMEM. */
enum err_code runner_add_flight(struct runner *r, struct kb_campaign_run *run, size_t job,
				struct err *e);
/* Several: with Slurm only, runs that may share jobs. Errors: those of campaign_launch_start():
 * they are planned again; those of kb. */
enum err_code runner_start(struct runner *r, struct kb_campaign_run *const *run, size_t n,
			   struct err *e);
/* What ended is stored, what never did is planned again. *settled: one is out of flight. */
enum err_code runner_look(struct runner *r, bool *settled, struct err *e);
/* The commands are ended, their runs planned again, whatever happened. A run that may go on stays a
 * running one: planned again, it would be made twice. *again: one was planned again. */
enum err_code runner_abandon(struct runner *r, bool *again, struct err *e);

/* ---- what next (campaign_next.c) ---- */

/* Start what may be started. *done: nothing is left to do. */
enum err_code runner_start_more(struct runner *r, bool *done, struct err *e);

#endif
