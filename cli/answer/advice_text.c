#include "cli/answer/advice_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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
static void put_budget(struct strbuf *s, const struct answer *answer)
{
	double budget = answer->request.budget_node_hours;

	if (isnan(budget))
		return;
	strbuf_puts(s, " (within ");
	strbuf_put_number(s, budget);
	strbuf_puts(s, " with probability ");
	answer_put_probability(s, answer->best.p_budget, answer->request.confidence);
	strbuf_putc(s, ')');
}

/* "kept to what held in all runs: directions % dirsets = 0; groups % groupsets = 0" */
static void put_invariants(struct strbuf *s, const struct answer_search *search, bool kept,
			   const char *lead)
{
	size_t n = 0;

	for (size_t i = 0; i < search->n_invariants; i++) {
		if (search->invariant[i].kept != kept)
			continue;
		strbuf_puts(s, n++ ? "; " : lead);
		text_put_safe(s, search->invariant[i].held, false);
	}
	strbuf_puts(s, n ? "\n" : "");
}

/* What is new about a configuration that no run had as a whole. */
static void put_origin(struct strbuf *s, const struct answer *answer)
{
	const char *origin = answer->best.origin;
	const char *counts = answer->app->i_nodes != SIZE_MAX ? "node" : "process";

	if (!origin)
		return;
	strbuf_puts(s, "not run before: ");
	if (!strcmp(origin, "between"))
		strbuf_printf(s, "its %s count lies between those that were run\n", counts);
	else if (!strcmp(origin, "beyond"))
		strbuf_printf(s, "its %s count lies beyond those that were run\n", counts);
	else
		strbuf_puts(s, "no run had all of its values together\n");
}

/* "48m 10s (90 %: 46m to 51m), in time for 1h with probability 0.97, 1.6 node-hours" */
static void put_prediction(struct strbuf *s, const struct answer *answer)
{
	const struct answer_choice *choice = &answer->best;
	double deadline_s = answer->request.deadline_s;
	double confidence = answer->request.confidence;

	answer_put_interval(s, choice, confidence);
	if (!isnan(deadline_s)) {
		strbuf_puts(s, ", in time for ");
		answer_put_duration(s, deadline_s);
		strbuf_puts(s, " with probability ");
		answer_put_probability(s, choice->p_meet, confidence);
	}
	strbuf_printf(s, ", %.3g %s", choice->node_hours, advice_hours_name(answer));
	put_budget(s, answer);
	strbuf_putc(s, '\n');
	answer_put_support(s, choice);
	put_origin(s, answer);
	put_invariants(
		s, &answer->evidence.search, false,
		"AT RISK: breaks what held in all runs, as nothing known keeps to it here: ");
	failure_put_warning(s, choice);
	if (choice->warning.given)
		strbuf_puts(
			s, "nothing else is left on these nodes, so it is proposed all the same\n");
	answer_put_overuse(s, answer);
}

/* "is in time for 1h and stays within 20 node-hours with a confidence of 0.9" */
static void put_asked(struct strbuf *s, const struct answer *answer)
{
	const struct answer_request *request = &answer->request;
	const double deadline_s = request->deadline_s, budget = request->budget_node_hours;

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
	strbuf_printf(s, " with a confidence of %g", request->confidence);
}

/* What runs do not surround was taken because nothing else does what was asked: that comes first.
 */
