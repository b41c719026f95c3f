#include "cli/answer/advice_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "api/answer.h"
#include "domain/configuration.h"
#include "cli/frame/context.h"
#include "cli/frame/fold.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/advice_verdict.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/frontier_text.h"
#include "cli/answer/next_answer.h"

/* What a person needs to decide, in at most ADVICE_SHORT_LINES lines of the terminal: the
 * recommendation or the no, how sure it is, what could make it wrong, three alternatives, why this
 * one, what to do next. If there is more to doubt than fits, the most important comes first and the
 * number of the others is told. A configuration so long that it needs more lines has them. Errors:
 * NOMEM. */
enum { ADVICE_SHORT_LINES = 20 };

/* Lines are made first, each with its rank, then those of the best rank are printed that fit, in
 * the order in which they were made. */

enum { MAX_LINES = 52, MAX_ALTERNATIVES = 3, MAX_MACHINES = 3, BLANKS = 2 };

/* Lower is more important. */
enum rank {
	RANK_ANSWER, /* whatever it takes */
	RANK_NEXT,
	RANK_WARNING, /* keeps somebody from a wrong job */
	RANK_ALTERNATIVE,
	RANK_SETTING,
	RANK_WHY,
	RANK_DOUBT,
};

enum text_part { PART_ANSWER, PART_INSTEAD, PART_END };

struct short_line {
	struct strbuf text; /* one line, or none if there is nothing to say */
	enum rank rank;
	enum text_part part;
	bool doubt;   /* counts as one, if it is not shown */
	bool heading; /* of those that follow: nothing by itself */
	bool shown;
};

struct short_form {
	struct short_line line[MAX_LINES];
	size_t n;
	enum text_part part; /* of the lines to come */
};

static struct strbuf *add_line(struct short_form *f, enum rank rank)
{
	/* The lines that there may be are counted: see MAX_LINES. */
	struct short_line *line = &f->line[f->n < MAX_LINES - 1 ? f->n++ : f->n];

	line->rank = rank;
	line->part = f->part;
	line->doubt = rank == RANK_WARNING || rank == RANK_DOUBT;
	return &line->text;
}

static struct strbuf *add_heading(struct short_form *f)
{
	struct strbuf *s = add_line(f, RANK_ALTERNATIVE);

	f->line[f->n - 1].heading = true;
	return s;
}

/* ---- the answer, and what could make it wrong ---- */

static void add_failures(struct short_form *f, const struct answer_choice *choice)
{
	const struct answer_warning *w = &choice->warning;
	struct strbuf *s = add_line(f, RANK_WARNING);

	if (w->given && w->failed)
		strbuf_printf(s, "FAILED BEFORE: run %.0f of this configuration failed, none ended",
			      w->run_id);
	else if (w->given)
		strbuf_printf(
			s,
			"AT RISK: run %.0f failed with these tunables, and none makes this one safe",
			w->run_id);
	if (!(choice->outlasts_s > 0))
		return;
	s = add_line(f, RANK_WARNING);
	strbuf_puts(s, "CUT BEFORE: every run of this configuration hit its time limit, the "
		       "longest of ");
	answer_put_duration(s, choice->outlasts_s);
}

static void add_warnings(struct short_form *f, const struct context *c, const struct answer *answer)
{
	const struct answer_request *request = &answer->request;
	const struct answer_evidence *evidence = &answer->evidence;
	struct strbuf *s;

	add_failures(f, &answer->best);
	answer_put_stale(add_line(f, RANK_WARNING), evidence, c->color);
	if (answer->best.given)
		answer_put_overuse(add_line(f, RANK_WARNING), answer);
	advice_put_invariants(add_line(f, RANK_WARNING), &evidence->search, false,
			      "AT RISK: breaks what held in all runs: ");
	if (request->like && *request->like) {
		s = add_line(f, RANK_WARNING);
		strbuf_puts(s, "WHAT IF: ");
		text_put_safe(s, request->machine, false);
		strbuf_puts(s, " has no runs, it is taken to compute like ");
		text_put_safe(s, request->like, false);
		strbuf_printf(s, ", times %g", request->wg_factor);
	}
	for (int d = 0; d < REMARK_COUNT; d++)
		answer_put_remark(add_line(f, RANK_WARNING), evidence->explanation,
				  (enum answer_remark)d);
	advice_put_origin(add_line(f, RANK_WARNING), answer);
}

