#include "cli/answer/advice_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/json_text.h"
#include "domain/configuration.h"

/* ---- columns ---- */

static const struct group_flag *group_of(const struct application *a, size_t i_column, size_t *at)
{
	for (size_t g = 0; g < a->n_group; g++) {
		for (size_t i = 0; i < a->group[g].n; i++) {
			if (a->group[g].column[i] == i_column) {
				*at = i;
				return &a->group[g];
			}
		}
	}
	return NULL;
}

size_t shown_columns(const struct application *a, bool grouped, struct shown_column *out)
{
	size_t n = 0;

	for (size_t k = 0, i; (i = config_column(a, k)) != SIZE_MAX; k++) {
		size_t at = 0;
		const struct group_flag *g = grouped ? group_of(a, i, &at) : NULL;

		if (!g)
			out[n++] = (struct shown_column){a->column[i].name, i, NULL};
		else if (at == 0)
			out[n++] = (struct shown_column){g->flag, i, g};
	}
	return n;
}

static void put_value(const struct answer_value *value, struct strbuf *out)
{
	if (value->text)
		strbuf_puts(out, value->text);
	else if (!isnan(value->number))
		strbuf_put_number(out, value->number);
}

void shown_column_put(const struct shown_column *column, const struct answer_value *value,
		      struct strbuf *out)
{
	if (!column->group) {
		put_value(&value[column->i_column], out);
		return;
	}
	for (size_t i = 0; i < column->group->n; i++) {
		strbuf_puts(out, i ? "x" : "");
		put_value(&value[column->group->column[i]], out);
	}
}

struct out_column shown_column_describe(const struct application *a, const struct shown_column *c)
{
	enum column_type type = a->column[c->i_column].type;
	struct out_column out = {.name = c->name};

	out.kind = c->group || type == COL_TEXT ? OUT_TEXT : type == COL_INT ? OUT_INT : OUT_REAL;
	return out;
}

/* ---- cells ---- */

void shown_column_cell(const struct application *a, const struct shown_column *c,
		       const struct answer_value *value, struct out_table *t)
{
	enum out_kind kind = shown_column_describe(a, c).kind;
	const struct answer_value *first = &value[c->i_column];
	struct strbuf text = STRBUF_INIT;

	if (!answer_value_is_given(first)) {
		out_null(t);
	} else if (kind == OUT_INT && !first->text) {
		out_int(t, (int64_t)first->number);
	} else if (kind == OUT_REAL) {
		out_real(t, first->number);
	} else {
		shown_column_put(c, value, &text);
		out_text(t, strbuf_text(&text));
	}
	strbuf_release(&text);
}

/* ---- tables ---- */

static const struct out_column verdict_columns[] = {
	{"id", NULL, OUT_TEXT}, {"feasible", NULL, OUT_BOOL}, {"why", NULL, OUT_TEXT}};
static const struct out_column why_column[] = {{"why", NULL, OUT_TEXT}};
static const struct out_column point_columns[] = {{"id", NULL, OUT_TEXT},
						  {"feasible", NULL, OUT_BOOL},
						  {"knee", NULL, OUT_BOOL},
						  {"recommended", NULL, OUT_BOOL}};
static const struct out_column machine_columns[] = {{"id", NULL, OUT_TEXT},
						    {"feasible", NULL, OUT_BOOL},
						    {"reason", NULL, OUT_TEXT},
						    {"machine", NULL, OUT_TEXT}};
static const struct out_column prediction_columns[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"p_meet", "in time", OUT_PERCENT},
	{"node_hours", "node-hours", OUT_REAL},
	{"support", NULL, OUT_TEXT},
	{"p_budget", "in budget", OUT_PERCENT}, /* only where a budget was given */
};
static const struct out_column run_columns[] = {
	{"run_id", "run", OUT_INT},
	{"problem", NULL, OUT_TEXT},
};
static const struct out_column time_columns[] = {
	{"wall_s", "took", OUT_SECONDS},
	{"repeats", NULL, OUT_INT},
	{"distance", NULL, OUT_REAL},
	{"status", "ended", OUT_TEXT}, /* only where a run did not end well */
};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* A table under way: some columns, those of a configuration, more columns. */
struct config_table_maker {
	const struct application *a;
	struct shown_column *shown;
	size_t n_shown;
	struct out_table *t; /* NULL: out of memory */
};

