#include "cli/answer/advice_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>

#include "base/node_hours.h"
#include "base/units.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/answer_rules.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/breakdown_output.h"
#include "cli/answer/failure_output.h"
#include "cli/answer/frontier_text.h"
#include "cli/answer/sensitivity_text.h"
#include "cli/answer/machines_text.h"
#include "cli/answer/next_answer.h"
#include "cli/answer/next_table.h"

enum { MAX_RUNS_ON_A_SCREEN = 5, MAX_RULES_ON_A_SCREEN = 5 };

/* ---- the answer itself ---- */

/* " (within 200 with probability 0.97)" */
static void put_budget(struct strbuf *s, const json_t *request, const json_t *choice)
{
	double budget = answer_number(request, "budget_node_hours");

	if (isnan(budget))
		return;
	strbuf_puts(s, " (within ");
	strbuf_put_number(s, budget);
	strbuf_puts(s, " with probability ");
	answer_put_probability(s, answer_number(choice, "p_budget"),
			       answer_number(request, "confidence"));
	strbuf_putc(s, ')');
}

/* "48m 10s (90 %: 46m to 51m), in time for 1h with probability 0.97, 1.6 node-hours" */
static void put_prediction(struct strbuf *s, const json_t *answer, const json_t *choice,
			   const struct application *a)
{
	const json_t *request = json_object_get(answer, "request");
	double deadline_s = answer_number(request, "deadline_s");
	double confidence = answer_number(request, "confidence");

	answer_put_interval(s, choice, confidence);
	if (!isnan(deadline_s)) {
		strbuf_puts(s, ", in time for ");
		answer_put_duration(s, deadline_s);
		strbuf_puts(s, " with probability ");
		answer_put_probability(s, answer_number(choice, "p_meet"), confidence);
	}
	strbuf_printf(s, ", %.3g %s", answer_number(choice, "node_hours"),
		      advice_hours_name(answer));
	put_budget(s, request, choice);
	strbuf_putc(s, '\n');
	answer_put_support(s, choice);
	failure_put_warning(s, choice);
	if (json_object_get(choice, "warning"))
		strbuf_puts(
			s, "nothing else is left on these nodes, so it is proposed all the same\n");
	answer_put_overuse(s, a, choice, request, json_object_get(answer, "evidence"));
}

/* "is in time for 1h and stays within 20 node-hours with a confidence of 0.9" */
static void put_asked(struct strbuf *s, const json_t *answer)
{
	const json_t *request = json_object_get(answer, "request");
	double deadline_s = answer_number(request, "deadline_s");
	double budget = answer_number(request, "budget_node_hours");

	if (isnan(deadline_s) && isnan(budget)) {
		strbuf_puts(s, "can be proposed");
		return;
	}
	if (!isnan(deadline_s)) {
		strbuf_puts(s, "is in time for ");
		answer_put_duration(s, deadline_s);
	}
	if (!isnan(budget)) {
		strbuf_puts(s, isnan(deadline_s) ? "stays within " : " and stays within ");
		strbuf_put_number(s, budget);
		strbuf_printf(s, " %s", advice_hours_name(answer));
	}
	strbuf_printf(s, " with a confidence of %g", answer_number(request, "confidence"));
}

/* What runs do not surround was taken because nothing else does what was asked: that comes first.
 */
static void put_verdict(struct strbuf *s, const json_t *answer, const json_t *choice)
{
	const char *support = answer_text(choice, "support");

	if (!strcmp(support, "outside")) {
		strbuf_puts(s, "No configuration like those that were run ");
		put_asked(s, answer);
		strbuf_puts(s, ". Extrapolated: ");
	} else if (!strcmp(support, "edge")) {
		strbuf_puts(s, "Submit at the edge of what was run (nothing between the runs ");
		put_asked(s, answer);
		strbuf_puts(s, "): ");
	} else {
		strbuf_puts(s, "Submit ");
	}
}

static void put_yes(struct strbuf *s, const struct context *c, const json_t *answer,
		    const struct application *a)
{
	const json_t *choice = json_object_get(answer, "recommendation");

	strbuf_puts(s, style(c->color, STYLE_BOLD));
	put_verdict(s, answer, choice);
	machines_put_chosen(s, answer);
	answer_put_choice(s, a, choice);
	strbuf_printf(s, "%s\n", style(c->color, STYLE_PLAIN));
	put_prediction(s, answer, choice, a);
}

