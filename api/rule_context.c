#include "api/rule_context.h"

#include <math.h>

#include "mining/cases/slowdown_table.h"
#include "mining/numerics/order_statistics.h"

/* Without the corrections of mined rules, whose worth is in question. Where nothing was fitted
 * there is none. */
static enum err_code load_predictor(struct session *session, const struct rule_book *b,
				    const struct rule *r, struct predictor **out, struct err *e)
{
	struct kb_fit fit = {0};
	struct err why = {0};
	enum err_code rc;

	if (r->kind != RULE_TIME || !r->on_model)
		return ERR_OK;
	rc = kb_get_fit(session->kb, b->app_id, b->machine_id, &fit, &why);
	if (rc)
		return rc == ERR_NOTMINED ? ERR_OK : err_set(e, rc, "%s", why.msg);
	rc = predictor_load(&fit, b->app, out, e);
	kb_fit_release(&fit);
	return rc;
}

static enum err_code ask_runs(struct session *session, const struct rule_book *b,
			      const struct rule *r, struct rule_context *g, struct err *e)
{
	struct slowdown_table *t = NULL;
	struct predictor *base = NULL;
	struct err why = {0};
	enum err_code rc = slowdown_table_make(g->runs, session->progress, &t, &why);

	/* Since the rule was mined its runs may have been excluded, all of them. */
	if (rc)
		return rc == ERR_NODATA ? ERR_OK : err_set(e, rc, "%s", why.msg);
	if (!(rc = load_predictor(session, b, r, &base, e)))
		rc = rule_residuals_make(t, r, base, &g->witness, e);
	predictor_free(base);
	slowdown_table_free(t);
	return rc;
}

/* Of which runs: those that mining looks at (rule_counts_run()). */
static enum err_code count_runs(struct session *session, const struct rule_book *b,
				const struct rule *r, struct rule_context *g, struct err *e)
{
	strbuf_puts(&g->where, "status = 'ok' and flag is null");
	if (r->condition && *r->condition)
		strbuf_printf(&g->where, " and (%s)", r->condition);
	if (g->where.failed)
		return err_set(e, ERR_NOMEM, "the condition of rule %s", r->id);
	g->filter = (struct kb_filter){.machine_id = r->machine ? b->machine_id : 0,
				       .where = strbuf_text(&g->where)};
	return kb_count_runs(session->kb, b->app, &g->filter, &g->n_runs, e);
}

enum err_code rule_context_load(struct session *session, const struct rule_book *b,
				const struct rule *r, struct rule_context *out, struct err *e)
{
	struct rule_context g = {0};
	struct kb_filter f = {.machine_id = r->machine ? b->machine_id : 0};
	enum err_code rc;

	if (!(rc = kb_list_machines(session->kb, b->app_id, &g.machines, e)) &&
	    !(rc = kb_load_runs(session->kb, b->app, &f, session->progress, &g.runs, e)) &&
	    !(rc = ask_runs(session, b, r, &g, e)))
		rc = count_runs(session, b, r, &g, e);
	if (rc)
		rule_context_release(&g);
	else
		*out = g;
	return rc;
}

void rule_context_release(struct rule_context *g)
{
	strbuf_release(&g->where);
	rule_residuals_release(&g->witness);
	kb_names_release(&g->machines);
	dataset_free(g->runs);
	*g = (struct rule_context){0};
}

double rule_context_quantile(const double *sorted, size_t n, double q)
{
	return n > 0 ? order_quantile(sorted, n, q) : NAN;
}

const char *rule_context_machine(const struct rule_context *g, size_t i)
{
	for (size_t k = 0; k < g->machines.n; k++) {
		if (g->machines.item[k].id == g->runs->machine_id[i])
			return g->machines.item[k].name;
	}
	return NULL;
}
