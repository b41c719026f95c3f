#include "tests/support/made_application.h"
#include "tests/unit/kb/kb_test_applications.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "kb/kb_sql.h"

/* Five runs; the first two are the same to the last bit. */
static const struct test_run five[] = {
	{100, 2, 2, 10, 1.5, 1}, {100, 2, 2, 10, 1.5, 1},  {100, 2, 2, 20, 1.6, 1},
	{200, 4, 2, 10, 9.5, 1}, {200, 4, 2, 20, 9.25, 1},
};

static int64_t n_runs(const char *where)
{
	char sql[200];

	snprintf(sql, sizeof sql, "SELECT count(*) FROM runs_stencil WHERE %s", where);
	return raw_int(path, sql);
}

/* ---- the record ---- */

KB_TEST(the_list_says_what_was_imported)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_imports) list = {0};

	import_runs(kb, "abc", 1, five, 5);
	must(kb_list_imports(kb, &list, &err));
	assert_int_equal(list.n, 1);
	assert_int_equal(list.item[0].id, 1);
	assert_string_equal(list.item[0].file_name, "abc");
	assert_memory_equal(list.item[0].sha256, "abc0", 4);
	assert_string_equal(list.item[0].mapping, "as is");
	assert_string_equal(list.item[0].application, "stencil");
	assert_null(list.item[0].machine);
	assert_int_equal(strlen(list.item[0].imported_at), strlen("2026-01-01T00:00:00Z"));
	assert_int_equal(list.item[0].n_taken, 5);
	assert_false(list.item[0].undone);
}

KB_TEST(an_import_is_known_by_content_mapping_application_and_machine)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_import like = import_of("a");
	int64_t id;

	import_runs(kb, "a", 1, five, 5);
	must(kb_find_import(kb, &like, &id, &err));
	assert_int_equal(id, 1);
	like.mapping = (char *)(uintptr_t) "another";
	must(kb_find_import(kb, &like, &id, &err));
	assert_int_equal(id, 0);
	like = import_of("a");
	like.machine = (char *)(uintptr_t) "m";
	must(kb_find_import(kb, &like, &id, &err));
	assert_int_equal(id, 0);
	like = import_of("a");
	like.application = NULL;
	must(kb_find_import(kb, &like, &id, &err));
	assert_int_equal(id, 0);
	like = import_of("b");
	must(kb_find_import(kb, &like, &id, &err));
	assert_int_equal(id, 0);
}

KB_TEST(the_same_import_cannot_be_made_twice)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp = import_of("a");
	FREED(application) *a = get_application(kb, "stencil", NULL);
	struct kb_run_writer *w = NULL;

	import_runs(kb, "a", 1, five, 5);
	must(kb_begin(kb, &err));
	must_fail(kb_run_writer_open(kb, a, 1, &imp, &w, &err), ERR_ARG, "already, as number 1");
	assert_null(w);
	kb_rollback(kb);
}

/* ---- known rows ---- */

KB_TEST(equal_rows_of_one_file_all_stay)
{
	CLOSED(kb) *kb = base_with_application();

	assert_int_equal(import_runs(kb, "a", 1, five, 5).n_taken, 5);
	assert_int_equal(n_runs("b = 10 AND n = 100"), 2);
	check_sound(kb);
}

KB_TEST(rows_of_another_file_are_known_as_often_as_they_are_there)
{
	/* three times the row that is there twice, one that is there once, a new one, and one that
	 * differs only in its repeat number */
	static const struct test_run again[] = {
		{100, 2, 2, 10, 1.5, 1}, {100, 2, 2, 10, 1.5, 1}, {100, 2, 2, 10, 1.5, 1},
		{200, 4, 2, 10, 9.5, 1}, {300, 4, 2, 10, 9.5, 1}, {200, 4, 2, 10, 9.5, 2},
	};
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp;

	import_runs(kb, "a", 1, five, 5);
	imp = import_runs(kb, "b", 1, again, 6);
	assert_int_equal(imp.n_known, 3);
	assert_int_equal(imp.n_taken, 3);
	assert_int_equal(n_runs("b = 10 AND n = 100"), 3);
	/* On another machine nothing is known. */
	imp = import_runs(kb, "c", 2, again, 6);
	assert_int_equal(imp.n_known, 0);
	check_sound(kb);
}

