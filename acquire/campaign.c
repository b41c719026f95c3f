#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "acquire/campaign_runner.h"
#include "acquire/process_lock.h"

/* A look at what runs: soon at first, as many runs are short, then ten times a second; of Slurm's
 * jobs every five seconds, as it is others' controller, too. */
#define FIRST_LOOK_S 0.002
#define LAST_LOOK_S 0.1
#define SLURM_LOOK_S 5.0

/* KB.campaigns/NAME */
static void campaign_put_folder(const char *kb_path, const char *name, struct strbuf *out)
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

/* ---- the runner ---- */

void runner_note(const struct runner *r, const char *text)
{
	if (r->job->note)
		r->job->note(r->job->note_arg, text);
}

bool runner_is_slurm(const struct runner *r)
{
	return r->t->plan->launcher.kind == PLAN_SLURM;
}

enum err_code runner_recount(struct runner *r, struct err *e)
{
	return campaign_count(r->job->kb, r->t, r->job->record->id, &r->runs, &r->count, e);
}

enum err_code runner_reload(struct runner *r, struct err *e)
{
	struct kb_campaign_runs runs = {0};
	enum err_code rc = kb_load_campaign_runs(r->job->kb, r->job->record->id, &runs, e);

	if (rc)
		return rc;
	kb_campaign_runs_release(&r->runs);
	r->runs = runs;
	return runner_recount(r, e);
}

static void tick(const struct runner *r)
{
	if (r->job->events.tick)
		r->job->events.tick(r->job->events.arg, &r->count,
				    r->n_flights ? r->flight[0].run : NULL);
}

void runner_wait_s(double time_s)
{
	struct timespec t = {.tv_sec = (time_t)time_s};

	t.tv_nsec = (long)(1e9 * (time_s - (double)t.tv_sec));
	nanosleep(&t, NULL);
}
void runner_stop_because(struct runner *r, const char *why)
{
	r->stopping = true;
	if (!r->why[0])
		snprintf(r->why, sizeof r->why, "%s", why);
}

/* ---- the loop ---- */

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
			rc = runner_look(r, &settled, e);
			until_s = waited_s + (runner_is_slurm(r) ? SLURM_LOOK_S : 0);
		}
		if (rc || settled)
			break;
		runner_wait_s(look_s);
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
		if (!(rc = runner_start_more(r, &done, e)) && done)
			break;
		if (!rc)
			rc = watch(r, e);
	}
	return rc;
}

/* Of one job, or array of jobs: "123_4" is of 123. A run without a number is of a job of its own.
 */
static bool share_job(const struct kb_campaign_run *a, const struct kb_campaign_run *b)
{
	size_t n = a->job ? strcspn(a->job, "_") : 0;

	return a->job && b->job && n == strcspn(b->job, "_") && strncmp(a->job, b->job, n) == 0;
}

/* What was running when whoever ran it ended. */
static enum err_code adopt(struct runner *r, struct err *e)
{
	enum err_code rc = ERR_OK;
	char text[80];

	for (size_t i = 0; i < r->runs.n && !rc; i++) {
		struct kb_campaign_run *run = &r->runs.item[i];
		size_t job = 0;

		if (run->state != CAMPAIGN_RUN_RUNNING)
			continue;
		for (size_t k = 0; k < r->n_flights && job == 0; k++)
			job = share_job(r->flight[k].run, run) ? r->flight[k].job : 0;
		rc = runner_add_flight(r, run, job ? job : ++r->n_jobs_started, e);
	}
	snprintf(text, sizeof text, "%zu run%s under way when it ended", r->n_flights,
		 r->n_flights == 1 ? " was" : "s were");
	if (r->n_flights > 0 && !rc)
		runner_note(r, text);
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
	    (rc = runner_reload(r, e)) ||
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
		.origin = {.target = job->target, .record = job->record, .lemnos = job->version}};
	struct err why = {0};
	bool again = false;
	enum err_code rc, left;

	campaign_put_folder(kb_path(job->kb), job->record->name, &r.root);
	rc = begin(&r, &why);
	if (!rc)
		rc = loop(&r, &why);
	/* also where the base or the disk failed: then what ended is found by the next one */
	left = runner_abandon(&r, &again, rc ? NULL : &why);
	if (again && rc && rc != ERR_INTERRUPTED)
		runner_note(&r, "the running command is ended; its run is planned again");
	rc = rc ? rc : left;
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

/* One before it shares its job: that is ended already. */
static bool is_told(const struct kb_campaign_runs *runs, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (runs->item[k].state == CAMPAIGN_RUN_RUNNING &&
		    share_job(&runs->item[k], &runs->item[i]))
			return true;
	}
	return false;
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

		if (runs->item[i].state != CAMPAIGN_RUN_RUNNING || is_told(runs, i))
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
