#include "cli/answer/advice_verdict.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/frame/fold.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"

/* ---- the step that costs most ---- */

static const struct answer_move *worst_move(const struct answer *answer)
{
	const struct answer_move *worst = NULL;

	for (size_t i = 0; i < answer->n_moves; i++) {
		const struct answer_move *move = &answer->move[i];

		if (move->ratio > 1 && (!worst || move->ratio > worst->ratio))
			worst = move;
	}
	return worst;
}

/* What a choice sets the parameter to: "10", "8x16". */
static void put_parameter(struct strbuf *s, const struct application *a, const char *parameter,
			  const struct answer_choice *choice)
{
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n = shown ? shown_columns(a, true, shown) : 0;

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(shown[i].name, parameter))
			shown_column_put(&shown[i], choice->value, s);
	}
	if (!shown)
		strbuf_fail(s);
	free(shown);
}

#define LEAST_SHOWN 5e-4 /* of a time: less is rounding, and no machine repeats itself so well */

/* "most sensitive to mk: 3 instead of 1 takes 5.3 % longer (49m 48s), in time with probability
 * 0.94" */
static void put_worst(struct strbuf *s, const struct answer *answer, const struct answer_move *move)
{
	double p_meet = move->to.p_meet;

	strbuf_printf(s, "most sensitive to %s: ", move->parameter);
	put_parameter(s, answer->app, move->parameter, &move->to);
	strbuf_puts(s, " instead of ");
	put_parameter(s, answer->app, move->parameter, &answer->best);
	strbuf_puts(s, " takes ");
	if (move->ratio - 1 < LEAST_SHOWN) {
		strbuf_puts(s, "as long (");
	} else {
		answer_put_percent(s, move->ratio - 1);
		strbuf_puts(s, " longer (");
	}
	answer_put_duration(s, move->to.predicted_s);
	strbuf_puts(s, ")");
	if (!isnan(p_meet)) {
		strbuf_puts(s, ", in time with probability ");
		answer_put_probability(s, p_meet, answer->request.confidence);
	}
	strbuf_putc(s, '\n');
}

/* ---- the number of nodes ---- */

/* Rounded into the range: whoever types one of the two back gets the same nodes. Below one half
 * nobody asks for confidence. */
static void put_confidences(struct strbuf *s, double from, double to)
{
	strbuf_puts(s, ", and to confidences ");
	if (from >= 0.5)
		strbuf_printf(s, "from %.4g to ", ceil(1e4 * from) / 1e4);
	else
		strbuf_puts(s, "up to ");
	strbuf_printf(s, "%.4g\n", floor(1e4 * to) / 1e4);
}

/* "2 nodes are the answer to deadlines from 46m 12s to 1h 36m, and to confidences from 0.72 to
 * 0.95" */
static void put_limits(struct strbuf *s, const struct answer *answer)
{
	const struct answer_node_limits *limits = &answer->node_limits;
	size_t i_nodes = answer->app->i_nodes;
	double nodes = i_nodes == SIZE_MAX ? (double)NAN : answer->best.value[i_nodes].number;
	double to_s = limits->deadline_to_s;
	char from[32];

	if (isnan(nodes))
		return;
	answer_put_count(s, nodes, "node");
	strbuf_printf(s, " %s the answer to deadlines from %s", nodes == 1 ? "is" : "are",
		      duration_format_up(limits->deadline_from_s, from, sizeof from));
	if (isnan(to_s)) {
		strbuf_puts(s, " on");
	} else {
		strbuf_puts(s, " to ");
		answer_put_duration(s, to_s);
	}
	put_confidences(s, limits->confidence_from, limits->confidence_to);
}

void sensitivity_put_worst(struct strbuf *s, const struct answer *answer)
{
	const struct answer_move *worst = worst_move(answer);

	if (worst)
		put_worst(s, answer, worst);
}

void sensitivity_put(struct strbuf *s, const struct answer *answer)
{
	sensitivity_put_worst(s, answer);
	if (answer->node_limits.given)
		put_limits(s, answer);
}

/* ---- robustness ---- */

/* "chosen among 5 tied (within 3.4 %): one step away it loses at most 3 %, 1x2, mk 15 ... 12 %" */
void tie_break_put(struct strbuf *s, const struct answer *answer)
{
	const struct answer_tie_break *choice = &answer->evidence.robust_choice;
	const struct answer_choice *before = &choice->instead_of;

	if (!choice->given)
		return;
	strbuf_printf(s, "chosen among %.0f tied (within ", choice->configurations);
	answer_put_percent(s, choice->within);
	strbuf_puts(s, choice->neighbours > 0 ? "): its neighbours lose at most "
					      : "): it has no neighbours");
	if (choice->neighbours > 0)
		answer_put_percent(s, choice->loss);
	if (before->given) {
		strbuf_puts(s, ", those of ");
		answer_put_choice(s, answer->app, before);
		strbuf_puts(s, " (");
		answer_put_duration(s, before->predicted_s);
		strbuf_puts(s, ") up to ");
		answer_put_percent(s, choice->loss_instead);
	}
	strbuf_putc(s, '\n');
}

