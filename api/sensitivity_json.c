#include "api/sensitivity_json.h"

#include <math.h>

#include <jansson.h>

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
