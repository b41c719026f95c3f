#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/definition_json.h"
#include "api/shipped.h"
#include "api/terms_suggestion.h"
#include "base/err.h"
#include "base/whole_file.h"
#include "cli/data/definitions.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/frame/output.h"
#include "domain/application.h"

/* ---- suggest: terms for a definition, from runs ---- */

static OPTION(opt_suggest_machine, "machine", "NAME",
	      .help = "suggest: from the runs on this machine", .actions = "suggest");
static OPTION(opt_suggest_output, "output", "FILE", .values = "FILE",
	      .help = "suggest: write the definition there; no file is overwritten",
	      .actions = "suggest");

static const struct out_column evidence_columns[] = {
	{"app", NULL, OUT_TEXT},
	{"machine", NULL, OUT_TEXT},
	{"held_out", "held out", OUT_TEXT},
	{"n_test", "tested", OUT_INT},
	{"median_error_without", "median error: without terms", OUT_PERCENT},
	{"median_error_anew", "found anew", OUT_PERCENT},
	{"median_error_with", "these terms", OUT_PERCENT},
	{"p90_error_without", "90th percentile: without", OUT_PERCENT},
	{"p90_error_anew", "anew", OUT_PERCENT},
	{"p90_error_with", "these", OUT_PERCENT},
};
enum { N_NAMES = 2 };

static const struct out_column term_columns[] = {
	{"kind", NULL, OUT_TEXT},
	{"term", NULL, OUT_TEXT},
	{"share", "of the time", OUT_PERCENT},
	{"meaning", "stands for", OUT_TEXT},
};

static enum err_code print_evidence(const struct context *c, const struct terms_suggestion *s,
				    FILE *f, struct err *e)
{
	const size_t skip = c->format == FORMAT_TABLE ? N_NAMES : 0;
	struct out_table *t =
		out_table_new(evidence_columns + skip,
			      sizeof evidence_columns / sizeof evidence_columns[0] - skip);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the evidence");
	for (size_t w = 0; w < SUGGESTION_WAYS; w++) {
		const struct suggestion_evidence *v = &s->evidence[w];

		if (skip == 0) {
			out_text(t, s->app);
			out_text(t, s->machine);
		}
		out_text(t, v->held_out);
		out_int(t, (int64_t)v->n);
		for (int k = 0; k < SUGGESTION_CONTESTANTS; k++)
			out_real(t, v->median[k]);
		for (int k = 0; k < SUGGESTION_CONTESTANTS; k++)
			out_real(t, v->p90[k]);
	}
	rc = out_table_print(t, c->format, "evidence", f, e);
	out_table_free(t);
	return rc;
}