static void put_no(struct strbuf *s, const struct context *c, const json_t *answer,
		   const struct application *a)
{
	const json_t *best = json_object_get(answer, "best_effort");
	double feasible_s = answer_number(answer, "feasible_deadline_s");
	double budget = answer_number(answer, "feasible_budget_node_hours");
	char deadline[32], node_hours[64];

	strbuf_printf(s, "%sNo: ", style(c->color, STYLE_BOLD));
	machines_put_chosen(s, answer);
	text_put_safe(s, answer_text(answer, "reason"), false);
	strbuf_printf(s, "%s\n", style(c->color, STYLE_PLAIN));
	if (!isnan(feasible_s)) {
		strbuf_printf(s, "deadline that could be met: %s\n",
			      duration_format_up(feasible_s, deadline, sizeof deadline));
	}
	if (!isnan(budget)) {
		strbuf_printf(s, "budget that would do: %s\n",
			      node_hours_format_up(budget, node_hours, sizeof node_hours));
	}
	if (json_is_object(best)) {
		strbuf_puts(s, "best effort: ");
		answer_put_choice(s, a, best);
		strbuf_putc(s, '\n');
		put_prediction(s, answer, best, a);
	}
}

/* "deadline: by 2026-11-22T07:30:00+01:00, 15h 05m after the question; ..." */
static void put_clock(struct strbuf *s, const json_t *request)
{
	if (!json_object_get(request, "by"))
		return;
	strbuf_printf(s, "deadline: by %s, ", answer_text(request, "by"));
	answer_put_duration(s, answer_number(request, "deadline_s"));
	strbuf_printf(s, " after the question (%s), if the job starts at once\n",
		      answer_text(request, "asked_at"));
}

/* ---- what it was chosen from ---- */

static void put_limits(struct strbuf *s, const json_t *answer, const struct application *a)
{
	const json_t *request = json_object_get(answer, "request");
	const json_t *search = json_object_get(json_object_get(answer, "evidence"), "search");
	const json_t *fixed = json_object_get(request, "fixed");

	strbuf_puts(s, "chosen from: ");
	answer_put_count(s, answer_number(search, "legal"),
			 answer_is(search, "tried_only") ? "configuration" : "legal configuration");
	if (answer_is(search, "tried_only"))
		strbuf_puts(s, " tried in the runs");
	strbuf_puts(s, " on up to ");
	answer_put_count(s, answer_number(search, "max_nodes"), "node");
	strbuf_printf(s, " (%s)", answer_text(search, "max_nodes_origin"));
	if (json_object_size(fixed)) {
		strbuf_puts(s, " with ");
		answer_put_members(s, fixed);
	}
	strbuf_printf(s, ", by objective %s\n", answer_text(request, "objective"));
	failure_put_left_out(s, search);
	if (answer_number(search, "cores_seen") > 0)
		strbuf_printf(
			s,
			"cores per node: at least %.0f, the most that a run used (the machine's"
			" definition does not say)\n",
			answer_number(search, "cores_seen"));
	else if (answer_is(search, "core_hours"))
		strbuf_puts(s, "nodes: not known; core-hours are counted in place of node-hours\n");
	else if (!answer_is(search, "cores_known") && a->i_ppn == SIZE_MAX)
		strbuf_puts(s, "cores per node: not known; one process a node was assumed\n");
	strbuf_printf(s, "memory per node: %s\n",
		      answer_is(search, "memory_checked")
			      ? "checked"
			      : "not known, so not checked (give it in the machine's definition)");
}

static void put_rules(struct strbuf *s, const json_t *answer, const struct application *a,
		      bool brief)
{
	struct strbuf elsewhere = STRBUF_INIT;
	size_t before = s->len;

	strbuf_printf(&elsewhere, "lemnos explain %s", answer_text(answer, "id"));
	answer_put_rules(s, a, json_object_get(answer, "evidence"),
			 brief ? MAX_RULES_ON_A_SCREEN : SIZE_MAX, strbuf_text(&elsewhere));
	if (s->len > before)
		strbuf_putc(s, '\n');
	s->failed |= elsewhere.failed;
	strbuf_release(&elsewhere);
}

