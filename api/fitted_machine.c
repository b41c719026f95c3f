#include "api/fitted_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "kb/kb_run_index.h"
#include "mining/mine.h"
#include "recommend/space/placement.h"

/* So many runs are enough for every predictor, or so nearly that mining is the better answer:
 * nobody should wait for a fit to be told to make one. */
enum { MANY_RUNS = 200 };

enum err_code check_enough_runs(struct kb *kb, const struct application *app, int64_t app_id,
				int64_t machine_id, int64_t n_runs, struct strbuf *why,
				struct err *e)
{
	struct mine_target on = {.app = app, .app_id = app_id, .machine_id = machine_id};
	struct machine *machine = NULL;
	struct mine_input in = {0};
	struct predictor *p = NULL;
	struct err failure = {0};
	enum err_code rc;

	if (n_runs >= MANY_RUNS)
		return ERR_OK;
	if ((rc = kb_get_machine_by_id(kb, machine_id, &machine, e)))
		return rc;
	on.machine = machine;
	if (!(rc = mine_input_load(kb, &on, NULL, &in, e))) {
		if (predictor_fit(NULL, &in.fit, &p, &failure) == ERR_NODATA)
			strbuf_puts(why, failure.msg);
		predictor_free(p);
		mine_input_release(&in);
	}
	machine_free(machine);
	return rc;
}

/* " that ended" where there are others, and " (it has on iblike, sp2like)", or nothing */
static enum err_code put_where_runs_are(struct session *session, int64_t app_id,
					const struct machine *machine, struct strbuf *ended,
					struct strbuf *out, struct err *e)
{
	enum { ENOUGH = 5 };
	struct kb_names known = {0};
	size_t n = 0;
	enum err_code rc = kb_list_machines(session->kb, app_id, &known, e);

	for (size_t i = 0; i < known.n && !rc; i++) {
		if (known.item[i].n_runs == 0)
			continue;
		if (strcmp(known.item[i].name, machine->name) == 0)
			strbuf_puts(ended, " that ended");
		else if (++n <= ENOUGH)
			strbuf_printf(out, "%s%s", n == 1 ? " (it has on " : ", ",
				      known.item[i].name);
	}
	if (n > 0)
		strbuf_puts(out, n > ENOUGH ? ", ...)" : ")");
	kb_names_release(&known);
	return rc;
}

/* Why nothing was mined, and what helps. */
static enum err_code not_mined(struct session *session, const struct application *app,
			       int64_t app_id, const struct machine *machine, int64_t machine_id,
			       struct err *e)
{
	struct kb_filter f = {.machine_id = machine_id};
	struct strbuf why = STRBUF_INIT, ended = STRBUF_INIT;
	int64_t n_runs = 0;
	enum err_code rc = kb_count_runs(session->kb, app, &f, &n_runs, e);

	if (rc)
		return rc;
	if (n_runs == 0) {
		if (!(rc = put_where_runs_are(session, app_id, machine, &ended, &why, e))) {
			/* a formula goes over to another machine, a law of one machine does not */
			bool what_if = why.len > 0 && app->model;

			rc = err_set(
				e, ERR_NOTMINED,
				"%s has no runs%s on %s%s: load some (`lemnos ingest`)%s%s",
				app->name, strbuf_text(&ended), machine->name, strbuf_text(&why),
				what_if ? ", or ask what if it computed like a machine that has"
					: "",
				what_if ? session_term(session, TERM_WHAT_IF_FACTOR) : "");
		}
		goto done;
	}
	if ((rc = check_enough_runs(session->kb, app, app_id, machine_id, n_runs, &why, e)))
		goto done;
	if (why.len)
		rc = err_set(e, ERR_NOTMINED,
			     "nothing can be predicted from the runs of %s on %s: %s", app->name,
			     machine->name, strbuf_text(&why));
	else
		rc = err_set(e, ERR_NOTMINED,
			     "nothing was mined yet from the %lld run%s of %s on %s: run `lemnos "
			     "mine`",
			     (long long)n_runs, n_runs == 1 ? "" : "s", app->name, machine->name);
done:
	strbuf_release(&why);
	strbuf_release(&ended);
	return rc;
}

