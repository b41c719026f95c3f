#include "cli/compose/compose_options.h"
#include "cli/compose/composed_model.h"
#include "cli/compose/machine_components.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"
#include "domain/profile_table.h"

static const struct out_column component_columns[] = {
	{"component", NULL, OUT_TEXT}, {"takes", NULL, OUT_TEXT},    {"domain", NULL, OUT_TEXT},
	{"part", NULL, OUT_TEXT},      {"paradigm", NULL, OUT_TEXT}, {"profile", NULL, OUT_TEXT},
	{"requests", NULL, OUT_TEXT},  {"title", NULL, OUT_TEXT},
};

/* "a = 1 and b = 'text'": as a selector would have it. */
static void put_profile(const struct component *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->n_attributes; i++) {
		const struct component_attribute *a = &c->attribute[i];

		strbuf_printf(out, "%s%s = ", i > 0 ? " and " : "", a->name);
		if (a->text)
			strbuf_put_sql(out, a->text);
		else
			strbuf_put_number(out, a->number);
	}
}

static void put_requests(const struct component *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->n_requests; i++)
		strbuf_printf(out, "%s%s where %s", i > 0 ? "; " : "", c->request[i].name,
			      c->request[i].selector);
}

static void put_text(struct out_table *t,
		     void (*put)(const struct component *c, struct strbuf *out),
		     const struct component *c)
{
	struct strbuf text = STRBUF_INIT;

	put(c, &text);
	out_text(t, text.len ? strbuf_text(&text) : NULL);
	strbuf_release(&text);
}

static void put_component(struct out_table *t, const struct component *c)
{
	out_text(t, c->name);
	out_text(t, c->takes);
	out_text(t, component_domain_name(c->domain));
	out_text(t, c->part == PART_NONE ? NULL : component_part_name(c->part));
	out_text(t, component_paradigm_name(c->paradigm));
	put_text(t, put_profile, c);
	put_text(t, put_requests, c);
	out_text(t, c->title);
}

static void put_for_people(const struct component *c, struct strbuf *out)
{
	component_put_name(c, out);
	strbuf_printf(out, "  (%s%s%s, %s)  %s\n", component_domain_name(c->domain),
		      c->part == PART_NONE ? "" : " ", component_part_name(c->part),
		      component_paradigm_name(c->paradigm), c->title);
	if (c->n_attributes > 0) {
		strbuf_puts(out, "    ");
		put_profile(c, out);
		strbuf_puts(out, "\n");
	}
	if (c->n_requests > 0) {
		strbuf_puts(out, "    requests ");
		put_requests(c, out);
		strbuf_puts(out, "\n");
	}
}

static enum err_code print_for_people(const struct context *c, const struct component_set *set,
				      struct err *e)
{
	struct strbuf text = STRBUF_INIT, safe = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < set->n; i++)
		put_for_people(set->item[i], &text);
	text_put_safe(&safe, strbuf_text(&text), true);
	if (text.failed || safe.failed)
		rc = err_set(e, ERR_NOMEM, "the list of components");
	else
		fputs(strbuf_text(&safe), c->out);
	strbuf_release(&safe);
	strbuf_release(&text);
	return rc;
}

static enum err_code print_components(const struct context *c, const struct component_set *set,
				      struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_TABLE)
		return print_for_people(c, set, e);
	t = out_table_new(component_columns, sizeof component_columns / sizeof *component_columns);
	if (!t)
		return err_set(e, ERR_NOMEM, "the list of components");
	for (size_t i = 0; i < set->n; i++)
		put_component(t, set->item[i]);
	rc = out_table_print(t, c->format, "components", c->out, e);
	out_table_free(t);
	return rc;
}

enum err_code model_components_run(struct context *c, struct err *e)
{
	struct component_set set = {0};
	struct machine_components machines = {0};
	struct profile_table *profiles = NULL;
	enum err_code rc;

	if (!(rc = model_definitions_open_base(c, e)) &&
	    !(rc = compose_read_components(c, &set, e)) && !(rc = composed_model_check(&set, e)) &&
	    !(rc = machine_components_add(c, &set, &machines, e)) &&
	    !(rc = profile_table_new(&set, &profiles, e)))
		rc = print_components(c, &set, e);
	profile_table_free(profiles);
	machine_components_release(&machines);
	component_set_release(&set);
	return rc;
}
