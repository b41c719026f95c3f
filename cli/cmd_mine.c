#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/rule_report.h"
#include "mining/mine.h"

static const struct out_column columns[] = {
	{"app", NULL, OUT_TEXT},	 {"machine", NULL, OUT_TEXT},
	{"runs", NULL, OUT_INT},	 {"state", "knowledge", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT},	 {"fitted_runs", "fitted to", OUT_INT},
	{"snapshot", NULL, OUT_TEXT},	 {"explanation", NULL, OUT_TEXT},
	{"error", NULL, OUT_TEXT},	 {"rules", NULL, OUT_INT},
	{"rules_gained", NULL, OUT_INT}, {"rules_lost", NULL, OUT_INT},
	{"rules_moved", NULL, OUT_INT},
};
enum { N_COLUMNS = sizeof columns / sizeof columns[0] };
enum { N_COLUMNS_FOR_PEOPLE = 6 }; /* the rest is told below the table */

/* What came of mining, pair by pair. */
struct outcome {
	struct out_table *all;	  /* for machines */
	struct out_table *brief;  /* for people */
	struct strbuf paragraphs; /* explanations and reasons, for people */
	struct err first_error;
	size_t n_known; /* pairs about which something is known now */
};

static void put_brief(struct out_table *t, const struct kb_name *app, const struct kb_name *machine,
		      const char *state, const struct kb_fit *fit)
{
	out_text(t, app->name);
	out_text(t, machine->name);
	out_int(t, machine->n_runs);
	out_text(t, state);
	out_text(t, fit->predictor);
	if (fit->predictor)
		out_int(t, fit->n_runs);
	else
		out_null(t);
}

static void put_rules(struct out_table *t, const struct rule_report *r)
{
	if (r) {
		out_int(t, (int64_t)r->n);
		out_int(t, (int64_t)r->n_gained);
		out_int(t, (int64_t)r->n_lost);
		out_int(t, (int64_t)r->n_moved);
	} else {
		for (int i = 0; i < 4; i++)
			out_null(t);
	}
}

/* rules NULL: nothing was mined. */
static void put_outcome(struct outcome *o, const struct kb_name *app, const struct kb_name *machine,
			const char *state, const struct kb_fit *fit,
			const struct rule_report *rules, const char *error)
{
	put_brief(o->brief, app, machine, state, fit);
	put_brief(o->all, app, machine, state, fit);
	out_text(o->all, fit->predictor ? fit->snapshot : NULL);
	out_text(o->all, fit->explanation);
	out_text(o->all, error);
	put_rules(o->all, rules);
	strbuf_printf(&o->paragraphs, "\n%s on ", app->name);
	text_put_safe(&o->paragraphs, machine->name, false);
	strbuf_puts(&o->paragraphs, ": ");
	text_put_safe(&o->paragraphs, error ? error : fit->explanation, false);
	strbuf_putc(&o->paragraphs, '\n');
	o->n_known += fit->predictor != NULL;
}

/* Too few runs, or runs that no model fits, are no reason to leave the other pairs alone. */
static bool concerns_this_pair_only(enum err_code rc)
{
	return rc == ERR_NODATA || rc == ERR_NUMERIC;
}

static enum err_code mine_pair(struct context *c, const struct application *a,
			       const struct kb_name *app, const struct kb_name *name,
			       struct outcome *o, struct err *e)
{
	struct mine_target on = {.app = a, .app_id = app->id, .machine_id = name->id};
	struct machine *machine = NULL;
	struct mine_outcome made = {.changed = false};
	struct rule_report rules;
	struct strbuf told = STRBUF_INIT;
	struct err why = {0};
	enum err_code rc = kb_get_machine_by_id(c->kb, name->id, &machine, e);

	if (rc)
		return rc;
	on.machine = machine;
	rc = mine(c->kb, &on, c->progress, &made, &why);
	if (!rc && !(rc = rule_report_make(a, &made, &rules, &told, &why))) {
		put_outcome(o, app, name, made.changed ? "mined" : "unchanged", &made.fit, &rules,
			    NULL);
		strbuf_puts(&o->paragraphs, strbuf_text(&told));
	} else if (concerns_this_pair_only(rc)) {
		/* What was known before stays, and stays usable. */
		bool known = !kb_get_fit(c->kb, app->id, name->id, &made.fit, NULL);

		put_outcome(o, app, name, known ? "stale" : "not mined", &made.fit, NULL, why.msg);
		err_set(&o->first_error, rc, "%s on %s: %s", app->name, name->name, why.msg);
		rc = ERR_OK;
	} else {
		err_set(e, rc, "%s on %s: %s", app->name, name->name, why.msg);
	}
	strbuf_release(&told);
	mine_outcome_release(&made);
	machine_free(machine);
	return rc;
}

/* What holds on every machine, once all of them are mined. */
static enum err_code mine_together(struct context *c, const struct application *a,
				   const struct kb_name *app, bool one_asked, struct outcome *o,
				   struct err *e)
{
	struct mine_target on = {.app = a, .app_id = app->id};
	struct mine_outcome made = {.changed = false};
	struct rule_report rules;
	struct strbuf told = STRBUF_INIT;
	enum err_code rc = mine_all_machines(c->kb, &on, c->progress, &made, e);

