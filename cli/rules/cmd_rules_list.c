#include <inttypes.h>
#include <math.h>

#include "api/rule_json.h"
#include "cli/frame/fold.h"
#include "cli/rules/rule_output.h"
#include "cli/rules/rules_actions.h"

enum { TEXT_INDENT = 4 };

/* ---- for people: a line of figures, and the rule under it ---- */

static void put_effect(const struct rule_evidence *ev, struct strbuf *out)
{
	size_t start = out->len;

	rule_put_ratio(ev->effect, out);
	if (isfinite(ev->lo) && isfinite(ev->hi))
		strbuf_printf(out, " %.2f-%.2f", ev->lo, ev->hi);
	strbuf_printf(out, "%*s", (int)(start + 16 > out->len ? start + 16 - out->len : 0), "");
}

/* "twin 1b06..: tile = 32" for each. */
static void put_twins(const struct rule_book *b, const struct rule *r, struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;
	const struct rule *twin;
	size_t at = 0;

	while ((twin = rule_book_next_twin(b, r, &at))) {
		strbuf_clear(&line);
		strbuf_puts(&line, "twin ");
		rule_put_twin(twin, &line);
		text_put_wrapped(strbuf_text(&line), TEXT_INDENT, out);
	}
	out->failed = out->failed || line.failed;
	strbuf_release(&line);
}

static void put_brief(const struct context *c, const struct rule_book *b, const struct rule_view *v,
		      struct strbuf *out)
{
	const struct rule *r = v->rule;
	const struct rule_evidence *ev = &r->evidence;
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(out, "%3zu  %s%s%s  %-7s  %-8s  ", v->number, style(c->color, STYLE_BOLD),
		      r->id, style(c->color, STYLE_PLAIN), rule_kind_name(r->kind),
		      kb_rule_state_name(v->verdict.state));
	put_effect(ev, out);
	if (isfinite(ev->confidence))
		strbuf_printf(out, "  %5.1f %%", rule_percent(rule_held_up(ev)));
	else
		strbuf_puts(out, "         ");
	strbuf_printf(out, "  %7" PRId64 "%s\n", ev->n_runs, v->everywhere ? "  all machines" : "");
	rule_put_text(r, &text);
	text_put_wrapped(strbuf_text(&text), TEXT_INDENT, out);
	put_twins(b, r, out);
	if (v->verdict.look_again) {
		strbuf_clear(&text);
		rule_put_look_again(&v->verdict, &text);
		strbuf_puts(out, style(c->color, STYLE_WARN));
		text_put_wrapped(strbuf_text(&text), TEXT_INDENT, out);
		strbuf_puts(out, style(c->color, STYLE_PLAIN));
	}
	out->failed = out->failed || text.failed;
	strbuf_release(&text);
}

static enum err_code print_brief(struct context *c, const struct rule_book *b, size_t n,
				 struct err *e)
{
	struct strbuf out = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (n > 0)
		strbuf_puts(&out, "  #  id            kind     state     effect (90 %)      held up"
				  "     runs  scope\n");
	for (size_t i = 0; i < n; i++)
		put_brief(c, b, &b->item[i], &out);
	if (out.failed)
		rc = err_set(e, ERR_NOMEM, "the list of %zu rules", n);
	else
		fold_print(strbuf_text(&out), c->out);
	strbuf_release(&out);
	return rc;
}

/* ---- for machines ---- */

static enum err_code rules_print_csv(struct context *c, const struct rule_book *b, size_t n,
				     struct err *e)
{
	struct out_table *t = rule_table_new();
	enum err_code rc = t ? ERR_OK : err_set(e, ERR_NOMEM, "the list of rules");

	for (size_t i = 0; i < n && !rc; i++)
		rc = rule_table_add(t, b, &b->item[i], e);
	if (!rc)
		rc = out_table_print(t, FORMAT_CSV, "rules", c->out, e);
	out_table_free(t);
	return rc;
}

static enum err_code rules_print_json(struct context *c, const struct rule_book *b, size_t n,
				      struct err *e)
{
	struct json_t *answer = NULL;
	enum err_code rc = rule_book_json(b, n, &answer, e);

	return rc ? rc : out_answer(0, answer, "the rules as JSON", c->out, e);
}

/* ---- no rule ---- */

/* Why there is none, as far as the runs tell. */
static void say_why_none(const struct context *c, const struct rule_book *b)
{
	const struct data_profile *p = &b->own.findings.profile;

	if (p->n_problems < 2 || p->n_configurations == p->n_cases)
		context_note(c,
			     "no rules: the runs of %s on %s are too few (configurations: %lld, "
			     "cases: %lld, problems: %lld) to find one on some and check it on "
			     "others; load more (`lemnos ingest`)",
			     b->app->name, b->machine->name, (long long)p->n_configurations,
			     (long long)p->n_cases, (long long)p->n_problems);
	else
		context_note(c,
			     "no rules: nothing that was found in %lld configurations of %s on %s "
			     "held up on runs that were held out",
			     (long long)p->n_configurations, b->app->name, b->machine->name);
}

