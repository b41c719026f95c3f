#include "api/rule_book.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "mining/numerics/order_statistics.h"
#include "mining/cases/slowdown_table.h"
#include "mining/rules/mine_rules.h"
#include "api/active_rules.h"
#include "api/fitted_machine.h"

/* ---- context ---- */

/* Without the corrections of mined rules, whose worth is in question. Where nothing was fitted
 * there is none. */
static enum err_code load_predictor(struct session *session, const struct rule_book *b,
				    const struct rule *r, struct predictor **out, struct err *e)
{
	struct kb_fit fit = {0};
	struct err why = {0};
	enum err_code rc;

	if (r->kind != RULE_TIME || !r->on_model)
		return ERR_OK;
	rc = kb_get_fit(session->kb, b->app_id, b->machine_id, &fit, &why);
	if (rc)
		return rc == ERR_NOTMINED ? ERR_OK : err_set(e, rc, "%s", why.msg);
	rc = predictor_load(&fit, b->app, out, e);
	kb_fit_release(&fit);
	return rc;
}

static enum err_code ask_runs(struct session *session, const struct rule_book *b,
			      const struct rule *r, struct rule_context *g, struct err *e)
{
	struct slowdown_table *t = NULL;
	struct predictor *base = NULL;
	struct err why = {0};
	enum err_code rc = slowdown_table_make(g->runs, session->progress, &t, &why);

	/* Since the rule was mined its runs may have been excluded, all of them. */
	if (rc)
		return rc == ERR_NODATA ? ERR_OK : err_set(e, rc, "%s", why.msg);
	if (!(rc = load_predictor(session, b, r, &base, e)))
		rc = rule_residuals_make(t, r, base, &g->residuals, e);
	predictor_free(base);
	slowdown_table_free(t);
	return rc;
}

/* Only runs that mining looks at (rule_counts_run()). */
static enum err_code count_runs(struct session *session, const struct rule_book *b,
				const struct rule *r, struct rule_context *g, struct err *e)
{
	strbuf_puts(&g->where, "status = 'ok' and flag is null");
	if (r->condition && *r->condition)
		strbuf_printf(&g->where, " and (%s)", r->condition);
	if (g->where.failed)
		return err_set(e, ERR_NOMEM, "the condition of rule %s", r->id);
	g->filter = (struct kb_filter){.machine_id = r->machine ? b->machine_id : 0,
				       .where = strbuf_text(&g->where)};
	return kb_count_runs(session->kb, b->app, &g->filter, &g->n_runs, e);
}

enum err_code rule_context_load(struct session *session, const struct rule_book *b,
				const struct rule *r, struct rule_context *out, struct err *e)
{
	struct rule_context g = {0};
	struct kb_filter f = {.machine_id = r->machine ? b->machine_id : 0};
	enum err_code rc;

	if (!(rc = kb_list_machines(session->kb, b->app_id, &g.machines, e)) &&
	    !(rc = kb_load_runs(session->kb, b->app, &f, session->progress, &g.runs, e)) &&
	    !(rc = ask_runs(session, b, r, &g, e)))
		rc = count_runs(session, b, r, &g, e);
	if (rc)
		rule_context_release(&g);
	else
		*out = g;
	return rc;
}

void rule_context_release(struct rule_context *g)
{
	strbuf_release(&g->where);
	rule_residuals_release(&g->residuals);
	kb_names_release(&g->machines);
	dataset_free(g->runs);
	*g = (struct rule_context){0};
}

double rule_context_quantile(const double *sorted, size_t n, double q)
{
	return n > 0 ? order_quantile(sorted, n, q) : NAN;
}

const char *rule_context_machine(const struct rule_context *g, size_t i)
{
	for (size_t k = 0; k < g->machines.n; k++) {
		if (g->machines.item[k].id == g->runs->machine_id[i])
			return g->machines.item[k].name;
	}
	return NULL;
}

/* Enough digits of an id to go by; fewer are a number in the list. */
enum { MIN_ID_DIGITS = 4 };

/* ---- loading ---- */

/* There may be a predictor and no rules yet: in a base that an older program mined. */
static enum err_code not_mined(struct session *session, const struct rule_book *b, struct err *e)
{
	struct fitted_machine m = {0};
	const struct machine_request asked = {.name = b->machine->name};
	enum err_code rc = fitted_machine_load(session, b->app, b->app_id, &asked, &m, e);

	fitted_machine_release(&m);
	return rc ? rc
		  : err_set(e, ERR_NOTMINED,
			    "no rules were mined yet from the runs of %s on %s: run `lemnos mine`",
			    b->app->name, b->machine->name);
}

static enum err_code read_rules(struct session *session, struct rule_book *b, struct err *e)
{
	struct err why = {0};
	enum err_code rc = kb_get_rules(session->kb, b->app_id, b->machine_id, &b->own, &why);

