#include "api/rule_decision.h"

#include <string.h>

void rule_subject_release(struct rule_subject *s)
{
	strbuf_release(&s->text);
	strbuf_release(&s->shape);
}

static enum err_code check_subject(const struct rule_subject *s, struct err *e)
{
	return s->text.failed || s->shape.failed ? err_set(e, ERR_NOMEM, "rule %s", s->id) : ERR_OK;
}

enum err_code rule_subject_of(const struct rule_book *b, const struct rule_view *v,
			      struct rule_subject *out, struct err *e)
{
	out->view = v;
	out->id = v->rule->id;
	rule_put_text(v->rule, &out->text);
	rule_put_shape(b->app, v->rule, &out->shape);
	return check_subject(out, e);
}

const struct kb_decision *rule_standing_decision(const struct rule_book *b, const char *id)
{
	for (size_t i = b->decisions.n; i-- > 0;) {
		const struct kb_decision *d = &b->decisions.item[i];

		if (d->kind != DECISION_UNDO && !d->undone && !strcmp(d->rule_id, id))
			return d;
	}
	return NULL;
}

enum err_code rule_subject_find(const struct rule_book *b, const char *typed,
				enum kb_decision_kind kind, struct rule_subject *out, struct err *e)
{
	const struct rule_view *v = NULL;
	const struct kb_decision *d;
	struct err why = {0};
	enum err_code rc = rule_book_find(b, typed, &v, &why);

	if (!rc)
		return rule_subject_of(b, v, out, e);
	d = kind == DECISION_UNDO && rc == ERR_NOTFOUND ? rule_standing_decision(b, typed) : NULL;
	if (!d)
		return err_set(e, rc, "%s", why.msg);
	out->id = d->rule_id;
	strbuf_puts(&out->text, d->rule_text);
	strbuf_puts(&out->shape, d->rule_shape);
	return check_subject(out, e);
}

enum err_code rule_decide(struct session *session, struct rule_book *b,
			  const struct rule_subject *s, enum kb_decision_kind kind, const char *who,
			  const char *why, struct err *e)
{
	struct kb_decision d = {
		.kind = kind,
		.application = b->app->name,
		.rule_id = (char *)s->id,
		.rule_text = (char *)strbuf_text(&s->text),
		.rule_shape = (char *)strbuf_text(&s->shape),
		.why = (char *)(why ? why : ""),
		.who = (char *)who,
	};
	enum err_code rc = kb_add_decision(session->kb, &d, e);

	return rc ? rc : rule_book_judge(session, b, e);
}

/* One rule of another machine. */
static void put_twin(const struct rule_book *b, const struct rule_view *v, const struct rule *other,
		     const char *machine, struct strbuf *out)
{
	struct strbuf shape = STRBUF_INIT;
	struct kb_verdict verdict;

	rule_put_shape(b->app, other, &shape);
	kb_judge_rule(&b->decisions, other->id, strbuf_text(&shape), &verdict);
	if (strcmp(other->id, v->rule->id) != 0 && verdict.state != VERDICT_REFUSED &&
	    rule_says_same(v->rule, other))
		strbuf_printf(out, "  on %s it stands: lemnos rules refuse %s --machine %s\n",
			      machine, other->id, machine);
	out->failed |= shape.failed;
	strbuf_release(&shape);
}

static enum err_code put_twins_of(struct session *session, const struct rule_book *b,
				  const struct rule_view *v, const struct kb_name *machine,
				  struct strbuf *out, struct err *e)
{
	struct kb_rules theirs = {0};
	struct err why = {0};
	enum err_code rc = kb_get_rules(session->kb, b->app_id, machine->id, &theirs, &why);

	if (rc)
		return rc == ERR_NOTMINED ? ERR_OK : err_set(e, rc, "%s", why.msg);
	for (size_t i = 0; i < theirs.rules.n; i++)
		put_twin(b, v, &theirs.rules.item[i], machine->name, out);
	kb_rules_release(&theirs);
	return ERR_OK;
}

enum err_code rule_put_twins(struct session *session, const struct rule_book *b,
			     const struct rule_view *v, struct strbuf *out, struct err *e)
{
	struct kb_names machines = {0};
	enum err_code rc = kb_list_machines(session->kb, b->app_id, &machines, e);

	for (size_t i = 0; i < machines.n && !rc; i++) {
		if (machines.item[i].id != b->machine_id)
			rc = put_twins_of(session, b, v, &machines.item[i], out, e);
	}
	kb_names_release(&machines);
	return !rc && out->failed ? err_set(e, ERR_NOMEM, "rules of other machines") : rc;
}
