#include "api/advice_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/digest.h"
#include "base/wall_clock.h"
#include "api/answer_json.h"
#include "api/failure_warnings.h"
#include "api/multi_machine.h"
#include "api/json_text.h"
#include "recommend/search/rank.h"
#include "recommend/next/candidate_points.h"
#include "recommend/next/next_runs.h"

/* jansson's setters take NULL for an object or a value that could not be made and then fail, so the
 * results are gathered and looked at once. */

static enum err_code finish(json_t *object, int failed, const char *what, json_t **out,
			    struct err *e)
{
	if (!object || failed) {
		json_decref(object);
		return err_set(e, ERR_NOMEM, "%s as JSON", what);
	}
	*out = object;
	return ERR_OK;
}

/* ---- the request ---- */

/* Values that the asker fixed and that are free otherwise. */
static json_t *fixed_json(const struct advice_request *q)
{
	json_t *object = json_object();

	return out_json_unless(
		config_json_set_role(object, q->app, COL_RESOURCE, q->row, true) |
			config_json_set_role(object, q->app, COL_TUNABLE, q->row, true),
		object);
}

static int set_limits(json_t *r, const struct advice_request *q)
{
	return member_real(r, "deadline_s", q->deadline_s) |
	       member_real(r, "confidence", q->confidence) |
	       json_object_set_new(r, "objective", json_string(objective_name(q->objective))) |
	       json_object_set_new(r, "max_nodes",
				   q->max_nodes > 0 ? json_integer(q->max_nodes) : json_null()) |
	       (q->budget_node_hours > 0 ? member_real(r, "budget_node_hours", q->budget_node_hours)
					 : 0) |
	       (q->frontier ? json_object_set_new(r, "frontier", json_true()) : 0);
}

static int set_clock(json_t *r, const struct clock_deadline *by)
{
	char at[WALL_CLOCK_SIZE];

	if (!by->given)
		return 0;
	return json_object_set_new(r, "by", json_string(wall_clock_format(by->by_s, at))) |
	       json_object_set_new(r, "asked_at", json_string(wall_clock_format(by->asked_s, at)));
}

enum err_code advice_request_json(const struct advice_question *q, struct json_t **out,
				  struct err *e)
{
	json_t *r = answer_setting_json(q->app, &q->mined, q->given, q->row);
	int failed = json_object_set_new(r, "fixed", fixed_json(&q->request)) |
		     set_limits(r, &q->request) | set_clock(r, &q->by);

	if (q->machines)
		failed |= json_object_set(r, "machines", q->machines->asked);

	return finish(r, failed, "the request", out, e);
}

enum err_code advice_id(const struct json_t *request, const struct advice_question *q,
			char id[ADVICE_ID_SIZE], struct err *e)
{
	const struct fitted_machine *m = &q->mined;
	struct strbuf text = STRBUF_INIT;
	char hex[DIGEST_HEX_SIZE];
	enum err_code rc = out_json_text(request, &text, e);

	/* Old knowledge and new facts: candidates and nearest runs are taken from the facts. */
	strbuf_printf(&text, "\n%s\n%s\n", m->snapshot, m->facts);
	if (*m->rules.identity)
		strbuf_printf(&text, "%s\n", m->rules.identity);
	if (!rc && q->machines)
		rc = out_json_text(q->machines->rows, &text, e);
	if (!rc && text.failed)
		rc = err_set(e, ERR_NOMEM, "the identity of an answer");
	if (!rc) {
		digest_text(strbuf_text(&text), text.len, hex);
		snprintf(id, ADVICE_ID_SIZE, "%.16s", hex);
	}
	strbuf_release(&text);
	return rc;
}

/* ---- the answer ---- */

struct json_t *advice_choice_json(const struct application *app, const struct choice *c)
{
	json_t *object = json_object();
	int failed = config_json_set_choice(object, app, c->row) |
		     member_real(object, "predicted_s", c->prediction.time_s) |
		     member_real(object, "lo_s", c->lo_s) | member_real(object, "hi_s", c->hi_s) |
		     member_real(object, "p_meet", c->p_meet) |
		     member_real(object, "node_hours", c->node_hours) |
		     json_object_set_new(object, "support",
					 json_string(support_name(c->prediction.support)));

	if (!isnan(c->p_budget))
		failed |= member_real(object, "p_budget", c->p_budget);
	failed |= failure_set_warning(object, &c->warning);
	if (c->origin != ORIGIN_RUN)
		failed |=
			json_object_set_new(object, "origin", json_string(origin_name(c->origin)));
	if (c->why)
		failed |= json_object_set_new(object, "why", json_string(c->why));
	return out_json_unless(failed, object);
}

