#include "cli/answer/answer_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/answer/advice_table.h"

static void put_text_of(struct strbuf *s, const json_t *object, const char *key)
{
	text_put_safe(s, answer_text(object, key), false);
}

void answer_put_duration(struct strbuf *s, double seconds)
{
	char text[32];

	strbuf_puts(s, duration_format(seconds, text, sizeof text));
}

void answer_put_count(struct strbuf *s, double n, const char *what)
{
	strbuf_printf(s, "%.0f %s%s", n, what, n == 1 ? "" : "s");
}

void answer_put_members(struct strbuf *s, const struct json_t *object)
{
	const char *key;
	json_t *value;
	const char *separator = "";

	json_object_foreach((json_t *)object, key, value)
	{
		strbuf_printf(s, "%s%s ", separator, key);
		if (json_is_string(value))
			put_text_of(s, object, key);
		else if (json_is_number(value))
			strbuf_put_number(s, json_number_value(value));
		separator = ", ";
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

void answer_put_choice(struct strbuf *s, const struct application *a, const struct json_t *choice)
{
	struct shown_column *shown = calloc(a->n_columns, sizeof *shown);
	size_t n = shown ? shown_columns(a, true, shown) : 0;
	struct strbuf value = STRBUF_INIT;
	const char *separator = "";

	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&value);
		shown_column_put(a, &shown[i], choice, &value);
		if (!value.len)
			continue;
		strbuf_puts(s, separator);
		put_shown(s, a, &shown[i], strbuf_text(&value));
		separator = ", ";
	}
	s->failed |= !shown || value.failed;
	strbuf_release(&value);
	free(shown);
}

void answer_put_interval(struct strbuf *s, const struct json_t *choice, double confidence)
{
	answer_put_duration(s, answer_number(choice, "predicted_s"));
	strbuf_printf(s, " (%g %%: ", 100 * confidence);
	answer_put_duration(s, answer_number(choice, "lo_s"));
	strbuf_puts(s, " to ");
	answer_put_duration(s, answer_number(choice, "hi_s"));
	strbuf_puts(s, ")");
}

void answer_put_probability(struct strbuf *s, double p, double confidence)
{
	int digits = 2;
	double unit = 1e-2;

	for (; digits < 6 && p < confidence && round(p / unit) * unit >= confidence - 1e-9;
	     digits++)
		unit /= 10;
	strbuf_printf(s, "%.*f", digits, p);
}

void answer_put_support(struct strbuf *s, const struct json_t *choice)
{
	static const char *const meaning[][2] = {
		{"inside", "between runs seen"},
		{"edge", "at the edge of the runs seen"},
		{"outside", "extrapolated beyond the runs seen"},
	};
	const char *support = answer_text(choice, "support");

	strbuf_printf(s, "support: %s", support);
	for (size_t i = 0; i < sizeof meaning / sizeof meaning[0]; i++) {
		if (!strcmp(support, meaning[i][0]))
			strbuf_printf(s, " (%s)", meaning[i][1]);
	}
	strbuf_putc(s, '\n');
}

static double resource(const struct application *a, size_t i_column, const json_t *choice)
{
	return i_column == SIZE_MAX ? (double)NAN : answer_number(choice, a->column[i_column].name);
}

/* Comparisons with what is not known (NaN) are false. */
void answer_put_overuse(struct strbuf *s, const struct application *a, const struct json_t *choice,
			const struct json_t *setting, const struct json_t *evidence)
{
	const json_t *machine = json_object_get(evidence, "machine");
	double cores = answer_number(machine, "cores_per_node");
	double nodes = resource(a, a->i_nodes, choice);
	double procs = resource(a, a->i_procs, choice);

	if (nodes > answer_number(machine, "nodes")) {
		strbuf_puts(s, "note: ");
		put_text_of(s, setting, "machine");
		strbuf_puts(s, " has only ");
		answer_put_count(s, answer_number(machine, "nodes"), "node");
		strbuf_putc(s, '\n');
	}
	if (procs > nodes * cores) {
		strbuf_puts(s, "note: ");
		put_text_of(s, setting, "machine");
		strbuf_puts(s, " has only ");
		answer_put_count(s, cores, "core");
		strbuf_puts(s, " a node: several processes would share one\n");
	}
}

/* ---- what was asked about ---- */

