#include "api/multi_machine.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/advice_json.h"
#include "api/json_text.h"
#include "recommend/choose/alternatives.h"

static const char any[] = "any";

/* ---- which machines ---- */

/* Names of machines, each once. */
struct names {
	char **item;
	size_t n;
};

static void names_release(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->item[i]);
	free(names->item);
}

static enum err_code names_add(struct names *names, const char *name, struct err *e)
{
	char **grown;

	for (size_t i = 0; i < names->n; i++) {
		if (!strcmp(names->item[i], name))
			return ERR_OK;
	}
	grown = realloc(names->item, (names->n + 1) * sizeof *grown);
	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu names of machines", names->n + 1);
	names->item = grown;
	grown[names->n] = strdup(name);
	if (!grown[names->n])
		return err_set(e, ERR_NOMEM, "the name of a machine");
	names->n++;
	return ERR_OK;
}

/* Under the name that the base has for it. */
static enum err_code add_known(struct session *session, const char *name, struct names *names,
			       struct err *e)
{
	struct machine *m = NULL;
	int64_t id;
	enum err_code rc = kb_get_machine(session->kb, name, &m, &id, e);

	if (!rc)
		rc = names_add(names, m->name, e);
	machine_free(m);
	return rc;
}

static enum err_code add_any(struct session *session, const struct advice_question *q,
			     struct names *names, struct err *e)
{
	struct kb_names known = {0};
	enum err_code rc = kb_list_machines(session->kb, q->app_id, &known, e);

	for (size_t i = 0; i < known.n && !rc; i++) {
		if (known.item[i].n_runs > 0)
			rc = names_add(names, known.item[i].name, e);
	}
	if (!rc && names->n == 0)
		rc = err_set(e, ERR_NOTMINED,
			     "%s has no runs on any machine: load some (`lemnos ingest`)",
			     q->app->name);
	kb_names_release(&known);
	return rc;
}

static enum err_code add_asked(struct session *session, const struct advice_question *q,
			       const char *const *name, struct names *names, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (; *name && !rc; name++)
		rc = strcmp(*name, any) ? add_known(session, *name, names, e)
					: add_any(session, q, names, e);
	return rc;
}

/* ["a", "b"] or ["any"] */
static json_t *names_json(const char *const *name)
{
	json_t *asked = json_array();
	int failed = 0;

	for (; *name; name++)
		failed |= json_array_append_new(asked, out_json_string(*name));
	return out_json_unless(failed, asked);
}

/* ---- what each says ---- */

/* A machine's answer, or why there is none. */
struct heard {
	const char *name;
	size_t i_asked;
	enum objective objective;
	enum err_code fault; /* ERR_OK: it answered */
	struct machine_outcome outcome;
	json_t *row;
};

static int add_choice(json_t *row, const struct advice_question *q, const struct advice *a)
{
	json_t *choice = a->best.row ? advice_choice_json(q->app, &a->best) : json_object();
	int failed = json_object_update(row, choice);

	json_decref(choice);
	return failed;
}

static int add_origin(json_t *row, const struct fitted_machine *m)
{
	return json_object_set_new(row, "snapshot", json_string(m->snapshot)) |
	       json_object_set_new(row, "facts", json_string(m->facts)) |
	       json_object_set_new(row, "rules_identity", json_string(m->rules.identity));
}

/* NULL: out of memory. */
static json_t *answered_row(const struct advice_question *q, const struct advice *a)
{
	const struct machine *m = q->mined.machine;
	json_t *row = json_object();
	json_t *cores = m->cores_per_node > 0 ? json_integer(m->cores_per_node) : json_null();

	return out_json_unless(
		member_text(row, "machine", m->name) | member_bool(row, "feasible", a->feasible) |
			member_text(row, "reason", a->reason) |
			json_object_set_new(row, "cores_per_node", cores) | add_choice(row, q, a) |
			member_real(row, "feasible_deadline_s", a->feasible_deadline_s) |
			add_origin(row, &q->mined),
		row);
}

static json_t *unanswered_row(const char *name, const char *reason)
{
	return json_pack("{s:o, s:n, s:o}", "machine", out_json_string(name), "feasible", "reason",
			 out_json_string(reason));
}

/* Faults that concern one machine; with others there is no going on. */
static bool is_its_own(enum err_code rc)
{
	return rc == ERR_NOTMINED || rc == ERR_ARG || rc == ERR_NODATA;
}

