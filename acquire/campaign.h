#ifndef ACQUIRE_CAMPAIGN_H
#define ACQUIRE_CAMPAIGN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/campaign_plan.h"
#include "domain/campaign_space.h"
#include "domain/machine.h"
#include "kb/kb.h"
#include "kb/kb_campaigns.h"

/* Measurement campaigns: which runs, running them, bringing what they tell into the base.
 *
 * The base knows of each run whether it is planned, running or ended; what a run does is in a
 * folder of its own (supervised_run.h) under KB.campaigns/NAME/. A run that ended is imported and
 * marked in one transaction. So whatever is killed when: what ended is there once, what runs is
 * waited for, and what never ended is planned again. */

/* A plan in terms of the base. */
struct campaign_target {
	struct campaign_plan *plan;
	struct application *app;
	int64_t app_id;
	struct machine *machine;
	int64_t machine_id; /* 0: not in the base, nothing is known of it */
	struct campaign_space space;
	size_t *level; /* of each factor: room for campaign_run_row(), which has no error to tell */
};
/* Takes plan over, also on errors. Errors: PARSE (the plan: file, line), those of kb, NOMEM. */
enum err_code campaign_target_open(struct kb *kb, struct campaign_plan *plan,
				   struct campaign_target *out, struct err *e);
void campaign_target_release(struct campaign_target *t);

/* Runs that were chosen, in the order in which they are to be run. */
struct campaign_choice {
	struct kb_campaign_run *run; /* batch, repeat, levels, configuration, predictions */
	double *row;		     /* row[n * n_columns] */
	size_t n;
	size_t n_configurations;
	size_t n_legal;	       /* in the whole space; 0: not counted */
	size_t n_combinations; /* of levels, legal or not; 0 likewise */
	size_t n_over_budget;  /* further runs, which the budget of runs leaves out */
	double expected_loss;  /* adaptive: before these; NaN: not known */
	bool more;	       /* adaptive: others follow when these have ended */
};
/* The first batch, or of an adaptive campaign the one behind `sofar`. choice.n = 0: there is none.
 * Errors: PARSE (what the plan asks for cannot be: file, line), INTERRUPTED, those of kb, NOMEM. */
enum err_code campaign_choose(struct kb *kb, const struct campaign_target *t,
			      const struct kb_campaign_runs *sofar, const struct progress *p,
			      struct campaign_choice *out, struct err *e);
void campaign_choice_release(struct campaign_choice *c);

/* What became of it so far. */
struct campaign_count {
	size_t n, of[CAMPAIGN_RUN_STATES];
	double node_hours;	      /* of runs that ended */
	double elapsed_s;	      /* likewise */
	double planned_node_hours;    /* predicted medians of what is to come; NaN: not known */
	double loss_first, loss_last; /* adaptive: expected; NaN: not known */
};
/* Errors: those of kb. */
enum err_code campaign_count(struct kb *kb, const struct campaign_target *t, int64_t campaign_id,
			     const struct kb_campaign_runs *runs, struct campaign_count *out,
			     struct err *e);
/* The configuration of a run: row[n_columns]. False: the plan has none such (any more). */
bool campaign_run_row(const struct campaign_target *t, const char *levels, double *row);

struct campaign_events {
	/* A run ended. May be NULL, as tick. */
	void (*ended)(void *arg, const struct campaign_count *count,
		      const struct kb_campaign_run *run);
	/* Now and then. running: one that runs, or NULL. */
	void (*tick)(void *arg, const struct campaign_count *count,
		     const struct kb_campaign_run *running);
	void *arg;
};
struct campaign_job {
	struct kb *kb; /* open for writing, no transaction */
	const struct campaign_target *target;
	struct kb_campaign *record; /* in the base; its state changes */
	const char *version;	    /* of lemnos, kept with the runs */
	const struct progress *progress;
	struct campaign_events events;
	void (*note)(void *arg, const char *text); /* may be NULL */
	void *note_arg;
};
/* Run what is planned until nothing is, the budget is used up, or somebody stops it
 * (CAMPAIGN_STOPPING in the base). Errors: BUSY (another process runs it), INTERRUPTED (the running
 * command was ended, its run is planned again), NOTFOUND and IO (a command cannot be started, a
 * folder not written), those of kb. */
enum err_code campaign_run(const struct campaign_job *job, struct err *e);

/* Which process runs a campaign; 0: none does. Errors: IO, NOMEM. */
enum err_code campaign_runner(const char *kb_path, const char *name, int64_t *pid, struct err *e);
/* Nobody runs it: end what is left of its commands. Errors: IO, NOMEM. */
enum err_code campaign_end_commands(struct kb *kb, const struct kb_campaign *record, struct err *e);

#endif
