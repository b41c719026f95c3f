#include "acquire/campaign.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "acquire/campaign_private.h"
#include "acquire/process_lock.h"

/* A look at what runs: soon at first, as many runs are short, then ten times a second; of Slurm's
 * jobs every five seconds, as it is others' controller, too. */
#define FIRST_LOOK_S 0.002
#define LAST_LOOK_S 0.1
#define SLURM_LOOK_S 5.0
/* Runs in a row that tell no time: the plan is wrong, not the runs. */
enum { MOST_REFUSED = 3 };
/* A machine that fails each time gets a run so often. */
enum { MOST_ATTEMPTS = 100 };
/* Refusals of sbatch in a row, while no job of ours could be why. */
enum { MOST_UNSUBMITTED = 3 };
/* Jobs that were cancelled are looked for so long, once a second. */
enum { LOOKS_AFTER_CANCEL = 10 };

void campaign_put_folder(const char *kb_path, const char *name, struct strbuf *out)
{
	char *real = realpath(kb_path, NULL);

	strbuf_printf(out, "%s.campaigns/%s", real ? real : kb_path, name);
	free(real);
}

void campaign_put_run_folder(const char *root, const struct kb_campaign_run *run,
			     struct strbuf *out)
{
	strbuf_printf(out, "%s/%04lld.%lld", root, (long long)run->position,
		      (long long)run->attempt);
}

/* ---- counting ---- */

static enum err_code count_loss(struct kb *kb, int64_t id, struct campaign_count *c, struct err *e)
{
	struct kb_campaign_batches batches = {0};
	enum err_code rc = kb_load_campaign_batches(kb, id, &batches, e);

	for (size_t i = 0; i < batches.n; i++) {
		double loss = batches.item[i].expected_loss;

		if (isnan(loss))
			continue;
		if (isnan(c->loss_first))
			c->loss_first = loss;
		c->loss_last = loss;
	}
	kb_campaign_batches_release(&batches);
	return rc;
}

static void count_run(const struct campaign_target *t, const struct kb_campaign_run *r, double *row,
		      struct campaign_count *c)
{
	double nodes = campaign_run_row(t, r->levels, row) ? campaign_nodes(t->app, row) : 1;

	c->of[r->state]++;
	if (r->state == CAMPAIGN_RUN_PLANNED || r->state == CAMPAIGN_RUN_RUNNING) {
		c->planned_node_hours += nodes * r->predicted_s / 3600;
	} else if (!isnan(r->elapsed_s)) {
		c->elapsed_s += r->elapsed_s;
		c->node_hours += nodes * r->elapsed_s / 3600;
	}
}

enum err_code campaign_count(struct kb *kb, const struct campaign_target *t, int64_t campaign_id,
			     const struct kb_campaign_runs *runs, struct campaign_count *out,
			     struct err *e)
{
	struct campaign_count c = {.n = runs->n, .loss_first = NAN, .loss_last = NAN};
	double *row = calloc(t->app->n_columns + 1, sizeof *row);
	enum err_code rc;

	if (!row)
		return err_set(e, ERR_NOMEM, "the state of a campaign");
	for (size_t i = 0; i < runs->n; i++)
		count_run(t, &runs->item[i], row, &c);
	free(row);
	rc = count_loss(kb, campaign_id, &c, e);
	if (!rc)
		*out = c;
	return rc;
}

/* ---- the runner ---- */

struct flight {
	struct kb_campaign_run *run;
	double *row;
	char *folder;
	pid_t pid; /* a child of ours; 0: it is none */
	bool told; /* to end, and heard it */
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
	size_t n_refused;     /* in a row */
	size_t n_unsubmitted; /* likewise, with nothing in flight */
	bool later;	      /* the next job is submitted after a while */
	bool silent;	      /* Slurm did not answer the last question */
	bool stopping;
	char why[600]; /* it stops */
};

static void note(const struct runner *r, const char *text)
{
	if (r->job->note)
		r->job->note(r->job->note_arg, text);
}

static bool is_slurm(const struct runner *r)
{
	return r->t->plan->launcher.kind == PLAN_SLURM;
}

static enum err_code recount(struct runner *r, struct err *e)
{
	return campaign_count(r->job->kb, r->t, r->job->record->id, &r->runs, &r->count, e);
}

