#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/definition_json.h"
#include "base/err.h"
#include "domain/machine.h"
#include "cli/frame/cmd.h"
#include "cli/frame/context.h"
#include "cli/data/definitions.h"

/* ---- one machine ---- */

static const struct out_column columns[] = {
	{"machine", NULL, OUT_TEXT},
	{"title", NULL, OUT_TEXT},
	{"origin", NULL, OUT_TEXT},
	{"simulated", NULL, OUT_BOOL},
	{"nodes", NULL, OUT_INT},
	{"cores_per_node", "cores per node", OUT_INT},
	{"memory_bytes_per_node", "memory per node [bytes]", OUT_REAL},
	{"L_s", "L [s]", OUT_REAL},
	{"o_small_s", "o, small messages [s]", OUT_REAL},
	{"o_large_s", "o, large messages [s]", OUT_REAL},
	{"G_small_s_per_byte", "G, small messages [s/byte]", OUT_REAL},
	{"G_large_s_per_byte", "G, large messages [s/byte]", OUT_REAL},
	{"small_max_bytes", "small: up to [bytes]", OUT_REAL},
	{"handshake_bytes", "handshake from [bytes]", OUT_REAL},
	{"blocking_bytes", "sends block from [bytes]", OUT_REAL},
};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void put_count(struct out_table *t, int64_t n)
{
	if (n > 0)
		out_int(t, n);
	else
		out_null(t);
}

static void put_loggp(struct out_table *t, const struct machine *m)
{
	const double value[] = {
		m->loggp.L_s,
		m->loggp.o_small_s,
		m->loggp.o_large_s,
		m->loggp.G_small_s_per_byte,
		m->loggp.G_large_s_per_byte,
		m->loggp.small_max_bytes,
		m->loggp.handshake_bytes,
	};

	for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
		out_real(t, m->has_loggp ? value[i] : (double)NAN);
}

static void put_machine(struct out_table *t, const struct machine *m)
{
	out_text(t, m->name);
	out_text(t, m->title);
	out_text(t, m->origin);
	out_bool(t, m->simulated);
	put_count(t, m->nodes);
	put_count(t, m->cores_per_node);
	out_real(t, definition_known(m->memory_bytes_per_node));
	put_loggp(t, m);
	out_real(t, definition_known(m->blocking_bytes));
}

static const struct out_column segment_columns[] = {
	{"from_bytes", "from [bytes]", OUT_REAL},
	{"intercept_s", "intercept [s]", OUT_REAL},
	{"s_per_byte", "slope [s/byte]", OUT_REAL},
	{"se_intercept_s", "std. error [s]", OUT_REAL},
	{"se_s_per_byte", "std. error [s/byte]", OUT_REAL},
	{"origin", NULL, OUT_TEXT},
};

static void put_costs(struct out_table *t, const struct shown_costs *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct cost_segment *s = &c->item[i].segment;

		out_real(t, s->from_bytes);
		out_real(t, s->intercept_s);
		out_real(t, s->s_per_byte);
		out_real(t, definition_known(s->se_intercept_s));
		out_real(t, definition_known(s->se_s_per_byte));
		out_text(t, c->item[i].origin);
	}
}

static enum err_code print_tables(struct context *c, const struct machine *m,
				  const struct shown_costs *costs, struct err *e)
{
	struct out_table *t = out_table_new(columns, COUNT(columns)),
			 *segments = out_table_new(segment_columns, COUNT(segment_columns));
	enum err_code rc = ERR_OK;

	if (t && segments) {
		put_machine(t, m);
		put_costs(segments, costs);
		rc = out_record_print(t, c->format, "machine", c->out, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "the machine %s", m->name);
	}
	if (rc || c->format == FORMAT_CSV)
		goto done;
	if (costs->n > 0)
		fputs("\nmessages, one way:\n", c->out);
	else if (!m->has_loggp)
		context_note(c,
			     "its message costs are not known; `lemnos calibrate --machine %s "
			     "--pingpong FILE` finds them",
			     m->name);
	rc = out_table_print(segments, FORMAT_TABLE, "segments", c->out, e);
done:
	out_table_free(segments);
	out_table_free(t);
	return rc;
}

/* `machines show`: what is known about a machine, and its message costs, given or fitted. CSV has
 * no message costs. */
static enum err_code machine_description_print(struct context *c, const struct machine *m,
					       int64_t id, struct err *e)
{
	struct shown_costs costs = {0};
	struct json_t *answer;
	enum err_code rc = shown_costs_find(c->session.kb, m, id, &costs, e);

	if (!rc && c->format == FORMAT_JSON) {
		answer = machine_definition_json(m, &costs);
		rc = out_answer(!answer, answer, "the machine as JSON", c->out, e);
	} else if (!rc) {
		rc = print_tables(c, m, &costs, e);
	}
	shown_costs_release(&costs);
	return rc;
}

/* ---- the command ---- */

