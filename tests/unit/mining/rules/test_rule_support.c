#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/cases/rule_miners.h"
#include "mining/rules/rule_notes.h"
#include "tests/support/planted.h"

FREEABLE(slowdown_table)

static void add_rule(struct rule_list *l, enum rule_kind kind, const char *condition)
{
	struct rule r = {.kind = kind, .condition = strdup(condition)};

	if (kind == RULE_SETTING)
		r.setting = strdup("b = 8");
	must(rule_identify(app, &r, &err));
	must(rule_list_add(l, &r, &err));
}

static void add_run(struct dataset *d, double m, double b, int64_t machine, enum run_source source,
		    enum run_status status)
{
	double row[16];

	qr_row(app, (struct qr){m, 100, b, 0, 4}, row);
	must(dataset_add(d, row, m * b, (int64_t)d->n + 1, machine, source, status, 1, &err));
}

/* Mark, count and compare; takes the runs. */
static void count(struct dataset *d, struct rule_list *l)
{
	FREED(slowdown_table) *t = NULL;
	HEAP unsigned char *holds = NULL;

	must(slowdown_table_make(d, NULL, &t, &err));
	must(rule_support_mark(t, l, NULL, &holds, &err));
	must(rule_support_count(t, holds, l, &err));
	rule_support_overlaps(t, holds, l);
	dataset_free(d);
}

TEST(runs_configurations_machines_and_sources_are_counted)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};
	const struct rule_evidence *v;

	add_run(d, 1, 8, 1, SOURCE_MEASURED, RUN_OK);
	add_run(d, 1, 8, 1, SOURCE_MEASURED, RUN_OK); /* a repeat */
	add_run(d, 1, 8, 2, SOURCE_MEASURED, RUN_OK);
	add_run(d, 1, 16, 1, SOURCE_MODELLED, RUN_OK);
	add_run(d, 2, 8, 1, SOURCE_SIMULATED, RUN_OK);
	add_run(d, 2, NAN, 3, SOURCE_MEASURED, RUN_OK);	  /* b is not known */
	add_run(d, 2, 32, 3, SOURCE_MEASURED, RUN_OK);	  /* b is too large */
	add_run(d, 1, 8, 3, SOURCE_MEASURED, RUN_FAILED); /* does not count */
	add_rule(&l, RULE_CHOICE, "b <= 16");
	add_rule(&l, RULE_CHOICE, "");
	count(d, &l);
	v = &l.item[0].evidence;
	assert_int_equal(v->n_runs, 5);
	assert_int_equal(v->n_configurations, 4);
	assert_int_equal(v->n_machines, 2);
	assert_int_equal(v->n_source[SOURCE_MEASURED], 3);
	assert_int_equal(v->n_source[SOURCE_SIMULATED], 1);
	assert_int_equal(v->n_source[SOURCE_MODELLED], 1);
	check_rel(v->coverage, 5.0 / 7, 1e-15);
	v = &l.item[1].evidence;
	assert_int_equal(v->n_runs, 7);
	assert_int_equal(v->n_machines, 3);
	check_rel(v->coverage, 1.0, 1e-15);
}

TEST(any_number_of_machines_is_counted)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	for (int i = 0; i < 300; i++)
		add_run(d, 1, 8 + i % 2, INT64_MAX - i / 2, SOURCE_MEASURED, RUN_OK);
	add_rule(&l, RULE_CHOICE, "b = 8");
	count(d, &l);
	assert_int_equal(l.item[0].evidence.n_machines, 150);
}

/* m = 1..10 once each: m <= 6 and m >= 4 share 3 of 10 runs, m <= 6 and m <= 5 share 5 of 6. */
TEST(a_rule_names_the_one_of_its_kind_that_shares_most_runs)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	for (int m = 1; m <= 10; m++)
		add_run(d, m, 8, 1, SOURCE_MEASURED, RUN_OK);
	add_rule(&l, RULE_CHOICE, "m <= 6");
	add_rule(&l, RULE_CHOICE, "m >= 4");
	add_rule(&l, RULE_CHOICE, "m <= 5");
	add_rule(&l, RULE_SETTING, "m <= 6"); /* another kind */
	add_rule(&l, RULE_CHOICE, "m > 10");  /* no run at all */
	count(d, &l);
	assert_string_equal(l.item[0].overlaps, l.item[2].id);
	check_rel(l.item[0].overlap, 5.0 / 6, 1e-15);
	assert_string_equal(l.item[1].overlaps, l.item[0].id);
	check_rel(l.item[1].overlap, 0.3, 1e-15);
	assert_string_equal(l.item[2].overlaps, l.item[0].id);
	assert_string_equal(l.item[3].overlaps, "");
	check_abs(l.item[3].overlap, 0, 0);
	assert_string_equal(l.item[4].overlaps, "");
	assert_int_equal(l.item[4].evidence.n_runs, 0);
	check_abs(l.item[4].evidence.coverage, 0, 0);
}