static enum err_code reload(struct runner *r, struct err *e)
{
	struct kb_campaign_runs runs = {0};
	enum err_code rc = kb_load_campaign_runs(r->job->kb, r->job->record->id, &runs, e);

	if (rc)
		return rc;
	kb_campaign_runs_release(&r->runs);
	r->runs = runs;
	return recount(r, e);
}

static void tick(const struct runner *r)
{
	if (r->job->events.tick)
		r->job->events.tick(r->job->events.arg, &r->count,
				    r->n_flights ? r->flight[0].run : NULL);
}

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

/* ---- one run on its way ---- */

static void wait_s(double time_s)
{
	struct timespec t = {.tv_sec = (time_t)time_s};

	t.tv_nsec = (long)(1e9 * (time_s - (double)t.tv_sec));
	nanosleep(&t, NULL);
}

static void flight_release(struct flight *f)
{
	/* It wrote its end, or was ended: what is left of it is a moment. */
	for (int looks = 200; f->pid > 0 && looks > 0 && waitpid(f->pid, NULL, WNOHANG) == 0;
	     looks--)
		wait_s(0.005);
	free(f->row);
	free(f->folder);
	*f = (struct flight){0};
}

static void remove_flight(struct runner *r, size_t i)
{
	flight_release(&r->flight[i]);
	r->flight[i] = r->flight[--r->n_flights];
}

/* Row and folder of a run's attempt. */
static enum err_code add_flight(struct runner *r, struct kb_campaign_run *run, struct err *e)
{
	struct flight *f = &r->flight[r->n_flights];
	struct strbuf folder = STRBUF_INIT;

