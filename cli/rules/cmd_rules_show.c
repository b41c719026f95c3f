#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "api/rule_book.h"
#include "api/rule_json.h"
#include "cli/data/run_rows.h"
#include "cli/rules/rule_evidence.h"
#include "cli/rules/rule_examples.h"
#include "cli/rules/rule_output.h"
#include "cli/rules/rule_plot.h"
#include "cli/rules/rules_actions.h"

/* What is shown: a rule, its book, and what today's runs say about it. */
struct shown {
	const struct rule_book *book;
	const struct rule_view *view;
	struct rule_context background;
	struct out_table *runs; /* the first that its condition holds for */
};

/* ---- for people ---- */

static enum err_code print_words(const struct context *c, const struct shown *s, struct err *e)
{
	const struct rule *r = s->view->rule;
	const struct rule_residuals *w = &s->background.witness;
	struct rule today = *r; /* borrows from it */
	struct rule_view view = *s->view;
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	/* What is said of it agrees with the counter-examples below, which are of today's runs. */
	today.evidence.n_checked = (int64_t)w->n_checked;
	today.evidence.n_counter = (int64_t)w->n_counter;
	view.rule = &today;
	rule_put_head(&view, &text);
	strbuf_putc(&text, '\n');
	rule_put_evidence(s->book, &view, &text);
	rule_put_decisions(s->book, r, &text);
	if (w->n_with > 0) {
		strbuf_puts(&text, "\nconfigurations by ratio\n");
		rule_plot_put(r, w, &text);
	}
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "rule %s", r->id);
	else
		fputs(strbuf_text(&text), c->out);
	strbuf_release(&text);
	return rc;
}

static void print_examples_heading(const struct context *c, const struct rule *r,
				   const struct rule_residuals *w)
{
	fprintf(c->out, "\ncounter-examples: %zu", w->n_counter);
	switch (w->n_counter > 0 ? r->kind : RULE_KIND_COUNT) {
	case RULE_CHOICE:
		fprintf(c->out, " configurations are within %.3g %% of the best all the same",
			100 * (RULE_NEAR_BEST - 1));
		break;
	case RULE_SETTING:
		fprintf(c->out, " cases where it led more than %.3g %% from the best",
			100 * r->within);
		break;
	case RULE_TIME:
		fputs(" configurations are told worse than without it", c->out);
		break;
	case RULE_INVARIANT:
	case RULE_KIND_COUNT:
		break;
	}
	fputc('\n', c->out);
}

static enum err_code print_examples(const struct context *c, const struct shown *s, struct err *e)
{
	const struct rule *r = s->view->rule;
	const struct rule_context *g = &s->background;
	struct out_table *t;
	enum err_code rc;

	if (g->witness.n_with == 0)
		return ERR_OK;
	print_examples_heading(c, r, &g->witness);
	t = rule_examples_table(s->book->app, r, g);
	rc = t ? out_table_print(t, FORMAT_TABLE, "counter_examples", c->out, e)
	       : err_set(e, ERR_NOMEM, "the counter-examples");
	out_table_free(t);
	return rc;
}

static enum err_code print_runs(const struct context *c, const struct shown *s, struct err *e)
{
	const struct rule_context *g = &s->background;
	struct strbuf sql = STRBUF_INIT, safe = STRBUF_INIT;
	size_t n = out_table_rows(s->runs);
	enum err_code rc;

	if ((int64_t)n < g->n_runs)
		fprintf(c->out, "\nruns: the first %zu of %" PRId64 " (--limit 0 shows all)\n", n,
			g->n_runs);
	else
		fprintf(c->out, "\nruns: %" PRId64 "\n", g->n_runs);
	if (!(rc = out_table_print(s->runs, FORMAT_TABLE, "runs", c->out, e)) &&
	    !(rc = rule_put_sql(s->book->app, s->view->rule, &sql, e))) {
		text_put_safe(&safe, strbuf_text(&sql), false);
		fprintf(c->out, "\nfor sqlite3:\n%s;\n", strbuf_text(&safe));
	}
	strbuf_release(&sql);
	strbuf_release(&safe);
	return rc;
}

static enum err_code print_text(const struct context *c, const struct shown *s, struct err *e)
{
	enum err_code rc;

	if ((rc = print_words(c, s, e)) || (rc = print_examples(c, s, e)))
		return rc;
	return print_runs(c, s, e);
}

/* ---- for machines ---- */

static enum err_code print_json(const struct context *c, const struct shown *s, struct err *e)
{
	json_t *answer = NULL;
	enum err_code rc = rule_context_json(s->book, s->view, &s->background, &answer, e);

	if (!rc && json_object_set_new(answer, "runs", out_table_json(s->runs)))
		rc = err_set(e, ERR_NOMEM, "rule %s as JSON", s->view->rule->id);
	if (!rc)
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

static enum err_code print_csv(const struct context *c, const struct shown *s, struct err *e)
{
	struct out_table *t = rule_table_new();
	enum err_code rc = t ? rule_table_add(t, s->book, s->view, e)
			     : err_set(e, ERR_NOMEM, "rule %s", s->view->rule->id);

	if (!rc)
		rc = out_table_print(t, FORMAT_CSV, "rule", c->out, e);
	out_table_free(t);
	return rc;
}

/* ---- the action ---- */

/* limit: of runs, 0: all. */
static enum err_code ask(struct context *c, struct shown *s, int64_t limit, struct err *e)
{
	struct rule_context *g = &s->background;
	enum err_code rc = rule_context_load(&c->session, s->book, s->view->rule, g, e);

	if (!rc) {
		g->filter.limit = limit;
		rc = run_rows_table(c->session.kb, s->book->app, &g->filter, true, &s->runs, e);
	}
	progress_bar_clear(&c->bar);
	return rc;
}

enum err_code rules_show_run(struct context *c, struct err *e)
{
	struct rule_book b = {0};
	struct shown s = {.book = &b};
	long long limit = 10;
	enum err_code rc;

	if ((rc = rules_table_format(c, e)) ||
	    (rc = options_integer(&c->opt, &opt_rules_limit, 0, 1000000000000, &limit, e)) ||
	    (rc = rule_book_open(c, &b, e)) ||
	    (rc = rule_book_find(&b, c->operand[0], &s.view, e)) || (rc = ask(c, &s, limit, e)))
		goto done;
	rule_book_warn_stale(c, &b);
	rc = c->format == FORMAT_JSON  ? print_json(c, &s, e)
	     : c->format == FORMAT_CSV ? print_csv(c, &s, e)
				       : print_text(c, &s, e);
done:
	out_table_free(s.runs);
	rule_context_release(&s.background);
	rule_book_release(&b);
	return rc;
}
