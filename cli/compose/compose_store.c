#include "cli/compose/compose_store.h"

#include "api/import_runs.h"

/* "network loggp:ARGUMENT" as it stands in the composition. */
static void put_part(const struct composed_model *m, const char *request, struct strbuf *out)
{
	const struct composition_node *n = composition_find(m->parts, request);

	if (!n)
		return;
	strbuf_printf(out, " %s=%s", request, n->chosen->name);
	if (n->argument)
		strbuf_printf(out, ":%s", n->argument);
}

static enum err_code check_class(const struct composed_model *m, struct err *e)
{
	const struct component *app = m->parts->node[0].chosen;

	if (application_is(m->q.app, app->name))
		return ERR_OK;
	return err_set(e, ERR_ARG,
		       "--store: times of %s would be false ones of %s, whose columns it has",
		       app->name, m->q.app->name);
}

enum err_code compose_store(struct context *c, const struct composed_model *m, struct err *e)
{
	static const char *const extra[] = {"model", "cpu", "Wg_s", "Wg_fixup_s"};
	const struct composition_node *network = composition_find(m->parts, "network");
	const struct composition_node *cpu = composition_find(m->parts, "cpu");
	char Wg_s[REAL_TEXT_SIZE], Wg_fixup_s[REAL_TEXT_SIZE];
	const char *value[] = {network ? network->chosen->name : NULL,
			       cpu ? cpu->chosen->name : NULL, real_text(m->q.input.run.Wg_s, Wg_s),
			       real_text(m->q.input.run.Wg_fixup_s, Wg_fixup_s)};
	bool simulated = network && network->chosen->paradigm == PARADIGM_SIMULATED;
	struct strbuf origin = STRBUF_INIT;
	struct generated_runs runs = {.app = m->q.app,
				      .machine = m->q.machine,
				      .source = simulated ? SOURCE_SIMULATED : SOURCE_MODELLED,
				      .extra = extra,
				      .n_extra = sizeof extra / sizeof *extra};
	enum err_code rc = check_class(m, e);

	if (rc)
		return rc;
	strbuf_puts(&origin, "model compose");
	put_part(m, "network", &origin);
	put_part(m, "cpu", &origin);
	strbuf_printf(&origin, " wg=%s", Wg_s);
	put_part(m, "machine", &origin);
	runs.origin = strbuf_text(&origin);
	generated_runs_add(&runs, m->q.row, m->time.time_s, value);
	rc = origin.failed ? err_set(e, ERR_NOMEM, "a composed run")
			   : generated_runs_store(&c->session, &runs, e);
	generated_runs_release(&runs);
	strbuf_release(&origin);
	return rc;
}
