#include "api/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/answer_json.h"
#include "api/json_text.h"
#include "recommend/space/recommend.h"

/* ---- values ---- */

bool answer_value_is_given(const struct answer_value *v)
{
	return v->text || !isnan(v->number);
}

bool answer_value_equal(const struct answer_value *x, const struct answer_value *y)
{
	if (x->text || y->text)
		return x->text && y->text && !strcmp(x->text, y->text);
	return x->number == y->number || (isnan(x->number) && isnan(y->number));
}

static struct answer_value value_of(const json_t *value)
{
	return (struct answer_value){
		.number = json_is_number(value) ? json_number_value(value) : (double)NAN,
		.text = json_string_value(value),
	};
}

/* ---- memory ---- */

/* Everything of an answer is released at once. */
struct answer_block {
	struct answer_block *next;
	max_align_t data[];
};

struct reader {
	struct answer *out;
	bool failed;
};

/* n zeroed items; NULL: out of memory, which is noted. */
static void *take(struct reader *r, size_t n, size_t size)
{
	struct answer_block *b = calloc(1, sizeof *b + (n + 1) * size);

	if (!b) {
		r->failed = true;
		return NULL;
	}
	b->next = r->out->block;
	r->out->block = b;
	return b->data;
}

/* As take() of as many items as the list has, and how many these are. */
static void *take_list(struct reader *r, const json_t *list, size_t size, size_t *n)
{
	void *items = take(r, json_array_size(list), size);

	*n = items ? json_array_size(list) : 0;
	return items;
}

static struct answer_value *read_values(struct reader *r, const json_t *object)
{
	struct answer_value *value = take(r, r->out->app->n_columns, sizeof *value);

	for (size_t i = 0; value && i < r->out->app->n_columns; i++)
		value[i] = value_of(json_object_get(object, r->out->app->column[i].name));
	return value;
}

static struct answer_members read_members(struct reader *r, json_t *object)
{
	struct answer_members m = {0};
	const char *name;
	json_t *value;

	m.item = take(r, json_object_size(object), sizeof *m.item);
	if (!m.item)
		return m;
	json_object_foreach(object, name, value)
	{
		m.item[m.n++] = (struct answer_member){name, value_of(value)};
	}
	return m;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* ---- a choice ---- */

static struct answer_warning read_warning(const json_t *w)
{
	return (struct answer_warning){
		.given = w != NULL,
		.failed = !strcmp(answer_text(w, "kind"), "failed"),
		.run_id = answer_number(w, "run_id"),
	};
}

static struct answer_choice read_choice(struct reader *r, const json_t *choice)
{
	return (struct answer_choice){
		.given = json_is_object(choice),
		.value = read_values(r, choice),
		.predicted_s = answer_number(choice, "predicted_s"),
		.lo_s = answer_number(choice, "lo_s"),
		.hi_s = answer_number(choice, "hi_s"),
		.p_meet = answer_number(choice, "p_meet"),
		.node_hours = answer_number(choice, "node_hours"),
		.p_budget = answer_number(choice, "p_budget"),
		.outlasts_s = answer_number(choice, "outlasts_s"),
		.support = text_of(choice, "support"),
		.support_why = text_of(choice, "support_why"),
		.why = text_of(choice, "why"),
		.machine = text_of(choice, "machine"),
		.origin = text_of(choice, "origin"),
		.warning = read_warning(json_object_get(choice, "warning")),
	};
}

/* ---- the request ---- */

static void read_request(struct reader *r, const json_t *q)
{
	json_t *workload = json_object_get(q, "workload");

	r->out->request = (struct answer_request){
		.app = answer_text(q, "app"),
		.machine = answer_text(q, "machine"),
		.like = text_of(q, "like"),
		.wg_factor = answer_number(q, "wg_factor"),
		.problem = read_members(r, json_object_get(q, "problem")),
		.fixed = read_members(r, json_object_get(q, "fixed")),
		.workload = read_values(r, workload),
		.n_workload = json_object_size(workload),
		.n_assumed = json_array_size(json_object_get(q, "assumed")),
		.deadline_s = answer_number(q, "deadline_s"),
		.confidence = answer_number(q, "confidence"),
		.budget_node_hours = answer_number(q, "budget_node_hours"),
		.by = text_of(q, "by"),
		.asked_at = text_of(q, "asked_at"),
		.objective_text = answer_text(q, "objective"),
		.objective = objective_from(answer_text(q, "objective")),
		.n_next = answer_number(q, "next"),
	};
}

/* ---- the evidence ---- */

static void read_sources(struct reader *r, struct answer_evidence *v, const json_t *list)
{
	v->source = take_list(r, list, sizeof *v->source, &v->n_sources);
	for (size_t i = 0; i < v->n_sources; i++) {
		const json_t *s = json_array_get(list, i);

		v->source[i] = (struct answer_source){answer_text(s, "source"),
						      answer_number(s, "configurations"),
						      answer_number(s, "share")};
	}
}

static void read_rules(struct reader *r, struct answer_evidence *v, const json_t *list)
{
	v->rule = take_list(r, list, sizeof *v->rule, &v->n_rules);
	for (size_t i = 0; i < v->n_rules; i++) {
		const json_t *rule = json_array_get(list, i);

		v->rule[i] =
			(struct answer_rule){answer_text(rule, "id"), answer_text(rule, "verdict"),
					     answer_text(rule, "state"), answer_text(rule, "text")};
	}
}

static void read_preferences(struct reader *r, struct answer_evidence *v, const json_t *list)
{
	v->preference = take_list(r, list, sizeof *v->preference, &v->n_preferences);
	for (size_t i = 0; i < v->n_preferences; i++) {
		const json_t *p = json_array_get(list, i);

		v->preference[i] =
			(struct answer_preference){answer_text(p, "rule"), answer_text(p, "to")};
	}
}

static struct answer_rule_choice read_rule_choice(struct reader *r, const json_t *choice)
{
	const json_t *because = json_object_get(choice, "because");
	struct answer_rule_choice c = {
		.configurations = answer_number(choice, "configurations"),
		.within = answer_number(choice, "within"),
		.instead_of = read_choice(r, json_object_get(choice, "instead_of")),
	};

