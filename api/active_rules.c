#include "api/active_rules.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"

/* ---- verdicts ---- */

/* The latest decision that stands about a twin of r; NULL: none. */
static const struct kb_decision *decision_on_twin(const struct kb_decisions *decisions,
						  const struct rule_list *beside,
						  const struct rule *r)
{
	const struct kb_decision *latest = NULL;

	for (size_t i = 0; i < beside->n; i++) {
		const struct rule *twin = &beside->item[i];
		struct kb_judgement v;

		if (strcmp(twin->twin_of, r->id) != 0)
			continue;
		kb_judge_rule(decisions, twin->id, "", &v);
		if (v.decision && (!latest || v.decision->id > latest->id))
			latest = v.decision;
	}
	return latest;
}

enum err_code rule_judgement(const struct application *app, const struct kb_decisions *decisions,
			     const struct rule_list *beside, const struct rule *r,
			     struct kb_judgement *out, struct err *e)
{
	struct strbuf shape = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	rule_put_shape(app, r, &shape);
	if (shape.failed) {
		rc = err_set(e, ERR_NOMEM, "the shape of a rule");
	} else {
		kb_judge_rule(decisions, r->id, strbuf_text(&shape), out);
		if (!out->decision && !out->look_again)
			out->look_again = decision_on_twin(decisions, beside, r);
	}
	strbuf_release(&shape);
	return rc;
}

/* ---- which ones ---- */

static enum err_code get_rules(struct kb *kb, int64_t app_id, int64_t machine_id,
			       struct kb_rules *out, struct err *e)
{
	struct err why = {0};
	enum err_code rc = kb_get_rules(kb, app_id, machine_id, out, &why);

	if (rc == ERR_NOTMINED)
		return ERR_OK;
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static bool is_said_by(const struct rule *general, const struct rule_list *own)
{
	for (size_t i = 0; i < own->n; i++) {
		if (rule_says_same(general, &own->item[i]))
			return true;
	}
	return false;
}

/* Can it be asked about the application as it is defined today? */
static enum err_code check_columns(const struct application *app, const struct rule *r, bool *ok,
				   struct err *e)
{
	struct rule_test *test = NULL;
	struct err why = {0};
	enum err_code rc = rule_test_new(app, r, &test, &why);

	rule_test_free(test);
	*ok = !rc;
	return !rc || rc == ERR_PARSE ? ERR_OK : err_set(e, rc, "%s", why.msg);
}

static bool waits_for_review(const struct kb_judgement *v)
{
	return v->look_again && v->look_again->kind == DECISION_REFUSE;
}

/* A twin is spoken for by another rule, unless people prefer it. beside: the rules that r is one
 * of.
 */
static enum err_code add(struct active_rules *u, const struct application *app,
			 const struct kb_decisions *decisions, const struct rule_list *beside,
			 const struct rule *r, struct err *e)
{
	struct kb_judgement v;
	bool ok = false;
	enum err_code rc;

	if (r->kind == RULE_TIME && !(r->weight > 0))
		return ERR_OK;
	if ((rc = check_columns(app, r, &ok, e)) || !ok ||
	    (rc = rule_judgement(app, decisions, beside, r, &v, e)))
		return rc;
	if (r->twin_of[0] && v.state != RULE_STATE_ACCEPTED)
		return ERR_OK;
	if (v.state != RULE_STATE_REFUSED && !waits_for_review(&v))
		u->item[u->n++] = (struct active_rule){r, v.state};
	return ERR_OK;
}

static enum err_code add_all(struct active_rules *u, const struct application *app,
			     const struct kb_decisions *decisions, struct err *e)
{
	const struct rule_list *own = &u->own.rules, *general = &u->general.rules;
	enum err_code rc = ERR_OK;

	u->n = 0;
	u->item = calloc(own->n + general->n + 1, sizeof *u->item);
	if (!u->item)
		return err_set(e, ERR_NOMEM, "%zu rules", own->n + general->n);
	for (size_t i = 0; i < own->n && !rc; i++)
		rc = add(u, app, decisions, own, &own->item[i], e);
	for (size_t i = 0; i < general->n && !rc; i++) {
		if (!is_said_by(&general->item[i], own))
			rc = add(u, app, decisions, general, &general->item[i], e);
	}
	return rc;
}

/* ---- their identity ---- */

/* The parts of a rule that answers depend on or show. */
static void put_rule(const struct active_rule *r, struct strbuf *out)
{
	strbuf_printf(out, "%s %s ", r->rule->id, kb_rule_state_name(r->state));
	rule_put_text(r->rule, out);
	if (r->rule->kind == RULE_TIME)
		strbuf_printf(out, " %.17g..%.17g %.17g", r->rule->min, r->rule->max,
			      r->rule->weight);
	strbuf_putc(out, '\n');
}

static enum err_code identify(struct active_rules *u, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < u->n; i++)
		put_rule(&u->item[i], &text);
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "the identity of %zu rules", u->n);
	else if (u->n > 0)
		digest_text(strbuf_text(&text), text.len, u->identity);
	strbuf_release(&text);
	return rc;
}

/* ---- all together ---- */

enum err_code active_rules_load(struct kb *kb, const struct application *app, int64_t app_id,
				int64_t machine_id, struct active_rules *out, struct err *e)
{
	struct active_rules u = {0};
	struct kb_decisions decisions = {0};
	enum err_code rc;

	if (!(rc = get_rules(kb, app_id, machine_id, &u.own, e)) &&
	    !(rc = get_rules(kb, app_id, 0, &u.general, e)) &&
	    !(rc = kb_list_decisions(kb, app->name, &decisions, e)) &&
	    !(rc = add_all(&u, app, &decisions, e)))
		rc = identify(&u, e);
	for (size_t i = 0; i < decisions.n; i++) {
		if (decisions.item[i].id > u.last_decision)
			u.last_decision = decisions.item[i].id;
	}
	kb_decisions_release(&decisions);
	if (rc)
		active_rules_release(&u);
	else
		*out = u;
	return rc;
}

void active_rules_release(struct active_rules *r)
{
	kb_rules_release(&r->own);
	kb_rules_release(&r->general);
	free(r->item);
	*r = (struct active_rules){0};
}
