#include "tests/support/shared_runs.h"
#include "tests/support/made_runs.h"

#include "mining/rules/rule_notes.h"

/* Ten configurations: nb = 10, 20, ..., 100 and ib = nb, but of the last, where it is 10. */
static struct slowdown_table *table;

static int make_table(void **state)
{
	app = made_application("choices", "n", "nb,ib", "", "procs");
	runs = dataset_new(app);
	assert_non_null(runs);
	for (int i = 1; i <= 10; i++) {
		double row[16] = {0};

		row[application_column(app, "n")] = 100;
		row[application_column(app, "nb")] = 10 * i;
		row[application_column(app, "ib")] = i < 10 ? 10 * i : 10;
		row[application_column(app, "procs")] = 1;
		runs_add(runs, row, 1 + i);
	}
	must(slowdown_table_make(runs, NULL, &table, &err));
	return 0;
}

static int free_table(void **state)
{
	slowdown_table_free(table);
	return free_runs(state);
}

static void add(struct rule_list *l, enum rule_kind kind, const char *condition,
		const char *setting, double effect, double half_width)
{
	struct rule r = {.kind = kind, .condition = strdup(condition)};

	r.setting = setting ? strdup(setting) : NULL;
	r.evidence.effect = effect;
	r.evidence.lo = effect / half_width;
	r.evidence.hi = effect * half_width;
	must(rule_identify(app, &r, &err));
	must(rule_list_add(l, &r, &err));
}

static void mark(struct rule_list *l)
{
	HEAP unsigned char *holds = NULL;

	must(rule_support_mark(table, l, NULL, &holds, &err));
	must(rule_twins_mark(table, holds, l, &err));
}

/* Is rule b the twin of a, where both stand alone? */
static bool are_twins(const char *a, double effect_a, double width_a, const char *b,
		      double effect_b, double width_b)
{
	RELEASED(rule_list) l = {0};
	bool twins;

	add(&l, RULE_CHOICE, a, NULL, effect_a, width_a);
	add(&l, RULE_CHOICE, b, NULL, effect_b, width_b);
	mark(&l);
	assert_string_equal(l.item[0].twin_of, ""); /* the more useful one stands for both */
	twins = !strcmp(l.item[1].twin_of, l.item[0].id);
	return twins;
}

TEST(nearly_the_same_of_nearly_the_same_runs_is_one_rule)
{
	assert_true(are_twins("nb >= 60", 1.50, 1.01, "nb >= 80", 1.52, 1.01));	 /* 3 of 5 runs */
	assert_false(are_twins("nb >= 60", 1.50, 1.01, "nb >= 90", 1.52, 1.01)); /* 2 of 5 */
}

TEST(effects_that_differ_make_two_rules)
{
	assert_true(are_twins("nb >= 60", 1.00, 1.001, "nb >= 70", 1.049, 1.001)); /* below 5 % */
	assert_false(are_twins("nb >= 60", 1.00, 1.001, "nb >= 70", 1.10, 1.001));
	/* log 1.1 = 0.0953; half widths 0.0953 and 0.0953 / 2: by chance; 0.0488 twice: 0.069 */
	assert_true(are_twins("nb >= 60", 1.00, 1.10, "nb >= 70", 1.10, 1.05));
	assert_false(are_twins("nb >= 60", 1.00, 1.05, "nb >= 70", 1.10, 1.05));
}

/* nb >= 60 and ib >= 60 share 4 of 5 runs: that one run tells whose doing it is. */
TEST(rules_about_other_columns_are_twins_only_if_no_run_tells_them_apart)
{
	assert_false(are_twins("nb >= 60", 1.5, 1.01, "ib >= 60", 1.5, 1.01));
	assert_true(are_twins("nb between 60 and 90", 1.5, 1.01, "ib >= 60", 1.5, 1.01));
}

TEST(a_setting_covers_the_runs_that_follow_it)
{
	RELEASED(rule_list) l = {0};

	add(&l, RULE_SETTING, "", "nb between 10 and 40", 1.02, 1.01);
	add(&l, RULE_SETTING, "", "nb between 10 and 30", 1.02, 1.01); /* 3 of 4 */
	add(&l, RULE_SETTING, "", "nb >= 50", 1.02, 1.01); /* the same condition, none of it */
	add(&l, RULE_CHOICE, "nb between 10 and 40", NULL, 1.02, 1.01); /* another kind */
	mark(&l);
	assert_string_equal(l.item[1].twin_of, l.item[0].id);
	assert_string_equal(l.item[2].twin_of, "");
	assert_string_equal(l.item[3].twin_of, "");
}

/* Else a chain of twins would end in a rule that has little in common with the first. */
TEST(no_twin_stands_for_another)
{
	RELEASED(rule_list) l = {0};

	add(&l, RULE_CHOICE, "nb >= 10", NULL, 1.5, 1.01);
	add(&l, RULE_CHOICE, "nb >= 40", NULL, 1.5, 1.01); /* 7 of 10 */
	add(&l, RULE_CHOICE, "nb >= 60", NULL, 1.5, 1.01); /* 5 of 7 of the second, 5 of 10 */
	mark(&l);
	assert_string_equal(l.item[1].twin_of, l.item[0].id);
	assert_string_equal(l.item[2].twin_of, "");
}

TEST_GROUP(make_table, free_table)