KB_TEST(equal_hashes_do_not_make_equal_runs)
{
	static const struct test_run other[] = {{100, 2, 2, 30, 7.5, 1}};
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp;
	char sql[200];

	/* The hash of the other run, planted on a run that is there. */
	imp = import_runs(kb, "hash", 1, other, 1);
	snprintf(sql, sizeof sql, "SELECT content_hash FROM run_stencil WHERE import_id = %d",
		 (int)imp.id);
	snprintf(sql, sizeof sql, "UPDATE stored_stencil SET content_hash = %lld",
		 (long long)raw_int(path, sql));
	check_ok(kb_undo_import(kb, imp.id, NULL, &(struct err){0}), &(struct err){0});
	import_runs(kb, "a", 1, five, 5);
	raw_sql(path, sql);
	raw_sql(path, "DELETE FROM keys_stencil"); /* to be made again, of the planted hash */
	assert_int_equal(import_runs(kb, "b", 1, other, 1).n_known, 0);
	assert_int_equal(n_runs("1"), 6);
}

KB_TEST(a_large_load_knows_what_a_small_one_knows)
{
	enum { N = 50000 };
	HEAP struct test_run *t = zeroed(N, sizeof *t);
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp;

	for (int i = 0; i < N; i++)
		t[i] = (struct test_run){i / 100 + 1, i % 10 + 1, 1, i % 7, 1 + i % 1000, 1};
	imp = import_runs(kb, "a", 1, t, N);
	assert_int_equal(imp.n_taken, N);
	t[5].b = 99;
	imp = import_runs(kb, "b", 1, t, N);
	assert_int_equal(imp.n_known, N - 1);
	imp = import_runs(kb, "c", 1, t, 10);
	assert_int_equal(imp.n_known, 10);
	assert_int_equal(n_runs("1"), N + 1);
	check_sound(kb);
}

/* The pages that an import reads do not grow with the runs that are there: 16 bytes of each, 0.1 of
 * them, beside what it reads of a small base. */
static int64_t pages_read(const char *name, const struct test_run *run)
{
	CLOSED(kb) *kb = open_base(KB_WRITE);
	int now = 0, peak = 0;

	import_runs(kb, name, 1, run, 1);
	sqlite3_db_status(kb->db, SQLITE_DBSTATUS_CACHE_MISS, &now, &peak, 0);
	return now;
}

KB_TEST(a_small_import_does_not_read_all_the_runs)
{
	enum { N = 100000 };
	HEAP struct test_run *t = zeroed(N, sizeof *t);
	const struct test_run one = {7, 1, 1, 1, 3.5, 1}, two = {7, 1, 1, 1, 4.5, 1};
	struct kb *kb = base_with_application();
	int64_t n_pages;

	for (int i = 0; i < N; i++)
		t[i] = (struct test_run){i / 100 + 1, i % 10 + 1, 1, i % 7, 1 + i % 1000, 1};
	import_runs(kb, "a", 1, t, N);
	kb_close(kb);
	n_pages = raw_int(path, "PRAGMA page_count");
	/* the first after the load, and the next one */
	assert_true(pages_read("b", &one) < n_pages / 2);
	assert_true(pages_read("c", &two) < n_pages / 2);
	/* and the first after an undo */
	kb = open_base(KB_WRITE);
	must(kb_undo_import(kb, 2, NULL, &err));
	kb_close(kb);
	assert_true(pages_read("d", &one) < n_pages / 2);
	assert_int_equal(n_runs("1"), N + 2);
}

/* Keys in blocks of 4096: some are left without a run, one has some left, one is damaged. */
static void undone_runs_are_not_known(const char *spoil)
{
	enum { N = 10000 };
	HEAP struct test_run *t = zeroed(2 * N, sizeof *t);
	CLOSED(kb) *kb = base_with_application();

	for (int i = 0; i < 2 * N; i++)
		t[i] = (struct test_run){i / 100 + 1, i % 10 + 1, 1, i % 7, 1 + i % 1000, 1};
	import_runs(kb, "a", 1, t, N);
	import_runs(kb, "b", 1, t + N, N);
	assert_int_equal(import_runs(kb, "c", 1, t + 5000, 3).n_known, 3);
	if (spoil)
		raw_sql(path, spoil);
	must(kb_undo_import(kb, 1, NULL, &err));
	assert_int_equal(n_runs("1"), N + 3); /* c has its own */
	assert_int_equal(import_runs(kb, "d", 1, t, N).n_known, 3);
	assert_int_equal(import_runs(kb, "e", 1, t + N, N).n_known, N);
	assert_int_equal(n_runs("1"), 2 * N);
	check_sound(kb);
}

