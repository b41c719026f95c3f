#include "cli/frame/wrapped_text.h"
#include "api/rule_book.h"
#include "cli/rules/rules_actions.h"

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

enum err_code rules_decide(struct context *c, struct rule_book *b, const struct rule_view *v,
			   enum kb_decision_kind kind, const char *why, struct err *e)
{
	struct rule_subject s = {0};
	enum err_code rc;

	/* Somebody else may have decided the same since the book was read. */
	if ((rc = rule_subject_of(b, v, &s, e)) || (rc = kb_begin(c->session.kb, e)) ||
	    (rc = rule_book_judge(&c->session, b, e)))
		goto done;
	if (!rules_is_decided(v, kind) &&
	    (rc = rule_decide(&c->session, b, &s, kind, context_user(), why, e)))
		goto done;
	rc = kb_commit(c->session.kb, e);
done:
	kb_rollback(c->session.kb);
	rule_subject_release(&s);
	return rc;
}

bool rules_is_decided(const struct rule_view *v, enum kb_decision_kind kind)
{
	return v->verdict.decision && v->verdict.decision->kind == kind;
}

/* "refuse by tester, WHEN": what an undo takes back. */
static void put_taken_back(const struct rule_book *b, const char *id, struct strbuf *said)
{
	const struct kb_decision *d = rule_standing_decision(b, id);

	if (d)
		strbuf_printf(said, ": the %s by %s of %s", kb_decision_name(d->kind), d->who,
			      d->decided_at);
}

static enum err_code decide_one(struct context *c, struct rule_book *b, const char *typed,
				enum kb_decision_kind kind, const char *why, struct strbuf *said,
				struct err *e)
{
	struct rule_subject s = {0};
	enum err_code rc = rule_subject_find(b, typed, kind, &s, e);

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
	if ((rc = rule_decide(&c->session, b, &s, kind, context_user(), why, e)))
		goto done;
	if (kind == DECISION_UNDO && s.view)
		strbuf_printf(said, "; it is %s now", kb_verdict_name(s.view->verdict.state));
	strbuf_puts(said, s.view ? "\n" : "; mining finds this rule no longer\n");
	text_put_wrapped(strbuf_text(&s.text), 4, said);
	if (kind == DECISION_REFUSE && s.view)
		rc = rule_put_twins(&c->session, b, s.view, said, e);
done:
	rule_subject_release(&s);
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
	/* Begin, then read: what somebody else decides meanwhile is in the book. */
	if ((rc = kb_begin(c->session.kb, e)) || (rc = rule_book_open(c, &b, e)))
		goto done;
	for (size_t i = 0; i < n && !rc; i++)
		rc = decide_one(c, &b, c->operand[i], kind, why, &said, e);
	if (!rc && !(rc = kb_commit(c->session.kb, e)))
		print_said(c, &said);
done:
	kb_rollback(c->session.kb);
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
