#include "tests/support/check.h"

#include <unistd.h>

#include "base/program_file.h"

static void set_note(long pid, const char *path)
{
	char note[200];

	snprintf(note, sizeof note, "%ld:%s", pid, path);
	assert_int_equal(setenv(PROGRAM_FILE_ENV, note, 1), 0);
}

static int tear_down(void **state)
{
	return unsetenv(PROGRAM_FILE_ENV);
}

static void check_beside(const char *relative, const char *want)
{
	HEAP char *got = program_file_beside(relative);

	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

TEST_WITH(a_program_is_where_the_kernel_says, NULL, tear_down)
{
	char exe[4096] = "";

	assert_true(readlink("/proc/self/exe", exe, sizeof exe - 1) > 0);
	assert_false(program_file_is_launched());
	check_beside(strrchr(exe, '/') + 1, exe);
	check_beside("no such file", NULL);
}

TEST_WITH(a_launched_program_is_where_its_launcher_is, NULL, tear_down)
{
	set_note((long)getpid(), "/usr/bin/lemnos");
	assert_true(program_file_is_launched());
	check_beside("../..", "/");
	check_beside("../no such file", NULL);
	set_note((long)getpid(), "/lemnos");
	check_beside("proc", "/proc");
}

/* What the launcher left is inherited by whatever the launched program starts. */
TEST_WITH(a_child_does_not_take_the_note_for_its_own, NULL, tear_down)
{
	char exe[4096] = "";

	assert_true(readlink("/proc/self/exe", exe, sizeof exe - 1) > 0);
	set_note((long)getppid(), "/usr/bin/lemnos");
	assert_false(program_file_is_launched());
	check_beside(strrchr(exe, '/') + 1, exe);
}

TEST_WITH(a_note_that_no_launcher_wrote_is_ignored, NULL, tear_down)
{
	static const char *const notes[] = {"",
					    ":",
					    "/usr/bin/lemnos",
					    ":/usr/bin/lemnos",
					    "1e3:/a",
					    "99999999999999999999:/usr/bin/lemnos"};

	for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
		assert_int_equal(setenv(PROGRAM_FILE_ENV, notes[i], 1), 0);
		assert_false(program_file_is_launched());
	}
	set_note((long)getpid(), "relative/lemnos");
	assert_false(program_file_is_launched());
}
