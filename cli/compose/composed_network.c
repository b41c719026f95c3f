#include "cli/compose/composed_parts.h"

#include <math.h>
#include <string.h>

#include "api/graph_question.h"
#include "cli/model/simulation_options.h"

/* A model of models/model_list.h, by the name of the component's code. */
enum err_code part_listed_model(struct composed_model *m, const struct composition_node *node,
				struct err *e)
{
	enum err_code rc = model_find(node->chosen->code, &m->q.model, e);

	if (!rc)
		rc = model_run(m->q.model, &m->q.input, &m->time, e);
	if (!rc)
		m->caveat = m->q.model->caveat;
	return rc;
}

/* ---- task graph ---- */

static enum err_code read_network(const struct component *c, enum task_network *out, struct err *e)
{
	static const enum task_network all[] = {NETWORK_UNSHARED, NETWORK_BUS, NETWORK_PORTS,
						NETWORK_LINKS};
	const struct component_attribute *shares = component_attribute(c, "shares");

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (shares && shares->text &&
		    strcmp(shares->text, task_network_name(all[i])) == 0) {
			*out = all[i];
			return ERR_OK;
		}
	}
	return err_set(e, ERR_PARSE,
		       "%s: the profile of '%s' wants shares = \"%s\", \"%s\", \"%s\" or \"%s\"",
		       c->origin, c->name, task_network_name(all[0]), task_network_name(all[1]),
		       task_network_name(all[2]), task_network_name(all[3]));
}

enum err_code part_task_graph(struct composed_model *m, const struct composition_node *node,
			      struct err *e)
{
	enum task_network network = NETWORK_UNSHARED;
	enum err_code rc = read_network(node->chosen, &network, e);

	return rc ? rc : graph_run_time(&m->q.input, network, &m->time, e);
}

/* ---- simulation ---- */

/* What the platform could not express, line by line. */
static void note_remarks(const struct context *c, const struct component *by,
			 const struct strbuf *remarks)
{
	const char *line = strbuf_text(remarks);

	while (*line) {
		size_t length = strcspn(line, "\n");

		context_note(c, "%s: %.*s", by->name, (int)length, line);
		line += length + (line[length] == '\n');
	}
}

static struct sweep_time whole_only(double time_s)
{
	const double unknown = (double)NAN;

	return (struct sweep_time){time_s, {unknown, unknown, unknown, unknown, unknown}};
}

enum err_code part_smpi(struct composed_model *m, const struct composition_node *node,
			struct err *e)
{
	struct simulation s = {0};
	double time_s = 0;
	enum err_code rc;

	if (!simulation_takes_wg(m->c))
		return err_set(e, ERR_USAGE,
			       "a composition takes Wg from its processor (--cpu): --program and "
			       "--cpu-scale are for `lemnos model run smpi`");
	if (!(rc = simulation_open(m->c, &s, e)) &&
	    !(rc = simulation_run(&m->c->session, &s, &m->q, m->q.row, &time_s, e))) {
		m->time = whole_only(time_s);
		note_remarks(m->c, node->chosen, &s.remarks);
	}
	simulation_release(&s);
	return rc;
}
