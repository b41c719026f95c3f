#include "cli/history/history.h"

#include <math.h>
#include <string.h>

#include "api/advice_diff.h"
#include "api/advice_explanation.h"
#include "base/strbuf.h"
#include "cli/answer/advice_text.h"
#include "cli/answer/answer_text.h"
#include "cli/data/fit_text.h"
#include "cli/frame/cmd.h"
#include "cli/frame/fold.h"
#include "cli/frame/output.h"

/* ---- what changed ---- */

enum { MAX_LINES = 5 };

static void put_import(struct strbuf *out, const struct kb_changed_import *i, const char *what)
{
	strbuf_puts(out, "  ");
	answer_put_count(out, (double)i->n_runs, i->pingpong ? "ping-pong row" : "run");
	strbuf_printf(out, " %s: import %lld (", what, (long long)i->id);
	text_put_safe(out, i->file_name ? i->file_name : "", false);
	strbuf_printf(out, ", %s)\n", i->at);
}

static void put_imports(struct strbuf *out, const struct kb_changed_import *list, size_t n,
			const char *what)
{
	double n_runs = 0;

	for (size_t i = 0; i < n; i++) {
		if (i < MAX_LINES)
			put_import(out, &list[i], what);
		else
			n_runs += (double)list[i].n_runs;
	}
	if (n > MAX_LINES) {
		strbuf_puts(out, "  and ");
		answer_put_count(out, n_runs, "run");
		strbuf_printf(out, " %s by %zu more\n", what, n - MAX_LINES);
	}
}

static void put_decision(struct strbuf *out, const struct kb_decision *d)
{
	static const char *const done[] = {
		[DECISION_ACCEPT] = "accepted",
		[DECISION_REFUSE] = "refused",
		[DECISION_NOTE] = "",
		[DECISION_UNDO] = "decision taken back",
	};

	strbuf_printf(out, "  rule %s: %s by ", d->rule_id, done[d->kind]);
	text_put_safe(out, d->who, false);
	strbuf_printf(out, " (%s)", d->decided_at);
	if (d->why && *d->why) {
		strbuf_puts(out, ": ");
		text_put_safe(out, d->why, false);
	}
	strbuf_putc(out, '\n');
}

static void put_definitions(struct strbuf *out, const struct advice_record *s,
			    const struct advice_diff *since)
{
	if (since->application)
		strbuf_printf(out, "  the definition of the application %s\n", s->app_name);
	if (since->machine)
		strbuf_printf(out, "  the definition of the machine %s\n", s->machine_name);
}

static void put_knowledge(struct strbuf *out, const struct advice_diff *since)
{
	if (since->unrecorded)
		strbuf_puts(out, "  facts, in a way that left no record (excluded runs that count "
				 "again)\n");
	if (since->other_rules)
		strbuf_puts(out, "  the rules that mining finds\n");
	if (since->predictor)
		strbuf_printf(out, "  the program: its predictors are of version %d, then %lld\n",
			      (int)PREDICTOR_VERSION, (long long)since->predictor_then);
	if (since->other_machines)
		strbuf_puts(out, "  what is known of the other machines that were asked\n");
	if (since->stale)
		strbuf_puts(out, "  not all of it is mined yet: run `lemnos mine`\n");
}

/* What changed since a recommendation, for people, a line each. */
static void advice_diff_put(struct strbuf *out, const struct advice_record *s,
			    const struct advice_diff *since)
{
	const struct kb_changes *facts = &since->facts;
	size_t before = out->len;

	put_imports(out, facts->came, facts->n_came, "loaded");
	put_imports(out, facts->gone, facts->n_gone, "taken out again");
	if (facts->n_excluded > 0) {
		strbuf_puts(out, "  ");
		answer_put_count(out, (double)facts->n_excluded, "run");
		strbuf_puts(out, " excluded\n");
	}
	put_definitions(out, s, since);
	for (size_t i = 0; i < since->n_decided; i++)
		put_decision(out, since->decided[i]);
	put_knowledge(out, since);
	if (out->len == before && since->mined)
		strbuf_puts(out, "  mined anew: the answer was given from stale knowledge\n");
}

