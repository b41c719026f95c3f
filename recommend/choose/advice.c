#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "domain/configuration.h"
#include "recommend/choose/alternatives.h"
#include "recommend/choose/evidence.h"
#include "recommend/choose/neighbours.h"
#include "recommend/choose/rule_choice.h"
#include "recommend/search/search.h"
#include "recommend/space/config_space.h"
#include "recommend/space/recommend.h"

/* When nothing keeps the limits of a request: which limit it is, what is next best, and what could
 * be had instead. */

/* ---- what would be feasible ---- */

static bool has_budget(const struct search *s)
{
	return s->request->budget_node_hours > 0;
}

static bool any_in_time(const struct search *s)
{
	return s->winner[LEAST_BUDGET].set && s->winner[LEAST_BUDGET].feasibility.in_time;
}

static bool any_in_budget(const struct search *s)
{
	return s->winner[SOONEST].set && s->winner[SOONEST].feasibility.in_budget;
}

/* Is any limit at all as sure as the request asks for? If one is, the soonest one is found. */
static bool any_promise(const struct search *s)
{
	return isfinite(s->winner[SOONEST].feasibility.promise_s);
}

/* The best effort: what is likeliest done by the deadline within the budget; if nothing stays
 * within it, what needs the least budget, in time if anything is. */
static enum criterion infeasible_best_effort(const struct search *s)
{
	return has_budget(s) && !any_in_budget(s) ? LEAST_BUDGET : LIKELIEST;
}

/* The quantile itself may miss the confidence by a rounding error; who asks for this limit must get
 * a yes. */
static double limit_that_holds(const struct advice_request *q, const struct winner *w,
			       double quantile, double s_per_unit)
{
	double limit = quantile;

	for (double step = 1e-15; step < 1e-6; step *= 2) {
		if (prediction_p_meet(q->predictor, &w->prediction, limit * s_per_unit) >=
		    q->confidence)
			break;
		limit = quantile * (1 + step);
	}
	return limit;
}

/* Of the winner alone, whatever other limits there are. */
static double soonest_s(const struct search *s)
{
	const struct winner *w = &s->winner[SOONEST];

	return limit_that_holds(s->request, w, w->feasibility.promise_s, 1);
}

static double least_budget(const struct search *s)
{
	const struct winner *w = &s->winner[LEAST_BUDGET];
	double s_per_node_hour = budget_time_s(1, w->feasibility.nodes);

	return limit_that_holds(s->request, w, w->feasibility.promise_s / s_per_node_hour,
				s_per_node_hour);
}

/* What would be feasible in place of the one limit while the other one stays; NaN: nothing would
 * (the other is not kept, or no promise is as sure as the request asks for), or that limit was not
 * given. */
static double infeasible_deadline_s(const struct search *s)
{
	return any_in_budget(s) && any_promise(s) ? soonest_s(s) : (double)NAN;
}

static double infeasible_budget(const struct search *s)
{
	return any_in_time(s) && any_promise(s) ? least_budget(s) : (double)NAN;
}

/* ---- why ---- */

enum { LIMIT_TEXT = 64 };

static void put_memory_reason(const struct config_space *space, struct strbuf *out)
{
	strbuf_printf(out,
		      "no configuration fits into the memory of a node: the smallest needs %.3g"
		      " GiB, and %s has %.3g",
		      space->least_memory_bytes / 0x1p30, space->request->machine->name,
		      space->request->machine->memory_bytes_per_node / 0x1p30);
}

/* "every run of the only legal configuration failed for this problem: run 12" */
static void put_failure_reason(const struct search *s, struct strbuf *out)
{
	strbuf_puts(out, s->failed.n == 1 ? "of this problem every run of "
					  : "of this problem every run of each of the ");
	config_space_put_count(s->space, s->failed.n, out);
	strbuf_puts(out, " on up to ");
	placement_put_limit(&s->space->placement, out);
	strbuf_printf(out, " failed: see run %" PRId64, s->failed.run_id);
}

/* "none of 12 legal configurations on up to 4 nodes (asked for) meets" */
static void put_subject(const struct search *s, const char *one_does_not, const char *none_does,
			struct strbuf *out)
{
	if (s->n_legal != 1)
		strbuf_puts(out, "none of ");
	config_space_put_count(s->space, s->n_legal, out);
	strbuf_puts(out, " on up to ");
	placement_put_limit(&s->space->placement, out);
	strbuf_printf(out, " %s ", s->n_legal == 1 ? one_does_not : none_does);
}

