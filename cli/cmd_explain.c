#include <string.h>

#include <jansson.h>

#include "cli/advice_text.h"
#include "cli/answer_text.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/mined_machine.h"
#include "cli/rules_in_use.h"

/* An earlier answer, as it was remembered. */
struct memory {
	struct kb_advice stored;
	json_t *answer;
	struct application *app;
	/* Asked today, it would be answered from the same facts, and the same rules. */
	bool same_facts, same_rules;
};

static void memory_release(struct memory *m)
{
	kb_advice_release(&m->stored);
	json_decref(m->answer);
	application_free(m->app);
}

static enum err_code identify_rules(struct context *c, const struct memory *m, int64_t app_id,
				    const char *machine_name, char identity[65], struct err *e)
{
	struct rules_in_use rules = {0};
	struct machine *machine = NULL;
	int64_t machine_id;
	enum err_code rc;

	if ((rc = kb_get_machine(c->kb, machine_name, &machine, &machine_id, e)))
		return rc;
	if (!(rc = rules_in_use_load(c->kb, m->app, app_id, machine_id, &rules, e)))
		memcpy(identity, rules.identity, sizeof rules.identity);
	rules_in_use_release(&rules);
	machine_free(machine);
	return rc;
}

/* A what if heeds no rules. */
static enum err_code compare_rules(struct context *c, int64_t app_id, struct memory *m,
				   struct err *e)
{
	const json_t *request = json_object_get(m->answer, "request");
	const json_t *evidence = json_object_get(m->answer, "evidence");
	char today[65] = "";
	enum err_code rc = ERR_OK;

	if (!json_object_get(request, "like"))
		rc = identify_rules(c, m, app_id, answer_text(request, "machine"), today, e);
	m->same_rules = !rc && !strcmp(today, answer_text(evidence, "rules_identity"));
	return rc;
}

/* A machine that is gone makes it an answer of the past. */
static enum err_code compare_with_today(struct context *c, int64_t app_id, struct memory *m,
					struct err *e)
{
	const json_t *request = json_object_get(m->answer, "request");
	const char *like = json_string_value(json_object_get(request, "like"));
	struct err why = {0};
	char today[65];
	enum err_code rc =
		mined_machine_facts(c, app_id, answer_text(request, "machine"), like, today, &why);

	if (rc && rc != ERR_NOTFOUND)
		return err_set(e, rc, "%s", why.msg);
	m->same_facts = !rc && !strcmp(today, m->stored.snapshot);
	return rc ? ERR_OK : compare_rules(c, app_id, m, e);
}

static enum err_code recall(struct context *c, const char *id, struct memory *m, struct err *e)
{
	json_error_t where;
	int64_t app_id;
	const char *app;
	enum err_code rc = kb_get_advice(c->kb, id, &m->stored, e);

	if (rc)
		return rc;
	m->answer = json_loads(m->stored.answer, 0, &where);
	if (!m->answer)
		return err_set(e, ERR_KB, "the answer stored as %s is no JSON: line %d: %s",
			       m->stored.id, where.line, where.text);
	app = answer_text(json_object_get(m->answer, "request"), "app");
	if ((rc = kb_get_application(c->kb, app, &m->app, &app_id, e)))
		return rc;
	return compare_with_today(c, app_id, m, e);
}

static enum err_code print_json(const struct context *c, const struct memory *m, struct err *e)
{
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (json_object_set_new(answer, "id", json_string(m->stored.id)) |
	    json_object_set_new(answer, "given_at", out_json_string(m->stored.given_at)) |
	    json_object_set_new(answer, "snapshot", out_json_string(m->stored.snapshot)) |
	    json_object_set_new(answer, "current", json_boolean(m->same_facts && m->same_rules)) |
	    json_object_set(answer, "answer", m->answer))
		rc = err_set(e, ERR_NOMEM, "the answer as JSON");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

static enum err_code print_text(const struct context *c, const struct memory *m, struct err *e)
{
	enum err_code rc;

	fprintf(c->out, "recommendation %s, given %s\n\n", m->stored.id, m->stored.given_at);
	if ((rc = advice_print(c, m->answer, m->app, ADVICE_IN_FULL, e)))
		return rc;
	fprintf(c->out, "snapshot of the facts: %s\n", m->stored.snapshot);
	fputs(m->same_facts ? "these are still the facts of today\n"
			    : "the facts are others today: ask again\n",
	      c->out);
	if (m->same_facts && !m->same_rules)
		fputs("the rules are others today, or were judged since: ask again\n", c->out);
	return ERR_OK;
}

static enum err_code explain_run(struct context *c, struct err *e)
{
	struct memory m = {0};
	enum err_code rc = recall(c, c->operand[0], &m, e);

	if (!rc && c->format == FORMAT_JSON)
		rc = print_json(c, &m, e);
	else if (!rc && c->format == FORMAT_CSV)
		rc = advice_print(c, m.answer, m.app, ADVICE_IN_FULL, e);
	else if (!rc)
		rc = print_text(c, &m, e);
	memory_release(&m);
	return rc;
}

static const struct option_spec *const explain_options[] = {&opt_format, NULL};

static const struct action explain_actions[] = {
	{NULL, "ID", NULL, 1, 1, NEEDS_KB_READ, explain_run},
};

const struct cmd cmd_explain = {
	.name = "explain",
	.summary = "everything behind one earlier recommendation",
	.description =
		"Shows a recommendation again as it was given, with the runs behind it, the whole "
		"explanation\n"
		"of the predictor, and whether facts and rules are still the same. ID is what "
		"`recommend` "
		"printed, or\n"
		"its first digits (4 or more).",
	.examples = "  lemnos explain 5f1c\n"
		    "  lemnos explain 5f1c --format json",
	.options = explain_options,
	.action = explain_actions,
	.n_actions = 1,
};
