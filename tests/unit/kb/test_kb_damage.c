#include "tests/support/made_application.h"
#include "tests/unit/kb/kb_mined.h"

#include "tests/support/failing_allocations.h"
#include "tests/support/read_base.h"

FREEABLE(machine)

/* A base that a disk, a crash of the machine or another program has damaged: every read of it ends,
 * with an error or with what is there. What must not happen, the sanitizers and a signal tell.
 * FAULT_SEED draws which bits and values; POINTS=every tries three times as many. */

static const struct test_run few[] = {
	{100, 2, 2, 10, 1.5, 1}, {100, 2, 2, 20, 1.6, 1}, {200, 4, 2, 10, 9.5, 1}};
static const char advice_id[] = "0123456789abcdef";

#define TEXT(literal) ((char *)(uintptr_t)(literal))

static void put_knowledge(struct kb *kb)
{
	RELEASED(kb_fit) fit = {.app_id = 1, .machine_id = 1, .predictor = text_of("wavefront")};
	const struct cost_segment segment = {0, 1e-5, 1e-9, 0, 0};
	RELEASED(kb_rules) rules = sample_mined();

	fit.explanation = text_of("explained");
	memset(fit.snapshot, 'a', 64);
	must(kb_fit_add(&fit, "Wg", 1, 2, "s", "meaning", &err));
	must(kb_put_fit(kb, &fit, &err));
	must(kb_put_message_cost(kb, 1, &segment, 1, &err));
	must(kb_put_rules(kb, 1, 1, &rules, &err));
}

static void put_judgement(struct kb *kb)
{
	const struct kb_advice advice = {.id = TEXT(advice_id),
					 .request = TEXT("{}"),
					 .answer = TEXT("{}"),
					 .snapshot = TEXT("ab"),
					 .first_run_id = 1};
	const struct kb_decision decision = {.kind = DECISION_NOTE,
					     .application = TEXT("stencil"),
					     .rule_id = TEXT("0123456789ab"),
					     .rule_text = TEXT("b = 1"),
					     .rule_shape = TEXT("b = ?"),
					     .why = TEXT("seen"),
					     .who = TEXT("me")};

	must(kb_put_advice(kb, &advice, &err));
	must(kb_add_decision(kb, &decision, &err));
	must(kb_exclude_run(kb, 1, "me", "disturbed", &err));
	must(kb_set_default(kb, "machine", "m", &err));
}

/* At path, in one file; every kind of table has a row. */
static void make_base(void)
{
	struct kb *kb = base_with_application();

	import_runs(kb, "1", 1, few, 3);
	put_knowledge(kb);
	put_judgement(kb);
	kb_close(kb);
	raw_sql(path, "PRAGMA journal_mode = DELETE");
}

static void read_it(void)
{
	struct strbuf report = STRBUF_INIT;
	struct kb *kb = NULL;
	struct err e = {0};
	int n_found = 0;
	enum err_code rc = kb_open(path, KB_READ, NULL, &kb, &e);

	assert_int_equal(rc != ERR_OK, e.msg[0] != '\0');
	if (rc)
		return;
	read_base(kb, "stencil", "m", advice_id);
	kb_check(kb, &report, &n_found, NULL);
	strbuf_release(&report);
	kb_close(kb);
}

/* ---- bits ---- */

/* In each page some at its beginning, where SQLite keeps what it is, and some anywhere. */
KB_TEST(flipped_bits_in_any_page_are_an_error_or_harmless)
{
	enum { PAGE = 4096 };
	const size_t flips = every_fault() ? 6 : 2;
	uint32_t random = 1 + (uint32_t)fault_seed();
	size_t n;
	HEAP char *bytes;

	make_base();
	bytes = read_all(path, &n);
	for (size_t i = 0; i < n / PAGE * flips; i++) {
		size_t at;
		char was;

		random = random * 1664525 + 1013904223;
		at = i / flips * PAGE + (random >> 8) % (i % 2 ? PAGE : 16);
		was = bytes[at];
		bytes[at] = (char)(was ^ 1 << (random >> 4) % 8);
		write_bytes(path, bytes, n);
		read_it();
		bytes[at] = was;
	}
}

