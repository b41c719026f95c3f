#include "cli/answer/next_table.h"

#include <math.h>
#include <stdlib.h>

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
	size_t n = 0;

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
			if (is_shown(i, m->for_people))
				column[n++] = prediction_columns[i];
		}
		if (m->for_people) /* each time that the answer is made use of */
			column[n++] = (struct out_column){"saves", "saves node-hours", OUT_REAL};
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
	struct next_maker m = {
		.a = answer->app, .workload = answer->request.workload, .for_people = for_people};

	maker_init(&m);
	for (size_t i = 0; m.t && i < answer->n_next; i++)
		put_run(&m, &answer->next[i]);
	free(m.shown);
	return m.t;
}
