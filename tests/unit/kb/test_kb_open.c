#include "tests/unit/kb/kb_fixture.h"

#include <glob.h>
#include <sys/wait.h>

#include "kb/kb_filesystem.h"

KB_TEST(a_new_base_is_made_with_its_directories_and_says_what_it_is)
{
	struct kb *kb = NULL;
	const char *deep = in_folder("a/b/new.kb");

	must(kb_open(deep, KB_CREATE, NULL, &kb, &err));
	assert_string_equal(kb_journal_mode(kb), "wal");
	assert_string_equal(kb_path(kb), deep);
	kb_close(kb);
	assert_int_equal(raw_int(deep, "PRAGMA application_id"), KB_APPLICATION_ID);
	assert_int_equal(raw_int(deep, "PRAGMA user_version"), kb_schema_version());
	assert_string_equal(raw_text(deep, "PRAGMA integrity_check"), "ok");
	assert_int_equal(raw_int(deep, "SELECT count(*) FROM run"), 0);
}

KB_TEST(a_clean_close_leaves_one_file)
{
	kb_close(open_base(KB_CREATE));
	assert_int_equal(access(in_folder("test.kb-wal"), F_OK), -1);
	assert_int_equal(access(in_folder("test.kb-shm"), F_OK), -1);
}

static int version_of(const char *file)
{
	return atoi(strrchr(file, '/') + 1);
}

KB_TEST(every_older_schema_is_brought_up_to_date)
{
	glob_t step;
	char pragma[100];

	assert_int_equal(glob("kb/schema/[0-9]*.sql", 0, NULL, &step), 0);
	assert_true(step.gl_pathc >= 10);
	assert_int_equal(version_of(step.gl_pathv[step.gl_pathc - 1]), kb_schema_version());
	for (size_t last = 0; last + 1 < step.gl_pathc; last++) {
		unlink(path);
		for (size_t i = 0; i <= last; i++) {
			HEAP char *sql = read_text(step.gl_pathv[i]);

			raw_sql(path, sql);
		}
		snprintf(pragma, sizeof pragma,
			 "PRAGMA user_version = %d; PRAGMA application_id = %d",
			 version_of(step.gl_pathv[last]), (int)KB_APPLICATION_ID);
		raw_sql(path, pragma);
		kb_close(open_base(KB_WRITE));
		assert_int_equal(raw_int(path, "PRAGMA user_version"), kb_schema_version());
		assert_int_equal(raw_int(path, "SELECT count(*) FROM advice"), 0);
		kb_close(open_base(KB_READ));
	}
	globfree(&step);
}

KB_TEST(an_older_schema_is_refused_for_reading_with_both_versions)
{
	struct kb *kb = NULL;
	char want[40];

	kb_close(open_base(KB_CREATE));
	raw_sql(path, "PRAGMA user_version = 1");
	must_fail(kb_open(path, KB_READ, NULL, &kb, &err), ERR_SCHEMA, "");
	snprintf(want, sizeof want, "needs %d", kb_schema_version());
	assert_non_null(strstr(err.msg, "version 1"));
	assert_non_null(strstr(err.msg, want));
	assert_null(kb);
}

KB_TEST(a_newer_schema_is_refused_with_both_versions_and_left_alone)
{
	const enum kb_mode modes[] = {KB_READ, KB_WRITE, KB_CREATE};
	char ours[40];

	kb_close(open_base(KB_CREATE));
	raw_sql(path, "PRAGMA user_version = 999");
	snprintf(ours, sizeof ours, "up to %d", kb_schema_version());
	for (size_t i = 0; i < 3; i++) {
		struct kb *kb = NULL;

		must_fail(kb_open(path, modes[i], NULL, &kb, &err), ERR_SCHEMA, "999");
		assert_non_null(strstr(err.msg, ours));
	}
	assert_int_equal(raw_int(path, "PRAGMA user_version"), 999);
}

KB_TEST(a_file_of_another_program_is_refused_and_left_alone)
{
	const enum kb_mode modes[] = {KB_READ, KB_WRITE, KB_CREATE};
	size_t n_before;
	HEAP char *before;

	raw_sql(path, "PRAGMA application_id = 252006673; PRAGMA user_version = 7;"
		      "CREATE TABLE fossil (x)");
	before = read_all(path, &n_before);
	for (size_t i = 0; i < 3; i++) {
		struct kb *kb = NULL;

		must_fail(kb_open(path, modes[i], NULL, &kb, &err), ERR_SCHEMA, "another program");
		assert_non_null(strstr(err.msg, "0x0f055111")); /* 252006673 */
		assert_non_null(strstr(err.msg, "version 7"));
	}
	check_unchanged(path, before, n_before);
}

