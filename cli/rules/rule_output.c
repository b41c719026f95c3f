#include "cli/rules/rule_output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/frame/fold.h"
#include "cli/rules/rules_actions.h"

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
		out_text(t, kb_rule_state_name(v->verdict.state));
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

/* ---- the rule ---- */

void rule_put_head(const struct rule_view *v, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(out, "rule %zu: %s, %s, %s\n", v->number, v->rule->id,
		      rule_kind_name(v->rule->kind), kb_rule_state_name(v->verdict.state));
	rule_put_text(v->rule, &text);
	text_put_wrapped(strbuf_text(&text), 2, out);
	if (v->verdict.look_again) {
		strbuf_clear(&text);
		rule_put_look_again(&v->verdict, &text);
		text_put_wrapped(strbuf_text(&text), 2, out);
	}
	out->failed = out->failed || text.failed;
	strbuf_release(&text);
}

/* ---- its evidence ---- */

static void put_label(const char *label, struct strbuf *out)
{
	strbuf_printf(out, "  %-15s ", label);
}

static void put_count(int64_t n, const char *one, const char *many, struct strbuf *out)
{
	strbuf_printf(out, "%" PRId64 " %s", n, n == 1 ? one : many);
}

/* "1234, 31 % of those mined: 1000 measured, 234 simulated" */
static void put_runs(const struct rule_evidence *ev, struct strbuf *out)
{
	const char *between = ": ";

	put_label("runs", out);
	strbuf_printf(out, "%" PRId64, ev->n_runs);
	if (isfinite(ev->coverage))
		strbuf_printf(out, ", %.1f %% of those mined", 100 * ev->coverage);
	for (int s = 0; s < SOURCE_COUNT; s++) {
		if (ev->n_source[s] == 0)
			continue;
		strbuf_printf(out, "%s%" PRId64 " %s", between, ev->n_source[s],
			      run_source_name((enum run_source)s));
		between = ", ";
	}
	strbuf_putc(out, '\n');
	put_label("", out);
	put_count(ev->n_configurations, "configuration", "configurations", out);
	strbuf_puts(out, " in ");
	put_count(ev->n_cases, "case", "cases", out);
	strbuf_puts(out, " of ");
	put_count(ev->n_problems, "problem", "problems", out);
	strbuf_puts(out, " on ");
	put_count(ev->n_machines, "machine", "machines", out);
	strbuf_putc(out, '\n');
}

static const char *effect_of(const struct rule *r)
{
	switch (r->kind) {
	case RULE_CHOICE:
		return "over the best known of the same case";
	case RULE_SETTING:
		return "its choice over the best known of the case";
	case RULE_TIME:
		return r->on_model ? "over the structural prediction" : "over the typical time";
	case RULE_INVARIANT:
	case RULE_KIND_COUNT:
		break;
	}
	return "";
}

static void put_effect(const struct rule *r, struct strbuf *out)
{
	const struct rule_evidence *ev = &r->evidence;

	if (r->kind == RULE_INVARIANT) {
		put_label("effect", out);
		strbuf_puts(out, "what is proposed keeps to it\n");
		return;
	}
	put_label("effect", out);
	rule_put_ratio(ev->effect, out);
	if (isfinite(ev->lo) && isfinite(ev->hi))
		strbuf_printf(out, " (90 %%: %.3g to %.3g)", ev->lo, ev->hi);
	strbuf_printf(out, " %s\n", effect_of(r));
	if (r->kind == RULE_TIME || !isfinite(ev->versus_others))
		return;
	put_label("", out);
	rule_put_ratio(ev->versus_others, out);
	strbuf_puts(out, " the other choices of the same cases\n");
}

/* The cost of each part, all else equal. */
static void put_costs(const struct rule *r, struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;

	if (r->kind == RULE_CHOICE)
		strbuf_puts(out, r->n_cost > 0
					 ? "  all else equal\n"
					 : "  all else equal  too few runs differ in this choice "
					   "alone\n");
	for (size_t i = 0; i < r->n_cost; i++) {
		const struct rule_cost *x = &r->cost[i];

		strbuf_clear(&line);
		strbuf_printf(&line, "%s costs ", x->part);
		rule_put_ratio(x->ratio, &line);
		if (isfinite(x->lo) && isfinite(x->hi))
			strbuf_printf(&line, " (90 %%: %.4g to %.4g)", x->lo, x->hi);
		strbuf_printf(&line, " against %s, in ", x->against);
		if (x->fitted)
			strbuf_puts(&line, "a fit of ");
		put_count(x->n_sets, x->fitted ? "configuration" : "comparison",
			  x->fitted ? "configurations" : "comparisons", &line);
		strbuf_puts(&line, " of ");
		put_count(x->n_problems, "problem", "problems", &line);
		text_put_wrapped(strbuf_text(&line), 4, out);
	}
	out->failed = out->failed || line.failed;
	strbuf_release(&line);
}

