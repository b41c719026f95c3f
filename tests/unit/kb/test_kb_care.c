#include "tests/unit/kb/kb_test_applications.h"

static const struct test_run four[] = {{100, 2, 2, 10, 1.5, 1},
				       {100, 2, 2, 20, 1.6, 1},
				       {200, 4, 2, 10, 9.5, 1},
				       {200, 4, 2, 20, 9.4, 1}};

/* Another base next to path, of the same application and machines. */
static char other_path[256];

static struct kb *other_base(void)
{
	char saved[sizeof path];
	struct kb *kb;

	memcpy(saved, path, sizeof path);
	snprintf(other_path, sizeof other_path, "%s/other.kb", folder);
	memcpy(path, other_path, sizeof path);
	kb = base_with_application();
	memcpy(path, saved, sizeof path);
	return kb;
}

static struct kb_merge_result merge(struct kb *kb)
{
	struct kb_merge_result result = {-1, -1, -1, -1, -1, -1};

	must(kb_merge(kb, other_path, NULL, &result, &err));
	check_sound(kb);
	return result;
}

/* ---- backup ---- */

KB_TEST(a_backup_is_a_base_of_its_own)
{
	struct kb *kb = base_with_application();
	struct kb *copy = NULL;
	const char *to = in_folder("back up?.kb");

	import_runs(kb, "a", 1, four, 4);
	must(kb_backup(kb, to, &err));
	kb_close(kb);
	must(kb_open(to, KB_READ, NULL, &copy, &err));
	check_sound(copy);
	kb_close(copy);
	assert_int_equal(raw_int(to, "SELECT count(*) FROM run"), 4);
	assert_int_equal(raw_int(to, "PRAGMA application_id"), KB_APPLICATION_ID);
	assert_int_equal(raw_int(to, "SELECT journal_mode = 'delete' FROM pragma_journal_mode"), 1);
}

/* arg: the name. */
static bool expect_no_file(void *arg, const char *what, uint64_t done, uint64_t total)
{
	assert_int_not_equal(access(arg, F_OK), 0);
	return true;
}

/* Killed in between it leaves no half of a base under the name. */
KB_TEST(a_backup_has_its_name_when_it_is_whole)
{
	char to[sizeof folder + 20];
	const struct progress looks = {.step = expect_no_file, .arg = to};
	const struct kb_options o = {.progress = &looks};
	CLOSED(kb) *kb = NULL;

	snprintf(to, sizeof to, "%s/copy.kb", folder);
	kb_close(base_with_application());
	must(kb_open(path, KB_READ, &o, &kb, &err));
	must(kb_backup(kb, to, &err));
	assert_int_equal(access(to, F_OK), 0);
}

KB_TEST(a_backup_never_overwrites)
{
	CLOSED(kb) *kb = base_with_application();
	const char *to = in_folder("there");

	write_file(to, "");
	must_fail(kb_backup(kb, to, &err), ERR_ARG, "never overwrites");
	assert_int_equal(kb_backup(kb, path, &err), ERR_ARG);
	assert_int_equal(kb_backup(kb, in_folder("no/such/folder.kb"), &err), ERR_IO);
	check_sound(kb);
}

KB_TEST(a_read_only_base_can_be_backed_up)
{
	CLOSED(kb) *kb;

	kb_close(base_with_application());
	kb = open_base(KB_READ);
	must(kb_backup(kb, in_folder("copy.kb"), &err));
}

/* ---- check ---- */