KB_TEST(a_file_that_was_cut_off_is_an_error_or_harmless)
{
	size_t n;
	HEAP char *bytes;

	make_base();
	bytes = read_all(path, &n);
	for (size_t cut = 0; cut < n; cut += n / 40 + 1) {
		write_bytes(path, bytes, cut);
		read_it();
	}
}

/* ---- values ---- */

/* What the schema keeps out is in the file as a flipped bit may have put it there. */
static void drop_constraints(void)
{
	raw_sql(path,
		"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(replace("
		"replace(replace(sql, 'TEXT NOT NULL', 'TEXT'), 'INTEGER NOT NULL', "
		"'INTEGER'), 'REAL NOT NULL', 'REAL'), ') STRICT', ')') WHERE type = 'table'");
}

/* Each column of each table, "UPDATE table SET column = %s", one a line. */
static char *all_columns(void)
{
	static const char sql[] =
		"SELECT group_concat('UPDATE \"' || t.name || '\" SET \"' || c.name || '\" = ', "
		"char(10)) FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = "
		"'table' AND t.name NOT LIKE 'sqlite%'";
	sqlite3 *db = NULL;
	sqlite3_stmt *s = NULL;
	char *text;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	text = text_of((const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_close(db);
	return text;
}

/* Some are refused (a key twice): then there is nothing to read. */
static void read_with_value(const char *update, const char *value)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3 *db = NULL;
	bool done;

	strbuf_printf(&sql,
		      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA "
		      "ignore_check_constraints = ON; %s%s",
		      update, value);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	done = sqlite3_exec(db, strbuf_text(&sql), NULL, NULL, NULL) == SQLITE_OK;
	sqlite3_close(db);
	strbuf_release(&sql);
	if (done)
		read_it();
}

KB_TEST(a_value_that_cannot_be_in_any_column_is_an_error_or_harmless)
{
	enum { VALUES = 3 };
	static const char *const value[VALUES] = {"NULL", "'abc'", "-1e308"};
	char *columns, *rest;
	size_t n, turn = fault_seed() % VALUES;
	HEAP char *bytes;

	make_base();
	drop_constraints();
	columns = all_columns();
	bytes = read_all(path, &n);
	for (char *update = strtok_r(columns, "\n", &rest); update;
	     update = strtok_r(NULL, "\n", &rest), turn++) {
		for (size_t i = 0; i < VALUES; i++) {
			if (!every_fault() && i != turn % VALUES)
				continue;
			write_bytes(path, bytes, n);
			read_with_value(update, value[i]);
		}
	}
	free(columns);
}

/* ---- what is said ---- */

static void refused(const char *sql, const char *why)
{
	FREED(application) *a = NULL;
	FREED(machine) *m = NULL;
	struct dataset *runs = NULL;
	CLOSED(kb) *kb;
	struct err e = {0};
	enum err_code rc;

	raw_sql(path, sql);
	kb = open_base(KB_INSPECT); /* others refuse a changed view at once */
	if (!(rc = kb_get_machine(kb, "m", &m, NULL, &e)) &&
	    !(rc = kb_get_application(kb, "stencil", &a, NULL, &e)))
		rc = kb_load_runs(kb, a, NULL, NULL, &runs, &e);
	assert_int_equal(rc, ERR_KB);
	if (!strstr(e.msg, why))
		fail_msg("\"%s\" does not say \"%s\"", e.msg, why);
}

KB_TEST(a_damaged_definition_or_run_is_named)
{
	make_base();
	drop_constraints();
	refused("PRAGMA ignore_check_constraints = ON; UPDATE stored_stencil SET source = "
		"'meatured' "
		"WHERE run_id = 2",
		"run 2 is damaged");
	refused("UPDATE application SET definition = replace(definition, 'stencil', 'stencim')",
		"the definition of stencil is damaged");
	refused("UPDATE machine SET definition = NULL", "the definition of m is damaged");
}

KB_TEST(a_view_without_end_in_place_of_the_runs_is_refused)
{
	make_base();
	refused("DROP VIEW run_stencil; CREATE VIEW run_stencil AS WITH RECURSIVE "
		"t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT x.* FROM stored_stencil "
		"AS x, t",
		"not authorized");
}
