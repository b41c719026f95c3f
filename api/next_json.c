#include "api/next_json.h"

#include <jansson.h>

#include "api/config_json.h"
#include "api/json_text.h"
#include "recommend/next/candidate_points.h"
#include "recommend/next/next_reason.h"
#include "recommend/next/next_runs.h"

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
