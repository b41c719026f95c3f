#include "cli/compose/cmd_model_components.h"

#include <stdlib.h>
#include <string.h>

#include "api/datadir.h"
#include "cli/compose/compose_options.h"
#include "cli/compose/composed_model.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_options.h"
#include "domain/profile_table.h"

/* What is known of its message costs. */
struct known_costs {
	const char *from;
	bool local;
	double blocking_bytes; /* 0: not known */
};

static enum err_code look_up_costs(struct context *c, const struct machine *m, int64_t id,
				   struct known_costs *out, struct err *e)
{
	struct model_question q = {.machine = (struct machine *)m, .machine_id = id};
	struct err why = {0};
	enum err_code rc = model_question_costs(&c->session, &q, &why);

	if (rc && rc != ERR_NODATA)
		return err_set(e, rc, "%s", why.msg);
	*out = (struct known_costs){
		.from = rc		   ? "none"
			: m->has_loggp	   ? "loggp"
			: m->n_segment > 0 ? "segments"
					   : "ping-pong",
		.local = q.has_local,
		.blocking_bytes = m->has_loggp ? m->loggp.handshake_bytes : m->blocking_bytes,
	};
	return ERR_OK;
}

static enum component_paradigm paradigm_of(const struct machine *m, const struct known_costs *costs)
{
	if (m->simulated)
		return PARADIGM_SIMULATED;
	return strcmp(costs->from, "ping-pong") == 0 ? PARADIGM_MEASURED : PARADIGM_ANALYTIC;
}

static bool put_known(struct component *p, const char *attribute, double value)
{
	return value <= 0 || component_put_number(p, attribute, value);
}

static bool fill(struct component *p, const struct machine *m, int64_t n_runs,
		 const struct known_costs *costs, const char *origin)
{
	p->name = strdup(m->name);
	p->title = strdup(m->title);
	p->code = strdup("machine");
	p->origin = strdup(origin);
	p->domain = DOMAIN_HARDWARE;
	p->part = PART_TRANSPORT;
	p->paradigm = paradigm_of(m, costs);
	return p->name && p->title && p->code && p->origin &&
	       component_put_text(p, "costs", costs->from) &&
	       component_put_number(p, "local_costs", costs->local) &&
	       put_known(p, "blocking_bytes", costs->blocking_bytes) &&
	       component_put_number(p, "simulated", m->simulated) &&
	       component_put_number(p, "runs", (double)n_runs) &&
	       put_known(p, "nodes", (double)m->nodes) &&
	       put_known(p, "cores_per_node", (double)m->cores_per_node);
}

static enum err_code make_component(struct context *c, const struct machine *m, int64_t id,
				    int64_t n_runs, const char *origin, struct component **out,
				    struct err *e)
{
	struct known_costs costs;
	struct component *p;
	enum err_code rc = look_up_costs(c, m, id, &costs, e);

	if (rc)
		return rc;
	p = calloc(1, sizeof *p);
	if (!p || !fill(p, m, n_runs, &costs, origin)) {
		component_free(p);
		return err_set(e, ERR_NOMEM, "the machine %s", m->name);
	}
	*out = p;
	return ERR_OK;
}

static bool reserve(struct machine_components *m)
{
	struct machine_entry *longer = realloc(m->item, (m->n + 1) * sizeof *longer);

	if (longer)
		m->item = longer;
	return longer != NULL;
}

/* m is taken over. */
static enum err_code add(struct context *c, struct machine *m, int64_t id, int64_t n_runs,
			 const char *origin, struct component_set *set,
			 struct machine_components *out, struct err *e)
{
	struct component *p = NULL;
	enum err_code rc;

	if (!reserve(out)) {
		machine_free(m);
		return err_set(e, ERR_NOMEM, "the machines");
	}
	if ((rc = make_component(c, m, id, n_runs, origin, &p, e)) ||
	    (rc = component_set_add(set, p, e))) {
		machine_free(m);
		return rc;
	}
	out->item[out->n++] = (struct machine_entry){.component = p, .machine = m, .id = id};
	return ERR_OK;
}

static enum err_code add_of_base(struct context *c, struct component_set *set,
				 struct machine_components *out, struct err *e)
{
	struct kb_names names = {0};
	enum err_code rc = kb_list_machines(c->session.kb, 0, &names, e);

	for (size_t i = 0; i < names.n && !rc; i++) {
		struct machine *m = NULL;

		rc = kb_get_machine_by_id(c->session.kb, names.item[i].id, &m, e);
		if (!rc)
			rc = add(c, m, names.item[i].id, names.item[i].n_runs, c->kb_path, set, out,
				 e);
	}
	kb_names_release(&names);
	return rc;
}

static bool is_known(const struct machine_components *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++) {
		if (strcmp(m->item[i].machine->name, name) == 0)
			return true;
	}
	return false;
}

static enum err_code add_shipped(struct context *c, struct component_set *set,
				 struct machine_components *out, struct err *e)
{
	char *datadir = NULL;
	char **path = NULL;
	enum err_code rc;

	if (!(rc = datadir_find(&datadir, e)))
		rc = datadir_list(datadir, "machines", "", ".conf", &path, e);
	for (char **p = path; p && *p && !rc; p++) {
		struct machine *m = NULL;

		if ((rc = machine_read(*p, &m, e)))
			break;
		if (is_known(out, m->name))
			machine_free(m);
		else
			rc = add(c, m, 0, 0, *p, set, out, e);
	}
	datadir_free(path);
	free(datadir);
	return rc;
}

enum err_code machine_components_add(struct context *c, struct component_set *set,
				     struct machine_components *out, struct err *e)
{
	enum err_code rc = c->session.kb ? add_of_base(c, set, out, e) : ERR_OK;

	return rc ? rc : add_shipped(c, set, out, e);
}

void machine_components_release(struct machine_components *m)
{
	for (size_t i = 0; i < m->n; i++)
		machine_free(m->item[i].machine);
	free(m->item);
	*m = (struct machine_components){0};
}

const struct machine_entry *machine_components_find(const struct machine_components *m,
						    const struct component *c)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->item[i].component == c)
			return &m->item[i];
	}
	return NULL;
}

/* ---- the action ---- */

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
