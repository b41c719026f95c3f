#include "cli/answer/failure_output.h"

#include <string.h>

#include <jansson.h>

#include "cli/answer/answer_text.h"

void failure_put_warning(struct strbuf *s, const struct json_t *choice)
{
	const json_t *w = json_object_get(choice, "warning");
	double run_id = answer_number(w, "run_id");

	if (!w)
		return;
	if (!strcmp(answer_text(w, "kind"), "failed"))
		strbuf_printf(s,
			      "FAILED BEFORE: run %.0f of this configuration failed, and none of it"
			      " ended; the time above is that of a run that ends\n",
			      run_id);
	else
		strbuf_printf(s,
			      "AT RISK: run %.0f failed with these tunables, on a problem no larger"
			      " and on as many nodes or more\n",
			      run_id);
}

void failure_put_outlasted(struct strbuf *s, const struct json_t *choice)
{
	const double least_s = answer_number(choice, "outlasts_s");

	if (!(least_s > 0))
		return;
	strbuf_puts(
		s,
		"CUT BEFORE: each run of this configuration hit its time limit, the longest of ");
	answer_put_duration(s, least_s);
	strbuf_puts(s, "; the time above is that of a run that takes longer\n");
}

void failure_put_left_out(struct strbuf *s, const struct json_t *search)
{
	const json_t *left_out = json_object_get(search, "left_out");
	const json_t *failed = json_object_get(left_out, "failed");
	const json_t *at_risk = json_object_get(left_out, "at_risk");

	if (!left_out)
		return;
	strbuf_puts(s, "left out: ");
	if (failed) {
		answer_put_count(s, answer_number(failed, "configurations"), "configuration");
		strbuf_printf(s, " that only failed on this problem (run %.0f)",
			      answer_number(failed, "run_id"));
	}
	if (at_risk) {
		strbuf_puts(s, failed ? ", " : "");
		answer_put_count(s, answer_number(at_risk, "configurations"), "configuration");
		strbuf_printf(s,
			      " at risk (run %.0f failed with the same tunables, on a problem no"
			      " larger and on as many nodes or more)",
			      answer_number(at_risk, "run_id"));
	}
	strbuf_putc(s, '\n');
}
