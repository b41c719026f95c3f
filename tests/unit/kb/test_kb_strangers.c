#include "tests/unit/kb/kb_test_applications.h"

/* What another program put into the base: triggers, views, tables. */

static const struct test_run two[] = {{100, 2, 2, 10, 1.5, 1}, {100, 2, 2, 20, 1.6, 1}};

static void make_base(void)
{
	CLOSED(kb) *kb = base_with_application();

	import_runs(kb, "a", 1, two, 2);
}

static void accept_a_rule(struct kb *kb)
{
	static const struct kb_decision d = {
		.kind = DECISION_ACCEPT,
		.application = (char *)(uintptr_t) "stencil",
		.rule_id = (char *)(uintptr_t) "0123456789ab",
		.rule_text = (char *)(uintptr_t) "b = 10 is fast",
		.rule_shape = (char *)(uintptr_t) "b",
		.why = (char *)(uintptr_t) "",
		.who = (char *)(uintptr_t) "me",
	};

	must(kb_add_decision(kb, &d, &err));
}

KB_TEST(a_foreign_trigger_is_not_obeyed)
{
	struct kb *kb;

	make_base();
	raw_sql(path,
		"CREATE TRIGGER x AFTER INSERT ON rule_decision BEGIN UPDATE rule_decision SET "
		"kind = 'refuse'; END;"
		"CREATE TRIGGER y AFTER INSERT ON advice BEGIN DELETE FROM rule_decision; END;"
		"CREATE TRIGGER z AFTER INSERT ON import BEGIN DELETE FROM stored_stencil; END;");
	kb = open_base(KB_WRITE);
	accept_a_rule(kb);
	must(kb_put_advice(kb,
			   &(struct kb_advice){.id = (char *)(uintptr_t) "abcd",
					       .request = (char *)(uintptr_t) "{}",
					       .answer = (char *)(uintptr_t) "{}",
					       .snapshot = (char *)(uintptr_t) ""},
			   &err));
	import_runs(kb, "b", 2, two, 2);
	kb_close(kb);
	assert_string_equal(raw_text(path, "SELECT group_concat(kind) FROM rule_decision"),
			    "accept");
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run"), 4);
}

static void expect_finding(const char *sql, const char *finding)
{
	struct strbuf report = STRBUF_INIT;
	int n_found = 0;
	struct kb *kb;

	make_base();
	raw_sql(path, sql);
	kb = open_base(KB_INSPECT);
	must(kb_check(kb, &report, &n_found, &err));
	if (n_found < 1 || !strstr(strbuf_text(&report), finding))
		fail_msg("%s: %d findings: %s", sql, n_found, strbuf_text(&report));
	strbuf_release(&report);
	kb_close(kb);
	unlink(path);
}

KB_TEST(check_names_every_stranger)
{
	expect_finding("CREATE TRIGGER x AFTER INSERT ON import BEGIN SELECT 1; END",
		       "trigger x of import is none of this program's");
	expect_finding("CREATE VIEW mine AS SELECT 1", "view mine is none that this program makes");
	expect_finding("CREATE TABLE notes (text)", "table notes is none that");
	expect_finding("CREATE INDEX by_wall ON stored_stencil (wall_s)", "index by_wall is none");
	expect_finding("DROP VIEW rule_decisions; CREATE VIEW rule_decisions AS SELECT *, 0 AS "
		       "undone FROM rule_decision",
		       "view rule_decisions is not as this program makes it");
	expect_finding("DROP VIEW run_stencil; CREATE VIEW run_stencil AS SELECT * FROM "
		       "stored_stencil WHERE wall_s < 1.55",
		       "view run_stencil is not as this program makes it");
	expect_finding("ALTER TABLE stored_stencil ADD COLUMN price REAL",
		       "table stored_stencil is not as this program makes it");
	expect_finding("ALTER TABLE setting ADD COLUMN price REAL",
		       "table setting is not as this program makes it");
	expect_finding("DROP INDEX import_identity", "index import_identity is missing");
	expect_finding("DROP TABLE exclusion_waiting", "table exclusion_waiting is missing");
}

