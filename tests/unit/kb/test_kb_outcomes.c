#include "tests/support/made_application.h"
#include "tests/unit/kb/kb_test_applications.h"

/* What happened after a recommendation: kb_find_outcomes(), kb_changes_since(). */

/* What is recommended here: n 100 on a 2x2 grid with block 10. */
static const struct test_run good = {100, 2, 2, 10, 5.0, 0};

static struct test_run took(double wall_s, int repeat)
{
	struct test_run r = good;

	r.wall_s = wall_s;
	r.repeat = repeat;
	return r;
}

/* Advice as of now. */
static struct kb_advice given_at(struct kb *kb, const char *when)
{
	struct kb_advice a = {.id = (char *)(uintptr_t) "5f1c0a",
			      .given_at = (char *)(uintptr_t)when,
			      .request = (char *)(uintptr_t) "{}",
			      .answer = (char *)(uintptr_t) "{}",
			      .snapshot = (char *)(uintptr_t) "s"};

	must(kb_next_run_id(kb, &a.first_run_id, &err));
	return a;
}

/* Imports of these tests happen at dates that they say. */
static void date_import(int64_t id, const char *when)
{
	char sql[200];

	snprintf(sql, sizeof sql, "UPDATE import SET imported_at = '%s' WHERE import_id = %lld",
		 when, (long long)id);
	raw_sql(path, sql);
}

#define MONDAY "2026-03-02T10:00:00Z"
#define TUESDAY "2026-03-03T10:00:00Z"
#define WEDNESDAY "2026-03-04T10:00:00Z"

static int64_t import_at(struct kb *kb, const char *tag, const char *when, struct test_run run)
{
	int64_t id = import_runs(kb, tag, 1, &run, 1).id;

	date_import(id, when);
	return id;
}

static struct kb_outcomes outcomes_of(struct kb *kb, const struct kb_advice *advice)
{
	struct kb_outcomes o = {0};
	int64_t app_id;
	FREED(application) *a = get_application(kb, "stencil", &app_id);
	double row[32];

	row_of(a, &good, row);
	must(kb_find_outcomes(kb, a, 1, row, advice, &o, &err));
	return o;
}

static size_t count_outcomes(struct kb *kb, const struct kb_advice *advice)
{
	RELEASED(kb_outcomes) o = outcomes_of(kb, advice);

	return o.n;
}

KB_TEST(only_what_was_loaded_later_is_an_outcome)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice advice;
	RELEASED(kb_outcomes) o;

	/* All within the second in which it was given. */
	import_at(kb, "a", TUESDAY, took(4, 1));
	advice = given_at(kb, TUESDAY);
	assert_int_equal(count_outcomes(kb, &advice), 0);
	import_at(kb, "b", TUESDAY, took(5, 2));
	import_at(kb, "c", WEDNESDAY, took(6, 3));
	o = outcomes_of(kb, &advice);
	assert_int_equal(o.n, 2);
	assert_int_equal(o.item[0].run_id, 2);
	assert_int_equal(o.item[0].import_id, 2);
	check_rel(o.item[0].wall_s, 5.0, 1e-15);
	check_rel(o.item[1].wall_s, 6.0, 1e-15);
	assert_false(o.item[0].timed_out);
}

KB_TEST(without_ids_only_a_later_second_is_later)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice advice = given_at(kb, TUESDAY);

	advice.first_run_id = 0;
	import_at(kb, "a", MONDAY, took(4, 1));
	import_at(kb, "b", TUESDAY, took(5, 2));
	assert_int_equal(count_outcomes(kb, &advice), 0);
	import_at(kb, "c", WEDNESDAY, took(6, 3));
	assert_int_equal(count_outcomes(kb, &advice), 1);
}

KB_TEST(another_configuration_or_machine_is_no_outcome)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice advice = given_at(kb, TUESDAY);
	struct test_run other[4] = {good, good, good, good};
	struct test_run same = took(5, 1);

	other[0].n = 101;
	other[1].px = 4;
	other[1].py = 1;
	other[2].b = 5;
	other[3].py = 3;
	for (int i = 0; i < 4; i++)
		other[i].repeat = i + 2;
	date_import(import_runs(kb, "a", 1, other, 4).id, WEDNESDAY);
	date_import(import_runs(kb, "b", 2, &same, 1).id, WEDNESDAY);
	assert_int_equal(count_outcomes(kb, &advice), 0);
	date_import(import_runs(kb, "c", 1, &same, 1).id, WEDNESDAY);
	assert_int_equal(count_outcomes(kb, &advice), 1);
}

