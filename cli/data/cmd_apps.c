#include <stdlib.h>
#include <string.h>

#include "api/shipped.h"
#include "cli/data/app_description.h"
#include "cli/data/apps_suggest.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/data/definitions.h"

static const struct option_spec opt_definition = {
	.name = "definition",
	.help = "show: print the definition file itself",
	.actions = "show",
};

static const struct out_column list_columns[] = {
	{"app", NULL, OUT_TEXT},
	{"runs", NULL, OUT_INT},
	{"default", NULL, OUT_BOOL},
	{"title", NULL, OUT_TEXT},
};

static enum err_code list_run(struct context *c, struct err *e)
{
	struct kb_names names = {0};
	struct out_table *t = NULL;
	enum err_code rc = kb_list_applications(c->session.kb, &names, e);

	if (rc)
		return rc;
	t = out_table_new(list_columns, sizeof list_columns / sizeof list_columns[0]);
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "the list of applications");
		goto done;
	}
	for (size_t i = 0; i < names.n; i++) {
		out_text(t, names.item[i].name);
		out_int(t, names.item[i].n_runs);
		out_bool(t, names.item[i].is_default);
		out_text(t, names.item[i].title);
	}
	rc = out_table_print(t, c->format, "apps", c->out, e);
	if (names.n == 0)
		context_note(c, "no application is known yet; type lemnos apps add FILE");
done:
	out_table_free(t);
	kb_names_release(&names);
	return rc;
}

static enum err_code show_run(struct context *c, struct err *e)
{
	struct application *a = NULL;
	enum err_code rc = kb_get_application(c->session.kb, c->operand[0], &a, NULL, e);

	if (rc)
		return rc;
	if (options_has(&c->opt, &opt_definition))
		out_exact(a->definition, c->out);
	else
		rc = app_description_print(a, c->format, c->out, e);
	application_free(a);
	return rc;
}

static enum err_code add_one(struct context *c, const char *operand, struct err *e)
{
	struct application *a = NULL;
	char *path = NULL;
	enum err_code rc = shipped_find_class(&c->session, operand, &path, e);

	if (!rc)
		rc = application_read(path, &a, e);
	free(path);

	if (!rc && !(rc = application_check_candidates(a, e)) &&
	    !(rc = kb_put_application(c->session.kb, a, NULL, e)))
		context_print(c, "application %s added\n", a->name);
	application_free(a);
	return rc;
}

static enum err_code check_one(struct context *c, const char *path, struct err *e)
{
	struct application *a = NULL;
	enum err_code rc = application_read(path, &a, e);

	if (!rc && !(rc = application_check_candidates(a, e))) {
		context_print(c,
			      "%s: application %s is well defined: %zu columns, %zu rules of "
			      "legality",
			      path, a->name, a->n_columns, a->n_legality);
		if (a->terms.n > 0)
			context_print(c, ", %zu terms", a->terms.n);
		context_print(c, "\n");
	}
	application_free(a);
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
	enum err_code rc = kb_remove_application(c->session.kb, c->operand[0], e);

	if (!rc)
		context_print(c, "application %s removed\n", c->operand[0]);
	return rc;
}

static enum err_code default_run(struct context *c, struct err *e)
{
	struct application *a = NULL;
	enum err_code rc;

	if (c->n_operands == 0)
		return default_print(c, "application", e);
	if (!strcmp(c->operand[0], "-"))
		return default_set(c, "application", NULL, e);
	if (!(rc = kb_get_application(c->session.kb, c->operand[0], &a, NULL, e)))
		rc = default_set(c, "application", a->name, e);
	application_free(a);
	return rc;
}

static const struct option_spec *const apps_options[] = {&opt_definition, &opt_suggest_machine,
							 &opt_suggest_output, &opt_format, NULL};

static const struct action apps_actions[] = {
	{"list", "", "every application class and how many runs it has (the\ndefault)", 0, 0,
	 NEEDS_KB_READ, list_run},
	{"show", "NAME", "its columns, flags and what is legal", 1, 1, NEEDS_KB_READ, show_run},
	{"add", "FILE|NAME...",
	 "add or replace classes from definition files, or from one that\nships, by its name", 1,
	 OPERANDS_ANY, NEEDS_KB_CREATE, add_run},
	{"check", "FILE...", "say what is wrong with definition files; no base needed", 1,
	 OPERANDS_ANY, NEEDS_NOTHING, check_run},
	{"suggest", "[NAME] [--machine NAME] [--output FILE]",
	 "from its runs, a definition with the terms that time is made\nof, if terms help", 0, 1,
	 NEEDS_KB_READ, apps_suggest_run},
	{"remove", "NAME", "forget a class that has no runs", 1, 1, NEEDS_KB_WRITE, remove_run},
	{"default", "[NAME|-]",
	 "print, set or (-) unset the class that is meant when none is\nnamed", 0, 1,
	 NEEDS_KB_WRITE, default_run},
};

const struct cmd cmd_apps = {
	.name = "apps",
	.summary = "list, show, add or check application classes",
	.description =
		"An application class is a small file (libconfig syntax): its problem parameters,\n"
		"tunables with their legal values, resources, derived columns, the header of its "
		"run\n"
		"time, and the flags it brings (--mk, --grid). A class can also be made from flags "
		"at\n"
		"import: see `lemnos help ingest`. Definitions of common codes ship with Lemnos: `add`\n"
		"takes their names (hpl, kripke, multigrid, particles, pdgeqrf, snap, stencil7, and\n"
		"template, one to copy).\n\n"
		"`suggest` makes terms (compute, communication) from the columns of runs: products of\n"
		"problem columns over processes, blocks, surfaces, trees and pipelines. It holds runs\n"
		"out, compares what is predicted with terms and without, and says so where they do not\n"
		"help (exit status 1).",
	.examples = "  lemnos apps\n"
		    "  lemnos apps show sweep3d\n"
		    "  lemnos apps show sweep3d --definition >mycode.conf\n"
		    "  lemnos apps check mycode.conf\n"
		    "  lemnos apps add hpl\n"
		    "  lemnos apps suggest mycode --output mycode.conf",
	.options = apps_options,
	.action = apps_actions,
	.n_actions = sizeof apps_actions / sizeof apps_actions[0],
	.plain_actions = "add check remove default",
};