/* They were read: rules that nobody mined, times that nobody measured. */
KB_TEST(a_changed_view_is_refused_and_named_by_check)
{
	static const char *const changed[] = {
		"rule_decisions",
		"DROP VIEW rule_decisions; CREATE VIEW rule_decisions AS SELECT *, "
		"0 AS undone FROM rule_decision",
		"rules",
		"DROP VIEW rules; CREATE VIEW rules AS SELECT 1 AS rule_id",
		"run_stencil",
		"DROP VIEW run_stencil; CREATE VIEW run_stencil AS SELECT * FROM "
		"stored_stencil WHERE wall_s < 1.55",
		"runs_stencil",
		"DROP VIEW runs_stencil; CREATE VIEW runs_stencil AS SELECT 1",
		"run",
		"DROP VIEW run; CREATE VIEW run AS WITH RECURSIVE t(run_id) AS (SELECT 1 "
		"UNION ALL SELECT run_id + 1 FROM t) SELECT * FROM t"};

	for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i += 2) {
		char finding[100];
		struct kb *kb = NULL;

		snprintf(finding, sizeof finding, "view %s is not as this program makes it",
			 changed[i]);
		make_base();
		raw_sql(path, changed[i + 1]);
		must_fail(kb_open(path, KB_READ, NULL, &kb, &err), ERR_KB, finding);
		assert_int_equal(kb_open(path, KB_WRITE, NULL, &kb, NULL), ERR_KB);
		unlink(path);
		expect_finding(changed[i + 1], finding);
	}
}

KB_TEST(check_ends_where_views_without_end_stand_for_tables)
{
	static const char *const table[] = {"application", "application_column", "setting",
					    "machine", "import"};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		char sql[400], finding[100];

		snprintf(sql, sizeof sql,
			 "ALTER TABLE %s RENAME TO hidden; CREATE VIEW %s AS WITH RECURSIVE t(i) "
			 "AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT hidden.* FROM hidden, "
			 "t",
			 table[i], table[i]);
		snprintf(finding, sizeof finding, "view %s stands in the place of a table",
			 table[i]);
		expect_finding(sql, finding);
	}
}

KB_TEST(check_tells_a_row_hash_that_was_taken_away)
{
	expect_finding("UPDATE stored_stencil SET row_hash = NULL WHERE run_id = 1",
		       "run 1 of stencil is without the hash of the row");
	expect_finding("UPDATE stored_stencil SET row_hash = NULL",
		       "of stencil are without the hash of the row");
}

KB_TEST(check_tells_runs_outside_the_ranges_of_their_definition)
{
	expect_finding("UPDATE stored_stencil SET nodes = 0 WHERE run_id = 2",
		       "run 2 of stencil: nodes is outside the range of its definition");
	expect_finding("UPDATE stored_stencil SET n = -5",
		       "and 1 more of stencil: n is outside the range of its definition");
}

KB_TEST(check_tells_a_definition_under_another_name)
{
	expect_finding("UPDATE machine SET name = 'another' WHERE machine_id = 1",
		       "machine another: its definition is that of m");
	expect_finding("UPDATE application SET name = 'another'",
		       "application another: its definition is that of stencil");
}

/* Another definition: one column came, one went, and what is computed from it changed. */
KB_TEST(an_application_that_was_extended_is_no_stranger)
{
	HEAP char *text = strdup(stencil_text);
	CLOSED(kb) *kb;

	make_base();
	kb = open_base(KB_WRITE);
	for (char *p; (p = strstr(text, "omega"));)
		memcpy(p, "alpha", 5);
	put_application(kb, text);
	check_sound(kb);
}

KB_TEST(a_view_in_place_of_a_table_is_refused)
{
	static const char *const table[] = {"exclusion", "rule_decision", "stored_stencil"};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		char sql[400];
		struct kb *kb = NULL;

		make_base();
		snprintf(sql, sizeof sql,
			 "ALTER TABLE %s RENAME TO hidden; CREATE VIEW %s AS WITH RECURSIVE t(i) "
			 "AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT hidden.* FROM hidden, "
			 "t",
			 table[i], table[i]);
		raw_sql(path, sql);
		must_fail(kb_open(path, KB_READ, NULL, &kb, &err), ERR_KB,
			  "a view stands in the place of the table");
		assert_non_null(strstr(err.msg, table[i]));
		assert_int_equal(kb_open(path, KB_WRITE, NULL, &kb, NULL), ERR_KB);
		unlink(path);
	}
}