KB_TEST(excluded_failed_and_modelled_runs_tell_nothing)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice advice = given_at(kb, TUESDAY);
	struct kb_outcomes o;

	for (int i = 0; i < 5; i++)
		import_at(kb, (const char[]){(char)('a' + i), '\0'}, WEDNESDAY, took(5 + i, i + 1));
	must(kb_exclude_run(kb, 1, "me", "a test", &err));
	raw_sql(path, "UPDATE stored_stencil SET status = 'failed' WHERE run_id = 2;"
		      "UPDATE stored_stencil SET source = 'modelled' WHERE run_id = 3;"
		      "UPDATE stored_stencil SET source = 'simulated' WHERE run_id = 4;"
		      "UPDATE stored_stencil SET status = 'timeout' WHERE run_id = 5");
	o = outcomes_of(kb, &advice);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.item[0].run_id, 5);
	assert_true(o.item[0].timed_out);
	kb_outcomes_release(&o);
	/* Simulated runs are what happens on a simulated machine. */
	raw_sql(path, "UPDATE machine SET simulated = 1");
	assert_int_equal(count_outcomes(kb, &advice), 2);
	must(kb_include_run(kb, 1, &err));
	assert_int_equal(count_outcomes(kb, &advice), 3);
}

KB_TEST(outcomes_go_with_an_undone_import_and_come_back)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice advice = given_at(kb, TUESDAY);
	int64_t id = import_at(kb, "a", WEDNESDAY, took(5, 1));

	assert_int_equal(count_outcomes(kb, &advice), 1);
	must(kb_undo_import(kb, id, NULL, &err));
	assert_int_equal(count_outcomes(kb, &advice), 0);
	import_at(kb, "a", WEDNESDAY, took(5, 1));
	assert_int_equal(count_outcomes(kb, &advice), 1);
}

/* A wrong mapping put right after the advice: new ids, old runs. */
KB_TEST(file_known_before_tells_nothing_however_it_is_read_again)
{
	CLOSED(kb) *kb = base_with_application();
	int64_t id = import_at(kb, "a", MONDAY, took(5, 1));
	struct kb_advice advice = given_at(kb, TUESDAY);

	must(kb_undo_import(kb, id, NULL, &err));
	import_at(kb, "a", WEDNESDAY, took(5, 1));
	assert_int_equal(count_outcomes(kb, &advice), 0);
}

/* The row of the earlier file stays where it was, though a later file has it too and inherits it.
 */
KB_TEST(run_handed_over_to_a_later_import_is_no_outcome)
{
	CLOSED(kb) *kb = base_with_application();
	struct test_run both[2] = {took(5, 1), took(6, 2)};
	int64_t id = import_at(kb, "a", MONDAY, both[0]);
	struct kb_advice advice = given_at(kb, TUESDAY);

	date_import(import_runs(kb, "b", 1, both, 2).id, WEDNESDAY);
	assert_int_equal(count_outcomes(kb, &advice), 1);
	must(kb_undo_import(kb, id, NULL, &err));
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run_stencil WHERE import_id = 2"), 2);
	assert_int_equal(count_outcomes(kb, &advice), 1);
}

KB_TEST(what_was_not_recommended_may_be_anything)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice advice = given_at(kb, TUESDAY);
	RELEASED(kb_outcomes) o = {0};
	int64_t app_id;
	FREED(application) *a;
	double row[32];

	import_at(kb, "a", WEDNESDAY, took(5, 1));
	a = get_application(kb, "stencil", &app_id);
	configuration_clear(a, row);
	must(kb_find_outcomes(kb, a, 1, row, &advice, &o, &err));
	assert_int_equal(o.n, 1);
}

/* ---- what changed ---- */

