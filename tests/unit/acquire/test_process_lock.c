#include "acquire/process_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "acquire/work_folder.h"
#include "tests/support/check.h"

static struct work_folder desk;
static struct strbuf path;

static int open_desk(void **state)
{
	must(work_folder_open(NULL, &desk, &err));
	strbuf_clear(&path);
	strbuf_printf(&path, "%s/lock", strbuf_text(&desk.path));
	return path.failed ? -1 : 0;
}

static int close_desk(void **state)
{
	strbuf_release(&path);
	work_folder_close(&desk);
	return 0;
}

/* A child that has the lock (LOCK_EX, or LOCK_SH: it looks), until the end of the pipe that it
 * gets here closes, or for a while. */
static pid_t child_with(int operation, int *keep)
{
	int ready[2], until[2];
	pid_t pid;
	char c = 0;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(until), 0);
	pid = fork();
	if (pid == 0) {
		int fd = open(path.buf, O_RDWR | O_CREAT, 0666);

		close(until[1]);
		if (fd < 0 || flock(fd, operation) || write(ready[1], "x", 1) != 1)
			_exit(1);
		if (keep)
			_exit(read(until[0], &c, 1) != 0);
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
		_exit(0);
	}
	close(until[0]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	if (keep)
		*keep = until[1];
	else
		close(until[1]);
	return pid;
}

#define DESK_TEST(f) TEST_WITH(f, open_desk, close_desk)

DESK_TEST(a_lock_tells_whose_it_is)
{
	int fd = -1, second = 77;
	pid_t holder = 0;
	bool held = false;

	must(process_lock_look(path.buf, &held, &holder, &err));
	assert_false(held);
	must(process_lock_take(path.buf, &fd, &holder, &err));
	assert_true(fd >= 0);
	must(process_lock_take(path.buf, &second, &holder, &err));
	assert_int_equal(second, -1);
	assert_int_equal(holder, getpid());
	must(process_lock_look(path.buf, &held, &holder, &err));
	assert_true(held);
	process_lock_release(fd);
	must(process_lock_look(path.buf, &held, &holder, &err));
	assert_false(held);
}

DESK_TEST(another_process_keeps_it_as_long_as_it_lives)
{
	int keep = -1, fd = 77;
	pid_t holder = 0, pid = child_with(LOCK_EX, &keep);

	must(process_lock_take(path.buf, &fd, &holder, &err));
	assert_int_equal(fd, -1);
	close(keep);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	must(process_lock_take(path.buf, &fd, &holder, &err));
	assert_true(fd >= 0);
	process_lock_release(fd);
}

DESK_TEST(whoever_only_looks_is_waited_for)
{
	int fd = 77;
	pid_t holder = 0, pid = child_with(LOCK_SH, NULL);

	must(process_lock_take(path.buf, &fd, &holder, &err));
	assert_true(fd >= 0);
	process_lock_release(fd);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Its process is gone, and a child that was forked before still has the file open, until it is let
 * go, and then for a moment. */
DESK_TEST(the_child_of_a_holder_that_was_killed_is_waited_for)
{
	int fd = 77, until[2], go[2];
	pid_t holder = 0, taken_by = 0, pid;
	bool held = false;
	char c = 0;

	assert_int_equal(pipe(until), 0);
	assert_int_equal(pipe(go), 0);
	pid = fork();
	if (pid == 0) {
		int own = -1;

		close(go[1]);
		if (process_lock_take(path.buf, &own, &taken_by, NULL) || own < 0)
			_exit(1);
		if (fork() == 0) {
			(void)!read(go[0], &c, 1);
			nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
			_exit(write(until[1], "x", 1) != 1); /* which lets go of the lock */
		}
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	must(process_lock_look(path.buf, &held, &taken_by, &err));
	assert_true(held);
	assert_int_equal(taken_by, pid);
	close(go[1]);
	must(process_lock_take(path.buf, &fd, &holder, &err));
	assert_true(fd >= 0);
	assert_int_equal(read(until[0], &c, 1), 1); /* after the child had it */
	process_lock_release(fd);
	close(go[0]);
	close(until[0]);
	close(until[1]);
}

DESK_TEST(what_cannot_be_opened_is_an_error)
{
	int fd = 77;
	pid_t holder = 0;

	strbuf_puts(&path, "/under/a/file");
	must_fail(process_lock_take(path.buf, &fd, &holder, &err), ERR_IO, "under/a/file");
}
