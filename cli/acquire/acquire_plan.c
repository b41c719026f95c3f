#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/units.h"
#include "cli/acquire/acquire_actions.h"
#include "domain/configuration.h"

/* ---- the runs ---- */

static const struct out_column before[] = {{"run", NULL, OUT_INT}, {"repeat", NULL, OUT_INT}};
static const struct out_column after[] = {
	{"predicted_s", "predicted", OUT_SECONDS},
	{"quantile_s", "quantile", OUT_SECONDS},
	{"limit_s", "limit", OUT_SECONDS},
	{"node_hours", "node-hours", OUT_REAL},
};
enum { N_BEFORE = sizeof before / sizeof before[0], N_AFTER = sizeof after / sizeof after[0] };

/* Text columns of the class are words, whole ones integers. */
static enum out_kind kind_of(const struct column *column)
{
	return column->type == COL_TEXT ? OUT_TEXT : column->type == COL_INT ? OUT_INT : OUT_REAL;
}

static struct out_table *make_table(const struct campaign_space *s)
{
	struct out_column *columns = NULL;
	struct out_table *t;
	size_t n = 0;

	for (size_t i = 0; i < s->axes.n; i++)
		n += s->axes.axis[i].n_columns;
	columns = calloc(N_BEFORE + n + N_AFTER, sizeof *columns);
	if (!columns)
		return NULL;
	n = 0;
	for (size_t i = 0; i < N_BEFORE; i++)
		columns[n++] = before[i];
	for (size_t i = 0; i < s->axes.n; i++) {
		for (size_t k = 0; k < s->axes.axis[i].n_columns; k++) {
			const struct column *c = &s->app->column[s->axes.axis[i].column[k]];

			columns[n++] = (struct out_column){c->name, NULL, kind_of(c)};
		}
	}
	for (size_t i = 0; i < N_AFTER; i++)
		columns[n++] = after[i];
	t = out_table_new(columns, n);
	free(columns);
	return t;
}

static void put_value(struct out_table *t, const struct application *a, size_t i, double value)
{
	struct strbuf text = STRBUF_INIT;

	if (a->column[i].type == COL_INT) {
		out_int(t, (int64_t)value);
	} else if (a->column[i].type == COL_REAL) {
		out_real(t, value);
	} else {
		configuration_put_value(a, i, value, &text);
		out_text(t, strbuf_text(&text));
	}
	strbuf_release(&text);
}

static void put_run(struct out_table *t, const struct campaign_preview *p, size_t i)
{
	const struct campaign_space *s = &p->target.space;
	const double *row = p->choice.row + i * s->app->n_columns;
	const struct kb_campaign_run *r = &p->choice.run[i];

	out_int(t, (int64_t)i + 1);
	out_int(t, r->repeat);
	for (size_t f = 0; f < s->axes.n; f++) {
		for (size_t k = 0; k < s->axes.axis[f].n_columns; k++)
			put_value(t, s->app, s->axes.axis[f].column[k],
				  row[s->axes.axis[f].column[k]]);
	}
	out_real(t, r->predicted_s);
	out_real(t, r->quantile_s);
	out_real(t, r->limit_s);
	out_real(t, campaign_run_node_hours(&p->target, r, row));
}

/* ---- what they cost ---- */

static void print_costs(const struct context *c, const struct campaign_preview *p)
{
	const struct plan_cost *k = &p->cost;
	char text[3][32];

	if (k->n_unpredicted < p->choice.n)
		context_print(c,
			      "predicted: %s and %.3g node-hours; with probability %g no more than "
			      "%s and %.3g node-hours\n",
			      duration_format(k->predicted_s, text[0], sizeof text[0]),
			      k->predicted_node_hours, p->target.plan->timeout.quantile,
			      duration_format(k->quantile_s, text[1], sizeof text[1]),
			      k->quantile_node_hours);
	if (k->n_unpredicted > 0)
		context_print(c, "not predicted: %zu of %zu runs, as too little was measured yet\n",
			      k->n_unpredicted, p->choice.n);
	duration_format(k->limit_s, text[2], sizeof text[2]);
	if (isnan(k->limit_node_hours))
		context_print(c,
			      "stopped at their limits, all simulations take no more than %s "
			      "here\n",
			      text[2]);
	else
		context_print(c,
			      "stopped at their limits, all runs take no more than %s and %.3g "
			      "node-hours\n",
			      text[2], k->limit_node_hours);
}