static const char *that_does(const struct search *s)
{
	return s->n_legal == 1 ? "it does" : "one does";
}

static void put_deadline(const struct search *s, struct strbuf *out)
{
	char text[LIMIT_TEXT];

	strbuf_puts(out, duration_format(s->request->deadline_s, text, sizeof text));
}

static char *put_least_budget(const struct search *s, char text[LIMIT_TEXT])
{
	const bool no_nodes = !placement_has_nodes(&s->space->placement);

	return hours_format_up(least_budget(s), configuration_hours_name(s->request->app, no_nodes),
			       text, LIMIT_TEXT);
}

static void put_budget(const struct search *s, struct strbuf *out)
{
	const double hours = s->request->budget_node_hours;
	const bool no_nodes = !placement_has_nodes(&s->space->placement);

	strbuf_put_number(out, hours);
	strbuf_printf(out, " %s-hour%s", configuration_unit_name(s->request->app, no_nodes),
		      hours == 1 ? "" : "s");
}

static void put_late_reason(const struct search *s, struct strbuf *out)
{
	char soonest[LIMIT_TEXT];

	put_subject(s, "does not meet", "meets", out);
	put_deadline(s, out);
	strbuf_printf(out, " with a confidence of %g%s: %s is the shortest that %s",
		      s->request->confidence, has_budget(s) ? ", on any budget" : "",
		      duration_format_up(soonest_s(s), soonest, sizeof soonest), that_does(s));
	if (has_budget(s)) {
		strbuf_puts(out, " within ");
		put_budget(s, out);
	}
}

static void put_costly_reason(const struct search *s, struct strbuf *out)
{
	char least[LIMIT_TEXT];

	put_subject(s, "does not stay within", "stays within", out);
	put_budget(s, out);
	strbuf_printf(out, " with a confidence of %g: %s are the least that %s",
		      s->request->confidence, put_least_budget(s, least), that_does(s));
	if (!isnan(s->request->deadline_s)) {
		strbuf_puts(out, " in time for ");
		put_deadline(s, out);
	}
}

/* Each limit can be kept, but not with the other: there is more than one configuration. */
static void put_both_reason(const struct search *s, struct strbuf *out)
{
	char soonest[LIMIT_TEXT], least[LIMIT_TEXT];

	put_subject(s, "meets", "meets", out);
	put_deadline(s, out);
	strbuf_puts(out, " within ");
	put_budget(s, out);
	strbuf_printf(out,
		      " with a confidence of %g: within the budget %s is the shortest that one"
		      " meets, and to be in time %s are the least that one needs",
		      s->request->confidence,
		      duration_format_up(soonest_s(s), soonest, sizeof soonest),
		      put_least_budget(s, least));
}

/* Neither limit can be kept, even by itself. */
static void put_neither_reason(const struct search *s, struct strbuf *out)
{
	char soonest[LIMIT_TEXT], least[LIMIT_TEXT];

	put_subject(s, "neither meets", "meets", out);
	put_deadline(s, out);
	strbuf_printf(out, " %s stays within ", s->n_legal == 1 ? "nor" : "or");
	put_budget(s, out);
	strbuf_printf(
		out, " with a confidence of %g: %s and %s, each by itself, are the least that %s",
		s->request->confidence, duration_format_up(soonest_s(s), soonest, sizeof soonest),
		put_least_budget(s, least), that_does(s));
}

/* Rounded down: whoever asks for that confidence gets an answer for some limit. */
static void put_unsure_reason(const struct search *s, struct strbuf *out)
{
	const struct winner *best = &s->winner[infeasible_best_effort(s)];
	const struct warning warning = config_space_warning(s->space, best->row);
	const double fail_p = best->prediction.fail_p;
	const double surest = prediction_max_confidence(s->request->predictor, &best->prediction);
	/* or of one that ends as much could be promised */
	const bool fails = fail_p > 1 - s->request->confidence ||
			   surest >= s->request->confidence * (1 - fail_p);

	put_subject(s, "keeps no limit", "keeps any limit", out);
	strbuf_printf(out, "with a confidence of %g: ", s->request->confidence);
	if (fails && warning.risk != RISK_NONE)
		strbuf_printf(out,
			      "run %" PRId64 " failed with these tunables, so that the next one"
			      " fails with a chance of %.2g; no more than",
			      warning.run_id, fail_p);
	else if (fails)
		strbuf_printf(out,
			      "runs like it failed, or ended too early, with a chance of %.2g; "
			      "no more than",
			      fail_p);
	else
		strbuf_puts(out, "too few runs were held out to promise more than");
	strbuf_printf(out, " %.4g %sof the best effort", floor(1e4 * surest) / 1e4,
		      fails ? "can be promised " : "");
}

