#include "api/application_json.h"

#include <stdint.h>

#include <jansson.h>

#include "api/json_text.h"

const char *application_shown_flag(const struct application *a, const struct column *c)
{
	if (!c->flag && c->role == COL_RESOURCE &&
	    application_flag_column(a, c->name) == (size_t)(c - a->column))
		return c->name;
	return c->flag;
}

void application_put_candidates(const struct application *a, const struct column *c,
				struct strbuf *s)
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

/* ---- JSON ---- */

static json_t *column_json(const struct application *a, const struct column *c)
{
	const char *flag = application_shown_flag(a, c);
	struct strbuf dashed = STRBUF_INIT, tried = STRBUF_INIT;
	json_t *column = json_object();
	int failed;

	strbuf_printf(&dashed, "--%s", flag ? flag : "");
	application_put_candidates(a, c, &tried);
	failed = dashed.failed | tried.failed | member_text(column, "column", c->name) |
		 member_text(column, "role", column_role_name(c->role)) |
		 member_text(column, "flag", flag ? strbuf_text(&dashed) : NULL) |
		 member_text(column, "unit", c->unit && *c->unit ? c->unit : NULL) |
		 member_real(column, "min", c->min) | member_real(column, "max", c->max) |
		 member_real(column, "default", c->dflt) |
		 member_text(column, "candidates", tried.len ? strbuf_text(&tried) : NULL) |
		 member_text(column, "doc", c->doc);
	strbuf_release(&dashed);
	strbuf_release(&tried);
	return out_json_unless(failed, column);
}

static json_t *columns_json(const struct application *a)
{
	json_t *columns = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_columns; i++)
		failed |= json_array_append_new(columns, column_json(a, &a->column[i]));
	return out_json_unless(failed, columns);
}

static json_t *group_json(const struct application *a, const struct group_flag *g)
{
	json_t *names = json_array();
	int failed = 0;

	for (size_t i = 0; i < g->n; i++)
		failed |=
			json_array_append_new(names, out_json_string(a->column[g->column[i]].name));
	return out_json_unless(failed, names);
}

static json_t *groups_json(const struct application *a)
{
	json_t *groups = json_object();
	int failed = 0;

	for (size_t i = 0; i < a->n_group; i++)
		failed |=
			json_object_set_new(groups, a->group[i].flag, group_json(a, &a->group[i]));
	return out_json_unless(failed, groups);
}

static json_t *legality_json(const struct application *a)
{
	json_t *legal = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_legality; i++) {
		json_t *rule = json_object();

		failed |= member_text(rule, "rule", a->legality[i].text) |
			  member_text(rule, "why", a->legality[i].why) |
			  json_array_append_new(legal, rule);
	}
	return out_json_unless(failed, legal);
}

static json_t *kind_json(const struct application_terms *terms, bool communication)
{
	json_t *texts = json_array();
	int failed = 0;

	for (size_t i = 0; i < terms->n; i++) {
		if (terms->term[i].communication == communication)
			failed |=
				json_array_append_new(texts, out_json_string(terms->term[i].text));
	}
	return out_json_unless(failed, texts);
}

static json_t *terms_json(const struct application_terms *terms)
{
	json_t *all = json_object(), *lets = json_array();
	int failed = 0;

	for (size_t i = 0; i < terms->n_let; i++) {
		json_t *let = json_object();

		failed |= member_text(let, "name", terms->let[i].name) |
			  member_text(let, "expr", terms->let[i].text) |
			  json_array_append_new(lets, let);
	}
	failed |= json_object_set_new(all, "let", lets) |
		  json_object_set_new(all, "compute", kind_json(terms, false)) |
		  json_object_set_new(all, "communication", kind_json(terms, true));
	return out_json_unless(failed, all);
}

struct json_t *application_json(const struct application *a)
{
	json_t *answer = out_json_answer(), *app = json_object();
	int failed = member_text(app, "name", a->name) | member_text(app, "title", a->title) |
		     member_text(app, "model", a->model) | member_text(app, "target", a->target) |
		     json_object_set_new(app, "columns", columns_json(a)) |
		     json_object_set_new(app, "group_flags", groups_json(a)) |
		     json_object_set_new(app, "legality", legality_json(a));

	if (a->terms.n > 0)
		failed |= json_object_set_new(app, "terms", terms_json(&a->terms));
	return out_json_unless(failed | json_object_set_new(answer, "app", app), answer);
}