static OPTION(opt_definition, "definition", NULL, .help = "show: print the definition file itself",
	      .actions = "show");

static const struct out_column list_columns[] = {
	{"machine", NULL, OUT_TEXT}, {"runs", NULL, OUT_INT},	{"simulated", NULL, OUT_BOOL},
	{"default", NULL, OUT_BOOL}, {"title", NULL, OUT_TEXT},
};

static enum err_code list_run(struct context *c, struct err *e)
{
	struct kb_names names = {0};
	struct out_table *t = NULL;
	enum err_code rc = kb_list_machines(c->session.kb, 0, &names, e);

	if (rc)
		return rc;
	t = out_table_new(list_columns, sizeof list_columns / sizeof list_columns[0]);
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "the list of machines");
		goto done;
	}
	for (size_t i = 0; i < names.n; i++) {
		out_text(t, names.item[i].name);
		out_int(t, names.item[i].n_runs);
		out_bool(t, names.item[i].simulated);
		out_bool(t, names.item[i].is_default);
		out_text(t, names.item[i].title);
	}
	rc = out_table_print(t, c->format, "machines", c->out, e);
	if (names.n == 0)
		context_note(
			c, "no machine is known yet; type lemnos machines add FILE, or load runs");
done:
	out_table_free(t);
	kb_names_release(&names);
	return rc;
}

static enum err_code show_run(struct context *c, struct err *e)
{
	struct machine *m = NULL;
	int64_t id = 0;
	enum err_code rc = kb_get_machine(c->session.kb, c->operand[0], &m, &id, e);

	if (rc)
		return rc;
	if (options_has(&c->opt, &opt_definition))
		out_exact(m->definition, c->out);
	else
		rc = machine_description_print(c, m, id, e);
	machine_free(m);
	return rc;
}

static enum err_code add_one(struct context *c, const char *path, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc = machine_read(path, &m, e);

	if (!rc && !(rc = kb_put_machine(c->session.kb, m, NULL, e)))
		context_print(c, "machine %s added\n", m->name);
	machine_free(m);
	return rc;
}

static enum err_code check_one(struct context *c, const char *path, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc = machine_read(path, &m, e);

	if (!rc)
		context_print(c, "%s: machine %s is well defined\n", path, m->name);
	machine_free(m);
	return rc;
}

static enum err_code add_run(struct context *c, struct err *e)
{
	return for_each_operand(c, add_one, e);
}

static enum err_code check_run(struct context *c, struct err *e)
{
	return for_each_operand(c, check_one, e);
}

static enum err_code remove_run(struct context *c, struct err *e)
{
	enum err_code rc = kb_remove_machine(c->session.kb, c->operand[0], e);

	if (!rc)
		context_print(c, "machine %s removed\n", c->operand[0]);
	return rc;
}

static enum err_code default_run(struct context *c, struct err *e)
{
	struct machine *m = NULL;
	enum err_code rc;

	if (c->n_operands == 0)
		return default_print(c, "machine", e);
	if (!strcmp(c->operand[0], "-"))
		return default_set(c, "machine", NULL, e);
	if (!(rc = kb_get_machine(c->session.kb, c->operand[0], &m, NULL, e)))
		rc = default_set(c, "machine", m->name, e);
	machine_free(m);
	return rc;
}

static const struct option_spec *const machines_options[] = {&opt_definition, &opt_format, NULL};

static const struct action machines_actions[] = {
	{"list", "", "every machine and how many runs it has (the default)", 0, 0, NEEDS_KB_READ,
	 list_run},
	{"show", "NAME", "what is known about one", 1, 1, NEEDS_KB_READ, show_run},
	{"add", "FILE...", "add or replace machines from definition files", 1, OPERANDS_ANY,
	 NEEDS_KB_CREATE, add_run},
	{"check", "FILE...", "say what is wrong with definition files; no base needed", 1,
	 OPERANDS_ANY, NEEDS_NOTHING, check_run},
	{"remove", "NAME", "forget a machine that has no runs", 1, 1, NEEDS_KB_WRITE, remove_run},
	{"default", "[NAME|-]",
	 "print, set or (-) unset the machine that is meant when none is\nnamed", 0, 1,
	 NEEDS_KB_WRITE, default_run},
};

const struct cmd cmd_machines = {
	.name = "machines",
	.summary = "list, show, add or check machines",
	.description = "A machine is a small file (libconfig syntax): nodes, cores, memory, "
		       "message costs as\n"
		       "far as they are known, and where the figures come from. Importing runs of "
		       "an unknown\n"
		       "machine makes one of which only the name is known.",
	.examples = "  lemnos machines\n"
		    "  lemnos machines show sp2like\n"
		    "  lemnos machines show sp2like --definition >mycluster.conf\n"
		    "  lemnos machines default sp2like",
	.options = machines_options,
	.action = machines_actions,
	.n_actions = sizeof machines_actions / sizeof machines_actions[0],
	.plain_actions = "add check remove default",
};
