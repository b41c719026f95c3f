#include "cli/rule_background.h"

#include "cli/run_rows.h"
#include "mining/slowdown_table.h"

/* Without the corrections of mined rules, whose worth is in question. Where nothing was fitted
 * there is none. */
static enum err_code load_predictor(struct context *c, const struct rule_book *b,
				    const struct rule *r, struct predictor **out, struct err *e)
{
	struct kb_fit fit = {0};
	struct err why = {0};
	enum err_code rc;

	if (r->kind != RULE_TIME || !r->on_model)
		return ERR_OK;
	rc = kb_get_fit(c->kb, b->app_id, b->machine_id, &fit, &why);
	if (rc)
		return rc == ERR_NOTMINED ? ERR_OK : err_set(e, rc, "%s", why.msg);
	rc = predictor_load(&fit, b->app, out, e);
	kb_fit_release(&fit);
	return rc;
}

static enum err_code ask_runs(struct context *c, const struct rule_book *b, const struct rule *r,
			      struct rule_background *g, struct err *e)
{
	struct slowdown_table *t = NULL;
	struct predictor *base = NULL;
	struct err why = {0};
	enum err_code rc = slowdown_table_make(g->runs, c->progress, &t, &why);

	/* Since the rule was mined its runs may have been excluded, all of them. */
	if (rc)
		return rc == ERR_NODATA ? ERR_OK : err_set(e, rc, "%s", why.msg);
	if (!(rc = load_predictor(c, b, r, &base, e)))
		rc = rule_witness_make(t, r, base, &g->witness, e);
	predictor_free(base);
	slowdown_table_free(t);
	return rc;
}

static enum err_code list_runs(struct context *c, const struct rule_book *b, const struct rule *r,
			       int64_t limit, struct rule_background *g, struct err *e)
{
	struct strbuf where = STRBUF_INIT;
	struct kb_filter f = {.machine_id = r->machine ? b->machine_id : 0};
	enum err_code rc;

	/* those that mining looks at: rule_counts_run() */
	strbuf_puts(&where, "status = 'ok' and flag is null");
	if (r->condition && *r->condition)
		strbuf_printf(&where, " and (%s)", r->condition);
	f.where = strbuf_text(&where);
	if (where.failed)
		rc = err_set(e, ERR_NOMEM, "the condition of rule %s", r->id);
	else if (!(rc = kb_count_runs(c->kb, b->app, &f, &g->n_runs, e))) {
		f.limit = limit;
		rc = run_rows_table(c->kb, b->app, &f, true, &g->brief, e);
	}
	strbuf_release(&where);
	return rc;
}

enum err_code rule_background_load(struct context *c, const struct rule_book *b,
				   const struct rule *r, int64_t limit, struct rule_background *out,
				   struct err *e)
{
	struct rule_background g = {0};
	struct kb_filter f = {.machine_id = r->machine ? b->machine_id : 0};
	enum err_code rc;

	if (!(rc = kb_list_machines(c->kb, b->app_id, &g.machines, e)) &&
	    !(rc = kb_load_runs(c->kb, b->app, &f, c->progress, &g.runs, e)) &&
	    !(rc = ask_runs(c, b, r, &g, e)))
		rc = list_runs(c, b, r, limit, &g, e);
	progress_bar_clear(&c->bar);
	if (rc)
		rule_background_release(&g);
	else
		*out = g;
	return rc;
}

void rule_background_release(struct rule_background *g)
{
	out_table_free(g->brief);
	rule_witness_release(&g->witness);
	kb_names_release(&g->machines);
	dataset_free(g->runs);
	*g = (struct rule_background){0};
}

const char *rule_background_machine(const struct rule_background *g, size_t i)
{
	for (size_t k = 0; k < g->machines.n; k++) {
		if (g->machines.item[k].id == g->runs->machine_id[i])
			return g->machines.item[k].name;
	}
	return NULL;
}
