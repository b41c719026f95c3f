#include "acquire/supervised_run.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "acquire/process_lock.h"
#include "tests/support/check.h"
#include "tests/unit/acquire/desk.h"

static const char *folder(void)
{
	return strbuf_text(&desk.path);
}

static void a_moment(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static enum supervised_state look(struct supervised_end *end)
{
	enum supervised_state state = SUPERVISED_NEVER;

	must(supervised_run_look(folder(), &state, end, &err));
	return state;
}

static pid_t start(const char *const *argv, struct supervised_run r)
{
	pid_t pid = 0;

	r.folder = folder();
	r.argv = argv;
	must(supervised_run_start(&r, &pid, &err));
	return pid;
}

static void wait_for_end(pid_t pid, struct supervised_end *end)
{
	while (look(end) == SUPERVISED_RUNS)
		a_moment();
	waitpid(pid, NULL, 0);
}

static void expect_output(const char *name, const char *want)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	must(work_folder_read(&desk, name, 1000, &text, &err));
	assert_string_equal(strbuf_text(&text), want);
}

#define DESK_TEST(f) TEST_WITH(f, open_desk, close_desk)

DESK_TEST(what_was_never_started_never_ended)
{
	struct supervised_end end;

	assert_int_equal(look(&end), SUPERVISED_NEVER);
}

DESK_TEST(an_end_is_written_down_with_output_and_status)
{
	const char *const argv[] = {"sh", "-c", "echo \"$A\"; echo bad >&2; exit 7", NULL};
	const char *const variable[] = {"A=b c", NULL};
	struct supervised_end end;

	wait_for_end(start(argv, (struct supervised_run){.variable = variable}), &end);
	assert_int_equal(look(&end), SUPERVISED_ENDED);
	assert_int_equal(end.exit_status, 7);
	assert_int_equal(end.signal, 0);
	assert_false(end.timed_out);
	assert_int_equal(end.fault, ERR_OK);
	assert_true(end.ended_s >= end.started_s && end.started_s > 0);
	expect_output("stdout", "b c\n");
	expect_output("stderr", "bad\n");
}

DESK_TEST(a_limit_is_kept_without_whoever_started_it)
{
	const char *const argv[] = {"sleep", "600", NULL};
	struct supervised_end end;
	pid_t pid;

	pid = start(argv, (struct supervised_run){.limit_s = 0.05});
	wait_for_end(pid, &end);
	assert_true(end.timed_out);
	assert_true(end.elapsed_s >= 0.05);
}

DESK_TEST(a_program_that_is_not_there_is_a_fault)
{
	const char *const argv[] = {"/nowhere/at/all", NULL};
	struct supervised_end end;

	wait_for_end(start(argv, (struct supervised_run){0}), &end);
	assert_int_equal(end.fault, ERR_NOTFOUND);
	assert_non_null(strstr(end.why, "/nowhere/at/all"));
}

DESK_TEST(what_is_stopped_never_ended)
{
	const char *const argv[] = {"sleep", "600", NULL};
	struct supervised_end end;
	pid_t pid = start(argv, (struct supervised_run){0});

	assert_int_equal(look(&end), SUPERVISED_RUNS);
	must(supervised_run_stop(folder(), &err));
	assert_int_equal(look(&end), SUPERVISED_NEVER);
	waitpid(pid, NULL, 0);
}

DESK_TEST(what_is_killed_never_ended_and_its_command_ends)
{
	const char *const argv[] = {"sh", "-c", "echo $$ >../own; exec sleep 600", NULL};
	struct supervised_end end;
	struct strbuf own = STRBUF_INIT;
	pid_t pid = start(argv, (struct supervised_run){0}), command;
	int status;

	/* whose watcher is gone is a child of ours, and not of a first process that may not care */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	for (command = 0; command == 0; a_moment()) {
		strbuf_clear(&own);
		must(work_folder_read(&desk, "own", 100, &own, &err));
		command = (pid_t)strtol(strbuf_text(&own), NULL, 10);
	}
	strbuf_release(&own);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(look(&end), SUPERVISED_NEVER);
	assert_int_equal(waitpid(command, &status, 0), command);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

DESK_TEST(what_runs_in_a_folder_is_left_alone_by_another_start)
{
	const char *const argv[] = {"true", NULL};
	struct supervised_run second = {.folder = folder(), .argv = argv};
	struct supervised_end end;
	RELEASED(strbuf) path = STRBUF_INIT;
	pid_t holder = 0, pid;
	int lock = -1;

	wait_for_end(start(argv, (struct supervised_run){0}), &end);
	strbuf_printf(&path, "%s/lock", folder());
	must(process_lock_take(path.buf, &lock, &holder, &err));
	assert_int_equal(supervised_run_start(&second, &pid, &err), ERR_BUSY);
	assert_int_equal(look(&end), SUPERVISED_ENDED);
	process_lock_release(lock);
}

/* A second attempt in a folder begins anew: the old end is not its own. */
DESK_TEST(an_old_end_is_forgotten_at_the_start)
{
	const char *const quick[] = {"true", NULL}, *const slow[] = {"sleep", "600", NULL};
	struct supervised_end end;
	pid_t pid;

	wait_for_end(start(quick, (struct supervised_run){0}), &end);
	pid = start(slow, (struct supervised_run){0});
	assert_int_equal(look(&end), SUPERVISED_RUNS);
	must(supervised_run_stop(folder(), &err));
	waitpid(pid, NULL, 0);
}

static enum err_code work(void *arg, const struct progress *progress, double *elapsed_s,
			  struct err *e)
{
	*elapsed_s = *(const double *)arg;
	return ERR_OK;
}

DESK_TEST(work_of_our_own_is_watched_as_well)
{
	double time_s = 12.5;
	struct supervised_end end;

	wait_for_end(start(NULL, (struct supervised_run){.instead = work, .arg = &time_s}), &end);
	check_rel(end.elapsed_s, 12.5, 0);
}

TEST(a_torn_end_is_none)
{
	struct supervised_end end;

	assert_true(supervised_end_read("elapsed_s 1.5\nexit_status 3\nend\n", &end));
	check_rel(end.elapsed_s, 1.5, 0);
	assert_int_equal(end.exit_status, 3);
	assert_false(supervised_end_read("elapsed_s 1.5\nexit_status 3\nen", &end));
	assert_false(supervised_end_read("", &end));
	assert_false(supervised_end_read("pending\n", &end));
}

TEST(a_fault_is_told_by_its_name)
{
	struct supervised_end end;

	assert_true(supervised_end_read("elapsed_s 0\nfault NOTFOUND\nwhy gone\nend\n", &end));
	assert_int_equal(end.fault, ERR_NOTFOUND);
	assert_string_equal(end.why, "gone");
	assert_true(supervised_end_read("elapsed_s 0\nfault OK\nend\n", &end));
	assert_int_equal(end.fault, ERR_OK);
	assert_true(supervised_end_read("elapsed_s 0\nfault OF_THE_FUTURE\nend\n", &end));
	assert_int_equal(end.fault, ERR_IO);
}