	/* One machine alone has nothing in common with others; and who asked for one of several
	 * wants to hear about all of them only if that changed something. */
	if (!rc && made.rules.snapshot[0] && (made.changed || !one_asked) &&
	    !(rc = rule_report_make(a, &made, &rules, &told, e)))
		strbuf_printf(&o->paragraphs, "\n%s on all machines: %s", app->name,
			      strbuf_text(&told));
	strbuf_release(&told);
	mine_outcome_release(&made);
	return rc;
}

/* --machine names the only one that is asked for; 0: all of them. */
static enum err_code asked_machine(struct context *c, int64_t *id, struct err *e)
{
	const char *name = options_get(&c->opt, &opt_machine);
	struct machine *machine = NULL;
	enum err_code rc;

	*id = 0;
	if (!name)
		return ERR_OK;
	rc = kb_get_machine(c->kb, name, &machine, id, e);
	machine_free(machine);
	return rc;
}

static enum err_code mine_application(struct context *c, const struct kb_name *app,
				      int64_t only_machine, struct outcome *o, struct err *e)
{
	struct application *a = NULL;
	struct kb_names machines = {0};
	bool any = false;
	enum err_code rc;

	if ((rc = kb_get_application(c->kb, app->name, &a, NULL, e)) ||
	    (rc = kb_list_machines(c->kb, app->id, &machines, e)))
		goto done;
	for (size_t i = 0; i < machines.n && !rc; i++) {
		const struct kb_name *m = &machines.item[i];

		if (m->n_runs == 0 || (only_machine && m->id != only_machine))
			continue;
		any = true;
		rc = mine_pair(c, a, app, m, o, e);
	}
	if (!rc && (any || !only_machine))
		rc = mine_together(c, a, app, only_machine != 0, o, e);
done:
	kb_names_release(&machines);
	application_free(a);
	return rc;
}

static enum err_code mine_all(struct context *c, struct outcome *o, struct err *e)
{
	struct kb_names apps = {0};
	struct application *only = NULL;
	const char *asked = options_get(&c->opt, &opt_app);
	int64_t app_id = 0, machine_id;
	enum err_code rc;

	if ((rc = asked_machine(c, &machine_id, e)) ||
	    (asked && (rc = kb_get_application(c->kb, asked, &only, &app_id, e))) ||
	    (rc = kb_list_applications(c->kb, &apps, e)))
		goto done;
	for (size_t i = 0; i < apps.n && !rc; i++) {
		if (!asked || apps.item[i].id == app_id)
			rc = mine_application(c, &apps.item[i], machine_id, o, e);
	}
done:
	application_free(only);
	kb_names_release(&apps);
	return rc;
}

static enum err_code print_outcome(struct context *c, const struct outcome *o, struct err *e)
{
	enum err_code rc;

	if (c->format != FORMAT_TABLE)
		return out_table_print(o->all, c->format, "mined", c->out, e);
	if ((rc = out_table_print(o->brief, FORMAT_TABLE, "mined", c->out, e)))
		return rc;
	fputs(strbuf_text(&o->paragraphs), c->out);
	return ERR_OK;
}

static enum err_code mine_run(struct context *c, struct err *e)
{
	struct outcome o = {
		.all = out_table_new(columns, N_COLUMNS),
		.brief = out_table_new(columns, N_COLUMNS_FOR_PEOPLE),
	};
	const char *app = options_get(&c->opt, &opt_app);
	const char *machine = options_get(&c->opt, &opt_machine);
	enum err_code rc;

	if (!o.all || !o.brief) {
		rc = err_set(e, ERR_NOMEM, "what was mined");
		goto done;
	}
	if ((rc = mine_all(c, &o, e)) || (rc = out_table_check(o.all, e)))
		goto done;
	progress_bar_clear(&c->bar);
	if ((rc = print_outcome(c, &o, e)))
		goto done;
	if (out_table_rows(o.all) == 0)
		rc = err_set(e, ERR_NODATA,
			     "there are no runs%s%s%s%s to mine; load some with `lemnos ingest "
			     "FILE`, or the "
			     "shipped ones with `lemnos init --with-data`",
			     app ? " of " : "", app ? app : "", machine ? " on " : "",
			     machine ? machine : "");
	else if (o.n_known == 0)
		rc = c->format == FORMAT_TABLE
			     ? err_set(e, ERR_NODATA, "nothing could be mined, as told above")
			     : err_set(e, ERR_NODATA, "nothing could be mined: %s",
				       o.first_error.msg);
done:
	out_table_free(o.all);
	out_table_free(o.brief);
	strbuf_release(&o.paragraphs);
	return rc;
}

static const struct option_spec *const mine_options[] = {&opt_app, &opt_machine, &opt_format, NULL};

static const struct action mine_actions[] = {
	{NULL, "[--app NAME] [--machine NAME]", NULL, 0, 0, NEEDS_KB_WRITE, mine_run},
};

const struct cmd cmd_mine = {
	.name = "mine",
	.summary = "rebuild the knowledge from the runs",
	.description =
		"For every application and machine with runs, or those that are named: fits "
		"message "
		"costs to\n"
		"the ping-pong data, calibrates the predictor on the runs, and learns from "
		"held-out "
		"runs how\n"
		"far off it is. Facts and decisions stay as they are; on unchanged facts nothing "
		"changes.\n"
		"Pairs with too few runs are told and passed over.",
	.examples = "  lemnos mine\n"
		    "  lemnos mine --machine sp2like --format json",
	.options = mine_options,
	.action = mine_actions,
	.n_actions = 1,
};