KB_TEST(what_an_undo_took_away_is_new_again_and_the_rest_is_known)
{
	undone_runs_are_not_known(NULL);
}

KB_TEST(an_undo_of_runs_whose_keys_are_damaged_leaves_the_rest_known)
{
	undone_runs_are_not_known("UPDATE keys_stencil SET checksum = checksum + 1 "
				  "WHERE first_run_id > 1000");
}

/* What somebody else wrote, a disk damaged or another definition left: made again from the runs. */
KB_TEST(keys_that_are_not_those_of_the_runs_are_made_again)
{
	static const char *const spoil[] = {
		"DELETE FROM keys_stencil",
		"DROP TABLE keys_stencil",
		"UPDATE keys_stencil SET keys = zeroblob(length(keys))",
		"UPDATE keys_stencil SET keys = x'0102'",
		"UPDATE keys_stencil SET checksum = checksum + 1",
		"UPDATE keys_stencil SET definition = 'another'",
		"UPDATE keys_stencil SET first_run_id = first_run_id + 3",
		"CREATE INDEX run_stencil_by_content ON stored_stencil (content_hash)",
	};
	CLOSED(kb) *kb = base_with_application();

	import_runs(kb, "a", 1, five, 5);
	for (size_t i = 0; i < sizeof spoil / sizeof spoil[0]; i++) {
		char name[] = "b0";

		name[1] = (char)('0' + i);
		raw_sql(path, spoil[i]);
		assert_int_equal(import_runs(kb, name, 1, five, 5).n_known, 5);
		check_sound(kb);
	}
	assert_int_equal(n_runs("1"), 5);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM sqlite_schema WHERE name = "
				       "'run_stencil_by_content'"),
			 0);
}

/* Runs are stored without SQLite's look at their parents; whoever comes later gets it again. */
KB_TEST(a_run_of_a_machine_that_is_not_there_is_refused)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp = import_of("a");
	struct kb_run_writer *w = NULL;
	int64_t app_id;
	struct application *a = get_application(kb, "stencil", &app_id);

	import_runs(kb, "b", 1, five, 5);
	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, app_id, &imp, &w, &err));
	must_say(kb_run_writer_meet(w, 77, &err), ERR_ARG, "there is no machine number 77");
	kb_run_writer_free(w);
	kb_rollback(kb);
	must_fail(kb_remove_machine(kb, "m", &err), ERR_ARG, ""); /* it has runs */
	application_free(a);
	check_sound(kb);
}

KB_TEST(batches_are_stored_in_their_order)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp = import_of("a");
	struct kb_run_batch *batch[2] = {NULL, NULL};
	struct kb_run_writer *w = NULL;
	int64_t app_id;
	struct application *a = get_application(kb, "stencil", &app_id);
	double row[32];

	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, app_id, &imp, &w, &err));
	must(kb_run_writer_meet(w, 1, &err));
	for (int i = 0; i < 5; i++) {
		char extra[32];

		if (!batch[i % 2])
			assert_non_null(batch[i % 2] = kb_run_batch_new(w));
		snprintf(extra, sizeof extra, "{\"k\":%d}", i / 2); /* the batch keeps a copy */
		row_of(a, &five[i], row);
		must(kb_run_writer_pack(w,
					&(struct kb_run){.row = row,
							 .wall_s = five[i].wall_s,
							 .machine_id = 1,
							 .line = i,
							 .extra = extra},
					batch[i % 2], &err));
	}
	for (int k = 0; k < 2; k++) {
		must(kb_run_writer_store(w, batch[k], &err));
		kb_run_batch_free(batch[k]);
	}
	must(kb_run_writer_finish(w, &imp, NULL, &err));
	kb_run_writer_free(w);
	must(kb_commit(kb, &err));
	application_free(a);
	assert_int_equal(imp.n_taken, 5);
	/* lines 0 2 4, then 1 3 */
	assert_int_equal(n_runs("line = 2 AND run_id = 2 AND extra = '{\"k\":1}'"), 1);
	assert_int_equal(n_runs("line = 4 AND run_id = 3 AND extra = '{\"k\":2}'"), 1);
	assert_int_equal(n_runs("line = 3 AND run_id = 5 AND extra = '{\"k\":1}'"), 1);
	check_sound(kb);
}