static void print_text(const struct context *c, const struct campaign_preview *p)
{
	const struct campaign_plan *plan = p->target.plan;

	context_print(c, "campaign %s: %zu runs of %zu configurations of %s on %s (%s)\n",
		      plan->name, p->choice.n, p->choice.n_configurations, p->target.app->name,
		      p->target.machine->name, plan_design_name((int)plan->design.kind));
	if (p->choice.n_legal > 0)
		context_print(c,
			      "configurations that may be run: %zu of %zu combinations of levels\n",
			      p->choice.n_legal, p->choice.n_combinations);
	if (p->choice.more)
		context_print(c, "that is how it begins; what follows depends on what they tell\n");
	if (p->choice.n_over_budget > 0)
		context_print(c, "left out, as over the budget of runs: %zu runs\n",
			      p->choice.n_over_budget);
	print_costs(c, p);
	fputc('\n', c->out);
}

static json_t *cost_json(const struct plan_cost *k)
{
	return json_pack("{so so so so so so sI}", "predicted_s", out_json_real(k->predicted_s),
			 "quantile_s", out_json_real(k->quantile_s), "predicted_node_hours",
			 out_json_real(k->predicted_node_hours), "quantile_node_hours",
			 out_json_real(k->quantile_node_hours), "limit_s",
			 out_json_real(k->limit_s), "limit_node_hours",
			 out_json_real(k->limit_node_hours), "unpredicted",
			 (json_int_t)k->n_unpredicted);
}

static enum err_code print_json(const struct context *c, const struct campaign_preview *p,
				const struct out_table *t, struct err *e)
{
	const struct campaign_plan *plan = p->target.plan;
	json_t *answer = out_json_answer();
	enum err_code rc;

	if (json_object_set_new(answer, "campaign", out_json_string(plan->name)) |
	    json_object_set_new(answer, "application", out_json_string(p->target.app->name)) |
	    json_object_set_new(answer, "machine", out_json_string(p->target.machine->name)) |
	    json_object_set_new(answer, "design",
				json_string(plan_design_name((int)plan->design.kind))) |
	    json_object_set_new(answer, "seed", json_integer((json_int_t)plan->seed)) |
	    json_object_set_new(answer, "configurations",
				json_integer((json_int_t)p->choice.n_configurations)) |
	    json_object_set_new(answer, "legal", json_integer((json_int_t)p->choice.n_legal)) |
	    json_object_set_new(answer, "combinations",
				json_integer((json_int_t)p->choice.n_combinations)) |
	    json_object_set_new(answer, "over_budget",
				json_integer((json_int_t)p->choice.n_over_budget)) |
	    json_object_set_new(answer, "more", json_boolean(p->choice.more)) |
	    json_object_set_new(answer, "expected_loss", out_json_real(p->choice.expected_loss)) |
	    json_object_set_new(answer, "quantile", out_json_real(plan->timeout.quantile)) |
	    json_object_set_new(answer, "cost", cost_json(&p->cost)) |
	    json_object_set_new(answer, "runs", out_table_json(t)))
		rc = err_set(e, ERR_NOMEM, "the plan as JSON");
	else
		rc = out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

enum err_code acquire_plan_run(struct context *c, struct err *e)
{
	struct campaign_preview p = {0};
	struct out_table *t = NULL;
	enum err_code rc = campaign_preview(&c->session, c->operand[0], &p, e);

	progress_bar_clear(&c->bar);
	if (rc)
		return rc;
	t = make_table(&p.target.space);
	if (!t)
		rc = err_set(e, ERR_NOMEM, "the runs of a campaign");
	for (size_t i = 0; i < p.choice.n && !rc; i++)
		put_run(t, &p, i);
	if (!rc && p.target.machine_id == 0)
		context_note(c, "machine %s is not in the knowledge base yet",
			     p.target.machine->name);
	if (!rc && c->format == FORMAT_TABLE)
		print_text(c, &p);
	if (!rc)
		rc = c->format == FORMAT_JSON ? print_json(c, &p, t, e)
					      : out_table_print(t, c->format, "runs", c->out, e);
	out_table_free(t);
	campaign_preview_release(&p);
	return rc;
}
