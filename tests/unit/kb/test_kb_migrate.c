#include "tests/unit/kb/kb_test_applications.h"

/* A base as schema version 6 had it: the table run_stencil, with generated columns. */

static const struct test_run four[] = {{100, 4, 2, 10, 1.5, 1},
				       {100, 4, 2, 10, 0.1, 2},
				       {70, 3, 1, 0, 2.5, 1},
				       {9, 1, 1, 4, 7, 1}};

/* The expressions are those that version 6 printed for the application. */
static const char back_to_6[] =
	"DROP VIEW run; DROP VIEW runs_stencil; DROP VIEW run_stencil;"
	"ALTER TABLE stored_stencil RENAME TO run_stencil;"
	"ALTER TABLE run_stencil DROP COLUMN row_hash;"
	"ALTER TABLE run_stencil ADD COLUMN procs ANY AS (1.0 * px * py) VIRTUAL;"
	"ALTER TABLE run_stencil ADD COLUMN local ANY AS ((n / px + (n % px * px > 0))) VIRTUAL;"
	"ALTER TABLE run_stencil ADD COLUMN fill ANY AS (1.0 * local / b) VIRTUAL;"
	"ALTER TABLE run_stencil ADD COLUMN odd ANY AS "
	"(1.0 * (n % 2) + (n / 3 - (n % 3 * 3 < 0)) - omega) VIRTUAL;"
	"CREATE VIEW runs_stencil AS SELECT run_id, procs FROM run_stencil;"
	"CREATE VIEW run AS SELECT run_id FROM run_stencil;"
	"UPDATE application SET run_table = 'run_stencil';"
	"DROP TABLE advice_job;"
	"DROP TABLE campaign_run; DROP TABLE campaign_batch; DROP TABLE campaign;"
	"DROP TABLE rule_cost; ALTER TABLE rule DROP COLUMN twin_of;"
	"ALTER TABLE rule DROP COLUMN n_checked; ALTER TABLE rule DROP COLUMN n_counter;"
	"PRAGMA user_version = 6";

static const char all_values[] =
	"SELECT group_concat(run_id || ' ' || import_id || ' ' || machine_id || source || status "
	"|| n "
	"|| kind || steps || ' ' || nodes || px || py || ' ' || b || ' ' || omega || ' ' || wall_s "
	"|| ' ' || content_hash || ' ' || procs || typeof(procs) || ' ' || local || typeof(local) "
	"|| ' ' || ifnull(fill, '-') || typeof(fill) || ' ' || odd || typeof(odd), ';') "
	"FROM run_stencil";

static void make_base_of_6(void)
{
	struct kb *kb = base_with_application();

	import_runs(kb, "a", 1, four, 3);
	import_runs(kb, "b", 2, four + 3, 1);
	kb_close(kb);
	raw_sql(path, back_to_6);
}

KB_TEST(a_table_of_version_6_becomes_a_view_that_says_the_same)
{
	char before[2000];

	make_base_of_6();
	snprintf(before, sizeof before, "%s", raw_text(path, all_values));
	assert_true(strlen(before) > 200);
	kb_close(open_base(KB_WRITE));
	assert_string_equal(raw_text(path, all_values), before);
	assert_int_equal(raw_int(path, "PRAGMA user_version"), kb_schema_version());
	assert_string_equal(raw_text(path, "SELECT run_table FROM application"), "stored_stencil");
	assert_int_equal(
		raw_int(path,
			"SELECT count(*) FROM pragma_table_xinfo('stored_stencil') WHERE hidden"),
		0);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM sqlite_schema WHERE name = "
				       "'run_stencil' AND type = 'view'"),
			 1);
	assert_string_equal(raw_text(path, "SELECT machine || ' ' || procs FROM runs_stencil "
					   "WHERE run_id = 4"),
			    "other 1");
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run"), 4);
}

/* Other than that the runs from before are not covered. */
static void expect_no_finding(struct kb *kb)
{
	RELEASED(strbuf) report = STRBUF_INIT;
	int n_found = -1;

	must(kb_check(kb, &report, &n_found, &err));
	assert_int_equal(n_found, 0);
	assert_int_equal(strncmp(strbuf_text(&report), "note: ", 6), 0);
}

KB_TEST(runs_from_before_say_that_they_are_not_covered)
{
	RELEASED(strbuf) report = STRBUF_INIT;
	int n_found = -1;
	CLOSED(kb) *kb;

	make_base_of_6();
	kb = open_base(KB_WRITE);
	import_runs(kb, "c", 1, four, 2);
	must(kb_check(kb, &report, &n_found, &err));
	assert_int_equal(n_found, 0);
	assert_non_null(strstr(strbuf_text(&report), "note: 4 runs of stencil were loaded before"));
}

KB_TEST(what_was_migrated_is_worked_with_as_before)
{
	struct kb *kb;
	struct kb_import imp;
	int64_t n = 0;

	make_base_of_6();
	kb = open_base(KB_WRITE);
	expect_no_finding(kb);
	imp = import_runs(kb, "c", 1, four,
			  4); /* three are known, the fourth is of another machine */
	assert_int_equal(imp.n_known, 3);
	assert_int_equal(imp.n_taken, 1);
	must(kb_undo_import(kb, 1, &n, &err));
	expect_no_finding(kb);
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM stored_stencil"), 5);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run_stencil WHERE procs = 8"), 2);
}

KB_TEST(an_application_without_runs_is_migrated_too)
{
	kb_close(base_with_application());
	raw_sql(path, back_to_6);
	kb_close(open_base(KB_WRITE));
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run_stencil WHERE procs > 0"), 0);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run"), 0);
}

KB_TEST(an_application_whose_definition_is_damaged_leaves_the_base_as_it_was)
{
	struct kb *kb = NULL;
	struct err e = {0};

	make_base_of_6();
	raw_sql(path, "UPDATE application SET definition = 'nonsense'");
	assert_int_not_equal(kb_open(path, KB_WRITE, NULL, &kb, &e), ERR_OK);
	assert_non_null(strstr(e.msg, "stencil"));
	assert_null(kb);
	assert_int_equal(raw_int(path, "PRAGMA user_version"), 6);
	assert_int_equal(raw_int(path, "SELECT sum(procs) FROM run_stencil"), 8 + 8 + 3 + 1);
}
