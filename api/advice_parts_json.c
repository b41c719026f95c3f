#include "api/advice_parts_json.h"

#include <math.h>

#include <jansson.h>

#include "recommend/search/rank.h"
#include "recommend/next/candidate_points.h"
#include "recommend/next/next_runs.h"
#include "api/advice_json.h"
#include "api/json_text.h"

static json_t *move_json(const struct application *app, const struct move *m)
{
	json_t *object = json_object();
	json_t *to = advice_choice_json(app, &m->to);
	int failed = json_object_set_new(object, "parameter", json_string(m->parameter)) |
		     json_object_set_new(object, "ratio", out_json_real(m->ratio)) |
		     json_object_update(object, to);

	json_decref(to);
	if (failed) {
		json_decref(object);
		return NULL;
	}
	return object;
}

struct json_t *sensitivity_json(const struct application *app, const struct sensitivity *s)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < s->n; i++)
		failed |= json_array_append_new(list, move_json(app, &s->move[i]));
	if (failed) {
		json_decref(list);
		return NULL;
	}
	return list;
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

	if (json_object_set_new(object, "feasible", json_boolean(is_feasible(q, c))) |
	    json_object_set_new(object, "knee", json_boolean(i == a->knee)) |
	    json_object_set_new(object, "recommended", json_boolean(recommended))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

struct json_t *frontier_json(const struct advice_request *q, const struct advice *a)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_frontier; i++)
		failed |= json_array_append_new(list, point_json(q, a, i));
	if (failed) {
		json_decref(list);
		return NULL;
	}
	return list;
}

/* ---- next runs ---- */

_Static_assert((int)NEXT_ANSWER_MAX == (int)MAX_NEXT_RUNS, "one limit");

enum err_code next_answer_ask(struct json_t *request, size_t n, struct err *e)
{
	if (n > 0 && json_object_set_new(request, "next", json_integer((json_int_t)n)))
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
	if (failed) {
		json_decref(list);
		return NULL;
	}
	return list;
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

static json_t *run_json(const struct advice_request *q, const struct next_run *r)
{
	const struct application *app = q->app;
	json_t *object = json_object();

	if (json_object_set_new(object, "kind", json_string(r->kind)) |
	    config_json_set_role(object, app, COL_PROBLEM, r->row, false) |
	    config_json_set_choice(object, app, r->row) |
	    config_json_set_role(object, app, COL_WORKLOAD, r->row, false) |
	    json_object_set_new(object, "predicted_s", out_json_real(r->at.time_s)) |
	    json_object_set_new(object, "lo_s", out_json_real(r->lo_s)) |
	    json_object_set_new(object, "hi_s", out_json_real(r->hi_s)) |
	    json_object_set_new(object, "node_hours", out_json_real(r->node_hours)) |
	    json_object_set_new(object, "wrong_before", out_json_real(r->before.wrong)) |
	    json_object_set_new(object, "wrong_after", out_json_real(r->after.wrong)) |
	    json_object_set_new(object, "wasted_before_node_hours",
				out_json_real(r->before.wasted_node_hours)) |
	    json_object_set_new(object, "wasted_after_node_hours",
				out_json_real(r->after.wasted_node_hours)) |
	    json_object_set_new(object, "right", out_json_real(r->right)) |
	    json_object_set_new(object, "unseen", unseen_json(q, r)) |
	    json_object_set_new(object, "why", reason_json(q, r))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *runs_json(const struct advice_request *q, const struct next_runs *r)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < r->n; i++)
		failed |= json_array_append_new(list, run_json(q, &r->run[i]));
	if (failed) {
		json_decref(list);
		return NULL;
	}
	return list;
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
		 json_object_set_new(answer, "next", runs_json(&q->request, &runs));
	next_runs_release(&runs);
	return failed ? err_set(e, ERR_NOMEM, "runs to make as JSON") : ERR_OK;
}