static void add_answer(struct short_form *f, const struct context *c, const struct answer *answer)
{
	struct strbuf *s;

	advice_put_verdict(add_line(f, RANK_ANSWER), c, answer);
	if (!answer->feasible) {
		advice_put_feasible(add_line(f, RANK_ANSWER), answer);
		if (!answer->best.given)
			return;
		s = add_line(f, RANK_ANSWER);
		strbuf_puts(s, "best effort: ");
		answer_put_choice(s, answer->app, &answer->best);
	}
	advice_put_prediction(add_line(f, RANK_ANSWER), answer);
	answer_put_support(add_line(f, RANK_ANSWER), &answer->best);
}

/* Of the lines about machine, problem and workload, what a what if is has been said. */
static void add_setting(struct short_form *f, const struct answer *answer)
{
	struct strbuf *s = add_line(f, RANK_SETTING);
	const struct answer_machine_facts *machine = &answer->evidence.machine;

	text_put_safe(s, answer->request.machine, false);
	if (machine->simulated)
		strbuf_puts(s, " (simulated)");
	strbuf_puts(s, ", ");
	answer_put_problem(s, answer);
	advice_put_clock(add_line(f, RANK_ALTERNATIVE), &answer->request);
}

static void add_rules_against(struct short_form *f, const struct answer_evidence *evidence)
{
	const struct answer_rule *first = NULL;
	size_t n = 0;
	struct strbuf *s;

	for (size_t i = 0; i < evidence->n_rules; i++) {
		const struct answer_rule *rule = &evidence->rule[i];

		if (strcmp(rule->verdict, "against"))
			continue;
		n++;
		/* What people accepted weighs more. */
		if (!first ||
		    (!strcmp(rule->state, "accepted") && strcmp(first->state, "accepted")))
			first = rule;
	}
	if (!first)
		return;
	s = add_line(f, strcmp(first->state, "accepted") ? RANK_DOUBT : RANK_WARNING);
	strbuf_puts(s, "against it: ");
	if (n > 1)
		strbuf_printf(s, "%zu rules, one is ", n);
	strbuf_printf(s, "%s%s (%s): ", n > 1 ? "" : "rule ", first->id, first->state);
	text_put_safe(s, first->text, false);
}

static void add_doubts(struct short_form *f, const struct answer *answer)
{
	const struct answer_search *search = &answer->evidence.search;

	if (!search->memory_checked)
		strbuf_puts(add_line(f, RANK_DOUBT), "memory per node: not known, so not checked");
	if (search->core_hours)
		strbuf_printf(add_line(f, RANK_DOUBT),
			      "nodes: not known; %s are counted in place of node-hours",
			      advice_hours_name(answer));
	else if (search->cores_seen > 0)
		strbuf_printf(add_line(f, RANK_DOUBT),
			      "cores per node: not known; %.0f, the most that a run used, were "
			      "assumed",
			      search->cores_seen);
	else if (!search->cores_known && answer->app->i_ppn == SIZE_MAX)
		strbuf_puts(add_line(f, RANK_DOUBT),
			    "cores per node: not known; one process a node was assumed");
	if (search->failed.given || search->at_risk.given) {
		double n = (search->failed.given ? search->failed.configurations : 0) +
			   (search->at_risk.given ? search->at_risk.configurations : 0);
		struct strbuf *s = add_line(f, RANK_DOUBT);

		strbuf_puts(s, "left out, as runs failed: ");
		answer_put_count(s, n, "configuration");
	}
	if (search->cut)
		strbuf_puts(add_line(f, RANK_DOUBT),
			    "not all configurations that no run had were looked at");
	if (search->tunings_searched < search->tunings_legal)
		strbuf_printf(
			add_line(f, RANK_DOUBT),
			"not all tunables were tried: %.0f of %.0f combinations; with a value "
			"for one the others get finer steps",
			search->tunings_searched, search->tunings_legal);
	add_rules_against(f, &answer->evidence);
	sensitivity_put_worst(add_line(f, RANK_DOUBT), answer);
}

/* ---- what else there is ---- */

/* ", in time 0.93", if that is not what the recommendation has. NaN: nothing was asked. */
static void put_other_probability(struct strbuf *s, const char *lead, double p, double of_best,
				  double confidence)
{
	struct strbuf text = STRBUF_INIT, other = STRBUF_INIT;

	if (isnan(p))
		return;
	answer_put_probability(&text, p, confidence);
	answer_put_probability(&other, of_best, confidence);
	if (strcmp(strbuf_text(&text), strbuf_text(&other)))
		strbuf_printf(s, "%s%s", lead, strbuf_text(&text));
	s->failed |= text.failed || other.failed;
	strbuf_release(&text);
	strbuf_release(&other);
}

