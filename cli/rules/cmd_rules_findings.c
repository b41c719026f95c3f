#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "api/rule_json.h"
#include "domain/findings.h"
#include "cli/frame/fold.h"
#include "cli/frame/output.h"
#include "cli/rules/rules_actions.h"

/* What mining found out about the runs besides rules, a table of each kind of finding; NULL: out of
 * memory. The caller frees it. */

/* ---- tables ---- */

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct out_column profile_columns[] = {
	{"runs", NULL, OUT_INT},
	{"configurations", NULL, OUT_INT},
	{"problems", NULL, OUT_INT},
	{"cases", NULL, OUT_INT},
	{"failed", NULL, OUT_INT},
	{"timeouts", NULL, OUT_INT},
	{"flagged", NULL, OUT_INT},
	{"aggregates", NULL, OUT_INT},
	{"repeated", "repeated configurations", OUT_INT},
	{"noise", "noise of repeats", OUT_PERCENT},
	{"noise_p90", "noise of the worst tenth", OUT_PERCENT},
	{"outliers", NULL, OUT_INT},
	{"regimes", "regimes in time", OUT_INT},
	{"regime_shift", "largest shift between them", OUT_REAL},
	{"design_coverage", "combinations run", OUT_PERCENT},
};
static const struct out_column column_columns[] = {
	{"column", NULL, OUT_TEXT},
	{"role", NULL, OUT_TEXT},
	{"n", NULL, OUT_INT},
	{"n_missing", "missing", OUT_INT},
	{"n_levels", "levels", OUT_INT},
	{"min", NULL, OUT_REAL},
	{"q25", NULL, OUT_REAL},
	{"median", NULL, OUT_REAL},
	{"q75", NULL, OUT_REAL},
	{"max", NULL, OUT_REAL},
	{"level_counts", "most frequent", OUT_TEXT},
	{"remark", NULL, OUT_TEXT},
};
static const struct out_column effect_columns[] = {
	{"column", NULL, OUT_TEXT},	 {"time_rho", "with time", OUT_REAL},
	{"time_lo", "from", OUT_REAL},	 {"time_hi", "to", OUT_REAL},
	{"time_p", "p", OUT_REAL},	 {"slow_rho", "with slow-down", OUT_REAL},
	{"slow_lo", "from", OUT_REAL},	 {"slow_hi", "to", OUT_REAL},
	{"slow_p", "p", OUT_REAL},	 {"effect", "worst/best", OUT_REAL},
	{"effect_lo", "from", OUT_REAL}, {"effect_hi", "to", OUT_REAL},
	{"best", NULL, OUT_TEXT},	 {"worst", NULL, OUT_TEXT},
};
static const struct out_column hypothesis_columns[] = {
	{"attribute", NULL, OUT_TEXT}, {"value", "best value", OUT_TEXT},
	{"n_sets", "sets", OUT_INT},   {"n_agree", "agree", OUT_INT},
	{"confidence", NULL, OUT_INT}, {"gain", NULL, OUT_REAL},
	{"gain_lo", "from", OUT_REAL}, {"gain_hi", "to", OUT_REAL},
	{"p", NULL, OUT_REAL},
};
static const struct out_column ranking_columns[] = {
	{"choice", NULL, OUT_TEXT},
	{"mean_rank", "mean rank", OUT_REAL},
	{"rank_sum", "rank sum", OUT_REAL},
	{"ties", NULL, OUT_TEXT},
};

/* One row, without the remarks: they are several lines, which people read below the record. */
static struct out_table *finding_profile_table(const struct data_profile *p)
{
	struct out_table *t = out_table_new(profile_columns, COUNT(profile_columns));

	if (!t)
		return NULL;
	out_int(t, p->n_runs);
	out_int(t, p->n_configurations);
	out_int(t, p->n_problems);
	out_int(t, p->n_cases);
	out_int(t, p->n_failed);
	out_int(t, p->n_timeout);
	out_int(t, p->n_flagged);
	out_int(t, p->n_aggregates);
	out_int(t, p->n_repeated);
	out_real(t, p->noise);
	out_real(t, p->noise_p90);
	out_int(t, p->n_outliers);
	out_int(t, p->n_regimes);
	out_real(t, p->regime_shift);
	out_real(t, p->design_coverage);
	return t;
}

/* NULL for "": nothing to say. */
static const char *said(const char *text)
{
	return text && *text ? text : NULL;
}

/* A row for each column of the runs. */
static struct out_table *finding_column_table(const struct findings *f)
{
	struct out_table *t = out_table_new(column_columns, COUNT(column_columns));

	for (size_t i = 0; t && i < f->n_columns; i++) {
		const struct column_profile *p = &f->column[i];

		out_text(t, p->column);
		out_text(t, p->role);
		out_int(t, p->n);
		out_int(t, p->n_missing);
		out_int(t, p->n_levels);
		out_real(t, p->min);
		out_real(t, p->q25);
		out_real(t, p->median);
		out_real(t, p->q75);
		out_real(t, p->max);
		out_text(t, said(p->levels));
		out_text(t, said(p->remark));
	}
	return t;
}

