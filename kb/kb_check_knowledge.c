#include "kb/kb_check_knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_run_index.h"

/* What is looked at, and where findings go. */
struct checker {
	struct kb *kb;
	struct strbuf *report;
	int n_found;
};

/* Knowledge about an application on a machine. */
struct target {
	struct application *app;
	int64_t app_id, machine_id; /* machine_id 0: on all machines */
	const char *machine;	    /* its name */
};

/* Damage is a finding and no error. */
static enum err_code note_damage(struct checker *c, const struct target *t, enum err_code rc,
				 const struct err *why, struct err *e)
{
	if (rc != ERR_DAMAGED)
		return rc && rc != ERR_NOTMINED ? err_set(e, rc, "%s", why->msg) : ERR_OK;
	strbuf_printf(c->report, "%s on %s: %s\n", t->app->name, t->machine, why->msg);
	c->n_found++;
	return ERR_OK;
}

static enum err_code check_fit(struct checker *c, const struct target *t, struct err *e)
{
	struct kb_fit fit = {0};
	struct err why = {0};
	enum err_code rc = kb_get_fit(c->kb, t->app_id, t->machine_id, &fit, &why);

	if (!rc)
		kb_fit_release(&fit);
	return note_damage(c, t, rc, &why, e);
}

static enum err_code check_index(struct checker *c, const struct target *t, struct err *e)
{
	struct err why = {0};
	bool found;

	return note_damage(
		c, t, kb_check_run_index(c->kb, t->app, t->app_id, t->machine_id, &found, &why),
		&why, e);
}

/* ---- rules ---- */

/* A rule must be one of its application and have the id of its content. */
static enum err_code check_rule(struct checker *c, const struct application *a, struct rule *r,
				struct err *e)
{
	char stored[RULE_ID_SIZE];
	struct rule_test *test = NULL;
	struct err why = {0};
	enum err_code rc;

	memcpy(stored, r->id, sizeof stored);
	if (!(rc = rule_test_new(a, r, &test, &why)))
		rc = rule_identify(a, r, &why);
	rule_test_free(test);
	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", why.msg);
	if (rc || strcmp(stored, r->id) != 0) {
		strbuf_printf(c->report, "rule %s: %s: `lemnos mine` makes it anew\n", stored,
			      rc ? why.msg : "its content belongs to another id");
		c->n_found++;
	}
	return ERR_OK;
}

static enum err_code check_rule_set(struct checker *c, const struct target *t, struct err *e)
{
	struct kb_rules set = {0};
	struct err why = {0};
	enum err_code rc = kb_get_rules(c->kb, t->app_id, t->machine_id, &set, &why);

	if (rc)
		return note_damage(c, t, rc, &why, e);
	for (size_t i = 0; !rc && i < set.rules.n; i++)
		rc = check_rule(c, t->app, &set.rules.item[i], e);
	kb_rules_release(&set);
	return rc;
}

/* ---- all ---- */

static enum err_code check_target(struct checker *c, const struct target *t, struct err *e)
{
	enum err_code rc = check_rule_set(c, t, e);

	if (rc || t->machine_id == 0 || (rc = check_fit(c, t, e)))
		return rc;
	return check_index(c, t, e);
}

/* s: ids and names. A definition that does not parse is found elsewhere. */
static enum err_code check_row(struct checker *c, sqlite3_stmt *s, struct err *e)
{
	struct target t = {.app_id = sqlite3_column_int64(s, 0),
			   .machine_id = sqlite3_column_int64(s, 1),
			   .machine = kb_sql_text(s, 3)};
	struct err why = {0};
	enum err_code rc = kb_get_application(c->kb, kb_sql_text(s, 2), &t.app, NULL, &why);

	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", why.msg);
	if (!rc)
		rc = check_target(c, &t, e);
	else
		rc = ERR_OK;
	application_free(t.app);
	return rc;
}

static enum err_code check_pairs(struct checker *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		c->kb, &s, e,
		"SELECT a.application_id, t.machine_id, a.name, ifnull(m.name, 'all machines') "
		"FROM (SELECT application_id, machine_id FROM fit "
		"UNION SELECT application_id, machine_id FROM index_of_runs "
		"UNION SELECT application_id, ifnull(machine_id, 0) FROM rule_set) AS t "
		"JOIN application AS a USING (application_id) "
		"LEFT JOIN machine AS m ON m.machine_id = t.machine_id ORDER BY 1, 2",
		"");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row)
		rc = check_row(c, s, e);
	sqlite3_finalize(s);
	return rc;
}

static enum err_code check_costs(struct checker *c, int64_t machine_id, const char *machine,
				 struct err *e)
{
	struct cost_segment *segment = NULL;
	struct err why = {0};
	size_t n;
	enum err_code rc = kb_get_message_cost(c->kb, machine_id, &segment, &n, &why);

	free(segment);
	if (rc != ERR_DAMAGED)
		return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
	strbuf_printf(c->report, "%s: %s\n", machine, why.msg);
	c->n_found++;
	return ERR_OK;
}

static enum err_code check_machines(struct checker *c, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(c->kb, &s, e,
					  "SELECT DISTINCT machine_id, name FROM message_cost "
					  "JOIN machine USING (machine_id) ORDER BY 1",
					  "");

	while (!rc && !(rc = kb_sql_step(c->kb, s, &row, e)) && row)
		rc = check_costs(c, sqlite3_column_int64(s, 0), kb_sql_text(s, 1), e);
	sqlite3_finalize(s);
	return rc;
}

enum err_code check_knowledge(struct kb *kb, struct strbuf *report, int *n_found, struct err *e)
{
	struct checker c = {.kb = kb, .report = report};
	enum err_code rc = check_pairs(&c, e);

	if (!rc)
		rc = check_machines(&c, e);
	*n_found += c.n_found;
	return rc;
}
