#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "acquire/campaign_runner.h"

/* Runs in a row that tell no time: the plan is wrong, not the runs. */
enum { MOST_REFUSED = 3 };
/* Runs in a row whose watching processes were killed, while nobody killed us. */
enum { MOST_LOST = 3 };
/* Jobs in a row of which no run began: the machine's setup is wrong. */
enum { MOST_IDLE_JOBS = 3 };
/* A machine that fails each time gets a run so often. */
enum { MOST_ATTEMPTS = 100 };
/* Jobs that were cancelled are looked for so long, once a second. */
enum { LOOKS_AFTER_CANCEL = 10 };

static struct campaign_launch launch_of(const struct runner *r, const struct flight *f)
{
	return (struct campaign_launch){.target = r->t,
					.record = r->job->record,
					.run = f->run,
					.row = f->row,
					.folder = f->folder,
					.progress = r->job->progress,
					.kb = r->job->kb};
}

static enum err_code put_run(const struct runner *r, const struct kb_campaign_run *run,
			     struct err *e)
{
	return kb_put_campaign_run(r->job->kb, r->job->record->id, run, e);
}

static void flight_release(struct flight *f)
{
	/* It wrote its end, or was ended: what is left of it is a moment. */
	for (int looks = 200; f->pid > 0 && looks > 0 && waitpid(f->pid, NULL, WNOHANG) == 0;
	     looks--)
		runner_wait_s(0.005);
	free(f->row);
	free(f->folder);
	*f = (struct flight){0};
}

static void remove_flight(struct runner *r, size_t i)
{
	flight_release(&r->flight[i]);
	r->n_flights--;
	memmove(&r->flight[i], &r->flight[i + 1], (r->n_flights - i) * sizeof *r->flight);
}

static enum err_code reserve_flight(struct runner *r, struct err *e)
{
	struct flight *grown;

	if (r->n_flights < r->most_flights)
		return ERR_OK;
	grown = realloc(r->flight, (2 * r->most_flights + 4) * sizeof *grown);
	if (!grown)
		return err_set(e, ERR_NOMEM, "the runs of a campaign");
	r->flight = grown;
	r->most_flights = 2 * r->most_flights + 4;
	return ERR_OK;
}

enum err_code runner_add_flight(struct runner *r, struct kb_campaign_run *run, size_t job,
				struct err *e)
{
	struct flight *f;
	struct strbuf folder = STRBUF_INIT;
	enum err_code rc = reserve_flight(r, e);

	if (rc)
		return rc;
	f = &r->flight[r->n_flights];
	campaign_put_run_folder(strbuf_text(&r->root), run, &folder);
	*f = (struct flight){.run = run,
			     .job = job,
			     .row = calloc(r->t->app->n_columns + 1, sizeof *f->row),
			     .folder = folder.failed ? NULL : folder.buf};
	r->n_flights++;
	if (!f->row || !f->folder) {
		strbuf_release(&folder);
		f->folder = NULL;
		r->n_flights--;
		free(f->row);
		return err_set(e, ERR_NOMEM, "a run of a campaign");
	}
	if (campaign_run_row(r->t, run->levels, f->row))
		return ERR_OK;
	r->n_flights--;
	flight_release(f);
	return err_set(e, ERR_KB,
		       "run %lld of campaign %s (%s) is none that the application's definition "
		       "allows now: somebody changed it",
		       (long long)run->position, r->job->record->name, run->configuration);
}

static enum err_code plan_again(const struct runner *r, struct kb_campaign_run *run, struct err *e)
{
	run->state = CAMPAIGN_RUN_PLANNED;
	free(run->job);
	free(run->started_at);
	run->job = run->started_at = NULL;
	return put_run(r, run, e);
}

static enum err_code set_started(struct kb_campaign_run *run, struct err *e)
{
	free(run->started_at);
	run->started_at = campaign_utc((int64_t)time(NULL));
	return run->started_at ? ERR_OK : err_set(e, ERR_NOMEM, "a date");
}

/* All of them, or none. */
static enum err_code put_runs(const struct runner *r, struct kb_campaign_run *const *run, size_t n,
			      struct err *e)
{
	enum err_code rc = kb_begin(r->job->kb, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < n && !rc; i++)
		rc = put_run(r, run[i], e);
	if (rc || (rc = kb_commit(r->job->kb, e)))
		kb_rollback(r->job->kb);
	return rc;
}

/* The last n flights have just been added: they did not start. */
static enum err_code not_started(struct runner *r, struct kb_campaign_run *const *run, size_t n,
				 const struct err *why, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n; i++)
		remove_flight(r, r->n_flights - 1);
	for (size_t i = 0; i < n && !rc; i++)
		rc = plan_again(r, run[i], e);
	return rc ? rc : err_set(e, why->code, "%s", why->msg);
}