static enum err_code print_suggested(const struct context *c, const struct terms_suggestion *s,
				     FILE *f, struct err *e)
{
	struct out_table *t =
		out_table_new(term_columns, sizeof term_columns / sizeof term_columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the terms");
	for (size_t k = 0; k < s->n_terms; k++) {
		out_text(t, s->term[k].communication ? "communication" : "compute");
		out_text(t, s->term[k].text);
		out_real(t, s->term[k].share);
		out_text(t, s->term[k].meaning);
	}
	rc = out_table_print(t, c->format, "terms", f, e);
	out_table_free(t);
	return rc;
}

static enum err_code write_definition(const struct context *c, const struct terms_suggestion *s,
				      const char *path, struct whole_file *w, struct err *e)
{
	enum err_code rc;

	fputs(strbuf_text(&s->definition), whole_file_stream(w));
	if (!(rc = whole_file_commit(w, e)))
		context_note(c, "%s written; edit it, then: lemnos apps add %s", path, path);
	return rc;
}

/* For people the definition alone is the answer, where it goes to standard output: what else is to
 * be said stands in its comments. */
static enum err_code print_suggestion(const struct context *c, const struct terms_suggestion *s,
				      bool with_definition, struct err *e)
{
	enum err_code rc;

	if (c->format == FORMAT_JSON) {
		struct json_t *answer = terms_suggestion_json(s);

		return out_answer(!answer, answer, "the suggestion", c->out, e);
	}
	if (c->format == FORMAT_CSV)
		return print_evidence(c, s, c->out, e);
	if (with_definition) {
		out_exact(strbuf_text(&s->definition), c->out);
		return ERR_OK;
	}
	context_print(c, "%s on %s: terms from %zu of %zu configurations\n", s->app, s->machine,
		      s->n_searched, s->n_configs);
	if ((rc = print_suggested(c, s, c->out, e)))
		return rc;
	context_print(c, "\nerrors of what was held out, and predicted from the rest\n");
	return print_evidence(c, s, c->out, e);
}

static enum err_code suggest_run(struct context *c, struct err *e)
{
	const char *path = options_get(&c->opt, &opt_suggest_output);
	struct terms_suggestion s = {.app = NULL};
	struct whole_file *w = NULL;
	enum err_code rc = ERR_OK;

	/* a name that cannot be had is told before the work, not after it */
	if (path && (rc = whole_file_open(path, WHOLE_FILE_IS_NEW, &w, e)))
		return rc;
	rc = terms_suggest(&c->session, c->n_operands ? c->operand[0] : NULL,
			   options_get(&c->opt, &opt_suggest_machine), &s, e);
	progress_bar_clear(&c->bar);
	if (!rc && s.better && w) {
		rc = write_definition(c, &s, path, w, e);
		w = NULL;
	}
	whole_file_abandon(w);
	if (!rc)
		rc = print_suggestion(c, &s, s.better && !path, e);
	if (!rc && !s.better) {
		context_note(c, "no terms that were found predict held-out runs better than "
				"none: nothing is proposed");
		rc = ERR_INFEASIBLE; /* said already */
	}
	terms_suggestion_release(&s);
	return rc;
}

/* ---- one application ---- */

static const struct out_column columns[] = {
	{"column", NULL, OUT_TEXT},  {"role", NULL, OUT_TEXT},	     {"flag", NULL, OUT_TEXT},
	{"unit", NULL, OUT_TEXT},    {"min", NULL, OUT_REAL},	     {"max", NULL, OUT_REAL},
	{"default", NULL, OUT_REAL}, {"candidates", NULL, OUT_TEXT}, {"doc", "meaning", OUT_TEXT},
};

static void put_column(struct out_table *t, const struct application *a, const struct column *c)
{
	struct strbuf s = STRBUF_INIT;
	const char *flag = application_shown_flag(a, c);

	out_text(t, c->name);
	out_text(t, column_role_name(c->role));
	if (flag)
		strbuf_printf(&s, "--%s", flag);
	out_text(t, flag ? strbuf_text(&s) : NULL);
	out_text(t, c->unit && *c->unit ? c->unit : NULL);
	out_real(t, c->min);
	out_real(t, c->max);
	out_real(t, c->dflt);
	strbuf_clear(&s);
	application_put_candidates(a, c, &s);
	out_text(t, s.len ? strbuf_text(&s) : NULL);
	out_text(t, c->doc);
	strbuf_release(&s);
}

static enum err_code print_json(const struct application *a, FILE *f, struct err *e)
{
	struct json_t *answer = application_json(a);

	return out_answer(!answer, answer, "the description of the application", f, e);
}

static void print_safe(FILE *f, const char *label, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	text_put_safe(&safe, text, false);
	fprintf(f, "%s%s\n", label, strbuf_text(&safe));
	strbuf_release(&safe);
}

/* The terms, and the names that they are written with. */
static void print_terms(const struct application_terms *terms, FILE *f)
{
	if (terms->n > 0)
		fputs("\ntime is a sum of these terms, each times a cost >= 0 that is fitted to "
		      "the runs:\n",
		      f);
	for (size_t i = 0; i < terms->n; i++)
		print_safe(f,
			   terms->term[i].communication ? "  communication  " : "  compute        ",
			   terms->term[i].text);
	for (size_t i = 0; i < terms->n_let; i++) {
		struct strbuf let = STRBUF_INIT;

		strbuf_printf(&let, "%s = %s", terms->let[i].name, terms->let[i].text);
		print_safe(f, i ? "  " : "with\n  ", strbuf_text(&let));
		strbuf_release(&let);
	}
}

static enum err_code print_for_people(const struct application *a, const struct out_table *t,
				      FILE *f, struct err *e)
{
	struct strbuf time = STRBUF_INIT;
	enum err_code rc;

	fputs(a->name, f);
	print_safe(f, a->title && *a->title ? ": " : "", a->title ? a->title : "");
	strbuf_printf(&time, "run time: column %s; structural model: %s", a->target,
		      a->model	       ? a->model
		      : a->terms.n > 0 ? "the terms below"
				       : "none");
	print_safe(f, "", strbuf_text(&time));
	strbuf_release(&time);
	fputc('\n', f);
	if ((rc = out_table_print(t, FORMAT_TABLE, "columns", f, e)))
		return rc;
	for (size_t i = 0; i < a->n_group; i++) {
		fprintf(f, "%s--%s sets", i ? "" : "\n", a->group[i].flag);
		for (size_t j = 0; j < a->group[i].n; j++)
			fprintf(f, "%s %s", j ? " x" : "", a->column[a->group[i].column[j]].name);
		fputc('\n', f);
	}
	for (size_t i = 0; i < a->n_legality; i++) {
		print_safe(f, i ? "  " : "\nlegal is what holds all of:\n  ", a->legality[i].text);
		print_safe(f, "      ", a->legality[i].why);
	}
	print_terms(&a->terms, f);
	return ERR_OK;
}

/* `apps show`: columns with role, flag and range, group flags, what is legal. CSV has the columns
 * only. */
static enum err_code app_description_print(const struct application *a, enum out_format format,
					   FILE *f, struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (format == FORMAT_JSON)
		return print_json(a, f, e);
	t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	if (!t)
		return err_set(e, ERR_NOMEM, "the description of %s", a->name);
	for (size_t i = 0; i < a->n_columns; i++)
		put_column(t, a, &a->column[i]);
	if (format == FORMAT_CSV)
		rc = out_table_print(t, FORMAT_CSV, "columns", f, e);
	else
		rc = print_for_people(a, t, f, e);
	out_table_free(t);
	return rc;
}

/* ---- the command ---- */

static OPTION(opt_definition, "definition", NULL, .help = "show: print the definition file itself",
	      .actions = "show");

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

/* Runs that were loaded before the definition had a column of theirs. */
static enum err_code note_columns_beside(struct context *c, const struct application *a,
					 struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n_columns && !rc; i++) {
		struct strbuf imports = STRBUF_INIT;

		if (a->column[i].role != COL_DERIVED &&
		    !(rc = kb_imports_beside(c->session.kb, a, i, &imports, e)) &&
		    strbuf_text(&imports)[0])
			context_note(c,
				     "%s: import %s kept it beside its runs, which are without it "
				     "until you undo that (lemnos imports undo) and load the file "
				     "again",
				     a->column[i].name, strbuf_text(&imports));
		strbuf_release(&imports);
	}
	return rc;
}