static void put_machine(struct strbuf *s, const json_t *setting, const json_t *machine)
{
	const char *title = answer_text(machine, "title");

	if (*answer_text(setting, "like")) {
		strbuf_puts(s, "WHAT IF: ");
		put_text_of(s, setting, "machine");
		strbuf_puts(s, " has no runs; it is taken to compute like ");
		put_text_of(s, setting, "like");
		strbuf_printf(s, ", times %g\n", answer_number(setting, "wg_factor"));
	}
	put_text_of(s, setting, "machine");
	strbuf_puts(s, answer_is(machine, "simulated") ? " is a simulated machine: " : ": ");
	text_put_safe(s, *title ? title : "nothing but its name is known", false);
	strbuf_putc(s, '\n');
}

/* Workload columns go by the names of their flags: angles, not mm. */
static void put_workload(struct strbuf *s, const struct application *a, const json_t *setting)
{
	const json_t *workload = json_object_get(setting, "workload");
	size_t n_assumed = json_array_size(json_object_get(setting, "assumed"));
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
	if (n_assumed > 0)
		strbuf_printf(s, " (assumed%s)",
			      n_assumed < json_object_size(workload) ? " where not given" : "");
}

void answer_put_setting(struct strbuf *s, const struct application *a, const struct json_t *setting,
			const struct json_t *evidence)
{
	put_machine(s, setting, json_object_get(evidence, "machine"));
	put_text_of(s, setting, "app");
	strbuf_puts(s, ": ");
	if (json_object_size(json_object_get(setting, "problem")) == 0)
		strbuf_puts(s, "its only problem");
	answer_put_members(s, json_object_get(setting, "problem"));
	put_workload(s, a, setting);
	strbuf_putc(s, '\n');
}

/* ---- what it rests on ---- */

/* "learned from: measured 98 % (293 configurations), modelled 2 % (60)" */
static void put_sources(struct strbuf *s, const json_t *sources)
{
	for (size_t i = 0; i < json_array_size(sources); i++) {
		const json_t *source = json_array_get(sources, i);

		strbuf_printf(s, "%s%s %.0f %% (",
			      i ? ", " : "learned from: ", answer_text(source, "source"),
			      100 * answer_number(source, "share"));
		if (i > 0)
			strbuf_put_number(s, answer_number(source, "configurations"));
		else
			answer_put_count(s, answer_number(source, "configurations"),
					 "configuration");
		strbuf_putc(s, ')');
	}
	if (json_array_size(sources) > 0)
		strbuf_putc(s, '\n');
}

/* Of an explanation, the sentence on what the runs cannot tell
 * (mining/predictor/trend_posterior.h): nobody may overlook it. */
static void put_unknown(struct strbuf *s, const char *explanation)
{
	const char *from = strstr(explanation, " In these runs ");
	const char *end = from ? strstr(from, ". ") : NULL;
	struct strbuf part = STRBUF_INIT;

	if (!from)
		return;
	strbuf_add(&part, from + 1, end ? (size_t)(end - from) : strlen(from + 1));
	text_put_safe(s, strbuf_text(&part), false);
	strbuf_putc(s, '\n');
	s->failed |= part.failed;
	strbuf_release(&part);
}

void answer_put_model(struct strbuf *s, const struct json_t *evidence, bool brief)
{
	const char *text = answer_text(evidence, "explanation");
	const char *end = brief ? strstr(text, ". ") : NULL;
	struct strbuf part = STRBUF_INIT;

	strbuf_add(&part, text, end ? (size_t)(end - text) + 1 : strlen(text));
	strbuf_printf(s, "predictor: %s. ", answer_text(evidence, "model"));
	text_put_safe(s, strbuf_text(&part), false);
	strbuf_putc(s, '\n');
	if (brief)
		put_unknown(s, text);
	s->failed |= part.failed;
	strbuf_release(&part);
	put_sources(s, json_object_get(evidence, "sources"));
}

void answer_put_stale(struct strbuf *s, const struct json_t *evidence, bool color)
{
	if (answer_is(evidence, "stale"))
		strbuf_printf(s,
			      "%sstale: facts changed since this was mined; run `lemnos mine` and "
			      "ask again%s\n",
			      style(color, STYLE_WARN), style(color, STYLE_PLAIN));
}
