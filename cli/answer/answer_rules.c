#include "cli/answer/answer_rules.h"

#include "cli/answer/answer_text.h"
#include "cli/frame/output.h"

/* Lines of which only the first few are wanted. */
struct lines {
	struct strbuf *s;
	size_t max, n;
};

/* May another line be put? Counts it either way. */
static bool next_line(struct lines *l)
{
	if (l->n == 0)
		strbuf_puts(l->s, "rules\n");
	return l->n++ < l->max;
}

/* "chosen among 14 configurations that predictions cannot tell apart (within 2.1 %): rules 3f2a...,
 * 9c1d... speak for it rather than for 2 nodes, 8 procs, grid 2x4, mk 10, mmi 3" */
static void put_choice(struct lines *l, const struct application *a,
		       const struct answer_rule_choice *choice)
{
	size_t n = choice->n_because;

	if (!choice->instead_of.given || !next_line(l))
		return;
	strbuf_printf(l->s,
		      "  chosen among %.0f configurations that predictions cannot tell apart "
		      "(within %.2g %%): rule%s ",
		      choice->configurations, 100 * choice->within, n == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(l->s, "%s%s", i ? ", " : "", choice->because[i]);
	strbuf_printf(l->s, " speak%s for it rather than for ", n == 1 ? "s" : "");
	answer_put_choice(l->s, a, &choice->instead_of);
	strbuf_putc(l->s, '\n');
}

/* "  for      3f2a5c01b2d3 (accepted): if procs >= 64 then mk between 5 and 10: ..." */
static void put_opinions(struct lines *l, const struct answer_evidence *evidence)
{
	for (size_t i = 0; i < evidence->n_rules; i++) {
		const struct answer_rule *rule = &evidence->rule[i];

		if (!next_line(l))
			continue;
		strbuf_printf(l->s, "  %-7s  %s (%s): ", rule->verdict, rule->id, rule->state);
		text_put_safe(l->s, rule->text, false);
		strbuf_putc(l->s, '\n');
	}
}

static void put_preferences(struct lines *l, const struct answer_evidence *evidence)
{
	for (size_t i = 0; i < evidence->n_preferences; i++) {
		const struct answer_preference *p = &evidence->preference[i];

		if (next_line(l))
			strbuf_printf(l->s, "  accepted rule %s is preferred to %s\n", p->rule,
				      p->to);
	}
}

void answer_put_rules(struct strbuf *s, const struct application *a,
		      const struct answer_evidence *evidence, size_t max, const char *elsewhere)
{
	struct lines l = {.s = s, .max = max};

	put_choice(&l, a, &evidence->rule_choice);
	put_preferences(&l, evidence);
	put_opinions(&l, evidence);
	if (l.n > max)
		strbuf_printf(s, "  and %zu more: %s\n", l.n - max, elsewhere);
}