/* ---- all together ---- */

static enum err_code flush(struct strbuf *s, FILE *f, struct err *e)
{
	enum err_code rc = s->failed ? err_set(e, ERR_NOMEM, "the answer") : ERR_OK;

	if (!rc)
		fputs(strbuf_text(s), f);
	strbuf_clear(s);
	return rc;
}

static enum err_code print_tables(const struct context *c, const json_t *answer,
				  const struct application *a, size_t max_runs, struct err *e)
{
	const json_t *evidence = json_object_get(answer, "evidence");
	const json_t *parts = json_object_get(evidence, "breakdown");
	struct breakdown b = breakdown_from_json(parts);
	struct out_table *choices = advice_table(answer, a, true);
	struct out_table *runs = advice_runs_table(answer, a, max_runs);
	enum err_code rc = ERR_OK;

	if (!choices || !runs) {
		rc = err_set(e, ERR_NOMEM, "the answer");
		goto done;
	}
	fputc('\n', c->out);
	if ((rc = out_table_print(choices, FORMAT_TABLE, "choices", c->out, e)) ||
	    (rc = frontier_print(c, answer, a, e)))
		goto done;
	if (json_is_object(parts)) {
		fputc('\n', c->out);
		if ((rc = breakdown_print(&b, c->out, e)))
			goto done;
	}
	if (out_table_rows(runs) > 0) {
		fputs("\nnearest runs\n", c->out);
		rc = out_table_print(runs, FORMAT_TABLE, "runs", c->out, e);
	}
	fputc('\n', c->out);
done:
	out_table_free(choices);
	out_table_free(runs);
	return rc;
}

static enum err_code print_text(const struct context *c, const json_t *answer,
				const struct application *a, enum advice_length length,
				struct err *e)
{
	bool brief = length == ADVICE_ON_A_SCREEN;
	size_t max_runs = brief ? MAX_RUNS_ON_A_SCREEN : SIZE_MAX;
	const json_t *evidence = json_object_get(answer, "evidence");
	struct strbuf s = STRBUF_INIT;
	enum err_code rc;

	if (answer_is(answer, "feasible"))
		put_yes(&s, c, answer, a);
	else
		put_no(&s, c, answer, a);
	put_clock(&s, json_object_get(answer, "request"));
	sensitivity_put(&s, a, answer);
	answer_put_stale(&s, evidence, c->color);
	strbuf_putc(&s, '\n');
	answer_put_setting(&s, a, json_object_get(answer, "request"), evidence);
	if ((rc = flush(&s, c->out, e)) || (rc = machines_print(c, answer, a, e)) ||
	    (rc = print_tables(c, answer, a, max_runs, e)) ||
	    (!brief && (rc = sensitivity_print(c, answer, a, e))))
		goto done;
	if ((rc = next_answer_print(c, answer, a, e)))
		goto done;
	put_rules(&s, answer, a, brief);
	tie_break_put(&s, a, answer);
	put_limits(&s, answer, a);
	answer_put_model(&s, evidence, brief);
	if (brief)
		strbuf_printf(&s, "all behind this answer: lemnos explain %s\n",
			      answer_text(answer, "id"));
	rc = flush(&s, c->out, e);
done:
	strbuf_release(&s);
	return rc;
}

static struct out_table *csv_table(const json_t *answer, const struct application *a)
{
	if (json_object_get(answer, "next"))
		return next_table(answer, a, false);
	if (json_object_get(answer, "frontier"))
		return advice_frontier_table(answer, a);
	if (json_object_get(answer, "machines"))
		return advice_machines_table(answer, a, false);
	return advice_table(answer, a, false);
}

enum err_code advice_print(const struct context *c, const struct json_t *answer,
			   const struct application *a, enum advice_length length, struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return out_json(answer, c->out, e);
	if (c->format == FORMAT_TABLE)
		return print_text(c, answer, a, length, e);
	t = csv_table(answer, a);
	rc = t ? out_table_print(t, FORMAT_CSV, "choices", c->out, e)
	       : err_set(e, ERR_NOMEM, "the answer");
	out_table_free(t);
	return rc;
}
