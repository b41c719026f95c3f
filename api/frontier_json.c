#include "api/frontier_json.h"

#include <jansson.h>

#include "api/advice_json.h"
#include "recommend/search/rank.h"

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