/* Is what was mined of runs that are all gone? A wrong import that was undone must not go on
 * answering; `mine` has nothing to make new knowledge of. */
static enum err_code is_of_no_runs(struct session *session, const struct application *app,
				   int64_t machine_id, bool stale, bool *out, struct err *e)
{
	const struct kb_filter f = {.machine_id = machine_id};
	int64_t n_runs = 1;
	enum err_code rc = stale ? kb_count_runs(session->kb, app, &f, &n_runs, e) : ERR_OK;

	*out = n_runs == 0;
	return rc;
}

static enum err_code load_predictor(struct session *session, const struct application *app,
				    int64_t app_id, const struct machine *machine,
				    int64_t machine_id, struct fitted_machine *m, struct err *e)
{
	struct mine_target on = {app, app_id, machine, machine_id};
	struct err why = {0};
	enum err_code rc = mine_load(session->kb, &on, &m->predictor, &m->stale, m->snapshot, &why);

	if (rc == ERR_NOTMINED)
		return not_mined(session, app, app_id, machine, machine_id, e);
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	if ((rc = is_of_no_runs(session, app, machine_id, m->stale, &m->gone, e)))
		return rc;
	m->runs_machine_id = machine_id;
	return ERR_OK;
}

static enum err_code load_rules(struct session *session, const struct application *app,
				int64_t app_id, struct fitted_machine *m, struct err *e)
{
	enum err_code rc = active_rules_load(session->kb, app, app_id, m->machine_id, &m->rules, e);

	return rc ? rc : rule_advice_lead(m->predictor, m->rules.item, m->rules.n, e);
}

/* Rules and predictor as of one mining. */
static enum err_code load_own(struct session *session, const struct application *app,
			      int64_t app_id, struct fitted_machine *m, struct err *e)
{
	enum err_code rc = kb_begin_read(session->kb, e);

	if (rc)
		return rc;
	if (!(rc = load_predictor(session, app, app_id, m->machine, m->machine_id, m, e)))
		rc = load_rules(session, app, app_id, m, e);
	kb_end_read(session->kb);
	return rc;
}

/* A machine file without message costs may have had them calibrated from a ping-pong. */
static enum err_code take_message_costs(struct session *session, struct machine *machine,
					int64_t machine_id, struct err *e)
{
	if (machine->has_loggp || machine->n_segment > 0)
		return ERR_OK;
	return kb_get_message_cost(session->kb, machine_id, &machine->segment, &machine->n_segment,
				   e);
}

/* The facts of both machines make a what if. */
static void add_to_snapshot(char snapshot[65], const char *other)
{
	char text[130];

	snprintf(text, sizeof text, "%s %s", snapshot, other);
	digest_text(text, strlen(text), snapshot);
}

static enum err_code refuse_runs_of_its_own(struct session *session, const struct application *app,
					    const struct fitted_machine *m, struct err *e)
{
	struct kb_filter f = {.machine_id = m->machine_id};
	int64_t n_runs = 0;
	enum err_code rc = kb_count_runs(session->kb, app, &f, &n_runs, e);

	if (!rc && n_runs > 0)
		rc = err_set(e, ERR_ARG,
			     "%s is for a machine without runs, and %s has %lld of %s: ask "
			     "without it",
			     session_term(session, TERM_WHAT_IF), m->machine->name,
			     (long long)n_runs, app->name);
	return rc;
}

static enum err_code load_what_if(struct session *session, const struct application *app,
				  int64_t app_id, const char *like, struct fitted_machine *m,
				  struct err *e)
{
	struct machine *other = NULL;
	struct predictor *transferred = NULL;
	char own[65];
	int64_t other_id;
	enum err_code rc;

