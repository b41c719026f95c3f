#include "cli/machine_survey.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/advice_json.h"
#include "cli/output.h"
#include "recommend/machine_choice.h"

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
static enum err_code add_known(struct context *c, const char *name, struct names *names,
			       struct err *e)
{
	struct machine *m = NULL;
	int64_t id;
	enum err_code rc = kb_get_machine(c->kb, name, &m, &id, e);

	if (!rc)
		rc = names_add(names, m->name, e);
	machine_free(m);
	return rc;
}

static enum err_code add_any(struct context *c, const struct advice_question *q,
			     struct names *names, struct err *e)
{
	struct kb_names known = {0};
	enum err_code rc = kb_list_machines(c->kb, q->app_id, &known, e);

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

static enum err_code add_asked(struct context *c, const struct advice_question *q,
			       const json_t *asked, struct names *names, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < json_array_size(asked) && !rc; i++) {
		const char *name = json_string_value(json_array_get(asked, i));

		rc = strcmp(name, any) ? add_known(c, name, names, e) : add_any(c, q, names, e);
	}
	return rc;
}

/* Nothing forbids a machine's name with a comma, or "any". */
static enum err_code is_a_name(struct context *c, const char *text, bool *is_name, struct err *e)
{
	struct machine *of_that_name = NULL;
	struct err why = {0};
	int64_t id;
	enum err_code rc = kb_get_machine(c->kb, text, &of_that_name, &id, &why);

	machine_free(of_that_name);
	if (rc && rc != ERR_NOTFOUND)
		return err_set(e, rc, "%s", why.msg);
	*is_name = rc == ERR_OK;
	return ERR_OK;
}

static enum err_code read_names(struct context *c, json_t **out, struct err *e)
{
	char **name = NULL;
	json_t *asked;
	int failed = 0;
	enum err_code rc = options_list(&c->opt, &opt_machine, &name, NULL, e);

	if (rc)
		return rc;
	asked = json_array();
	for (size_t i = 0; name[i]; i++)
		failed |= json_array_append_new(asked, out_json_string(name[i]));
	free(name);
	if (!asked || failed) {
		json_decref(asked);
		return err_set(e, ERR_NOMEM, "the names of machines");
	}
	*out = asked;
	return ERR_OK;
}

enum err_code machine_survey_read(struct context *c, struct json_t **asked, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_machine);
	bool is_name = false;
	enum err_code rc;

	*asked = NULL;
	if (!text || (strcmp(text, any) != 0 && !strchr(text, ',')))
		return ERR_OK;
	if ((rc = is_a_name(c, text, &is_name, e)) || is_name)
		return rc;
	if (options_has(&c->opt, &opt_like))
		return err_set(e, ERR_USAGE,
			       "--like asks what if of one machine: give one with --machine");
	return read_names(c, asked, e);
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

static int add_origin(json_t *row, const struct mined_machine *m)
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

	if (json_object_set_new(row, "machine", out_json_string(m->name)) |
	    json_object_set_new(row, "feasible", json_boolean(a->feasible)) |
	    json_object_set_new(row, "reason", out_json_string(a->reason)) |
	    json_object_set_new(row, "cores_per_node", cores) | add_choice(row, q, a) |
	    json_object_set_new(row, "feasible_deadline_s", out_json_real(a->feasible_deadline_s)) |
	    add_origin(row, &q->mined)) {
		json_decref(row);
		return NULL;
	}
	return row;
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

static enum err_code hear(struct context *c, struct advice_question *q, struct heard *h,
			  struct err *e)
{
	struct advice *a = NULL;
	struct err why = {0};

	if ((h->fault = advice_question_put_to(c, h->name, q, &why)) ||
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

static enum err_code hear_all(struct context *c, const struct names *names,
			      struct advice_question *q, struct heard *h, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < names->n && !rc; i++) {
		h[i].name = names->item[i];
		h[i].i_asked = i;
		h[i].objective = q->request.objective;
		rc = hear(c, q, &h[i], e);
	}
	return rc;
}

/* Sets *rows and leaves q put to the best. */
static enum err_code ask_all(struct context *c, const struct names *names,
			     struct advice_question *q, json_t **rows, struct err *e)
{
	struct heard *h = calloc(names->n + 1, sizeof *h);
	enum err_code rc;

	if (!h)
		return err_set(e, ERR_NOMEM, "%zu machines", names->n);
	if ((rc = hear_all(c, names, q, h, e)))
		goto done;
	qsort(h, names->n, sizeof *h, better_first);
	if (h[0].fault)
		rc = nobody_answers(h, names->n, e);
	else if (!(rc = gather(h, names->n, rows, e)))
		rc = advice_question_put_to(c, h[0].name, q, e);
done:
	for (size_t i = 0; i < names->n; i++)
		json_decref(h[i].row);
	free(h);
	return rc;
}

enum err_code machine_survey_make(struct context *c, struct json_t *asked,
				  struct advice_question *q, struct err *e)
{
	struct machine_survey *s = calloc(1, sizeof *s);
	struct names names = {0};
	enum err_code rc;

	if (!s)
		return err_set(e, ERR_NOMEM, "a survey of machines");
	s->asked = json_incref(asked);
	if (!(rc = add_asked(c, q, asked, &names, e)) &&
	    !(rc = ask_all(c, &names, q, &s->rows, e))) {
		q->survey = s;
		s = NULL;
	}
	machine_survey_free(s);
	names_release(&names);
	return rc;
}

void machine_survey_free(struct machine_survey *s)
{
	if (!s)
		return;
	json_decref(s->asked);
	json_decref(s->rows);
	free(s);
}