/* ", extrapolated", if the recommendation is not */
static void put_other_support(struct strbuf *s, const struct answer_choice *choice,
			      const struct answer *answer)
{
	const char *support = choice->support ? choice->support : "";
	const char *of_best = answer->best.support ? answer->best.support : "";

	if (strcmp(support, of_best))
		strbuf_printf(s, ", %s",
			      !strcmp(support, "inside") ? "between runs seen"
			      : !strcmp(support, "edge") ? "at the edge of the runs"
							 : "extrapolated");
}

/* "  fastest    235 nodes, grid 5x47: 27.2 s, 1.78 node-hours, in time 0.99" */
static void add_alternative(struct short_form *f, const struct answer *answer,
			    const struct answer_choice *choice)
{
	struct strbuf *s = add_line(f, RANK_ALTERNATIVE);
	double confidence = answer->request.confidence;

	strbuf_printf(s, "  %-10s ", choice->why ? choice->why : "");
	answer_put_difference(s, answer->app, choice, &answer->best);
	strbuf_puts(s, ": ");
	answer_put_duration(s, choice->predicted_s);
	strbuf_printf(s, ", %.3g %s", choice->node_hours, advice_hours_name(answer));
	put_other_probability(s, ", in time ", choice->p_meet, answer->best.p_meet, confidence);
	put_other_probability(s, ", in budget ", choice->p_budget, answer->best.p_budget,
			      confidence);
	put_other_support(s, choice, answer);
}

static void add_alternatives(struct short_form *f, const struct answer *answer)
{
	size_t n = answer->n_alternatives;

	if (n == 0 || !answer->best.given)
		return;
	strbuf_puts(add_heading(f), "instead");
	for (size_t i = 0; i < n && i < MAX_ALTERNATIVES; i++)
		add_alternative(f, answer, &answer->alternative[i]);
}

static void put_machine(struct strbuf *s, const struct answer *answer,
			const struct answer_of_machine *row)
{
	strbuf_puts(s, "  ");
	text_put_safe(s, row->machine, false);
	strbuf_puts(s, row->feasible ? ": " : ": no, ");
	if (isnan(row->choice.predicted_s)) {
		text_put_safe(s, row->reason ? row->reason : "", false);
		return;
	}
	strbuf_puts(s, row->feasible ? "" : "at best ");
	answer_put_difference(s, answer->app, &row->choice, &answer->best);
	strbuf_puts(s, ": ");
	answer_put_duration(s, row->choice.predicted_s);
	strbuf_printf(s, ", %.3g %s", row->choice.node_hours, advice_hours_name(answer));
	put_other_support(s, &row->choice, answer);
}

/* Of a question to several machines the others, the nearest first. */
static void add_machines(struct short_form *f, const struct answer *answer)
{
	size_t n = answer->has_machines ? answer->n_machines : 0;
	struct strbuf *s;

	if (n < 2)
		return;
	s = add_heading(f);
	strbuf_puts(s, "on other machines");
	if (n - 1 > MAX_MACHINES)
		strbuf_printf(s, ", the nearest %d of %zu", MAX_MACHINES, n - 1);
	for (size_t i = 1; i < n && i <= MAX_MACHINES; i++)
		put_machine(add_line(f, RANK_ALTERNATIVE), answer, &answer->machine[i]);
}

/* ---- why, and what to do ---- */

/* "the least node-hours" */
static void put_least_of(struct strbuf *s, const struct answer *answer)
{
	if (answer->request.objective == OBJECTIVE_TIME)
		strbuf_puts(s, "the least time");
	else if (answer->request.objective == OBJECTIVE_NODES)
		strbuf_printf(s, "the fewest %ss", advice_unit_name(answer));
	else
		strbuf_printf(s, "the least %s", advice_hours_name(answer));
}

