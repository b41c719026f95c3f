#include "cli/rules/rule_examples.h"

#include <stdlib.h>

#include <jansson.h>

#include "cli/answer/advice_table.h"
#include "api/config_json.h"
#include "domain/configuration.h"

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

static bool add_example(struct out_table *t, const struct application *a, const struct rule *r,
			const struct rule_context *g, const struct shown_column *shown, size_t n,
			const struct rule_counter_example *x, struct answer_value *value)
{
	const struct dataset *runs = g->runs;
	struct strbuf text = STRBUF_INIT;
	json_t *choice = json_object();

	bool failed = !choice || config_json_set_choice(choice, a, dataset_row(runs, x->run));
	out_int(t, runs->run_id[x->run]);
	if (!r->machine)
		out_text(t, rule_context_machine(g, x->run));
	configuration_put_problem(a, dataset_row(runs, x->run), &text);
	out_text(t, strbuf_text(&text));
	answer_values_read(choice, a, value);
	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&text);
		shown_column_put(&shown[i], value, &text);
		out_text(t, strbuf_text(&text));
	}
	out_real(t, runs->wall_s[x->run]);
	out_real(t, x->ratio);
	failed |= text.failed;
	json_decref(choice);
	strbuf_release(&text);
	return !failed;
}

struct out_table *rule_examples_table(const struct application *a, const struct rule *r,
				      const struct rule_context *g)
{
	struct shown_column *shown = calloc(a->n_columns + 1, sizeof *shown);
	struct answer_value *value = calloc(a->n_columns + 1, sizeof *value);
	size_t n = shown ? shown_columns(a, true, shown) : 0;
	struct out_table *t = shown && value ? new_table(r, shown, n) : NULL;

	for (size_t i = 0; t && i < g->witness.n_worst; i++) {
		if (!add_example(t, a, r, g, shown, n, &g->witness.worst[i], value)) {
			out_table_free(t);
			t = NULL;
		}
	}
	free(value);
	free(shown);
	return t;
}
