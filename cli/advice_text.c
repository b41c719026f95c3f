#include "cli/advice_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/advice_table.h"
#include "cli/breakdown_output.h"

enum { MAX_RUNS_SHOWN = 5 };

/* ---- members ---- */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool is_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

static void put_duration(struct strbuf *s, double seconds)
{
	char text[32];

	strbuf_puts(s, duration_format(seconds, text, sizeof text));
}

/* ---- the answer itself ---- */

/* "2 nodes, 2 procs: grid 1x2, mk 15, mmi 3" */
static void put_choice(struct strbuf *s, const struct application *a, const json_t *choice)
{
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n = shown ? shown_columns(a, true, shown) : 0;
	const char *separator = "";

	s->failed |= !shown;
	for (size_t i = 0; i < n; i++) {
		struct strbuf value = STRBUF_INIT;
		size_t at = shown[i].i_column;

		shown_column_put(a, &shown[i], choice, &value);
		if (!value.len) {
			strbuf_release(&value);
			continue;
		}
		strbuf_puts(s, separator);
		separator = ", ";
		if (at == a->i_nodes || at == a->i_procs || at == a->i_threads) {
			strbuf_printf(s, "%s %s", strbuf_text(&value), shown[i].name);
			if (at == a->i_nodes && !strcmp(strbuf_text(&value), "1"))
				s->buf[--s->len] = '\0'; /* "1 node" */
		} else {
			strbuf_printf(s, "%s %s", shown[i].name, strbuf_text(&value));
		}
		strbuf_release(&value);
	}
	free(shown);
}

static void put_support(struct strbuf *s, const char *support)
{
	static const char *const meaning[][2] = {
		{"inside", "between runs seen"},
		{"edge", "at the edge of the runs seen"},
		{"outside", "extrapolated beyond the runs seen"},
	};

	strbuf_printf(s, "support: %s", support);
	for (size_t i = 0; i < sizeof meaning / sizeof meaning[0]; i++) {
		if (!strcmp(support, meaning[i][0]))
			strbuf_printf(s, " (%s)", meaning[i][1]);
	}
}

/* "48m 10s (90 %: 46m to 51m), by the deadline of 1h with probability 0.97, ..." */
static void put_prediction(struct strbuf *s, const json_t *request, const json_t *choice)
{
	double deadline_s = number_of(request, "deadline_s");
	double p_meet = number_of(choice, "p_meet");

	put_duration(s, number_of(choice, "predicted_s"));
	strbuf_printf(s, " (%g %%: ", 100 * number_of(request, "confidence"));
	put_duration(s, number_of(choice, "lo_s"));
	strbuf_puts(s, " to ");
	put_duration(s, number_of(choice, "hi_s"));
	strbuf_puts(s, ")");
	if (!isnan(deadline_s)) {
		strbuf_puts(s, ", in time for ");
		put_duration(s, deadline_s);
		strbuf_printf(s, " with probability %.2f", p_meet);
	}
	strbuf_printf(s, ", %.3g node-hours\n", number_of(choice, "node_hours"));
	put_support(s, text_of(choice, "support"));
	strbuf_putc(s, '\n');
}

static void put_yes(struct strbuf *s, const struct context *c, const json_t *answer,
		    const struct application *a)
{
	const json_t *choice = json_object_get(answer, "recommendation");

	strbuf_puts(s, style(c->color, STYLE_BOLD));
	strbuf_puts(s, "Submit ");
	put_choice(s, a, choice);
	strbuf_printf(s, "%s\n", style(c->color, STYLE_PLAIN));
	put_prediction(s, json_object_get(answer, "request"), choice);
}