/* "46881 legal configurations on up to 256 nodes (the machine's size) with mk 10" */
static void put_space(struct strbuf *s, const struct answer *answer)
{
	const struct answer_search *search = &answer->evidence.search;

	answer_put_count(s, search->legal,
			 search->tried_only ? "configuration" : "legal configuration");
	if (search->tried_only)
		strbuf_puts(s, advice_tried_what(answer));
	strbuf_puts(s, " on up to ");
	if (search->core_hours && !configuration_counts_gpus(answer->app))
		strbuf_printf(s, "%.0f process%s", search->max_nodes,
			      search->max_nodes == 1 ? "" : "es");
	else
		answer_put_count(s, search->max_nodes, advice_unit_name(answer));
	strbuf_printf(s, " (%s)", search->max_nodes_origin);
	if (answer->request.fixed.n > 0) {
		strbuf_puts(s, " with ");
		answer_put_members(s, &answer->request.fixed);
	}
}

static double asked_for(const struct answer *answer, const struct answer_choice *choice)
{
	size_t i_nodes = answer->app->i_nodes;

	if (answer->request.objective == OBJECTIVE_TIME)
		return choice->predicted_s;
	if (answer->request.objective == OBJECTIVE_NODES)
		return i_nodes == SIZE_MAX ? (double)NAN : choice->value[i_nodes].number;
	return choice->node_hours;
}

/* Is less of what was asked for among the alternatives, and worse supported? */
static bool support_decided(const struct answer *answer)
{
	const struct answer_choice *best = &answer->best;

	for (size_t i = 0; i < answer->n_alternatives; i++) {
		const struct answer_choice *other = &answer->alternative[i];

		if (asked_for(answer, other) < asked_for(answer, best) && best->support &&
		    other->support && strcmp(best->support, other->support) != 0)
			return true;
	}
	return false;
}

/* "why: the least node-hours of 46881 legal configurations on up to 256 nodes (the machine's size),
 * in time and best supported by runs; ..." */
static void add_why(struct short_form *f, const struct answer *answer)
{
	const struct answer_search *search = &answer->evidence.search;
	const struct answer_rule_choice *by_rule = &answer->evidence.rule_choice;
	const struct answer_tie_break *tie = &answer->evidence.robust_choice;
	bool limited =
		!isnan(answer->request.deadline_s) || !isnan(answer->request.budget_node_hours);
	struct strbuf *s = add_line(f, RANK_WHY);

	if (!answer->feasible)
		return;
	strbuf_puts(s, "why: ");
	if (search->legal > 1 && support_decided(answer))
		strbuf_puts(s, "the best supported");
	else if (search->legal > 1)
		put_least_of(s, answer);
	strbuf_puts(s, search->legal > 1 ? " of " : "there is only ");
	put_space(s, answer);
	if (search->legal <= 1)
		return;
	if (support_decided(answer)) {
		strbuf_printf(s, "%s, and of those ", limited ? " that keep the limits" : "");
		put_least_of(s, answer);
	} else {
		strbuf_puts(s, limited ? ", among the best supported that keep the limits"
				       : ", among the best supported");
	}
	if (!by_rule->instead_of.given && !tie->given)
		return;
	strbuf_printf(s, "; of %.0f within ",
		      by_rule->instead_of.given ? by_rule->configurations : tie->configurations);
	answer_put_percent(s, by_rule->instead_of.given ? by_rule->within : tie->within);
	if (by_rule->instead_of.given)
		strbuf_printf(s, ", rule %s speaks for it",
			      by_rule->n_because ? by_rule->because[0] : "");
	else
		strbuf_puts(s, ", the one that loses least one step away");
}

/* "30.4s", "1h24m": as it may be typed */
static void put_typed(struct strbuf *s, const char *text)
{
	for (; *text; text++) {
		if (*text != ' ')
			strbuf_putc(s, *text);
	}
}

/* What is less likely than not nobody would submit. */
#define LIKELY 0.5

static void put_next_after_no(struct strbuf *s, const struct answer *answer)
{
	char text[64];

	if (answer->evidence.stale) {
		strbuf_puts(s, "lemnos mine, then ask again");
	} else if (answer->best.warning.given) {
		strbuf_puts(s, "find out why that run failed; then a short run first");
	} else if (!isnan(answer->feasible_deadline_s)) {
		strbuf_puts(s, "ask again with --deadline ");
		put_typed(s, duration_format_up(answer->feasible_deadline_s, text, sizeof text));
	} else if (!isnan(answer->feasible_budget_node_hours)) {
		hours_format_up(answer->feasible_budget_node_hours, "", text, sizeof text);
		text[strcspn(text, " ")] = '\0';
		strbuf_printf(s, "ask again with --budget %snh", text);
	} else if (!isnan(answer->request.deadline_s) ||
		   !isnan(answer->request.budget_node_hours)) {
		/* No limit can be promised with the confidence. Rounded down: that one can. fmin()
		 * passes over the NaN of a limit that is none. */
		const double p = fmin(answer->best.p_meet, answer->best.p_budget);

		if (p >= LIKELY)
			strbuf_printf(s, "ask again with --confidence %.2f, or ",
				      floor(100 * p) / 100);
		else
			strbuf_puts(s, "ask again ");
		strbuf_puts(s, "with larger limits, or with less of it fixed");
	} else {
		strbuf_puts(s, "leave more open (fewer fixed values, more --max-nodes), or load "
			       "runs that are nearer");
	}
}