	if (rc == ERR_NOTMINED)
		return not_mined(session, b, e);
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	rc = kb_get_rules(session->kb, b->app_id, 0, &b->shared, &why);
	/* A single machine has nothing to share rules with. */
	return rc && rc != ERR_NOTMINED ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static bool is_old(const struct kb_rules *known, const char *facts)
{
	return strcmp(known->snapshot, facts) != 0 || known->version != MINE_RULES_VERSION;
}

static enum err_code compare_with_facts(struct session *session, struct rule_book *b, struct err *e)
{
	char facts[65];
	enum err_code rc = kb_snapshot(session->kb, b->app_id, b->machine_id, facts, e);

	if (rc)
		return rc;
	b->stale = is_old(&b->own, facts);
	if (!b->shared.snapshot[0])
		return ERR_OK;
	if (!(rc = kb_snapshot_all(session->kb, b->app_id, facts, e)))
		b->stale = b->stale || is_old(&b->shared, facts);
	return rc;
}

/* Does the machine say the same, be it with other limits? Its own rule is listed then: its limits
 * and numbers are those of its runs. */
static bool is_said_by(const struct rule *general, const struct rule_list *own)
{
	for (size_t i = 0; i < own->n; i++) {
		if (rule_says_same(general, &own->item[i]))
			return true;
	}
	return false;
}

/* Do the rules for all machines say the same, be it with other limits? */
static bool holds_everywhere(const struct rule_list *shared, const struct rule *own)
{
	for (size_t i = 0; i < shared->n; i++) {
		if (rule_says_same(&shared->item[i], own))
			return true;
	}
	return false;
}

/* A rule that names columns which the application no longer has can be neither checked nor
 * followed: it waits for mining. */
static bool speaks_today(const struct application *a, const struct rule *r)
{
	struct rule_test *test = NULL;
	enum err_code rc = rule_test_new(a, r, &test, NULL);

	rule_test_free(test);
	return rc != ERR_PARSE;
}

static bool stands_aside(const struct rule *r)
{
	return r->twin_of[0] || (r->kind == RULE_TIME && !(r->weight > 0));
}

/* In one of two passes: those that stand aside come last. */
static void add_view(struct rule_book *b, const struct rule *r, bool everywhere, bool aside)
{
	if (stands_aside(r) != aside || !speaks_today(b->app, r))
		return;
	b->item[b->n] = (struct rule_view){
		.rule = r, .everywhere = everywhere, .aside = aside, .number = b->n + 1};
	b->n++;
}

/* Both lists are sorted by usefulness: merge them. */
static void merge_rules(struct rule_book *b, bool aside)
{
	const struct rule_list *own = &b->own.rules, *shared = &b->shared.rules;
	size_t i = 0, j = 0;

	while (i < own->n || j < shared->n) {
		if (j == shared->n || (i < own->n && own->item[i].evidence.usefulness >=
							     shared->item[j].evidence.usefulness)) {
			add_view(b, &own->item[i], holds_everywhere(shared, &own->item[i]), aside);
			i++;
		} else {
			if (!is_said_by(&shared->item[j], own))
				add_view(b, &shared->item[j], true, aside);
			j++;
		}
	}
}

static enum err_code number_rules(struct rule_book *b, struct err *e)
{
	size_t n = b->own.rules.n + b->shared.rules.n;

	b->item = calloc(n + 1, sizeof *b->item);
	if (!b->item)
		return err_set(e, ERR_NOMEM, "%zu rules", n);
	merge_rules(b, false);
	merge_rules(b, true);
	b->n_all = b->n;
	return ERR_OK;
}

/* The list that a rule is from. */
static const struct rule_list *rules_beside(const struct rule_book *b, const struct rule *r)
{
	return r->machine ? &b->own.rules : &b->shared.rules;
}

enum err_code rule_book_judge(struct session *session, struct rule_book *b, struct err *e)
{
	enum err_code rc;

	kb_decisions_release(&b->decisions);
	if ((rc = kb_list_decisions(session->kb, b->app->name, &b->decisions, e)))
		return rc;
	for (size_t i = 0; i < b->n && !rc; i++) {
		const struct rule *r = b->item[i].rule;

		rc = rule_judgement(b->app, &b->decisions, rules_beside(b, r), r,
				    &b->item[i].verdict, e);
	}
	return rc;
}

enum err_code rule_book_load(struct session *session, const char *app, const char *machine,
			     struct rule_book *out, struct err *e)
{
	struct rule_book b = {0};
	enum err_code rc;