static void put_reason(const struct search *s, struct strbuf *out)
{
	if (!any_promise(s))
		put_unsure_reason(s, out);
	else if (!has_budget(s))
		put_late_reason(s, out);
	else if (any_in_time(s) && any_in_budget(s))
		put_both_reason(s, out);
	else if (any_in_budget(s))
		put_late_reason(s, out);
	else if (any_in_time(s))
		put_costly_reason(s, out);
	else
		put_neither_reason(s, out);
}

/* Set a->reason from the rest of *a. Errors: NOMEM. */
static enum err_code infeasible_reason(const struct search *s, struct advice *a, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	if (a->best.row)
		put_reason(s, &text);
	else if (s->failed.n > 0)
		put_failure_reason(s, &text);
	else
		put_memory_reason(s->space, &text);
	if (text.failed) {
		strbuf_release(&text);
		return err_set(e, ERR_NOMEM, "a sentence");
	}
	a->reason = text.buf;
	return ERR_OK;
}

enum { MAX_NEAREST_RUNS = 8 }; /* what fits on a screen beside the rest */

/* ---- objectives ---- */

static enum err_code check_request(const struct advice_request *q, struct err *e)
{
	if (!(q->confidence > 0 && q->confidence < 1))
		return err_set(e, ERR_ARG, "confidence %g is not between 0 and 1", q->confidence);
	if (!isnan(q->deadline_s) && !(q->deadline_s > 0))
		return err_set(e, ERR_ARG, "a deadline of %g s is not above 0", q->deadline_s);
	if (!(q->budget_node_hours >= 0))
		return err_set(e, ERR_ARG, "a budget of %g node-hours is not above 0",
			       q->budget_node_hours);
	if (isnan(q->deadline_s) && q->objective == OBJECTIVE_NODES)
		return err_set(
			e, ERR_ARG,
			"the objective of fewest nodes needs a deadline; without one the objective is node-hours or time");
	return ERR_OK;
}

/* ---- nothing to choose from ---- */

static void put_fixed(const struct advice_request *q, struct strbuf *out)
{
	const char *separator = " with ";

	for (size_t i = 0; i < q->app->n_columns; i++) {
		const struct column *c = &q->app->column[i];

		if ((c->role != COL_TUNABLE && c->role != COL_RESOURCE) || isnan(q->row[i]))
			continue;
		strbuf_printf(out, "%s%s = ", separator, c->name);
		configuration_put_value(q->app, i, q->row[i], out);
		separator = ", ";
	}
}

static enum err_code say_nothing_legal(const struct config_space *space, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&text, "no configuration of ");
	configuration_put_problem(space->request->app, space->request->row, &text);
	put_fixed(space->request, &text);
	strbuf_puts(&text, space->tried_only
				   ? " can be made of what was tried in the runs, on up to "
				   : " is legal on up to ");
	placement_put_limit(&space->placement, &text);
	if (space->refusal)
		strbuf_printf(&text, ": %s", space->refusal->why);
	rc = err_set(e, ERR_ARG, "%s", strbuf_text(&text));
	strbuf_release(&text);
	return rc;
}

/* ---- the advice ---- */

/* Where predictions end: rules first, then robustness. best becomes the choice. */
static enum err_code decide(const struct search *s, enum criterion chosen,
			    struct same_resource_set *same, const struct neighbours *nb,
			    struct winner *best, struct advice *a, struct err *e)
{
	const struct advice_request *q = s->request;
	struct rule_advice *rules = NULL;
	struct rule_vote *vote = NULL;
	enum err_code rc = ERR_OK;

	if (q->n_rules > 0 && ((rc = rule_advice_new(q->app, q->rules, q->n_rules, &rules, e)) ||
			       (rc = rule_vote_hold(rules, s, same, chosen, best, &vote, e))))
		goto done;
	/* Whoever asks for the least time is not given more of it for the sake of neighbours. */
	if (!q->fastest_of_ties && q->objective != OBJECTIVE_TIME &&
	    (rc = tie_break_make(s, same, nb, chosen, best, &a->robust_choice, e)))
		goto done;
	if (vote)
		rc = rule_vote_report(vote, &a->rule_choice, &a->rules, e);
done:
	rule_vote_free(vote);
	rule_advice_free(rules);
	return rc;
}

