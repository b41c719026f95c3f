#include "recommend/space/rule_advice.h"

#include <assert.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "mining/training/run_screen.h"

static bool is_accepted(const struct active_rule *r)
{
	return r->state == RULE_STATE_ACCEPTED;
}

/* Does a prediction follow it where it holds? */
static bool leads(const struct active_rule *r)
{
	return r->rule->kind == RULE_TIME && r->rule->weight > 0 && r->state != RULE_STATE_REFUSED;
}

/* ---- leading the predictor ---- */

/* The condition of a rule that gives way: "(own) and ((accepted) is null or not (accepted)) and
 * ...". What is NULL does not hold, and must not keep others from holding. */
static void put_condition_giving_way(const struct rule *r, const struct active_rule *rules,
				     size_t n, struct strbuf *out)
{
	if (r->condition && *r->condition)
		strbuf_printf(out, "(%s)", r->condition);
	for (size_t i = 0; i < n; i++) {
		const char *c = rules[i].rule->condition;

		if (!leads(&rules[i]) || !is_accepted(&rules[i]))
			continue;
		strbuf_puts(out, out->len ? " and " : "");
		if (c && *c)
			strbuf_printf(out, "((%s) is null or not (%s))", c, c);
		else
			strbuf_puts(out, "1 = 0"); /* it holds always */
	}
}

/* A rule as the predictor gets it: a borrowed copy with, perhaps, a narrower condition. */
struct led_rule {
	struct rule rule;
	struct strbuf condition;
};

static enum err_code use_rules(struct predictor *p, struct led_rule *led, size_t n, struct err *e)
{
	const struct rule **list = calloc(n + 1, sizeof *list);
	enum err_code rc = ERR_OK;

	if (!list)
		return err_set(e, ERR_NOMEM, "%zu time rules", n);
	for (size_t i = 0; i < n && !rc; i++) {
		struct strbuf *c = &led[i].condition;

		if (c->failed)
			rc = err_set(e, ERR_NOMEM, "the condition of a rule");
		else if (c->len)
			led[i].rule.condition = c->buf;
		list[i] = &led[i].rule;
	}
	if (!rc)
		rc = predictor_use_rules(p, list, n, e);
	free(list);
	return rc;
}

enum err_code rule_advice_lead(struct predictor *p, const struct active_rule *rules, size_t n,
			       struct err *e)
{
	struct led_rule *led = calloc(n + 1, sizeof *led);
	size_t n_led = 0;
	enum err_code rc;

	if (!led)
		return err_set(e, ERR_NOMEM, "%zu rules", n);
	for (size_t i = 0; i < n; i++) {
		if (!leads(&rules[i]))
			continue;
		led[n_led].rule = *rules[i].rule;
		if (!is_accepted(&rules[i]))
			put_condition_giving_way(rules[i].rule, rules, n, &led[n_led].condition);
		n_led++;
	}
	rc = use_rules(p, led, n_led, e);
	for (size_t i = 0; i < n_led; i++)
		strbuf_release(&led[i].condition);
	free(led);
	return rc;
}

/* ---- rules ready to be asked ---- */

struct rule_advice {
	const struct active_rule **rule;
	struct rule_test **test;
	size_t n;
};

static enum err_code add(struct rule_advice *a, const struct application *app,
			 const struct active_rule *r, struct err *e)
{
	enum err_code rc = rule_test_new(app, r->rule, &a->test[a->n], e);

	if (!rc)
		a->rule[a->n++] = r;
	return rc;
}

static enum err_code add_all(struct rule_advice *a, const struct application *app,
			     const struct active_rule *rules, size_t n, struct err *e)
{
	static const enum kb_rule_state order[] = {RULE_STATE_ACCEPTED, RULE_STATE_NEW};
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < n && !rc; i++) {
			/* the space keeps to invariants: nothing in it is against one */
			if (rules[i].state == order[k] && rules[i].rule->kind != RULE_INVARIANT)
				rc = add(a, app, &rules[i], e);
		}
	}
	return rc;
}

enum err_code rule_advice_new(const struct application *app, const struct active_rule *rules,
			      size_t n, struct rule_advice **out, struct err *e)
{
	struct rule_advice *a = calloc(1, sizeof *a);
	enum err_code rc;

	if (!a)
		return err_set(e, ERR_NOMEM, "%zu rules", n);
	a->rule = calloc(n + 1, sizeof *a->rule);
	a->test = calloc(n + 1, sizeof *a->test);
	rc = a->rule && a->test ? add_all(a, app, rules, n, e)
				: err_set(e, ERR_NOMEM, "%zu rules", n);
	if (rc)
		rule_advice_free(a);
	else
		*out = a;
	return rc;
}

void rule_advice_free(struct rule_advice *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->n; i++)
		rule_test_free(a->test[i]);
	free(a->rule);
	free(a->test);
	free(a);
}

size_t rule_advice_count(const struct rule_advice *a)
{
	return a->n;
}

const struct active_rule *rule_advice_get(const struct rule_advice *a, size_t i)
{
	assert(i < a->n);
	return a->rule[i];
}

void rule_advice_ask(const struct rule_advice *a, const double *row, enum rule_says *says)
{
	for (size_t i = 0; i < a->n; i++) {
		enum rule_kind kind = a->rule[i]->rule->kind;

		says[i] = RULE_SILENT;
		if (kind == RULE_TIME || !rule_condition_holds(a->test[i], row))
			continue;
		says[i] = kind == RULE_SETTING && rule_setting_holds(a->test[i], row)
				  ? RULE_FOR
				  : RULE_AGAINST;
	}
}

/* ---- reports ---- */

