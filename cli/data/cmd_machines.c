#include <string.h>

#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/data/definitions.h"
#include "cli/data/machine_description.h"

static const struct option_spec opt_definition = {
	.name = "definition",
	.help = "show: print the definition file itself",
	.actions = "show",
};

static const struct out_column list_columns[] = {
	{"machine", NULL, OUT_TEXT}, {"runs", NULL, OUT_INT},	{"simulated", NULL, OUT_BOOL},
	{"default", NULL, OUT_BOOL}, {"title", NULL, OUT_TEXT},
};

static enum err_code list_run(struct context *c, struct err *e)
{
	struct kb_names names = {0};
	struct out_table *t = NULL;
	enum err_code rc = kb_list_machines(c->session.kb, 0, &names, e);

	if (rc)
		return rc;
	t = out_table_new(list_columns, sizeof list_columns / sizeof list_columns[0]);
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "the list of machines");
		goto done;
	}
	for (size_t i = 0; i < names.n; i++) {
		out_text(t, names.item[i].name);
		out_int(t, names.item[i].n_runs);
		out_bool(t, names.item[i].simulated);
		out_bool(t, names.item[i].is_default);
		out_text(t, names.item[i].title);
	}
	rc = out_table_print(t, c->format, "machines", c->out, e);
	if (names.n == 0)
		context_note(
			c, "no machine is known yet; type lemnos machines add FILE, or load runs");
done:
	out_table_free(t);
	kb_names_release(&names);
	return rc;
}

static enum err_code show_run(struct context *c, struct err *e)
{
	struct machine *m = NULL;
	int64_t id = 0;
	enum err_code rc = kb_get_machine(c->session.kb, c->operand[0], &m, &id, e);

	if (rc)
		return rc;
	if (options_has(&c->opt, &opt_definition))
		out_exact(m->definition, c->out);
	else
		rc = machine_description_print(c, m, id, e);
	machine_free(m);
	return rc;
}

static enum err_code add_one(struct context *c, const char *path, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc = machine_read(path, &m, e);

	if (!rc && !(rc = kb_put_machine(c->session.kb, m, NULL, e)))
		context_print(c, "machine %s added\n", m->name);
	machine_free(m);
	return rc;
}

static enum err_code check_one(struct context *c, const char *path, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc = machine_read(path, &m, e);

	if (!rc)
		context_print(c, "%s: machine %s is well defined\n", path, m->name);
	machine_free(m);
	return rc;
}

static enum err_code add_run(struct context *c, struct err *e)
{
	return for_each_operand(c, add_one, e);
}

static enum err_code check_run(struct context *c, struct err *e)
{
	return for_each_operand(c, check_one, e);
}

static enum err_code remove_run(struct context *c, struct err *e)
{
	enum err_code rc = kb_remove_machine(c->session.kb, c->operand[0], e);

	if (!rc)
		context_print(c, "machine %s removed\n", c->operand[0]);
	return rc;
}

static enum err_code default_run(struct context *c, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc;

	if (c->n_operands == 0)
		return default_print(c, "machine", e);
	if (!strcmp(c->operand[0], "-"))
		return default_set(c, "machine", NULL, e);
	if (!(rc = kb_get_machine(c->session.kb, c->operand[0], &m, NULL, e)))
		rc = default_set(c, "machine", m->name, e);
	machine_free(m);
	return rc;
}

static const struct option_spec *const machines_options[] = {&opt_definition, &opt_format, NULL};

static const struct action machines_actions[] = {
	{"list", "", "every machine and how many runs it has (the default)", 0, 0, NEEDS_KB_READ,
	 list_run},
	{"show", "NAME", "what is known about one", 1, 1, NEEDS_KB_READ, show_run},
	{"add", "FILE...", "add or replace machines from definition files", 1, OPERANDS_ANY,
	 NEEDS_KB_CREATE, add_run},
	{"check", "FILE...", "say what is wrong with definition files; no base needed", 1,
	 OPERANDS_ANY, NEEDS_NOTHING, check_run},
	{"remove", "NAME", "forget a machine that has no runs", 1, 1, NEEDS_KB_WRITE, remove_run},
	{"default", "[NAME|-]",
	 "print, set or (-) unset the machine that is meant when none is\nnamed", 0, 1,
	 NEEDS_KB_WRITE, default_run},
};

const struct cmd cmd_machines = {
	.name = "machines",
	.summary = "list, show, add or check machines",
	.description = "A machine is a small file (libconfig syntax): nodes, cores, memory, "
		       "message costs as\n"
		       "far as they are known, and where the figures come from. Importing runs of "
		       "an unknown\n"
		       "machine makes one of which only the name is known.",
	.examples = "  lemnos machines\n"
		    "  lemnos machines show sp2like\n"
		    "  lemnos machines show sp2like --definition >mycluster.conf\n"
		    "  lemnos machines default sp2like",
	.options = machines_options,
	.action = machines_actions,
	.n_actions = sizeof machines_actions / sizeof machines_actions[0],
	.plain_actions = "add check remove default",
};