/* ---- undo ---- */

KB_TEST(an_undone_import_leaves_its_record_and_can_be_made_again)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_imports list = {0};
	struct application *a;
	int64_t n = 0;

	import_runs(kb, "a", 1, five, 5);
	must(kb_undo_import(kb, 1, &n, &err));
	assert_int_equal(n, 5);
	assert_int_equal(n_runs("1"), 0);
	a = get_application(kb, "stencil", NULL);
	assert_int_equal(a->column[COL_KIND].levels.n, 0);
	application_free(a);
	assert_int_equal(kb_undo_import(kb, 1, &n, &err), ERR_NOTFOUND);
	assert_int_equal(import_runs(kb, "a", 1, five, 5).id, 2);
	must(kb_list_imports(kb, &list, &err));
	assert_int_equal(list.n, 2);
	assert_true(list.item[0].undone);
	assert_false(list.item[1].undone);
	kb_imports_release(&list);
	assert_int_equal(raw_int(path, "SELECT min(run_id) FROM run"), 6); /* never used twice */
	check_sound(kb);
}

KB_TEST(undoing_an_import_hands_over_what_a_later_one_brought_too)
{
	CLOSED(kb) *kb = base_with_application();
	struct kb_imports list = {0};
	int64_t n = 0;

	import_runs(kb, "a", 1, five, 5);
	assert_int_equal(import_runs(kb, "b", 1, &five[1], 3).n_known, 3);
	assert_int_equal(import_runs(kb, "c", 1, &five[2], 1).n_known, 1);
	must(kb_undo_import(kb, 1, &n, &err));
	assert_int_equal(n, 2);
	assert_int_equal(n_runs("import_id = 2"), 3);
	check_sound(kb);
	must(kb_list_imports(kb, &list, &err));
	assert_int_equal(list.item[1].n_taken, 3);
	assert_int_equal(list.item[1].n_known, 0);
	assert_int_equal(list.item[2].n_known, 1);
	kb_imports_release(&list);
	must(kb_undo_import(kb, 2, &n, &err));
	assert_int_equal(n, 2);
	assert_int_equal(n_runs("import_id = 3 AND wall_s = 1.6 AND line = 2"), 1);
	check_sound(kb);
	must(kb_undo_import(kb, 3, &n, &err));
	assert_int_equal(n, 1);
	assert_int_equal(n_runs("1"), 0);
	check_sound(kb);
}

