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

		if (member_text(term, "column", r->term[i].column) |
		    member_real(term, "exponent", r->term[i].exponent) |
		    json_array_append_new(terms, term)) {
			json_decref(terms);
			terms = NULL;
		}
	}
	return out_json_unless(
		json_object_set_new(formula, "of", json_string(r->on_model ? "ratio" : "time_s")) |
			member_real(formula, "coefficient", r->coefficient) |
			json_object_set_new(formula, "terms", terms) |
			member_real(formula, "min", r->min) | member_real(formula, "max", r->max) |
			member_real(formula, "weight", r->weight),
		formula);
}

static json_t *sources_json(const struct rule_evidence *ev)
{
	json_t *sources = json_object();

	for (int s = 0; s < SOURCE_COUNT; s++) {
		if (member_int(sources, run_source_name((enum run_source)s), ev->n_source[s])) {
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
	return out_json_unless(
		json_object_set_new(decision, "decision", json_string(kb_decision_name(d->kind))) |
			member_text(decision, "rule_id", d->rule_id) |
			member_text(decision, "rule_text", d->rule_text) |
			member_text(decision, "who", d->who) |
			member_text(decision, "decided_at", d->decided_at) |
			member_text(decision, "why", d->why) |
			member_bool(decision, "undone", d->undone),
		decision);
}

static json_t *costs_json(const struct rule *r)
{
	json_t *costs = json_array();

	for (size_t i = 0; i < r->n_cost; i++) {
		const struct rule_cost *x = &r->cost[i];
		json_t *cost = json_object();

		if (member_text(cost, "part", x->part) | member_text(cost, "against", x->against) |
		    member_real(cost, "cost", x->ratio) | member_real(cost, "lo", x->lo) |
		    member_real(cost, "hi", x->hi) | member_int(cost, "n_sets", x->n_sets) |
		    member_int(cost, "n_problems", x->n_problems) |
		    member_bool(cost, "fitted", x->fitted) | json_array_append_new(costs, cost)) {
			json_decref(costs);
			return NULL;
		}
	}
	return costs;
}

/* Everything that was measured about the rule. 0: all is set. */
static int set_evidence(json_t *rule, const struct rule_evidence *ev)
{
	return member_int(rule, "n_runs", ev->n_runs) | member_real(rule, "effect", ev->effect) |
	       member_real(rule, "lo", ev->lo) | member_real(rule, "hi", ev->hi) |
	       member_real(rule, "confidence", ev->confidence);
}

static int set_more_evidence(json_t *rule, const struct rule_evidence *ev)
{
	return member_int(rule, "n_configurations", ev->n_configurations) |
	       member_int(rule, "n_cases", ev->n_cases) |
	       member_int(rule, "n_problems", ev->n_problems) |
	       member_int(rule, "n_machines", ev->n_machines) |
	       json_object_set_new(rule, "sources", sources_json(ev)) |
	       member_real(rule, "coverage", ev->coverage) |
	       member_real(rule, "versus_others", ev->versus_others) |
	       member_int(rule, "n_checked", ev->n_checked) |
	       member_int(rule, "n_counter", ev->n_counter) |
	       member_real(rule, "p_value", ev->p_value) |
	       member_real(rule, "held_out_error", ev->held_out_error) |
	       member_real(rule, "usefulness", ev->usefulness);
}

static int set_content(json_t *rule, const struct rule_book *b, const struct rule_view *v)
{
	const struct rule *r = v->rule;

	return member_text(rule, "app", b->app->name) |
	       json_object_set_new(rule, "scope", json_string(rule_scope_name(r))) |
	       member_text(rule, "machine", r->machine) |
	       member_bool(rule, "everywhere", v->everywhere) |
	       member_text(rule, "condition", r->condition) |
	       member_text(rule, "setting", r->setting) |
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
	       member_real(rule, "overlap", overlaps ? r->overlap : 0) |
	       member_text(rule, "covers", r->covers) |
	       json_object_set_new(rule, "twin_of",
				   r->twin_of[0] ? json_string(r->twin_of) : json_null()) |
	       json_object_set_new(rule, "twins", twins_json(b, r)) |
	       member_text(rule, "caveat", r->caveat) |
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
		     member_text(rule, "text", strbuf_text(&text)) |
		     member_text(rule, "sql", strbuf_text(&sql)) |
		     set_evidence(rule, &r->evidence) |
		     json_object_set_new(rule, "state",
					 json_string(kb_rule_state_name(v->verdict.state))) |
		     member_int(rule, "number", (json_int_t)v->number) | set_content(rule, b, v) |
		     set_more_evidence(rule, &r->evidence) | set_judgement(rule, b, v)))
		rc = err_set(e, ERR_NOMEM, "rule %s as JSON", r->id);
	strbuf_release(&text);
	strbuf_release(&sql);
	return out_json_unless(rc != ERR_OK, rule);
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
	if (!rc &&
	    (member_bool(answer, "stale", b->stale) | json_object_set(answer, "rules", rules)))
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

	return out_json_unless(
		member_int(example, "run_id", runs->run_id[x->run]) |
			member_text(example, "machine", rule_context_machine(g, x->run)) |
			config_json_set_role(example, a, COL_PROBLEM, row, false) |
			config_json_set_choice(example, a, row) |
			member_real(example, "wall_s", runs->wall_s[x->run]) |
			member_real(example, "ratio", x->ratio),
		example);
}