/* Decide among those on the resources of the best by prediction, and see how firm that is. */
static enum err_code settle(const struct search *s, enum criterion chosen, struct winner *best,
			    struct advice *a, struct err *e)
{
	const struct advice_request *q = s->request;
	struct same_resource_set same = {0};
	struct neighbours nb = {0};
	enum err_code rc;

	if (q->n_rules == 0 && q->fastest_of_ties && !q->sensitivity)
		return ERR_OK;
	if ((rc = same_resource_set_list(s, best, &same, e)) ||
	    (rc = neighbours_find(s, &same, &nb, e)))
		goto done;
	if ((rc = decide(s, chosen, &same, &nb, best, a, e)) || !q->sensitivity)
		goto done;
	rc = sensitivity_find(s, &nb, best, &a->sensitivity, e);
	if (!rc && a->feasible)
		rc = node_limits_find(s, best, &a->node_limits, e);
done:
	neighbours_release(&nb);
	same_resource_set_release(&same);
	return rc;
}

static enum err_code find_nearest_runs(const struct advice_request *q, struct advice *a,
				       struct err *e)
{
	const struct dataset *others = q->failures ? q->failures : q->runs;
	enum err_code rc = ERR_OK;

	if (q->stored)
		rc = evidence_near_stored(q->stored, q->app, a->best.row, MAX_NEAREST_RUNS,
					  &a->near, &a->n_near, e);
	else if (q->runs)
		rc = evidence_nearest_runs(q->runs, a->best.row, MAX_NEAREST_RUNS, &a->near,
					   &a->n_near, e);
	if (rc || !others)
		return rc;
	return evidence_add_unfinished(others, a->best.row, MAX_NEAREST_RUNS, &a->near, &a->n_near,
				       e);
}

static enum err_code describe_best(const struct search *s, const struct winner *w, struct advice *a,
				   struct err *e)
{
	const struct advice_request *q = s->request;
	struct strbuf why = STRBUF_INIT;
	enum err_code rc;

	if ((rc = choice_make(q, w->row, &w->feasibility, &w->prediction, NULL, &a->best, e)))
		return rc;
	a->best.warning = config_space_warning(s->space, a->best.row);
	a->best.origin = config_space_origin(s->space, a->best.row);
	predictor_breakdown(q->predictor, a->best.row, &a->breakdown, &a->has_breakdown);
	predictor_explain_support(q->predictor, a->best.row, &why);
	if (why.failed) {
		strbuf_release(&why);
		return err_set(e, ERR_NOMEM, "why the recommendation is not better supported");
	}
	free(a->support_why);
	a->support_why = why.buf;
	return find_nearest_runs(q, a, e);
}

static enum err_code choose(const struct search *s, enum criterion chosen, struct advice *a,
			    struct err *e)
{
	size_t n = s->request->app->n_columns;
	struct winner best = s->winner[chosen];
	enum err_code rc;

	best.row = calloc(n, sizeof *best.row);
	if (!best.row)
		return err_set(e, ERR_NOMEM, "a configuration of %zu columns", n);
	memcpy(best.row, s->winner[chosen].row, n * sizeof *best.row);
	if (!(rc = settle(s, chosen, &best, a, e)) && !(rc = describe_best(s, &best, a, e)))
		rc = alternatives_find(s, &best, a, e);
	free(best.row);
	return rc;
}

/* What held in all runs: what is kept to, then what could not be. */
static enum err_code describe_space(const struct config_space *space, struct advice *a,
				    struct err *e)
{
	const struct kept_invariants *k = &space->invariants;

	a->tried_only = space->tried_only;
	memcpy(a->n_candidates, space->seen.n, sizeof a->n_candidates);
	a->candidates_cut = space->seen.cut;
	a->n_tunings_legal = space->tunings.n_legal;
	a->n_tunings_searched = space->tunings.n_searched;
	a->invariant = calloc(k->n + 1, sizeof *a->invariant);
	if (!a->invariant)
		return err_set(e, ERR_NOMEM, "%zu rules", k->n);
	for (int given_up = 0; given_up < 2; given_up++) {
		for (size_t i = 0; i < k->n; i++) {
			if (k->item[i].given_up == given_up)
				a->invariant[a->n_invariants++] = k->item[i].rule;
		}
	}
	a->n_kept_invariants = k->n_kept;
	return ERR_OK;
}

