#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/rules/mine_rules.h"

FREEABLE(slowdown_table)

/* The rule "b >= 32": slower by some factor on each machine. */

/* On this machine b = 32 and 64 take `factor` times what 8 and 16 do, in n_problems problems; a
 * small difference between choices stands for noise. */
static void add_machine(struct dataset *d, int64_t machine, int n_problems, double factor)
{
	for (int i = 0; i < n_problems * 4; i++) {
		double row[16], b = 8 << i % 4, wiggle = 1 + 0.01 * (i * 5 % 7);
		int problem = 1 + i / 4;

		qr_row(app, (struct qr){problem, 100, b, 0, 4}, row);
		must(dataset_add(d, row, (double)machine * (b >= 32 ? factor : 1) * wiggle,
				 (int64_t)d->n + 1, machine, SOURCE_MEASURED, RUN_OK, 1, &err));
	}
}

static void add_rule(struct rule_list *l, enum rule_kind kind, const char *condition,
		     const char *setting)
{
	struct rule r = {.kind = kind, .condition = strdup(condition)};

	if (setting)
		r.setting = strdup(setting);
	must(rule_list_add(l, &r, &err));
}

/* Takes the runs. */
static void keep(struct dataset *d, struct rule_list *l)
{
	FREED(slowdown_table) *t = NULL;

	must(slowdown_table_make(d, NULL, &t, &err));
	must(rule_machines_keep(t, l, &err));
	dataset_free(d);
}

TEST(what_holds_on_two_machines_stays)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	add_machine(d, 7, 8, 1.5);
	add_machine(d, 3, 8, 2);
	add_rule(&l, RULE_CHOICE, "b >= 32", NULL);
	add_rule(&l, RULE_SETTING, "m >= 1", "b <= 16");
	keep(d, &l);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.item[0].condition, "b >= 32");
	assert_string_equal(l.item[1].setting, "b <= 16");
}

TEST(what_is_reversed_on_one_machine_goes)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	add_machine(d, 1, 8, 1.5);
	add_machine(d, 2, 8, 2);
	add_machine(d, 3, 8, 0.7);
	add_rule(&l, RULE_CHOICE, "b >= 32", NULL);
	add_rule(&l, RULE_SETTING, "", "b <= 16");
	keep(d, &l);
	assert_int_equal(l.n, 0);
}

TEST(what_only_one_machine_says_goes)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	add_machine(d, 1, 8, 1.5);
	add_rule(&l, RULE_CHOICE, "b >= 32", NULL);
	keep(d, &l);
	assert_int_equal(l.n, 0);

	/* The other one has four configurations within the rule: five are the fewest. */
	d = dataset_new(app);
	add_machine(d, 1, 8, 1.5);
	add_machine(d, 2, 2, 1.5);
	add_rule(&l, RULE_CHOICE, "b >= 32", NULL);
	keep(d, &l);
	assert_int_equal(l.n, 0);
}

TEST(a_machine_that_has_too_little_to_say_is_not_asked)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	add_machine(d, 1, 8, 1.5);
	add_machine(d, 2, 8, 1.5);
	add_machine(d, 3, 2, 0.7); /* against it, in two problems */
	add_rule(&l, RULE_CHOICE, "b >= 32", NULL);
	keep(d, &l);
	assert_int_equal(l.n, 1);
}

/* Small problems only: what large ones do does not matter to the setting. */
TEST(a_setting_is_asked_about_where_it_applies)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	for (int machine = 1; machine <= 2; machine++) {
		for (int i = 0; i < 16 * 4; i++) {
			double row[16], b = 8 << i % 4, wiggle = 1 + 0.01 * (i * 5 % 7);
			int problem = 1 + i / 4;
			double factor = (i < 8 * 4) == (b >= 32) ? 1.5 : 1;

			qr_row(app, (struct qr){problem, 100, b, 0, 4}, row);
			must(dataset_add(d, row, factor * wiggle, (int64_t)d->n + 1, machine,
					 SOURCE_MEASURED, RUN_OK, 1, &err));
		}
	}
	add_rule(&l, RULE_SETTING, "m <= 8", "b <= 16");
	add_rule(&l, RULE_SETTING, "m > 8", "b <= 16");
	add_rule(&l, RULE_SETTING, "m > 8", "b >= 32");
	keep(d, &l);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.item[0].condition, "m <= 8");
	assert_string_equal(l.item[1].setting, "b >= 32");
}

TEST(time_rules_are_of_one_machine)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	add_machine(d, 1, 8, 1.5);
	add_machine(d, 2, 8, 1.5);
	add_rule(&l, RULE_TIME, "b >= 32", NULL);
	keep(d, &l);
	assert_int_equal(l.n, 0);
}

/* The rules hold, so that none goes before the memory does. */
TEST(no_rule_goes_for_want_of_memory)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(slowdown_table) *t = NULL;
	RELEASED(rule_list) l = {0};

	add_machine(d, 7, 8, 1.5);
	add_machine(d, 3, 8, 2);
	add_rule(&l, RULE_CHOICE, "b >= 32", NULL);
	add_rule(&l, RULE_SETTING, "m >= 1", "b <= 16");
	must(slowdown_table_make(d, NULL, &t, &err));
	failing_each_allocation (rule_machines_keep(t, &l, &err), &err)
		assert_int_equal(l.n, 2);
	assert_int_equal(l.n, 2);
}

TEST_GROUP(qr_set_up, qr_tear_down)