static json_t *alternatives_json(const struct application *app, const struct advice *a)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_alternative; i++)
		failed |= json_array_append_new(list, advice_choice_json(app, &a->alternative[i]));
	return out_json_unless(failed, list);
}

static json_t *run_json(const struct application *app, const struct nearest_run *run)
{
	json_t *object = json_object();
	int failed = 0;

	if (run->status != RUN_OK)
		failed = json_object_set_new(object, "status",
					     json_string(run_status_name(run->status)));
	return out_json_unless(
		failed | member_int(object, "run_id", run->run_id) |
			config_json_set_role(object, app, COL_PROBLEM, run->row, false) |
			config_json_set_choice(object, app, run->row) |
			config_json_set_role(object, app, COL_WORKLOAD, run->row, false) |
			member_real(object, "wall_s", run->wall_s) |
			member_int(object, "repeats", (json_int_t)run->n_repeats) |
			member_real(object, "distance", run->distance),
		object);
}

static json_t *runs_json(const struct application *app, const struct advice *a)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_near; i++)
		failed |= json_array_append_new(list, run_json(app, &a->near[i]));
	return out_json_unless(failed, list);
}

static json_t *candidates_json(const struct advice *a)
{
	json_t *object = json_object();
	int failed = 0;

	for (int o = 0; o < ORIGIN_COUNT; o++)
		failed |= member_int(object, origin_name((enum origin)o),
				     (json_int_t)a->n_candidates[o]);
	if (a->candidates_cut)
		failed |= json_object_set_new(object, "cut", json_true());
	return out_json_unless(failed, object);
}

/* Invariants of all runs, kept to or not. */
static json_t *invariants_json(const struct advice *a)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_invariants; i++)
		failed |= json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "id",
								a->invariant[i]->id, "held",
								a->invariant[i]->setting, "kept",
								(int)(i < a->n_kept_invariants)));
	return out_json_unless(failed, list);
}

static json_t *search_json(const struct advice *a)
{
	json_t *object =
		json_pack("{s:I, s:s, s:I, s:I, s:b, s:b}", "max_nodes", (json_int_t)a->max_nodes,
			  "max_nodes_origin", a->max_nodes_origin, "legal", (json_int_t)a->n_legal,
			  "predicted", (json_int_t)a->n_predicted, "memory_checked",
			  (int)a->memory_checked, "cores_known", (int)a->cores_known);

	return out_json_unless(
		failure_set_left_out(object, a) |
			(a->cores_seen > 0 ? member_real(object, "cores_seen", a->cores_seen) : 0) |
			(a->tried_only ? json_object_set_new(object, "tried_only", json_true()) |
						 json_object_set_new(object, "candidates",
								     candidates_json(a))
				       : 0) |
			(a->n_invariants > 0
				 ? json_object_set_new(object, "invariants", invariants_json(a))
				 : 0) |
			(a->n_tunings_legal > 0
				 ? json_object_set_new(object, "tunings",
						       json_pack("{s:I, s:I}", "legal",
								 (json_int_t)a->n_tunings_legal,
								 "searched",
								 (json_int_t)a->n_tunings_searched))
				 : 0) |
			(a->core_hours ? json_object_set_new(object, "core_hours", json_true())
				       : 0),
		object);
}

static json_t *reasons_json(const struct rule_choice *c)
{
	json_t *ids = json_array();
	int failed = 0;

	for (size_t i = 0; i < c->n_because; i++)
		failed |= json_array_append_new(ids, json_string(c->because[i]->id));
	return out_json_unless(failed, ids);
}

/* null where no rule was asked. */
static json_t *rule_choice_json(const struct application *app, const struct rule_choice *c)
{
	const struct choice *first = &c->instead_of;

	if (c->n_tied == 0)
		return json_null();
	return json_pack("{s:I, s:o, s:o, s:o}", "configurations", (json_int_t)c->n_tied, "within",
			 out_json_real(c->within), "because", reasons_json(c), "instead_of",
			 first->row ? advice_choice_json(app, first) : json_null());
}

/* For `explain`: which of these are others later? facts: see struct fitted_machine. */
static json_t *versions_json(const struct advice_request *q, const struct fitted_machine *m)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:I}", "facts", m->facts, "application",
			 q->app->sha256, "machine", q->machine->sha256, "predictor",
			 (int)PREDICTOR_VERSION, "last_decision",
			 (json_int_t)m->rules.last_decision);
}

