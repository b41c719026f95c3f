#include "api/advice_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/json_text.h"

/* Versions then and now. What answers of older programs do not say is taken to be the same. */
struct version_diff {
	bool facts, knowledge, rules, application, machine, predictor; /* differ */
};

static bool differs(const json_t *then, const char *key, const char *now)
{
	const char *was = json_string_value(json_object_get(then, key));

	return was && strcmp(was, now) != 0;
}

/* Before versions were kept, facts were known by what was mined from them only. */
static bool facts_differ(const struct advice_record *s, const json_t *versions,
			 const struct fitted_machine *m)
{
	return versions ? differs(versions, "facts", m->facts)
			: strcmp(s->kept.snapshot, m->facts) != 0;
}

static struct version_diff compare(const struct advice_record *s, const struct fitted_machine *m)
{
	const json_t *evidence = json_object_get(s->answer, "evidence");
	const json_t *versions = json_object_get(evidence, "versions");
	double predictor = answer_number(versions, "predictor");

	return (struct version_diff){
		.facts = facts_differ(s, versions, m),
		.knowledge = strcmp(s->kept.snapshot, m->snapshot) != 0,
		.rules = strcmp(answer_text(evidence, "rules_identity"), m->rules.identity) != 0,
		.application = differs(versions, "application", s->app->sha256),
		.machine = differs(versions, "machine", m->machine->sha256),
		.predictor = !isnan(predictor) && predictor != PREDICTOR_VERSION,
	};
}

/* Notes change no answer. Within the second of the advice, ids tell what came after. */
static bool decided_since(const struct advice_record *s, const struct kb_decision *d)
{
	const json_t *evidence = json_object_get(s->answer, "evidence");
	double last = answer_number(json_object_get(evidence, "versions"), "last_decision");
	int order = strcmp(d->decided_at, s->kept.given_at);

	return d->kind != DECISION_NOTE && (order > 0 || (order == 0 && !((double)d->id <= last)));
}

static enum err_code keep_decisions(const struct advice_record *s, struct advice_diff *d,
				    struct err *e)
{
	d->decided = calloc(d->decisions.n + 1, sizeof *d->decided);
	if (!d->decided)
		return err_set(e, ERR_NOMEM, "what changed since a recommendation");
	for (size_t i = 0; i < d->decisions.n; i++) {
		if (decided_since(s, &d->decisions.item[i]))
			d->decided[d->n_decided++] = &d->decisions.item[i];
	}
	return ERR_OK;
}

/* Changes of facts count only if facts changed: of what happened in the same second as the advice
 * it is not known whether it came before. */
static enum err_code gather(struct session *session, const struct advice_record *s,
			    const struct version_diff *x, struct advice_diff *d, struct err *e)
{
	enum err_code rc;

	if ((rc = kb_changes_since(session->kb, s->app, s->machine_id, s->like_id, &s->kept,
				   &d->facts, e)) ||
	    (rc = kb_list_decisions(session->kb, s->app->name, &d->decisions, e)))
		return rc;
	if (!x->facts)
		kb_changes_release(&d->facts);
	return x->rules ? keep_decisions(s, d, e) : ERR_OK;
}

enum err_code advice_diff_find(struct session *session, const struct advice_record *s,
			       const struct fitted_machine *m, bool *current,
			       struct advice_diff *out, struct err *e)
{
	const struct version_diff x = compare(s, m);
	const json_t *evidence = json_object_get(s->answer, "evidence");
	struct advice_diff d = {.application = x.application,
				.machine = x.machine,
				.predictor = x.predictor,
				.mined = x.knowledge,
				.stale = m->stale};
	enum err_code rc = gather(session, s, &x, &d, e);

	if (rc) {
		advice_diff_release(&d);
		return rc;
	}
	if (x.predictor)
		d.predictor_then =
			(int64_t)answer_number(json_object_get(evidence, "versions"), "predictor");
	d.other_rules = x.rules && d.n_decided == 0;
	d.unrecorded = x.facts && !(d.facts.n_came + d.facts.n_gone > 0 || d.facts.n_excluded > 0 ||
				    x.application || x.machine);
	*current = !x.facts && !x.knowledge && !x.rules && !x.predictor;
	*out = d;
	return ERR_OK;
}

void advice_diff_release(struct advice_diff *d)
{
	kb_changes_release(&d->facts);
	kb_decisions_release(&d->decisions);
	free(d->decided);
	*d = (struct advice_diff){0};
}

/* ---- as JSON ---- */

static json_t *imports_json(const struct kb_changed_import *list, size_t n)
{
	json_t *array = json_array();
	int failed = 0;

	for (size_t i = 0; i < n; i++)
		failed |= json_array_append_new(
			array,
			json_pack("{s:I, s:o, s:s, s:I, s:b}", "import_id", (json_int_t)list[i].id,
				  "file", out_json_string(list[i].file_name), "at", list[i].at,
				  "runs", (json_int_t)list[i].n_runs, "pingpong",
				  (int)list[i].pingpong));
	return out_json_unless(failed, array);
}

static json_t *definitions_json(const struct advice_diff *d)
{
	json_t *array = json_array();

	return out_json_unless(
		(d->application && json_array_append_new(array, json_string("application"))) ||
			(d->machine && json_array_append_new(array, json_string("machine"))),
		array);
}

static json_t *decisions_json(const struct advice_diff *d)
{
	json_t *array = json_array();
	int failed = 0;

	for (size_t i = 0; i < d->n_decided; i++) {
		const struct kb_decision *x = d->decided[i];

		failed |= json_array_append_new(
			array, json_pack("{s:s, s:s, s:o, s:s, s:o}", "rule_id", x->rule_id, "kind",
					 kb_decision_name(x->kind), "by", out_json_string(x->who),
					 "at", x->decided_at, "why", out_json_string(x->why)));
	}
	return out_json_unless(failed, array);
}

static json_t *predictor_json(const struct advice_diff *d)
{
	if (!d->predictor)
		return json_null();
	return json_pack("{s:I, s:i}", "then", (json_int_t)d->predictor_then, "now",
			 (int)PREDICTOR_VERSION);
}

struct json_t *advice_diff_json(const struct advice_diff *d)
{
	json_t *since =
		json_pack("{s:o, s:o, s:I, s:o, s:o, s:b, s:o, s:b, s:b, s:b}", "imports",
			  imports_json(d->facts.came, d->facts.n_came), "undone",
			  imports_json(d->facts.gone, d->facts.n_gone), "excluded",
			  (json_int_t)d->facts.n_excluded, "definitions", definitions_json(d),
			  "rules", decisions_json(d), "other_rules", (int)d->other_rules,
			  "predictor", predictor_json(d), "mined", (int)d->mined, "stale",
			  (int)d->stale, "unrecorded", (int)d->unrecorded);

	return out_json_unless(since && d->several_machines &&
				       member_bool(since, "other_machines", d->other_machines),
			       since);
}