KB_TEST(an_exclusion_outlives_undo_and_a_new_import)
{
	CLOSED(kb) *kb = base_with_application();

	import_runs(kb, "a", 1, five, 5);
	must(kb_exclude_run(kb, 3, "me", "disturbed", &err));
	must(kb_exclude_run(kb, 1, "me", "disturbed", &err));
	must(kb_undo_import(kb, 1, NULL, &err));
	check_sound(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM exclusion"), 0);
	import_runs(kb, "b", 1, five, 5);
	assert_int_equal(n_runs("excluded"), 2);
	assert_int_equal(n_runs("excluded AND b = 20 AND n = 100"), 1);
	assert_int_equal(n_runs("excluded AND b = 10 AND n = 100"), 1); /* one of the twins */
	assert_int_equal(raw_int(path, "SELECT count(*) FROM exclusion_waiting"), 0);
	check_sound(kb);
}

/* ---- interruption, crash, full disk, other processes ---- */

/* Add runs of ever new content, n of them or until something stops it. */
static enum err_code flood(struct kb *kb, const char *tag, long n, const struct progress *p,
			   struct err *e)
{
	struct kb_import imp = import_of(tag);
	struct kb_run_writer *w = NULL;
	struct application *a = NULL;
	double row[32];
	int64_t app_id;
	enum err_code rc;

	if ((rc = kb_get_application(kb, "stencil", &a, &app_id, e)) || (rc = kb_begin(kb, e)) ||
	    (rc = kb_run_writer_open(kb, a, app_id, &imp, &w, e)))
		goto done;
	for (long i = 0; !rc && i < n; i++) {
		struct test_run t = {(int)(i % 1000) + 1, 1, 1, (int)(i / 1000),
				     1.0 + (double)i,	  1};

		row_of(a, &t, row);
		rc = kb_run_writer_add(
			w,
			&(struct kb_run){
				.row = row, .wall_s = t.wall_s, .machine_id = 1, .line = i + 2},
			e);
	}
	if (!rc)
		rc = kb_run_writer_finish(w, &imp, p, e);
	if (!rc)
		rc = kb_commit(kb, e);
done:
	kb_run_writer_free(w);
	application_free(a);
	kb_rollback(kb);
	return rc;
}

KB_TEST(an_interrupted_import_leaves_nothing)
{
	const struct progress stop = {.step = stop_at_once};
	CLOSED(kb) *kb = base_with_application();

	import_runs(kb, "a", 1, five, 5);
	assert_int_equal(flood(kb, "b", 100000, &stop, &err), ERR_INTERRUPTED);
	assert_int_equal(n_runs("1"), 5);
	check_sound(kb);
	must(flood(kb, "b", 100, NULL, &err));
	check_sound(kb);
}

KB_TEST(a_killed_import_leaves_the_base_as_it_was)
{
	struct kb *kb = base_with_application();

	import_runs(kb, "a", 1, five, 5);
	kb_close(kb);
	for (int delay_ms = 10; delay_ms <= 160; delay_ms *= 2) {
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			flood(open_base(KB_WRITE), "b", 100000000, NULL, &err);
			_exit(0);
		}
		nanosleep(&(struct timespec){.tv_nsec = delay_ms * 1000000L}, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		kb = open_base(KB_WRITE);
		check_sound(kb);
		assert_int_equal(n_runs("1"), 5);
		assert_int_equal(raw_int(path, "SELECT count(*) FROM import"), 1);
		kb_close(kb);
	}
}

KB_TEST(a_full_disk_is_an_error_and_the_base_is_as_it_was)
{
	struct kb *kb = base_with_application();
	int status;
	pid_t pid;

	import_runs(kb, "a", 1, five, 5);
	kb_close(kb);
	skip_under_valgrind("the child ends with what it held, which would be its exit status");
	pid = fork();
	if (pid == 0) {
		const struct rlimit limit = {2000000, 2000000};
		struct err e = {0};

		signal(SIGXFSZ, SIG_IGN);
		kb = open_base(KB_WRITE);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(flood(kb, "b", 2000000, NULL, &e) == ERR_IO && e.msg[0] ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	kb = open_base(KB_WRITE);
	check_sound(kb);
	assert_int_equal(n_runs("1"), 5);
	kb_close(kb);
}

KB_TEST(two_importers_wait_for_each_other)
{
	enum { N = 4, ROWS = 10000 };
	pid_t pid[N];
	struct kb *kb = base_with_application();

	kb_close(kb);
	skip_under_valgrind("minutes for four times the import that other tests make once");
	for (int i = 0; i < N; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			const char tag[] = {(char)('a' + i), '\0'};
			struct err e = {0};
			enum err_code rc;

			kb = open_base(KB_WRITE);
			rc = flood(kb, tag, ROWS, NULL, &e);
			if (rc)
				fprintf(stderr, "%s\n", e.msg);
			kb_close(kb);
			_exit(rc != ERR_OK);
		}
	}
	for (int i = 0; i < N; i++) {
		int status;

		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	kb = open_base(KB_READ);
	check_sound(kb);
	kb_close(kb);
	assert_int_equal(n_runs("1"), ROWS); /* all four brought the same rows */
	assert_int_equal(raw_int(path, "SELECT count(*) FROM known_run"), 3 * ROWS);
}

KB_TEST(readers_see_the_old_state_while_an_import_goes_on)
{
	CLOSED(kb) *kb = base_with_application();
	CLOSED(kb) *reader;
	struct kb_import imp = import_of("b");
	struct kb_run_writer *w = NULL;
	FREED(application) *a = get_application(kb, "stencil", NULL);
	double row[32];
	int64_t n;

	import_runs(kb, "a", 1, five, 5);
	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, 1, &imp, &w, &err));
	row_of(a, &five[0], row);
	for (int i = 0; i < 1000; i++)
		must(kb_run_writer_add(
			w, &(struct kb_run){.row = row, .wall_s = 1 + i, .machine_id = 1}, &err));
	reader = open_base(KB_READ);
	must(kb_count_runs(reader, a, NULL, &n, &err));
	assert_int_equal(n, 5);
	must(kb_run_writer_finish(w, &imp, NULL, &err));
	kb_run_writer_free(w);
	must(kb_commit(kb, &err));
	must(kb_count_runs(reader, a, NULL, &n, &err));
	assert_int_equal(n, 1005);
}

/* ---- ping-pong ---- */

KB_TEST(ping_pong_rows_are_facts_with_an_import)
{
	double bytes[] = {1024, 8, 8};
	double trip[] = {3e-6, 2e-6, 1e-6};
	const struct kb_pingpong rows = {bytes, trip, 3, false};
	struct kb_pingpong back = {0};
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp = import_of("p");
	int64_t n;

	imp.application = NULL;
	must(kb_add_pingpong(kb, 2, &imp, &rows, &err));
	assert_int_equal(imp.n_taken, 3);
	assert_int_equal(kb_add_pingpong(kb, 2, &imp, &rows, &err), ERR_ARG);
	must(kb_load_pingpong(kb, 2, &back, &err));
	assert_int_equal(back.n, 3);
	assert_true(back.message_bytes[0] == 8 && back.roundtrip_s[0] == 1e-6);
	assert_true(back.message_bytes[2] == 1024 && back.roundtrip_s[2] == 3e-6);
	kb_pingpong_release(&back);
	must(kb_load_pingpong(kb, 1, &back, &err));
	assert_int_equal(back.n, 0);
	kb_pingpong_release(&back);
	assert_int_equal(kb_remove_machine(kb, "other", &err), ERR_ARG);
	check_sound(kb);
	must(kb_undo_import(kb, imp.id, &n, &err));
	assert_int_equal(n, 3);
	check_sound(kb);
}

KB_TEST(round_trips_between_nodes_count_before_those_inside_a_node)
{
	double bytes[] = {8, 16}, fast[] = {1e-6, 2e-6}, slow[] = {10e-6, 20e-6};
	const struct kb_pingpong inside = {bytes, fast, 2, true}, between = {bytes, slow, 2, false};
	char mapping[] = KB_PINGPONG_INSIDE_MAPPING;
	struct kb_pingpong back = {0};
	CLOSED(kb) *kb = base_with_application();
	struct kb_import imp = import_of("p"), other = import_of("q");
	int64_t n;

	imp.application = other.application = NULL;
	imp.mapping = mapping;
	must(kb_add_pingpong(kb, 2, &imp, &inside, &err));
	must(kb_load_pingpong(kb, 2, &back, &err));
	assert_true(back.n == 2 && back.inside_node && back.roundtrip_s[0] == 1e-6);
	kb_pingpong_release(&back);
	must(kb_add_pingpong(kb, 2, &other, &between, &err));
	must(kb_load_pingpong(kb, 2, &back, &err));
	assert_true(back.n == 2 && !back.inside_node && back.roundtrip_s[0] == 10e-6);
	kb_pingpong_release(&back);
	check_sound(kb);
	must(kb_undo_import(kb, other.id, &n, &err));
	must(kb_load_pingpong(kb, 2, &back, &err));
	assert_true(back.n == 2 && back.inside_node);
	kb_pingpong_release(&back);
}

KB_TEST(bad_ping_pong_rows_are_refused_by_number)
{
	static const double bad_trip[] = {0, -1, INFINITY, NAN};
	static const double bad_bytes[] = {-1, INFINITY, NAN};
	CLOSED(kb) *kb = base_with_application();

	for (size_t i = 0; i < 4 + 3; i++) {
		double bytes[] = {8, i < 4 ? 8 : bad_bytes[i - 4]};
		double trip[] = {1e-6, i < 4 ? bad_trip[i] : 1e-6};
		const struct kb_pingpong rows = {bytes, trip, 2, false};
		struct kb_import imp = import_of("p");

		must_fail(kb_add_pingpong(kb, 1, &imp, &rows, &err), ERR_ARG, "row 2");
	}
	assert_int_equal(raw_int(path, "SELECT count(*) FROM import"), 0);
}
