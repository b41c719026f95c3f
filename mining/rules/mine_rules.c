#include "mining/rules/mine_rules.h"

#include <stdlib.h>
#include <string.h>

#include "mining/rules/mine_steps.h"
#include "mining/rules/rule_caveats.h"
#include "mining/rules/rule_machines.h"
#include "mining/rules/rule_residuals.h"
#include "mining/rules/rule_support.h"
#include "mining/rules/rule_twins.h"

void mined_release(struct mined *m)
{
	rule_list_release(&m->rules);
	findings_release(&m->findings);
}

static int by_usefulness(const void *a, const void *b)
{
	const struct rule *x = a, *y = b;

	if (x->evidence.usefulness != y->evidence.usefulness)
		return x->evidence.usefulness < y->evidence.usefulness ? 1 : -1;
	return strcmp(x->id, y->id);
}

/* Of time rules nothing is said of how often they are right: that takes predictions. */
static enum err_code count_counter_examples(const struct slowdown_table *t, struct rule *r,
					    struct err *e)
{
	struct rule_residuals w = {0};
	enum err_code rc;

	if (r->kind != RULE_CHOICE && r->kind != RULE_SETTING)
		return ERR_OK;
	if ((rc = rule_residuals_make(t, r, NULL, &w, e)))
		return rc;
	r->evidence.n_checked = (int64_t)w.n_checked;
	r->evidence.n_counter = (int64_t)w.n_counter;
	rule_residuals_release(&w);
	return ERR_OK;
}

/* Names, counts and order. */
static enum err_code finish(const struct slowdown_table *t, const char *machine,
			    const struct progress *p, struct rule_list *rules, struct err *e)
{
	unsigned char *holds = NULL;
	enum err_code rc = ERR_OK;

	for (size_t r = 0; r < rules->n && !rc; r++) {
		struct rule *rule = &rules->item[r];

		if (machine && !(rule->machine = strdup(machine)))
			rc = err_set(e, ERR_NOMEM, "machine of a rule");
		else
			rc = rule_identify(t->app, rule, e);
	}
	if (rc)
		return rc;
	if (rules->n > 0)
		qsort(rules->item, rules->n, sizeof rules->item[0], by_usefulness);
	if ((rc = rule_caveats_add(t, rules, e)) ||
	    (rc = rule_support_mark(t, rules, p, &holds, e)))
		return rc;
	if (!(rc = rule_support_count(t, holds, rules, e))) {
		rule_support_overlaps(t, holds, rules);
		rc = rule_twins_mark(t, holds, rules, e);
	}
	for (size_t r = 0; r < rules->n && !rc; r++)
		rc = count_counter_examples(t, &rules->item[r], e);
	free(holds);
	return rc;
}

enum err_code mine_rules(const struct dataset *runs, const char *machine,
			 const struct predictor *base, const struct progress *p, struct mined *out,
			 struct err *e)
{
	struct mined m = {.rules = {.n = 0}};
	struct slowdown_table *t = NULL;
	struct mine_input in;
	struct err why = {0};
	enum err_code rc = slowdown_table_make(runs, p, &t, &why);

	if (rc == ERR_NODATA) { /* no run ended well: nothing is found, and that is no error */
		*out = m;
		return ERR_OK;
	}
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	in = (struct mine_input){.runs = runs, .t = t, .machine = machine, .base = base};
	if ((rc = mine_steps(&in, p, &m.findings, &m.rules, e)) ||
	    (!machine && (rc = rule_machines_keep(t, &m.rules, e))) ||
	    (rc = finish(t, machine, p, &m.rules, e)))
		mined_release(&m);
	else
		*out = m;
	slowdown_table_free(t);
	return rc;
}
