#include <stdlib.h>
#include <string.h>

#include "cli/rules_actions.h"

const char *rules_decision_means(enum kb_decision_kind kind)
{
	static const char *const meaning[] = {
		[DECISION_ACCEPT] = "accepted: preferred where rules disagree",
		[DECISION_REFUSE] = "refused: predictions and advice no longer follow it",
		[DECISION_NOTE] = "noted",
		[DECISION_UNDO] = "taken back",
	};

	return meaning[kind];
}

/* ---- what is decided upon ---- */

/* A rule of the book, or (undo) one that mining lost. */
struct subject {
	const struct rule_view *view; /* NULL: lost */
	const char *id;
	struct strbuf text, shape;
};

static void subject_release(struct subject *s)
{
	strbuf_release(&s->text);
	strbuf_release(&s->shape);
}

static enum err_code check_subject(const struct subject *s, struct err *e)
{
	return s->text.failed || s->shape.failed ? err_set(e, ERR_NOMEM, "rule %s", s->id) : ERR_OK;
}

static enum err_code subject_of_rule(const struct rule_book *b, const struct rule_view *v,
				     struct subject *out, struct err *e)
{
	out->view = v;
	out->id = v->rule->id;
	rule_put_text(v->rule, &out->text);
	rule_put_shape(b->app, v->rule, &out->shape);
	return check_subject(out, e);
}

/* The latest decision about a rule that stands; NULL: none. */
static const struct kb_decision *standing(const struct rule_book *b, const char *id)
{
	for (size_t i = b->decisions.n; i-- > 0;) {
		const struct kb_decision *d = &b->decisions.item[i];

		if (d->kind != DECISION_UNDO && !d->undone && !strcmp(d->rule_id, id))
			return d;
	}
	return NULL;
}

/* What can be undone need not be in the book any more; its whole id says which it is. */
static enum err_code find_subject(const struct rule_book *b, const char *typed,
				  enum kb_decision_kind kind, struct subject *out, struct err *e)
{
	const struct rule_view *v = NULL;
	const struct kb_decision *d;
	struct err why = {0};
	enum err_code rc = rule_book_find(b, typed, &v, &why);

	if (!rc)
		return subject_of_rule(b, v, out, e);
	d = kind == DECISION_UNDO && rc == ERR_NOTFOUND ? standing(b, typed) : NULL;
	if (!d)
		return err_set(e, rc, "%s", why.msg);
	out->id = d->rule_id;
	strbuf_puts(&out->text, d->rule_text);
	strbuf_puts(&out->shape, d->rule_shape);
	return check_subject(out, e);
}

/* ---- deciding ---- */

static enum err_code record(struct context *c, const struct rule_book *b, const struct subject *s,
			    enum kb_decision_kind kind, const char *why, struct err *e)
{
	struct kb_decision d = {
		.kind = kind,
		.application = b->app->name,
		.rule_id = (char *)s->id,
		.rule_text = (char *)strbuf_text(&s->text),
		.rule_shape = (char *)strbuf_text(&s->shape),
		.why = (char *)(why ? why : ""),
		.who = (char *)context_user(),
	};

	return kb_add_decision(c->kb, &d, e);
}

enum err_code rules_decide(struct context *c, struct rule_book *b, const struct rule_view *v,
			   enum kb_decision_kind kind, const char *why, struct err *e)
{
	struct subject s = {0};
	enum err_code rc = subject_of_rule(b, v, &s, e);

	if (!rc && !(rc = record(c, b, &s, kind, why, e)))
		rc = rule_book_judge(c, b, e);
	subject_release(&s);
	return rc;
}

bool rules_is_decided(const struct rule_view *v, enum kb_decision_kind kind)
{
	return v->verdict.decision && v->verdict.decision->kind == kind;
}

/* "refuse by tester, WHEN": what an undo takes back. */
static void put_taken_back(const struct rule_book *b, const char *id, struct strbuf *said)
{
	const struct kb_decision *d = standing(b, id);

	if (d)
		strbuf_printf(said, ": the %s by %s of %s", kb_decision_name(d->kind), d->who,
			      d->decided_at);
}

static enum err_code decide_one(struct context *c, struct rule_book *b, const char *typed,
				enum kb_decision_kind kind, const char *why, struct strbuf *said,
				struct err *e)
{
	struct subject s = {0};
	enum err_code rc = find_subject(b, typed, kind, &s, e);

	if (rc)
		goto done;
	if (s.view && rules_is_decided(s.view, kind)) {
		strbuf_printf(said, "%s was %s already, by %s\n", s.id,
			      kb_verdict_name(s.view->verdict.state),
			      s.view->verdict.decision->who);
		goto done;
	}
	strbuf_printf(said, "%s %s", s.id, rules_decision_means(kind));
	if (kind == DECISION_UNDO)
		put_taken_back(b, s.id, said);
	if ((rc = record(c, b, &s, kind, why, e)) || (rc = rule_book_judge(c, b, e)))
		goto done;
	if (kind == DECISION_UNDO && s.view)
		strbuf_printf(said, "; it is %s now", kb_verdict_name(s.view->verdict.state));
	strbuf_puts(said, s.view ? "\n" : "; mining finds this rule no longer\n");
	rules_put_wrapped(strbuf_text(&s.text), 4, said);
done:
	subject_release(&s);
	return rc;
}

static void print_said(const struct context *c, const struct strbuf *said)
{
	struct strbuf safe = STRBUF_INIT;

	text_put_safe(&safe, strbuf_text(said), true);
	fputs(strbuf_text(&safe), c->out);
	strbuf_release(&safe);
}

/* All of the rules or none. */
static enum err_code decide(struct context *c, enum kb_decision_kind kind, size_t n,
			    const char *why, struct err *e)
{
	struct rule_book b = {0};
	struct strbuf said = STRBUF_INIT;
	enum err_code rc;

	if (n > 1 && !options_has(&c->opt, &opt_yes))
		return err_set(e, ERR_USAGE,
			       "that would %s %zu rules at once; repeat it with --yes",
			       kb_decision_name(kind), n);
	if ((rc = rule_book_load(c, &b, e)) || (rc = kb_begin(c->kb, e)))
		goto done;
	for (size_t i = 0; i < n && !rc; i++)
		rc = decide_one(c, &b, c->operand[i], kind, why, &said, e);
	if (!rc && !(rc = kb_commit(c->kb, e)))
		print_said(c, &said);
done:
	kb_rollback(c->kb);
	rule_book_release(&b);
	strbuf_release(&said);
	return rc;
}

enum err_code rules_accept_run(struct context *c, struct err *e)
{
	return decide(c, DECISION_ACCEPT, c->n_operands, options_get(&c->opt, &opt_rules_why), e);
}

enum err_code rules_refuse_run(struct context *c, struct err *e)
{
	return decide(c, DECISION_REFUSE, c->n_operands, options_get(&c->opt, &opt_rules_why), e);
}

enum err_code rules_undo_run(struct context *c, struct err *e)
{
	return decide(c, DECISION_UNDO, c->n_operands, options_get(&c->opt, &opt_rules_why), e);
}

enum err_code rules_note_run(struct context *c, struct err *e)
{
	if (!c->operand[1][0])
		return err_set(e, ERR_USAGE, "say what: lemnos rules note %s \"...\"",
			       c->operand[0]);
	return decide(c, DECISION_NOTE, 1, c->operand[1], e);
}
