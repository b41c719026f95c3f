#include "api/mine_base.h"

#include <stdlib.h>

#include "mining/rules/mine_rules.h"

/* Too few runs, or runs that no model fits, are no reason to leave the other pairs alone. */
static bool concerns_this_pair_only(enum err_code rc)
{
	return rc == ERR_NODATA || rc == ERR_NUMERIC;
}

static enum err_code mine_pair(struct session *session, const struct mine_request *asked,
			       const struct mined_step *step, int64_t app_id,
			       struct runs_of_all *all, struct err *e)
{
	const struct kb_name *name = step->machine;
	struct mined_step told = *step;
	struct mine_target on = {.app = step->app, .app_id = app_id, .machine_id = name->id};
	struct machine *machine = NULL;
	struct mine_outcome made = {.changed = false};
	struct err why = {0};
	enum err_code rc = kb_get_machine_by_id(session->kb, name->id, &machine, e);

	if (rc)
		return rc;
	on.machine = machine;
	told.made = &made;
	rc = mine_among(session->kb, &on, all, session->progress, &made, &why);
	if (concerns_this_pair_only(rc)) {
		kb_get_fit(session->kb, app_id, name->id, &made.fit, NULL);
		told.failed = rc;
		told.why = why.msg;
		rc = ERR_OK;
	}
	if (rc)
		err_set(e, rc, "%s on %s: %s", step->app_name->name, name->name, why.msg);
	else
		rc = asked->told(asked->arg, &told, e);
	mine_outcome_release(&made);
	machine_free(machine);
	return rc;
}

/* Rules that hold on every machine, once all of them are mined. */
static enum err_code mine_together(struct session *session, const struct mine_request *asked,
				   const struct mined_step *step, int64_t app_id,
				   struct runs_of_all *all, struct err *e)
{
	struct mine_target on = {.app = step->app, .app_id = app_id};
	struct mined_step told = *step;
	struct mine_outcome made = {.changed = false};
	enum err_code rc = mine_all_machines(session->kb, &on, all, session->progress, &made, e);

	told.made = &made;
	if (!rc)
		rc = asked->told(asked->arg, &told, e);
	mine_outcome_release(&made);
	return rc;
}

static enum err_code mine_application(struct session *session, const struct mine_request *asked,
				      const struct kb_name *app, int64_t only_machine,
				      struct err *e)
{
	struct application *a = NULL;
	struct kb_names machines = {0};
	struct mined_step step = {.app_name = app};
	struct runs_of_all all = {.runs = NULL};
	size_t n_machines = 0;
	bool any = false;
	enum err_code rc;

	if ((rc = kb_get_application(session->kb, app->name, &a, NULL, e)) ||
	    (rc = kb_list_machines(session->kb, app->id, &machines, e)))
		goto done;
	step.app = a;
	for (size_t i = 0; i < machines.n; i++)
		n_machines += machines.item[i].n_runs > 0;
	for (size_t i = 0; i < machines.n && !rc; i++) {
		const struct kb_name *m = &machines.item[i];
		struct mined_step one = step;

		if (m->n_runs == 0 || (only_machine && m->id != only_machine))
			continue;
		any = true;
		one.machine = m;
		rc = mine_pair(session, asked, &one, app->id, n_machines > 1 ? &all : NULL, e);
	}
	if (!rc && (any || !only_machine))
		rc = mine_together(session, asked, &step, app->id, &all, e);
done:
	runs_of_all_release(&all);
	kb_names_release(&machines);
	application_free(a);
	return rc;
}

/* 0: all of them. */
static enum err_code asked_machine(struct session *session, const char *name, int64_t *id,
				   struct err *e)
{
	struct machine *machine = NULL;
	enum err_code rc;

	*id = 0;
	if (!name)
		return ERR_OK;
	rc = kb_get_machine(session->kb, name, &machine, id, e);
	machine_free(machine);
	return rc;
}

enum err_code mine_base(struct session *session, const struct mine_request *asked, struct err *e)
{
	struct kb_names apps = {0};
	struct application *only = NULL;
	int64_t app_id = 0, machine_id;
	enum err_code rc;

	if ((rc = asked_machine(session, asked->machine, &machine_id, e)) ||
	    (asked->app && (rc = kb_get_application(session->kb, asked->app, &only, &app_id, e))) ||
	    (rc = kb_list_applications(session->kb, &apps, e)))
		goto done;
	for (size_t i = 0; i < apps.n && !rc; i++) {
		if (!asked->app || apps.item[i].id == app_id)
			rc = mine_application(session, asked, &apps.item[i], machine_id, e);
	}
done:
	application_free(only);
	kb_names_release(&apps);
	return rc;
}

/* ---- what it changed about the rules ---- */

static enum err_code take_changes(const struct rule_change *change, size_t n,
				  struct mined_rule_changes *c, struct err *e)
{
	c->item = calloc(n + 1, sizeof *c->item);
	if (!c->item)
		return err_set(e, ERR_NOMEM, "what changed about %zu rules", c->n);
	for (size_t i = 0; i < n; i++) {
		c->item[i] = (struct mined_rule_change){change[i].before, change[i].after};
		c->n_gained += !change[i].before;
		c->n_lost += !change[i].after;
		c->n_moved += change[i].before && change[i].after;
	}
	c->n_items = n;
	return ERR_OK;
}

enum err_code mined_rule_changes_find(const struct application *app,
				      const struct mine_outcome *made,
				      struct mined_rule_changes *out, struct err *e)
{
	struct mined_rule_changes c = {.n = made->rules.rules.n};
	struct rule_change *change = NULL;
	size_t n = 0;
	enum err_code rc = ERR_OK;

	if (made->before.snapshot[0])
		rc = rule_changes(app, &made->before.rules, &made->rules.rules, &change, &n, e);
	if (!rc)
		rc = take_changes(change, n, &c, e);
	free(change);
	if (!rc)
		*out = c;
	return rc;
}

void mined_rule_changes_release(struct mined_rule_changes *c)
{
	free(c->item);
	*c = (struct mined_rule_changes){0};
}
