#include "cli/answer/answer_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "domain/configuration.h"
#include "cli/frame/output.h"
#include "cli/answer/advice_table.h"

static enum out_kind kind_of(const struct column *c)
{
	return c->type == COL_TEXT ? OUT_TEXT : c->type == COL_INT ? OUT_INT : OUT_REAL;
}

size_t config_cells_columns(const struct application *a, struct out_column *column)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			column[n++] = (struct out_column){.name = a->column[i].name,
							  .kind = kind_of(&a->column[i])};
	}
	return n;
}

static void put_value(struct out_table *t, const struct application *a, size_t i, double value)
{
	struct strbuf text = STRBUF_INIT;

	if (isnan(value)) {
		out_null(t);
	} else if (a->column[i].type == COL_TEXT) {
		configuration_put_value(a, i, value, &text);
		out_text(t, strbuf_text(&text));
		strbuf_release(&text);
	} else if (a->column[i].type == COL_INT) {
		out_int(t, (int64_t)value);
	} else {
		out_real(t, value);
	}
}

void config_cells_put(struct out_table *t, const struct application *a, const double *row)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			put_value(t, a, i, row ? row[i] : (double)NAN);
	}
}

void answer_put_duration(struct strbuf *s, double seconds)
{
	char text[32];

	strbuf_puts(s, duration_format(seconds, text, sizeof text));
}

void answer_put_percent(struct strbuf *s, double share)
{
	strbuf_printf(s, share >= 0.995 ? "%.0f %%" : "%.2g %%", 100 * fmax(share, 0.001));
}

void answer_put_count(struct strbuf *s, double n, const char *what)
{
	strbuf_printf(s, "%.0f %s%s", n, what, n == 1 ? "" : "s");
}

void answer_put_members(struct strbuf *s, const struct answer_members *members)
{
	for (size_t i = 0; i < members->n; i++) {
		const struct answer_value *value = &members->item[i].value;

		strbuf_printf(s, "%s%s ", i ? ", " : "", members->item[i].name);
		if (value->text)
			text_put_safe(s, value->text, false);
		else if (!isnan(value->number))
			strbuf_put_number(s, value->number);
	}
}

/* ---- a choice ---- */

/* "2 nodes", "1 node", "mk 10" */
static void put_shown(struct strbuf *s, const struct application *a, const struct shown_column *c,
		      const char *value)
{
	size_t i = c->i_column;
	size_t len = strlen(c->name);
	bool counted = !c->group && (i == a->i_nodes || i == a->i_procs || i == a->i_threads);

	if (!counted) {
		strbuf_printf(s, "%s ", c->name);
		text_put_safe(s, value, false);
		return;
	}
	if (!strcmp(value, "1") && len > 0 && c->name[len - 1] == 's')
		len--;
	strbuf_printf(s, "%s %.*s", value, (int)len, c->name);
}

/* than: only what is other there; NULL: all */
static void put_columns(struct strbuf *s, const struct application *a,
			const struct answer_choice *choice, const struct answer_choice *than)
{
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n = shown ? shown_columns(a, true, shown) : 0;
	struct strbuf value = STRBUF_INIT, other = STRBUF_INIT;
	const char *separator = "";

	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&value);
		shown_column_put(&shown[i], choice->value, &value);
		strbuf_clear(&other);
		if (than)
			shown_column_put(&shown[i], than->value, &other);
		if (!value.len || (than && !strcmp(strbuf_text(&value), strbuf_text(&other))))
			continue;
		strbuf_puts(s, separator);
		put_shown(s, a, &shown[i], strbuf_text(&value));
		separator = ", ";
	}
	if (than && !*separator)
		strbuf_puts(s, "the same");
	if (!shown || value.failed || other.failed)
		strbuf_fail(s);
	strbuf_release(&other);
	strbuf_release(&value);
	free(shown);
}

void answer_put_choice(struct strbuf *s, const struct application *a,
		       const struct answer_choice *choice)
{
	put_columns(s, a, choice, NULL);
}

void answer_put_difference(struct strbuf *s, const struct application *a,
			   const struct answer_choice *choice, const struct answer_choice *than)
{
	put_columns(s, a, choice, than);
}

/* From a minute to most of a day: beyond that the ends of an interval inform nobody. */
#define TELLS_NOTHING 1000.0

void answer_put_interval(struct strbuf *s, const struct answer_choice *choice, double confidence)
{
	answer_put_duration(s, choice->predicted_s);
	strbuf_printf(s, " (%g %%: ", 100 * confidence);
	if (choice->hi_s > TELLS_NOTHING * choice->lo_s) {
		strbuf_printf(s, "the runs do not tell it within a factor of %g)", TELLS_NOTHING);
		return;
	}
	answer_put_duration(s, choice->lo_s);
	strbuf_puts(s, " to ");
	answer_put_duration(s, choice->hi_s);
	strbuf_puts(s, ")");
}

