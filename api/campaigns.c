#include "api/campaigns.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"

/* ---- what a plan costs ---- */

static void add_cost(const struct campaign_target *t, const struct kb_campaign_run *r,
		     const double *row, struct plan_cost *c)
{
	double node_hours = campaign_nodes(t->app, row) / 3600;

	c->limit_s += r->limit_s;
	/* of SMPI the limit is that of the simulation, on this machine */
	c->limit_node_hours +=
		t->plan->launcher.kind == PLAN_SMPI ? (double)NAN : r->limit_s * node_hours;
	if (isnan(r->predicted_s) || isnan(r->quantile_s)) {
		c->n_unpredicted++;
		return;
	}
	c->predicted_s += r->predicted_s;
	c->quantile_s += r->quantile_s;
	c->predicted_node_hours += r->predicted_s * node_hours;
	c->quantile_node_hours += r->quantile_s * node_hours;
}

enum err_code campaign_preview(struct session *session, const char *path,
			       struct campaign_preview *out, struct err *e)
{
	struct campaign_preview p = {0};
	struct campaign_plan *plan = NULL;
	enum err_code rc;

	if ((rc = campaign_plan_read(path, &plan, e)) ||
	    (rc = campaign_target_open(session->kb, plan, &p.target, e)))
		return rc;
	rc = campaign_choose(session->kb, &p.target, NULL, session->progress, &p.choice, e);
	for (size_t i = 0; i < p.choice.n && !rc; i++)
		add_cost(&p.target, &p.choice.run[i], p.choice.row + i * p.target.app->n_columns,
			 &p.cost);
	if (p.cost.n_unpredicted == p.choice.n)
		p.cost.predicted_s = p.cost.quantile_s = p.cost.predicted_node_hours =
			p.cost.quantile_node_hours = NAN;
	if (rc)
		campaign_preview_release(&p);
	else
		*out = p;
	return rc;
}

void campaign_preview_release(struct campaign_preview *p)
{
	campaign_choice_release(&p->choice);
	campaign_target_release(&p->target);
}

double campaign_run_node_hours(const struct campaign_target *t, const struct kb_campaign_run *run,
			       const double *row)
{
	return campaign_nodes(t->app, row) * run->predicted_s / 3600;
}

bool campaign_plan_is_file(const char *word)
{
	return strchr(word, '/') || !access(word, F_OK);
}

/* ---- what became of one ---- */

static enum err_code open_target(struct kb *kb, const struct kb_campaign *record,
				 struct campaign_target *out, struct err *e)
{
	struct campaign_plan *plan = NULL;
	struct strbuf origin = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(&origin, "the plan of campaign %s", record->name);
	rc = origin.failed ? err_set(e, ERR_NOMEM, "a campaign's plan")
			   : campaign_plan_parse(record->plan, strbuf_text(&origin), &plan, e);
	strbuf_release(&origin);
	return rc ? rc : campaign_target_open(kb, plan, out, e);
}

/* Its application may be gone, or have another definition: what was done is told all the same. */
static void count_states(struct campaign_report *r)
{
	r->count = (struct campaign_count){
		.n = r->runs.n, .node_hours = NAN, .loss_first = NAN, .loss_last = NAN};
	for (size_t i = 0; i < r->runs.n; i++)
		r->count.of[r->runs.item[i].state]++;
}

static enum err_code fill_report(struct session *session, struct campaign_report *r, struct err *e)
{
	enum err_code rc;

	r->state = campaign_state_name(r->record.state);
	if ((rc = kb_load_campaign_runs(session->kb, r->record.id, &r->runs, e)) ||
	    (rc = campaign_runner(kb_path(session->kb), r->record.name, &r->runner, e)))
		return rc;
	if (r->runner == 0 &&
	    (r->record.state == CAMPAIGN_RUNNING || r->record.state == CAMPAIGN_STOPPING))
		r->state = "interrupted";
	rc = open_target(session->kb, &r->record, &r->target, &r->unclear);
	if (rc == ERR_NOMEM || rc == ERR_INTERRUPTED)
		return err_set(e, rc, "%s", r->unclear.msg);
	if (rc) {
		count_states(r);
		return ERR_OK;
	}
	return campaign_count(session->kb, &r->target, r->record.id, &r->runs, &r->count, e);
}

enum err_code campaign_report_read(struct session *session, const char *name,
				   struct campaign_report *out, struct err *e)
{
	struct campaign_report r = {0};
	enum err_code rc = kb_find_campaign(session->kb, name, &r.record, e);

