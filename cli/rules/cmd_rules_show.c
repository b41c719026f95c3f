#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "domain/configuration.h"
#include "api/json_text.h"
#include "api/rule_book.h"
#include "api/rule_json.h"
#include "cli/frame/output.h"
#include "cli/data/run_rows.h"
#include "cli/answer/advice_table.h"
#include "cli/rules/rule_output.h"
#include "cli/rules/rules_actions.h"

/* ---- runs that it names ---- */

static struct out_table *new_table(const struct rule *r, const struct shown_column *shown, size_t n)
{
	const char *ratio = r->kind == RULE_TIME ? "measured/said" : "slow-down";
	struct out_column *column = calloc(n + 5, sizeof *column);
	size_t n_all = 0;
	struct out_table *t;

	if (!column)
		return NULL;
	column[n_all++] = (struct out_column){"run_id", "run", OUT_INT};
	if (!r->machine)
		column[n_all++] = (struct out_column){"machine", NULL, OUT_TEXT};
	column[n_all++] = (struct out_column){"problem", NULL, OUT_TEXT};
	for (size_t i = 0; i < n; i++)
		column[n_all++] = (struct out_column){shown[i].name, NULL, OUT_TEXT};
	column[n_all++] = (struct out_column){"wall_s", "took", OUT_SECONDS};
	column[n_all++] = (struct out_column){"ratio", ratio, OUT_REAL};
	t = out_table_new(column, n_all);
	free(column);
	return t;
}

static void put_shown(const struct application *a, const struct shown_column *c, const double *row,
		      struct strbuf *out)
{
	for (size_t i = 0; i < (c->group ? c->group->n : 1); i++) {
		size_t i_column = c->group ? c->group->column[i] : c->i_column;

		strbuf_puts(out, i ? "x" : "");
		configuration_put_value(a, i_column, row[i_column], out);
	}
}

static bool add_example(struct out_table *t, const struct application *a, const struct rule *r,
			const struct rule_context *g, const struct shown_column *shown, size_t n,
			const struct rule_counter_example *x)
{
	const struct dataset *runs = g->runs;
	const double *row = dataset_row(runs, x->run);
	struct strbuf text = STRBUF_INIT;
	bool failed;

	out_int(t, runs->run_id[x->run]);
	if (!r->machine)
		out_text(t, rule_context_machine(g, x->run));
	configuration_put_problem(a, row, &text);
	out_text(t, strbuf_text(&text));
	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&text);
		put_shown(a, &shown[i], row, &text);
		out_text(t, strbuf_text(&text));
	}
	out_real(t, runs->wall_s[x->run]);
	out_real(t, x->ratio);
	failed = text.failed;
	strbuf_release(&text);
	return !failed;
}

/* The configurations that speak against a rule: run, problem, choice, time, and the ratio that
 * struct rule_residuals defines. NULL: out of memory. */
static struct out_table *rule_examples_table(const struct application *a, const struct rule *r,
					     const struct rule_context *g)
{
	struct shown_column *shown = calloc(a->n_columns + 1, sizeof *shown);
	size_t n = shown ? shown_columns(a, true, shown) : 0;
	struct out_table *t = shown ? new_table(r, shown, n) : NULL;

	for (size_t i = 0; t && i < g->residuals.n_worst; i++) {
		if (!add_example(t, a, r, g, shown, n, &g->residuals.worst[i])) {
			out_table_free(t);
			t = NULL;
		}
	}
	free(shown);
	return t;
}

/* ---- ratios as bars ---- */

/* " 49.8 %" stands behind each bar. */
enum { BAR_WIDTH = 18, SHARE_WIDTH = 8, MAX_BINS_SHOWN = 12 };