/* m <= 1 and m <= 11 share 1 of 11 runs: less than a tenth. */
TEST(small_overlaps_are_not_told)
{
	struct dataset *d = dataset_new(app);
	RELEASED(rule_list) l = {0};

	for (int m = 1; m <= 12; m++)
		add_run(d, m, 8, 1, SOURCE_MEASURED, RUN_OK);
	add_rule(&l, RULE_CHOICE, "m <= 1");
	add_rule(&l, RULE_CHOICE, "m <= 11");
	count(d, &l);
	assert_string_equal(l.item[0].overlaps, "");
	assert_string_equal(l.item[1].overlaps, "");
}

TEST(no_rules_are_counted_without_complaint)
{
	struct dataset *d = dataset_new(app);
	struct rule_list l = {0};

	add_run(d, 1, 8, 1, SOURCE_MEASURED, RUN_OK);
	count(d, &l);
	assert_int_equal(l.n, 0);
}

TEST(a_condition_that_does_not_fit_is_an_error)
{
	FREED(dataset) *d = dataset_new(app);
	FREED(slowdown_table) *t = NULL;
	struct rule r = {.condition = strdup("no_such_column = 1")};
	RELEASED(rule_list) l = {0};
	unsigned char *holds = NULL;

	add_run(d, 1, 8, 1, SOURCE_MEASURED, RUN_OK);
	must(slowdown_table_make(d, NULL, &t, &err));
	must(rule_list_add(&l, &r, &err));
	must_fail(rule_support_mark(t, &l, NULL, &holds, &err), ERR_PARSE, "no_such_column");
	assert_null(holds);
}

TEST(counting_can_be_stopped)
{
	const struct progress no = {stop_at_once, NULL};
	FREED(dataset) *d = dataset_new(app);
	FREED(slowdown_table) *t = NULL;
	RELEASED(rule_list) l = {0};
	unsigned char *holds = NULL;

	add_run(d, 1, 8, 1, SOURCE_MEASURED, RUN_OK);
	add_rule(&l, RULE_CHOICE, "b = 8");
	must(slowdown_table_make(d, NULL, &t, &err));
	must_fail(rule_support_mark(t, &l, &no, &holds, &err), ERR_INTERRUPTED, "counting");
	assert_null(holds);
}

/* All kinds of rules, and what is noted of them. */
static enum err_code all_rules(const struct dataset *d, struct err *e)
{
	FREED(slowdown_table) *t = NULL;
	RELEASED(rule_list) l = {0}, general = {0};
	HEAP unsigned char *holds = NULL;
	enum err_code rc = slowdown_table_make(d, NULL, &t, e);

	if (!rc && !(rc = mine_choice_rules(t, NULL, &l, e)) &&
	    !(rc = mine_setting_rules(t, NULL, &l, e)) &&
	    !(rc = mine_time_rules(t, NULL, NULL, &l, e)) &&
	    !(rc = mine_choice_rules(t, NULL, &general, e)) &&
	    !(rc = rule_support_mark(t, &l, NULL, &holds, e)) &&
	    !(rc = rule_support_count(t, holds, &l, e)) && !(rc = rule_caveats_add(t, &l, e)) &&
	    !(rc = rule_twins_mark(t, holds, &l, e)))
		rc = rule_covers_find(d, d->machine_id[0], &l, &general, e);
	assert_true(rc || l.n > 0);
	return rc;
}

TEST(rules_are_made_and_noted_or_there_is_no_memory)
{
	static const struct planted_design small = {.seed = 4,
						    .n_rules = 1,
						    .n_problems = 3,
						    .n_per_case = 4,
						    .min_factor = 2,
						    .max_factor = 2,
						    .noise = 0.02};
	RELEASED(planted) p = {0};

	assert_int_equal(planted_make(&small, &p), 0);
	failing_each_place_repeated(all_rules(p.runs, &err), &err);
}

TEST_GROUP(qr_set_up, qr_tear_down)