/* launch[n]: room for them. */
static enum err_code start(struct runner *r, struct kb_campaign_run *const *run, size_t n,
			   struct campaign_launch *launch, struct err *e)
{
	struct err why = {0};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		run[i]->attempt++;
		run[i]->state = CAMPAIGN_RUN_RUNNING;
		launch[i] = (struct campaign_launch){
			.target = r->t, .record = r->job->record, .run = run[i]};
		rc = set_started(run[i], e);
	}
	/* First in the base: what was started and is not known there would be started again. */
	if (rc || (rc = campaign_launch_name(launch, n, e)) || (rc = put_runs(r, run, n, e)))
		return rc;
	r->n_jobs_started++;
	for (size_t i = 0; i < n; i++) {
		if ((rc = runner_add_flight(r, run[i], r->n_jobs_started, e)))
			return rc;
		launch[i] = launch_of(r, &r->flight[r->n_flights - 1]);
	}
	rc = campaign_launch_start(launch, n, &r->flight[r->n_flights - 1].pid, &why);
	if (rc && (rc != ERR_PARSE || !runner_is_slurm(r)))
		return not_started(r, run, n, &why, e);
	if (!rc)
		return runner_is_slurm(r) ? put_runs(r, run, n, e) : ERR_OK;
	/* sbatch heard no answer: whether there is a job is asked by its name. */
	runner_note(r, why.msg);
	rc = ERR_OK;
	for (size_t i = 0; i < n && !rc; i++)
		rc = set_started(run[i], e);
	return rc ? rc : put_runs(r, run, n, e);
}

enum err_code runner_start(struct runner *r, struct kb_campaign_run *const *run, size_t n,
			   struct err *e)
{
	struct campaign_launch *launch = calloc(n, sizeof *launch);
	enum err_code rc = launch ? start(r, run, n, launch, e)
				  : err_set(e, ERR_NOMEM, "the runs of a campaign");

	free(launch);
	return rc;
}

/* It could not even begin: no run will, and none is to blame. */
static enum err_code cannot_start(struct runner *r, size_t i, const struct supervised_end *end,
				  struct err *e)
{
	struct kb_campaign_run *run = r->flight[i].run;
	enum err_code fault = end->fault, rc;

	remove_flight(r, i);
	rc = plan_again(r, run, e);
	return rc ? rc : err_set(e, fault, "%s", end->why);
}

/* Out of flight in any case: where it cannot be stored it stays a running one, for the next. */
static enum err_code settle(struct runner *r, size_t i, const struct supervised_end *end,
			    struct err *e)
{
	struct campaign_launch l = launch_of(r, &r->flight[i]);
	struct kb_campaign_run *run = r->flight[i].run;
	enum err_code rc;

	assert(run);
	/* A simulation that fails does so as a run; a program that is not there is there for none.
	 */
	if (end->fault && (r->t->plan->launcher.kind != PLAN_SMPI || end->fault == ERR_NOTFOUND))
		return cannot_start(r, i, end, e);
	rc = campaign_outcome_store(r->job->kb, &r->origin, &l, end, e);
	remove_flight(r, i);
	if (rc)
		return rc;
	*r->idle_job = '\0';
	r->n_idle_jobs = 0;
	r->n_lost = 0;
	r->n_refused = run->state == CAMPAIGN_RUN_REFUSED ? r->n_refused + 1 : 0;
	if (r->n_refused >= MOST_REFUSED)
		runner_stop_because(
			r, "runs in a row told no time; look at `lemnos acquire status NAME`, "
			   "and at 'result' in the plan");
	if ((rc = runner_recount(r, e)))
		return rc;
	if (r->job->events.ended)
		r->job->events.ended(r->job->events.arg, &r->count, run);
	return ERR_OK;
}

/* Never ended, and nobody watches it: killed with its machine, or cancelled. */
static enum err_code lost(struct runner *r, size_t i, struct err *e)
{
	struct kb_campaign_run *run = r->flight[i].run;

	assert(run);
	remove_flight(r, i);
	if (run->attempt >= MOST_ATTEMPTS)
		runner_stop_because(r, "a run was started 100 times and never ended");
	if (r->t->plan->launcher.kind != PLAN_SLURM && ++r->n_lost >= MOST_LOST)
		runner_stop_because(r, "runs in a row never ended, as the processes that watched "
				       "them were killed; does the command kill its parent?");
	return plan_again(r, run, e);
}

/* Its job ended, and had not come to it. That is no fault of the run's; but jobs that come to none
 * of theirs never will. */
static void count_idle_job(struct runner *r, const struct kb_campaign_run *run)
{
	if (!run->job || strcmp(run->job, r->idle_job) == 0)
		return;
	snprintf(r->idle_job, sizeof r->idle_job, "%s", run->job);
	if (++r->n_idle_jobs >= MOST_IDLE_JOBS)
		runner_stop_because(r, "jobs in a row ended before a run of theirs began; look at "
				       "what they wrote (job*.stderr) in the campaign's folders");
}