	if ((rc = refuse_runs_of_its_own(session, app, m, e)) ||
	    (rc = kb_get_machine(session->kb, like, &other, &other_id, e)) ||
	    (rc = load_predictor(session, app, app_id, other, other_id, m, e)) ||
	    (rc = take_message_costs(session, m->machine, m->machine_id, e)) ||
	    (rc = predictor_transfer(m->predictor, m->machine, m->wg_factor, &transferred, e)) ||
	    (rc = kb_snapshot(session->kb, app_id, m->machine_id, own, e)))
		goto done;
	predictor_free(m->predictor);
	m->predictor = transferred;
	transferred = NULL;
	add_to_snapshot(m->snapshot, own);
	m->like = strdup(other->name);
	if (!m->like)
		rc = err_set(e, ERR_NOMEM, "the name of a machine");
done:
	predictor_free(transferred);
	machine_free(other);
	return rc;
}

static enum err_code find_cores(struct session *session, const struct application *app,
				int64_t app_id, struct fitted_machine *m, struct err *e)
{
	const struct kb_filter all = {.machine_id = m->runs_machine_id};
	struct dataset *runs = NULL;
	enum err_code rc;

	m->cores_per_node = (double)m->machine->cores_per_node;
	if (m->cores_per_node > 0)
		return ERR_OK;
	rc = kb_load_run_sample(session->kb, app, app_id, m->runs_machine_id, &runs, e);
	if (!rc && !runs)
		rc = kb_load_runs(session->kb, app, &all, session->progress, &runs, e);
	m->cores_per_node = runs ? placement_cores_seen(runs) : 0;
	dataset_free(runs);
	return rc;
}

static enum err_code facts_of(struct session *session, int64_t app_id, const char *name,
			      char facts[65], struct err *e)
{
	struct machine *machine = NULL;
	int64_t id;
	enum err_code rc = kb_get_machine(session->kb, name, &machine, &id, e);

	machine_free(machine);
	return rc ? rc : kb_snapshot(session->kb, app_id, id, facts, e);
}

/* What the same question would be answered from today: the snapshot of its facts. like NULL: no
 * what if. Errors: NOTFOUND. */
static enum err_code fitted_machine_facts(struct session *session, int64_t app_id, const char *name,
					  const char *like, char facts[65], struct err *e)
{
	char own[65];
	enum err_code rc;

	if (!like)
		return facts_of(session, app_id, name, facts, e);
	if ((rc = facts_of(session, app_id, like, facts, e)) ||
	    (rc = facts_of(session, app_id, name, own, e)))
		return rc;
	add_to_snapshot(facts, own);
	return ERR_OK;
}

enum err_code fitted_machine_refuse_gone(struct session *session, const struct application *app,
					 int64_t app_id, const struct fitted_machine *m,
					 struct err *e)
{
	struct machine *machine = NULL;
	enum err_code rc;

	if (!m->gone)
		return ERR_OK;
	if (!(rc = kb_get_machine_by_id(session->kb, m->runs_machine_id, &machine, e)))
		rc = not_mined(session, app, app_id, machine, m->runs_machine_id, e);
	machine_free(machine);
	return rc;
}

enum err_code fitted_machine_load(struct session *session, const struct application *app,
				  int64_t app_id, const struct machine_request *asked,
				  struct fitted_machine *out, struct err *e)
{
	struct fitted_machine m = {.wg_factor = asked->wg_factor > 0 ? asked->wg_factor : 1};
	const char *like = asked->like;
	enum err_code rc =
		session_machine(session, asked->name, app_id, &m.machine, &m.machine_id, e);

	if (!rc)
		rc = like ? load_what_if(session, app, app_id, like, &m, e)
			  : load_own(session, app, app_id, &m, e);
	if (!rc && !asked->gone_too)
		rc = fitted_machine_refuse_gone(session, app, app_id, &m, e);
	if (!rc)
		rc = fitted_machine_facts(session, app_id, m.machine->name, m.like, m.facts, e);
	if (!rc)
		rc = find_cores(session, app, app_id, &m, e);
	if (rc)
		fitted_machine_release(&m);
	else
		*out = m;
	return rc;
}

