#include "tests/support/check.h"

#include <sys/stat.h>

#include "acquire/kernel_run.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/desk.h"

/* A program of the desk. */
static const char *program(const char *text)
{
	static char path[4096];

	must(work_folder_write(&desk, "program", text, &err));
	snprintf(path, sizeof path, "%s/program", strbuf_text(&desk.path));
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

static void check_printed(const char *want)
{
	RELEASED(strbuf) printed = STRBUF_INIT;

	must(work_folder_read(&desk, "out", 4096, &printed, &err));
	assert_string_equal(strbuf_text(&printed), want);
}

TEST(a_program_runs_behind_its_launcher_here)
{
	const char *const launcher[] = {"env", "GREETING=hello", NULL};
	const char *const argv[] = {"a b", "$c", NULL};
	struct kernel_run k = {.launcher = launcher, .argv = argv, .output = "out"};

	k.program = program("#!/bin/sh\necho \"$GREETING <$1> <$2>\"\necho said >&2\n"
			    "[ -f Makefile ] && echo here\n");
	must(kernel_run(&k, &desk, &err));
	check_printed("hello <a b> <$c>\nhere\n"); /* tests run at the top of the tree */
}

TEST(a_program_needs_no_launcher)
{
	const char *const none[] = {NULL};
	struct kernel_run k = {.argv = none, .output = "out"};

	k.program = program("#!/bin/sh\necho $#\n");
	must(kernel_run(&k, &desk, &err));
	check_printed("0\n");
	k.launcher = none;
	must(kernel_run(&k, &desk, &err));
	check_printed("0\n");
}

TEST(a_failure_says_how_it_ended_and_what_it_said_last)
{
	const char *const none[] = {NULL};
	struct kernel_run k = {.argv = none, .output = "out"};

	k.program = program("#!/bin/sh\necho 'no slots' >&2\necho 'left' >&2\nexit 3\n");
	must_fail(kernel_run(&k, &desk, &err), ERR_IO,
		  "program ended with exit status 3; it said: no slots left");
	k.program = program("#!/bin/sh\necho 'program: too few' >&2\necho program >&2\nexit 3\n");
	must_fail(kernel_run(&k, &desk, &err), ERR_IO, "exit status 3; it said: program: too few");
	assert_null(strstr(err.msg, "few program"));
	k.program = program("#!/bin/sh\nexit 4\n");
	must_fail(kernel_run(&k, &desk, &err), ERR_IO, "exit status 4");
	assert_null(strstr(err.msg, "it said"));
}

TEST(a_launcher_that_is_not_there_is_told_from_a_program_that_is_not)
{
	const char *const launcher[] = {"no-such-mpirun", "-np", "2", NULL};
	const char *const none[] = {NULL};
	struct kernel_run k = {.launcher = launcher, .argv = none, .output = "out"};

	k.program = program("#!/bin/sh\n");
	must_fail(kernel_run(&k, &desk, &err), ERR_NOTFOUND,
		  "there is no program no-such-mpirun: install an MPI");
	k.launcher = NULL;
	k.program = "/nowhere/program";
	must_say(kernel_run(&k, &desk, &err), ERR_NOTFOUND, "there is no program /nowhere/program");
}

static bool count_lines(void *arg, const char *what, uint64_t done, uint64_t total)
{
	assert_string_equal(what, "lines");
	assert_int_equal(total, 0);
	assert_true(done <= 2);
	return *(uint64_t *)arg = done, done < 2;
}

TEST(progress_is_told_of_the_lines_that_it_printed)
{
	uint64_t n = 0;
	const struct progress see = {count_lines, &n};
	const char *const none[] = {NULL};
	struct kernel_run k = {.argv = none, .output = "out", .what = "lines", .progress = &see};

	k.program = program("#!/bin/sh\necho a\necho b\nexec sleep 6000\n");
	assert_int_equal(kernel_run(&k, &desk, &err), ERR_INTERRUPTED);
	assert_int_equal(n, 2);
}

TEST(it_can_be_interrupted)
{
	const struct progress stop = {.step = stop_at_once};
	const char *const none[] = {NULL};
	struct kernel_run k = {.argv = none, .output = "out", .progress = &stop};

	k.program = program("#!/bin/sh\nexec sleep 6000\n");
	assert_int_equal(kernel_run(&k, &desk, &err), ERR_INTERRUPTED);
}

TEST(without_memory_there_is_an_error)
{
	const char *const none[] = {NULL};
	struct kernel_run k = {.argv = none, .output = "out"};

	k.program = program("#!/bin/sh\necho done\n");
	failing_each_allocation (kernel_run(&k, &desk, &err), &err)
		;
	check_printed("done\n");
}

TEST_GROUP(open_desk, close_desk)
