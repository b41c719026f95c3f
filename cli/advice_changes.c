#include "cli/advice_changes.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "cli/answer_text.h"

/* ---- what changed, as JSON ---- */

/* Versions then and now. What answers of older programs do not say is taken to be the same. */
struct compared {
	bool facts, knowledge, rules, application, machine, predictor; /* differ */
};

static bool differs(const json_t *then, const char *key, const char *now)
{
	const char *was = json_string_value(json_object_get(then, key));

	return was && strcmp(was, now) != 0;
}

/* Before versions were kept, facts were known by what was mined from them only. */
static bool facts_differ(const struct stored_advice *s, const json_t *versions,
			 const struct mined_machine *m)
{
	return versions ? differs(versions, "facts", m->facts)
			: strcmp(s->kept.snapshot, m->facts) != 0;
}

static struct compared compare(const struct stored_advice *s, const struct mined_machine *m)
{
	const json_t *evidence = json_object_get(s->answer, "evidence");
	const json_t *versions = json_object_get(evidence, "versions");
	double predictor = answer_number(versions, "predictor");

	return (struct compared){
		.facts = facts_differ(s, versions, m),
		.knowledge = strcmp(s->kept.snapshot, m->snapshot) != 0,
		.rules = strcmp(answer_text(evidence, "rules_identity"), m->rules.identity) != 0,
		.application = differs(versions, "application", s->app->sha256),
		.machine = differs(versions, "machine", m->machine->sha256),
		.predictor = !isnan(predictor) && predictor != PREDICTOR_VERSION,
	};
}

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
	if (failed) {
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *definitions_json(const struct compared *d)
{
	json_t *array = json_array();

	if ((d->application && json_array_append_new(array, json_string("application"))) ||
	    (d->machine && json_array_append_new(array, json_string("machine")))) {
		json_decref(array);
		return NULL;
	}
	return array;
}

/* Notes change no answer. Within the second of the advice, ids tell what came after. */
static bool decided_since(const struct stored_advice *s, const struct kb_decision *d)
{
	const json_t *evidence = json_object_get(s->answer, "evidence");
	double last = answer_number(json_object_get(evidence, "versions"), "last_decision");
	int order = strcmp(d->decided_at, s->kept.given_at);

	return d->kind != DECISION_NOTE && (order > 0 || (order == 0 && !((double)d->id <= last)));
}

static json_t *decisions_json(const struct stored_advice *s, const struct kb_decisions *d)
{
	json_t *array = json_array();
	int failed = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct kb_decision *x = &d->item[i];

		if (!decided_since(s, x))
			continue;
		failed |= json_array_append_new(
			array, json_pack("{s:s, s:s, s:o, s:s, s:o}", "rule_id", x->rule_id, "kind",
					 kb_decision_name(x->kind), "by", out_json_string(x->who),
					 "at", x->decided_at, "why", out_json_string(x->why)));
	}
	if (failed) {
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *predictor_json(const struct stored_advice *s, const struct compared *d)
{
	const json_t *evidence = json_object_get(s->answer, "evidence");
	double then = answer_number(json_object_get(evidence, "versions"), "predictor");

	if (!d->predictor)
		return json_null();
	return json_pack("{s:I, s:i}", "then", (json_int_t)then, "now", (int)PREDICTOR_VERSION);
}

/* Changes of facts count only if facts changed: of what happened in the same second as the advice
 * it is not known whether it came before. */
static json_t *since_json(const struct stored_advice *s, const struct mined_machine *m,
			  const struct compared *d, const struct kb_changes *changes,
			  const struct kb_decisions *decisions)
{
	static const struct kb_changes none;
	static const struct kb_decisions no_decisions;
	const struct kb_changes *facts = d->facts ? changes : &none;
	json_t *rules = decisions_json(s, d->rules ? decisions : &no_decisions);
	bool recorded = facts->n_came + facts->n_gone > 0 || facts->n_excluded > 0 ||
			d->application || d->machine;

	return json_pack("{s:o, s:o, s:I, s:o, s:o, s:b, s:o, s:b, s:b, s:b}", "imports",
			 imports_json(facts->came, facts->n_came), "undone",
			 imports_json(facts->gone, facts->n_gone), "excluded",
			 (json_int_t)facts->n_excluded, "definitions", definitions_json(d), "rules",
			 rules, "other_rules", (int)(d->rules && json_array_size(rules) == 0),
			 "predictor", predictor_json(s, d), "mined", (int)d->knowledge, "stale",
			 (int)m->stale, "unrecorded", (int)(d->facts && !recorded));
}

enum err_code advice_changes_json(struct context *c, const struct stored_advice *s,
				  const struct mined_machine *m, bool *current, struct json_t **out,
				  struct err *e)
{
	const struct compared d = compare(s, m);
	struct kb_changes changes = {0};
	struct kb_decisions decisions = {0};
	enum err_code rc;

	if ((rc = kb_changes_since(c->kb, s->app, s->machine_id, s->like_id, &s->kept, &changes,
				   e)) ||
	    (rc = kb_list_decisions(c->kb, s->app->name, &decisions, e)))
		goto done;
	*current = !d.facts && !d.knowledge && !d.rules && !d.predictor;
	*out = since_json(s, m, &d, &changes, &decisions);
	if (!*out)
		rc = err_set(e, ERR_NOMEM, "what changed since a recommendation");
done:
	kb_changes_release(&changes);
	kb_decisions_release(&decisions);
	return rc;
}

/* ---- for people ---- */

enum { MAX_LINES = 5 };

static void put_text(struct strbuf *out, const json_t *object, const char *key)
{
	text_put_safe(out, answer_text(object, key), false);
}

static void put_import(struct strbuf *out, const json_t *i, const char *what)
{
	strbuf_puts(out, "  ");
	answer_put_count(out, answer_number(i, "runs"),
			 answer_is(i, "pingpong") ? "ping-pong row" : "run");
	strbuf_printf(out, " %s: import %.0f (", what, answer_number(i, "import_id"));
	put_text(out, i, "file");
	strbuf_printf(out, ", %s)\n", answer_text(i, "at"));
}

static void put_imports(struct strbuf *out, const json_t *list, const char *what)
{
	double n_runs = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *import = json_array_get(list, i);

		if (i < MAX_LINES)
			put_import(out, import, what);
		else
			n_runs += answer_number(import, "runs");
	}
	if (json_array_size(list) > MAX_LINES) {
		strbuf_puts(out, "  and ");
		answer_put_count(out, n_runs, "run");
		strbuf_printf(out, " %s by %zu more\n", what, json_array_size(list) - MAX_LINES);
	}
}

static void put_decisions(struct strbuf *out, const json_t *list)
{
	static const char *const done[][2] = {
		{"accept", "accepted"}, {"refuse", "refused"}, {"undo", "decision taken back"}};

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *d = json_array_get(list, i);

		strbuf_printf(out, "  rule %s: ", answer_text(d, "rule_id"));
		for (size_t k = 0; k < sizeof done / sizeof done[0]; k++) {
			if (!strcmp(answer_text(d, "kind"), done[k][0]))
				strbuf_puts(out, done[k][1]);
		}
		strbuf_puts(out, " by ");
		put_text(out, d, "by");
		strbuf_printf(out, " (%s)", answer_text(d, "at"));
		if (*answer_text(d, "why")) {
			strbuf_puts(out, ": ");
			put_text(out, d, "why");
		}
		strbuf_putc(out, '\n');
	}
}