	if (!rc)
		rc = fill_report(session, &r, e);
	if (rc)
		campaign_report_release(&r);
	else
		*out = r;
	return rc;
}

void campaign_report_release(struct campaign_report *r)
{
	kb_campaign_release(&r->record);
	kb_campaign_runs_release(&r->runs);
	campaign_target_release(&r->target);
}

enum err_code campaign_reports_read(struct session *session, struct campaign_reports *out,
				    struct err *e)
{
	struct campaign_reports reports = {0};
	struct kb_campaign_list list = {0};
	enum err_code rc = kb_list_campaigns(session->kb, &list, e);

	if (!rc && !(reports.item = calloc(list.n + 1, sizeof *reports.item)))
		rc = err_set(e, ERR_NOMEM, "%zu campaigns", list.n);
	for (size_t i = 0; i < list.n && !rc; i++) {
		reports.item[i].record = list.item[i]; /* handed over */
		list.item[i] = (struct kb_campaign){0};
		rc = fill_report(session, &reports.item[reports.n++], e);
	}
	kb_campaign_list_release(&list);
	if (rc)
		campaign_reports_release(&reports);
	else
		*out = reports;
	return rc;
}

void campaign_reports_release(struct campaign_reports *r)
{
	for (size_t i = 0; i < r->n; i++)
		campaign_report_release(&r->item[i]);
	free(r->item);
	*r = (struct campaign_reports){0};
}

/* ---- a new one ---- */

/* Of no other campaign in any base: it names its jobs, and its runs when bases are merged. */
static void make_uid(const struct campaign_plan *plan, char uid[17])
{
	char text[400], hex[DIGEST_HEX_SIZE], host[128] = "";
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	gethostname(host, sizeof host - 1);
	snprintf(text, sizeof text, "%s %s %lld.%09ld %ld %s", plan->name, plan->sha256,
		 (long long)now.tv_sec, now.tv_nsec, (long)getpid(), host);
	digest_text(text, strlen(text), hex);
	snprintf(uid, 17, "%.16s", hex);
}

/* Of the plan's file, absolute. */
static enum err_code find_folder(const char *path, char **out, struct err *e)
{
	char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (!slash) {
		free(real);
		return err_set(e, errno == ENOMEM ? ERR_NOMEM : ERR_IO, "%s: %s", path,
			       strerror(errno));
	}
	slash[slash == real] = '\0';
	*out = real;
	return ERR_OK;
}

/* Machine, campaign and runs: all of it is there, or nothing. */
static enum err_code store_new(struct kb *kb, const struct campaign_target *t,
			       const struct campaign_choice *c, struct kb_campaign *record,
			       struct err *e)
{
	enum err_code rc = kb_begin(kb, e);

	if (rc)
		return rc;
	if ((t->machine_id == 0 && (rc = kb_put_machine(kb, t->machine, NULL, e))) ||
	    (rc = kb_add_campaign(kb, record, e)) ||
	    (rc = kb_add_campaign_batch(kb, record->id, c->expected_loss, c->run, c->n, e)) ||
	    (rc = kb_commit(kb, e)))
		kb_rollback(kb);
	return rc;
}

static enum err_code make_new(struct session *session, const char *path,
			      const struct campaign_target *t, const struct progress *p,
			      struct err *e)
{
	const struct campaign_plan *plan = t->plan;
	struct kb_campaign record = {.name = plan->name,
				     .application = t->app->name,
				     .machine = t->machine->name,
				     .plan = plan->text,
				     .seed = plan->seed,
				     .state = CAMPAIGN_STOPPED};
	struct campaign_choice c = {0};
	char *folder = NULL;
	enum err_code rc;

	snprintf(record.sha256, sizeof record.sha256, "%s", plan->sha256);
	make_uid(plan, record.uid);
	if ((rc = find_folder(path, &folder, e)) ||
	    (rc = campaign_choose(session->kb, t, NULL, p, &c, e)))
		goto done;
	record.folder = folder;
	if (t->machine_id == 0)
		session_note(session, "new machine: %s; nothing is known of it yet",
			     t->machine->name);
	if (c.n_over_budget > 0)
		session_note(session, "%zu further run%s would be over the budget of runs",
			     c.n_over_budget, c.n_over_budget == 1 ? "" : "s");
	rc = store_new(session->kb, t, &c, &record, e);
done:
	campaign_choice_release(&c);
	free(folder);
	return rc;
}