static void add_next(struct short_form *f, const struct answer *answer)
{
	const struct answer_choice *best = &answer->best;
	bool supported = best->support && !strcmp(best->support, "inside");
	struct strbuf *s = add_line(f, RANK_NEXT);

	strbuf_puts(s, "next: ");
	if (!answer->feasible)
		put_next_after_no(s, answer);
	else if (answer->evidence.stale)
		strbuf_puts(s, "lemnos mine, then ask again");
	else if (best->warning.given)
		strbuf_puts(s, "find out why that run failed; then a short run first");
	else if (best->outlasts_s > 0)
		strbuf_puts(s, "give it more time than it had, and load how long it took");
	else if (!supported)
		strbuf_puts(s, "a short run like it first; --next 3 names the runs that would "
			       "teach most");
	else
		strbuf_puts(s, "submit it (--submit, or --emit slurm for a script); then lemnos "
			       "advice sync");
}

/* ---- what fits ---- */

static bool is_empty(const struct short_line *line)
{
	return strbuf_text(&line->text)[0] == '\0';
}

static void put_folded(struct strbuf *s, const char *text, size_t width)
{
	size_t indent = *text == ' ' ? 13 : 2; /* under the values of an alternative */

	fold_put(s, text, width, indent);
}

static size_t lines_of(const struct short_line *line, size_t width, bool *failed)
{
	struct strbuf folded = STRBUF_INIT;
	size_t n = 1;

	put_folded(&folded, strbuf_text(&line->text), width);
	for (const char *at = strbuf_text(&folded); (at = strchr(at, '\n')); at++)
		n += at[1] != '\0';
	*failed = *failed || folded.failed || line->text.failed;
	strbuf_release(&folded);
	return n;
}

/* Marks what is shown; returns how many doubts are not. */
static size_t fit(struct short_form *f, size_t width, bool *failed)
{
	size_t room = ADVICE_SHORT_LINES - 1 - BLANKS; /* the last line is always there */
	size_t n_hidden = 0;

	for (int rank = RANK_ANSWER; rank <= RANK_DOUBT; rank++) {
		for (size_t i = 0; i < f->n; i++) {
			struct short_line *line = &f->line[i];
			size_t n;

			if ((int)line->rank != rank || is_empty(line))
				continue;
			n = lines_of(line, width, failed);
			line->shown = n <= room || rank == RANK_ANSWER;
			room -= line->shown ? (n < room ? n : room) : 0;
			n_hidden += !line->shown && line->doubt;
		}
	}
	for (size_t i = 0; i < f->n; i++) {
		if (f->line[i].heading && (i + 1 == f->n || !f->line[i + 1].shown))
			f->line[i].shown = false;
	}
	return n_hidden;
}

static void put_shown(const struct short_form *f, size_t width, struct strbuf *out)
{
	enum text_part part = PART_ANSWER;

	for (size_t i = 0; i < f->n; i++) {
		const struct short_line *line = &f->line[i];

		if (!line->shown)
			continue;
		if (line->part != part && out->len > 0)
			strbuf_putc(out, '\n');
		part = line->part;
		put_folded(out, strbuf_text(&line->text), width);
		if (out->len > 0 && out->buf[out->len - 1] != '\n')
			strbuf_putc(out, '\n');
	}
}

static void make_lines(struct short_form *f, const struct context *c, const struct answer *answer)
{
	add_answer(f, c, answer);
	add_warnings(f, c, answer);
	add_setting(f, answer);
	add_doubts(f, answer);
	f->part = PART_INSTEAD;
	add_machines(f, answer);
	add_alternatives(f, answer);
	f->part = PART_END;
	add_why(f, answer);
	add_next(f, answer);
}