static void put_verdict(struct strbuf *s, const struct answer *answer)
{
	const char *support = answer->best.support ? answer->best.support : "";

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

static void put_yes(struct strbuf *s, const struct context *c, const struct answer *answer)
{
	strbuf_puts(s, style(c->color, STYLE_BOLD));
	put_verdict(s, answer);
	machines_put_chosen(s, answer);
	answer_put_choice(s, answer->app, &answer->best);
	strbuf_printf(s, "%s\n", style(c->color, STYLE_PLAIN));
	put_prediction(s, answer);
}

static void put_no(struct strbuf *s, const struct context *c, const struct answer *answer)
{
	double feasible_s = answer->feasible_deadline_s;
	double budget = answer->feasible_budget_node_hours;
	char deadline[32], node_hours[64];

	strbuf_printf(s, "%sNo: ", style(c->color, STYLE_BOLD));
	machines_put_chosen(s, answer);
	text_put_safe(s, answer->reason, false);
	strbuf_printf(s, "%s\n", style(c->color, STYLE_PLAIN));
	if (!isnan(feasible_s)) {
		strbuf_printf(s, "deadline that could be met: %s\n",
			      duration_format_up(feasible_s, deadline, sizeof deadline));
	}
	if (!isnan(budget)) {
		strbuf_printf(s, "budget that would do: %s\n",
			      node_hours_format_up(budget, node_hours, sizeof node_hours));
	}
	if (answer->best.given) {
		strbuf_puts(s, "best effort: ");
		answer_put_choice(s, answer->app, &answer->best);
		strbuf_putc(s, '\n');
		put_prediction(s, answer);
	}
}

/* "deadline: by 2026-11-22T07:30:00+01:00, 15h 05m after the question; ..." */
static void put_clock(struct strbuf *s, const struct answer_request *request)
{
	if (!request->by)
		return;
	strbuf_printf(s, "deadline: by %s, ", request->by);
	answer_put_duration(s, request->deadline_s);
	strbuf_printf(s, " after the question (%s), if the job starts at once\n",
		      request->asked_at ? request->asked_at : "");
}

/* ---- what it was chosen from ---- */

static const char *tried_what(const struct answer *answer)
{
	const struct answer_search *search = &answer->evidence.search;

	if (search->further_counts)
		return answer->app->i_nodes != SIZE_MAX
			       ? " of values tried in the runs and further node counts"
			       : " of values tried in the runs and further process counts";
	return search->untried_pairs ? " of values tried in the runs" : " tried in the runs";
}

static void put_limits(struct strbuf *s, const struct answer *answer)
{
	const struct answer_request *request = &answer->request;
	const struct answer_search *search = &answer->evidence.search;

	strbuf_puts(s, "chosen from: ");
	answer_put_count(s, search->legal,
			 search->tried_only ? "configuration" : "legal configuration");
	if (search->tried_only)
		strbuf_puts(s, tried_what(answer));
	strbuf_puts(s, " on up to ");
	answer_put_count(s, search->max_nodes, "node");
	strbuf_printf(s, " (%s)", search->max_nodes_origin);
	if (request->fixed.n > 0) {
		strbuf_puts(s, " with ");
		answer_put_members(s, &request->fixed);
	}
	strbuf_printf(s, ", by objective %s\n", request->objective_text);
	if (search->cut)
		strbuf_puts(s, "there are more: of those not run as a whole some were left out\n");
	put_invariants(s, search, true, "kept to what held in all runs: ");
	failure_put_left_out(s, search);
	if (search->cores_seen > 0)
		strbuf_printf(
			s,
			"cores per node: at least %.0f, the most that a run used (the machine's"
			" definition does not say)\n",
			search->cores_seen);
	else if (search->core_hours)
		strbuf_puts(s, "nodes: not known; core-hours are counted in place of node-hours\n");
	else if (!search->cores_known && answer->app->i_ppn == SIZE_MAX)
		strbuf_puts(s, "cores per node: not known; one process a node was assumed\n");
	strbuf_printf(s, "memory per node: %s\n",
		      search->memory_checked
			      ? "checked"
			      : "not known, so not checked (give it in the machine's definition)");
}

static void put_rules(struct strbuf *s, const struct answer *answer, bool brief)
{
	struct strbuf elsewhere = STRBUF_INIT;
	size_t before = s->len;

	strbuf_printf(&elsewhere, "lemnos explain %s", answer->id);
	answer_put_rules(s, answer->app, &answer->evidence,
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

static enum err_code print_tables(const struct context *c, const struct answer *answer,
				  size_t max_runs, struct err *e)
{
	struct out_table *choices = advice_table(answer, true);
	struct out_table *runs = advice_runs_table(answer, max_runs);
	enum err_code rc = ERR_OK;

	if (!choices || !runs) {
		rc = err_set(e, ERR_NOMEM, "the answer");
		goto done;
	}
	fputc('\n', c->out);
	if ((rc = out_table_print(choices, FORMAT_TABLE, "choices", c->out, e)) ||
	    (rc = frontier_print(c, answer, e)))
		goto done;
	if (answer->evidence.has_breakdown) {
		fputc('\n', c->out);
		if ((rc = breakdown_print(&answer->evidence.breakdown, c->out, e)))
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

static enum err_code print_text(const struct context *c, const struct answer *answer,
				enum advice_length length, struct err *e)
{
	bool brief = length == ADVICE_ON_A_SCREEN;
	size_t max_runs = brief ? MAX_RUNS_ON_A_SCREEN : SIZE_MAX;
	const struct answer_evidence *evidence = &answer->evidence;
	struct strbuf s = STRBUF_INIT;
	enum err_code rc;

	if (answer->feasible)
		put_yes(&s, c, answer);
	else
		put_no(&s, c, answer);
	put_clock(&s, &answer->request);
	sensitivity_put(&s, answer);
	answer_put_stale(&s, evidence, c->color);
	strbuf_putc(&s, '\n');
	answer_put_setting(&s, answer);
	if ((rc = flush(&s, c->out, e)) || (rc = machines_print(c, answer, e)) ||
	    (rc = print_tables(c, answer, max_runs, e)) ||
	    (!brief && (rc = sensitivity_print(c, answer, e))))
		goto done;
	if ((rc = next_answer_print(c, answer, e)))
		goto done;
	put_rules(&s, answer, brief);
	tie_break_put(&s, answer);
	put_limits(&s, answer);
	answer_put_model(&s, evidence, brief);
	if (brief)
		strbuf_printf(&s, "all behind this answer: lemnos explain %s\n", answer->id);
	rc = flush(&s, c->out, e);
done:
	strbuf_release(&s);
	return rc;
}

static struct out_table *csv_table(const struct answer *answer)
{
	if (answer->has_next)
		return next_table(answer, false);
	if (answer->has_frontier)
		return advice_frontier_table(answer);
	if (answer->has_machines)
		return advice_machines_table(answer, false);
	return advice_table(answer, false);
}

enum err_code advice_print(const struct context *c, const struct answer *answer,
			   enum advice_length length, struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return out_json(answer->json, c->out, e);
	if (c->format == FORMAT_TABLE)
		return print_text(c, answer, length, e);
	t = csv_table(answer);
	rc = t ? out_table_print(t, FORMAT_CSV, "choices", c->out, e)
	       : err_set(e, ERR_NOMEM, "the answer");
	out_table_free(t);
	return rc;
}