static enum err_code hear(struct session *session, struct advice_question *q, struct heard *h,
			  struct err *e)
{
	const struct machine_request on = {.name = h->name};
	struct advice *a = NULL;
	struct err why = {0};

	q->request.soonest = true; /* machines are compared by it */
	if ((h->fault = advice_question_bind_machine(session, &on, q, &why)) ||
	    (h->fault = advice_find(&q->request, &a, &why))) {
		if (!is_its_own(h->fault))
			return err_set(e, h->fault, "%s", why.msg);
		h->row = unanswered_row(h->name, why.msg);
	} else {
		h->outcome = machine_outcome_of(a);
		h->row = answered_row(q, a);
	}
	advice_free(a);
	return h->row ? ERR_OK : err_set(e, ERR_NOMEM, "the answer of a machine");
}

/* ---- all together ---- */

static int better_first(const void *x, const void *y)
{
	const struct heard *a = x, *b = y;
	int order = (a->fault != ERR_OK) - (b->fault != ERR_OK);

	if (!order && !a->fault)
		order = machine_outcome_compare(a->objective, &a->outcome, &b->outcome);
	return order ? order : (a->i_asked > b->i_asked) - (a->i_asked < b->i_asked);
}

static const char *reason_of(const struct heard *h)
{
	const char *reason = json_string_value(json_object_get(h->row, "reason"));

	return reason ? reason : "";
}

/* A fault of the question is the same everywhere, and said once. */
static enum err_code nobody_answers(const struct heard *h, size_t n, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	bool all_alike = true;
	enum err_code rc;

	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&text, "%s%s: %s", i ? "; " : "", h[i].name, reason_of(&h[i]));
		all_alike = all_alike && !strcmp(reason_of(&h[i]), reason_of(&h[0]));
	}
	if (all_alike) {
		strbuf_release(&text);
		return err_set(e, h[0].fault, "%s", reason_of(&h[0]));
	}
	rc = err_set(e, h[0].fault, "no machine can answer: %s", strbuf_text(&text));
	strbuf_release(&text);
	return rc;
}

static enum err_code gather(struct heard *h, size_t n, json_t **out, struct err *e)
{
	json_t *rows = json_array();
	int failed = 0;

	for (size_t i = 0; i < n; i++)
		failed |= json_array_append(rows, h[i].row);
	if (!rows || failed) {
		json_decref(rows);
		return err_set(e, ERR_NOMEM, "the answers of %zu machines", n);
	}
	*out = rows;
	return ERR_OK;
}

static enum err_code hear_all(struct session *session, const struct names *names,
			      struct advice_question *q, struct heard *h, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < names->n && !rc; i++) {
		h[i].name = names->item[i];
		h[i].i_asked = i;
		h[i].objective = q->request.objective;
		rc = hear(session, q, &h[i], e);
	}
	return rc;
}

/* Sets *rows and leaves q put to the best. */
static enum err_code ask_all(struct session *session, const struct names *names,
			     struct advice_question *q, json_t **rows, struct err *e)
{
	struct heard *h = calloc(names->n + 1, sizeof *h);
	enum err_code rc;

	if (!h)
		return err_set(e, ERR_NOMEM, "%zu machines", names->n);
	if ((rc = hear_all(session, names, q, h, e)))
		goto done;
	qsort(h, names->n, sizeof *h, better_first);
	if (h[0].fault)
		rc = nobody_answers(h, names->n, e);
	else if (!(rc = gather(h, names->n, rows, e)))
		rc = advice_question_bind_machine(
			session, &(struct machine_request){.name = h[0].name}, q, e);
done:
	for (size_t i = 0; i < names->n; i++)
		json_decref(h[i].row);
	free(h);
	return rc;
}

enum err_code multi_machine_make(struct session *session, const char *const *asked,
				 struct advice_question *q, struct err *e)
{
	struct multi_machine *s = calloc(1, sizeof *s);
	struct names names = {0};
	enum err_code rc;

	if (!s || !(s->asked = names_json(asked))) {
		free(s);
		return err_set(e, ERR_NOMEM, "a survey of machines");
	}
	if (!(rc = add_asked(session, q, asked, &names, e)) &&
	    !(rc = ask_all(session, &names, q, &s->rows, e))) {
		q->machines = s;
		s = NULL;
	}
	multi_machine_free(s);
	names_release(&names);
	return rc;
}

void multi_machine_free(struct multi_machine *s)
{
	if (!s)
		return;
	json_decref(s->asked);
	json_decref(s->rows);
	free(s);
}