KB_TEST(a_file_that_is_no_sqlite_file_is_refused)
{
	struct kb *kb = NULL;
	char text[5000];

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	write_file(path, text);
	must_fail(kb_open(path, KB_WRITE, NULL, &kb, &err), ERR_SCHEMA, "no SQLite file");
	must_fail(kb_open(folder, KB_CREATE, NULL, &kb, &err), ERR_SCHEMA, "directory");
	must_fail(kb_open("/dev/null", KB_CREATE, NULL, &kb, &err), ERR_SCHEMA, "no regular file");
}

KB_TEST(an_empty_file_is_taken_only_to_make_a_base)
{
	struct kb *kb = NULL;

	write_file(path, "");
	must_fail(kb_open(path, KB_WRITE, NULL, &kb, &err), ERR_SCHEMA, "lemnos init");
	kb_close(open_base(KB_CREATE));
	kb_close(open_base(KB_READ));
}

KB_TEST(a_missing_file_says_how_to_make_one)
{
	struct kb *kb = NULL;

	must_fail(kb_open(path, KB_READ, NULL, &kb, &err), ERR_NOTFOUND, "lemnos init");
	assert_int_equal(kb_open(path, KB_WRITE, NULL, &kb, &err), ERR_NOTFOUND);
	assert_int_equal(access(path, F_OK), -1);
}

KB_TEST(a_name_that_sqlite_would_interpret_is_just_a_name)
{
	const char *names[] = {":memory:", "file:x?mode=memory", "a b%20c#d'\"",
			       "\xc3\xa9t\xc3\xa9"};
	char here[4096];

	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct kb *kb = NULL;

		must(kb_open(names[i], KB_CREATE, NULL, &kb, &err));
		kb_close(kb);
		assert_int_equal(access(names[i], F_OK), 0);
	}
	assert_int_equal(chdir(here), 0);
}

KB_TEST(a_safe_journal_is_used_on_request_and_given_up_again)
{
	const struct kb_options safe = {.safe_journal = true};
	struct kb *kb = NULL;

	kb_close(open_base(KB_CREATE));
	must(kb_open(path, KB_WRITE, &safe, &kb, &err));
	assert_string_equal(kb_journal_mode(kb), "delete");
	must(kb_set_default(kb, "machine", "m", &err));
	kb_close(kb);
	kb = open_base(KB_WRITE);
	assert_string_equal(kb_journal_mode(kb), "wal");
	kb_close(kb);
}

KB_TEST(network_file_systems_are_told_from_local_ones)
{
	assert_true(filesystem_is_network(0x6969));	 /* NFS_SUPER_MAGIC, linux/magic.h */
	assert_true(filesystem_is_network(0xff534d42));	 /* CIFS_SUPER_MAGIC */
	assert_true(filesystem_is_network(0x0bd00bd0));	 /* Lustre */
	assert_false(filesystem_is_network(0xef53));	 /* ext4 */
	assert_false(filesystem_is_network(0x01021994)); /* tmpfs */
	assert_false(filesystem_is_network(0x58465342)); /* XFS */
}

/* ---- what a reader may not touch ---- */

/* In a child process without root's powers: permissions bind. The child's exit status is the
 * number of the first expectation that failed. */
static void as_nobody(int (*child)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(100);
		_exit(child());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int reads_default(void)
{
	struct kb *kb = NULL;
	struct err e = {0};
	char *value = NULL;

	if (kb_open(path, KB_READ, NULL, &kb, &e)) {
		fprintf(stderr, "%s\n", e.msg);
		return 1;
	}
	if (kb_get_default(kb, "machine", &value, &e) || !value || strcmp(value, "m") != 0)
		return 2;
	free(value);
	if (kb_set_default(kb, "machine", "x", &e) != ERR_KB)
		return 3;
	kb_close(kb);
	e = (struct err){0};
	if (kb_open(path, KB_WRITE, NULL, &kb, &e) != ERR_KB ||
	    !strstr(e.msg, "may not be written"))
		return 4;
	return 0;
}

static void make_base_with_default(void)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);

	must(kb_set_default(kb, "machine", "m", &err));
}

KB_TEST(a_read_only_file_in_a_read_only_directory_is_read)
{
	make_base_with_default();
	chmod(path, 0444);
	chmod(folder, 0555);
	as_nobody(reads_default);
}