	campaign_put_run_folder(strbuf_text(&r->root), run, &folder);
	*f = (struct flight){.run = run,
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

/* sbatch heard no answer: whether there is a job is asked by its name. */
static enum err_code start_unclear(const struct runner *r, struct kb_campaign_run *run,
				   const struct err *why, struct err *e)
{
	enum err_code rc = set_started(run, e);

	note(r, why->msg);
	return rc ? rc : put_run(r, run, e);
}

/* Errors: those of campaign_launch_start(): it is planned again; those of kb. */
static enum err_code start(struct runner *r, struct kb_campaign_run *run, struct err *e)
{
	struct campaign_launch l;
	struct err why = {0};
	enum err_code rc, again;

	run->attempt++;
	run->state = CAMPAIGN_RUN_RUNNING;
	/* First in the base: what was started and is not known there would be started again. */
	if ((rc = set_started(run, e)) || (rc = put_run(r, run, e)) || (rc = add_flight(r, run, e)))
		return rc;
	l = launch_of(r, &r->flight[r->n_flights - 1]);
	rc = campaign_launch_start(&l, &r->flight[r->n_flights - 1].pid, &why);
	if (!rc)
		return run->job ? put_run(r, run, e) : ERR_OK;
	if (rc == ERR_PARSE && is_slurm(r))
		return start_unclear(r, run, &why, e);
	remove_flight(r, r->n_flights - 1);
	again = plan_again(r, run, e);
	return again ? again : err_set(e, rc, "%s", why.msg);
}

/* The limit on somebody's jobs, or a controller that starts anew: others may be taken later. */
static enum err_code not_submitted(struct runner *r, const struct err *why, struct err *e)
{
	r->n_unsubmitted += r->n_flights == 0;
	if (r->n_unsubmitted >= MOST_UNSUBMITTED)
		return err_set(e, why->code, "%s", why->msg);
	if (!r->later)
		note(r, why->msg);
	r->later = true;
	return ERR_OK;
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

static void stop_because(struct runner *r, const char *why)
{
	r->stopping = true;
	if (!r->why[0])
		snprintf(r->why, sizeof r->why, "%s", why);
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
	r->n_refused = run->state == CAMPAIGN_RUN_REFUSED ? r->n_refused + 1 : 0;
	if (r->n_refused >= MOST_REFUSED)
		stop_because(r, "runs in a row told no time; look at `lemnos acquire status NAME`, "
				"and at 'result' in the plan");
	if ((rc = recount(r, e)))
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
		stop_because(r, "a run was started 100 times and never ended");
	return plan_again(r, run, e);
}

/* Slurm's silence is told once, until it answers again. */
static void tell_silence(struct runner *r, const struct err *silence)
{
	char text[sizeof silence->msg + 40];

	if (silence->code && !r->silent) {
		snprintf(text, sizeof text, "%s; its jobs go on, it is asked again", silence->msg);
		note(r, text);
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

/* *settled: one is out of flight. */
static enum err_code look(struct runner *r, bool *settled, struct err *e)
{
	struct campaign_sight *sight = NULL;
	enum err_code rc = look_at_all(r, false, &sight, e);

	for (size_t i = r->n_flights; i-- > 0 && !rc;) {
		if (sight[i].state == SUPERVISED_RUNS || sight[i].state == SUPERVISED_UNKNOWN)
			continue;
		*settled = true;
		rc = sight[i].state == SUPERVISED_ENDED ? settle(r, i, &sight[i].end, e)
							: lost(r, i, e);
	}
	free(sight);
	return rc;
}

/* ---- what next ---- */

static struct kb_campaign_run *next_planned(struct runner *r)
{
	for (size_t i = 0; i < r->runs.n; i++) {
		if (r->runs.item[i].state == CAMPAIGN_RUN_PLANNED)
			return &r->runs.item[i];
	}
	return NULL;
}

/* What runs will have used, beside what was used. */
struct outlay {
	double node_hours, time_s;
	bool unknown; /* nothing tells how long one of them takes */
};

/* As predicted; else as those took that ended, on the mean; NaN: none has. */
static double expected_s(const struct runner *r, const struct kb_campaign_run *run)
{
	const size_t *of = r->count.of;
	size_t n_ended = r->count.n - of[CAMPAIGN_RUN_PLANNED] - of[CAMPAIGN_RUN_RUNNING];

	if (!isnan(run->predicted_s))
		return run->predicted_s;
	return n_ended > 0 ? r->count.elapsed_s / (double)n_ended : NAN;
}

static enum err_code add_outlay(const struct runner *r, const struct kb_campaign_run *run,
				struct outlay *out, struct err *e)
{
	double *row = calloc(r->t->app->n_columns + 1, sizeof *row), nodes = 1, time_s;

	if (!row)
		return err_set(e, ERR_NOMEM, "a run of a campaign");
	if (campaign_run_row(r->t, run->levels, row))
		nodes = campaign_nodes(r->t->app, row);
	free(row);
	time_s = expected_s(r, run);
	out->unknown |= isnan(time_s);
	out->time_s += isnan(time_s) ? 0 : time_s;
	out->node_hours += isnan(time_s) ? 0 : nodes * time_s / 3600;
	return ERR_OK;
}

/* What the budget would not bear; NULL: nothing. */
static const char *exceeded(const struct runner *r, const struct outlay *more)
{
	const struct campaign_plan *plan = r->t->plan;

	if (plan->budget.node_hours > 0 &&
	    r->count.node_hours + more->node_hours >= plan->budget.node_hours)
		return "the budget of node-hours is used up";
	if (plan->budget.wall_s > 0 && r->count.elapsed_s + more->time_s >= plan->budget.wall_s)
		return "the budget of wall time is used up";
	return NULL;
}

/* Would one more run be too many? If those in flight are why, it waits for their end: they may take
 * less, and the first of all tells how long the others will. */
static enum err_code is_over_budget(struct runner *r, const struct kb_campaign_run *run, bool *over,
				    struct err *e)
{
	const struct campaign_plan *plan = r->t->plan;
	bool has_budget = plan->budget.node_hours > 0 || plan->budget.wall_s > 0;
	struct outlay more = {0};
	enum err_code rc = add_outlay(r, run, &more, e);
	const char *alone = exceeded(r, &more);

	for (size_t i = 0; i < r->n_flights && !rc; i++)
		rc = add_outlay(r, r->flight[i].run, &more, e);
	*over = !rc && (exceeded(r, &more) || (r->n_flights > 0 && more.unknown && has_budget));
	if (!rc && alone)
		stop_because(r, alone);
	return rc;
}

/* Is the loss behind the last batch kept already, as a batch without runs? */
static enum err_code loss_is_kept(const struct runner *r, bool *kept, struct err *e)
{
	struct kb_campaign_batches batches = {0};
	enum err_code rc = kb_load_campaign_batches(r->job->kb, r->job->record->id, &batches, e);

	*kept = !rc && batches.n > 0 &&
		(r->runs.n == 0 ||
		 batches.item[batches.n - 1].batch > r->runs.item[r->runs.n - 1].batch);
	kb_campaign_batches_release(&batches);
	return rc;
}

/* The next batch of an adaptive campaign; *any: there is one. */
static enum err_code choose_more(struct runner *r, bool *any, struct err *e)
{
	struct campaign_choice c = {0};
	bool kept = false;
	enum err_code rc = campaign_choose(r->job->kb, r->t, &r->runs, r->job->progress, &c, e);

	*any = !rc && c.n > 0;
	/* The last loss is told by a batch without runs. */
	if (!rc && c.n == 0 && !isnan(c.expected_loss))
		rc = loss_is_kept(r, &kept, e);
	if (!rc && (c.n > 0 || (!kept && !isnan(c.expected_loss))))
		rc = kb_add_campaign_batch(r->job->kb, r->job->record->id, c.expected_loss, c.run,
					   c.n, e);
	campaign_choice_release(&c);
	return rc ? rc : reload(r, e);
}

static enum err_code ask_base_to_stop(struct runner *r, struct err *e)
{
	enum campaign_state state;
	enum err_code rc = kb_get_campaign_state(r->job->kb, r->job->record->id, &state, e);

	if (!rc && state == CAMPAIGN_STOPPING)
		stop_because(r, "somebody asked for it");
	return rc;
}

/* *done: nothing is left to do. */
static enum err_code start_more(struct runner *r, bool *done, struct err *e)
{
	enum err_code rc = ERR_OK;

	while (!rc && r->n_flights < r->most_flights) {
		struct kb_campaign_run *run;
		struct err why = {0};
		bool any = false, over = false;

		if ((rc = ask_base_to_stop(r, e)) || r->stopping)
			break;
		run = next_planned(r);
		if (!run && r->n_flights == 0) {
			if ((rc = choose_more(r, &any, e)))
				break;
			run = any ? next_planned(r) : NULL;
		}
		if (!run || (rc = is_over_budget(r, run, &over, e)) || over)
			break;
		rc = start(r, run, &why);
		if (rc == ERR_IO && is_slurm(r)) {
			if (!(rc = not_submitted(r, &why, e)))
				break;
		} else if (rc) {
			err_set(e, rc, "%s", why.msg);
		} else {
			r->n_unsubmitted = 0;
			r->later = false;
			rc = recount(r, e);
		}
	}
	*done = !rc && r->n_flights == 0 && !(r->later && !r->stopping);
	return rc;
}

/* ---- the loop ---- */

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

static void stop_all(struct runner *r)
{
	for (size_t i = 0; i < r->n_flights; i++) {
		struct campaign_launch l = launch_of(r, &r->flight[i]);

		l.progress = NULL; /* which has said no */
		r->flight[i].told = !campaign_launch_stop(&l, NULL);
	}
}

/* The commands are ended, their runs planned again, whatever happened. A run that may go on stays a
 * running one: planned again, it would be made twice. */
static enum err_code abandon(struct runner *r, bool *again, struct err *e)
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
		wait_s(1);
	}
	if (r->n_flights > 0) {
		snprintf(text, sizeof text,
			 "%zu run%s may go on: `lemnos acquire resume %.64s` looks for %s",
			 r->n_flights, r->n_flights == 1 ? "" : "s", r->job->record->name,
			 r->n_flights == 1 ? "it" : "them");
		note(r, text);
	}
	while (r->n_flights > 0)
		remove_flight(r, r->n_flights - 1);
	return rc ? rc : looked;
}

/* A second of a running command, or what it takes; asks whether to go on. */
static enum err_code watch(struct runner *r, struct err *e)
{
	double look_s = FIRST_LOOK_S, until_s = 0, waited_s = 0;
	bool settled = false;
	enum err_code rc = ERR_OK;

	while (!rc && !settled) {
		if (!progress_step(r->job->progress, NULL, 0, 0))
			return err_set(e, ERR_INTERRUPTED, "interrupted");
		tick(r);
		/* others' controllers not all the time */
		if (waited_s >= until_s) {
			/* nothing to look at: time to submit again */
			if (r->n_flights == 0 && waited_s > 0)
				break;
			rc = look(r, &settled, e);
			until_s = waited_s + (is_slurm(r) ? SLURM_LOOK_S : 0);
		}
		if (rc || settled)
			break;
		wait_s(look_s);
		waited_s += look_s;
		look_s = 2 * look_s < LAST_LOOK_S ? 2 * look_s : LAST_LOOK_S;
	}
	return rc;
}

static enum err_code loop(struct runner *r, struct err *e)
{
	enum err_code rc = ERR_OK;
	bool done = false;

	while (!rc) {
		if (!(rc = start_more(r, &done, e)) && done)
			break;
		if (!rc)
			rc = watch(r, e);
	}
	return rc;
}

/* What was running when whoever ran it ended. */
static enum err_code adopt(struct runner *r, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t n = 0;
	char text[80];

	for (size_t i = 0; i < r->runs.n; i++)
		n += r->runs.item[i].state == CAMPAIGN_RUN_RUNNING;
	if (n > r->most_flights)
		r->most_flights = n;
	r->flight = calloc(r->most_flights, sizeof *r->flight);
	if (!r->flight)
		return err_set(e, ERR_NOMEM, "a campaign");
	for (size_t i = 0; i < r->runs.n && !rc; i++) {
		if (r->runs.item[i].state == CAMPAIGN_RUN_RUNNING)
			rc = add_flight(r, &r->runs.item[i], e);
	}
	snprintf(text, sizeof text, "%zu run%s under way when it ended", n,
		 n == 1 ? " was" : "s were");
	if (n > 0 && !rc)
		note(r, text);
	return rc;
}

static enum err_code make_folders(struct runner *r, struct err *e)
{
	char *path = r->root.failed ? NULL : strdup(strbuf_text(&r->root));
	enum err_code rc = ERR_OK;
	char *slash;

	if (!path)
		return err_set(e, ERR_NOMEM, "a campaign's folder");
	slash = strrchr(path, '/');
	*slash = '\0';
	for (int i = 0; i < 2 && !rc; i++) {
		if (mkdir(path, 0777) && errno != EEXIST)
			rc = err_set(e, ERR_IO, "cannot make the folder %s: %s", path,
				     strerror(errno));
		*slash = '/';
	}
	free(path);
	return rc;
}

static void put_lock(const char *root, struct strbuf *out)
{
	strbuf_printf(out, "%s/lock", root);
}

static enum err_code take_lock(struct runner *r, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	pid_t holder = 0;
	enum err_code rc;

	put_lock(strbuf_text(&r->root), &path);
	rc = path.failed ? err_set(e, ERR_NOMEM, "a campaign's folder")
			 : process_lock_take(path.buf, &r->lock, &holder, e);
	if (!rc && r->lock < 0)
		rc = err_set(e, ERR_BUSY,
			     "process %ld runs campaign %s already; `lemnos acquire status %s` "
			     "shows how far it is",
			     (long)holder, r->job->record->name, r->job->record->name);
	strbuf_release(&path);
	return rc;
}

/* Under the lock: nobody else changes it. */
static enum err_code begin(struct runner *r, struct err *e)
{
	struct kb_campaign *record = r->job->record;
	enum err_code rc;

	if ((rc = make_folders(r, e)) || (rc = take_lock(r, e)) ||
	    (rc = kb_set_campaign_state(r->job->kb, record->id, CAMPAIGN_RUNNING, NULL, e)) ||
	    (rc = reload(r, e)) ||
	    (rc = campaign_origin_read(&r->origin, strbuf_text(&r->root), r->job->progress, e)))
		return rc;
	return adopt(r, e);
}

static enum err_code finish(struct runner *r, enum err_code rc, struct err *e)
{
	struct kb_campaign *record = r->job->record;
	bool open = r->count.of[CAMPAIGN_RUN_PLANNED] > 0 || r->stopping;
	enum campaign_state state = rc || open ? CAMPAIGN_STOPPED : CAMPAIGN_DONE;
	const char *why = rc == ERR_INTERRUPTED ? "interrupted"
			  : rc && e		? e->msg
			  : r->why[0]		? r->why
						: NULL;
	enum err_code put = kb_set_campaign_state(r->job->kb, record->id, state, why,
						  rc ? &(struct err){0} : e);

	if (rc || put)
		return rc ? rc : put;
	record->state = state;
	free(record->why);
	record->why = why ? strdup(why) : NULL;
	return why && !record->why ? err_set(e, ERR_NOMEM, "the state of a campaign") : ERR_OK;
}

enum err_code campaign_run(const struct campaign_job *job, struct err *e)
{
	struct runner r = {
		.job = job,
		.t = job->target,
		.lock = -1,
		.most_flights = (size_t)job->target->plan->launcher.in_flight,
		.origin = {.target = job->target, .record = job->record, .lemnos = job->version}};
	struct err why = {0};
	bool again = false;
	enum err_code rc;

	campaign_put_folder(kb_path(job->kb), job->record->name, &r.root);
	rc = begin(&r, &why);
	if (!rc)
		rc = loop(&r, &why);
	/* also where the base or the disk failed: then what ended is found by the next one */
	if (r.flight) {
		enum err_code left = abandon(&r, &again, rc ? NULL : &why);

		if (again && rc && rc != ERR_INTERRUPTED)
			note(&r, "the running command is ended; its run is planned again");
		rc = rc ? rc : left;
	}
	if (r.lock >= 0)
		rc = finish(&r, rc, &why);
	if (rc)
		err_set(e, rc, "%s", why.msg);
	process_lock_release(r.lock);
	campaign_origin_release(&r.origin);
	kb_campaign_runs_release(&r.runs);
	strbuf_release(&r.root);
	free(r.flight);
	return rc;
}

/* ---- from outside ---- */

enum err_code campaign_runner(const char *path, const char *name, int64_t *pid, struct err *e)
{
	struct strbuf root = STRBUF_INIT, lock = STRBUF_INIT;
	pid_t holder = 0;
	bool held = false;
	enum err_code rc;

	campaign_put_folder(path, name, &root);
	put_lock(strbuf_text(&root), &lock);
	rc = root.failed || lock.failed ? err_set(e, ERR_NOMEM, "a campaign's folder")
					: process_lock_look(lock.buf, &held, &holder, e);
	*pid = !rc && held ? (int64_t)holder : 0;
	strbuf_release(&root);
	strbuf_release(&lock);
	return rc;
}

/* The launcher that started them tells how they are ended. */
static enum err_code end_commands(struct kb *kb, const struct kb_campaign *record,
				  const struct campaign_plan *plan, struct kb_campaign_runs *runs,
				  struct err *e)
{
	struct strbuf root = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	campaign_put_folder(kb_path(kb), record->name, &root);
	for (size_t i = 0; i < runs->n; i++) {
		struct campaign_launch l = {.record = record, .run = &runs->item[i], .kb = kb};
		struct strbuf folder = STRBUF_INIT;
		struct err why = {0};
		enum err_code got;

		if (runs->item[i].state != CAMPAIGN_RUN_RUNNING)
			continue;
		campaign_put_run_folder(strbuf_text(&root), &runs->item[i], &folder);
		if (root.failed || folder.failed)
			got = err_set(&why, ERR_NOMEM, "a run's folder");
		else if (plan->launcher.kind == PLAN_SLURM)
			got = campaign_slurm_stop(&l, &why);
		else
			got = supervised_run_stop(folder.buf, &why);
		/* one that does not end does not save the others */
		if (got && !rc)
			rc = err_set(e, got, "%s", why.msg);
		strbuf_release(&folder);
	}
	strbuf_release(&root);
	return rc;
}

enum err_code campaign_end_commands(struct kb *kb, const struct kb_campaign *record, struct err *e)
{
	struct kb_campaign_runs runs = {0};
	struct campaign_plan *plan = NULL;
	enum err_code rc = kb_load_campaign_runs(kb, record->id, &runs, e);

	if (!rc && !(rc = campaign_plan_parse(record->plan, record->name, &plan, e)))
		rc = end_commands(kb, record, plan, &runs, e);
	campaign_plan_free(plan);
	kb_campaign_runs_release(&runs);
	return rc;
}