static json_t *examples_json(const struct application *a, const struct rule_context *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->residuals.n_worst; i++) {
		if (json_array_append_new(list, example_json(a, g, &g->residuals.worst[i]))) {
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

	if (member_int(side, "n", (json_int_t)n)) {
		json_decref(side);
		return NULL;
	}
	for (size_t i = 0; i < sizeof quantile / sizeof quantile[0]; i++) {
		if (member_real(side, quantile[i].name,
				rule_context_quantile(sorted, n, quantile[i].q))) {
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
	const struct rule_residuals *w = &g->residuals;
	json_t *rule = rule_json(b, v, e);
	json_t *answer;

	*out = NULL;
	if (!rule)
		return e->code;
	answer = out_json_answer();
	if (member_bool(answer, "stale", b->stale) | json_object_set_new(answer, "rule", rule) |
	    json_object_set_new(answer, "decisions", decisions_json(b, v->rule)) |
	    json_object_set_new(answer, "with_rule", quantiles_json(w->with, w->n_with)) |
	    json_object_set_new(answer, "without_rule", quantiles_json(w->without, w->n_without)) |
	    member_int(answer, "n_counter_examples", (json_int_t)w->n_counter) |
	    json_object_set_new(answer, "counter_examples", examples_json(b->app, g))) {
		json_decref(answer);
		return err_set(e, ERR_NOMEM, "rule %s as JSON", v->rule->id);
	}
	*out = answer;
	return ERR_OK;
}

/* ---- findings ---- */

/* "": nothing to say. */
static int member_said(json_t *object, const char *key, const char *text)
{
	return member_text(object, key, text && *text ? text : NULL);
}

static int set_profile(json_t *o, const void *arg, size_t i)
{
	const struct data_profile *p = (const struct data_profile *)arg + i;

	return member_int(o, "runs", p->n_runs) |
	       member_int(o, "configurations", p->n_configurations) |
	       member_int(o, "problems", p->n_problems) | member_int(o, "cases", p->n_cases) |
	       member_int(o, "failed", p->n_failed) | member_int(o, "timeouts", p->n_timeout) |
	       member_int(o, "flagged", p->n_flagged) |
	       member_int(o, "aggregates", p->n_aggregates) |
	       member_int(o, "repeated", p->n_repeated) | member_real(o, "noise", p->noise) |
	       member_real(o, "noise_p90", p->noise_p90) |
	       member_int(o, "outliers", p->n_outliers) | member_int(o, "regimes", p->n_regimes) |
	       member_real(o, "regime_shift", p->regime_shift) |
	       member_real(o, "design_coverage", p->design_coverage) |
	       member_text(o, "remarks", p->remarks);
}

static int set_column(json_t *o, const void *arg, size_t i)
{
	const struct column_profile *p = (const struct column_profile *)arg + i;

	return member_text(o, "column", p->column) | member_text(o, "role", p->role) |
	       member_int(o, "n", p->n) | member_int(o, "n_missing", p->n_missing) |
	       member_int(o, "n_levels", p->n_levels) | member_real(o, "min", p->min) |
	       member_real(o, "q25", p->q25) | member_real(o, "median", p->median) |
	       member_real(o, "q75", p->q75) | member_real(o, "max", p->max) |
	       member_said(o, "level_counts", p->levels) | member_said(o, "remark", p->remark);
}

struct json_t *findings_profile_json(const struct findings *f)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_value(answer, "profile", out_json_object(set_profile, &f->profile)) |
			member_value(answer, "columns",
				     out_json_list(set_column, f->column, f->n_columns)),
		answer);
}

static int set_effect(json_t *o, const void *arg, size_t i)
{
	const struct column_effect *x = (const struct column_effect *)arg + i;

	return member_text(o, "column", x->column) | member_real(o, "time_rho", x->time_rho) |
	       member_real(o, "time_lo", x->time_lo) | member_real(o, "time_hi", x->time_hi) |
	       member_real(o, "time_p", x->time_p) | member_real(o, "slow_rho", x->slow_rho) |
	       member_real(o, "slow_lo", x->slow_lo) | member_real(o, "slow_hi", x->slow_hi) |
	       member_real(o, "slow_p", x->slow_p) | member_real(o, "effect", x->effect) |
	       member_real(o, "effect_lo", x->effect_lo) |
	       member_real(o, "effect_hi", x->effect_hi) | member_said(o, "best", x->best) |
	       member_said(o, "worst", x->worst);
}

static int set_interaction(json_t *o, const void *arg, size_t i)
{
	const struct column_interaction *x = (const struct column_interaction *)arg + i;

	return member_text(o, "a", x->a) | member_text(o, "b", x->b) |
	       member_real(o, "share", x->share) | member_real(o, "p", x->p) |
	       member_said(o, "text", x->text);
}

struct json_t *findings_effects_json(const struct findings *f)
{
	json_t *answer = out_json_answer();

	return out_json_unless(member_value(answer, "effects",
					    out_json_list(set_effect, f->effect, f->n_effects)) |
				       member_value(answer, "interactions",
						    out_json_list(set_interaction, f->interaction,
								  f->n_interactions)),
			       answer);
}

static int set_hypothesis(json_t *o, const void *arg, size_t i)
{
	const struct hypothesis *h = (const struct hypothesis *)arg + i;

	return member_text(o, "attribute", h->attribute) | member_text(o, "value", h->value) |
	       member_int(o, "n_sets", h->n_sets) | member_int(o, "n_agree", h->n_agree) |
	       member_int(o, "confidence", h->confidence) | member_real(o, "gain", h->gain) |
	       member_real(o, "gain_lo", h->gain_lo) | member_real(o, "gain_hi", h->gain_hi) |
	       member_real(o, "p", h->p);
}

struct json_t *findings_hypotheses_json(const struct findings *f)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_value(answer, "hypotheses",
			     out_json_list(set_hypothesis, f->hypothesis, f->n_hypotheses)),
		answer);
}

static int set_ranked(json_t *o, const void *arg, size_t i)
{
	const struct ranked_choice *x = (const struct ranked_choice *)arg + i;

	return member_text(o, "choice", x->choice) | member_real(o, "mean_rank", x->mean_rank) |
	       member_real(o, "rank_sum", x->rank_sum) | member_said(o, "ties", x->ties);
}

struct json_t *findings_ranking_json(const struct findings *f)
{
	const struct ranking *r = &f->ranking;
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_int(answer, "n_cases", r->n_cases) | member_real(answer, "chi2", r->chi2) |
			member_real(answer, "p", r->p) | member_real(answer, "alpha", r->alpha) |
			member_value(answer, "ranking",
				     out_json_list(set_ranked, r->choice, r->n_choices)),
		answer);
}
