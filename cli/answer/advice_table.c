#include "cli/answer/advice_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/config_json.h"

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

static const json_t *value_of(const struct application *a, size_t i_column, const json_t *choice)
{
	return json_object_get(choice, a->column[i_column].name);
}

static void put_value(const json_t *value, struct strbuf *out)
{
	if (json_is_string(value))
		strbuf_puts(out, json_string_value(value));
	else if (json_is_number(value))
		strbuf_put_number(out, json_number_value(value));
}

void shown_column_put(const struct application *a, const struct shown_column *column,
		      const struct json_t *choice, struct strbuf *out)
{
	if (!column->group) {
		put_value(value_of(a, column->i_column, choice), out);
		return;
	}
	for (size_t i = 0; i < column->group->n; i++) {
		strbuf_puts(out, i ? "x" : "");
		put_value(value_of(a, column->group->column[i], choice), out);
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

static void put_text_of(struct out_table *t, const json_t *object, const char *key)
{
	out_text(t, json_string_value(json_object_get(object, key)));
}

static void put_real_of(struct out_table *t, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	out_real(t, json_is_number(value) ? json_number_value(value) : (double)NAN);
}

void shown_column_cell(const struct application *a, const struct shown_column *c,
		       const struct json_t *choice, struct out_table *t)
{
	enum out_kind kind = shown_column_describe(a, c).kind;
	const json_t *value = value_of(a, c->i_column, choice);
	struct strbuf text = STRBUF_INIT;

	if (!value || json_is_null(value)) {
		out_null(t);
	} else if (kind == OUT_INT) {
		out_int(t, json_integer_value(value));
	} else if (kind == OUT_REAL) {
		out_real(t, json_number_value(value));
	} else {
		shown_column_put(a, c, choice, &text);
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
struct maker {
	const struct application *a;
	struct shown_column *shown;
	size_t n_shown;
	struct out_table *t; /* NULL: out of memory */
};

const char *advice_hours_name(const struct json_t *answer)
{
	const json_t *search = json_object_get(json_object_get(answer, "evidence"), "search");

	return json_is_true(json_object_get(search, "core_hours")) ? "core-hours" : "node-hours";
}

static void maker_init(struct maker *m, const struct application *a, bool grouped,
		       const struct out_column *before, size_t n_before,
		       const struct out_column *after, size_t n_after)
{
	struct out_column *column = calloc(n_before + a->n_columns + n_after, sizeof *column);
	size_t n = n_before;

	*m = (struct maker){.a = a, .shown = calloc(a->n_columns, sizeof *m->shown)};
	if (column && m->shown) {
		m->n_shown = shown_columns(a, grouped, m->shown);
		memcpy(column, before, n_before * sizeof *column);
		for (size_t i = 0; i < m->n_shown; i++)
			column[n++] = shown_column_describe(a, &m->shown[i]);
		memcpy(column + n, after, n_after * sizeof *column);
		m->t = out_table_new(column, n + n_after);
	}
	free(column);
}

static void put_configuration(struct maker *m, const json_t *choice)
{
	for (size_t i = 0; i < m->n_shown; i++)
		shown_column_cell(m->a, &m->shown[i], choice, m->t);
}

static size_t n_prediction_columns(const json_t *answer)
{
	const json_t *request = json_object_get(answer, "request");

	return COUNT(prediction_columns) - !json_object_get(request, "budget_node_hours");
}

static void put_prediction(struct maker *m, const json_t *answer, const json_t *choice)
{
	put_configuration(m, choice);
	for (size_t i = 0; i < n_prediction_columns(answer); i++) {
		const struct out_column *column = &prediction_columns[i];

		if (column->kind == OUT_TEXT)
			put_text_of(m->t, choice, column->name);
		else
			put_real_of(m->t, choice, column->name);
	}
}

static void put_choice(struct maker *m, const json_t *answer, const json_t *choice, const char *why)
{
	out_text(m->t, why);
	put_prediction(m, answer, choice);
}

static void put_verdict(struct maker *m, const json_t *answer, bool for_people)
{
	if (for_people)
		return;
	put_text_of(m->t, answer, "id");
	out_bool(m->t, json_is_true(json_object_get(answer, "feasible")));
}

struct out_table *advice_table(const struct json_t *answer, const struct application *a,
			       bool for_people)
{
	const json_t *recommended = json_object_get(answer, "recommendation");
	const json_t *effort = json_object_get(answer, "best_effort");
	const json_t *list = json_object_get(answer, "alternatives");
	struct out_column column[COUNT(prediction_columns)];
	struct maker m;

	memcpy(column, prediction_columns, sizeof column);
	for (size_t i = 0; i < COUNT(column); i++) {
		if (!strcmp(column[i].name, "node_hours"))
			column[i].heading = advice_hours_name(answer);
	}
	if (for_people)
		maker_init(&m, a, true, why_column, COUNT(why_column), column,
			   n_prediction_columns(answer));
	else
		maker_init(&m, a, false, verdict_columns, COUNT(verdict_columns),
			   prediction_columns, n_prediction_columns(answer));
	if (m.t && (json_is_object(recommended) || json_is_object(effort))) {
		bool yes = json_is_object(recommended);

		put_verdict(&m, answer, for_people);
		put_choice(&m, answer, yes ? recommended : effort,
			   yes ? "recommended" : "best effort");
	}
	for (size_t i = 0; m.t && i < json_array_size(list); i++) {
		const json_t *choice = json_array_get(list, i);

		put_verdict(&m, answer, for_people);
		put_choice(&m, answer, choice, json_string_value(json_object_get(choice, "why")));
	}
	free(m.shown);
	return m.t;
}

struct out_table *advice_marked_table(const struct json_t *answer, const struct application *a,
				      const struct marked_choice *item, size_t n,
				      const char *heading)
{
	const struct out_column mark = {heading, NULL, OUT_TEXT};
	struct maker m;

	maker_init(&m, a, true, &mark, 1, prediction_columns, n_prediction_columns(answer));
	for (size_t i = 0; m.t && i < n; i++)
		put_choice(&m, answer, item[i].choice, item[i].mark);
	free(m.shown);
	return m.t;
}

struct out_table *advice_frontier_table(const struct json_t *answer, const struct application *a)
{
	const json_t *list = json_object_get(answer, "frontier");
	struct maker m;

	maker_init(&m, a, false, point_columns, COUNT(point_columns), prediction_columns,
		   n_prediction_columns(answer));
	for (size_t i = 0; m.t && i < json_array_size(list); i++) {
		const json_t *point = json_array_get(list, i);

		put_text_of(m.t, answer, point_columns[0].name);
		for (size_t k = 1; k < COUNT(point_columns); k++)
			out_bool(m.t, json_is_true(json_object_get(point, point_columns[k].name)));
		put_prediction(&m, answer, point);
	}
	free(m.shown);
	return m.t;
}

static void put_machine(struct maker *m, const json_t *answer, const json_t *row, bool for_people)
{
	const json_t *feasible = json_object_get(row, "feasible");

	if (!for_people) {
		put_text_of(m->t, answer, "id");
		if (json_is_boolean(feasible))
			out_bool(m->t, json_is_true(feasible));
		else
			out_null(m->t);
		put_text_of(m->t, row, "reason");
	}
	put_text_of(m->t, row, "machine");
	put_prediction(m, answer, row);
}

struct out_table *advice_machines_table(const struct json_t *answer, const struct application *a,
					bool for_people)
{
	const size_t n_before = COUNT(machine_columns);
	const json_t *rows = json_object_get(answer, "machines");
	struct maker m;

	if (for_people) /* the last column only */
		maker_init(&m, a, true, machine_columns + n_before - 1, 1, prediction_columns,
			   n_prediction_columns(answer));
	else
		maker_init(&m, a, false, machine_columns, n_before, prediction_columns,
			   n_prediction_columns(answer));
	for (size_t i = 0; m.t && i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);

		/* People read below why a machine has no answer. */
		if (!for_people || json_object_get(row, "predicted_s"))
			put_machine(&m, answer, row, for_people);
	}
	free(m.shown);
	return m.t;
}

void advice_put_problem(const struct application *a, const struct json_t *run, struct strbuf *out)
{
	size_t before = out->len;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_PROBLEM)
			continue;
		strbuf_puts(out, out->len > before ? "x" : "");
		put_value(value_of(a, i, run), out);
	}
}

static void put_problem(struct maker *m, const json_t *run)
{
	struct strbuf text = STRBUF_INIT;

	advice_put_problem(m->a, run, &text);
	out_text(m->t, strbuf_text(&text));
	strbuf_release(&text);
}

static const char *status_for_people(const json_t *run)
{
	const char *status = json_string_value(json_object_get(run, "status"));

	if (!status)
		return "ok";
	return strcmp(status, "failed") ? "timeout: takes longer" : "FAILED";
}

struct out_table *advice_runs_table(const struct json_t *answer, const struct application *a,
				    size_t max)
{
	const json_t *runs = json_object_get(json_object_get(answer, "evidence"), "runs");
	bool all_ok = true;
	struct maker m;

	for (size_t i = 0; i < json_array_size(runs) && i < max; i++)
		all_ok = all_ok && !json_object_get(json_array_get(runs, i), "status");
	maker_init(&m, a, true, run_columns, COUNT(run_columns), time_columns,
		   COUNT(time_columns) - all_ok);
	for (size_t i = 0; m.t && i < json_array_size(runs) && i < max; i++) {
		const json_t *run = json_array_get(runs, i);

		out_int(m.t, json_integer_value(json_object_get(run, "run_id")));
		put_problem(&m, run);
		put_configuration(&m, run);
		put_real_of(m.t, run, "wall_s");
		out_int(m.t, json_integer_value(json_object_get(run, "repeats")));
		put_real_of(m.t, run, "distance");
		if (!all_ok)
			out_text(m.t, status_for_people(run));
	}
	free(m.shown);
	return m.t;
}