/* ---- then and now ---- */

/* One thing as people read it, of a choice. */
typedef void put_fn(struct strbuf *s, const struct answer *then,
		    const struct answer_choice *choice);

static void put_configuration(struct strbuf *s, const struct answer *then,
			      const struct answer_choice *choice)
{
	if (choice->machine && *choice->machine) { /* where several were asked */
		text_put_safe(s, choice->machine, false);
		strbuf_puts(s, ": ");
	}
	answer_put_choice(s, then->app, choice);
}

static void put_interval(struct strbuf *s, const struct answer *then,
			 const struct answer_choice *choice)
{
	answer_put_interval(s, choice, then->request.confidence);
}

static void put_p_meet(struct strbuf *s, const struct answer *then,
		       const struct answer_choice *choice)
{
	if (!isnan(choice->p_meet))
		answer_put_probability(s, choice->p_meet, then->request.confidence);
}

static const struct aspect {
	enum advice_aspect differs;
	const char *heading;
	put_fn *put;
} aspects[] = {
	{ASPECT_CONFIGURATION, "submit   ", put_configuration},
	{ASPECT_TIME, "takes    ", put_interval},
	{ASPECT_P_MEET, "in time  ", put_p_meet},
};

static void put_of_best(struct strbuf *out, const struct answer *a, const struct aspect *aspect)
{
	size_t start = out->len;

	if (a->best.given)
		aspect->put(out, a, &a->best);
	if (out->len == start)
		strbuf_puts(out, "nothing");
}

/* "submit   A; then: B", a line for all that differs. */
static void put_differences(struct strbuf *out, const struct advice_explanation *x,
			    unsigned differences)
{
	if (differences & 1u << ASPECT_FEASIBLE)
		strbuf_puts(out, x->today.told.feasible ? "  it can be done; then: it could not\n"
							: "  it cannot be done; then: it could\n");
	for (size_t i = 0; i < sizeof aspects / sizeof aspects[0]; i++) {
		if (!(differences & 1u << aspects[i].differs))
			continue;
		strbuf_printf(out, "  %s", aspects[i].heading);
		put_of_best(out, &x->today.told, &aspects[i]);
		strbuf_puts(out, "; then: ");
		put_of_best(out, &x->advice.told, &aspects[i]);
		strbuf_putc(out, '\n');
	}
}

/* ---- for people ---- */

enum { MAX_RUNS = 10 };

static void put_runs(struct strbuf *s, const struct kb_outcomes *runs)
{
	strbuf_puts(s, runs->n == 1 ? " (run " : " (runs ");
	for (size_t i = 0; i < runs->n && i < MAX_RUNS; i++)
		strbuf_printf(s, "%s%lld", i ? ", " : "", (long long)runs->item[i].run_id);
	strbuf_puts(s, runs->n > MAX_RUNS ? ", ...)" : ")");
}

static void put_outcome(struct strbuf *s, const struct outcome_record *r)
{
	const struct reliability_outcome *o = &r->outcome;

	strbuf_puts(s, "what happened: ");
	if (o->n_runs == 0) {
		strbuf_puts(s, "no run of this configuration was loaded since\n");
		return;
	}
	answer_put_count(s, (double)o->n_runs, "run");
	strbuf_puts(s, o->n_runs == 1 ? " since took " : " since, their median ");
	answer_put_duration(s, o->median_s);
	if (o->n_in_time + o->n_late > 0)
		strbuf_printf(s, ", %zu of %zu in time", o->n_in_time, o->n_in_time + o->n_late);
	if (o->inside != HIT_UNKNOWN)
		strbuf_printf(s, "; the %s %s the interval", o->n_runs == 1 ? "run is" : "first is",
			      o->inside == HIT_YES ? "inside" : "outside of");
	put_runs(s, &r->runs);
	strbuf_putc(s, '\n');
}

