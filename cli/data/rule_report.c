#include "cli/data/rule_report.h"

#include <stdlib.h>

#include "cli/frame/output.h"
#include "mining/rules/mine_rules.h"

/* "  gained  4ccbe22c137d  if ... then ..." */
static void put_rule(const char *what, const struct rule *r, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	rule_put_text(r, &text);
	strbuf_printf(out, "  %-7s %s  ", what, r->id);
	text_put_safe(out, strbuf_text(&text), false);
	strbuf_putc(out, '\n');
	out->failed = out->failed || text.failed;
	strbuf_release(&text);
}

static void put_change(const struct rule_change *x, struct strbuf *out)
{
	if (x->before && x->after) {
		put_rule("moved", x->before, out);
		put_rule("to", x->after, out);
	} else if (x->after) {
		put_rule("gained", x->after, out);
	} else {
		put_rule("lost", x->before, out);
	}
}

static void count(const struct rule_change *change, size_t n, struct rule_report *r)
{
	for (size_t i = 0; i < n; i++) {
		r->n_gained += !change[i].before;
		r->n_lost += !change[i].after;
		r->n_moved += change[i].before && change[i].after;
	}
}

enum err_code rule_report_make(const struct application *a, const struct mine_outcome *o,
			       struct rule_report *out, struct strbuf *text, struct err *e)
{
	struct rule_report r = {.n = o->rules.rules.n};
	struct rule_change *change = NULL;
	size_t n = 0;
	enum err_code rc = ERR_OK;

	if (o->before.snapshot[0])
		rc = rule_changes(a, &o->before.rules, &o->rules.rules, &change, &n, e);
	if (rc)
		return rc;
	count(change, n, &r);
	strbuf_printf(text, "rules: %zu", r.n);
	if (n > 0)
		strbuf_printf(text, " (%zu gained, %zu lost, %zu moved)", r.n_gained, r.n_lost,
			      r.n_moved);
	strbuf_putc(text, '\n');
	for (size_t i = 0; i < n; i++)
		put_change(&change[i], text);
	free(change);
	if (text->failed)
		return err_set(e, ERR_NOMEM, "what changed about %zu rules", r.n);
	*out = r;
	return ERR_OK;
}
