#include "tests/support/shared_runs.h"
#include "tests/unit/mining/qr_application.h"

#include "mining/rules/rule_notes.h"

/* Machine 1 has one run each of b = 1, ..., 10: the share of runs that two conditions have in
 * common can be counted on fingers. */

enum { MACHINE = 1, OTHER = 2 };

static struct rule_list general, own;

static void add_run(double b, int64_t machine, enum run_status status)
{
	double row[16];

	qr_row(app, (struct qr){b, 100, b, 0, 4}, row);
	must(dataset_add(runs, row, 1, (int64_t)runs->n + 1, machine, SOURCE_MEASURED, status, 1,
			 &err));
}

static int set_up(void **state)
{
	app = qr_application();
	runs = dataset_new(app);
	general = own = (struct rule_list){0};
	for (int b = 1; b <= 10; b++)
		add_run(b, MACHINE, RUN_OK);
	return 0;
}

static int tear_down(void **state)
{
	rule_list_release(&general);
	rule_list_release(&own);
	return free_runs(state);
}

static void add_rule(struct rule_list *to, enum rule_kind kind, const char *condition,
		     const char *setting)
{
	struct rule r = {.kind = kind, .condition = strdup(condition)};

	if (setting)
		r.setting = strdup(setting);
	if (to == &own)
		r.machine = strdup("m");
	must(rule_identify(app, &r, &err));
	must(rule_list_add(to, &r, &err));
}

static void find_covered(void)
{
	must(rule_covers_find(runs, MACHINE, &own, &general, &err));
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, tear_down)

IN_FIXTURE(six_runs_of_ten_in_common_are_mostly_the_same)
{
	add_rule(&general, RULE_CHOICE, "b <= 6", NULL);
	add_rule(&own, RULE_CHOICE, "b <= 10", NULL); /* 6 of both, 10 of either */
	find_covered();
	assert_string_equal(general.item[0].covers, own.item[0].id);
}

IN_FIXTURE(half_of_the_runs_in_common_are_not)
{
	add_rule(&general, RULE_CHOICE, "b <= 5", NULL);
	add_rule(&own, RULE_CHOICE, "b <= 10", NULL);		/* 5 of 10 */
	add_rule(&own, RULE_CHOICE, "b >= 2 and b <= 9", NULL); /* 4 of 9 */
	add_rule(&own, RULE_CHOICE, "b > 5", NULL);		/* none of 10 */
	find_covered();
	assert_null(general.item[0].covers);
}

IN_FIXTURE(all_that_are_covered_are_listed_with_blanks)
{
	char both[2 * RULE_ID_SIZE + 1];

	add_rule(&general, RULE_CHOICE, "b > 20", NULL);
	add_rule(&general, RULE_CHOICE, "b <= 8", NULL);
	add_rule(&own, RULE_CHOICE, "b <= 7", NULL);
	add_rule(&own, RULE_CHOICE, "b <= 2", NULL);
	add_rule(&own, RULE_CHOICE, "b <= 9", NULL);
	find_covered();
	snprintf(both, sizeof both, "%s %s", own.item[0].id, own.item[2].id);
	assert_null(general.item[0].covers);
	assert_string_equal(general.item[1].covers, both);
}

IN_FIXTURE(rules_that_hold_nowhere_say_nothing_alike)
{
	add_rule(&general, RULE_CHOICE, "b > 20", NULL);
	add_rule(&own, RULE_CHOICE, "b > 30", NULL);
	find_covered();
	assert_null(general.item[0].covers);
}

IN_FIXTURE(rules_of_another_kind_are_another_statement)
{
	add_rule(&general, RULE_SETTING, "b <= 6", "b <= 9");
	add_rule(&own, RULE_CHOICE, "b <= 6", NULL);
	find_covered();
	assert_null(general.item[0].covers);
}

/* Where m <= 8 both speak of 8 runs, but those that do as they say are 1 to 4 and 5 to 8. */
IN_FIXTURE(settings_are_alike_if_the_runs_that_follow_them_are)
{
	add_rule(&general, RULE_SETTING, "m <= 8", "b <= 4");
	add_rule(&own, RULE_SETTING, "m <= 8", "b > 4");
	add_rule(&own, RULE_SETTING, "m <= 7", "b <= 3"); /* 3 of 4 */
	find_covered();
	assert_string_equal(general.item[0].covers, own.item[1].id);
}

/* 2 of 10 runs of the machine itself; 12 of 20 with those elsewhere, or with those that failed. */
IN_FIXTURE(runs_elsewhere_and_runs_that_failed_do_not_count)
{
	for (int i = 0; i < 10; i++) {
		add_run(1, OTHER, RUN_OK);
		add_run(1, MACHINE, RUN_FAILED);
	}
	add_rule(&general, RULE_CHOICE, "b <= 2", NULL);
	add_rule(&own, RULE_CHOICE, "b <= 10", NULL);
	find_covered();
	assert_null(general.item[0].covers);
}

/* 40 010 runs are more than are looked at; the shares stay what they are. */
IN_FIXTURE(many_runs_are_judged_by_an_even_sample)
{
	for (int i = 0; i < 40000; i++)
		add_run(i % 10 + 1, MACHINE, RUN_OK);
	add_rule(&general, RULE_CHOICE, "b <= 8", NULL);
	add_rule(&own, RULE_CHOICE, "b <= 10", NULL); /* 8 of 10 */
	add_rule(&own, RULE_CHOICE, "b <= 4", NULL);  /* 4 of 8 */
	find_covered();
	assert_string_equal(general.item[0].covers, own.item[0].id);
}

IN_FIXTURE(a_condition_that_cannot_be_read_is_an_error)
{
	struct rule bad = {.kind = RULE_CHOICE, .condition = strdup("nonsense > 3")};

	add_rule(&general, RULE_CHOICE, "b <= 8", NULL);
	must(rule_list_add(&own, &bad, &err));
	must_fail(rule_covers_find(runs, MACHINE, &own, &general, &err), ERR_PARSE, "nonsense");
	assert_null(general.item[0].covers);
}