/* ---- all steps ---- */

enum err_code sensitivity_print(const struct context *c, const struct answer *answer, struct err *e)
{
	size_t n = answer->n_moves;
	struct marked_choice *item = calloc(n + 1, sizeof *item);
	struct out_table *t = NULL;
	enum err_code rc = ERR_OK;

	if (n == 0) {
		free(item);
		return ERR_OK;
	}
	if (item) {
		for (size_t i = 0; i < n; i++)
			item[i] = (struct marked_choice){&answer->move[i].to,
							 answer->move[i].parameter};
		t = advice_marked_table(answer, item, n, "parameter");
	}
	if (!t) {
		rc = err_set(e, ERR_NOMEM, "the sensitivity");
	} else {
		fputs("one step away\n", c->out);
		rc = out_table_print(t, FORMAT_TABLE, "sensitivity", c->out, e);
		fputc('\n', c->out);
	}
	out_table_free(t);
	free(item);
	return rc;
}

/* ---- machines ---- */

/* "on iblike: ", "on iblike, the nearest of 3 machines: " */
static void machines_put_chosen(struct strbuf *s, const struct answer *answer)
{
	if (!answer->has_machines)
		return;
	strbuf_puts(s, "on ");
	text_put_safe(s, answer->request.machine, false);
	if (!answer->feasible)
		strbuf_printf(s, ", the nearest of %zu machines", answer->n_machines);
	strbuf_puts(s, ": ");
}

static void put_criterion(struct strbuf *s, const struct answer *answer)
{
	if (!answer->feasible)
		strbuf_puts(s, "machines: the nearest to what was asked first\n");
	else if (answer->request.objective == OBJECTIVE_TIME)
		strbuf_puts(s, "machines: feasible ones first, by support and time\n");
	else
		strbuf_puts(s,
			    "machines: feasible ones first, by support and promised node-hours (a "
			    "node of one is not a node of another)\n");
}

/* The chosen one's was said at the top. */
static void put_reasons(struct strbuf *s, const struct answer *answer)
{
	for (size_t i = 1; i < answer->n_machines; i++) {
		const struct answer_of_machine *row = &answer->machine[i];

		if (!row->reason || !*row->reason)
			continue;
		strbuf_puts(s, "  ");
		text_put_safe(s, row->machine, false);
		strbuf_puts(s, ": ");
		text_put_safe(s, row->reason, false);
		strbuf_putc(s, '\n');
	}
}

static enum err_code print_text(struct strbuf *s, FILE *f, struct err *e)
{
	if (s->failed)
		return err_set(e, ERR_NOMEM, "the answers of machines");
	fold_print(strbuf_text(s), f);
	strbuf_clear(s);
	return ERR_OK;
}

enum err_code machines_print(const struct context *c, const struct answer *answer, struct err *e)
{
	struct strbuf s = STRBUF_INIT;
	struct out_table *t = NULL;
	enum err_code rc;

	if (!answer->has_machines)
		return ERR_OK;
	strbuf_putc(&s, '\n');
	put_criterion(&s, answer);
	if ((rc = print_text(&s, c->out, e)))
		goto done;
	t = advice_machines_table(answer, true);
	rc = t ? out_table_print(t, FORMAT_TABLE, "machines", c->out, e)
	       : err_set(e, ERR_NOMEM, "the answers of machines");
	if (rc)
		goto done;
	put_reasons(&s, answer);
	rc = print_text(&s, c->out, e);
done:
	out_table_free(t);
	strbuf_release(&s);
	return rc;
}

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

/* Without a limit what was run is ranked by its own time, wherever it lies. */
static bool ranks_by_its_runs(const struct answer *answer)
{
	const struct answer_evidence *evidence = &answer->evidence;

	return isnan(answer->request.deadline_s) && isnan(answer->request.budget_node_hours) &&
	       evidence->n_near > 0 && evidence->near[0].distance == 0;
}

/* What runs do not surround, or failed runs speak against, was taken because nothing else does what
 * was asked: that comes first. */
static void put_verdict(struct strbuf *s, const struct answer *answer)
{
	const char *support = answer->best.support ? answer->best.support : "";

	if (answer->best.warning.given) {
		strbuf_puts(s, "Failed runs speak against all that ");
		put_asked(s, answer);
		strbuf_puts(s, ". At risk: ");
	} else if (!strcmp(support, "outside")) {
		strbuf_puts(s, "No configuration like those that were run ");
		put_asked(s, answer);
		strbuf_puts(s, ". Extrapolated: ");
	} else if (!strcmp(support, "edge") && !ranks_by_its_runs(answer)) {
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
			      hours_format_up(budget, advice_hours_name(answer), node_hours,
					      sizeof node_hours));
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