static struct out_table *finding_effect_table(const struct findings *f)
{
	struct out_table *t = out_table_new(effect_columns, COUNT(effect_columns));

	for (size_t i = 0; t && i < f->n_effects; i++) {
		const struct column_effect *x = &f->effect[i];
		const double value[] = {x->time_rho, x->time_lo,   x->time_hi,	x->time_p,
					x->slow_rho, x->slow_lo,   x->slow_hi,	x->slow_p,
					x->effect,   x->effect_lo, x->effect_hi};

		out_text(t, x->column);
		for (size_t j = 0; j < COUNT(value); j++)
			out_real(t, value[j]);
		out_text(t, said(x->best));
		out_text(t, said(x->worst));
	}
	return t;
}

static struct out_table *finding_hypothesis_table(const struct findings *f)
{
	struct out_table *t = out_table_new(hypothesis_columns, COUNT(hypothesis_columns));

	for (size_t i = 0; t && i < f->n_hypotheses; i++) {
		const struct hypothesis *h = &f->hypothesis[i];

		out_text(t, h->attribute);
		out_text(t, h->value);
		out_int(t, h->n_sets);
		out_int(t, h->n_agree);
		out_int(t, h->confidence);
		out_real(t, h->gain);
		out_real(t, h->gain_lo);
		out_real(t, h->gain_hi);
		out_real(t, h->p);
	}
	return t;
}

/* A row for each choice. */
static struct out_table *finding_ranking_table(const struct findings *f)
{
	struct out_table *t = out_table_new(ranking_columns, COUNT(ranking_columns));

	for (size_t i = 0; t && i < f->ranking.n_choices; i++) {
		const struct ranked_choice *x = &f->ranking.choice[i];

		out_text(t, x->choice);
		out_real(t, x->mean_rank);
		out_real(t, x->rank_sum);
		out_text(t, said(x->ties));
	}
	return t;
}

/* Effects of columns for people: shorter than for machines, so that they fit a terminal. */

/* ---- effects ---- */

#define SIGNIFICANT 0.05

static const struct out_column columns[] = {
	{"column", NULL, OUT_TEXT},
	{"time", "with time", OUT_TEXT},
	{"slow_down", "with slow-down", OUT_TEXT},
	{"effect", "worst/best", OUT_TEXT},
	{"best", NULL, OUT_TEXT},
	{"worst", NULL, OUT_TEXT},
};

/* "-0.80* -0.87..-0.70"; nothing when the value is not known. */
static void out_interval(struct out_table *t, double value, double lo, double hi, bool star)
{
	char text[64] = "";
	int n = 0;

	if (isfinite(value))
		n = snprintf(text, sizeof text, "%5.2f%s", value, star ? "*" : " ");
	if (n > 0 && isfinite(lo) && isfinite(hi))
		snprintf(text + n, sizeof text - (size_t)n, " %.2f..%.2f", lo, hi);
	out_text(t, text);
}

/* "mk 5..10" says the column again, which stands in front already. */
static const char *without_column(const char *level, const char *column)
{
	size_t len = strlen(column);

	if (!level)
		return "";
	return !strncmp(level, column, len) && level[len] == ' ' ? level + len + 1 : level;
}

/* Correlations and ratios each in one cell with their interval; a star where p <= 0.05. NULL: out
 * of memory. */
static struct out_table *rule_effects_brief(const struct findings *f)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);

	for (size_t i = 0; t && i < f->n_effects; i++) {
		const struct column_effect *x = &f->effect[i];

		out_text(t, x->column);
		out_interval(t, x->time_rho, x->time_lo, x->time_hi, x->time_p <= SIGNIFICANT);
		out_interval(t, x->slow_rho, x->slow_lo, x->slow_hi, x->slow_p <= SIGNIFICANT);
		out_interval(t, x->effect, x->effect_lo, x->effect_hi, false);
		out_text(t, without_column(x->best, x->column));
		out_text(t, without_column(x->worst, x->column));
	}
	return t;
}

/* What the star means, and the pairs of columns, a paragraph each. */
static void rule_put_interactions(const struct findings *f, struct strbuf *out)
{
	struct strbuf line = STRBUF_INIT;

	if (f->n_effects > 0)
		strbuf_printf(out, "\n* p <= %g, adjusted for all columns\n", SIGNIFICANT);
	for (size_t i = 0; i < f->n_interactions; i++) {
		const struct column_interaction *x = &f->interaction[i];

		if (i == 0)
			strbuf_puts(out, "\ncolumns of which one changes what the other does\n");
		strbuf_clear(&line);
		strbuf_printf(&line,
			      "%s and %s, %.1f %% of the variance of slow-down (p = %.2g)%s%s",
			      x->a, x->b, 100 * x->share, x->p, x->text && *x->text ? ": " : "",
			      x->text ? x->text : "");
		text_put_wrapped(strbuf_text(&line), 2, out);
	}
	out->failed = out->failed || line.failed;
	strbuf_release(&line);
}

/* ---- the actions ---- */

static enum err_code print_json(const struct context *c, struct json_t *answer, struct err *e)
{
	return out_answer(!answer, answer, "the findings as JSON", c->out, e);
}

