#include "api/rule_json.h"

#include <string.h>

#include <jansson.h>

#include "api/json_text.h"

/* ---- a rule ---- */

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

static json_t *decision_json(const struct kb_decision *d)
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
	       json_object_set_new(rule, "scope", json_string(rule_scope_name(r))) |
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
	       json_object_set_new(rule, "decision", decision_json(v->verdict.decision)) |
	       json_object_set_new(rule, "look_again", decision_json(v->verdict.look_again));
}

static json_t *rule_json(const struct rule_book *b, const struct rule_view *v, struct err *e)
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

enum err_code rule_book_json(const struct rule_book *b, size_t n, struct json_t **out,
			     struct err *e)
{
	json_t *answer = out_json_answer();
	json_t *rules = json_array();
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		json_t *rule = rule_json(b, &b->item[i], e);

		if (!rule)
			rc = e->code;
		else if (json_array_append_new(rules, rule))
			rc = err_set(e, ERR_NOMEM, "the rules as JSON");
	}
	if (!rc && (json_object_set_new(answer, "stale", json_boolean(b->stale)) |
		    json_object_set(answer, "rules", rules)))
		rc = err_set(e, ERR_NOMEM, "the rules as JSON");
	json_decref(rules);
	if (rc) {
		json_decref(answer);
		answer = NULL;
	}
	*out = answer;
	return rc;
}

/* ---- what today's runs say of it ---- */

static json_t *example_json(const struct application *a, const struct rule_context *g,
			    const struct rule_counter_example *x)
{
	const struct dataset *runs = g->runs;
	const double *row = dataset_row(runs, x->run);
	json_t *example = json_object();

	if (json_object_set_new(example, "run_id", json_integer(runs->run_id[x->run])) |
	    json_object_set_new(example, "machine",
				out_json_string(rule_context_machine(g, x->run))) |
	    config_json_set_role(example, a, COL_PROBLEM, row, false) |
	    config_json_set_choice(example, a, row) |
	    json_object_set_new(example, "wall_s", out_json_real(runs->wall_s[x->run])) |
	    json_object_set_new(example, "ratio", out_json_real(x->ratio))) {
		json_decref(example);
		return NULL;
	}
	return example;
}

static json_t *examples_json(const struct application *a, const struct rule_context *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->witness.n_worst; i++) {
		if (json_array_append_new(list, example_json(a, g, &g->witness.worst[i]))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

static json_t *quantiles_json(const double *sorted, size_t n)
{
	static const struct {
		const char *name;
		double q;
	} quantile[] = {{"min", 0},    {"q10", 0.1}, {"q25", 0.25}, {"median", 0.5},
			{"q75", 0.75}, {"q90", 0.9}, {"max", 1}};
	json_t *side = json_object();

	if (json_object_set_new(side, "n", json_integer((json_int_t)n))) {
		json_decref(side);
		return NULL;
	}
	for (size_t i = 0; i < sizeof quantile / sizeof quantile[0]; i++) {
		if (json_object_set_new(
			    side, quantile[i].name,
			    out_json_real(rule_context_quantile(sorted, n, quantile[i].q)))) {
			json_decref(side);
			return NULL;
		}
	}
	return side;
}

static json_t *decisions_json(const struct rule_book *b, const struct rule *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < b->decisions.n; i++) {
		const struct kb_decision *d = &b->decisions.item[i];

		if (!strcmp(d->rule_id, r->id) && json_array_append_new(list, decision_json(d))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

enum err_code rule_context_json(const struct rule_book *b, const struct rule_view *v,
				const struct rule_context *g, struct json_t **out, struct err *e)
{
	const struct rule_residuals *w = &g->witness;
	json_t *rule = rule_json(b, v, e);
	json_t *answer;

	*out = NULL;
	if (!rule)
		return e->code;
	answer = out_json_answer();
	if (json_object_set_new(answer, "stale", json_boolean(b->stale)) |
	    json_object_set_new(answer, "rule", rule) |
	    json_object_set_new(answer, "decisions", decisions_json(b, v->rule)) |
	    json_object_set_new(answer, "with_rule", quantiles_json(w->with, w->n_with)) |
	    json_object_set_new(answer, "without_rule", quantiles_json(w->without, w->n_without)) |
	    json_object_set_new(answer, "n_counter_examples",
				json_integer((json_int_t)w->n_counter)) |
	    json_object_set_new(answer, "counter_examples", examples_json(b->app, g))) {
		json_decref(answer);
		return err_set(e, ERR_NOMEM, "rule %s as JSON", v->rule->id);
	}
	*out = answer;
	return ERR_OK;
}