	if (!(rc = session_application(session, app, &b.app, &b.app_id, e)) &&
	    !(rc = session_machine(session, machine, b.app_id, &b.machine, &b.machine_id, e)) &&
	    !(rc = read_rules(session, &b, e)) && !(rc = compare_with_facts(session, &b, e)) &&
	    !(rc = number_rules(&b, e)))
		rc = rule_book_judge(session, &b, e);
	if (rc)
		rule_book_release(&b);
	else
		*out = b;
	return rc;
}

void rule_book_release(struct rule_book *b)
{
	free(b->item);
	kb_decisions_release(&b->decisions);
	kb_rules_release(&b->own);
	kb_rules_release(&b->shared);
	machine_free(b->machine);
	application_free(b->app);
	*b = (struct rule_book){0};
}

/* ---- filters ---- */

static bool text_uses(const struct application *a, const char *text, size_t i_column)
{
	struct expr *x = NULL;
	bool uses;

	if (!text || !*text || expr_parse(text, &a->scope, &x, NULL))
		return false;
	uses = expr_uses(x, i_column);
	expr_free(x);
	return uses;
}

static bool rule_uses(const struct application *a, const struct rule *r, size_t i_column)
{
	for (size_t i = 0; i < r->n_term; i++) {
		if (application_column(a, r->term[i].column) == i_column)
			return true;
	}
	return text_uses(a, r->condition, i_column) || text_uses(a, r->setting, i_column);
}

/* A rule that somebody decided upon is listed wherever it stands. A time rule in a slightly
 * different form than a decided one is, too; of a twin that is told by the rule that stands for it.
 */
static bool is_listed(const struct rule_filter *f, const struct rule_view *v)
{
	if (f->all || !v->aside || v->verdict.decision)
		return true;
	return v->rule->kind == RULE_TIME && (f->kind == RULE_TIME || v->verdict.look_again);
}

static bool takes(const struct rule_filter *f, const struct application *a,
		  const struct rule_view *v)
{
	return (f->kind < 0 || (int)v->rule->kind == f->kind) &&
	       (f->state < 0 || (int)v->verdict.state == f->state) &&
	       (f->i_column == SIZE_MAX || rule_uses(a, v->rule, f->i_column));
}

void rule_book_keep(struct rule_book *b, const struct rule_filter *f)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (!takes(f, b->app, &b->item[i]))
			continue;
		if (is_listed(f, &b->item[i]))
			b->item[n++] = b->item[i];
		else
			b->n_aside_time += b->item[i].rule->kind == RULE_TIME;
	}
	b->n = n;
}

const struct rule *rule_book_next_twin(const struct rule_book *b, const struct rule *r, size_t *at)
{
	const struct rule_list *l = rules_beside(b, r);

	while (*at < l->n) {
		const struct rule *twin = &l->item[(*at)++];

		if (!strcmp(twin->twin_of, r->id))
			return twin;
	}
	return NULL;
}

/* ---- one rule ---- */

static enum err_code no_such_rule(const struct rule_book *b, const char *typed, struct err *e)
{
	return err_set(e, ERR_NOTFOUND,
		       "there is no rule %s of %s on %s (`lemnos rules` lists them)", typed,
		       b->app->name, b->machine->name);
}

static enum err_code find_by_number(const struct rule_book *b, const char *typed,
				    const struct rule_view **out, struct err *e)
{
	int64_t number;
	struct err why = {0};

	if (integer_parse(typed, 1, INT64_MAX, &number, &why))
		return err_set(e, ERR_USAGE,
			       "'%s' is neither the number of a rule nor the first %d or more "
			       "digits of its id (`lemnos rules` lists them)",
			       typed, MIN_ID_DIGITS);
	if ((uint64_t)number > b->n)
		return no_such_rule(b, typed, e);
	*out = &b->item[number - 1];
	return ERR_OK;
}

static bool is_id(const char *typed)
{
	size_t len = strlen(typed);

	for (const char *c = typed; *c; c++) {
		if (!isxdigit((unsigned char)*c))
			return false;
	}
	return len >= MIN_ID_DIGITS && len < RULE_ID_SIZE;
}

static bool starts_id(const char *id, const char *typed)
{
	for (; *typed; id++, typed++) {
		if (*id != tolower((unsigned char)*typed))
			return false;
	}
	return true;
}

enum err_code rule_book_find(const struct rule_book *b, const char *typed,
			     const struct rule_view **out, struct err *e)
{
	const struct rule_view *found = NULL;

	if (!is_id(typed))
		return find_by_number(b, typed, out, e);
	for (size_t i = 0; i < b->n; i++) {
		if (!starts_id(b->item[i].rule->id, typed))
			continue;
		if (found)
			return err_set(e, ERR_USAGE, "%s fits rules %s and %s: type more digits",
				       typed, found->rule->id, b->item[i].rule->id);
		found = &b->item[i];
	}
	if (!found)
		return no_such_rule(b, typed, e);
	*out = found;
	return ERR_OK;
}

const char *rule_scope_name(const struct rule *r)
{
	return r->machine ? "machine" : "all machines";
}

void rule_put_look_again(const struct kb_judgement *verdict, struct strbuf *out)
{
	const struct kb_decision *d = verdict->look_again;

	if (d)
		strbuf_printf(out,
			      "was %s in a slightly different form (%s, %s, by %s): look again",
			      d->kind == DECISION_REFUSE ? "refused" : "accepted", d->rule_id,
			      d->decided_at, d->who);
}

/* ---- decisions ---- */

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
	struct kb_judgement verdict;

	rule_put_shape(b->app, other, &shape);
	kb_judge_rule(&b->decisions, other->id, strbuf_text(&shape), &verdict);
	if (strcmp(other->id, v->rule->id) != 0 && verdict.state != RULE_STATE_REFUSED &&
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
