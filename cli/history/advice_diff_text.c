#include "cli/history/advice_diff_text.h"

#include "cli/answer/answer_text.h"
#include "cli/frame/output.h"

enum { MAX_LINES = 5 };

static void put_import(struct strbuf *out, const struct kb_changed_import *i, const char *what)
{
	strbuf_puts(out, "  ");
	answer_put_count(out, (double)i->n_runs, i->pingpong ? "ping-pong row" : "run");
	strbuf_printf(out, " %s: import %lld (", what, (long long)i->id);
	text_put_safe(out, i->file_name ? i->file_name : "", false);
	strbuf_printf(out, ", %s)\n", i->at);
}

static void put_imports(struct strbuf *out, const struct kb_changed_import *list, size_t n,
			const char *what)
{
	double n_runs = 0;

	for (size_t i = 0; i < n; i++) {
		if (i < MAX_LINES)
			put_import(out, &list[i], what);
		else
			n_runs += (double)list[i].n_runs;
	}
	if (n > MAX_LINES) {
		strbuf_puts(out, "  and ");
		answer_put_count(out, n_runs, "run");
		strbuf_printf(out, " %s by %zu more\n", what, n - MAX_LINES);
	}
}

static void put_decision(struct strbuf *out, const struct kb_decision *d)
{
	static const char *const done[] = {
		[DECISION_ACCEPT] = "accepted",
		[DECISION_REFUSE] = "refused",
		[DECISION_NOTE] = "",
		[DECISION_UNDO] = "decision taken back",
	};

	strbuf_printf(out, "  rule %s: %s by ", d->rule_id, done[d->kind]);
	text_put_safe(out, d->who, false);
	strbuf_printf(out, " (%s)", d->decided_at);
	if (d->why && *d->why) {
		strbuf_puts(out, ": ");
		text_put_safe(out, d->why, false);
	}
	strbuf_putc(out, '\n');
}

static void put_definitions(struct strbuf *out, const struct advice_record *s,
			    const struct advice_diff *since)
{
	if (since->application)
		strbuf_printf(out, "  the definition of the application %s\n", s->app_name);
	if (since->machine)
		strbuf_printf(out, "  the definition of the machine %s\n", s->machine_name);
}

static void put_knowledge(struct strbuf *out, const struct advice_diff *since)
{
	if (since->unrecorded)
		strbuf_puts(out, "  facts, in a way that left no record (excluded runs that count "
				 "again)\n");
	if (since->other_rules)
		strbuf_puts(out, "  the rules that mining finds\n");
	if (since->predictor)
		strbuf_printf(out, "  the program: its predictors are of version %d, then %lld\n",
			      (int)PREDICTOR_VERSION, (long long)since->predictor_then);
	if (since->other_machines)
		strbuf_puts(out, "  what is known of the other machines that were asked\n");
	if (since->stale)
		strbuf_puts(out, "  not all of it is mined yet: run `lemnos mine`\n");
}

void advice_diff_put(struct strbuf *out, const struct advice_record *s,
		     const struct advice_diff *since)
{
	const struct kb_changes *facts = &since->facts;
	size_t before = out->len;

	put_imports(out, facts->came, facts->n_came, "loaded");
	put_imports(out, facts->gone, facts->n_gone, "taken out again");
	if (facts->n_excluded > 0) {
		strbuf_puts(out, "  ");
		answer_put_count(out, (double)facts->n_excluded, "run");
		strbuf_puts(out, " excluded\n");
	}
	put_definitions(out, s, since);
	for (size_t i = 0; i < since->n_decided; i++)
		put_decision(out, since->decided[i]);
	put_knowledge(out, since);
	if (out->len == before && since->mined)
		strbuf_puts(out, "  mined anew: the answer was given from stale knowledge\n");
}
