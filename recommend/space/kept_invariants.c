#include "recommend/space/kept_invariants.h"

#include <stdlib.h>

enum err_code kept_invariants_init(struct kept_invariants *k, const struct application *app,
				   const struct rule_in_use *rules, size_t n_rules, struct err *e)
{
	enum err_code rc = ERR_OK;

	*k = (struct kept_invariants){.item = calloc(n_rules + 1, sizeof *k->item)};
	if (!k->item)
		return err_set(e, ERR_NOMEM, "%zu rules", n_rules);
	for (size_t i = 0; i < n_rules && !rc; i++) {
		struct kept_invariant *item = &k->item[k->n];

		if (rules[i].rule->kind != RULE_INVARIANT || rules[i].state == VERDICT_REFUSED)
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