/* Frees it; NULL: there was no memory for it. */
static enum err_code print_table(const struct context *c, struct out_table *t, const char *name,
				 struct err *e)
{
	enum err_code rc = t ? out_table_print(t, c->format, name, c->out, e)
			     : err_set(e, ERR_NOMEM, "the %s", name);

	out_table_free(t);
	return rc;
}

/* Load the book, and have its findings printed. */
static enum err_code
print_findings(struct context *c,
	       enum err_code (*print)(struct context *c, const struct rule_book *b, struct err *e),
	       struct err *e)
{
	struct rule_book b = {0};
	enum err_code rc;

	if (!(rc = rules_table_format(c, e)) && !(rc = rule_book_open(c, &b, e))) {
		rule_book_warn_stale(c, &b);
		rc = print(c, &b, e);
	}
	rule_book_release(&b);
	return rc;
}

static void say_nothing_found(const struct context *c, const struct rule_book *b, size_t n,
			      const char *why)
{
	if (n == 0)
		context_note(c, "the runs of %s on %s %s", b->app->name, b->machine->name, why);
}

static void print_remarks(const struct context *c, const char *remarks)
{
	struct strbuf safe = STRBUF_INIT;

	if (remarks && *remarks) {
		text_put_safe(&safe, remarks, true);
		fprintf(c->out, "\n%s%s", strbuf_text(&safe),
			strbuf_text(&safe)[safe.len - 1] == '\n' ? "" : "\n");
	}
	strbuf_release(&safe);
}

static enum err_code print_profile_record(const struct context *c, const struct findings *f,
					  struct err *e)
{
	struct out_table *t = finding_profile_table(&f->profile);
	enum err_code rc = t ? out_record_print(t, FORMAT_TABLE, "profile", c->out, e)
			     : err_set(e, ERR_NOMEM, "the profile");

	out_table_free(t);
	if (f->n_columns > 0)
		fputc('\n', c->out);
	return rc;
}

/* The columns are what scripts want of a profile; its own record is in the JSON. */
static enum err_code print_profile(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct findings *f = &b->own.findings;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return print_json(c, findings_profile_json(f), e);
	if (c->format == FORMAT_TABLE && (rc = print_profile_record(c, f, e)))
		return rc;
	rc = print_table(c, finding_column_table(f), "columns", e);
	if (!rc && c->format == FORMAT_TABLE)
		print_remarks(c, f->profile.remarks);
	return rc;
}

enum err_code rules_profile_run(struct context *c, struct err *e)
{
	return print_findings(c, print_profile, e);
}

static enum err_code print_effects_brief(struct context *c, const struct findings *f, struct err *e)
{
	struct out_table *t = rule_effects_brief(f);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	rule_put_interactions(f, &text);
	if (!t || text.failed)
		rc = err_set(e, ERR_NOMEM, "the effects");
	else if (!(rc = out_table_print(t, FORMAT_TABLE, "effects", c->out, e)))
		fputs(strbuf_text(&text), c->out);
	out_table_free(t);
	strbuf_release(&text);
	return rc;
}

static enum err_code print_effects(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct findings *f = &b->own.findings;
	enum err_code rc = c->format == FORMAT_JSON ? print_json(c, findings_effects_json(f), e)
			   : c->format == FORMAT_CSV
				   ? print_table(c, finding_effect_table(f), "effects", e)
				   : print_effects_brief(c, f, e);

	say_nothing_found(c, b, f->n_effects, "show no effect: too few, or nothing varies");
	return rc;
}

enum err_code rules_effects_run(struct context *c, struct err *e)
{
	return print_findings(c, print_effects, e);
}

static enum err_code print_hypotheses(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct findings *f = &b->own.findings;
	enum err_code rc = c->format == FORMAT_JSON
				   ? print_json(c, findings_hypotheses_json(f), e)
				   : print_table(c, finding_hypothesis_table(f), "hypotheses", e);

	say_nothing_found(c, b, f->n_hypotheses, "hold no sets that differ in one attribute only");
	return rc;
}

enum err_code rules_hypotheses_run(struct context *c, struct err *e)
{
	return print_findings(c, print_hypotheses, e);
}

static enum err_code print_rankings(struct context *c, const struct rule_book *b, struct err *e)
{
	const struct findings *f = &b->own.findings;
	const struct ranking *r = &f->ranking;
	enum err_code rc;

	if (c->format == FORMAT_TABLE && r->n_choices > 0)
		fprintf(c->out,
			"%" PRId64 " cases in which all of these were run; Friedman chi2 = "
			"%.4g, p = %.2g;\nchoices that share a letter are not told apart "
			"at "
			"level %g\n\n",
			r->n_cases, r->chi2, r->p, r->alpha);
	rc = c->format == FORMAT_JSON ? print_json(c, findings_ranking_json(f), e)
				      : print_table(c, finding_ranking_table(f), "ranking", e);
	say_nothing_found(c, b, r->n_choices, "hold no choices that were all run in several cases");
	return rc;
}

enum err_code rules_rankings_run(struct context *c, struct err *e)
{
	return print_findings(c, print_rankings, e);
}