	c.because = take_list(r, because, sizeof *c.because, &c.n_because);
	for (size_t i = 0; i < c.n_because; i++) {
		const char *id = json_string_value(json_array_get(because, i));

		c.because[i] = id ? id : "";
	}
	return c;
}

static struct answer_tie_break read_tie_break(struct reader *r, const json_t *choice)
{
	return (struct answer_tie_break){
		.given = json_is_object(choice),
		.configurations = answer_number(choice, "configurations"),
		.within = answer_number(choice, "within"),
		.neighbours = answer_number(choice, "neighbours"),
		.loss = answer_number(choice, "loss"),
		.loss_instead = answer_number(choice, "instead_of_loss"),
		.instead_of = read_choice(r, json_object_get(choice, "instead_of")),
	};
}

static void read_near(struct reader *r, struct answer_evidence *v, const json_t *list)
{
	v->near = take_list(r, list, sizeof *v->near, &v->n_near);
	for (size_t i = 0; i < v->n_near; i++) {
		const json_t *run = json_array_get(list, i);

		v->near[i] = (struct answer_near_run){
			.run_id = json_integer_value(json_object_get(run, "run_id")),
			.repeats = json_integer_value(json_object_get(run, "repeats")),
			.value = read_values(r, run),
			.wall_s = answer_number(run, "wall_s"),
			.distance = answer_number(run, "distance"),
			.status = text_of(run, "status"),
		};
	}
}

static struct answer_left_out read_left_out(const json_t *l)
{
	return (struct answer_left_out){l != NULL, answer_number(l, "configurations"),
					answer_number(l, "run_id")};
}

static void read_invariants(struct reader *r, struct answer_search *s, const json_t *list)
{
	s->invariant = take_list(r, list, sizeof *s->invariant, &s->n_invariants);
	for (size_t i = 0; i < s->n_invariants; i++) {
		const json_t *rule = json_array_get(list, i);

		s->invariant[i] = (struct answer_invariant){answer_text(rule, "held"),
							    answer_is(rule, "kept")};
	}
}

static struct answer_search read_search(struct reader *r, const json_t *s)
{
	const json_t *left_out = json_object_get(s, "left_out");
	const json_t *candidates = json_object_get(s, "candidates");
	const json_t *tunings = json_object_get(s, "tunings");
	struct answer_search search = {
		.legal = answer_number(s, "legal"),
		.max_nodes = answer_number(s, "max_nodes"),
		.cores_seen = answer_number(s, "cores_seen"),
		.max_nodes_origin = answer_text(s, "max_nodes_origin"),
		.tried_only = answer_is(s, "tried_only"),
		.core_hours = answer_is(s, "core_hours"),
		.cores_known = answer_is(s, "cores_known"),
		.memory_checked = answer_is(s, "memory_checked"),
		.further_counts = answer_number(candidates, "between") > 0 ||
				  answer_number(candidates, "beyond") > 0,
		.untried_pairs = answer_number(candidates, "pairs") > 0,
		.cut = answer_is(candidates, "cut"),
		.tunings_legal = answer_number(tunings, "legal"),
		.tunings_searched = answer_number(tunings, "searched"),
		.any_left_out = left_out != NULL,
		.failed = read_left_out(json_object_get(left_out, "failed")),
		.at_risk = read_left_out(json_object_get(left_out, "at_risk")),
	};