KB_TEST(check_finds_what_somebody_broke)
{
	static const struct {
		const char *sql;
		const char *finding;
	} broken[] = {
		{"DELETE FROM stored_stencil WHERE run_id = 2", "import 1 says 4 runs and has 3"},
		{"UPDATE import_machine SET n_runs = 7", "counts 7 runs of machine 1 and has 4"},
		{"DELETE FROM import_machine", "has runs of machine 1 that are not counted"},
		{"UPDATE counter SET next = 2", "has a number that was not given out yet"},
		{"UPDATE application SET definition = definition || ' '", "hash of its definition"},
		{"UPDATE machine SET definition = 'x', sha256 = sha256", "x"},
		{"UPDATE import SET n_known = 3", "says 3 known rows and remembers 0"},
		{"UPDATE import SET undone_at = 'x'", "was undone and still has runs"},
		{"INSERT INTO exclusion VALUES (77, 'stencil', 0, '', '', '')",
		 "run 77 is excluded but is not there"},
		{"INSERT INTO known_run VALUES (1, 78, 1)",
		 "run 78, known to import 1, is not there"},
		{"UPDATE stored_stencil SET n = n + 1 WHERE run_id = 3",
		 "run 3 of stencil is not what was loaded"},
		{"UPDATE stored_stencil SET kind = kind || ' ' WHERE run_id > 2",
		 "runs 3, 4 of stencil are not what was loaded"},
		{"UPDATE stored_stencil SET wall_s = wall_s * 1.5 WHERE run_id = 1",
		 "run 1 of stencil is not what was loaded"},
		{"UPDATE stored_stencil SET line = line + 1 WHERE run_id = 2",
		 "run 2 of stencil is not what was loaded"},
		{"UPDATE stored_stencil SET computed = 'px' WHERE run_id = 1",
		 "run 1 of stencil is not what was loaded"},
		{"UPDATE stored_stencil SET extra = '{}' WHERE run_id = 4",
		 "run 4 of stencil is not what was loaded"},
		{"UPDATE stored_stencil SET row_hash = row_hash + 1 WHERE run_id = 4",
		 "run 4 of stencil is not what was loaded"},
		{"UPDATE stored_stencil SET machine_id = 99",
		 "refers to a machine that is not there"},
	};

	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		struct kb *kb = base_with_application();
		struct strbuf report = STRBUF_INIT;
		int n_found = 0;

		import_runs(kb, "a", 1, four, 4);
		kb_close(kb);
		raw_sql(path, broken[i].sql);
		kb = open_base(KB_READ);
		must(kb_check(kb, &report, &n_found, &err));
		assert_true(n_found > 0);
		if (!strstr(strbuf_text(&report), broken[i].finding)) {
			print_error("%s: %s\n", broken[i].sql, strbuf_text(&report));
			fail();
		}
		strbuf_release(&report);
		kb_close(kb);
		unlink(path);
	}
}

KB_TEST(a_damaged_page_is_found)
{
	struct kb *kb = base_with_application();
	RELEASED(strbuf) report = STRBUF_INIT;
	int n_found = 0;
	int64_t page;
	FILE *f;
	enum err_code rc;

	import_runs(kb, "a", 1, four, 4);
	kb_close(kb);
	page = raw_int(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'stored_stencil'");
	f = fopen(path, "r+b");
	assert_non_null(f);
	fseek(f, (long)(page - 1) * 4096, SEEK_SET);
	for (int i = 0; i < 100; i++)
		fputc(0xa5, f);
	fclose(f);
	kb = open_base(KB_READ);
	rc = kb_check(kb, &report, &n_found, &err);
	assert_true(rc == ERR_KB || (rc == ERR_OK && n_found > 0));
	kb_close(kb);
}

/* ---- merge ---- */

KB_TEST(a_merge_brings_all_that_is_new)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb *other = other_base();
	struct kb_merge_result r;
	struct kb_import costs = import_of("pp");
	struct kb_advice advice = {.id = (char *)(uintptr_t) "abcd12",
				   .request = (char *)(uintptr_t) "{}",
				   .answer = (char *)(uintptr_t) "{}",
				   .snapshot = (char *)(uintptr_t) "s"};

	import_runs(kb, "a", 1, four, 2);
	put_machine(other, "third");
	import_runs(other, "a", 1, four, 2);
	import_runs(other, "b", 3, &four[1], 3);
	costs.application = NULL;
	must(kb_add_pingpong(
		other, 3, &costs,
		&(struct kb_pingpong){(double[]){8, 16}, (double[]){1e-6, 2e-6}, 2, false}, &err));
	must(kb_exclude_run(other, 4, "them", "disturbed", &err));
	must(kb_put_advice(other, &advice, &err));
	kb_close(other);

	r = merge(kb);
	assert_int_equal(r.n_imports, 2);
	assert_int_equal(r.n_runs, 3);
	assert_int_equal(r.n_known_imports, 1);
	assert_int_equal(r.n_advice, 1);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM runs_stencil WHERE machine = 'third'"),
			 3);
	assert_int_equal(raw_int(path,
				 "SELECT count(*) FROM runs_stencil WHERE excluded AND machine = "
				 "'third' AND n = 200 AND b = 10"),
			 1);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM pingpong"), 2);
	assert_string_equal(raw_text(path, "SELECT why FROM exclusion"), "disturbed");

	r = merge(kb);
	assert_int_equal(r.n_imports, 0);
	assert_int_equal(r.n_runs, 0);
	assert_int_equal(r.n_known_imports, 3);
	assert_int_equal(r.n_advice, 0);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM exclusion"), 1);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM exclusion_waiting"), 0);
}