void answer_put_probability(struct strbuf *s, double p, double confidence)
{
	int digits = 2;
	double unit = 1e-2;

	if (p < 1 && p >= 0.995 && p >= confidence) {
		strbuf_puts(s, "above 0.99");
		return;
	}
	if (p > 0 && p < 0.005) {
		strbuf_puts(s, "below 0.01");
		return;
	}
	for (; digits < 6 && p < confidence && round(p / unit) * unit >= confidence - 1e-9;
	     digits++)
		unit /= 10;
	strbuf_printf(s, "%.*f", digits, p);
}

void answer_put_support(struct strbuf *s, const struct answer_choice *choice)
{
	static const char *const meaning[][2] = {
		{"inside", "between runs seen"},
		{"edge", "at the edge of the runs seen"},
		{"outside", "extrapolated beyond the runs seen"},
	};
	const char *support = choice->support ? choice->support : "";

	strbuf_printf(s, "support: %s", support);
	for (size_t i = 0; i < sizeof meaning / sizeof meaning[0]; i++) {
		if (strcmp(support, meaning[i][0]) != 0)
			continue;
		strbuf_printf(s, " (%s", meaning[i][1]);
		if (choice->support_why) {
			strbuf_puts(s, ": ");
			text_put_safe(s, choice->support_why, false);
		}
		strbuf_putc(s, ')');
	}
	strbuf_putc(s, '\n');
}

static double resource(const struct answer_choice *choice, size_t i_column)
{
	return i_column == SIZE_MAX ? (double)NAN : choice->value[i_column].number;
}

/* Comparisons with what is not known (NaN) are false. */
void answer_put_overuse(struct strbuf *s, const struct answer *answer)
{
	const struct answer_machine_facts *machine = &answer->evidence.machine;
	double nodes = resource(&answer->best, answer->app->i_nodes);
	double procs = resource(&answer->best, answer->app->i_procs);

	if (nodes > machine->nodes) {
		strbuf_puts(s, "note: ");
		text_put_safe(s, answer->request.machine, false);
		strbuf_puts(s, " has only ");
		answer_put_count(s, machine->nodes, "node");
		strbuf_putc(s, '\n');
	}
	if (procs > nodes * machine->cores_per_node) {
		strbuf_puts(s, "note: ");
		text_put_safe(s, answer->request.machine, false);
		strbuf_puts(s, " has only ");
		answer_put_count(s, machine->cores_per_node, "core");
		strbuf_puts(s, " a node: several processes would share one\n");
	}
}

/* ---- what was asked about ---- */

static void put_machine(struct strbuf *s, const struct answer_request *q,
			const struct answer_machine_facts *machine)
{
	if (q->like && *q->like) {
		strbuf_puts(s, "WHAT IF: ");
		text_put_safe(s, q->machine, false);
		strbuf_puts(s, " has no runs; it is taken to compute like ");
		text_put_safe(s, q->like, false);
		strbuf_printf(s, ", times %g\n", q->wg_factor);
	}
	text_put_safe(s, q->machine, false);
	strbuf_puts(s, machine->simulated ? " is a simulated machine: " : ": ");
	if (*machine->title) {
		text_put_safe(s, machine->title, false);
	} else if (machine->cores_per_node > 0) {
		answer_put_count(s, machine->cores_per_node, "core");
		strbuf_puts(s, " a node");
	} else {
		strbuf_puts(s, "not described yet (`lemnos machines add FILE`)");
	}
	strbuf_putc(s, '\n');
}

/* Workload columns go by the names of their flags: angles, not mm. */
static void put_workload(struct strbuf *s, const struct application *a,
			 const struct answer_request *q)
{
	const char *separator = "; ";

	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];
		double value = q->workload[i].number;

		if (c->role != COL_WORKLOAD || isnan(value))
			continue;
		strbuf_printf(s, "%s%s ", separator, c->flag ? c->flag : c->name);
		strbuf_put_number(s, value);
		separator = ", ";
	}
	if (q->n_assumed > 0)
		strbuf_printf(s, " (assumed%s)",
			      q->n_assumed < q->n_workload ? " where not given" : "");
}

void answer_put_problem(struct strbuf *s, const struct answer *answer)
{
	const struct answer_request *q = &answer->request;

	text_put_safe(s, q->app, false);
	strbuf_puts(s, ": ");
	if (q->problem.n == 0)
		strbuf_puts(s, "its only problem");
	answer_put_members(s, &q->problem);
	put_workload(s, answer->app, q);
}

void answer_put_setting(struct strbuf *s, const struct answer *answer)
{
	put_machine(s, &answer->request, &answer->evidence.machine);
	answer_put_problem(s, answer);
	strbuf_putc(s, '\n');
}

/* ---- what it rests on ---- */

/* "learned from: measured 98 % (293 configurations), modelled 2 % (60)" */
static void put_sources(struct strbuf *s, const struct answer_evidence *evidence)
{
	for (size_t i = 0; i < evidence->n_sources; i++) {
		const struct answer_source *source = &evidence->source[i];

		strbuf_printf(s, "%s%s %.0f %% (", i ? ", " : "learned from: ", source->source,
			      100 * source->share);
		if (i > 0)
			strbuf_put_number(s, source->configurations);
		else
			answer_put_count(s, source->configurations, "configuration");
		strbuf_putc(s, ')');
	}
	if (evidence->n_sources > 0)
		strbuf_putc(s, '\n');
}

