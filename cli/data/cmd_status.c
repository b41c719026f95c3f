#include "cli/data/fit_text.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "api/kb_status.h"

static const struct out_column knowledge_columns[] = {
	{"app", NULL, OUT_TEXT},       {"machine", NULL, OUT_TEXT},
	{"runs", NULL, OUT_INT},       {"state", "knowledge", OUT_TEXT},
	{"predictor", NULL, OUT_TEXT}, {"fitted_runs", "fitted to", OUT_INT},
};

static OPTION(opt_status_verbose, "verbose", NULL,
	      .help = "what each predictor is made of, in words (json and csv stay as they are)",
	      .actions = "show");

static struct out_table *knowledge_table(const struct kb_status *s)
{
	struct out_table *t = out_table_new(knowledge_columns,
					    sizeof knowledge_columns / sizeof knowledge_columns[0]);

	for (size_t i = 0; t && i < s->n; i++) {
		const struct knowledge_status *k = &s->item[i];

		out_text(t, k->app);
		out_text(t, k->machine);
		out_int(t, k->n_runs);
		out_text(t, knowledge_state_name(k->state));
		out_text(t, k->predictor);
		if (k->predictor)
			out_int(t, k->n_fitted);
		else
			out_null(t);
	}
	return t;
}

static enum err_code print_json(struct context *c, const struct kb_status *s,
				const struct kb_facts *b, struct err *e)
{
	struct json_t *answer = kb_status_json(c->kb_path, c->session.kb, b, s);

	return out_answer(!answer, answer, "the status as JSON", c->out, e);
}

/* Every predictor, in words; one of another program only by name. */
static enum err_code print_predictors(struct context *c, const struct kb_status *s, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < s->n && !rc; i++) {
		const struct knowledge_status *k = &s->item[i];
		struct fit_description d = {0};
		struct err why = {0};

		if (!k->predictor)
			continue;
		fputc('\n', c->out);
		context_print(c, "%s on %s: %s, fitted to %lld runs%s\n", k->app, k->machine,
			      k->predictor, (long long)k->n_fitted,
			      k->state == STATE_STALE ? " (stale)" : "");
		rc = fit_description_find(c->session.kb, k->app, k->machine, NULL, &d, &why);
		if (rc == ERR_NOTMINED) {
			context_print(c, "%s\n", why.msg);
			rc = ERR_OK;
		} else if (rc) {
			err_set(e, rc, "%s", why.msg);
		} else {
			rc = fit_print(c, &d, e);
		}
		fit_description_release(&d);
	}
	return rc;
}

static enum err_code print_for_people(struct context *c, const struct kb_status *s,
				      const struct kb_facts *b, const struct out_table *t,
				      struct err *e)
{
	enum err_code rc;

	context_print(c, "knowledge base %s (schema %d, journal %s, %.1f MB)\n", c->kb_path,
		      kb_schema_version(), kb_journal_mode(c->session.kb),
		      (double)b->n_bytes / 1e6);
	context_print(c, "runs: %lld, from %lld file%s; default application %s, machine %s\n\n",
		      (long long)s->n_runs, (long long)b->n_imports, b->n_imports == 1 ? "" : "s",
		      b->default_app ? b->default_app : "none",
		      b->default_machine ? b->default_machine : "none");
	if ((rc = out_table_print(t, FORMAT_TABLE, "knowledge", c->out, e)))
		return rc;
	if (options_has(&c->opt, &opt_status_verbose) && (rc = print_predictors(c, s, e)))
		return rc;
	fprintf(c->out, "%snext: %s\n", s->n ? "\n" : "", kb_status_next(s));
	return ERR_OK;
}

static enum err_code show_run(struct context *c, struct err *e)
{
	struct kb_status s = {0};
	struct kb_facts b = {0};
	struct out_table *t = NULL;
	enum err_code rc;

	if ((rc = kb_status_read(c->session.kb, &s, e)) ||
	    (rc = kb_facts_read(c->session.kb, &b, e)))
		goto done;
	t = knowledge_table(&s);
	if (!t)
		rc = err_set(e, ERR_NOMEM, "the status");
	else if (c->format == FORMAT_CSV)
		rc = out_table_print(t, FORMAT_CSV, "knowledge", c->out, e);
	else if (c->format == FORMAT_JSON)
		rc = print_json(c, &s, &b, e);
	else
		rc = print_for_people(c, &s, &b, t, e);
done:
	out_table_free(t);
	kb_facts_release(&b);
	kb_status_release(&s);
	return rc;
}

static enum err_code backup_run(struct context *c, struct err *e)
{
	enum err_code rc = kb_backup(c->session.kb, c->operand[0], e);

	if (!rc)
		context_print(c, "%s copied to %s\n", c->kb_path, c->operand[0]);
	return rc;
}

static enum err_code check_run(struct context *c, struct err *e)
{
	struct strbuf report = STRBUF_INIT, safe = STRBUF_INIT;
	int n_found = 0;
	enum err_code rc = kb_check(c->session.kb, &report, &n_found, e);

	if (!rc && n_found == 0)
		context_print(c, "%s: nothing wrong was found\n", c->kb_path);
	text_put_safe(&safe, strbuf_text(&report), true);
	fputs(strbuf_text(&safe), c->out);
	if (!rc && n_found > 0)
		rc = err_set(
			e, ERR_KB,
			"%d findings; restore a backup, or, where the base can still be opened, "
			"save what is readable with `lemnos runs export`",
			n_found);
	strbuf_release(&safe);
	strbuf_release(&report);
	return rc;
}

static enum err_code merge_run(struct context *c, struct err *e)
{
	struct kb_merge_result n = {0};
	enum err_code rc = kb_merge(c->session.kb, c->operand[0], c->session.progress, &n, e);

	progress_bar_clear(&c->bar);
	if (rc)
		return rc;
	fprintf(c->out,
		"added: runs %lld, imports %lld, recommendations %lld; imports known already: %lld\n",
		(long long)n.n_runs, (long long)n.n_imports, (long long)n.n_advice,
		(long long)n.n_known_imports);
	if (n.n_campaigns > 0)
		fprintf(c->out, "campaigns: %lld\n", (long long)n.n_campaigns);
	if (n.n_runs > 0)
		fputs("next: lemnos mine\n", c->out);
	return ERR_OK;
}

static const struct option_spec *const status_options[] = {&opt_status_verbose, &opt_format, NULL};

static const struct action status_actions[] = {
	{"show", "", "what is loaded, mined, stale or missing (the default)", 0, 0, NEEDS_KB_READ,
	 show_run},
	{"backup", "FILE", "copy the base to a new file, while others use it", 1, 1, NEEDS_KB_READ,
	 backup_run},
	{"check", "", "look for damage; exit 4 if there is any", 0, 0, NEEDS_KB_INSPECT, check_run},
	{"merge", "FILE", "add all that another base holds and this one does not", 1, 1,
	 NEEDS_KB_WRITE, merge_run},
};

const struct cmd cmd_status = {
	.name = "status",
	.summary = "show what is loaded, mined, stale; back up, check, merge",
	.description = "Says what the knowledge base holds and what to type next. Knowledge is "
		       "\"stale\" when\n"
		       "runs, decisions or machine parameters changed since it was mined.",
	.examples = "  lemnos status\n"
		    "  lemnos status --verbose\n"
		    "  lemnos status backup before-the-big-import.kb\n"
		    "  lemnos status merge colleague.kb",
	.options = status_options,
	.action = status_actions,
	.n_actions = sizeof status_actions / sizeof status_actions[0],
	.plain_actions = "backup check merge",
};