/* From the fewest nodes on, the way in which people add nodes. */
static enum err_code describe_frontier(const struct search *s, struct advice *a, struct err *e)
{
	const struct frontier *f = &s->frontier;
	enum err_code rc;

	if (f->n == 0)
		return ERR_OK;
	a->frontier = calloc(f->n, sizeof *a->frontier);
	if (!a->frontier)
		return err_set(e, ERR_NOMEM, "a frontier of %zu points", f->n);
	a->knee = f->n - 1 - frontier_knee(f);
	for (size_t i = 0; i < f->n; i++) {
		const struct winner *w = &f->point[f->n - 1 - i];

		if ((rc = choice_make(s->request, w->row, &w->feasibility, &w->prediction, NULL,
				      &a->frontier[i], e)))
			return rc;
		a->frontier[a->n_frontier].origin = config_space_origin(s->space, w->row);
		a->frontier[a->n_frontier++].warning = config_space_warning(s->space, w->row);
	}
	return ERR_OK;
}

static enum err_code assemble(const struct search *s, struct advice *a, struct err *e)
{
	const struct advice_request *q = s->request;
	const struct placement *p = &s->space->placement;
	enum criterion chosen = search_objective(q);
	enum err_code rc;

	a->feasible = s->winner[chosen].set;
	if (!a->feasible)
		chosen = infeasible_best_effort(s);
	a->feasible_deadline_s =
		a->feasible && !q->soonest ? (double)NAN : infeasible_deadline_s(s);
	a->feasible_budget_node_hours = a->feasible ? (double)NAN : infeasible_budget(s);
	a->memory_checked = p->memory_checked;
	a->cores_known = q->machine->cores_per_node > 0;
	a->cores_seen = p->cores_seen_only ? p->cores : 0;
	a->core_hours = !placement_has_nodes(p);
	a->max_nodes = p->max_nodes;
	a->max_nodes_origin = p->max_nodes_origin;
	if ((rc = describe_space(s->space, a, e)))
		return rc;
	a->n_legal = s->n_legal;
	a->failed = s->failed;
	a->at_risk = s->at_risk;
	a->n_predicted = s->n_predicted;
	if (s->winner[chosen].set) {
		if ((rc = choose(s, chosen, a, e)) || (rc = describe_frontier(s, a, e)))
			return rc;
	} else if (!isfinite(s->space->least_memory_bytes) && s->failed.n == 0) {
		return say_nothing_legal(s->space, e);
	}
	return a->feasible ? ERR_OK : infeasible_reason(s, a, e);
}

/* What is at risk is looked at only if nothing else is left. */
static enum err_code search_safe_first(struct search *s, const struct advice_request *q,
				       struct config_space *space, struct err *e)
{
	enum err_code rc = search_run(s, q, space, e);

	if (rc || s->n_legal > 0 || s->at_risk.n == 0)
		return rc;
	search_release(s);
	space->takes_risks = true;
	return search_run(s, q, space, e);
}

enum err_code advice_find(const struct advice_request *q, struct advice **out, struct err *e)
{
	struct config_space space = {0};
	struct search search = {0};
	struct advice *a = NULL;
	enum err_code rc;

	if ((rc = check_request(q, e)) || (rc = config_space_init(&space, q, e)) ||
	    (rc = search_safe_first(&search, q, &space, e)))
		goto done;
	a = calloc(1, sizeof *a);
	rc = a ? assemble(&search, a, e) : err_set(e, ERR_NOMEM, "an answer");
	if (!rc) {
		*out = a;
		a = NULL;
	}
done:
	advice_free(a);
	search_release(&search);
	config_space_release(&space);
	return rc;
}

void advice_free(struct advice *a)
{
	if (!a)
		return;
	free(a->best.row);
	for (size_t i = 0; i < a->n_alternative; i++)
		free(a->alternative[i].row);
	free(a->alternative);
	for (size_t i = 0; i < a->n_frontier; i++)
		free(a->frontier[i].row);
	free(a->frontier);
	free(a->invariant);
	free(a->reason);
	free(a->support_why);
	nearest_runs_free(a->near, a->n_near);
	rule_choice_release(&a->rule_choice);
	free(a->robust_choice.instead_of.row);
	sensitivity_release(&a->sensitivity);
	rule_report_release(&a->rules);
	free(a);
}
