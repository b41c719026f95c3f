#include "cli/frame/cmd.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_formula.h"

static const struct out_column list_columns[] = {
	{"model", NULL, OUT_TEXT},  {"title", NULL, OUT_TEXT},	{"applies_to", NULL, OUT_TEXT},
	{"source", NULL, OUT_TEXT}, {"caveat", NULL, OUT_TEXT}, {"takes", NULL, OUT_TEXT},
};

/* A line of what is said about a model, under its title. */
static void print_line(FILE *f, const char *before, const char *text)
{
	if (text && *text)
		fprintf(f, "%-16s  %s%s\n", "", before, text);
}

static void print_model(FILE *f, const struct model *m, const char *takes)
{
	fprintf(f, "%-16s  %s\n", m->name, m->title);
	print_line(f, "for ", m->applies_to);
	print_line(f, "", m->source);
	print_line(f, "", m->caveat);
	print_line(f, "takes ", takes);
}

static void put_model(struct out_table *t, const struct model *m, const char *takes)
{
	out_text(t, m->name);
	out_text(t, m->title);
	out_text(t, m->applies_to);
	out_text(t, m->source);
	out_text(t, m->caveat);
	out_text(t, *takes ? takes : NULL);
}

static void list_model(const struct context *c, struct out_table *t, const struct model *m)
{
	struct strbuf takes = STRBUF_INIT;

	if (m->formula)
		model_formula_put_inputs(m->formula, &takes);
	if (c->format == FORMAT_TABLE) {
		fputs(out_table_rows(t) ? "\n" : "", c->out);
		print_model(c->out, m, strbuf_text(&takes));
	}
	put_model(t, m, strbuf_text(&takes));
	strbuf_release(&takes);
}

void model_list_put_help(FILE *f)
{
	size_t n = 0;
	const struct model *m = model_list(&n);

	fputs("\nmodels:\n", f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  %-16s  %s\n", m[i].name, m[i].title);
	fprintf(f, "  %-16s  %s\n", model_smpi.name, model_smpi.title);
}

enum err_code model_list_run(struct context *c, struct err *e)
{
	struct out_table *t =
		out_table_new(list_columns, sizeof list_columns / sizeof list_columns[0]);
	size_t n = 0;
	const struct model *m = model_list(&n);
	enum err_code rc = ERR_OK;

	if (!t)
		return err_set(e, ERR_NOMEM, "the list of models");
	for (size_t i = 0; i < n; i++)
		list_model(c, t, &m[i]);
	list_model(c, t, &model_smpi);
	if (c->format != FORMAT_TABLE)
		rc = out_table_print(t, c->format, "models", c->out, e);
	out_table_free(t);
	return rc;
}
