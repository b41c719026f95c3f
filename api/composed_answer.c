#include "api/composed_answer.h"

#include <math.h>

#include <jansson.h>

#include "api/answer_json.h"
#include "api/json_text.h"

void composed_levels_compare(struct composed_level *level, size_t n)
{
	for (size_t i = 0; i < n; i++)
		level[i].difference = i > 0 && level[0].parts
					      ? level[i].time.time_s / level[0].time.time_s - 1
					      : (double)NAN;
}

const struct component *composed_level_serving(const struct composed_level *m, const char *request)
{
	const struct composition_node *n = composition_find(m->parts, request);

	return n ? n->chosen : NULL;
}

/* ---- JSON ---- */

static json_t *matches_json(const struct composition_node *n)
{
	json_t *matches = json_array();
	int failed = 0;

	for (size_t i = 0; i < n->n_matches; i++)
		failed |= json_array_append_new(matches, out_json_string(n->match[i]->name));
	return out_json_unless(failed, matches);
}

static json_t *node_json(const struct composition_node *n)
{
	const struct component *c = n->chosen;
	json_t *node = json_object();

	return out_json_unless(
		member_text(node, "request", n->request->name) |
			member_text(node, "asked_by", n->asked_by ? n->asked_by->name : NULL) |
			member_text(node, "component", c->name) |
			member_text(node, "argument", n->argument) |
			member_text(node, "domain", component_domain_name(c->domain)) |
			member_text(node, "part",
				    c->part == PART_NONE ? NULL : component_part_name(c->part)) |
			member_text(node, "paradigm", component_paradigm_name(c->paradigm)) |
			member_text(node, "selector", n->request->selector) |
			json_object_set_new(node, "matches", matches_json(n)) |
			member_text(node, "decided_by", n->decided_by),
		node);
}

static json_t *level_json(const struct composed_level *m)
{
	json_t *parts = json_array(), *level = json_object();
	int failed = 0;

	for (size_t i = 0; i < m->parts->n; i++)
		failed |= json_array_append_new(parts, node_json(&m->parts->node[i]));
	failed |= json_object_set_new(level, "parts", parts) |
		  json_object_set_new(level, "configuration", config_json_given(m->app, m->row)) |
		  member_real(level, "wg_s", m->Wg_s) |
		  member_real(level, "wg_fixup_s", m->Wg_fixup_s) |
		  member_real(level, "time_s", m->time.time_s) |
		  json_object_set_new(level, "breakdown", breakdown_json(&m->time.parts)) |
		  member_real(level, "difference", m->difference) |
		  member_text(level, "caveat", m->caveat);
	return out_json_unless(failed, level);
}

struct json_t *composed_levels_json(const struct composed_level *level, size_t n)
{
	json_t *answer = out_json_answer(), *levels = json_array();
	int failed = 0;

	for (size_t i = 0; i < n; i++) {
		if (level[i].parts)
			failed |= json_array_append_new(levels, level_json(&level[i]));
	}
	return out_json_unless(failed | json_object_set_new(answer, "levels", levels), answer);
}