static json_t *evidence_json(const struct advice_request *q, const struct fitted_machine *m,
			     const struct advice *a)
{
	json_t *v = answer_evidence_json(m, &a->rules, a->has_breakdown ? &a->breakdown : NULL);

	return out_json_unless(
		json_object_set_new(v, "rule_choice", rule_choice_json(q->app, &a->rule_choice)) |
			json_object_set_new(v, "robust_choice",
					    tie_break_json(q->app, &a->robust_choice)) |
			json_object_set_new(v, "runs", runs_json(q->app, a)) |
			json_object_set_new(v, "search", search_json(a)) |
			json_object_set_new(v, "versions", versions_json(q, m)),
		v);
}

/* The demands that cannot be met; budget only where there was one. */
static int set_refusal(json_t *answer, const struct advice_request *q, const struct advice *a)
{
	int failed = member_text(answer, "reason", a->reason) |
		     member_real(answer, "feasible_deadline_s", a->feasible_deadline_s);

	if (q->budget_node_hours > 0)
		failed |= member_real(answer, "feasible_budget_node_hours",
				      a->feasible_budget_node_hours);
	return failed;
}

static json_t *best_json(const struct advice_question *q, const struct advice *a)
{
	json_t *best = a->best.row ? advice_choice_json(q->app, &a->best) : json_null();

	int failed = 0;

	if (json_is_object(best)) {
		failed = a->support_why ? member_text(best, "support_why", a->support_why) : 0;
		if (q->machines)
			failed |= member_text(best, "machine", q->mined.machine->name);
	}
	return out_json_unless(failed, best);
}

static int set_verdict(json_t *answer, const struct advice_question *q, const struct advice *a)
{
	json_t *best = best_json(q, a);

	/* All members are always there, so that a script may ask for any of them. */
	if (a->feasible)
		return json_object_set_new(answer, "recommendation", best) |
		       json_object_set_new(answer, "best_effort", json_null()) |
		       json_object_set_new(answer, "reason", json_null()) |
		       json_object_set_new(answer, "feasible_deadline_s", json_null()) |
		       (q->request.budget_node_hours > 0
				? json_object_set_new(answer, "feasible_budget_node_hours",
						      json_null())
				: 0);
	return json_object_set_new(answer, "recommendation", json_null()) |
	       json_object_set_new(answer, "best_effort", best) |
	       set_refusal(answer, &q->request, a);
}

enum err_code advice_answer_json(const char *id, const struct json_t *request,
				 const struct advice_question *q, const struct advice *a,
				 struct json_t **out, struct err *e)
{
	json_t *answer = out_json_answer();
	int failed =
		json_object_set_new(answer, "id", json_string(id)) |
		member_bool(answer, "feasible", a->feasible) |
		json_object_set(answer, "request", (json_t *)request) | set_verdict(answer, q, a) |
		json_object_set_new(answer, "alternatives", alternatives_json(q->app, a)) |
		json_object_set_new(answer, "sensitivity",
				    sensitivity_json(q->app, &a->sensitivity)) |
		json_object_set_new(answer, "node_limits", node_limits_json(&a->node_limits)) |
		(q->request.frontier
			 ? json_object_set_new(answer, "frontier", frontier_json(&q->request, a))
			 : 0) |
		(q->machines ? json_object_set(answer, "machines", q->machines->rows) : 0) |
		json_object_set_new(answer, "evidence", evidence_json(&q->request, &q->mined, a));

	return finish(answer, failed, "the answer", out, e);
}

/* ---- parts of an answer ---- */

static json_t *move_json(const struct application *app, const struct move *m)
{
	json_t *object = json_object();
	json_t *to = advice_choice_json(app, &m->to);
	int failed = json_object_set_new(object, "parameter", json_string(m->parameter)) |
		     member_real(object, "ratio", m->ratio) | json_object_update(object, to);

	json_decref(to);
	return out_json_unless(failed, object);
}

struct json_t *sensitivity_json(const struct application *app, const struct sensitivity *s)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < s->n; i++)
		failed |= json_array_append_new(list, move_json(app, &s->move[i]));
	return out_json_unless(failed, list);
}

struct json_t *node_limits_json(const struct node_limits *l)
{
	if (!l->known)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o}", "deadline_from_s",
			 out_json_real(l->deadline_from_s), "deadline_to_s",
			 out_json_real(l->deadline_to_s), "confidence_from",
			 out_json_real(l->confidence_from), "confidence_to",
			 out_json_real(l->confidence_to));
}

struct json_t *tie_break_json(const struct application *app, const struct tie_break *c)
{
	const struct choice *before = &c->instead_of;

	if (c->n_tied < 2)
		return json_null();
	return json_pack("{s:I, s:o, s:I, s:o, s:o, s:o}", "configurations", (json_int_t)c->n_tied,
			 "within", out_json_real(c->within), "neighbours",
			 (json_int_t)c->n_neighbours, "loss", out_json_real(c->loss), "instead_of",
			 before->row ? advice_choice_json(app, before) : json_null(),
			 "instead_of_loss",
			 out_json_real(before->row ? c->loss_instead : (double)NAN));
}

