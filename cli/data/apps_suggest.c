#include "cli/data/apps_suggest.h"

#include <jansson.h>

#include "api/terms_suggestion.h"
#include "base/whole_file.h"

const struct option_spec opt_suggest_machine = {
	.name = "machine",
	.arg = "NAME",
	.help = "suggest: from the runs on this machine",
	.actions = "suggest",
};
const struct option_spec opt_suggest_output = {
	.name = "output",
	.arg = "FILE",
	.values = "FILE",
	.help = "suggest: write the definition there; no file is overwritten",
	.actions = "suggest",
};

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

static enum err_code print_terms(const struct context *c, const struct terms_suggestion *s, FILE *f,
				 struct err *e)
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
		json_t *answer = terms_suggestion_json(s);

		rc = answer ? out_json(answer, c->out, e) : err_set(e, ERR_NOMEM, "the suggestion");
		json_decref(answer);
		return rc;
	}
	if (c->format == FORMAT_CSV)
		return print_evidence(c, s, c->out, e);
	if (with_definition) {
		out_exact(strbuf_text(&s->definition), c->out);
		return ERR_OK;
	}
	context_print(c, "%s on %s: terms from %zu of %zu configurations\n", s->app, s->machine,
		      s->n_searched, s->n_configs);
	if ((rc = print_terms(c, s, c->out, e)))
		return rc;
	context_print(c, "\nerrors of what was held out, and predicted from the rest\n");
	return print_evidence(c, s, c->out, e);
}

enum err_code apps_suggest_run(struct context *c, struct err *e)
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
