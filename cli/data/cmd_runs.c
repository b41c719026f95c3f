#include <inttypes.h>
#include <stdlib.h>

#include "api/run_export.h"
#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/data/run_rows.h"

static OPTION(opt_where, "where", "CONDITION",
	      .help = "only runs that satisfy it: \"procs >= 64 and mk in (5, 10)\"",
	      .actions = "list export");
static OPTION(opt_limit, "limit", "N",
	      .help = "at most N runs, 0: all (default: list 20, export all)",
	      .actions = "list export");
static OPTION(opt_usable, "usable", NULL,
	      .help = "leave out failed and excluded runs, as `mine` does",
	      .actions = "list export");
static OPTION(opt_why, "why", "TEXT", .help = "exclude: the reason, kept with the decision",
	      .actions = "exclude");

/* extrap and t4 are of export. */
enum runs_format { RUNS_TABLE, RUNS_JSON, RUNS_CSV, RUNS_EXTRAP, RUNS_T4 };
static OPTION(opt_runs_format, "format", "FORMAT", .values = "table json csv extrap t4",
	      .help = "table (for people), json or csv (exact numbers); export: also extrap (JSON\n"
		      "Lines of Extra-P) or t4 (results of auto-tuners)");

/* For what prints tables. */
static enum err_code read_table_format(struct context *c, struct err *e)
{
	static const enum out_format table_format[] = {
		[RUNS_TABLE] = FORMAT_TABLE, [RUNS_JSON] = FORMAT_JSON, [RUNS_CSV] = FORMAT_CSV};
	int format = RUNS_TABLE;
	enum err_code rc = options_choice(&c->opt, &opt_runs_format, &format, e);

	if (rc)
		return rc;
	if (format > RUNS_CSV)
		return err_set(e, ERR_USAGE,
			       "--format %s is for `lemnos runs export`; here it is one of: table "
			       "json csv",
			       options_get(&c->opt, &opt_runs_format));
	c->format = table_format[format];
	return ERR_OK;
}

/* What --machine, --where, --limit and --usable select. */
static enum err_code read_filter(struct context *c, long long limit, struct kb_filter *f,
				 struct err *e)
{
	const char *machine = options_get(&c->opt, &opt_machine);
	bool usable = options_has(&c->opt, &opt_usable);
	struct machine *m = NULL;
	enum err_code rc = options_integer(&c->opt, &opt_limit, 0, 1000000000000, &limit, e);

	if (rc)
		return rc;
	*f = (struct kb_filter){
		.where = options_get(&c->opt, &opt_where),
		.limit = limit,
		.excluded_too = !usable,
		.all_status = !usable,
	};
	if (machine && (rc = kb_get_machine(c->session.kb, machine, &m, &f->machine_id, e)))
		return rc;
	machine_free(m);
	return ERR_OK;
}

static enum err_code print_rows(struct context *c, const struct application *a,
				const struct kb_filter *f, bool brief, size_t *n, struct err *e)
{
	struct out_table *t = NULL;
	enum err_code rc = run_rows_table(c->session.kb, a, f, brief, &t, e);

	if (!rc)
		rc = out_table_print_folded(t, c->format, "runs", c->out, e);
	if (!rc)
		*n = out_table_rows(t);
	out_table_free(t);
	return rc;
}

static enum err_code list_run(struct context *c, struct err *e)
{
	struct application *a = NULL;
	struct kb_filter f;
	size_t n = 0;
	int64_t n_all = 0;
	enum err_code rc;

	if ((rc = read_table_format(c, e)) || (rc = context_application(c, &a, NULL, e)) ||
	    (rc = read_filter(c, 20, &f, e)) ||
	    (rc = print_rows(c, a, &f, c->format == FORMAT_TABLE, &n, e)))
		goto done;
	f.limit = 0;
	if ((rc = kb_count_runs(c->session.kb, a, &f, &n_all, e)))
		goto done;
	if (n_all == 0)
		context_note(c,
			     f.where || f.machine_id ? "no run of %s is like that"
						     : "no run of %s is there yet; type lemnos "
						       "ingest FILE",
			     a->name);
	else if (n_all > (int64_t)n)
		context_note(c, "%zu of %lld runs; --limit 0 shows all", n, (long long)n_all);
done:
	application_free(a);
	return rc;
}

static bool put_text(void *file, const char *text)
{
	out_exact(text, file);
	return !ferror(file);
}

