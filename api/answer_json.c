#include "api/answer_json.h"

#include <math.h>
#include <stddef.h>

#include <jansson.h>

#include "api/json_text.h"

static const struct breakdown_part {
	const char *key;
	size_t offset;
} parts[] = {
	{"compute_s", offsetof(struct breakdown, compute_s)},
	{"comm_s", offsetof(struct breakdown, comm_s)},
	{"fill_s", offsetof(struct breakdown, fill_s)},
	{"sync_s", offsetof(struct breakdown, sync_s)},
	{"other_s", offsetof(struct breakdown, other_s)},
};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

static double *part_of(struct breakdown *b, const struct breakdown_part *p)
{
	return (double *)(void *)((char *)b + p->offset);
}

struct json_t *breakdown_json(const struct breakdown *b)
{
	struct breakdown copy = *b;
	json_t *object = json_object();
	int failed = 0;

	for (size_t i = 0; i < N_PARTS; i++)
		failed |= member_real(object, parts[i].key, *part_of(&copy, &parts[i]));
	return out_json_unless(failed, object);
}

struct breakdown breakdown_from_json(const struct json_t *object)
{
	struct breakdown b = {0};

	for (size_t i = 0; i < N_PARTS; i++)
		*part_of(&b, &parts[i]) = json_number_value(json_object_get(object, parts[i].key));
	return b;
}

/* object, or NULL if a setter failed. */
static json_t *unless(int failed, json_t *object)
{
	return out_json_unless(failed, object);
}

static json_t *role_json(const struct application *a, enum column_role role, const double *row)
{
	json_t *object = json_object();

	return unless(config_json_set_role(object, a, role, row, false), object);
}

/* The names of the workload columns that nobody gave. */
static json_t *assumed_json(const struct application *a, const double *given)
{
	json_t *names = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_WORKLOAD && isnan(given[i]))
			failed |= json_array_append_new(names, json_string(a->column[i].name));
	}
	return unless(failed, names);
}

struct json_t *answer_setting_json(const struct application *app, const struct fitted_machine *m,
				   const double *given, const double *row)
{
	json_t *s = json_object();
	int failed = member_text(s, "app", app->name) |
		     member_text(s, "machine", m->machine->name) |
		     json_object_set_new(s, "problem", role_json(app, COL_PROBLEM, row)) |
		     json_object_set_new(s, "workload", role_json(app, COL_WORKLOAD, row)) |
		     json_object_set_new(s, "assumed", assumed_json(app, given));

	if (m->like)
		failed |=
			member_text(s, "like", m->like) | member_real(s, "wg_factor", m->wg_factor);
	return unless(failed, s);
}

/* A number of a machine that is not known is 0, and null for those who read. */
static json_t *known_json(int64_t n)
{
	return n > 0 ? json_integer(n) : json_null();
}

static json_t *machine_json(const struct machine *m)
{
	return json_pack("{s:o, s:o, s:b, s:o, s:o}", "title", out_json_string(m->title), "origin",
			 out_json_string(m->origin), "simulated", (int)m->simulated, "nodes",
			 known_json(m->nodes), "cores_per_node", known_json(m->cores_per_node));
}

/* "" is null: no rule is in use. */
static json_t *identity_json(const char *identity)
{
	return *identity ? json_string(identity) : json_null();
}

/* [{"source": "measured", "configurations": 120, "weight": 1, "share": 0.96}, ...] */
static json_t *sources_json(const struct predictor *p)
{
	struct predictor_source source[SOURCE_COUNT];
	json_t *list = json_array();

	predictor_sources(p, source);
	for (int s = 0; s < SOURCE_COUNT; s++) {
		if (source[s].n_configs == 0)
			continue;
		if (json_array_append_new(
			    list, json_pack("{s:s, s:I, s:f, s:f}", "source",
					    run_source_name((enum run_source)s), "configurations",
					    (json_int_t)source[s].n_configs, "weight",
					    source[s].weight, "share", source[s].share))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

/* {"chosen": "wavefront", "candidates": [{"model": "wavefront", "title": "...", "held_out_error":
 * 0.038}, ...]}; null: the predictor has no structural part to choose. */
static json_t *structure_json(const struct predictor *p)
{
	const struct structure_choice *c = predictor_structure(p);
	json_t *list;

	if (!c)
		return json_null();
	list = json_array();
	for (size_t k = 0; k < c->n; k++) {
		const struct structure_candidate *one = &c->candidate[k];

		if (json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "model", one->name,
							  "title", one->title, "held_out_error",
							  out_json_real(one->held_out_error)))) {
			json_decref(list);
			return NULL;
		}
	}
	return json_pack("{s:s, s:o}", "chosen", c->candidate[c->chosen].name, "candidates", list);
}

/* ---- rules ---- */

static json_t *verdict_json(const struct rule_verdict *o)
{
	const struct rule *r = o->of->rule;
	struct strbuf text = STRBUF_INIT;
	json_t *object = json_object();
	int failed;

	rule_put_text(r, &text);
	failed = text.failed | json_object_set_new(object, "id", json_string(r->id)) |
		 json_object_set_new(object, "kind", json_string(rule_kind_name(r->kind))) |
		 member_text(object, "text", strbuf_text(&text)) |
		 json_object_set_new(object, "state",
				     json_string(kb_rule_state_name(o->of->state))) |
		 json_object_set_new(object, "verdict", json_string(rule_says_name(o->says)));
	strbuf_release(&text);
	return out_json_unless(failed, object);
}

/* [{"id", "kind", "text", "state", "verdict": "for" | "against" | "used"}, ...] */
static json_t *rules_json(const struct rule_report *r)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < r->n; i++)
		failed |= json_array_append_new(list, verdict_json(&r->verdict[i]));
	return out_json_unless(failed, list);
}

/* [{"rule", "to"}, ...]: ids of accepted rules and of those they were preferred to. */
static json_t *preferences_json(const struct rule_report *r)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < r->n_preferences; i++) {
		const struct rule_preference *p = &r->preference[i];

		failed |= json_array_append_new(
			list, json_pack("{s:s, s:s}", "rule", p->accepted->id, "to", p->to->id));
	}
	return out_json_unless(failed, list);
}

/* ---- all together ---- */

struct json_t *answer_evidence_json(const struct fitted_machine *m, const struct rule_report *rules,
				    const struct breakdown *breakdown)
{
	json_t *v = json_object();
	int failed = json_object_set_new(v, "model", json_string(predictor_name(m->predictor))) |
		     member_text(v, "explanation", predictor_explanation(m->predictor)) |
		     json_object_set_new(v, "structure", structure_json(m->predictor)) |
		     json_object_set_new(v, "sources", sources_json(m->predictor)) |
		     json_object_set_new(v, "rules", rules_json(rules)) |
		     json_object_set_new(v, "rule_preferences", preferences_json(rules)) |
		     json_object_set_new(v, "rules_identity", identity_json(m->rules.identity)) |
		     json_object_set_new(v, "snapshot", json_string(m->snapshot)) |
		     member_bool(v, "stale", m->stale) |
		     json_object_set_new(v, "breakdown",
					 breakdown ? breakdown_json(breakdown) : json_null()) |
		     json_object_set_new(v, "machine", machine_json(m->machine));

	return unless(failed, v);
}
