#include "cli/rules/rules_actions.h"

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

	strbuf_printf(out, "-- %s (%s): ", v->rule->id, kb_verdict_name(v->verdict.state));
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
