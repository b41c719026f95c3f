#include "cli/rules/rule_output.h"

#include <math.h>

#include <jansson.h>

static const char *scope_name(const struct rule *r)
{
	return r->machine ? "machine" : "all machines";
}

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

/* ---- JSON ---- */

static json_t *formula_json(const struct rule *r)
{
	json_t *formula, *terms;

	if (r->kind != RULE_TIME)
		return json_null();
	formula = json_object();
	terms = json_array();
	for (size_t i = 0; i < r->n_term; i++) {
		json_t *term = json_object();

		if (json_object_set_new(term, "column", out_json_string(r->term[i].column)) |
		    json_object_set_new(term, "exponent", out_json_real(r->term[i].exponent)) |
		    json_array_append_new(terms, term)) {
			json_decref(terms);
			terms = NULL;
		}
	}
	if (json_object_set_new(formula, "of", json_string(r->on_model ? "ratio" : "time_s")) |
	    json_object_set_new(formula, "coefficient", out_json_real(r->coefficient)) |
	    json_object_set_new(formula, "terms", terms) |
	    json_object_set_new(formula, "min", out_json_real(r->min)) |
	    json_object_set_new(formula, "max", out_json_real(r->max)) |
	    json_object_set_new(formula, "weight", out_json_real(r->weight))) {
		json_decref(formula);
		return NULL;
	}
	return formula;
}

static json_t *sources_json(const struct rule_evidence *ev)
{
	json_t *sources = json_object();

	for (int s = 0; s < SOURCE_COUNT; s++) {
		if (json_object_set_new(sources, run_source_name((enum run_source)s),
					json_integer(ev->n_source[s]))) {
			json_decref(sources);
			return NULL;
		}
	}
	return sources;
}

struct json_t *rule_decision_json(const struct kb_decision *d)
{
	json_t *decision;

	if (!d)
		return json_null();
	decision = json_object();
	if (json_object_set_new(decision, "decision", json_string(kb_decision_name(d->kind))) |
	    json_object_set_new(decision, "rule_id", out_json_string(d->rule_id)) |
	    json_object_set_new(decision, "rule_text", out_json_string(d->rule_text)) |
	    json_object_set_new(decision, "who", out_json_string(d->who)) |
	    json_object_set_new(decision, "decided_at", out_json_string(d->decided_at)) |
	    json_object_set_new(decision, "why", out_json_string(d->why)) |
	    json_object_set_new(decision, "undone", json_boolean(d->undone))) {
		json_decref(decision);
		return NULL;
	}
	return decision;
}

static json_t *costs_json(const struct rule *r)
{
	json_t *costs = json_array();

	for (size_t i = 0; i < r->n_cost; i++) {
		const struct rule_cost *x = &r->cost[i];
		json_t *cost = json_object();

		if (json_object_set_new(cost, "part", out_json_string(x->part)) |
		    json_object_set_new(cost, "against", out_json_string(x->against)) |
		    json_object_set_new(cost, "cost", out_json_real(x->ratio)) |
		    json_object_set_new(cost, "lo", out_json_real(x->lo)) |
		    json_object_set_new(cost, "hi", out_json_real(x->hi)) |
		    json_object_set_new(cost, "n_sets", json_integer(x->n_sets)) |
		    json_object_set_new(cost, "n_problems", json_integer(x->n_problems)) |
		    json_object_set_new(cost, "fitted", json_boolean(x->fitted)) |
		    json_array_append_new(costs, cost)) {
			json_decref(costs);
			return NULL;
		}
	}
	return costs;
}

/* Everything that was measured about the rule. 0: all is set. */
static int set_evidence(json_t *rule, const struct rule_evidence *ev)
{
	return json_object_set_new(rule, "n_runs", json_integer(ev->n_runs)) |
	       json_object_set_new(rule, "effect", out_json_real(ev->effect)) |
	       json_object_set_new(rule, "lo", out_json_real(ev->lo)) |
	       json_object_set_new(rule, "hi", out_json_real(ev->hi)) |
	       json_object_set_new(rule, "confidence", out_json_real(ev->confidence));
}