/* How many of them rules leave is known only where a search has judged them. */
static void warn_of_tunings(const struct context *c, const struct application *a)
{
	struct strbuf text = STRBUF_INIT;

	if (application_has_too_many_tunings(a, &text) && !text.failed)
		context_warn(c,
			     "%s: the tunables %s: `recommend` will want some of them given; "
			     "narrower ranges or lists help",
			     a->name, strbuf_text(&text));
	strbuf_release(&text);
}

static enum err_code add_one(struct context *c, const char *operand, struct err *e)
{
	struct application *a = NULL;
	char *path = NULL;
	enum err_code rc = shipped_find_application(&c->session, operand, &path, e);

	if (!rc)
		rc = application_read(path, &a, e);
	free(path);

	if (!rc && !(rc = application_check_candidates(a, e)) &&
	    !(rc = kb_put_application(c->session.kb, a, NULL, e))) {
		context_print(c, "application %s added\n", a->name);
		warn_of_tunings(c, a);
		rc = note_columns_beside(c, a, e);
	}
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
		warn_of_tunings(c, a);
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
	{"list", "", "every application and how many runs it has (the\ndefault)", 0, 0,
	 NEEDS_KB_READ, list_run},
	{"show", "NAME", "its columns, flags and what is legal", 1, 1, NEEDS_KB_READ, show_run},
	{"add", "FILE|NAME...",
	 "add or replace applications from definition files, or from one that\nships, by its name",
	 1, OPERANDS_ANY, NEEDS_KB_CREATE, add_run},
	{"check", "FILE...", "say what is wrong with definition files; no base needed", 1,
	 OPERANDS_ANY, NEEDS_NOTHING, check_run},
	{"suggest", "[NAME] [--machine NAME] [--output FILE]",
	 "from its runs, a definition with the terms that time is made\nof, if terms help", 0, 1,
	 NEEDS_KB_READ, suggest_run},
	{"remove", "NAME", "forget an application that has no runs", 1, 1, NEEDS_KB_WRITE,
	 remove_run},
	{"default", "[NAME|-]",
	 "print, set or (-) unset the application that is meant when none is\nnamed", 0, 1,
	 NEEDS_KB_WRITE, default_run},
};

const struct cmd cmd_apps = {
	.name = "apps",
	.summary = "list, show, add or check applications",
	.description =
		"An application is defined by a small file (libconfig syntax): its problem parameters,\n"
		"tunables with their legal values, resources, derived columns, the header of its run\n"
		"time, and the flags it brings (--mk, --grid). It can also be made from flags at\n"
		"import: see `lemnos help ingest`. Definitions of common codes ship with Lemnos: `add`\n"
		"takes their names (halo, hpl, kripke, multigrid, particles, pdgeqrf, snap, stencil7,\n"
		"and template, one to copy).\n\n"
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
