#include "api/mine_base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread_pool.h"
#include "mining/rules/mine_rules.h"

/* Too few runs, or runs that no model fits, are no reason to leave the other pairs alone. */
static bool concerns_this_pair_only(enum err_code rc)
{
	return rc == ERR_NODATA || rc == ERR_NUMERIC;
}

/* ---- side by side ---- */

/* The machines of an application. What is learned of them is learned side by side; the base is used
 * by one at a time, and knowledge is stored and told in the order of the machines, as if they came
 * one after the other: what comes behind one that failed is given up. */
struct side_by_side {
	struct session *session;
	const struct mine_request *asked;
	struct mined_step step; /* without machine */
	int64_t app_id;
	struct runs_of_all *runs; /* NULL: there is one machine only */
	pthread_mutex_t base;	  /* of what follows, too */
	pthread_cond_t moved;
	size_t n_away;	       /* at work outside of the base */
	atomic_size_t next;    /* to store */
	atomic_bool failed;    /* what comes next is not done */
	pthread_mutex_t front; /* one tells and asks the front end at a time */
};

struct one_machine {
	struct thread_pool_job job;
	struct side_by_side *all;
	size_t place;
	const struct kb_name *name;
	enum err_code rc;
	struct err e;
};

static void leave_base(void *arg)
{
	struct one_machine *one = arg;

	one->all->n_away++;
	pthread_mutex_unlock(&one->all->base);
}

/* Until those before it have stored theirs. */
static bool wait_for_turn(struct one_machine *one)
{
	while (one->all->next != one->place)
		pthread_cond_wait(&one->all->moved, &one->all->base);
	return !one->all->failed;
}

static bool enter_base(void *arg)
{
	struct one_machine *one = arg;

	pthread_mutex_lock(&one->all->base);
	one->all->n_away--;
	pthread_cond_broadcast(&one->all->moved);
	return wait_for_turn(one);
}

static void wait_until_alone(void *arg)
{
	struct one_machine *one = arg;

	while (one->all->n_away > 0)
		pthread_cond_wait(&one->all->moved, &one->all->base);
}

/* How the first that is not done is getting on; the others only ask. */
static bool ask_front_end(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct one_machine *one = arg;
	struct side_by_side *all = one->all;
	bool go_on;

	pthread_mutex_lock(&all->front);
	go_on = one->place == all->next ? progress_step(all->session->progress, what, done, total)
					: progress_step(all->session->progress, NULL, 0, 0);
	pthread_mutex_unlock(&all->front);
	return go_on && !all->failed;
}

static enum err_code tell_front_end(struct side_by_side *all, const struct mined_step *told,
				    struct err *e)
{
	enum err_code rc;

	pthread_mutex_lock(&all->front);
	rc = all->asked->told(all->asked->arg, told, e);
	pthread_mutex_unlock(&all->front);
	return rc;
}

static enum err_code mine_pair(struct one_machine *one, const struct machine *machine,
			       struct err *e)
{
	struct side_by_side *all = one->all;
	struct kb *kb = all->session->kb;
	const struct mine_gate gate = {leave_base, enter_base, wait_until_alone, one};
	const struct progress progress = {ask_front_end, one};
	const struct mine_target on = {.app = all->step.app,
				       .app_id = all->app_id,
				       .machine = machine,
				       .machine_id = one->name->id};
	struct mined_step told = all->step;
	struct mine_outcome made = {.changed = false};
	struct err why = {0};
	enum err_code rc = mine_among(kb, &on, all->runs, &gate, &progress, &made, &why);

	told.machine = one->name;
	told.made = &made;
	if (concerns_this_pair_only(rc)) {
		kb_get_fit(kb, all->app_id, one->name->id, &made.fit, NULL);
		told.failed = rc;
		told.why = why.msg;
		rc = ERR_OK;
	}
	if (rc)
		err_set(e, rc, "%s on %s: %s", told.app_name->name, one->name->name, why.msg);
	else if (wait_for_turn(one))
		rc = tell_front_end(all, &told, e);
	mine_outcome_release(&made);
	return rc;
}

static void mine_one(void *arg)
{
	struct one_machine *one = arg;
	struct side_by_side *all = one->all;
	struct machine *machine = NULL;

	pthread_mutex_lock(&all->base);
	if (!all->failed &&
	    !(one->rc = kb_get_machine_by_id(all->session->kb, one->name->id, &machine, &one->e)))
		one->rc = mine_pair(one, machine, &one->e);
	machine_free(machine);
	/* what those behind it failed with came of this, if this failed */
	wait_for_turn(one);
	all->failed = all->failed || one->rc;
	all->next++;
	pthread_cond_broadcast(&all->moved);
	pthread_mutex_unlock(&all->base);
}

/* Two machines at a time: each holds its own runs in memory, and has threads of its own. */
enum { HELPERS = 1 };

/* only: 0: all. */
static enum err_code mine_machines(struct side_by_side *all, const struct kb_names *machines,
				   int64_t only, bool *any, struct err *e)
{
	struct one_machine *item = calloc(machines->n + 1, sizeof *item);
	struct thread_pool *pool = NULL;
	size_t n = 0;
	enum err_code rc = item ? thread_pool_new(HELPERS, &pool, e)
				: err_set(e, ERR_NOMEM, "%zu machines", machines->n);

	for (size_t i = 0; i < machines->n && !rc; i++) {
		const struct kb_name *name = &machines->item[i];

		if (name->n_runs == 0 || (only && name->id != only))
			continue;
		item[n] = (struct one_machine){.all = all, .place = n, .name = name};
		item[n].job = (struct thread_pool_job){.run = mine_one, .arg = &item[n]};
		n++;
	}
	for (size_t i = 0; i < n; i++)
		thread_pool_submit(pool, &item[i].job);
	for (size_t i = 0; i < n; i++)
		thread_pool_wait(pool, &item[i].job);
	for (size_t i = 0; i < n && !rc; i++) {
		if ((rc = item[i].rc))
			err_set(e, rc, "%s", item[i].e.msg);
	}
	*any = n > 0;
	thread_pool_free(pool);
	free(item);
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
	struct runs_of_all all = {.runs = NULL};
	struct side_by_side each = {.session = session,
				    .asked = asked,
				    .step.app_name = app,
				    .app_id = app->id,
				    .base = PTHREAD_MUTEX_INITIALIZER,
				    .moved = PTHREAD_COND_INITIALIZER,
				    .front = PTHREAD_MUTEX_INITIALIZER};
	size_t n_machines = 0;
	bool any = false;
	enum err_code rc;

	if ((rc = kb_get_application(session->kb, app->name, &a, NULL, e)) ||
	    (rc = kb_list_machines(session->kb, app->id, &machines, e)))
		goto done;
	each.step.app = a;
	for (size_t i = 0; i < machines.n; i++)
		n_machines += machines.item[i].n_runs > 0;
	each.runs = n_machines > 1 ? &all : NULL;
	rc = mine_machines(&each, &machines, only_machine, &any, e);
	if (!rc && (any || !only_machine))
		rc = mine_together(session, asked, &each.step, app->id, &all, e);
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