static int set_more_evidence(json_t *rule, const struct rule_evidence *ev)
{
	return json_object_set_new(rule, "n_configurations", json_integer(ev->n_configurations)) |
	       json_object_set_new(rule, "n_cases", json_integer(ev->n_cases)) |
	       json_object_set_new(rule, "n_problems", json_integer(ev->n_problems)) |
	       json_object_set_new(rule, "n_machines", json_integer(ev->n_machines)) |
	       json_object_set_new(rule, "sources", sources_json(ev)) |
	       json_object_set_new(rule, "coverage", out_json_real(ev->coverage)) |
	       json_object_set_new(rule, "versus_others", out_json_real(ev->versus_others)) |
	       json_object_set_new(rule, "n_checked", json_integer(ev->n_checked)) |
	       json_object_set_new(rule, "n_counter", json_integer(ev->n_counter)) |
	       json_object_set_new(rule, "p_value", out_json_real(ev->p_value)) |
	       json_object_set_new(rule, "held_out_error", out_json_real(ev->held_out_error)) |
	       json_object_set_new(rule, "usefulness", out_json_real(ev->usefulness));
}

static int set_content(json_t *rule, const struct rule_book *b, const struct rule_view *v)
{
	const struct rule *r = v->rule;

	return json_object_set_new(rule, "app", out_json_string(b->app->name)) |
	       json_object_set_new(rule, "scope", json_string(scope_name(r))) |
	       json_object_set_new(rule, "machine", out_json_string(r->machine)) |
	       json_object_set_new(rule, "everywhere", json_boolean(v->everywhere)) |
	       json_object_set_new(rule, "condition", out_json_string(r->condition)) |
	       json_object_set_new(rule, "setting", out_json_string(r->setting)) |
	       json_object_set_new(rule, "within",
				   r->kind == RULE_SETTING ? out_json_real(r->within)
							   : json_null()) |
	       json_object_set_new(rule, "formula", formula_json(r)) |
	       json_object_set_new(rule, "costs", costs_json(r));
}

static json_t *twins_json(const struct rule_book *b, const struct rule *r)
{
	json_t *twins = json_array();
	const struct rule *twin;
	size_t at = 0;

	while ((twin = rule_book_next_twin(b, r, &at))) {
		if (json_array_append_new(twins, json_string(twin->id))) {
			json_decref(twins);
			return NULL;
		}
	}
	return twins;
}

static int set_judgement(json_t *rule, const struct rule_book *b, const struct rule_view *v)
{
	const struct rule *r = v->rule;
	bool overlaps = r->overlaps[0] != '\0';

	return json_object_set_new(rule, "overlaps",
				   overlaps ? json_string(r->overlaps) : json_null()) |
	       json_object_set_new(rule, "overlap", out_json_real(overlaps ? r->overlap : 0)) |
	       json_object_set_new(rule, "covers", out_json_string(r->covers)) |
	       json_object_set_new(rule, "twin_of",
				   r->twin_of[0] ? json_string(r->twin_of) : json_null()) |
	       json_object_set_new(rule, "twins", twins_json(b, r)) |
	       json_object_set_new(rule, "caveat", out_json_string(r->caveat)) |
	       json_object_set_new(rule, "decision", rule_decision_json(v->verdict.decision)) |
	       json_object_set_new(rule, "look_again", rule_decision_json(v->verdict.look_again));
}

struct json_t *rule_json(const struct rule_book *b, const struct rule_view *v, struct err *e)
{
	const struct rule *r = v->rule;
	struct strbuf text = STRBUF_INIT, sql = STRBUF_INIT;
	json_t *rule = json_object();
	enum err_code rc = rule_put_sql(b->app, r, &sql, e);

	rule_put_text(r, &text);
	if (!rc &&
	    (text.failed || sql.failed ||
	     json_object_set_new(rule, "id", json_string(r->id)) |
		     json_object_set_new(rule, "kind", json_string(rule_kind_name(r->kind))) |
		     json_object_set_new(rule, "text", out_json_string(strbuf_text(&text))) |
		     json_object_set_new(rule, "sql", out_json_string(strbuf_text(&sql))) |
		     set_evidence(rule, &r->evidence) |
		     json_object_set_new(rule, "state",
					 json_string(kb_verdict_name(v->verdict.state))) |
		     json_object_set_new(rule, "number", json_integer((json_int_t)v->number)) |
		     set_content(rule, b, v) | set_more_evidence(rule, &r->evidence) |
		     set_judgement(rule, b, v)))
		rc = err_set(e, ERR_NOMEM, "rule %s as JSON", r->id);
	strbuf_release(&text);
	strbuf_release(&sql);
	if (rc) {
		json_decref(rule);
		return NULL;
	}
	return rule;
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
	out_text(t, scope_name(r));
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
