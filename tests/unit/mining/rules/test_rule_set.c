#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/qr_application.h"

#include "mining/rules/mine_rules.h"

static void add_rule(struct rule_list *l, const char *condition, double usefulness)
{
	struct rule r = {.kind = RULE_CHOICE,
			 .condition = strdup(condition),
			 .evidence = {.effect = 2, .usefulness = usefulness}};

	must(rule_list_add(l, &r, &err));
}

static struct rule_list three_rules(void)
{
	struct rule_list l = {0};

	add_rule(&l, "b >= 64", 0.25);
	add_rule(&l, "procs = 4", 0.5);
	add_rule(&l, "b <= 16", 0.125);
	return l;
}

TEST(the_most_useful_comes_first_and_is_ready_to_be_asked)
{
	static const char *const want[] = {"procs = 4", "b >= 64", "b <= 16"};
	static const bool holds[] = {true, false, true};
	FREED(application) *app = qr_application();
	struct rule_list l = three_rules();
	struct rule_set s = {.test = NULL};
	double row[16];

	qr_row(app, (struct qr){1000, 500, 16, 0, 4}, row);
	must(rule_set_make(app, &l, &s, &err));
	assert_int_equal(l.n, 0); /* they are the set's now */
	assert_int_equal(s.rules.n, 3);
	for (int r = 0; r < 3; r++) {
		assert_string_equal(s.rules.item[r].condition, want[r]);
		assert_int_equal(rule_condition_holds(s.test[r], row), holds[r]);
		assert_int_equal(strlen(s.rules.item[r].id), RULE_ID_SIZE - 1);
	}
	rule_set_release(&s);
	assert_int_equal(s.rules.n, 0);
	assert_null(s.test);
}

/* So that the order does not depend on that of mining. */
TEST(of_equal_usefulness_the_identity_decides)
{
	static const char *const condition[] = {"b >= 64", "procs = 4", "b <= 16", "n > 700"};
	FREED(application) *app = qr_application();

	for (int turn = 0; turn < 4; turn++) {
		struct rule_list l = {0};
		RELEASED(rule_set) s = {.test = NULL};

		for (int k = 0; k < 4; k++)
			add_rule(&l, condition[(turn + k) % 4], 0.5);
		must(rule_set_make(app, &l, &s, &err));
		for (int k = 1; k < 4; k++)
			assert_true(strcmp(s.rules.item[k - 1].id, s.rules.item[k].id) < 0);
	}
}

/* As when both halves of the runs lead to them: the base holds a rule once. */
TEST(what_two_rules_say_alike_is_one_rule_the_more_useful)
{
	FREED(application) *app = qr_application();
	struct rule_list l = {0};
	RELEASED(rule_set) s = {.test = NULL};

	add_rule(&l, "b >= 64 and procs = 4", 0.125);
	add_rule(&l, "b <= 16", 0.25);
	add_rule(&l, "procs = 4 and b >= 64", 0.5); /* the order of its parts is no matter */
	must(rule_set_make(app, &l, &s, &err));
	assert_int_equal(s.rules.n, 2);
	check_rel(s.rules.item[0].evidence.usefulness, 0.5, 1e-15);
	assert_string_equal(s.rules.item[1].condition, "b <= 16");
}

TEST(no_rules_are_a_set_of_none)
{
	FREED(application) *app = qr_application();
	struct rule_list l = {0};
	RELEASED(rule_set) s = {.rules = {.n = 77}};

	must(rule_set_make(app, &l, &s, &err));
	assert_int_equal(s.rules.n, 0);
}

TEST(a_rule_of_another_application_is_refused)
{
	FREED(application) *app = qr_application();
	struct rule_list l = three_rules();
	struct rule_set s = {.rules = {.n = 77}};

	add_rule(&l, "mk = 5", 0.1);
	must_fail(rule_set_make(app, &l, &s, &err), ERR_PARSE, "mk");
	assert_int_equal(l.n, 0); /* taken over also then */
	assert_int_equal(s.rules.n, 77);
}

TEST(no_rules_are_ready_without_memory)
{
	FREED(application) *app = qr_application();
	RELEASED(rule_set) s = {.rules = {.n = 77}};
	bool failed = true;

	for (long n = 1; failed; n++) {
		struct rule_list l = three_rules();
		enum err_code rc;

		failing_allocation_start(n);
		rc = rule_set_make(app, &l, &s, &err);
		failed = failing_allocation_stop();
		assert_int_equal(rc, failed ? ERR_NOMEM : ERR_OK);
		assert_int_equal(s.rules.n, failed ? 77 : 3);
	}
}