/* Slow-down starts at 1; a formula errs to both sides. */
static const double slow_edge[] = {1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10};
static const double time_edge[] = {0.5, 0.67, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

struct histogram_scale {
	const double *edge;
	size_t n_edges;
};

static const char *const heading[RULE_KIND_COUNT][3] = {
	[RULE_CHOICE] = {"slow-down", "where it holds", "other choices there"},
	[RULE_SETTING] = {"slow-down", "as it says", "otherwise"},
	[RULE_TIME] = {"measured /", "with the rule", "without it"},
};

static void count(const struct histogram_scale *s, const double *value, size_t n, size_t *bin)
{
	for (size_t i = 0; i < n; i++) {
		size_t b = 0;

		while (b < s->n_edges && value[i] > s->edge[b])
			b++;
		bin[b]++;
	}
}

static void put_label(const struct histogram_scale *s, size_t b, struct strbuf *out)
{
	char label[32];

	if (b == s->n_edges)
		snprintf(label, sizeof label, "above %g", s->edge[b - 1]);
	else if (b == 0)
		snprintf(label, sizeof label, "to %g", s->edge[0]);
	else
		snprintf(label, sizeof label, "%g-%g", s->edge[b - 1], s->edge[b]);
	strbuf_printf(out, "  %-10s", label);
}

/* Lines end where the ink ends. */
static void trim(struct strbuf *out)
{
	while (out->len > 0 && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

static void put_bar(size_t n, size_t n_all, struct strbuf *out)
{
	double share = n_all ? (double)n / (double)n_all : 0;
	int length = (int)(share * BAR_WIDTH + 0.5);
	char bar[BAR_WIDTH + 1];

	memset(bar, '#', BAR_WIDTH);
	bar[length] = '\0';
	/* Something is never drawn as nothing. */
	strbuf_printf(out, "  %-*s", BAR_WIDTH, length == 0 && n > 0 ? "|" : bar);
	if (n > 0)
		strbuf_printf(out, " %5.1f %%", 100 * share);
	else
		strbuf_printf(out, "%*s", SHARE_WIDTH, "");
}

static void put_median(const struct rule_residuals *w, struct strbuf *out)
{
	const double *side[] = {w->with, w->without};
	const size_t n[] = {w->n_with, w->n_without};

	strbuf_printf(out, "  %-10s", "median");
	for (int i = 0; i < 2; i++) {
		char text[32] = "";

		if (n[i] > 0)
			snprintf(text, sizeof text, "%.3g",
				 rule_context_quantile(side[i], n[i], 0.5));
		strbuf_printf(out, "  %-*s", BAR_WIDTH + SHARE_WIDTH, text);
	}
	trim(out);
	strbuf_putc(out, '\n');
}

static void put_heading(const struct rule *r, const struct rule_residuals *w, struct strbuf *out)
{
	char with[48], without[48];

	snprintf(with, sizeof with, "%s (%zu)", heading[r->kind][1], w->n_with);
	snprintf(without, sizeof without, "%s (%zu)", heading[r->kind][2], w->n_without);
	strbuf_printf(out, "  %-10s  %-*s  %s\n", heading[r->kind][0], BAR_WIDTH + SHARE_WIDTH,
		      with, without);
	if (r->kind == RULE_TIME)
		strbuf_puts(out, "  predicted\n");
}

/* How the ratios of both sides of a rule are spread, as bars of plain text beside each other, at
 * most 80 columns wide, from the first bin that holds anything to the last. */
static void rule_plot_put(const struct rule *r, const struct rule_residuals *w, struct strbuf *out)
{
	struct histogram_scale s = r->kind == RULE_TIME
					   ? (struct histogram_scale){time_edge, COUNT(time_edge)}
					   : (struct histogram_scale){slow_edge, COUNT(slow_edge)};
	size_t with[MAX_BINS_SHOWN] = {0}, without[MAX_BINS_SHOWN] = {0};
	size_t first = 0, last = s.n_edges;

	count(&s, w->with, w->n_with, with);
	count(&s, w->without, w->n_without, without);
	while (first < last && with[first] + without[first] == 0)
		first++;
	while (last > first && with[last] + without[last] == 0)
		last--;
	put_heading(r, w, out);
	for (size_t b = first; b <= last; b++) {
		put_label(&s, b, out);
		put_bar(with[b], w->n_with, out);
		put_bar(without[b], w->n_without, out);
		trim(out);
		strbuf_putc(out, '\n');
	}
	put_median(w, out);
}

/* ---- the action ---- */

/* What is shown: a rule, its book, and what today's runs say about it. */
struct shown_rule {
	const struct rule_book *book;
	const struct rule_view *view;
	struct rule_context background;
	struct out_table *runs; /* the first that its condition holds for */
};

/* ---- for people ---- */

static enum err_code print_words(const struct context *c, const struct shown_rule *s, struct err *e)
{
	const struct rule *r = s->view->rule;
	const struct rule_residuals *w = &s->background.residuals;
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

static enum err_code print_examples(const struct context *c, const struct shown_rule *s,
				    struct err *e)
{
	const struct rule *r = s->view->rule;
	const struct rule_context *g = &s->background;
	struct out_table *t;
	enum err_code rc;

	if (g->residuals.n_with == 0)
		return ERR_OK;
	print_examples_heading(c, r, &g->residuals);
	t = rule_examples_table(s->book->app, r, g);
	rc = t ? out_table_print(t, FORMAT_TABLE, "counter_examples", c->out, e)
	       : err_set(e, ERR_NOMEM, "the counter-examples");
	out_table_free(t);
	return rc;
}

static enum err_code print_runs(const struct context *c, const struct shown_rule *s, struct err *e)
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

static enum err_code print_text(const struct context *c, const struct shown_rule *s, struct err *e)
{
	enum err_code rc;

	if ((rc = print_words(c, s, e)) || (rc = print_examples(c, s, e)))
		return rc;
	return print_runs(c, s, e);
}

/* ---- for machines ---- */

static enum err_code print_json(const struct context *c, const struct shown_rule *s, struct err *e)
{
	struct json_t *answer = NULL;
	enum err_code rc = rule_context_json(s->book, s->view, &s->background, &answer, e);

	return rc ? rc
		  : out_answer(member_value(answer, "runs", out_table_json(s->runs)), answer,
			       "the rule as JSON", c->out, e);
}

static enum err_code print_csv(const struct context *c, const struct shown_rule *s, struct err *e)
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
static enum err_code ask(struct context *c, struct shown_rule *s, int64_t limit, struct err *e)
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
	struct shown_rule s = {.book = &b};
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