const char *advice_hours_name(const struct answer *answer)
{
	return configuration_hours_name(answer->app, answer->evidence.search.core_hours);
}

const char *advice_unit_name(const struct answer *answer)
{
	return configuration_unit_name(answer->app, answer->evidence.search.core_hours);
}

/* People read in the heading what is counted; programs know the column by its name. */
static void maker_init(struct config_table_maker *m, const struct answer *answer, bool grouped,
		       const struct out_column *before, size_t n_before,
		       const struct out_column *after, size_t n_after)
{
	const struct application *a = answer->app;
	struct out_column *column = calloc(n_before + a->n_columns + n_after, sizeof *column);
	size_t n = n_before;

	*m = (struct config_table_maker){.a = a, .shown = calloc(a->n_columns, sizeof *m->shown)};
	if (column && m->shown) {
		m->n_shown = shown_columns(a, grouped, m->shown);
		memcpy(column, before, n_before * sizeof *column);
		for (size_t i = 0; i < m->n_shown; i++)
			column[n++] = shown_column_describe(a, &m->shown[i]);
		memcpy(column + n, after, n_after * sizeof *column);
		for (size_t i = n; i < n + n_after; i++) {
			if (!strcmp(column[i].name, "node_hours"))
				column[i].heading = advice_hours_name(answer);
		}
		m->t = out_table_new(column, n + n_after);
	}
	free(column);
}

static void put_configuration(struct config_table_maker *m, const struct answer_value *value)
{
	for (size_t i = 0; i < m->n_shown; i++)
		shown_column_cell(m->a, &m->shown[i], value, m->t);
}

static bool has_budget(const struct answer *answer)
{
	return !isnan(answer->request.budget_node_hours);
}

static size_t n_prediction_columns(const struct answer *answer)
{
	return COUNT(prediction_columns) - !has_budget(answer);
}

static void put_prediction(struct config_table_maker *m, const struct answer *answer,
			   const struct answer_choice *choice)
{
	put_configuration(m, choice->value);
	out_real(m->t, choice->predicted_s);
	out_real(m->t, choice->lo_s);
	out_real(m->t, choice->hi_s);
	out_real(m->t, choice->p_meet);
	out_real(m->t, choice->node_hours);
	out_text(m->t, choice->support);
	if (has_budget(answer))
		out_real(m->t, choice->p_budget);
}

static void put_choice(struct config_table_maker *m, const struct answer *answer,
		       const struct answer_choice *choice, const char *why)
{
	out_text(m->t, why);
	put_prediction(m, answer, choice);
}

static void put_verdict(struct config_table_maker *m, const struct answer *answer, bool for_people)
{
	if (for_people)
		return;
	out_text(m->t, answer->id);
	out_bool(m->t, answer->feasible);
}

struct out_table *advice_table(const struct answer *answer, bool for_people)
{
	struct config_table_maker m;

	if (for_people)
		maker_init(&m, answer, true, why_column, COUNT(why_column), prediction_columns,
			   n_prediction_columns(answer));
	else
		maker_init(&m, answer, false, verdict_columns, COUNT(verdict_columns),
			   prediction_columns, n_prediction_columns(answer));
	if (m.t && answer->best.given) {
		put_verdict(&m, answer, for_people);
		put_choice(&m, answer, &answer->best,
			   answer->is_best_effort ? "best effort" : "recommended");
	}
	for (size_t i = 0; m.t && i < answer->n_alternatives; i++) {
		const struct answer_choice *choice = &answer->alternative[i];

		put_verdict(&m, answer, for_people);
		put_choice(&m, answer, choice, choice->why);
	}
	free(m.shown);
	return m.t;
}