/* Files of a reader's own would keep the base's owner from writing it. */
KB_TEST(a_reader_who_may_not_write_the_base_leaves_no_file_beside_it)
{
	CLOSED(kb) *kb;

	if (geteuid() != 0)
		skip(); /* nobody but the owner to read it as */
	make_base_with_default();
	chmod(path, 0644);
	chmod(folder, 0777);
	as_nobody(reads_default);
	assert_int_equal(access(in_folder("test.kb-wal"), F_OK), -1);
	assert_int_equal(access(in_folder("test.kb-shm"), F_OK), -1);
	kb = open_base(KB_READ);
	assert_string_equal(kb_journal_mode(kb), "wal");
}

static int names_the_log_that_is_in_the_way(void)
{
	struct kb *kb = NULL;
	struct err e = {0};

	if (kb_open(path, KB_WRITE, NULL, &kb, &e) != ERR_KB)
		return 1;
	return strstr(e.msg, "test.kb-shm belongs to somebody else") ? 0 : 2;
}

KB_TEST(a_writer_is_told_whose_journal_is_in_the_way)
{
	make_base_with_default();
	write_file(in_folder("test.kb-shm"), "");
	chmod(in_folder("test.kb-shm"), 0444);
	chmod(path, 0666);
	chmod(folder, 0777);
	as_nobody(names_the_log_that_is_in_the_way);
}

static int names_the_directory(void)
{
	struct kb *kb = NULL;
	struct err e = {0};

	if (kb_open(path, KB_WRITE, NULL, &kb, &e) != ERR_KB)
		return 1;
	return strstr(e.msg, "the directory of") ? 0 : 2;
}

KB_TEST(a_writer_is_told_that_the_directory_is_read_only)
{
	make_base_with_default();
	chmod(path, 0666);
	chmod(folder, 0555);
	as_nobody(names_the_directory);
}

KB_TEST(reading_changes_no_byte_and_leaves_no_file)
{
	size_t n_before;
	char *before;
	struct kb *kb;
	char *value = NULL;

	make_base_with_default();
	before = read_all(path, &n_before);
	kb = open_base(KB_READ);
	must(kb_get_default(kb, "machine", &value, &err));
	kb_close(kb);
	free(value);
	check_unchanged(path, before, n_before);
	free(before);
	assert_int_equal(access(in_folder("test.kb-wal"), F_OK), -1);
	assert_int_equal(access(in_folder("test.kb-shm"), F_OK), -1);
}

static int refuses_unfinished_log(void)
{
	struct kb *kb = NULL;
	struct err e = {0};

	if (kb_open(path, KB_READ, NULL, &kb, &e) != ERR_KB)
		return 1;
	return strstr(e.msg, "-wal") ? 0 : 2;
}

KB_TEST(a_log_with_content_that_cannot_be_read_is_an_error)
{
	char copy[256];
	char log[256];
	struct kb *kb;

	/* What a crash leaves: the file and its log, copied while a writer has them open. */
	kb = open_base(KB_CREATE);
	must(kb_set_default(kb, "machine", "m", &err));
	snprintf(copy, sizeof copy, "cp %s/test.kb %s/copy.kb", folder, folder);
	snprintf(log, sizeof log, "cp %s/test.kb-wal %s/copy.kb-wal", folder, folder);
	assert_int_equal(system(copy), 0);
	assert_int_equal(system(log), 0);
	kb_close(kb);
	snprintf(path, sizeof path, "%s/copy.kb", folder);
	chmod(path, 0444);
	chmod(in_folder("copy.kb-wal"), 0444);
	chmod(folder, 0555);
	as_nobody(refuses_unfinished_log);
}

/* ---- transactions ---- */

KB_TEST(what_is_rolled_back_was_never_there)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);
	char *value = NULL;

	must(kb_begin(kb, &err));
	must(kb_set_default(kb, "machine", "m", &err));
	kb_rollback(kb);
	kb_rollback(kb);
	must(kb_get_default(kb, "machine", &value, &err));
	assert_null(value);
}

KB_TEST(two_bases_can_be_open_at_once)
{
	CLOSED(kb) *a = open_base(KB_CREATE);
	CLOSED(kb) *b = NULL;
	HEAP char *value = NULL;

	must(kb_open(in_folder("other.kb"), KB_CREATE, NULL, &b, &err));
	must(kb_begin(a, &err));
	must(kb_begin(b, &err));
	must(kb_set_default(a, "machine", "in a", &err));
	must(kb_set_default(b, "machine", "in b", &err));
	must(kb_commit(b, &err));
	must(kb_commit(a, &err));
	must(kb_get_default(b, "machine", &value, &err));
	assert_string_equal(value, "in b");
}