KB_TEST(bases_merged_in_any_order_have_one_snapshot)
{
	char first[65];
	char second[65];
	struct kb *kb = base_with_application();
	struct kb *other = other_base();

	import_runs(kb, "a", 1, four, 3);
	import_runs(kb, "b", 1, &four[1], 2); /* known here: to be brought as a whole there */
	import_runs(other, "c", 1, &four[2], 2);
	merge(kb);
	must(kb_snapshot(kb, 1, 1, first, &err));
	must(kb_merge(other, path, NULL, &(struct kb_merge_result){0}, &err));
	check_sound(other);
	must(kb_snapshot(other, 1, 1, second, &err));
	assert_string_equal(first, second);
	kb_close(other);
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM run"), 4);
	assert_int_equal(raw_int(other_path, "SELECT count(*) FROM run"), 4);
}

KB_TEST(a_run_flagged_in_another_base_is_not_flagged_twice)
{
	/* 0.01 s among 20 s and more, in both bases. */
	static const struct test_run t[] = {{100, 2, 2, 10, 20.0, 1}, {100, 2, 2, 10, 21.0, 2},
					    {100, 2, 2, 10, 22.0, 3}, {100, 2, 2, 10, 23.0, 4},
					    {100, 2, 2, 10, 24.0, 5}, {100, 2, 2, 10, 0.01, 6}};
	struct kb *kb = base_with_application();
	struct kb *other = other_base();

	assert_int_equal(import_runs(other, "a", 1, t, 6).n_flagged, 1);
	kb_close(other);
	merge(kb);
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT n_flagged FROM import"), 1);
	assert_null(strstr(raw_text(path, "SELECT flag FROM run WHERE flag IS NOT NULL"), ";"));
}

KB_TEST(what_an_undone_import_shared_is_merged_with_its_heir)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb *other = other_base();

	import_runs(other, "a", 1, four, 4);
	import_runs(other, "b", 1, four, 2);
	must(kb_undo_import(other, 1, NULL, &err));
	kb_close(other);
	assert_int_equal(merge(kb).n_runs, 2);
}

KB_TEST(an_application_or_machine_that_is_not_here_comes_along)
{
	struct kb *kb = open_base(KB_CREATE);
	struct kb *other = other_base();

	import_runs(other, "a", 2, four, 4);
	kb_close(other);
	assert_int_equal(merge(kb).n_runs, 4);
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM runs_stencil WHERE machine = 'other'"),
			 4);
}

KB_TEST(definitions_that_differ_stop_a_merge_and_nothing_is_changed)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb *other = other_base();
	struct kb_merge_result r;
	char *text = strdup(stencil_text);

	memcpy(strstr(text, "edge"), "side", 4);
	put_application(kb, text);
	free(text);
	import_runs(other, "a", 2, four, 4);
	kb_close(other);
	must_fail(kb_merge(kb, other_path, NULL, &r, &err), ERR_ARG,
		  "stencil is defined differently");
	assert_int_equal(raw_int(path, "SELECT count(*) FROM import"), 0);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM machine"), 0);
}