	read_invariants(r, &search, json_object_get(s, "invariants"));
	return search;
}

static void read_evidence(struct reader *r, const json_t *json)
{
	struct answer_evidence *v = &r->out->evidence;
	const json_t *parts = json_object_get(json, "breakdown");
	const json_t *machine = json_object_get(json, "machine");

	v->model = answer_text(json, "model");
	v->explanation = answer_text(json, "explanation");
	read_sources(r, v, json_object_get(json, "sources"));
	read_rules(r, v, json_object_get(json, "rules"));
	read_preferences(r, v, json_object_get(json, "rule_preferences"));
	v->rule_choice = read_rule_choice(r, json_object_get(json, "rule_choice"));
	v->robust_choice = read_tie_break(r, json_object_get(json, "robust_choice"));
	v->stale = answer_is(json, "stale");
	v->has_breakdown = json_is_object(parts);
	v->breakdown = breakdown_from_json(parts);
	v->machine = (struct answer_machine_facts){
		.title = answer_text(machine, "title"),
		.simulated = answer_is(machine, "simulated"),
		.nodes = answer_number(machine, "nodes"),
		.cores_per_node = answer_number(machine, "cores_per_node"),
	};
	read_near(r, v, json_object_get(json, "runs"));
	v->search = read_search(r, json_object_get(json, "search"));
}

/* ---- the answer ---- */

static void read_best(struct reader *r, const json_t *json)
{
	struct answer *a = r->out;
	const json_t *best = json_object_get(json, "recommendation");

	if (!json_is_object(best))
		best = json_object_get(json, "prediction");
	if (!json_is_object(best)) {
		best = json_object_get(json, "best_effort");
		a->is_best_effort = json_is_object(best);
	}
	a->best = read_choice(r, best);
	a->feasible = answer_is(json, "feasible");
	a->reason = answer_text(json, "reason");
	a->feasible_deadline_s = answer_number(json, "feasible_deadline_s");
	a->feasible_budget_node_hours = answer_number(json, "feasible_budget_node_hours");
}

static void read_alternatives(struct reader *r, const json_t *list)
{
	struct answer *a = r->out;

	a->alternative = take_list(r, list, sizeof *a->alternative, &a->n_alternatives);
	for (size_t i = 0; i < a->n_alternatives; i++)
		a->alternative[i] = read_choice(r, json_array_get(list, i));
}

static void read_moves(struct reader *r, const json_t *list, const json_t *limits)
{
	struct answer *a = r->out;

	a->move = take_list(r, list, sizeof *a->move, &a->n_moves);
	for (size_t i = 0; i < a->n_moves; i++) {
		const json_t *m = json_array_get(list, i);

		a->move[i] = (struct answer_move){answer_text(m, "parameter"),
						  answer_number(m, "ratio"), read_choice(r, m)};
	}
	a->node_limits = (struct answer_node_limits){
		.given = json_is_object(limits),
		.deadline_from_s = answer_number(limits, "deadline_from_s"),
		.deadline_to_s = answer_number(limits, "deadline_to_s"),
		.confidence_from = answer_number(limits, "confidence_from"),
		.confidence_to = answer_number(limits, "confidence_to"),
	};
}

static void read_frontier(struct reader *r, const json_t *list)
{
	struct answer *a = r->out;

	a->has_frontier = list != NULL;
	a->point = take_list(r, list, sizeof *a->point, &a->n_points);
	for (size_t i = 0; i < a->n_points; i++) {
		const json_t *p = json_array_get(list, i);

		a->point[i] =
			(struct answer_point){read_choice(r, p), answer_is(p, "feasible"),
					      answer_is(p, "knee"), answer_is(p, "recommended")};
	}
}

static void read_machines(struct reader *r, const json_t *list)
{
	struct answer *a = r->out;

	a->has_machines = list != NULL;
	a->machine = take_list(r, list, sizeof *a->machine, &a->n_machines);
	for (size_t i = 0; i < a->n_machines; i++) {
		const json_t *m = json_array_get(list, i);

		a->machine[i] = (struct answer_of_machine){
			.machine = answer_text(m, "machine"),
			.reason = text_of(m, "reason"),
			.answered = json_is_boolean(json_object_get(m, "feasible")),
			.feasible = answer_is(m, "feasible"),
			.choice = read_choice(r, m),
		};
	}
}

static void read_next(struct reader *r, const json_t *decision, const json_t *list)
{
	struct answer *a = r->out;

	a->decision = (struct answer_decision){
		.given = decision != NULL,
		.n_candidate_set = answer_number(decision, "contenders"),
		.wrong = answer_number(decision, "wrong"),
		.answer_right = answer_number(decision, "answer_right"),
		.tolerance = answer_number(decision, "tolerance"),
		.safe = answer_is(decision, "safe"),
	};
	a->has_next = list != NULL;
	a->next = take_list(r, list, sizeof *a->next, &a->n_next);
	for (size_t i = 0; i < a->n_next; i++) {
		const json_t *run = json_array_get(list, i);

		a->next[i] = (struct answer_next_run){
			.kind = answer_text(run, "kind"),
			.why = answer_text(run, "why"),
			.run = read_choice(r, run),
			.wrong_before = answer_number(run, "wrong_before"),
			.wrong_after = answer_number(run, "wrong_after"),
			.wasted_before_node_hours = answer_number(run, "wasted_before_node_hours"),
			.wasted_after_node_hours = answer_number(run, "wasted_after_node_hours"),
		};
	}
}

/* A recommendation says it by the runs of this very configuration: each was cut. */
static void find_outlasted(struct answer *a)
{
	const struct answer_evidence *v = &a->evidence;
	double longest_s = NAN;

	for (size_t i = 0; i < v->n_near; i++) {
		if (v->near[i].distance != 0)
			continue;
		if (!v->near[i].status || strcmp(v->near[i].status, "timeout"))
			return;
		longest_s = fmax(longest_s, v->near[i].wall_s);
	}
	if (isnan(a->best.outlasts_s))
		a->best.outlasts_s = longest_s;
}

enum err_code answer_read(struct json_t *json, const struct application *app, struct answer *out,
			  struct err *e)
{
	struct answer a = {.app = app, .json = json_incref(json), .id = answer_text(json, "id")};
	struct reader r = {.out = &a};

	read_best(&r, json);
	read_request(&r, json_object_get(json, "request"));
	read_alternatives(&r, json_object_get(json, "alternatives"));
	read_moves(&r, json_object_get(json, "sensitivity"), json_object_get(json, "node_limits"));
	read_frontier(&r, json_object_get(json, "frontier"));
	read_machines(&r, json_object_get(json, "machines"));
	read_next(&r, json_object_get(json, "decision"), json_object_get(json, "next"));
	read_evidence(&r, json_object_get(json, "evidence"));
	find_outlasted(&a);
	if (r.failed) {
		answer_release(&a);
		return err_set(e, ERR_NOMEM, "the answer");
	}
	*out = a;
	return ERR_OK;
}

void answer_release(struct answer *a)
{
	while (a->block) {
		struct answer_block *next = a->block->next;

		free(a->block);
		a->block = next;
	}
	json_decref(a->json);
	*a = (struct answer){0};
}
