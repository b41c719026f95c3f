#include "cli/data/app_description.h"

#include <math.h>

#include <jansson.h>

static const struct out_column columns[] = {
	{"column", NULL, OUT_TEXT},  {"role", NULL, OUT_TEXT},	     {"flag", NULL, OUT_TEXT},
	{"unit", NULL, OUT_TEXT},    {"min", NULL, OUT_REAL},	     {"max", NULL, OUT_REAL},
	{"default", NULL, OUT_REAL}, {"candidates", NULL, OUT_TEXT}, {"doc", "meaning", OUT_TEXT},
};

/* "divisors of kt": the values that are tried when nobody fixed one. */
static void put_candidates(const struct application *a, const struct column *c, struct strbuf *s)
{
	const char *of = c->of == SIZE_MAX ? NULL : a->column[c->of].name;

	if (c->role != COL_TUNABLE && c->candidates != CAND_GRID)
		return;
	switch (c->candidates) {
	case CAND_SEEN:
		strbuf_puts(s, "those seen in runs");
		break;
	case CAND_DIVISORS:
		strbuf_printf(s, "divisors of %s", of);
		break;
	case CAND_RANGE:
		if (of)
			strbuf_printf(s, "%g to %s", c->min, of);
		else
			strbuf_printf(s, "%g to %g", c->min, c->max);
		break;
	case CAND_LIST:
		for (size_t i = 0; i < c->n_list; i++)
			strbuf_printf(s, "%s%g", i ? ", " : "", c->list[i]);
		break;
	case CAND_GRID:
		strbuf_puts(s, "processor grid");
		break;
	}
}

static void put_column(struct out_table *t, const struct application *a, const struct column *c)
{
	struct strbuf s = STRBUF_INIT;
	const char *flag = c->flag;

	if (!flag && c->role == COL_RESOURCE &&
	    application_flag_column(a, c->name) == (size_t)(c - a->column))
		flag = c->name; /* resources go by their names */
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
	put_candidates(a, c, &s);
	out_text(t, s.len ? strbuf_text(&s) : NULL);
	out_text(t, c->doc);
	strbuf_release(&s);
}

static json_t *group_json(const struct application *a, const struct group_flag *g)
{
	json_t *names = json_array();

	for (size_t i = 0; i < g->n; i++)
		json_array_append_new(names, out_json_string(a->column[g->column[i]].name));
	return names;
}

static json_t *kind_json(const struct application_terms *terms, bool communication)
{
	json_t *texts = json_array();

	for (size_t i = 0; i < terms->n; i++) {
		if (terms->term[i].communication == communication)
			json_array_append_new(texts, out_json_string(terms->term[i].text));
	}
	return texts;
}

static json_t *terms_json(const struct application_terms *terms)
{
	json_t *all = json_object();
	json_t *lets = json_array();

	for (size_t i = 0; i < terms->n_let; i++) {
		json_t *let = json_object();

		json_object_set_new(let, "name", out_json_string(terms->let[i].name));
		json_object_set_new(let, "expr", out_json_string(terms->let[i].text));
		json_array_append_new(lets, let);
	}
	json_object_set_new(all, "let", lets);
	json_object_set_new(all, "compute", kind_json(terms, false));
	json_object_set_new(all, "communication", kind_json(terms, true));
	return all;
}

static json_t *description_json(const struct application *a, const struct out_table *t)
{
	json_t *app = json_object();
	json_t *groups = json_object();
	json_t *legal = json_array();

	for (size_t i = 0; i < a->n_group; i++)
		json_object_set_new(groups, a->group[i].flag, group_json(a, &a->group[i]));
	for (size_t i = 0; i < a->n_legality; i++) {
		json_t *rule = json_object();

		json_object_set_new(rule, "rule", out_json_string(a->legality[i].text));
		json_object_set_new(rule, "why", out_json_string(a->legality[i].why));
		json_array_append_new(legal, rule);
	}
	json_object_set_new(app, "name", out_json_string(a->name));
	json_object_set_new(app, "title", out_json_string(a->title));
	json_object_set_new(app, "model", out_json_string(a->model));
	json_object_set_new(app, "target", out_json_string(a->target));
	json_object_set_new(app, "columns", out_table_json(t));
	json_object_set_new(app, "group_flags", groups);
	json_object_set_new(app, "legality", legal);
	if (a->terms.n > 0)
		json_object_set_new(app, "terms", terms_json(&a->terms));
	return app;
}

static enum err_code print_json(const struct application *a, const struct out_table *t, FILE *f,
				struct err *e)
{
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (!answer || json_object_set_new(answer, "app", description_json(a, t)))
		rc = err_set(e, ERR_NOMEM, "the description of %s", a->name);
	else
		rc = out_json(answer, f, e);
	json_decref(answer);
	return rc;
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

enum err_code app_description_print(const struct application *a, enum out_format format, FILE *f,
				    struct err *e)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the description of %s", a->name);
	for (size_t i = 0; i < a->n_columns; i++)
		put_column(t, a, &a->column[i]);
	if (format == FORMAT_CSV)
		rc = out_table_print(t, FORMAT_CSV, "columns", f, e);
	else if (format == FORMAT_JSON)
		rc = print_json(a, t, f, e);
	else
		rc = print_for_people(a, t, f, e);
	out_table_free(t);
	return rc;
}
