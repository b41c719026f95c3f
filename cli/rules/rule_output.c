#include "cli/rules/rule_output.h"

#include <math.h>

void rule_put_ratio(double ratio, struct strbuf *out)
{
	if (isfinite(ratio))
		strbuf_printf(out,
			      ratio >= 99.95   ? "%.0fx"
			      : ratio >= 9.995 ? "%.1fx"
					       : "%.2fx",
			      ratio);
}

double rule_percent(double share)
{
	double tenths = round(1000 * share);

	return (tenths == 1000 && share < 1 ? 999 : tenths) / 10;
}

void rule_put_twin(const struct rule *twin, struct strbuf *out)
{
	strbuf_printf(out, "%s: %s", twin->id,
		      twin->condition && *twin->condition ? twin->condition : "always");
	if (twin->setting)
		strbuf_printf(out, ": %s", twin->setting);
	strbuf_puts(out, ", ");
	rule_put_ratio(twin->evidence.effect, out);
	strbuf_puts(out, " on nearly the same runs");
}

/* ---- CSV ---- */

static const struct out_column columns[] = {
	{"number", NULL, OUT_INT},
	{"id", NULL, OUT_TEXT},
	{"kind", NULL, OUT_TEXT},
	{"state", NULL, OUT_TEXT},
	{"text", NULL, OUT_TEXT},
	{"effect", NULL, OUT_REAL},
	{"lo", NULL, OUT_REAL},
	{"hi", NULL, OUT_REAL},
	{"confidence", NULL, OUT_REAL},
	{"n_runs", NULL, OUT_INT},
	{"n_configurations", NULL, OUT_INT},
	{"n_cases", NULL, OUT_INT},
	{"n_problems", NULL, OUT_INT},
	{"n_machines", NULL, OUT_INT},
	{"n_measured", NULL, OUT_INT},
	{"n_simulated", NULL, OUT_INT},
	{"n_modelled", NULL, OUT_INT},
	{"coverage", NULL, OUT_REAL},
	{"versus_others", NULL, OUT_REAL},
	{"p_value", NULL, OUT_REAL},
	{"held_out_error", NULL, OUT_REAL},
	{"usefulness", NULL, OUT_REAL},
	{"app", NULL, OUT_TEXT},
	{"scope", NULL, OUT_TEXT},
	{"machine", NULL, OUT_TEXT},
	{"everywhere", NULL, OUT_BOOL},
	{"condition", NULL, OUT_TEXT},
	{"setting", NULL, OUT_TEXT},
	{"within", NULL, OUT_REAL},
	{"weight", NULL, OUT_REAL},
	{"overlaps", NULL, OUT_TEXT},
	{"overlap", NULL, OUT_REAL},
	{"caveat", NULL, OUT_TEXT},
	{"look_again", NULL, OUT_TEXT},
	{"sql", NULL, OUT_TEXT},
	{"n_checked", NULL, OUT_INT},
	{"n_counter", NULL, OUT_INT},
	{"twin_of", NULL, OUT_TEXT},
	{"cost_part", NULL, OUT_TEXT},
	{"cost_against", NULL, OUT_TEXT},
	{"cost", NULL, OUT_REAL},
	{"cost_lo", NULL, OUT_REAL},
	{"cost_hi", NULL, OUT_REAL},
	{"cost_fitted", NULL, OUT_BOOL},
};

struct out_table *rule_table_new(void)
{
	return out_table_new(columns, sizeof columns / sizeof columns[0]);
}

static void put_evidence(struct out_table *t, const struct rule_evidence *ev)
{
	out_real(t, ev->effect);
	out_real(t, ev->lo);
	out_real(t, ev->hi);
	out_real(t, ev->confidence);
	out_int(t, ev->n_runs);
	out_int(t, ev->n_configurations);
	out_int(t, ev->n_cases);
	out_int(t, ev->n_problems);
	out_int(t, ev->n_machines);
	for (int s = 0; s < SOURCE_COUNT; s++)
		out_int(t, ev->n_source[s]);
	out_real(t, ev->coverage);
	out_real(t, ev->versus_others);
	out_real(t, ev->p_value);
	out_real(t, ev->held_out_error);
	out_real(t, ev->usefulness);
}

static void put_content(struct out_table *t, const struct rule_book *b, const struct rule_view *v)
{
	const struct rule *r = v->rule;

	out_text(t, b->app->name);
	out_text(t, rule_scope_name(r));
	out_text(t, r->machine);
	out_bool(t, v->everywhere);
	out_text(t, r->condition);
	out_text(t, r->setting);
	out_real(t, r->kind == RULE_SETTING ? r->within : NAN);
	out_real(t, r->kind == RULE_TIME ? r->weight : NAN);
	out_text(t, r->overlaps[0] ? r->overlaps : NULL);
	out_real(t, r->overlaps[0] ? r->overlap : NAN);
	out_text(t, r->caveat);
}

/* Columns that came later stand behind the others. Of a rule of several parts the first cost. */
static void put_more(struct out_table *t, const struct rule *r)
{
	const struct rule_cost *cost = r->n_cost > 0 ? &r->cost[0] : NULL;

	out_int(t, r->evidence.n_checked);
	out_int(t, r->evidence.n_counter);
	out_text(t, r->twin_of[0] ? r->twin_of : NULL);
	out_text(t, cost ? cost->part : NULL);
	out_text(t, cost ? cost->against : NULL);
	out_real(t, cost ? cost->ratio : NAN);
	out_real(t, cost ? cost->lo : NAN);
	out_real(t, cost ? cost->hi : NAN);
	out_bool(t, cost && cost->fitted);
}

enum err_code rule_table_add(struct out_table *t, const struct rule_book *b,
			     const struct rule_view *v, struct err *e)
{
	const struct rule *r = v->rule;
	struct strbuf text = STRBUF_INIT, sql = STRBUF_INIT, again = STRBUF_INIT;
	enum err_code rc = rule_put_sql(b->app, r, &sql, e);

	rule_put_text(r, &text);
	rule_put_look_again(&v->verdict, &again);
	if (!rc && (text.failed || sql.failed || again.failed))
		rc = err_set(e, ERR_NOMEM, "rule %s", r->id);
	if (!rc) {
		out_int(t, (int64_t)v->number);
		out_text(t, r->id);
		out_text(t, rule_kind_name(r->kind));
		out_text(t, kb_verdict_name(v->verdict.state));
		out_text(t, strbuf_text(&text));
		put_evidence(t, &r->evidence);
		put_content(t, b, v);
		out_text(t, again.len ? strbuf_text(&again) : NULL);
		out_text(t, strbuf_text(&sql));
		put_more(t, r);
	}
	strbuf_release(&text);
	strbuf_release(&sql);
	strbuf_release(&again);
	return rc;
}