/* ---- frontier ---- */

/* NaN where there is no such limit. */
static bool is_feasible(const struct advice_request *q, const struct choice *c)
{
	return !(c->p_meet < q->confidence) && !(c->p_budget < q->confidence);
}

static json_t *point_json(const struct advice_request *q, const struct advice *a, size_t i)
{
	const struct choice *c = &a->frontier[i];
	bool recommended = a->feasible && rows_are_equal(a->best.row, c->row, q->app->n_columns);
	json_t *object = advice_choice_json(q->app, c);

	return out_json_unless(member_bool(object, "feasible", is_feasible(q, c)) |
				       member_bool(object, "knee", i == a->knee) |
				       member_bool(object, "recommended", recommended),
			       object);
}

struct json_t *frontier_json(const struct advice_request *q, const struct advice *a)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_frontier; i++)
		failed |= json_array_append_new(list, point_json(q, a, i));
	return out_json_unless(failed, list);
}

/* ---- next runs ---- */

_Static_assert((int)NEXT_ANSWER_MAX == (int)MAX_NEXT_RUNS, "one limit");

enum err_code next_answer_ask(struct json_t *request, size_t n, struct err *e)
{
	if (n > 0 && member_int(request, "next", (json_int_t)n))
		return err_set(e, ERR_NOMEM, "the request as JSON");
	return ERR_OK;
}

/* The columns of which no run has its value. */
static json_t *unseen_json(const struct advice_request *q, const struct next_run *r)
{
	json_t *list = json_array();
	double below, above;
	int failed = 0;

	for (size_t c = 0; c < q->app->n_columns; c++) {
		if (next_run_is_unseen(q, r, c, &below, &above))
			failed |= json_array_append_new(list, json_string(q->app->column[c].name));
	}
	return out_json_unless(failed, list);
}

static json_t *reason_json(const struct advice_request *q, const struct next_run *r)
{
	struct strbuf text = STRBUF_INIT;
	json_t *reason;

	next_run_put_reason(q, r, &text);
	reason = text.failed ? NULL : out_json_string(strbuf_text(&text));
	strbuf_release(&text);
	return reason;
}

static json_t *next_run_json(const struct advice_request *q, const struct next_run *r)
{
	const struct application *app = q->app;
	json_t *object = json_object();

	return out_json_unless(
		json_object_set_new(object, "kind", json_string(r->kind)) |
			config_json_set_role(object, app, COL_PROBLEM, r->row, false) |
			config_json_set_choice(object, app, r->row) |
			config_json_set_role(object, app, COL_WORKLOAD, r->row, false) |
			member_real(object, "predicted_s", r->at.time_s) |
			member_real(object, "lo_s", r->lo_s) |
			member_real(object, "hi_s", r->hi_s) |
			member_real(object, "node_hours", r->node_hours) |
			member_real(object, "wrong_before", r->before.wrong) |
			member_real(object, "wrong_after", r->after.wrong) |
			member_real(object, "wasted_before_node_hours",
				    r->before.wasted_node_hours) |
			member_real(object, "wasted_after_node_hours", r->after.wasted_node_hours) |
			member_real(object, "right", r->right) |
			json_object_set_new(object, "unseen", unseen_json(q, r)) |
			json_object_set_new(object, "why", reason_json(q, r)),
		object);
}

static json_t *next_runs_json(const struct advice_request *q, const struct next_runs *r)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < r->n; i++)
		failed |= json_array_append_new(list, next_run_json(q, &r->run[i]));
	return out_json_unless(failed, list);
}

static json_t *decision_json(const struct next_runs *r)
{
	return json_pack("{s:I, s:o, s:o, s:b, s:o}", "contenders", (json_int_t)r->n_candidate_set,
			 "wrong", out_json_real(r->wrong), "answer_right",
			 out_json_real(r->answer_right), "safe", (int)r->safe, "tolerance",
			 out_json_real(CHOICE_TOLERANCE));
}

enum err_code next_answer_add(const struct advice_question *q, const struct advice *a, size_t n,
			      struct json_t *answer, struct err *e)
{
	struct next_runs runs = {0};
	int failed;
	enum err_code rc;

	if (n == 0)
		return ERR_OK;
	if ((rc = next_runs_find(&q->request, a, n, &runs, e)))
		return rc;
	failed = json_object_set_new(answer, "decision", decision_json(&runs)) |
		 json_object_set_new(answer, "next", next_runs_json(&q->request, &runs));
	next_runs_release(&runs);
	return failed ? err_set(e, ERR_NOMEM, "runs to make as JSON") : ERR_OK;
}
