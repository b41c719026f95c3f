#include "cli/advice_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/config_json.h"

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
	size_t *column = calloc(a->n_columns, sizeof *column);
	size_t n = 0, n_columns = column ? config_columns(a, column) : 0;

	for (size_t i = 0; i < n_columns; i++) {
		size_t at = 0;
		const struct group_flag *g = grouped ? group_of(a, column[i], &at) : NULL;

		if (!g)
			out[n++] =
				(struct shown_column){a->column[column[i]].name, column[i], NULL};
		else if (at == 0)
			out[n++] = (struct shown_column){g->flag, column[i], g};
	}
	free(column);
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

static struct out_column describe(const struct application *a, const struct shown_column *c)
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

static void put_column(struct out_table *t, const struct application *a,
		       const struct shown_column *c, const json_t *choice)
{
	enum out_kind kind = describe(a, c).kind;
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

/* Columns around those of the configuration. */
struct frame {
	const struct out_column *before, *after;
	size_t n_before, n_after;
};

static const struct out_column verdict_columns[] = {
	{"id", NULL, OUT_TEXT}, {"feasible", NULL, OUT_BOOL}, {"why", NULL, OUT_TEXT}};
static const struct out_column prediction_columns[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"lo_s", "from", OUT_SECONDS},
	{"hi_s", "to", OUT_SECONDS},
	{"p_meet", "in time", OUT_PERCENT},
	{"node_hours", "node-hours", OUT_REAL},
	{"support", NULL, OUT_TEXT},
};
static const struct out_column run_columns[] = {
	{"run_id", "run", OUT_INT},
	{"problem", NULL, OUT_TEXT},
};
static const struct out_column time_columns[] = {
	{"wall_s", "took", OUT_SECONDS},
	{"repeats", NULL, OUT_INT},
	{"distance", NULL, OUT_REAL},
};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static struct out_table *make_table(const struct application *a, const struct frame *f,
				    const struct shown_column *shown, size_t n_shown)
{
	size_t n = f->n_before + n_shown + f->n_after, at = f->n_before;
	struct out_column *column = calloc(n, sizeof *column);
	struct out_table *t;

	if (!column)
		return NULL;
	memcpy(column, f->before, f->n_before * sizeof *column);
	for (size_t i = 0; i < n_shown; i++)
		column[at++] = describe(a, &shown[i]);
	memcpy(column + at, f->after, f->n_after * sizeof *column);
	t = out_table_new(column, n);
	free(column);
	return t;
}

static void put_choice(struct out_table *t, const json_t *answer, const struct application *a,
		       bool for_people, const struct shown_column *shown, size_t n_shown,
		       const json_t *choice, const char *why)
{
	if (!for_people) {
		put_text_of(t, answer, "id");
		out_bool(t, json_is_true(json_object_get(answer, "feasible")));
	}
	out_text(t, why);
	for (size_t i = 0; i < n_shown; i++)
		put_column(t, a, &shown[i], choice);
	for (size_t i = 0; i + 1 < COUNT(prediction_columns); i++)
		put_real_of(t, choice, prediction_columns[i].name);
	put_text_of(t, choice, "support");
}

struct out_table *advice_table(const struct json_t *answer, const struct application *a,
			       bool for_people)
{
	const json_t *best = json_object_get(answer, "recommendation");
	const json_t *list = json_object_get(answer, "alternatives");
	bool feasible = json_is_object(best);
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n_shown = shown ? shown_columns(a, for_people, shown) : 0;
	struct frame f = {verdict_columns, prediction_columns, COUNT(verdict_columns),
			  COUNT(prediction_columns)};
	struct out_table *t;

	if (for_people) {
		f.before = &verdict_columns[2];
		f.n_before = 1;
	}
	t = n_shown ? make_table(a, &f, shown, n_shown) : NULL;
	if (!feasible)
		best = json_object_get(answer, "best_effort");
	if (t && json_is_object(best))
		put_choice(t, answer, a, for_people, shown, n_shown, best,
			   feasible ? "recommended" : "best effort");
	for (size_t i = 0; t && i < json_array_size(list); i++) {
		const json_t *choice = json_array_get(list, i);

		put_choice(t, answer, a, for_people, shown, n_shown, choice,
			   json_string_value(json_object_get(choice, "why")));
	}
	free(shown);
	return t;
}

static void put_problem(struct out_table *t, const struct application *a, const json_t *run)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_PROBLEM)
			continue;
		strbuf_puts(&text, text.len ? "x" : "");
		put_value(value_of(a, i, run), &text);
	}
	out_text(t, strbuf_text(&text));
	strbuf_release(&text);
}

struct out_table *advice_runs_table(const struct json_t *answer, const struct application *a,
				    size_t max)
{
	const json_t *runs = json_object_get(json_object_get(answer, "evidence"), "runs");
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n_shown = shown ? shown_columns(a, true, shown) : 0;
	struct frame f = {run_columns, time_columns, COUNT(run_columns), COUNT(time_columns)};
	struct out_table *t = n_shown ? make_table(a, &f, shown, n_shown) : NULL;

	for (size_t i = 0; t && i < json_array_size(runs) && i < max; i++) {
		const json_t *run = json_array_get(runs, i);

		out_int(t, json_integer_value(json_object_get(run, "run_id")));
		put_problem(t, a, run);
		for (size_t j = 0; j < n_shown; j++)
			put_column(t, a, &shown[j], run);
		put_real_of(t, run, "wall_s");
		out_int(t, json_integer_value(json_object_get(run, "repeats")));
		put_real_of(t, run, "distance");
	}
	free(shown);
	return t;
}
