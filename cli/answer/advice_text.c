#include "cli/answer/advice_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/units.h"
#include "cli/answer/advice_short.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/advice_verdict.h"
#include "cli/answer/answer_rules.h"
#include "cli/answer/answer_text.h"
#include "cli/answer/breakdown_output.h"
#include "cli/answer/failure_output.h"
#include "cli/answer/frontier_text.h"
#include "cli/answer/sensitivity_text.h"
#include "cli/answer/machines_text.h"
#include "cli/answer/next_answer.h"
#include "cli/answer/next_table.h"
#include "cli/frame/fold.h"

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
	answer_put_count(s, search->legal,
			 search->tried_only ? "configuration" : "legal configuration");
	if (search->tried_only)
		strbuf_puts(s, advice_tried_what(answer));
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
	advice_put_invariants(s, search, true, "kept to what held in all runs: ");
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
