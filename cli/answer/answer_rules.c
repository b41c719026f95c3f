#include "cli/answer/answer_rules.h"

#include <jansson.h>

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
static void put_choice(struct lines *l, const struct application *a, const json_t *choice)
{
	const json_t *because = json_object_get(choice, "because");
	const json_t *instead_of = json_object_get(choice, "instead_of");
	size_t n = json_array_size(because);

	if (!json_is_object(instead_of) || !next_line(l))
		return;
	strbuf_printf(l->s,
		      "  chosen among %.0f configurations that predictions cannot tell apart "
		      "(within %.2g %%): rule%s ",
		      answer_number(choice, "configurations"),
		      100 * answer_number(choice, "within"), n == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(l->s, "%s%s", i ? ", " : "",
			      json_string_value(json_array_get(because, i)));
	strbuf_printf(l->s, " speak%s for it rather than for ", n == 1 ? "s" : "");
	answer_put_choice(l->s, a, instead_of);
	strbuf_putc(l->s, '\n');
}

/* "  for      3f2a5c01b2d3 (accepted): if procs >= 64 then mk between 5 and 10: ..." */
static void put_opinions(struct lines *l, const json_t *rules)
{
	size_t i;
	json_t *rule;

	json_array_foreach(rules, i, rule)
	{
		if (!next_line(l))
			continue;
		strbuf_printf(l->s, "  %-7s  %s (%s): ", answer_text(rule, "verdict"),
			      answer_text(rule, "id"), answer_text(rule, "state"));
		text_put_safe(l->s, answer_text(rule, "text"), false);
		strbuf_putc(l->s, '\n');
	}
}

static void put_preferences(struct lines *l, const json_t *preferences)
{
	size_t i;
	json_t *p;

	json_array_foreach(preferences, i, p)
	{
		if (next_line(l))
			strbuf_printf(l->s, "  accepted rule %s is preferred to %s\n",
				      answer_text(p, "rule"), answer_text(p, "to"));
	}
}

void answer_put_rules(struct strbuf *s, const struct application *a, const struct json_t *evidence,
		      size_t max, const char *elsewhere)
{
	struct lines l = {.s = s, .max = max};

	put_choice(&l, a, json_object_get(evidence, "rule_choice"));
	put_preferences(&l, json_object_get(evidence, "rule_preferences"));
	put_opinions(&l, json_object_get(evidence, "rules"));
	if (l.n > max)
		strbuf_printf(s, "  and %zu more: %s\n", l.n - max, elsewhere);
}