static void put_today(struct strbuf *s, const struct advice_explanation *x)
{
	const unsigned differences = advice_explanation_differences(x);

	if (x->today.current) {
		strbuf_puts(s, "nothing that it rests on has changed: today the answer would be "
			       "the same\n");
		return;
	}
	if (x->today.since_known) {
		strbuf_puts(s, "changed since then:\n");
		advice_diff_put(s, &x->advice, &x->today.since);
	}
	if (*x->today.no_answer) {
		strbuf_puts(s, "today there would be no answer: ");
		text_put_safe(s, x->today.no_answer, false);
		strbuf_putc(s, '\n');
		return;
	}
	strbuf_puts(s, differences ? "because of that, today the answer would differ:\n"
				   : "the answer would be the same today\n");
	put_differences(s, x, differences);
}

/* What the predictor is made of, if the base still has the one that answered. */
static enum err_code print_predictor(const struct context *c, const struct advice_record *a,
				     struct err *e)
{
	struct fit_description d = {0};
	struct err why = {0};
	enum err_code rc;

	if (!a->app_id || !a->machine_id)
		return ERR_OK;
	rc = fit_description_find(c->session.kb, a->app_name, a->machine_name, a->kept.snapshot, &d,
				  &why);
	if (rc == ERR_NOTMINED || rc == ERR_NOTFOUND)
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	if (!(rc = fit_print(c, &d, e)))
		fputc('\n', c->out);
	fit_description_release(&d);
	return rc;
}

static enum err_code print_text(const struct context *c, const struct advice_explanation *x,
				struct err *e)
{
	const struct advice_record *a = &x->advice;
	struct strbuf s = STRBUF_INIT;
	enum err_code rc;

	fprintf(c->out, "recommendation %s, given %s\n\n", a->kept.id, a->kept.given_at);
	if ((rc = advice_print(c, &a->told, ADVICE_IN_FULL, e)) || (rc = print_predictor(c, a, e)))
		return rc;
	strbuf_printf(&s, "snapshot of the facts: %s\n\n", a->kept.snapshot);
	jobs_put_text(&s, &x->jobs);
	put_outcome(&s, &x->record);
	put_today(&s, x);
	if (s.failed)
		rc = err_set(e, ERR_NOMEM, "the explanation");
	else
		fold_print(strbuf_text(&s), c->out);
	strbuf_release(&s);
	return rc;
}

static enum err_code print_json(const struct context *c, const struct advice_explanation *x,
				struct err *e)
{
	struct json_t *answer = NULL;
	enum err_code rc = advice_explanation_json(x, &answer, e);

	return rc ? rc : out_answer(0, answer, "the answer as JSON", c->out, e);
}

enum err_code explanation_run(struct context *c, struct err *e)
{
	struct advice_explanation x = {0};
	enum err_code rc =
		advice_explanation_find(&c->session, c->n_operands ? c->operand[0] : NULL, &x, e);

	progress_bar_clear(&c->bar);
	if (!rc && c->format == FORMAT_JSON)
		rc = print_json(c, &x, e);
	else if (!rc && c->format == FORMAT_CSV)
		rc = advice_print(c, &x.advice.told, ADVICE_IN_FULL, e);
	else if (!rc)
		rc = print_text(c, &x, e);
	advice_explanation_release(&x);
	return rc;
}

/* ---- the command ---- */

static const struct option_spec *const explain_options[] = {&opt_max_memory, &opt_format, NULL};

static const struct action explain_actions[] = {
	{NULL, "[ID]", NULL, 0, 1, NEEDS_KB_READ, explanation_run},
};

const struct cmd cmd_explain = {
	.name = "explain",
	.summary = "everything behind one earlier recommendation",
	.description =
		"Shows a recommendation again as it was given, with the runs behind it and the whole\n"
		"explanation of the predictor; what happened since (runs of that configuration that were\n"
		"loaded later); and how the same question would be answered today: if differently, because\n"
		"of which imports, rules or definitions. ID is what `recommend` printed, or its first digits\n"
		"(4 or more); without it, the recommendation that was given last.",
	.examples = "  lemnos explain\n"
		    "  lemnos explain 5f1c\n"
		    "  lemnos explain 5f1c --format json",
	.options = explain_options,
	.less_memory = "put the question anew, with less left open (--set NAME=VALUE)",
	.action = explain_actions,
	.n_actions = 1,
};