const char *rule_says_name(enum rule_says s)
{
	static const char *const name[] = {[0] = "against",
					   [1 + RULE_SILENT] = "silent",
					   [1 + RULE_FOR] = "for",
					   [1 + RULE_USED] = "used"};

	return name[1 + (int)s];
}

enum err_code rule_report_add_preference(struct rule_report *r, const struct rule *accepted,
					 const struct rule *to, struct err *e)
{
	size_t n = r->n_preferences;
	struct rule_preference *grown = realloc(r->preference, (n + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "%zu preferences", n + 1);
	grown[n] = (struct rule_preference){accepted, to};
	r->preference = grown;
	r->n_preferences = n + 1;
	return ERR_OK;
}

void rule_report_release(struct rule_report *r)
{
	free(r->verdict);
	free(r->preference);
	*r = (struct rule_report){0};
}

/* Accepted rules come first: `accepted` is the first of them that leads here, NULL: none yet. */
static enum err_code report_time_rule(const struct active_rule *r, const struct rule **accepted,
				      struct rule_report *out, struct err *e)
{
	if (!is_accepted(r) && *accepted)
		return rule_report_add_preference(out, *accepted, r->rule, e);
	if (is_accepted(r) && !*accepted)
		*accepted = r->rule;
	out->verdict[out->n++] = (struct rule_verdict){r, RULE_USED};
	return ERR_OK;
}

static enum err_code fill_report(const struct rule_advice *a, const double *row,
				 const struct prediction *at, const enum rule_says *says,
				 struct rule_report *out, struct err *e)
{
	const struct rule *accepted = NULL;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n && !rc; i++) {
		const struct active_rule *r = a->rule[i];

		if (says[i] != RULE_SILENT)
			out->verdict[out->n++] = (struct rule_verdict){r, says[i]};
		else if (leads(r) && at->support != SUPPORT_OUTSIDE &&
			 rule_condition_holds(a->test[i], row) &&
			 rule_formula(a->test[i], row) > 0) /* no column is missing */
			rc = report_time_rule(r, &accepted, out, e);
	}
	return rc;
}

enum err_code rule_advice_report(const struct rule_advice *a, const double *row,
				 const struct prediction *at, struct rule_report *out,
				 struct err *e)
{
	struct rule_report report = {0};
	enum rule_says *says = calloc(a->n + 1, sizeof *says);
	enum err_code rc;

	report.verdict = calloc(a->n + 1, sizeof *report.verdict);
	if (says && report.verdict) {
		rule_advice_ask(a, row, says);
		rc = fill_report(a, row, at, says, &report, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "what %zu rules say", a->n);
	}
	free(says);
	if (rc)
		rule_report_release(&report);
	else
		*out = report;
	return rc;
}

/* ---- invariants ---- */

enum err_code kept_invariants_init(struct kept_invariants *k, const struct application *app,
				   const struct active_rule *rules, size_t n_rules, struct err *e)
{
	enum err_code rc = ERR_OK;

	*k = (struct kept_invariants){.item = calloc(n_rules + 1, sizeof *k->item)};
	if (!k->item)
		return err_set(e, ERR_NOMEM, "%zu rules", n_rules);
	for (size_t i = 0; i < n_rules && !rc; i++) {
		struct kept_invariant *item = &k->item[k->n];

		if (rules[i].rule->kind != RULE_INVARIANT || rules[i].state == RULE_STATE_REFUSED)
			continue;
		item->rule = rules[i].rule;
		if (!(rc = rule_test_new(app, item->rule, &item->test, e)))
			k->n++;
	}
	k->n_kept = k->n;
	if (rc)
		kept_invariants_release(k);
	return rc;
}

void kept_invariants_release(struct kept_invariants *k)
{
	for (size_t i = 0; i < k->n; i++)
		rule_test_free(k->item[i].test);
	free(k->item);
	*k = (struct kept_invariants){0};
}

void kept_invariants_count_failures(struct kept_invariants *k, const struct dataset *runs)
{
	for (size_t j = 0; j < k->n; j++) {
		size_t n = 0, n_failed = 0;

		for (size_t i = 0; runs && i < runs->n; i++) {
			if (runs->flagged[i] == FLAG_SCREENED ||
			    kept_invariant_allows(k, j, dataset_row(runs, i)))
				continue;
			n++;
			n_failed += runs->status[i] == RUN_FAILED;
		}
		k->item[j].fail_p = n_failed ? (double)(n_failed + 1) / (double)(n + 2) : 0;
	}
}

double kept_invariants_fail_p(const struct kept_invariants *k, const double *row)
{
	double most = 0;

	for (size_t i = 0; i < k->n; i++) {
		if (k->item[i].fail_p > most && !kept_invariant_allows(k, i, row))
			most = k->item[i].fail_p;
	}
	return most;
}

void kept_invariants_give_up(struct kept_invariants *k, size_t i)
{
	k->n_kept -= !k->item[i].given_up;
	k->item[i].given_up = true;
}

void kept_invariants_check_given(struct kept_invariants *k, const double *row)
{
	for (size_t i = 0; i < k->n; i++) {
		if (!kept_invariant_allows(k, i, row))
			kept_invariants_give_up(k, i);
	}
}

bool kept_invariant_allows(const struct kept_invariants *k, size_t i, const double *row)
{
	return rule_setting_possible(k->item[i].test, row);
}

bool kept_invariants_allow(const struct kept_invariants *k, const double *row)
{
	for (size_t i = 0; i < k->n && k->n_kept > 0; i++) {
		if (!k->item[i].given_up && !kept_invariant_allows(k, i, row))
			return false;
	}
	return true;
}
