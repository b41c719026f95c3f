#include "api/campaign_json.h"

#include <jansson.h>

#include "api/json_text.h"

/* ---- a plan ---- */

static json_t *cost_json(const struct plan_cost *k)
{
	json_t *cost = json_object();

	return out_json_unless(
		member_real(cost, "predicted_s", k->predicted_s) |
			member_real(cost, "quantile_s", k->quantile_s) |
			member_real(cost, "predicted_node_hours", k->predicted_node_hours) |
			member_real(cost, "quantile_node_hours", k->quantile_node_hours) |
			member_real(cost, "limit_s", k->limit_s) |
			member_real(cost, "limit_node_hours", k->limit_node_hours) |
			member_int(cost, "unpredicted", (json_int_t)k->n_unpredicted),
		cost);
}

static json_t *planned_run_json(const struct campaign_preview *p, size_t i)
{
	const struct campaign_space *s = &p->target.space;
	const double *row = p->choice.row + i * s->app->n_columns;
	const struct kb_campaign_run *r = &p->choice.run[i];
	json_t *run = json_object();
	int failed =
		member_int(run, "run", (json_int_t)i + 1) | member_int(run, "repeat", r->repeat);

	for (size_t f = 0; f < s->axes.n; f++) {
		for (size_t k = 0; k < s->axes.axis[f].n_columns; k++)
			failed |= member_column(run, s->app, s->axes.axis[f].column[k],
						row[s->axes.axis[f].column[k]]);
	}
	failed |= member_real(run, "predicted_s", r->predicted_s) |
		  member_real(run, "quantile_s", r->quantile_s) |
		  member_real(run, "limit_s", r->limit_s) |
		  member_real(run, "node_hours", campaign_run_node_hours(&p->target, r, row));
	return out_json_unless(failed, run);
}

struct json_t *campaign_preview_json(const struct campaign_preview *p)
{
	const struct campaign_plan *plan = p->target.plan;
	const struct campaign_choice *choice = &p->choice;
	json_t *answer = out_json_answer(), *runs = json_array();
	int failed = 0;

	for (size_t i = 0; i < choice->n; i++)
		failed |= json_array_append_new(runs, planned_run_json(p, i));
	failed |= member_text(answer, "campaign", plan->name) |
		  member_text(answer, "application", p->target.app->name) |
		  member_text(answer, "machine", p->target.machine->name) |
		  member_text(answer, "design", plan_design_name((int)plan->design.kind)) |
		  member_int(answer, "seed", (json_int_t)plan->seed) |
		  member_int(answer, "configurations", (json_int_t)choice->n_configurations) |
		  member_int(answer, "legal", (json_int_t)choice->n_legal) |
		  member_int(answer, "combinations", (json_int_t)choice->n_combinations) |
		  member_int(answer, "over_budget", (json_int_t)choice->n_over_budget) |
		  member_bool(answer, "more", choice->more) |
		  member_real(answer, "expected_loss", choice->expected_loss) |
		  member_real(answer, "quantile", plan->timeout.quantile) |
		  json_object_set_new(answer, "cost", cost_json(&p->cost)) |
		  json_object_set_new(answer, "runs", runs);
	return out_json_unless(failed, answer);
}

/* ---- what became of one ---- */

static json_t *campaign_json(const struct campaign_report *r)
{
	static const char *const key[CAMPAIGN_RUN_STATES] = {"planned", "running",   "done",
							     "failed",	"timed_out", "refused"};
	json_t *campaign = json_object();
	int failed = member_text(campaign, "campaign", r->record.name) |
		     member_text(campaign, "application", r->record.application) |
		     member_text(campaign, "machine", r->record.machine) |
		     member_text(campaign, "state", r->state) |
		     member_int(campaign, "runs", (json_int_t)r->count.n);

	for (size_t s = 0; s < CAMPAIGN_RUN_STATES; s++)
		failed |= member_int(campaign, key[s], (json_int_t)r->count.of[s]);
	failed |= member_real(campaign, "node_hours", r->count.node_hours) |
		  member_real(campaign, "loss_first", r->count.loss_first) |
		  member_real(campaign, "loss_last", r->count.loss_last) |
		  member_text(campaign, "why", r->record.why);
	return out_json_unless(failed, campaign);
}

static json_t *run_json(const struct kb_campaign_run *r)
{
	json_t *run = json_object();

	return out_json_unless(
		member_int(run, "run", r->position) | member_int(run, "batch", r->batch) |
			member_int(run, "repeat", r->repeat) |
			member_text(run, "configuration", r->configuration) |
			member_text(run, "state", campaign_run_state_name(r->state)) |
			member_int(run, "attempts", r->attempt) |
			member_real(run, "predicted_s", r->predicted_s) |
			member_real(run, "limit_s", r->limit_s) |
			member_real(run, "wall_s", r->wall_s) |
			member_real(run, "elapsed_s", r->elapsed_s) |
			member_text(run, "started_at", r->started_at) |
			member_text(run, "ended_at", r->ended_at) |
			member_text(run, "job", r->job) |
			member_count(run, "import_id", r->import_id) |
			member_count(run, "run_id", r->run_id) |
			member_bool(run, "undone", r->undone) |
			member_text(run, "message", r->message),
		run);
}

struct json_t *campaign_report_json(const struct campaign_report *r)
{
	json_t *answer = out_json_answer(), *runs = json_array();
	int failed = 0;

	for (size_t i = 0; i < r->runs.n; i++)
		failed |= json_array_append_new(runs, run_json(&r->runs.item[i]));
	failed |= json_object_set_new(answer, "campaign", campaign_json(r)) |
		  member_count(answer, "runner", r->runner) |
		  member_text(answer, "plan", r->record.plan) |
		  json_object_set_new(answer, "runs", runs);
	return out_json_unless(failed, answer);
}