/* Slurm's silence is told once, until it answers again. */
static void tell_silence(struct runner *r, const struct err *silence)
{
	char text[sizeof silence->msg + 40];

	if (silence->code && !r->silent) {
		snprintf(text, sizeof text, "%s; its jobs go on, it is asked again", silence->msg);
		runner_note(r, text);
	}
	r->silent = silence->code != ERR_OK;
}

/* sight[n_flights], the caller's. */
static enum err_code look_at_all(struct runner *r, bool interrupted, struct campaign_sight **sight,
				 struct err *e)
{
	struct campaign_launch *l = calloc(r->n_flights + 1, sizeof *l);
	struct err silence = {0};
	enum err_code rc;

	*sight = calloc(r->n_flights + 1, sizeof **sight);
	if (!l || !*sight) {
		free(l);
		return err_set(e, ERR_NOMEM, "the runs of a campaign");
	}
	for (size_t i = 0; i < r->n_flights; i++) {
		l[i] = launch_of(r, &r->flight[i]);
		if (interrupted)
			l[i].progress = NULL; /* which has said no */
	}
	rc = campaign_launch_look(l, r->n_flights, *sight, &silence, e);
	if (!rc)
		tell_silence(r, &silence);
	free(l);
	return rc;
}

enum err_code runner_look(struct runner *r, bool *settled, struct err *e)
{
	struct campaign_sight *sight = NULL;
	enum err_code rc = look_at_all(r, false, &sight, e);

	for (size_t k = 0, i = 0, n = r->n_flights; k < n && !rc; k++) {
		if (sight[k].state == SUPERVISED_RUNS || sight[k].state == SUPERVISED_UNKNOWN) {
			i++;
			continue;
		}
		*settled = true;
		if (sight[k].unreached)
			count_idle_job(r, r->flight[i].run);
		rc = sight[k].state == SUPERVISED_ENDED ? settle(r, i, &sight[k].end, e)
							: lost(r, i, e);
	}
	free(sight);
	return rc;
}

/* ---- ending them ---- */

/* One that was told to end. *again: it did not end, and is planned again. False: it may run. */
static bool let_go(struct runner *r, size_t i, const struct campaign_sight *sight, bool *again,
		   enum err_code *rc, struct err *e)
{
	enum err_code got;

	if (sight->state == SUPERVISED_RUNS || sight->state == SUPERVISED_UNKNOWN)
		return false;
	/* It may have ended before it was told to; but that Slurm calls a job failed which we
	 * cancelled says nothing. */
	if (sight->state == SUPERVISED_ENDED && !*rc && !*sight->end.why) {
		got = settle(r, i, &sight->end, e);
	} else {
		got = lost(r, i, *rc ? NULL : e);
		*again = true;
	}
	*rc = *rc ? *rc : got;
	return true;
}

static bool any_was_told(const struct runner *r)
{
	for (size_t i = 0; i < r->n_flights; i++) {
		if (r->flight[i].told)
			return true;
	}
	return false;
}

/* Runs of one job end together. */
static void stop_all(struct runner *r)
{
	for (size_t i = 0; i < r->n_flights; i++) {
		struct campaign_launch l = launch_of(r, &r->flight[i]);
		size_t first = 0;

		while (r->flight[first].job != r->flight[i].job)
			first++;
		l.progress = NULL; /* which has said no */
		r->flight[i].told =
			first < i ? r->flight[first].told : !campaign_launch_stop(&l, NULL);
	}
}

enum err_code runner_abandon(struct runner *r, bool *again, struct err *e)
{
	enum err_code rc = ERR_OK, looked = ERR_OK;
	char text[160];

	stop_all(r);
	for (int looks = LOOKS_AFTER_CANCEL; r->n_flights > 0 && !looked; looks--) {
		struct campaign_sight *sight = NULL;

		looked = look_at_all(r, true, &sight, rc ? NULL : e);
		for (size_t i = r->n_flights; i-- > 0 && !looked;)
			let_go(r, i, &sight[i], again, &rc, e);
		free(sight);
		if (looks == 0 || r->silent || !any_was_told(r))
			break;
		runner_wait_s(1);
	}
	if (r->n_flights > 0) {
		snprintf(text, sizeof text,
			 "%zu run%s may go on: `lemnos acquire resume %.64s` looks for %s",
			 r->n_flights, r->n_flights == 1 ? "" : "s", r->job->record->name,
			 r->n_flights == 1 ? "it" : "them");
		runner_note(r, text);
	}
	while (r->n_flights > 0)
		remove_flight(r, r->n_flights - 1);
	return rc ? rc : looked;
}