/* A share or an error in percent, left out where it is not known. */
static void put_percent(const char *label, double value, const char *what, struct strbuf *out)
{
	if (!isfinite(value))
		return;
	put_label(label, out);
	strbuf_printf(out, "%.1f %% %s\n", rule_percent(value), what);
}

static void put_held_out(const struct rule *r, struct strbuf *out)
{
	const struct rule_evidence *ev = &r->evidence;

	/* Nobody is to read 100 % above a list of counter-examples. */
	if (rule_held_up(ev) < ev->confidence)
		put_percent("held up", rule_held_up(ev),
			    r->kind == RULE_SETTING
				    ? "of all its cases (of those held out more)"
				    : "of all its configurations (of those held out more)",
			    out);
	else
		put_percent("held up", ev->confidence,
			    r->kind == RULE_TIME ? "of what was held out agrees"
						 : "of the held-out cases agree",
			    out);
	put_percent("", expm1(ev->held_out_error),
		    r->kind == RULE_TIME ? "median error of the formula on held-out configurations"
					 : "median error of the effect on held-out problems",
		    out);
	if (isfinite(ev->p_value)) {
		put_label("by luck", out);
		strbuf_printf(out, "p = %.2g, adjusted for all rules that were tried\n",
			      ev->p_value);
	}
	if (r->kind == RULE_INVARIANT)
		return;
	put_percent("usefulness", ev->usefulness,
		    r->kind == RULE_TIME ? "of all error explained" : "of all slow-down explained",
		    out);
}

static void put_formula(const struct rule *r, struct strbuf *out)
{
	if (r->kind != RULE_TIME)
		return;
	put_label("formula", out);
	strbuf_printf(out, "kept between %.4g and %.4g%s; ", r->min, r->max,
		      r->on_model ? "" : " s");
	if (r->weight > 0)
		strbuf_printf(out, "predictions follow it by %.0f %%\n", 100 * r->weight);
	else
		strbuf_puts(out, "predictions do not follow it\n");
}

static void put_twins(const struct rule_book *b, const struct rule *r, struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;
	const struct rule *twin;
	size_t at = 0;

	if (r->twin_of[0]) {
		put_label("twin of", out);
		strbuf_printf(out, "%s, which says nearly the same of nearly the same runs\n",
			      r->twin_of);
	}
	while ((twin = rule_book_next_twin(b, r, &at))) {
		strbuf_clear(&line);
		strbuf_puts(&line, "twin ");
		rule_put_twin(twin, &line);
		text_put_wrapped(strbuf_text(&line), 2, out);
	}
	out->failed = out->failed || line.failed;
	strbuf_release(&line);
}

void rule_put_evidence(const struct rule_book *b, const struct rule_view *v, struct strbuf *out)
{
	const struct rule *r = v->rule;
	struct strbuf safe = STRBUF_INIT;

	strbuf_puts(out, "evidence\n");
	put_label("scope", out);
	text_put_safe(&safe, r->machine ? r->machine : "all machines", false);
	strbuf_printf(out, "%s%s\n", strbuf_text(&safe),
		      r->machine && v->everywhere ? "; the same holds on all machines" : "");
	put_runs(&r->evidence, out);
	put_effect(r, out);
	put_costs(r, out);
	put_formula(r, out);
	put_held_out(r, out);
	put_twins(b, r, out);
	if (r->overlaps[0]) {
		put_label("overlap", out);
		strbuf_printf(out, "shares %.0f %% of its runs with rule %s\n", 100 * r->overlap,
			      r->overlaps);
	}
	if (r->covers && *r->covers) {
		strbuf_puts(out, "  says the same as these rules of single machines\n");
		text_put_wrapped(r->covers, 4, out);
	}
	if (r->caveat && *r->caveat) {
		strbuf_puts(out, "  but\n");
		text_put_wrapped(r->caveat, 4, out);
	}
	out->failed = out->failed || safe.failed;
	strbuf_release(&safe);
}

/* ---- decisions ---- */

void rule_put_decisions(const struct rule_book *b, const struct rule *r, struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;
	bool any = false;

	for (size_t i = 0; i < b->decisions.n; i++) {
		const struct kb_decision *d = &b->decisions.item[i];

		if (strcmp(d->rule_id, r->id) != 0)
			continue;
		if (!any)
			strbuf_puts(out, "decisions\n");
		any = true;
		strbuf_clear(&line);
		strbuf_printf(&line, "%s  %-6s by %s%s%s%s", d->decided_at,
			      kb_decision_name(d->kind), d->who, *d->why ? ": " : "", d->why,
			      d->undone ? " (undone)" : "");
		text_put_wrapped(strbuf_text(&line), 2, out);
	}
	out->failed = out->failed || line.failed;
	strbuf_release(&line);
}