static void put_no(struct strbuf *s, const struct context *c, const json_t *answer,
		   const struct application *a)
{
	const json_t *best = json_object_get(answer, "best_effort");
	double feasible_s = number_of(answer, "feasible_deadline_s");

	strbuf_printf(s, "%sNo: ", style(c->color, STYLE_BOLD));
	text_put_safe(s, text_of(answer, "reason"), false);
	strbuf_printf(s, "%s\n", style(c->color, STYLE_PLAIN));
	if (!isnan(feasible_s)) {
		strbuf_puts(s, "deadline that could be met: ");
		put_duration(s, feasible_s);
		strbuf_putc(s, '\n');
	}
	if (json_is_object(best)) {
		strbuf_puts(s, "best effort: ");
		put_choice(s, a, best);
		strbuf_putc(s, '\n');
		put_prediction(s, json_object_get(answer, "request"), best);
	}
}

/* ---- what was assumed ---- */

static void put_machine(struct strbuf *s, const json_t *answer)
{
	const json_t *request = json_object_get(answer, "request");
	const json_t *machine = json_object_get(json_object_get(answer, "evidence"), "machine");
	const char *like = text_of(request, "like");

	if (*like) {
		strbuf_puts(s, "WHAT IF: ");
		text_put_safe(s, text_of(request, "machine"), false);
		strbuf_puts(s, " has no runs; it is taken to compute like ");
		text_put_safe(s, like, false);
		strbuf_printf(s, ", times %g\n", number_of(request, "wg_factor"));
	}
	text_put_safe(s, text_of(request, "machine"), false);
	strbuf_puts(s, is_true(machine, "simulated") ? " is a simulated machine: " : ": ");
	text_put_safe(s, *text_of(machine, "title") ? text_of(machine, "title") : "a machine",
		      false);
	strbuf_putc(s, '\n');
}

static void put_members(struct strbuf *s, const json_t *object, const char *between)
{
	const char *key;
	json_t *value;
	const char *separator = "";

	json_object_foreach((json_t *)object, key, value)
	{
		strbuf_printf(s, "%s%s ", separator, key);
		if (json_is_string(value))
			text_put_safe(s, json_string_value(value), false);
		else if (json_is_number(value))
			strbuf_put_number(s, json_number_value(value));
		separator = between;
	}
}

/* Workload columns go by the names of their flags: angles, not mm. */
static void put_workload(struct strbuf *s, const json_t *request, const struct application *a)
{
	const json_t *workload = json_object_get(request, "workload");
	const json_t *assumed = json_object_get(request, "assumed");
	const char *separator = "; ";

	for (size_t i = 0; i < a->n_columns; i++) {
		const struct column *c = &a->column[i];
		const json_t *value = json_object_get(workload, c->name);

		if (c->role != COL_WORKLOAD || !json_is_number(value))
			continue;
		strbuf_printf(s, "%s%s ", separator, c->flag ? c->flag : c->name);
		strbuf_put_number(s, json_number_value(value));
		separator = ", ";
	}
	if (json_array_size(assumed))
		strbuf_printf(s, " (assumed%s)",
			      json_array_size(assumed) < json_object_size(workload)
				      ? " where not given"
				      : "");
}

static void put_problem(struct strbuf *s, const json_t *answer, const struct application *a)
{
	const json_t *request = json_object_get(answer, "request");

	text_put_safe(s, a->name, false);
	strbuf_puts(s, ": ");
	put_members(s, json_object_get(request, "problem"), ", ");
	put_workload(s, request, a);
	strbuf_putc(s, '\n');
}

static void put_limits(struct strbuf *s, const json_t *answer)
{
	const json_t *request = json_object_get(answer, "request");
	const json_t *search = json_object_get(json_object_get(answer, "evidence"), "search");
	const json_t *fixed = json_object_get(request, "fixed");

	strbuf_printf(s, "chosen from: %.0f legal configurations on up to %.0f nodes (%s)",
		      number_of(search, "legal"), number_of(search, "max_nodes"),
		      text_of(search, "max_nodes_origin"));
	if (json_object_size(fixed)) {
		strbuf_puts(s, " with ");
		put_members(s, fixed, ", ");
	}
	strbuf_printf(s, ", by objective %s\n", text_of(request, "objective"));
	if (!is_true(search, "cores_known"))
		strbuf_puts(s, "cores per node: not known; one process a node was assumed\n");
	strbuf_printf(s, "memory per node: %s\n",
		      is_true(search, "memory_checked")
			      ? "checked"
			      : "not known, so not checked (give it in the machine's definition)");
}

