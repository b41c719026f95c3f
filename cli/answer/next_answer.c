#include "cli/answer/next_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/advice_json.h"
#include "cli/frame/fold.h"
#include "cli/frame/output.h"
#include "cli/answer/advice_table.h"
#include "cli/answer/answer_text.h"

static const struct out_column prediction_columns[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"node_hours", "node-hours", OUT_REAL},
	{"wrong_before", "wrong before", OUT_PERCENT},
	{"wrong_after", "after", OUT_PERCENT},
	{"wasted_before_node_hours", NULL, OUT_REAL},
	{"wasted_after_node_hours", NULL, OUT_REAL},
};
enum { N_PREDICTION = sizeof prediction_columns / sizeof *prediction_columns };

/* A table under way. */
struct next_maker {
	const struct application *a;
	const struct answer_value *workload; /* that was asked about */
	const char *hours;		     /* "node-hours" */
	bool for_people;
	struct shown_column *shown; /* of a run */
	size_t n_shown;
	struct out_table *t;
};

static size_t add_role(const struct application *a, enum column_role role, struct shown_column *out)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == role)
			out[n++] = (struct shown_column){a->column[i].name, i, NULL};
	}
	return n;
}

static bool is_shown(size_t i_prediction, bool for_people)
{
	/* Intervals and waste are for programs: a screen is narrow. */
	return !for_people ||
	       (prediction_columns[i_prediction].heading && i_prediction != 1 && i_prediction != 2);
}

static void maker_init(struct next_maker *m)
{
	struct out_column *column = calloc(m->a->n_columns + N_PREDICTION + 3, sizeof *column);
	char saves[32];
	size_t n = 0;

	snprintf(saves, sizeof saves, "saves %s", m->hours);
	m->shown = calloc(m->a->n_columns, sizeof *m->shown);
	if (column && m->shown) {
		if (!m->for_people)
			m->n_shown = add_role(m->a, COL_PROBLEM, m->shown);
		m->n_shown += shown_columns(m->a, m->for_people, m->shown + m->n_shown);
		if (!m->for_people)
			m->n_shown += add_role(m->a, COL_WORKLOAD, m->shown + m->n_shown);
		column[n++] = (struct out_column){"kind", "run", OUT_TEXT};
		if (m->for_people)
			column[n++] = (struct out_column){"problem", NULL, OUT_TEXT};
		for (size_t i = 0; i < m->n_shown; i++)
			column[n++] = shown_column_describe(m->a, &m->shown[i]);
		for (size_t i = 0; i < N_PREDICTION; i++) {
			if (!is_shown(i, m->for_people))
				continue;
			column[n] = prediction_columns[i];
			if (!strcmp(column[n++].name, "node_hours"))
				column[n - 1].heading = m->hours;
		}
		if (m->for_people) /* each time that the answer is made use of */
			column[n++] = (struct out_column){"saves", saves, OUT_REAL};
		m->t = out_table_new(column, n);
	}
	free(column);
}

/* "50x50x50, iterations 3" */
static void put_problem(const struct next_maker *m, const struct answer_value *value)
{
	struct strbuf text = STRBUF_INIT;

	advice_put_problem(m->a, value, &text);
	for (size_t i = 0; i < m->a->n_columns; i++) {
		struct shown_column c = {m->a->column[i].name, i, NULL};

		if (m->a->column[i].role != COL_WORKLOAD ||
		    answer_value_equal(&value[i], &m->workload[i]))
			continue;
		strbuf_printf(&text, ", %s ", c.name);
		shown_column_put(&c, value, &text);
	}
	out_text(m->t, strbuf_text(&text));
	strbuf_release(&text);
}

static void put_run(const struct next_maker *m, const struct answer_next_run *next)
{
	const struct answer_choice *run = &next->run;
	const double prediction[N_PREDICTION] = {
		run->predicted_s,
		run->lo_s,
		run->hi_s,
		run->node_hours,
		next->wrong_before,
		next->wrong_after,
		next->wasted_before_node_hours,
		next->wasted_after_node_hours,
	};

	out_text(m->t, next->kind);
	if (m->for_people)
		put_problem(m, run->value);
	for (size_t i = 0; i < m->n_shown; i++)
		shown_column_cell(m->a, &m->shown[i], run->value, m->t);
	for (size_t i = 0; i < N_PREDICTION; i++) {
		if (is_shown(i, m->for_people))
			out_real(m->t, prediction[i]);
	}
	if (m->for_people)
		out_real(m->t, next->wasted_before_node_hours - next->wasted_after_node_hours);
}

struct out_table *next_table(const struct answer *answer, bool for_people)
{
	struct next_maker m = {.a = answer->app,
			       .workload = answer->request.workload,
			       .hours = advice_hours_name(answer),
			       .for_people = for_people};

