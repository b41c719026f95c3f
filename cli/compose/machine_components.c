#include "cli/compose/machine_components.h"

#include <stdlib.h>
#include <string.h>

#include "api/datadir.h"
#include "cli/model/model_options.h"

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
