#include "cli/answer/advice_verdict.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/units.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/machines_text.h"

/* ---- what is predicted for it ---- */

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

/* "48m 10s (90 %: 46m to 51m), in time for 1h with probability 0.97, 1.6 node-hours" */
void advice_put_prediction(struct strbuf *s, const struct answer *answer)
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
}

/* What is new about a configuration that no run had as a whole. */
void advice_put_origin(struct strbuf *s, const struct answer *answer)
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

/* "kept to what held in all runs: directions % dirsets = 0; groups % groupsets = 0" */
void advice_put_invariants(struct strbuf *s, const struct answer_search *search, bool kept,
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

/* ---- yes or no ---- */

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

/* What runs do not surround, or failed runs speak against, was taken because nothing else does what
 * was asked: that comes first. */
static void put_verdict(struct strbuf *s, const struct answer *answer)
{
	const char *support = answer->best.support ? answer->best.support : "";

	if (answer->best.warning.given) {
		strbuf_puts(s, "No configuration that failed runs do not speak against ");
		put_asked(s, answer);
		strbuf_puts(s, ". At risk: ");
	} else if (!strcmp(support, "outside")) {
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
}

static void put_no(struct strbuf *s, const struct context *c, const struct answer *answer)
{
	strbuf_printf(s, "%sNo: ", style(c->color, STYLE_BOLD));
	machines_put_chosen(s, answer);
	text_put_safe(s, answer->reason, false);
	strbuf_printf(s, "%s\n", style(c->color, STYLE_PLAIN));
}

void advice_put_verdict(struct strbuf *s, const struct context *c, const struct answer *answer)
{
	if (answer->feasible)
		put_yes(s, c, answer);
	else
		put_no(s, c, answer);
}

void advice_put_feasible(struct strbuf *s, const struct answer *answer)
{
	double feasible_s = answer->feasible_deadline_s;
	double budget = answer->feasible_budget_node_hours;
	char deadline[32], node_hours[64];

	if (!isnan(feasible_s)) {
		strbuf_printf(s, "deadline that could be met: %s\n",
			      duration_format_up(feasible_s, deadline, sizeof deadline));
	}
	if (!isnan(budget)) {
		strbuf_printf(s, "budget that would do: %s\n",
			      node_hours_format_up(budget, node_hours, sizeof node_hours));
	}
}

/* "deadline: by 2026-11-22T07:30:00+01:00, 15h 05m after the question; ..." */
void advice_put_clock(struct strbuf *s, const struct answer_request *request)
{
	if (!request->by)
		return;
	strbuf_printf(s, "deadline: by %s, ", request->by);
	answer_put_duration(s, request->deadline_s);
	strbuf_printf(s, " after the question (%s), if the job starts at once\n",
		      request->asked_at ? request->asked_at : "");
}

const char *advice_tried_what(const struct answer *answer)
{
	const struct answer_search *search = &answer->evidence.search;

	if (search->further_counts)
		return answer->app->i_nodes != SIZE_MAX
			       ? " of values tried in the runs and further node counts"
			       : " of values tried in the runs and further process counts";
	return search->untried_pairs ? " of values tried in the runs" : " tried in the runs";
}
