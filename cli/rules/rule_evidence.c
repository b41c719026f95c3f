#include "cli/frame/wrapped_text.h"
#include "cli/rules/rule_evidence.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/rules/rule_output.h"
#include "cli/rules/rules_actions.h"

/* ---- the rule ---- */

void rule_put_head(const struct rule_view *v, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(out, "rule %zu: %s, %s, %s\n", v->number, v->rule->id,
		      rule_kind_name(v->rule->kind), kb_verdict_name(v->verdict.state));
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
