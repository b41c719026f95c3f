/* What others do to a base while it is in use: they take it away, or keep it locked. */
#include "tests/unit/kb/kb_fixture.h"

#include <signal.h>
#include <sys/wait.h>

#include "kb/kb_lock_holder.h"

/* ---- the file is taken away ---- */

/* One change that the base must not be said to hold. */
static enum err_code change(struct kb *kb, struct err *e)
{
	return kb_set_default(kb, "machine", "m", e);
}

KB_TEST(a_base_deleted_in_a_transaction_is_not_said_to_be_written)
{
	struct kb *kb = open_base(KB_CREATE);

	must(kb_begin(kb, &err));
	must(change(kb, &err));
	unlink(path);
	must_fail(kb_commit(kb, &err), ERR_KB, "was deleted, renamed or replaced");
	kb_close(kb);
	assert_int_equal(access(path, F_OK), -1);
}

KB_TEST(a_base_replaced_in_a_transaction_leaves_the_new_one_as_it_is)
{
	struct kb *kb = open_base(KB_CREATE);
	char other[256];

	snprintf(other, sizeof other, "%s", in_folder("other.kb"));
	must(kb_backup(kb, other, &err));
	must(kb_begin(kb, &err));
	must(change(kb, &err));
	assert_int_equal(rename(other, path), 0);
	must_fail(kb_commit(kb, &err), ERR_KB, "-wal and ");
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM setting WHERE value = 'm'"), 0);
	assert_string_equal(raw_text(path, "PRAGMA integrity_check"), "ok");
}

KB_TEST(a_renamed_base_is_not_changed_under_its_new_name)
{
	const struct kb_options no_wal = {.safe_journal = true};
	struct kb *kb = NULL;
	const char *moved = in_folder("moved.kb");

	must(kb_open(path, KB_CREATE, &no_wal, &kb, &err));
	must(kb_begin(kb, &err));
	must(change(kb, &err));
	assert_int_equal(rename(path, moved), 0);
	assert_int_equal(kb_commit(kb, &err), ERR_KB);
	kb_close(kb);
	assert_int_equal(raw_int(moved, "SELECT count(*) FROM setting WHERE value = 'm'"), 0);
}

KB_TEST(no_transaction_begins_on_a_base_that_is_gone)
{
	CLOSED(kb) *kb = open_base(KB_CREATE);

	unlink(path);
	must_fail(kb_begin(kb, &err), ERR_KB, path);
	kb_rollback(kb);
}

/* ---- a lock that stays ---- */

/* A process that has begun to write, and goes on only when it is told to. */
static pid_t hold(bool safe_journal)
{
	const struct kb_options o = {.safe_journal = safe_journal};
	int ready[2];
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct kb *kb = NULL;
		bool ok = kb_open(path, KB_WRITE, &o, &kb, NULL) == ERR_OK &&
			  kb_begin(kb, NULL) == ERR_OK && change(kb, NULL) == ERR_OK;

		if (ok && write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void note_holder(void *arg, const char *holder, int max_wait_s)
{
	snprintf(arg, 60, "%s", holder);
}

static void who_holds_the_lock_is_named(bool safe_journal)
{
	char told[60] = "", process[40];
	const struct kb_options impatient = {.on_wait = note_holder,
					     .arg = told,
					     .busy_timeout_ms = 50,
					     .safe_journal = safe_journal};
	struct lock_holder h;
	struct kb *kb = NULL;
	pid_t pid;

	must(kb_open(path, KB_CREATE, &impatient, &kb, &err));
	pid = hold(safe_journal);
	if (!lock_holder_find(path, &h)) {
		end(pid);
		kb_close(kb);
		skip(); /* no /proc/locks, or a file system with devices of its own */
	}
	assert_int_equal(h.pid, pid);
	assert_false(h.stopped);
	snprintf(process, sizeof process, "process %ld (", (long)pid);
	must_fail(kb_begin(kb, &err), ERR_BUSY, process);
	assert_non_null(strstr(told, process));
	end(pid);
	assert_false(lock_holder_find(path, &h));
	kb_close(kb);
}

KB_TEST(who_writes_is_named)
{
	who_holds_the_lock_is_named(false);
}

KB_TEST(who_writes_without_wal_is_named)
{
	who_holds_the_lock_is_named(true);
}

KB_TEST(what_to_do_about_a_stopped_process_is_said)
{
	const struct kb_options impatient = {.busy_timeout_ms = 50};
	struct lock_holder h;
	CLOSED(kb) *kb = NULL;
	char advice[40];
	int status;
	pid_t pid;

	must(kb_open(path, KB_CREATE, &impatient, &kb, &err));
	pid = hold(false);
	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	if (lock_holder_find(path, &h)) {
		snprintf(advice, sizeof advice, "`kill -CONT %ld`", (long)pid);
		must_fail(kb_begin(kb, &err), ERR_BUSY, ", stopped) was writing");
		assert_non_null(strstr(err.msg, advice));
	}
	end(pid);
	must(kb_begin(kb, &err));
}

/* Without WAL what a killed process had begun lies in a journal beside the base. */
KB_TEST(what_a_killed_process_had_begun_is_taken_back)
{
	const struct kb_options no_wal = {.safe_journal = true};
	struct kb *kb = NULL;

	must(kb_open(path, KB_CREATE, &no_wal, &kb, &err));
	kb_close(kb);
	end(hold(true));
	assert_int_equal(access(in_folder("test.kb-journal"), F_OK), 0);
	must(kb_open(path, KB_WRITE, &no_wal, &kb, &err));
	must(kb_begin(kb, &err));
	kb_close(kb);
	assert_int_equal(raw_int(path, "SELECT count(*) FROM setting WHERE value = 'm'"), 0);
	assert_string_equal(raw_text(path, "PRAGMA integrity_check"), "ok");
}

KB_TEST(a_name_that_is_not_known_is_left_out)
{
	char text[60];

	lock_holder_describe(&(struct lock_holder){.pid = 12}, text, sizeof text);
	assert_string_equal(text, "process 12");
	lock_holder_describe(&(struct lock_holder){.pid = 12, .name = "a b", .stopped = true}, text,
			     sizeof text);
	assert_string_equal(text, "process 12 (a b, stopped)");
	lock_holder_describe(NULL, text, sizeof text);
	assert_string_equal(text, "another process");
}