/* The first sentence; all of it stands in `explain`. */
static void put_model(struct strbuf *s, const json_t *evidence)
{
	const char *text = text_of(evidence, "explanation");
	const char *end = strstr(text, ". ");
	struct strbuf first = STRBUF_INIT;

	strbuf_add(&first, text, end ? (size_t)(end - text) : strlen(text));
	strbuf_printf(s, "predictor: %s; ", text_of(evidence, "model"));
	text_put_safe(s, strbuf_text(&first), false);
	strbuf_puts(s, "\n");
	strbuf_release(&first);
}

static void put_stale(struct strbuf *s, const struct context *c, const json_t *answer)
{
	if (is_true(json_object_get(answer, "evidence"), "stale"))
		strbuf_printf(s,
			      "%sstale: facts changed since this was mined; run `lemnos mine` and "
			      "ask again%s\n",
			      style(c->color, STYLE_WARN), style(c->color, STYLE_PLAIN));
}

/* ---- all together ---- */

static enum err_code flush(struct strbuf *s, FILE *f, struct err *e)
{
	enum err_code rc = s->failed ? err_set(e, ERR_NOMEM, "the answer") : ERR_OK;

	if (!rc)
		fputs(strbuf_text(s), f);
	strbuf_clear(s);
	return rc;
}

static enum err_code print_tables(const struct context *c, const json_t *answer,
				  const struct application *a, struct err *e)
{
	const json_t *evidence = json_object_get(answer, "evidence");
	const json_t *parts = json_object_get(evidence, "breakdown");
	struct breakdown b = breakdown_from_json(parts);
	struct out_table *choices = advice_table(answer, a, true);
	struct out_table *runs = advice_runs_table(answer, a, MAX_RUNS_SHOWN);
	enum err_code rc = ERR_OK;

	if (!choices || !runs) {
		rc = err_set(e, ERR_NOMEM, "the answer");
		goto done;
	}
	fputc('\n', c->out);
	if ((rc = out_table_print(choices, FORMAT_TABLE, "choices", c->out, e)))
		goto done;
	if (json_is_object(parts)) {
		fputc('\n', c->out);
		if ((rc = breakdown_print(&b, c->out, e)))
			goto done;
	}
	if (out_table_rows(runs) > 0) {
		fputs("\nnearest runs\n", c->out);
		rc = out_table_print(runs, FORMAT_TABLE, "runs", c->out, e);
	}
	fputc('\n', c->out);
done:
	out_table_free(choices);
	out_table_free(runs);
	return rc;
}

static enum err_code print_text(const struct context *c, const json_t *answer,
				const struct application *a, struct err *e)
{
	struct strbuf s = STRBUF_INIT;
	enum err_code rc;

	if (is_true(answer, "feasible"))
		put_yes(&s, c, answer, a);
	else
		put_no(&s, c, answer, a);
	put_stale(&s, c, answer);
	strbuf_putc(&s, '\n');
	put_machine(&s, answer);
	put_problem(&s, answer, a);
	if ((rc = flush(&s, c->out, e)) || (rc = print_tables(c, answer, a, e)))
		goto done;
	put_limits(&s, answer);
	put_model(&s, json_object_get(answer, "evidence"));
	strbuf_printf(&s, "all behind this answer: lemnos explain %s\n", text_of(answer, "id"));
	rc = flush(&s, c->out, e);
done:
	strbuf_release(&s);
	return rc;
}

enum err_code advice_print(const struct context *c, const struct json_t *answer,
			   const struct application *a, struct err *e)
{
	struct out_table *t;
	enum err_code rc;

	if (c->format == FORMAT_JSON)
		return out_json(answer, c->out, e);
	if (c->format == FORMAT_TABLE)
		return print_text(c, answer, a, e);
	t = advice_table(answer, a, false);
	rc = t ? out_table_print(t, FORMAT_CSV, "choices", c->out, e)
	       : err_set(e, ERR_NOMEM, "the answer");
	out_table_free(t);
	return rc;
}