static enum err_code advice_short_print(const struct context *c, const struct answer *answer,
					struct err *e)
{
	struct short_form *f = calloc(1, sizeof *f);
	struct strbuf out = STRBUF_INIT;
	const size_t width = fold_width(c->out);
	bool failed = !f;
	size_t n_hidden;
	enum err_code rc = ERR_OK;

	if (f) {
		make_lines(f, c, answer);
		n_hidden = fit(f, width, &failed);
		put_shown(f, width, &out);
		if (n_hidden > 0)
			strbuf_printf(&out, "and %zu more doubt%s: ", n_hidden,
				      n_hidden == 1 ? "" : "s");
		else
			strbuf_puts(&out, "all behind this answer: ");
		strbuf_printf(&out, "lemnos explain %s\n", answer->id);
		for (size_t i = 0; i < f->n; i++)
			strbuf_release(&f->line[i].text);
	}
	if (failed || out.failed)
		rc = err_set(e, ERR_NOMEM, "the answer");
	else
		fputs(strbuf_text(&out), c->out);
	strbuf_release(&out);
	free(f);
	return rc;
}

/* ---- on a screen, and in full ---- */

enum { MAX_RUNS_ON_A_SCREEN = 5, MAX_RULES_ON_A_SCREEN = 5 };

/* ---- the answer itself ---- */

static void put_prediction(struct strbuf *s, const struct answer *answer)
{
	const struct answer_choice *choice = &answer->best;

	advice_put_prediction(s, answer);
	answer_put_support(s, choice);
	advice_put_origin(s, answer);
	advice_put_invariants(
		s, &answer->evidence.search, false,
		"AT RISK: breaks what held in all runs, as nothing known keeps to it here: ");
	failure_put_warning(s, choice);
	failure_put_outlasted(s, choice);
	if (choice->warning.given)
		strbuf_puts(
			s, "nothing else is left on these nodes, so it is proposed all the same\n");
	answer_put_overuse(s, answer);
}

static void put_answer(struct strbuf *s, const struct context *c, const struct answer *answer)
{
	advice_put_verdict(s, c, answer);
	if (answer->feasible) {
		put_prediction(s, answer);
		return;
	}
	advice_put_feasible(s, answer);
	if (answer->best.given) {
		strbuf_puts(s, "best effort: ");
		answer_put_choice(s, answer->app, &answer->best);
		strbuf_putc(s, '\n');
		put_prediction(s, answer);
	}
}

/* ---- what it was chosen from ---- */

static void put_limits(struct strbuf *s, const struct answer *answer)
{
	const struct answer_request *request = &answer->request;
	const struct answer_search *search = &answer->evidence.search;

	strbuf_puts(s, "chosen from: ");
	put_space(s, answer);
	strbuf_printf(s, ", by objective %s\n", request->objective_text);
	if (search->cut)
		strbuf_puts(s, "there are more: of those not run as a whole some were left out\n");
	if (search->tunings_searched < search->tunings_legal)
		strbuf_printf(
			s,
			"there are more: %.0f of %.0f combinations of tunables were tried, in "
			"equal ratios; with a value for one the others get finer steps\n",
			search->tunings_searched, search->tunings_legal);
	advice_put_invariants(s, search, true, "kept to what held in all runs: ");
	failure_put_left_out(s, search);
	if (search->cores_seen > 0)
		strbuf_printf(
			s,
			"cores per node: at least %.0f, the most that a run used (the machine's"
			" definition does not say)\n",
			search->cores_seen);
	else if (search->core_hours)
		strbuf_printf(s, "nodes: not known; %s are counted in place of node-hours\n",
			      advice_hours_name(answer));
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
		fold_print(strbuf_text(s), f);
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

	put_answer(&s, c, answer);
	advice_put_clock(&s, &answer->request);
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

/* What was asked for besides, the frontier and runs to make, has its lines whatever their number.
 */
static enum err_code print_short(const struct context *c, const struct answer *answer,
				 struct err *e)
{
	enum err_code rc = advice_short_print(c, answer, e);

	if (!rc)
		rc = frontier_print(c, answer, e);
	if (!rc && answer->decision.given) {
		fputc('\n', c->out);
		rc = next_answer_print(c, answer, e);
	}
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
		return length == ADVICE_IN_SHORT ? print_short(c, answer, e)
						 : print_text(c, answer, length, e);
	t = csv_table(answer);
	rc = t ? out_table_print(t, FORMAT_CSV, "choices", c->out, e)
	       : err_set(e, ERR_NOMEM, "the answer");
	out_table_free(t);
	return rc;
}
