#include "recommend/choose/infeasible.h"

#include <inttypes.h>
#include <math.h>

#include "base/strbuf.h"
#include "base/units.h"

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

enum criterion infeasible_best_effort(const struct search *s)
{
	return has_budget(s) && !any_in_budget(s) ? LEAST_BUDGET : SOONEST;
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

double infeasible_deadline_s(const struct search *s)
{
	return any_in_budget(s) && any_promise(s) ? soonest_s(s) : (double)NAN;
}

double infeasible_budget(const struct search *s)
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

static void put_budget(const struct search *s, struct strbuf *out)
{
	strbuf_put_number(out, s->request->budget_node_hours);
	strbuf_puts(out, s->request->budget_node_hours == 1 ? " node-hour" : " node-hours");
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
		      s->request->confidence,
		      node_hours_format_up(least_budget(s), least, sizeof least), that_does(s));
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
		      node_hours_format_up(least_budget(s), least, sizeof least));
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
		node_hours_format_up(least_budget(s), least, sizeof least), that_does(s));
}

/* Rounded down: whoever asks for that confidence gets an answer for some limit. */
static void put_unsure_reason(const struct search *s, struct strbuf *out)
{
	const struct winner *best = &s->winner[infeasible_best_effort(s)];
	double surest = prediction_max_confidence(s->request->predictor, &best->prediction);

	put_subject(s, "keeps no limit", "keeps any limit", out);
	strbuf_printf(out,
		      "with a confidence of %g: too few runs were held out to promise more than"
		      " %.4g of the best effort",
		      s->request->confidence, floor(1e4 * surest) / 1e4);
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

enum err_code infeasible_reason(const struct search *s, struct advice *a, struct err *e)
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