	maker_init(&m);
	for (size_t i = 0; m.t && i < answer->n_next; i++)
		put_run(&m, &answer->next[i]);
	free(m.shown);
	return m.t;
}

/* ---- the question ---- */

OPTION(opt_next, "next", "N", .help = "name the N runs (at most 20) that would teach most");

enum err_code next_answer_option(const struct options *o, size_t *n, struct err *e)
{
	long long given = 0;
	enum err_code rc = options_integer(o, &opt_next, 1, NEXT_ANSWER_MAX, &given, e);

	if (!rc)
		*n = (size_t)given;
	return rc;
}

/* "23 %"; what is not quite 0 or 100 % does not become so by rounding. */
static void put_chance(struct strbuf *s, double p)
{
	if (p > 0 && p < 0.01)
		strbuf_puts(s, "below 1 %");
	else if (p < 1 && p > 0.99)
		strbuf_puts(s, "above 99 %");
	else
		strbuf_printf(s, "%.0f %%", 100 * p);
}

/* What "wrong" means, so that the number can be judged. */
static void put_meaning(struct strbuf *s, const struct answer *answer)
{
	int objective = answer->request.objective;
	double percent = 100 * answer->decision.tolerance;

	strbuf_puts(s, "wrong is what breaks a limit that another keeps, or if another ");
	if (objective == OBJECTIVE_TIME)
		strbuf_printf(s, "takes over %.0f %% less time\n", percent);
	else if (objective == OBJECTIVE_NODE_HOURS)
		strbuf_printf(s, "takes over %.0f %% fewer %s\n", percent,
			      advice_hours_name(answer));
	else
		strbuf_printf(s, "needs fewer %ss, or as many for over %.0f %% less time\n",
			      advice_unit_name(answer), percent);
}

/* "1. No run has tile = 24 ...": why each of them. */
static void put_reasons(struct strbuf *s, const struct answer *answer)
{
	struct strbuf line = STRBUF_INIT;

	for (size_t i = 0; i < answer->n_next; i++) {
		if (!*answer->next[i].why) /* an older program did not say */
			continue;
		strbuf_clear(&line);
		strbuf_printf(&line, "%zu. %s", i + 1, answer->next[i].why);
		text_put_wrapped(strbuf_text(&line), 2, s);
	}
	s->failed = s->failed || line.failed;
	strbuf_release(&line);
}

/* Why there are none. */
static void put_none(struct strbuf *s, const struct answer_decision *decision)
{
	strbuf_puts(s, "runs that would teach most: none, ");
	if (decision->n_candidate_set == 0) {
		strbuf_puts(s, "nothing is to be decided where no configuration fits\n");
		return;
	}
	strbuf_puts(s, "the chance of a wrong decision is ");
	put_chance(s, decision->wrong);
	strbuf_puts(s, decision->safe ? "\n" : ", and no single run changes it\n");
}

static void put_heading(struct strbuf *s, const struct answer *answer)
{
	const struct answer_decision *decision = &answer->decision;
	double wrong = decision->wrong, right = decision->answer_right;

	strbuf_printf(s,
		      "runs that would teach most per %s-hour, the best first\n"
		      "chance of a wrong decision now: ",
		      advice_unit_name(answer));
	put_chance(s, wrong);
	strbuf_puts(s, ", among ");
	answer_put_count(s, decision->n_candidate_set, "contender");
	strbuf_putc(s, '\n');
	put_meaning(s, answer);
	if (right < 1 - wrong - decision->tolerance) {
		strbuf_puts(s, "this answer is the right one with a chance of ");
		put_chance(s, right);
		strbuf_puts(s, " only: what is likelier right is not sure enough yet\n");
	}
}

enum err_code next_answer_print(const struct context *c, const struct answer *answer, struct err *e)
{
	size_t n = answer->n_next;
	struct strbuf s = STRBUF_INIT;
	struct out_table *t;
	enum err_code rc;

	if (!answer->decision.given)
		return ERR_OK;
	if (n > 0)
		put_heading(&s, answer);
	else
		put_none(&s, &answer->decision);
	t = s.failed ? NULL : next_table(answer, true);
	if (!t) {
		strbuf_release(&s);
		return err_set(e, ERR_NOMEM, "runs to make");
	}
	fold_print(strbuf_text(&s), c->out);
	rc = out_table_print(t, FORMAT_TABLE, "next", c->out, e);
	strbuf_clear(&s);
	put_reasons(&s, answer);
	if (!rc && s.failed)
		rc = err_set(e, ERR_NOMEM, "why runs are to be made");
	if (!rc)
		fputs(strbuf_text(&s), c->out);
	if (!rc && n > 0 && (double)n < answer->request.n_next)
		fputs("further runs would make no difference\n", c->out);
	fputc('\n', c->out);
	out_table_free(t);
	strbuf_release(&s);
	return rc;
}