KB_TEST(a_machine_known_by_name_only_gets_its_definition)
{
	static const char full[] =
		"machine = { name = \"m\"; title = \"the real one\"; nodes = 4; };";
	CLOSED(kb) *kb = base_with_application();
	CLOSED(kb) *other = other_base();
	struct machine *m = NULL;

	must(machine_parse(full, "test", &m, &err));
	must(kb_put_machine(other, m, NULL, &err));
	machine_free(m);
	merge(kb);
	assert_string_equal(raw_text(path, "SELECT title FROM machine WHERE name = 'm'"),
			    "the real one");
	/* and the other way round it keeps it */
	must(kb_merge(other, path, NULL, &(struct kb_merge_result){0}, &err));
	assert_string_equal(raw_text(other_path, "SELECT title FROM machine WHERE name = 'm'"),
			    "the real one");
}

KB_TEST(a_damaged_base_is_not_merged)
{
	static const struct {
		const char *sql, *why;
	} broken[] = {
		{"UPDATE stored_stencil SET n = n + 1 WHERE run_id > 2",
		 "runs 3, 4 of stencil are not what was loaded"},
		{"UPDATE stored_stencil SET wall_s = 1e-3 WHERE run_id = 1", "run 1 of stencil"},
		{"DELETE FROM stored_stencil WHERE run_id = 2", "import 1 says 4 runs and has 3"},
		{"UPDATE application SET definition = definition || ' '", "hash of its definition"},
		{"UPDATE machine SET definition = definition || ' '", "hash of its definition"},
		{"DROP VIEW run; CREATE VIEW run AS WITH RECURSIVE t(run_id) AS (SELECT 1 UNION "
		 "ALL SELECT run_id + 1 FROM t) SELECT * FROM t",
		 "view run is not as this program makes it"},
	};

	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		struct kb *kb = open_base(KB_CREATE);
		struct kb *other = other_base();
		struct kb_merge_result r;

		import_runs(other, "a", 2, four, 4);
		kb_close(other);
		raw_sql(other_path, broken[i].sql);
		must_fail(kb_merge(kb, other_path, NULL, &r, &err), ERR_KB, "");
		if (!strstr(err.msg, broken[i].why))
			fail_msg("%s: %s", broken[i].sql, err.msg);
		kb_close(kb);
		assert_int_equal(raw_int(path, "SELECT count(*) FROM application"), 0);
		unlink(path);
		unlink(other_path);
	}
}

/* Its hash is right, as if a program had stored it that does not look. */
KB_TEST(a_run_that_is_not_legal_is_not_merged)
{
	static const char end[] = "};\n";
	struct strbuf text = STRBUF_INIT;
	struct kb *kb = open_base(KB_CREATE);
	struct kb *other = other_base();
	struct kb_merge_result r;

	import_runs(other, "a", 2, four, 4);
	strbuf_add(&text, stencil_text, strlen(stencil_text) - strlen(end));
	strbuf_puts(&text, " legality = ( { rule = \"b < 20\"; why = \"b is small\"; } );\n};\n");
	put_application(other, strbuf_text(&text));
	strbuf_release(&text);
	check_sound(other);
	kb_close(other);
	must_fail(kb_merge(kb, other_path, NULL, &r, &err), ERR_KB,
		  "run 2 of stencil is not legal");
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM application"), 0);
}

KB_TEST(an_interrupted_merge_leaves_nothing)
{
	const struct progress stop = {.step = stop_at_once};
	CLOSED(kb) *kb = open_base(KB_CREATE);
	struct kb *other = other_base();
	struct kb_merge_result r;

	import_runs(other, "a", 2, four, 4);
	kb_close(other);
	assert_int_equal(kb_merge(kb, other_path, &stop, &r, &err), ERR_INTERRUPTED);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM application"), 0);
	check_sound(kb);
}

KB_TEST(a_base_is_not_merged_with_itself_or_with_what_is_none)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_merge_result r;

	assert_int_equal(kb_merge(kb, path, NULL, &r, &err), ERR_ARG);
	assert_int_equal(kb_merge(kb, in_folder("none.kb"), NULL, &r, &err), ERR_NOTFOUND);
	raw_sql(in_folder("foreign.kb"), "CREATE TABLE x (y)");
	assert_int_equal(kb_merge(kb, in_folder("foreign.kb"), NULL, &r, &err), ERR_SCHEMA);
}
