#include <math.h>

#include "cli/compose/composed_parts.h"

/* m->q.machine is set: its message costs, and the configuration, which takes nodes from it. */
static enum err_code use_machine(struct composed_model *m, struct err *e)
{
	struct model_question *q = &m->q;
	enum err_code rc = model_question_costs(&m->c->session, q, e);

	if (rc)
		return rc;
	q->input.remote = &q->remote;
	q->input.local = q->has_local ? &q->local : NULL;
	return model_question_configure(q, q->row, e);
}

enum err_code part_machine(struct composed_model *m, const struct composition_node *node,
			   struct err *e)
{
	const struct machine_entry *entry = machine_components_find(m->machines, node->chosen);

	if (!entry)
		return err_set(e, ERR_PARSE,
			       "%s: '%s' is no machine; the code of a transport component of your "
			       "own is \"loggp-profile\"",
			       node->chosen->origin, node->chosen->name);
	m->q.machine = entry->machine;
	m->q.machine_id = entry->id;
	return use_machine(m, e);
}

static enum err_code read_number(const struct component *c, const char *attribute, double *out,
				 struct err *e)
{
	const struct component_attribute *a = component_attribute(c, attribute);

	if (!a || a->text || !(a->number >= 0))
		return err_set(e, ERR_PARSE, "%s: the profile of '%s' wants %s, a number >= 0",
			       c->origin, c->name, attribute);
	*out = a->number;
	return ERR_OK;
}

static enum err_code read_loggp(const struct component *c, struct loggp *out, struct err *e)
{
	const struct {
		const char *attribute;
		double *value;
		double unit;
	} wanted[] = {
		{"L_us", &out->L_s, 1e-6},
		{"o_small_us", &out->o_small_s, 1e-6},
		{"o_large_us", &out->o_large_s, 1e-6},
		{"G_small_us_per_byte", &out->G_small_s_per_byte, 1e-6},
		{"G_large_us_per_byte", &out->G_large_s_per_byte, 1e-6},
		{"small_max_bytes", &out->small_max_bytes, 1},
		{"handshake_bytes", &out->handshake_bytes, 1},
	};
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !rc; i++) {
		rc = read_number(c, wanted[i].attribute, wanted[i].value, e);
		*wanted[i].value *= wanted[i].unit;
	}
	return rc;
}

/* A transport whose profile is LogGP's parameters, named and measured as in machine definitions. */
enum err_code part_loggp_profile(struct composed_model *m, const struct composition_node *node,
				 struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = machine_unknown_text(node->chosen->name, &text, e);

	if (!rc)
		rc = machine_parse(strbuf_text(&text), node->chosen->origin, &m->own_machine, e);
	strbuf_release(&text);
	if (rc || (rc = read_loggp(node->chosen, &m->own_machine->loggp, e)))
		return rc;
	m->own_machine->has_loggp = true;
	m->q.machine = m->own_machine;
	m->q.machine_id = 0;
	return use_machine(m, e);
}
