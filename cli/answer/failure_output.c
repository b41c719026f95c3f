#include "cli/answer/failure_output.h"

#include "cli/answer/answer_text.h"

void failure_put_warning(struct strbuf *s, const struct answer_choice *choice)
{
	const struct answer_warning *w = &choice->warning;

	if (!w->given)
		return;
	if (w->failed)
		strbuf_printf(s,
			      "FAILED BEFORE: run %.0f of this configuration failed, and none of it"
			      " ended; the time above is that of a run that ends\n",
			      w->run_id);
	else
		strbuf_printf(s,
			      "AT RISK: run %.0f failed with these tunables, and no run that ended "
			      "makes this one safe\n",
			      w->run_id);
}

void failure_put_outlasted(struct strbuf *s, const struct answer_choice *choice)
{
	if (!(choice->outlasts_s > 0))
		return;
	strbuf_puts(
		s,
		"CUT BEFORE: each run of this configuration hit its time limit, the longest of ");
	answer_put_duration(s, choice->outlasts_s);
	strbuf_puts(s, "; the time above is that of a run that takes longer\n");
}

void failure_put_left_out(struct strbuf *s, const struct answer_search *search)
{
	const struct answer_left_out *failed = &search->failed, *at_risk = &search->at_risk;

	if (!search->any_left_out)
		return;
	strbuf_puts(s, "left out: ");
	if (failed->given) {
		answer_put_count(s, failed->configurations, "configuration");
		strbuf_printf(s, " that only failed on this problem (run %.0f)", failed->run_id);
	}
	if (at_risk->given) {
		strbuf_puts(s, failed->given ? ", " : "");
		answer_put_count(s, at_risk->configurations, "configuration");
		strbuf_printf(s,
			      " at risk (run %.0f failed with the same tunables, and no run that "
			      "ended makes them safe)",
			      at_risk->run_id);
	}
	strbuf_putc(s, '\n');
}
