#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"

static const struct out_column list_columns[] = {
	{"import_id", "import", OUT_INT},  {"file", NULL, OUT_TEXT},
	{"app", NULL, OUT_TEXT},	   {"machine", NULL, OUT_TEXT},
	{"imported_at", "when", OUT_TEXT}, {"taken", NULL, OUT_INT},
	{"refused", NULL, OUT_INT},	   {"known", NULL, OUT_INT},
	{"flagged", NULL, OUT_INT},	   {"undone", NULL, OUT_BOOL},
	{"mapping", NULL, OUT_TEXT},	   {"sha256", NULL, OUT_TEXT},
};
/* mapping and sha256 are for `show` */
enum { N_SHOWN = sizeof list_columns / sizeof list_columns[0], N_ANALYTIC = N_SHOWN - 2 };

static const char *pingpong_text(const struct kb_import *imp)
{
	return strcmp(imp->mapping, KB_PINGPONG_INSIDE_MAPPING) == 0 ? "(ping-pong inside a node)"
								     : "(ping-pong)";
}

static void put_import(struct out_table *t, const struct kb_import *imp, bool whole)
{
	out_int(t, imp->id);
	out_text(t, imp->file_name);
	out_text(t, imp->application ? imp->application : pingpong_text(imp));
	out_text(t, imp->machine);
	out_text(t, imp->imported_at);
	out_int(t, imp->n_taken);
	out_int(t, imp->n_refused);
	out_int(t, imp->n_known);
	out_int(t, imp->n_flagged);
	out_bool(t, imp->undone);
	if (whole) {
		out_text(t, imp->mapping);
		out_text(t, imp->sha256);
	}
}

static enum err_code list_run(struct context *c, struct err *e)
{
	struct kb_imports imports = {0};
	struct out_table *t = NULL;
	enum err_code rc;

	if ((rc = kb_list_imports(c->session.kb, &imports, e)))
		return rc;
	t = out_table_new(list_columns, N_ANALYTIC);
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "the list of imports");
		goto done;
	}
	for (size_t i = 0; i < imports.n; i++)
		put_import(t, &imports.item[i], false);
	rc = out_table_print(t, c->format, "imports", c->out, e);
	if (imports.n == 0)
		context_note(c, "nothing was imported yet; type lemnos ingest FILE");
done:
	out_table_free(t);
	kb_imports_release(&imports);
	return rc;
}

static const struct kb_import *find_import(const struct kb_imports *imports, int64_t id)
{
	for (size_t i = 0; i < imports->n; i++) {
		if (imports->item[i].id == id)
			return &imports->item[i];
	}
	return NULL;
}

static enum err_code parse_id(const char *text, int64_t *id, struct err *e)
{
	struct err why = {0};

	if (integer_parse(text, 1, INT64_MAX, id, &why))
		return err_set(e, ERR_USAGE,
			       "the number of an import: %s (`lemnos imports` lists them)",
			       why.msg);
	return ERR_OK;
}

static enum err_code show_run(struct context *c, struct err *e)
{
	struct kb_imports imports = {0};
	const struct kb_import *imp;
	struct out_table *t = NULL;
	int64_t id = 0;
	enum err_code rc;

	if ((rc = parse_id(c->operand[0], &id, e)) ||
	    (rc = kb_list_imports(c->session.kb, &imports, e)))
		return rc;
	imp = find_import(&imports, id);
	t = imp ? out_table_new(list_columns, N_SHOWN) : NULL;
	if (t) {
		put_import(t, imp, true);
		rc = out_record_print(t, c->format, "import", c->out, e);
	} else if (imp) {
		rc = err_set(e, ERR_NOMEM, "import %lld", (long long)id);
	} else {
		rc = err_set(e, ERR_NOTFOUND,
			     "there is no import %lld (`lemnos imports` lists them)",
			     (long long)id);
	}
	out_table_free(t);
	kb_imports_release(&imports);
	return rc;
}

static bool was_given_before(const struct context *c, size_t i)
{
	for (size_t j = 0; j < i; j++) {
		if (!strcmp(c->operand[j], c->operand[i]))
			return true;
	}
	return false;
}

/* All of them or none. */
static enum err_code undo_run(struct context *c, struct err *e)
{
	struct strbuf said = STRBUF_INIT;
	enum err_code rc = kb_begin(c->session.kb, e);

	for (size_t i = 0; i < c->n_operands && !rc; i++) {
		int64_t id = 0, n = 0;

		if (was_given_before(c, i))
			continue;
		if (!(rc = parse_id(c->operand[i], &id, e)) &&
		    !(rc = kb_undo_import(c->session.kb, id, &n, e)))
			strbuf_printf(&said, "import %lld undone, rows removed: %lld\n",
				      (long long)id, (long long)n);
	}
	if (!rc && !(rc = kb_commit(c->session.kb, e)))
		fprintf(c->out, "%snext: lemnos mine\n", strbuf_text(&said));
	kb_rollback(c->session.kb);
	strbuf_release(&said);
	return rc;
}

static const struct option_spec *const imports_options[] = {&opt_format, NULL};

static const struct action imports_actions[] = {
	{"list", "", "every import, undone ones too (the default)", 0, 0, NEEDS_KB_READ, list_run},
	{"show", "ID", "one import, with how its columns were matched", 1, 1, NEEDS_KB_READ,
	 show_run},
	{"undo", "ID...", "take the rows of these imports out again", 1, OPERANDS_ANY,
	 NEEDS_KB_WRITE, undo_run},
};

const struct cmd cmd_imports = {
	.name = "imports",
	.summary = "list, show or undo imports",
	.description =
		"Every file that was loaded is on record. `undo` removes the rows it brought; the\n"
		"record stays, marked undone, and the file can be loaded again.",
	.examples = "  lemnos imports\n"
		    "  lemnos imports undo 3",
	.options = imports_options,
	.action = imports_actions,
	.n_actions = sizeof imports_actions / sizeof imports_actions[0],
	.plain_actions = "undo",
};