static struct kb_changes changes_since(struct kb *kb, const struct kb_advice *advice)
{
	struct kb_changes c = {0};
	int64_t app_id;
	FREED(application) *a = get_application(kb, "stencil", &app_id);

	must(kb_changes_since(kb, a, 1, 0, advice, &c, &err));
	return c;
}

KB_TEST(changes_are_imports_undoings_and_exclusions)
{
	CLOSED(kb) *kb = base_with_application();
	struct test_run elsewhere = took(9, 9);
	struct kb_advice advice;
	struct kb_changes c;
	int64_t old;

	old = import_at(kb, "a", MONDAY, took(4, 1));
	import_at(kb, "b", TUESDAY, took(5, 2));
	advice = given_at(kb, TUESDAY);
	c = changes_since(kb, &advice);
	assert_int_equal(c.n_came + c.n_gone, 0);
	assert_int_equal(c.n_excluded, 0);
	kb_changes_release(&c);

	import_at(kb, "c", TUESDAY, took(6, 3));
	date_import(import_runs(kb, "d", 2, &elsewhere, 1).id, WEDNESDAY);
	must(kb_undo_import(kb, old, NULL, &err));
	must(kb_exclude_run(kb, 2, "me", "a test", &err));
	c = changes_since(kb, &advice);
	assert_int_equal(c.n_came, 1);
	assert_int_equal(c.came[0].id, 3);
	assert_int_equal(c.came[0].n_runs, 1);
	assert_string_equal(c.came[0].file_name, "c");
	assert_string_equal(c.came[0].at, TUESDAY);
	assert_false(c.came[0].pingpong);
	assert_int_equal(c.n_gone, 1);
	assert_int_equal(c.gone[0].id, old);
	assert_int_equal(c.n_excluded, 1);
	kb_changes_release(&c);
}

KB_TEST(pingpong_is_a_change_too)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice advice = given_at(kb, TUESDAY);
	struct kb_import imp = import_of("p");
	double bytes[] = {8, 80}, s[] = {1e-6, 2e-6};
	struct kb_pingpong rows = {bytes, s, 2, false};
	RELEASED(kb_changes) c;

	imp.application = NULL;
	imp.machine = (char *)(uintptr_t) "m";
	must(kb_add_pingpong(kb, 1, &imp, &rows, &err));
	date_import(1, WEDNESDAY);
	c = changes_since(kb, &advice);
	assert_int_equal(c.n_came, 1);
	assert_true(c.came[0].pingpong);
}

/* ---- the list ---- */

KB_TEST(list_is_latest_first_and_keeps_the_first_run_id)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_advice first = given_at(kb, MONDAY);
	struct kb_advice second;
	struct kb_advice_list l = {0};

	must(kb_list_advice(kb, &l, &err));
	assert_int_equal(l.n, 0);
	kb_advice_list_release(&l);
	must(kb_put_advice(kb, &first, &err));
	import_at(kb, "a", MONDAY, took(5, 1));
	second = given_at(kb, TUESDAY);
	second.id = (char *)(uintptr_t) "0123ab";
	must(kb_put_advice(kb, &second, &err));
	must(kb_list_advice(kb, &l, &err));
	assert_int_equal(l.n, 2);
	assert_string_equal(l.item[0].id, "0123ab");
	assert_int_equal(l.item[0].first_run_id, 2);
	assert_string_equal(l.item[1].id, "5f1c0a");
	assert_int_equal(l.item[1].first_run_id, 1);
	kb_advice_list_release(&l);
}

/* In another base runs have other ids, so only dates are left. */
KB_TEST(merged_advice_forgets_its_first_run_id)
{
	struct kb *kb = base_with_application();
	struct kb_advice a = given_at(kb, MONDAY);
	struct kb_merge_result r;
	CLOSED(kb) *other = NULL;
	RELEASED(kb_advice_list) l = {0};

	must(kb_put_advice(kb, &a, &err));
	kb_close(kb);
	must(kb_open(in_folder("other.kb"), KB_CREATE, NULL, &other, &err));
	must(kb_merge(other, path, NULL, &r, &err));
	must(kb_list_advice(other, &l, &err));
	assert_int_equal(l.n, 1);
	assert_int_equal(l.item[0].first_run_id, 0);
}