enum err_code fitted_machine_ask_rules(const struct fitted_machine *m,
				       const struct application *app, const double *row,
				       const struct prediction *at, struct rule_report *out,
				       struct err *e)
{
	struct rule_advice *rules = NULL;
	enum err_code rc;

	if ((rc = rule_advice_new(app, m->rules.item, m->rules.n, &rules, e)))
		return rc;
	rc = rule_advice_report(rules, row, at, out, e);
	rule_advice_free(rules);
	return rc;
}

void fitted_machine_release(struct fitted_machine *m)
{
	active_rules_release(&m->rules);
	predictor_free(m->predictor);
	machine_free(m->machine);
	free(m->like);
	*m = (struct fitted_machine){0};
}

/* ---- the machines of a file ---- */

struct named_machine {
	char *name;
	struct fitted_machine mined;
};

static void named_machine_free(struct named_machine *n)
{
	if (!n)
		return;
	fitted_machine_release(&n->mined);
	free(n->name);
	free(n);
}

void fitted_machines_release(struct fitted_machines *m)
{
	for (size_t i = 0; i < m->n; i++)
		named_machine_free(m->item[i]);
	free(m->item);
	free(m->failed);
	*m = (struct fitted_machines){0};
}

static const struct fitted_machine *find_loaded(struct fitted_machines *m, const char *name)
{
	if (m->last < m->n && !strcmp(m->item[m->last]->name, name))
		return &m->item[m->last]->mined;
	for (size_t i = 0; i < m->n; i++) {
		if (!strcmp(m->item[i]->name, name)) {
			m->last = i;
			return &m->item[i]->mined;
		}
	}
	return NULL;
}

static enum err_code add(struct fitted_machines *m, const char *name, struct err *e)
{
	struct named_machine **longer = realloc(m->item, (m->n + 1) * sizeof *longer);
	struct named_machine *new_one;
	struct machine_request asked = m->asked;
	enum err_code rc;

	if (!longer)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	m->item = longer;
	new_one = calloc(1, sizeof *new_one);
	if (!new_one)
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	new_one->name = strdup(name);
	if (!new_one->name) {
		free(new_one);
		return err_set(e, ERR_NOMEM, "%zu machines", m->n + 1);
	}
	asked.name = *name ? name : m->asked.name;
	rc = fitted_machine_load(m->session, m->app, m->app_id, &asked, &new_one->mined, e);
	if (rc) {
		free(new_one->name);
		free(new_one);
		return rc;
	}
	if (new_one->mined.stale)
		session_warn(m->session,
			     "facts about %s changed since this was mined; run `lemnos mine`",
			     new_one->mined.machine->name);
	m->last = m->n;
	m->item[m->n++] = new_one;
	return ERR_OK;
}

static bool is_about_the_row(enum err_code rc, const char *name)
{
	return *name && (rc == ERR_NOTFOUND || rc == ERR_NOTMINED || rc == ERR_ARG);
}

enum err_code fitted_machines_find(struct fitted_machines *m, const char *name,
				   const struct fitted_machine **out, struct err *e)
{
	enum err_code rc;

	*out = find_loaded(m, name);
	if (*out || (m->failed && !strcmp(m->failed, name)))
		return ERR_OK;
	m->why = (struct err){0};
	rc = add(m, name, &m->why);
	if (!rc) {
		*out = find_loaded(m, name);
		return ERR_OK;
	}
	if (!is_about_the_row(rc, name))
		return err_set(e, rc, "%s", m->why.msg);
	free(m->failed);
	m->failed = strdup(name);
	return m->failed ? ERR_OK : err_set(e, ERR_NOMEM, "the name of a machine");
}
