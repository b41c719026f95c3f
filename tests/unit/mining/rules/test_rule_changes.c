#include "tests/unit/mining/shared_qr.h"

#include "mining/rules/mine_rules.h"

static void add(struct rule_list *l, enum rule_kind kind, const char *machine,
		const char *condition)
{
	struct rule r = {.kind = kind, .condition = strdup(condition)};

	if (kind == RULE_SETTING)
		r.setting = strdup("b = 8");
	if (machine)
		r.machine = strdup(machine);
	must(rule_identify(app, &r, &err));
	must(rule_list_add(l, &r, &err));
}

static struct rule_change *changes(const struct rule_list *before, const struct rule_list *after,
				   size_t *n)
{
	struct rule_change *c = NULL;

	must(rule_changes(app, before, after, &c, n, &err));
	return c;
}

TEST(rules_are_gained_lost_and_moved)
{
	RELEASED(rule_list) before = {0}, after = {0};
	HEAP struct rule_change *c;
	size_t n;

	add(&before, RULE_CHOICE, "x", "b >= 32");
	add(&before, RULE_CHOICE, "x", "procs >= 64 and b >= 32");
	add(&before, RULE_CHOICE, "x", "layout = 'row'");
	add(&after, RULE_CHOICE, "x", "n <= 100");		  /* new */
	add(&after, RULE_CHOICE, "x", "procs >= 16 and b >= 32"); /* another bound */
	add(&after, RULE_CHOICE, "x", "b >= 32");		  /* as it was */
	c = changes(&before, &after, &n);
	assert_int_equal(n, 3);
	assert_ptr_equal(c[0].after, &after.item[0]);
	assert_null(c[0].before);
	assert_ptr_equal(c[1].after, &after.item[1]);
	assert_ptr_equal(c[1].before, &before.item[1]);
	assert_null(c[2].after);
	assert_ptr_equal(c[2].before, &before.item[2]);
}

TEST(the_same_rules_in_another_order_are_no_change)
{
	struct rule_list before = {0}, after = {0}, none = {0};
	struct rule_change *c;
	size_t n;

	add(&before, RULE_CHOICE, "x", "b >= 32");
	add(&before, RULE_SETTING, "x", "m >= 4");
	add(&after, RULE_SETTING, "x", "m >= 4");
	add(&after, RULE_CHOICE, "x", "b >= 32");
	c = changes(&before, &after, &n);
	assert_int_equal(n, 0);
	free(c);
	c = changes(&none, &none, &n);
	assert_int_equal(n, 0);
	free(c);
	rule_list_release(&before);
	rule_list_release(&after);
}

/* Two of one shape lost, one gained: it can have come from one of them only. */
TEST(a_gained_rule_is_what_one_lost_rule_became)
{
	RELEASED(rule_list) before = {0}, after = {0};
	HEAP struct rule_change *c;
	size_t n;

	add(&before, RULE_CHOICE, "x", "b >= 32");
	add(&before, RULE_CHOICE, "x", "b >= 64");
	add(&after, RULE_CHOICE, "x", "b >= 16");
	c = changes(&before, &after, &n);
	assert_int_equal(n, 2);
	assert_ptr_equal(c[0].before, &before.item[0]);
	assert_ptr_equal(c[0].after, &after.item[0]);
	assert_ptr_equal(c[1].before, &before.item[1]);
	assert_null(c[1].after);
}

TEST(other_machines_and_kinds_have_other_rules)
{
	RELEASED(rule_list) before = {0}, after = {0};
	HEAP struct rule_change *c;
	size_t n;

	add(&before, RULE_CHOICE, "x", "b >= 32");
	add(&after, RULE_CHOICE, "y", "b >= 16");
	add(&after, RULE_SETTING, "x", "b >= 16");
	add(&after, RULE_CHOICE, NULL, "b >= 32");
	c = changes(&before, &after, &n);
	assert_int_equal(n, 4);
	for (size_t k = 0; k < n; k++)
		assert_true(!c[k].before != !c[k].after);
}

TEST_GROUP(qr_set_up, qr_tear_down)