/* A file makes a campaign, unless there is that very one. *name is the caller's. */
static enum err_code take_plan(struct session *session, const char *path, const struct progress *p,
			       char **name, struct err *e)
{
	struct campaign_plan *plan = NULL;
	struct campaign_target target = {0};
	struct kb_campaign there = {0};
	struct err why = {0};
	bool same;
	enum err_code rc = campaign_plan_read(path, &plan, e);

	if (rc)
		return rc;
	if (!(*name = strdup(plan->name))) {
		campaign_plan_free(plan);
		return err_set(e, ERR_NOMEM, "the name of a campaign");
	}
	rc = kb_find_campaign(session->kb, plan->name, &there, &why);
	if (rc == ERR_NOTFOUND) {
		if (!(rc = campaign_target_open(session->kb, plan, &target, e)))
			rc = make_new(session, path, &target, p, e);
		campaign_target_release(&target);
		return rc;
	}
	same = !rc && strcmp(there.sha256, plan->sha256) == 0;
	if (rc)
		err_set(e, rc, "%s", why.msg);
	else if (!same)
		rc = err_set(e, ERR_ARG,
			     "campaign %s is there, with another plan; give this one another name, "
			     "or go on with that one: lemnos acquire resume %s",
			     there.name, there.name);
	else
		session_note(session, "campaign %s is there; it goes on", there.name);
	kb_campaign_release(&there);
	campaign_plan_free(plan);
	return rc;
}

/* ---- running ---- */

static void say(void *arg, const char *text)
{
	session_note(arg, "%s", text);
}

static enum err_code run_campaign(struct session *session, const char *name,
				  const struct campaign_order *order, const struct progress *p,
				  struct err *e)
{
	struct kb_campaign record = {0};
	struct campaign_target target = {0};
	struct campaign_job job = {.kb = session->kb,
				   .target = &target,
				   .record = &record,
				   .version = order->version,
				   .progress = p,
				   .events = order->events,
				   .note = say,
				   .note_arg = session};
	enum err_code rc;

	if (!(rc = kb_find_campaign(session->kb, name, &record, e)) &&
	    !(rc = open_target(session->kb, &record, &target, e)))
		rc = campaign_run(&job, e);
	campaign_target_release(&target);
	kb_campaign_release(&record);
	return rc;
}

enum err_code campaign_execute(struct session *session, const struct campaign_order *order,
			       struct campaign_report *out, struct err *e)
{
	const struct progress *progress = session->progress;
	char *name = NULL;
	struct err later = {0};
	enum err_code rc, told;

	/* An interrupt ends the command that runs, in the base, too: so that one is not asked. */
	session->progress = NULL;
	rc = session_open(session, KB_WRITE, e);
	session->progress = progress;
	if (rc)
		return rc;
	if (order->plan)
		rc = take_plan(session, order->plan, progress, &name, e);
	else if (!(name = strdup(order->name)))
		rc = err_set(e, ERR_NOMEM, "the name of a campaign");
	if (!rc) {
		rc = run_campaign(session, name, order, progress, e);
		told = rc && rc != ERR_INTERRUPTED
			       ? ERR_OK
			       : campaign_report_read(session, name, out, &later);
		if (!rc && told)
			rc = err_set(e, told, "%s", later.msg);
	}
	free(name);
	return rc;
}

/* ---- stopping ---- */

static enum err_code stop_left_over(struct session *session, const struct kb_campaign *record,
				    bool now, struct err *e)
{
	enum err_code rc = now ? campaign_end_commands(session->kb, record, e) : ERR_OK;

	if (!rc && record->state != CAMPAIGN_DONE)
		rc = kb_set_campaign_state(session->kb, record->id, CAMPAIGN_STOPPED,
					   "somebody asked for it", e);
	return rc;
}

enum err_code campaign_stop(struct session *session, const char *name, bool now, int64_t *runner,
			    struct err *e)
{
	struct kb_campaign record = {0};
	enum err_code rc;

	*runner = 0;
	if ((rc = kb_find_campaign(session->kb, name, &record, e)) ||
	    (rc = campaign_runner(kb_path(session->kb), record.name, runner, e)))
		goto done;
	if (*runner == 0) {
		rc = stop_left_over(session, &record, now, e);
		goto done;
	}
	rc = kb_set_campaign_state(session->kb, record.id, CAMPAIGN_STOPPING, NULL, e);
	if (!rc && now && kill((pid_t)*runner, SIGTERM) && errno != ESRCH)
		rc = err_set(e, ERR_IO, "cannot stop process %lld: %s", (long long)*runner,
			     strerror(errno));
done:
	kb_campaign_release(&record);
	return rc;
}