void rules_say_how_many(const struct context *c, const struct rule_book *b, size_t n)
{
	if (b->n_all == 0)
		say_why_none(c, b);
	else if (b->n == 0 && b->n_aside_time == 0)
		context_note(c, "none of the %zu rules is like that", b->n_all);
	else if (b->n > n)
		context_note(c, "%zu of %zu rules; --limit 0 shows all", n, b->n);
	if (b->n_aside_time > 0)
		context_note(
			c, "%zu more %s time, but no prediction follows %s; --kind time shows %s",
			b->n_aside_time, b->n_aside_time == 1 ? "rule explains" : "rules explain",
			b->n_aside_time == 1 ? "it" : "them", b->n_aside_time == 1 ? "it" : "them");
}

/* What list and export share: the book with what the filters leave of it; *n of them are to be
 * shown. all: those that stand aside (struct rule_view), too. */
static enum err_code rules_select(struct context *c, struct rule_book *b, bool all, size_t *n,
				  struct err *e)
{
	struct rule_filter f;
	long long limit = 0;
	enum err_code rc;

	if ((rc = options_integer(&c->opt, &opt_rules_limit, 0, 1000000, &limit, e)) ||
	    (rc = rule_book_open(c, b, e)) || (rc = rule_filter_read(c, b->app, &f, e)))
		return rc;
	f.all = all;
	rule_book_keep(b, &f);
	*n = limit && (size_t)limit < b->n ? (size_t)limit : b->n;
	rule_book_warn_stale(c, b);
	return ERR_OK;
}

enum err_code rules_list_run(struct context *c, struct err *e)
{
	struct rule_book b = {0};
	size_t n = 0;
	enum err_code rc;

	if ((rc = rules_table_format(c, e)) || (rc = rules_select(c, &b, false, &n, e)))
		goto done;
	rc = c->format == FORMAT_JSON  ? rules_print_json(c, &b, n, e)
	     : c->format == FORMAT_CSV ? rules_print_csv(c, &b, n, e)
				       : print_brief(c, &b, n, e);
	if (!rc)
		rules_say_how_many(c, &b, n);
done:
	rule_book_release(&b);
	return rc;
}

/* ---- export ---- */

static void put_line(const char *id, const char *text, struct strbuf *out)
{
	strbuf_printf(out, "%s  ", id);
	text_put_safe(out, text, false);
	strbuf_putc(out, '\n');
}

/* A line of comment and a statement. A line break in a name would end the comment early:
 * text_put_safe() leaves none. */
static enum err_code put_statement(const struct rule_book *b, const struct rule_view *v,
				   const char *text, struct strbuf *out, struct err *e)
{
	enum err_code rc;

	strbuf_printf(out, "-- %s (%s): ", v->rule->id, kb_rule_state_name(v->verdict.state));
	text_put_safe(out, text, false);
	strbuf_putc(out, '\n');
	rc = rule_put_sql(b->app, v->rule, out, e);
	strbuf_puts(out, ";\n");
	return rc;
}

static enum err_code print_lines(struct context *c, const struct rule_book *b, size_t n, bool sql,
				 struct err *e)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++) {
		strbuf_clear(&text);
		rule_put_text(b->item[i].rule, &text);
		if (sql)
			rc = put_statement(b, &b->item[i], strbuf_text(&text), &out, e);
		else
			put_line(b->item[i].rule->id, strbuf_text(&text), &out);
	}
	if (!rc && (out.failed || text.failed))
		rc = err_set(e, ERR_NOMEM, "%zu rules", n);
	if (!rc)
		out_exact(strbuf_text(&out), c->out);
	strbuf_release(&text);
	strbuf_release(&out);
	return rc;
}

enum err_code rules_export_run(struct context *c, struct err *e)
{
	struct rule_book b = {0};
	int format = RULES_TEXT;
	size_t n = 0;
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_rules_format, &format, e)))
		return rc;
	if (format == RULES_TABLE)
		return err_set(e, ERR_USAGE,
			       "--format table is for `lemnos rules list`; here it is one of: text "
			       "json csv sql");
	if (!(rc = rules_select(c, &b, true, &n, e)))
		rc = format == RULES_JSON  ? rules_print_json(c, &b, n, e)
		     : format == RULES_CSV ? rules_print_csv(c, &b, n, e)
					   : print_lines(c, &b, n, format == RULES_SQL, e);
	if (!rc)
		rules_say_how_many(c, &b, n);
	rule_book_release(&b);
	return rc;
}
