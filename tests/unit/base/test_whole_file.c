#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/whole_file.h"
#include "tests/support/failing_allocations.h"

static char path[80];

static int name_file(void **state)
{
	if (make_folder(state))
		return -1;
	snprintf(path, sizeof path, "%s/file", folder);
	return 0;
}

static int n_files(void)
{
	DIR *d = opendir(folder);
	int n = -2; /* . and .. */

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void expect(const char *text)
{
	HEAP char *is = read_text(path);

	assert_string_equal(is, text);
}

static struct whole_file *begin(enum whole_file_name how)
{
	struct whole_file *w = NULL;

	must(whole_file_open(path, how, &w, &err));
	fputs("new", whole_file_stream(w));
	return w;
}

#define FILE_TEST(f) TEST_WITH(f, name_file, remove_folder)

FILE_TEST(what_was_there_stays_until_the_end)
{
	struct whole_file *w;
	struct stat st;

	write_file(path, "old and longer");
	assert_int_equal(chmod(path, 0640), 0);
	w = begin(WHOLE_FILE_REPLACES);
	fflush(whole_file_stream(w));
	expect("old and longer");
	must(whole_file_commit(w, &err));
	expect("new");
	assert_int_equal(n_files(), 1);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

FILE_TEST(what_is_abandoned_leaves_nothing)
{
	whole_file_abandon(begin(WHOLE_FILE_IS_NEW));
	assert_int_equal(n_files(), 0);
	write_file(path, "old");
	whole_file_abandon(begin(WHOLE_FILE_REPLACES));
	whole_file_abandon(NULL);
	expect("old");
	assert_int_equal(n_files(), 1);
}

FILE_TEST(a_new_file_has_the_rights_of_new_files)
{
	mode_t mask = umask(027);
	struct stat st;

	must(whole_file_commit(begin(WHOLE_FILE_IS_NEW), &err));
	umask(mask);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

FILE_TEST(what_somebody_else_made_meanwhile_is_not_replaced)
{
	struct whole_file *w = begin(WHOLE_FILE_IS_NEW);

	write_file(path, "theirs");
	must_fail(whole_file_commit(w, &err), ERR_ARG, "exists already");
	expect("theirs");
	assert_int_equal(n_files(), 1);
	assert_int_equal(whole_file_open(path, WHOLE_FILE_IS_NEW, &w, NULL), ERR_ARG);
}

FILE_TEST(the_file_behind_a_link_is_replaced)
{
	char link_path[100];
	struct whole_file *w = NULL;
	struct stat st;

	write_file(path, "old");
	snprintf(link_path, sizeof link_path, "%s/link", folder);
	assert_int_equal(symlink("file", link_path), 0);
	must(whole_file_open(link_path, WHOLE_FILE_REPLACES, &w, &err));
	fputs("new", whole_file_stream(w));
	must(whole_file_commit(w, &err));
	expect("new");
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

/* Of this process, in bytes. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

FILE_TEST(a_write_that_failed_is_told_and_the_name_keeps_its_file)
{
	struct whole_file *w = NULL;

	if (access("/dev/full", W_OK) == 0) {
		must(whole_file_open("/dev/full", WHOLE_FILE_REPLACES, &w, &err));
		fputs("new", whole_file_stream(w));
		must_fail(whole_file_commit(w, &err), ERR_IO, "/dev/full");
	}
	write_file(path, "old");
	w = begin(WHOLE_FILE_REPLACES);
	/* long before the end: many writes follow, and why is told all the same */
	limit_files(20000);
	for (int i = 0; i < 100000; i++)
		fputs("new", whole_file_stream(w));
	must_fail(whole_file_commit(w, &err), ERR_IO, strerror(EFBIG));
	limit_files(RLIM_INFINITY);
	expect("old");
	assert_int_equal(n_files(), 1);
	snprintf(path, sizeof path, "%s/no/file", folder);
	assert_int_equal(whole_file_open(path, WHOLE_FILE_IS_NEW, &w, &err), ERR_IO);
}

/* A child that has begun to write; it goes on, or is killed, once the pipe is closed or it is. */
static pid_t child_that_writes(int *keep)
{
	int ready[2], until[2];
	pid_t pid;
	char c = 0;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(until), 0);
	pid = fork();
	if (pid == 0) {
		struct whole_file *w = NULL;

		close(until[1]);
		if (whole_file_open(path, WHOLE_FILE_REPLACES, &w, NULL) != ERR_OK)
			_exit(1);
		fputs("the child's", whole_file_stream(w));
		fflush(whole_file_stream(w));
		(void)!write(ready[1], "x", 1);
		(void)!read(until[0], &c, 1);
		_exit(whole_file_commit(w, NULL) != ERR_OK);
	}
	close(until[0]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	*keep = until[1];
	return pid;
}

FILE_TEST(what_a_killed_writer_left_goes_with_the_next_one)
{
	char journal[200];
	int keep;
	pid_t pid = child_that_writes(&keep);
	struct dirent *x;
	DIR *d;

	/* SQLite's, of a backup */
	assert_non_null(d = opendir(folder));
	while ((x = readdir(d)) && x->d_name[0] == '.')
		;
	assert_non_null(x);
	snprintf(journal, sizeof journal, "%s/%.60s-journal", folder, x->d_name);
	closedir(d);
	write_file(journal, "");
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(keep);
	assert_int_equal(n_files(), 2);
	must(whole_file_commit(begin(WHOLE_FILE_IS_NEW), &err));
	expect("new");
	assert_int_equal(n_files(), 1);
}

FILE_TEST(what_a_living_writer_has_begun_stays)
{
	int keep, status = 1;
	pid_t pid = child_that_writes(&keep);

	must(whole_file_commit(begin(WHOLE_FILE_REPLACES), &err));
	expect("new");
	assert_int_equal(n_files(), 2);
	close(keep);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect("the child's");
	assert_int_equal(n_files(), 1);
}

/* Of another name, or not made by us: whatever it is, it is not ours to remove. */
FILE_TEST(files_with_names_of_their_own_stay)
{
	static const char *const name[] = {"file.XXXXXX", "file.part-1", "file.part-1234567",
					   "other.part-123456"};

	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, name[i]);
		write_file(path, "theirs");
	}
	snprintf(path, sizeof path, "%s/file", folder);
	must(whole_file_commit(begin(WHOLE_FILE_IS_NEW), &err));
	assert_int_equal(n_files(), 5);
}

FILE_TEST(without_memory_there_is_no_file)
{
	struct whole_file *w = NULL;

	failing_each_allocation (whole_file_open(path, WHOLE_FILE_IS_NEW, &w, &err), &err)
		assert_int_equal(n_files(), 0);
	whole_file_abandon(w);
}