struct out_table *advice_marked_table(const struct answer *answer, const struct marked_choice *item,
				      size_t n, const char *heading)
{
	const struct out_column mark = {heading, NULL, OUT_TEXT};
	struct config_table_maker m;

	maker_init(&m, answer, true, &mark, 1, prediction_columns, n_prediction_columns(answer));
	for (size_t i = 0; m.t && i < n; i++)
		put_choice(&m, answer, item[i].choice, item[i].mark);
	free(m.shown);
	return m.t;
}

struct out_table *advice_frontier_table(const struct answer *answer)
{
	struct config_table_maker m;

	maker_init(&m, answer, false, point_columns, COUNT(point_columns), prediction_columns,
		   n_prediction_columns(answer));
	for (size_t i = 0; m.t && i < answer->n_points; i++) {
		const struct answer_point *point = &answer->point[i];

		out_text(m.t, answer->id);
		out_bool(m.t, point->feasible);
		out_bool(m.t, point->knee);
		out_bool(m.t, point->recommended);
		put_prediction(&m, answer, &point->choice);
	}
	free(m.shown);
	return m.t;
}

static void put_machine(struct config_table_maker *m, const struct answer *answer,
			const struct answer_of_machine *row, bool for_people)
{
	if (!for_people) {
		out_text(m->t, answer->id);
		if (row->answered)
			out_bool(m->t, row->feasible);
		else
			out_null(m->t);
		out_text(m->t, row->reason);
	}
	out_text(m->t, row->machine);
	put_prediction(m, answer, &row->choice);
}

struct out_table *advice_machines_table(const struct answer *answer, bool for_people)
{
	const size_t n_before = COUNT(machine_columns);
	struct config_table_maker m;

	if (for_people) /* the last column only */
		maker_init(&m, answer, true, machine_columns + n_before - 1, 1, prediction_columns,
			   n_prediction_columns(answer));
	else
		maker_init(&m, answer, false, machine_columns, n_before, prediction_columns,
			   n_prediction_columns(answer));
	for (size_t i = 0; m.t && i < answer->n_machines; i++) {
		const struct answer_of_machine *row = &answer->machine[i];

		/* People read below why a machine has no answer. */
		if (!for_people || !isnan(row->choice.predicted_s))
			put_machine(&m, answer, row, for_people);
	}
	free(m.shown);
	return m.t;
}

void advice_put_problem(const struct application *a, const struct answer_value *value,
			struct strbuf *out)
{
	size_t before = out->len;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_PROBLEM)
			continue;
		strbuf_puts(out, out->len > before ? "x" : "");
		put_value(&value[i], out);
	}
}

static void put_problem(struct config_table_maker *m, const struct answer_value *value)
{
	struct strbuf text = STRBUF_INIT;

	advice_put_problem(m->a, value, &text);
	out_text(m->t, strbuf_text(&text));
	strbuf_release(&text);
}

static const char *status_for_people(const char *status)
{
	if (!status)
		return "ok";
	return strcmp(status, "failed") ? "timeout: takes longer" : "FAILED";
}

struct out_table *advice_runs_table(const struct answer *answer, size_t max)
{
	const struct answer_near_run *near = answer->evidence.near;
	size_t n = answer->evidence.n_near < max ? answer->evidence.n_near : max;
	bool all_ok = true;
	struct config_table_maker m;

	for (size_t i = 0; i < n; i++)
		all_ok = all_ok && !near[i].status;
	maker_init(&m, answer, true, run_columns, COUNT(run_columns), time_columns,
		   COUNT(time_columns) - all_ok);
	for (size_t i = 0; m.t && i < n; i++) {
		const struct answer_near_run *run = &near[i];

		out_int(m.t, run->run_id);
		put_problem(&m, run->value);
		put_configuration(&m, run->value);
		out_real(m.t, run->wall_s);
		out_int(m.t, run->repeats);
		out_real(m.t, run->distance);
		if (!all_ok)
			out_text(m.t, status_for_people(run->status));
	}
	free(m.shown);
	return m.t;
}
