#include <jansson.h>

#include "api/advice_explanation.h"
#include "api/json_text.h"

static json_t *kept_json(enum kept k)
{
	return k == KEPT_UNKNOWN ? json_null() : json_boolean(k == KEPT_YES);
}

static json_t *runs_json(const struct kb_outcomes *runs)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < runs->n; i++)
		failed |= json_array_append_new(
			list, json_pack("{s:I, s:I, s:o, s:b}", "run_id",
					(json_int_t)runs->item[i].run_id, "import_id",
					(json_int_t)runs->item[i].import_id, "wall_s",
					out_json_real(runs->item[i].wall_s), "timed_out",
					(int)runs->item[i].timed_out));
	if (failed) {
		json_decref(list);
		return NULL;
	}
	return list;
}

static json_t *outcome_json(const struct outcome_record *r)
{
	const struct reliability_outcome *o = &r->outcome;

	return json_pack("{s:o, s:o, s:I, s:I, s:o, s:o}", "median_s", out_json_real(o->median_s),
			 "runs", runs_json(&r->runs), "n_in_time", (json_int_t)o->n_in_time,
			 "n_late", (json_int_t)o->n_late, "next_in_time", kept_json(o->in_time),
			 "next_inside", kept_json(o->inside));
}

/* ---- then and today ---- */

static const char *const aspect_name[ASPECT_COUNT] = {
	[ASPECT_FEASIBLE] = "feasible",
	[ASPECT_CONFIGURATION] = "configuration",
	[ASPECT_TIME] = "time",
	[ASPECT_P_MEET] = "p_meet",
};

static json_t *differences_json(unsigned differences)
{
	json_t *names = json_array();

	for (int i = 0; i < ASPECT_COUNT; i++) {
		if (differences & 1u << i &&
		    json_array_append_new(names, json_string(aspect_name[i]))) {
			json_decref(names);
			return NULL;
		}
	}
	return names;
}

static json_t *today_json(const struct advice_explanation *x)
{
	const struct advice_replay *t = &x->today;
	json_t *since = t->since_known ? advice_diff_json(&t->since) : json_null();

	return json_pack("{s:o, s:o, s:O?, s:o}", "differs",
			 differences_json(advice_explanation_differences(x)), "since", since,
			 "answer", t->answer, "reason",
			 *t->no_answer ? out_json_string(t->no_answer) : json_null());
}

enum err_code advice_explanation_json(const struct advice_explanation *x, struct json_t **out,
				      struct err *e)
{
	const struct kb_advice *kept = &x->advice.kept;
	json_t *answer = out_json_answer();

	*out = NULL;
	if (json_object_set_new(answer, "id", json_string(kept->id)) |
	    json_object_set_new(answer, "given_at", out_json_string(kept->given_at)) |
	    json_object_set_new(answer, "snapshot", out_json_string(kept->snapshot)) |
	    json_object_set_new(answer, "current", json_boolean(x->today.current)) |
	    json_object_set(answer, "answer", x->advice.answer) |
	    json_object_set_new(answer, "outcome", outcome_json(&x->record)) |
	    json_object_set_new(answer, "today", today_json(x))) {
		json_decref(answer);
		return err_set(e, ERR_NOMEM, "the answer as JSON");
	}
	*out = answer;
	return ERR_OK;
}