static enum err_code export_form(struct context *c, const struct application *a,
				 const struct kb_filter *f, enum run_export_form form,
				 struct err *e)
{
	const struct run_export_sink sink = {put_text, c->out};
	struct run_export_count count = {0};
	enum err_code rc = run_export(c->session.kb, a, f, form, &sink, &count, e);

	if (!rc && count.n_no_time > 0)
		context_note(c,
			     "%zu run%s that failed or met a limit left out: Extra-P has no word "
			     "for %s",
			     count.n_no_time, count.n_no_time == 1 ? "" : "s",
			     count.n_no_time == 1 ? "it" : "them");
	return rc;
}

static enum err_code export_run(struct context *c, struct err *e)
{
	int format = RUNS_CSV;
	struct application *a = NULL;
	struct kb_filter f;
	size_t n = 0;
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_runs_format, &format, e)) ||
	    (rc = context_application(c, &a, NULL, e)) || (rc = read_filter(c, 0, &f, e)))
		goto done;
	if (format == RUNS_EXTRAP)
		rc = export_form(c, a, &f, RUN_EXPORT_EXTRAP, e);
	else if (format == RUNS_T4)
		rc = export_form(c, a, &f, RUN_EXPORT_T4, e);
	else if (format == RUNS_CSV)
		rc = run_rows_csv(c->session.kb, a, &f, c->out, e);
	else if (!(rc = read_table_format(c, e)))
		rc = print_rows(c, a, &f, false, &n, e);
done:
	application_free(a);
	return rc;
}

static enum err_code parse_id(const char *text, int64_t *id, struct err *e)
{
	struct err why = {0};

	if (integer_parse(text, 1, INT64_MAX, id, &why))
		return err_set(e, ERR_USAGE, "the number of a run: %s (`lemnos runs` lists them)",
			       why.msg);
	return ERR_OK;
}

/* Below the run: who left it out, and why. JSON and CSV have the column that says that it is. */
static enum err_code print_exclusion(struct context *c, int64_t id, struct err *e)
{
	struct kb_exclusion x = {0};
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = kb_get_exclusion(c->session.kb, id, &x, e);

	if (!rc && x.who) {
		strbuf_printf(&text, "\nexcluded by ");
		text_put_safe(&text, x.who, false);
		strbuf_printf(&text, ", %s: ", x.excluded_at);
		text_put_safe(&text, x.why, false);
		strbuf_putc(&text, '\n');
		if (text.failed)
			rc = err_set(e, ERR_NOMEM, "why a run is excluded");
		else
			fputs(strbuf_text(&text), c->out);
	}
	kb_exclusion_release(&x);
	strbuf_release(&text);
	return rc;
}

/* Print run id if it is one of application `name`. */
static enum err_code show_in(struct context *c, const char *name, int64_t id, bool *found,
			     struct err *e)
{
	struct kb_filter f = {.excluded_too = true, .all_status = true};
	struct application *a = NULL;
	struct out_table *t = NULL;
	char where[48];
	enum err_code rc;

	snprintf(where, sizeof where, "run_id = %lld", (long long)id);
	f.where = where;
	if ((rc = kb_get_application(c->session.kb, name, &a, NULL, e)) ||
	    (rc = run_rows_table(c->session.kb, a, &f, false, &t, e)))
		goto done;
	*found = out_table_rows(t) == 1;
	if (*found && !(rc = out_record_print(t, c->format, "run", c->out, e)) &&
	    c->format == FORMAT_TABLE)
		rc = print_exclusion(c, id, e);
done:
	out_table_free(t);
	application_free(a);
	return rc;
}

/* Numbers of runs are unique over all applications. */
static enum err_code show_run(struct context *c, struct err *e)
{
	struct kb_names apps = {0};
	int64_t id = 0;
	bool found = false;
	enum err_code rc;

	if ((rc = read_table_format(c, e)) || (rc = parse_id(c->operand[0], &id, e)) ||
	    (rc = kb_list_applications(c->session.kb, &apps, e)))
		return rc;
	for (size_t i = 0; i < apps.n && !found && !rc; i++)
		rc = show_in(c, apps.item[i].name, id, &found, e);
	if (!rc && !found)
		rc = err_set(e, ERR_NOTFOUND, "there is no run %lld (`lemnos runs` lists them)",
			     (long long)id);
	kb_names_release(&apps);
	return rc;
}