static void count_waits(void *arg, const char *holder, int max_wait_s)
{
	assert_string_equal(holder, "another process"); /* it is this one */
	assert_int_equal(max_wait_s, 0);		/* less than a second */
	++*(int *)arg;
}

KB_TEST(a_writer_that_waits_too_long_says_so_once_and_gives_up)
{
	int n_waits = 0;
	const struct kb_options impatient = {
		.on_wait = count_waits, .arg = &n_waits, .busy_timeout_ms = 300};
	CLOSED(kb) *first = open_base(KB_CREATE);
	CLOSED(kb) *second = NULL;

	must(kb_open(path, KB_WRITE, &impatient, &second, &err));
	must(kb_begin(first, &err));
	must_fail(kb_begin(second, &err), ERR_BUSY, "another process");
	assert_int_equal(n_waits, 1);
	must(kb_commit(first, &(struct err){0}));
	must(kb_begin(second, &err));
	must(kb_commit(second, &err));
	assert_int_equal(n_waits, 1);
}

static bool stop(void *arg, const char *what, uint64_t done, uint64_t total)
{
	assert_null(what); /* it is asked, nothing is to be drawn */
	return !*(bool *)arg;
}

KB_TEST(a_writer_that_waits_can_be_interrupted)
{
	bool interrupted = false;
	const struct progress progress = {.step = stop, .arg = &interrupted};
	const struct kb_options patient = {.busy_timeout_ms = 3600 * 1000, .progress = &progress};
	CLOSED(kb) *first = open_base(KB_CREATE);
	CLOSED(kb) *second = NULL;

	must(kb_open(path, KB_WRITE, &patient, &second, &err));
	must(kb_begin(first, &err));
	interrupted = true;
	assert_int_equal(kb_begin(second, &err), ERR_INTERRUPTED);
	kb_rollback(first);
}

/* Rows enough that SQLite asks while it looks at them. */
KB_TEST(a_long_statement_can_be_interrupted)
{
	bool interrupted = false;
	const struct progress progress = {.step = stop, .arg = &interrupted};
	const struct kb_options options = {.progress = &progress};
	CLOSED(kb) *kb = NULL;
	RELEASED(strbuf) report = STRBUF_INIT;
	int n_found = 0;

	kb_close(open_base(KB_CREATE));
	raw_sql(path,
		"INSERT INTO setting SELECT 'x' || value, 'y' FROM (WITH RECURSIVE n(value) AS"
		" (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 200000)"
		" SELECT value FROM n)");
	must(kb_open(path, KB_READ, &options, &kb, &err));
	interrupted = true;
	assert_int_equal(kb_check(kb, &report, &n_found, &err), ERR_INTERRUPTED);
}

KB_TEST(a_snapshot_does_not_see_what_is_written_later)
{
	CLOSED(kb) *writer = open_base(KB_CREATE);
	CLOSED(kb) *reader = open_base(KB_READ);
	HEAP char *value = NULL;

	must(kb_begin_read(reader, &err));
	must(kb_set_default(writer, "machine", "m", &err));
	must(kb_get_default(reader, "machine", &value, &err));
	assert_null(value);
	kb_end_read(reader);
	must(kb_get_default(reader, "machine", &value, &err));
	assert_string_equal(value, "m");
}

static void create_and_write(const char *base)
{
	struct kb *kb = NULL;
	struct err e = {0};
	enum err_code rc = kb_open(base, KB_CREATE, NULL, &kb, &e);

	if (!rc)
		rc = kb_set_default(kb, "machine", "m", &e);
	if (rc)
		fprintf(stderr, "%s\n", e.msg);
	kb_close(kb);
	_exit(rc != ERR_OK);
}

/* Many rounds: two that switch to WAL at the same moment met in one round of twenty. */
KB_TEST(many_processes_may_create_the_same_base_at_once)
{
	enum { N_ROUNDS = 20, N = 8 };

	for (int round = 0; round < N_ROUNDS; round++) {
		char name[20];
		const char *base;
		int n_failed = 0;

		snprintf(name, sizeof name, "%d.kb", round);
		base = in_folder(name);
		for (int i = 0; i < N; i++) {
			pid_t pid = fork();

			assert_true(pid >= 0);
			if (pid == 0)
				create_and_write(base);
		}
		for (int i = 0; i < N; i++) {
			int status = 0;

			assert_true(wait(&status) > 0);
			n_failed += status != 0;
		}
		assert_int_equal(n_failed, 0);
		assert_string_equal(raw_text(base, "PRAGMA integrity_check"), "ok");
		assert_int_equal(raw_int(base, "SELECT count(*) FROM counter"), 1);
	}
}