/* Sentences of trend_posterior.h, trend_gp.h, slow_runs.h, chance_failures.h and system_change.h in
 * mining/predictor/, and of run_screen.h, level_shifts.h and circumstance.h in mining/training/. */
void answer_put_remark(struct strbuf *s, const char *explanation, enum answer_remark remark)
{
	static const char *const begin[] = {[REMARK_UNKNOWN] = " In these runs ",
					    [REMARK_SCALES] = " Beyond the runs time goes ",
					    [REMARK_SHIFTS] = " Shifts: ",
					    [REMARK_DID_LESS] = " Did less: ",
					    [REMARK_LEFT_OUT] = " Left out: ",
					    [REMARK_CUT] = " Counted as cut: ",
					    [REMARK_NO_TIME] = " Counted as failed: ",
					    [REMARK_SLOW] = " Set aside: ",
					    [REMARK_FAILED] = " Failed by chance: ",
					    [REMARK_REPEATS] =
						    " Runs of the same configuration differ ",
					    [REMARK_RERUNS] = " Rerun since ",
					    [REMARK_CIRCUMSTANCE] = " Nobody asks for "};
	const char *from = strstr(explanation, begin[remark]);
	const char *end = from ? strpbrk(from, ".?") : NULL;
	struct strbuf part = STRBUF_INIT;

	/* not that of "1.5 s" */
	while (end && end[1] && end[1] != ' ')
		end = strpbrk(end + 1, ".?");
	if (!from)
		return;
	strbuf_add(&part, from + 1, end ? (size_t)(end - from) : strlen(from + 1));
	text_put_safe(s, strbuf_text(&part), false);
	strbuf_putc(s, '\n');
	s->failed |= part.failed;
	strbuf_release(&part);
}

void answer_put_model(struct strbuf *s, const struct answer_evidence *evidence, bool brief)
{
	const char *text = evidence->explanation;
	const char *end = brief ? strstr(text, ". ") : NULL;
	struct strbuf part = STRBUF_INIT;

	strbuf_add(&part, text, end ? (size_t)(end - text) + 1 : strlen(text));
	strbuf_printf(s, "predictor: %s. ", evidence->model);
	text_put_safe(s, strbuf_text(&part), false);
	strbuf_putc(s, '\n');
	if (brief)
		for (int d = 0; d < REMARK_COUNT; d++)
			answer_put_remark(s, text, (enum answer_remark)d);
	s->failed |= part.failed;
	strbuf_release(&part);
	put_sources(s, evidence);
}

void answer_put_stale(struct strbuf *s, const struct answer_evidence *evidence, bool color)
{
	if (evidence->stale)
		strbuf_printf(s,
			      "%sstale: facts changed since this was mined; run `lemnos mine` and "
			      "ask again%s\n",
			      style(color, STYLE_WARN), style(color, STYLE_PLAIN));
}

/* ---- rules ---- */

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
		      "(within ",
		      choice->configurations);
	answer_put_percent(l->s, choice->within);
	strbuf_printf(l->s, "): rule%s ", n == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(l->s, "%s%s", i ? ", " : "", choice->because[i]);
	strbuf_printf(l->s, " speak%s for it rather than for ", n == 1 ? "s" : "");
	answer_put_choice(l->s, a, &choice->instead_of);
	strbuf_putc(l->s, '\n');
}

/* "  for      3f2a5c01b2d3 (accepted): if procs >= 64 then mk between 5 and 10: ..." */
static void put_verdicts(struct lines *l, const struct answer_evidence *evidence)
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
	put_verdicts(&l, evidence);
	if (l.n > max)
		strbuf_printf(s, "  and %zu more: %s\n", l.n - max, elsewhere);
}

/* ---- where the time goes ---- */

enum err_code breakdown_print(const struct breakdown *b, FILE *f, struct err *e)
{
	static const struct out_column columns[] = {
		{"part", "where the time goes", OUT_TEXT},
		{"time_s", "time", OUT_SECONDS},
		{"share", NULL, OUT_PERCENT},
	};
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	const struct {
		const char *name;
		double time_s;
	} part[] = {
		{"compute", b->compute_s},    {"communication", b->comm_s},
		{"pipeline fill", b->fill_s}, {"synchronisation", b->sync_s},
		{"other", b->other_s},
	};
	/* terms tell computation from communication, and no more */
	const bool whole = b->fill_s + b->sync_s + b->other_s > 0;
	const size_t n = whole ? sizeof part / sizeof part[0] : 2;
	double total_s = breakdown_total_s(b);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "where the time goes");
	for (size_t i = 0; i < n; i++) {
		out_text(t, part[i].name);
		out_real(t, part[i].time_s);
		out_real(t, part[i].time_s / total_s);
	}
	rc = out_table_print(t, FORMAT_TABLE, "breakdown", f, e);
	out_table_free(t);
	return rc;
}

/* ---- failed runs ---- */

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