/* *changed is false where the run was so already, which said tells then. */
static enum err_code judge_one(struct context *c, const char *operand, const char *why,
			       struct strbuf *said, bool *changed, struct err *e)
{
	struct kb_exclusion x = {0};
	int64_t id = 0;
	enum err_code rc;

	if ((rc = parse_id(operand, &id, e)) || (rc = kb_get_exclusion(c->session.kb, id, &x, e)))
		return rc;
	*changed = !x.who == !!why;
	if (!*changed)
		strbuf_printf(said, "run %" PRId64 " was %s\n", id,
			      why ? "excluded already; the new reason is kept" : "not excluded");
	kb_exclusion_release(&x);
	return why ? kb_exclude_run(c->session.kb, id, context_user(), why, e)
		   : kb_include_run(c->session.kb, id, e);
}

/* All of the operands or none; why NULL: include them again. */
static enum err_code judge(struct context *c, const char *why, struct err *e)
{
	struct strbuf said = STRBUF_INIT;
	size_t n = 0;
	enum err_code rc = kb_begin(c->session.kb, e);

	for (size_t i = 0; i < c->n_operands && !rc; i++) {
		bool changed = false;

		rc = judge_one(c, c->operand[i], why, &said, &changed, e);
		n += changed;
	}
	if (!rc && !(rc = kb_commit(c->session.kb, e))) {
		fputs(strbuf_text(&said), c->out);
		if (n > 0)
			fprintf(c->out, "%zu %s %s\nnext: lemnos mine\n", n,
				n == 1 ? "run" : "runs", why ? "excluded" : "included again");
	}
	kb_rollback(c->session.kb);
	strbuf_release(&said);
	return rc;
}

static enum err_code exclude_run(struct context *c, struct err *e)
{
	const char *why = options_get(&c->opt, &opt_why);

	if (!why || !*why)
		return err_set(e, ERR_USAGE, "say why: lemnos runs exclude %s --why \"...\"",
			       c->operand[0]);
	return judge(c, why, e);
}

static enum err_code include_run(struct context *c, struct err *e)
{
	return judge(c, NULL, e);
}

static const struct option_spec *const runs_options[] = {&opt_app,	   &opt_machine, &opt_where,
							 &opt_usable,	   &opt_limit,	 &opt_why,
							 &opt_runs_format, NULL};

static const struct action runs_actions[] = {
	{"list", "[--where CONDITION] [--limit N]", "the runs, 20 at most (the default)", 0, 0,
	 NEEDS_KB_READ, list_run},
	{"show", "ID", "everything about one run", 1, 1, NEEDS_KB_READ, show_run},
	{"export", "[--where CONDITION] [--limit N] [--format FORMAT]",
	 "all runs with all columns, CSV unless --format says otherwise", 0, 0, NEEDS_KB_READ,
	 export_run},
	{"exclude", "ID... --why TEXT", "leave these runs out of all that is mined", 1,
	 OPERANDS_ANY, NEEDS_KB_WRITE, exclude_run},
	{"include", "ID...", "take them in again", 1, OPERANDS_ANY, NEEDS_KB_WRITE, include_run},
};

const struct cmd cmd_runs = {
	.name = "runs",
	.summary = "list, show, export, exclude or include runs",
	.description =
		"A condition names columns of the application (`lemnos apps show NAME`), derived\n"
		"ones too, and run_id, import_id, machine, source, status, wall_s, n_repeats, repeat,\n"
		"excluded and flag. It knows = != < <= > >=, in, between, is null, and, or, not,\n"
		"+ - * / % and the functions min, max, abs, ceildiv and floordiv.\n"
		"\n"
		"An excluded run stays in the base and can be included again. Who decided is taken\n"
		"from $LEMNOS_USER or $USER.",
	.examples = "  lemnos runs --where \"procs = 64 and kt % mk = 0\"\n"
		    "  lemnos runs export --machine sp2like >sp2like.csv\n"
		    "  lemnos runs export --format extrap --where \"mk = 10\" >sweep.jsonl\n"
		    "  lemnos runs exclude 17 18 --why \"a file system check ran\"",
	.options = runs_options,
	.action = runs_actions,
	.n_actions = sizeof runs_actions / sizeof runs_actions[0],
	.plain_actions = "exclude include",
};