static void put_definitions(struct strbuf *out, const struct stored_advice *s, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *what = json_string_value(json_array_get(list, i));

		strbuf_printf(out, "  the definition of the %s %s\n", what,
			      *what == 'a' ? s->app_name : s->machine_name);
	}
}

static void put_knowledge(struct strbuf *out, const json_t *since)
{
	const json_t *predictor = json_object_get(since, "predictor");

	if (answer_is(since, "unrecorded"))
		strbuf_puts(out, "  facts, in a way that left no record (excluded runs that count "
				 "again)\n");
	if (answer_is(since, "other_rules"))
		strbuf_puts(out, "  the rules that mining finds\n");
	if (json_is_object(predictor))
		strbuf_printf(out, "  the program: its predictors are of version %.0f, then %.0f\n",
			      answer_number(predictor, "now"), answer_number(predictor, "then"));
	if (answer_is(since, "other_machines"))
		strbuf_puts(out, "  what is known of the other machines that were asked\n");
	if (answer_is(since, "stale"))
		strbuf_puts(out, "  not all of it is mined yet: run `lemnos mine`\n");
}

void advice_changes_put(struct strbuf *out, const struct stored_advice *s,
			const struct json_t *since)
{
	size_t before = out->len;
	double n_excluded = answer_number(since, "excluded");

	put_imports(out, json_object_get(since, "imports"), "loaded");
	put_imports(out, json_object_get(since, "undone"), "taken out again");
	if (n_excluded > 0) {
		strbuf_puts(out, "  ");
		answer_put_count(out, n_excluded, "run");
		strbuf_puts(out, " excluded\n");
	}
	put_definitions(out, s, json_object_get(since, "definitions"));
	put_decisions(out, json_object_get(since, "rules"));
	put_knowledge(out, since);
	if (out->len == before && answer_is(since, "mined"))
		strbuf_puts(out, "  mined anew: the answer was given from stale knowledge\n");
}
