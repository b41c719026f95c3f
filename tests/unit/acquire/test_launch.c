#include "acquire/launch.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "acquire/work_folder.h"
#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"

/* Runs argv in a folder of its own; what it printed comes back in *printed. */
static enum err_code run(const char *const *argv, struct launch l, struct launch_end *end,
			 struct strbuf *printed, struct err *e)
{
	struct work_folder w;
	enum err_code rc;

	check_ok(work_folder_open(NULL, &w, e), e);
	l.argv = argv;
	l.folder = strbuf_text(&w.path);
	l.stdout_path = "out";
	rc = launch_run(&l, end, e);
	check_ok(work_folder_read(&w, "out", 1000, printed, e), e);
	work_folder_close(&w);
	return rc;
}

TEST(arguments_arrive_as_they_are)
{
	const char *const argv[] = {"printf", "<%s>", "two words", "it's $HOME; \"*\"", "", NULL};
	RELEASED(strbuf) printed = STRBUF_INIT;
	struct launch_end end;

	must(run(argv, (struct launch){0}, &end, &printed, &err));
	assert_string_equal(strbuf_text(&printed), "<two words><it's $HOME; \"*\"><>");
	assert_int_equal(end.exit_status, 0);
	assert_int_equal(end.signal, 0);
}

TEST(it_runs_in_the_folder_and_reads_nothing)
{
	const char *const argv[] = {"sh", "-c", "cat; ls", NULL};
	RELEASED(strbuf) printed = STRBUF_INIT;
	struct launch_end end;

	must(run(argv, (struct launch){0}, &end, &printed, &err));
	assert_string_equal(strbuf_text(&printed), "out\n");
}

TEST(exit_status_and_signal_are_told_apart)
{
	const char *const seven[] = {"sh", "-c", "exit 7", NULL};
	const char *const killed[] = {"sh", "-c", "kill -SEGV $$", NULL};
	struct launch l = {.argv = seven};
	struct launch_end end;

	must(launch_run(&l, &end, &err));
	assert_int_equal(end.exit_status, 7);
	must_say(launch_check(&l, &end, &err), ERR_IO, "sh ended with exit status 7");

	l.argv = killed;
	must(launch_run(&l, &end, &err));
	assert_int_equal(end.signal, SIGSEGV);
	assert_int_equal(end.exit_status, -1);
	must_fail(launch_check(&l, &end, &err), ERR_IO, "sh was ended by signal 11");
}

TEST(what_cannot_be_started_is_named)
{
	const char *const no_program[] = {"no such program", NULL};
	const char *const folder[] = {"/tmp", NULL};
	const char *const sure[] = {"true", NULL};
	struct launch l = {.argv = no_program};
	struct launch_end end = {.wall_s = 77};

	must_say(launch_run(&l, &end, &err), ERR_NOTFOUND, "there is no program no such program");

	l.argv = folder;
	must_say(launch_run(&l, &end, &err), ERR_IO, "cannot run /tmp: Permission denied");

	l = (struct launch){.argv = sure, .folder = "/no/such/folder"};
	must_say(launch_run(&l, &end, &err), ERR_IO,
		 "cannot run true in /no/such/folder: No such file or directory");

	l = (struct launch){.argv = sure, .stderr_path = "/no/such/file"};
	must_fail(launch_run(&l, &end, &err), ERR_IO, "/no/such/file");
	check_abs(end.wall_s, 77, 0);
}

/* The system says of it what it says of a folder in PATH that may not be searched. */
TEST(a_file_in_path_that_may_not_be_run_is_no_program)
{
	const char *const argv[] = {"passwd", NULL};
	const struct launch l = {.argv = argv};
	const char *now = getenv("PATH");
	HEAP char *path = strdup(now ? now : "");
	struct launch_end end;

	assert_non_null(path);
	setenv("PATH", "/etc", 1);
	must_say(launch_run(&l, &end, &err), ERR_NOTFOUND, "there is no program passwd");
	setenv("PATH", path, 1);
}

/* Gone, or dead and not yet buried by whoever inherited it. */
static bool is_dead(pid_t pid)
{
	char name[64], line[256] = "";
	FILE *f;

	snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
	f = fopen(name, "r");
	if (f) {
		if (!fgets(line, sizeof line, f))
			line[0] = '\0';
		fclose(f);
	}
	return !line[0] || strstr(line, ") Z ");
}

/* Look for up to eight minutes, which is less than it would have lived. */
static bool dies(pid_t pid)
{
	for (int look = 0; look < 50000 && !is_dead(pid); look++)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	return is_dead(pid);
}

TEST(a_limit_stops_it_and_all_that_it_started)
{
	/* The children ignore the polite request; one outlives its parent. */
	const char *const argv[] = {
		"sh", "-c", "trap '' TERM; (sleep 600; echo late) & echo $!; sleep 600", NULL};
	RELEASED(strbuf) printed = STRBUF_INIT;
	struct launch_end end;
	pid_t child;

	/* A busy machine may not even have started it when the first limit is over. */
	for (int tries = 0; printed.len == 0 && tries < 5; tries++) {
		const double limit_s = ldexp(0.2, 2 * tries);

		must(run(argv, (struct launch){.limit_s = limit_s}, &end, &printed, &err));
		assert_true(end.timed_out);
		assert_true(end.wall_s >= limit_s && end.wall_s < 500);
	}
	child = (pid_t)strtol(strbuf_text(&printed), NULL, 10);
	assert_true(child > 1);
	assert_true(dies(child));
}

/* Someone who launches, and is killed before what he launched has ended. */
static void launch_and_be_killed(const struct work_folder *w)
{
	const char *const argv[] = {"sh", "-c", "echo $$ >pid; mv pid its_pid; exec sleep 600",
				    NULL};
	const struct launch l = {.argv = argv, .folder = strbuf_text(&w->path)};
	RELEASED(strbuf) text = STRBUF_INIT;
	struct launch_end end;
	pid_t pid = fork();

	if (pid == 0) {
		launch_run(&l, &end, NULL);
		_exit(0);
	}
	for (int look = 0; look < 60000 && text.len == 0; look++) {
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		assert_int_equal(work_folder_read(w, "its_pid", 100, &text, NULL), ERR_OK);
	}
	assert_true(text.len > 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST(nothing_outlives_whoever_launched_it)
{
	struct strbuf text = STRBUF_INIT;
	struct work_folder w;
	pid_t pid;

#ifndef __linux__
	skip();
#endif
	must(work_folder_open(NULL, &w, &err));
	launch_and_be_killed(&w);
	must(work_folder_read(&w, "its_pid", 100, &text, &err));
	pid = (pid_t)strtol(strbuf_text(&text), NULL, 10);
	assert_true(dies(pid));
	work_folder_close(&w);
	strbuf_release(&text);
}

TEST(an_interrupt_stops_it)
{
	const char *const argv[] = {"sleep", "6000", NULL};
	const struct progress stop = {stop_at_once, NULL};
	const struct launch l = {.argv = argv, .progress = &stop};
	struct launch_end end;

	assert_int_equal(launch_run(&l, &end, &err), ERR_INTERRUPTED);
}

TEST(programs_are_looked_for_in_path)
{
	assert_true(launch_can_find("sh"));
	assert_false(launch_can_find("no such program"));
}

/* ---- the words of a command ---- */

/* The words, each in < >. */
static void check_words(const char *text, const char *want)
{
	char **word = NULL, got[256] = "";
	size_t n = 77, n_seen = 0;

	must(command_words(text, "--launch", &word, &n, &err));
	for (; word[n_seen]; n_seen++) {
		size_t at = strlen(got);

		snprintf(got + at, sizeof got - at, "<%s>", word[n_seen]);
	}
	assert_string_equal(got, want);
	assert_int_equal(n, n_seen);
	free(word);
}

/* What sh -c 'printf "<%s>" ...' prints. */
TEST(words_are_those_of_a_shell)
{
	check_words("", "");
	check_words(" \t\n ", "");
	check_words("srun -n 2", "<srun><-n><2>");
	check_words("  a\tb\n c ", "<a><b><c>");
	check_words("ssh 'a node' mpirun", "<ssh><a node><mpirun>");
	check_words("a'b c'd\"e f\"", "<ab cde f>");
	check_words("'' \"\"", "<><>");
	check_words("'a\\b\"c' \"a'b\"", "<a\\b\"c><a'b>");
	check_words("a\\ b \\'c \\\\", "<a b><'c><\\>");
	check_words("\"a\\\"b\\\\c\"", "<a\"b\\c>");
	check_words("\"a\\nb\"", "<a\\nb>");
}

TEST(nothing_is_expanded)
{
	check_words("$HOME * ~ `ls` $(ls) a|b;c>d &", "<$HOME><*><~><`ls`><$(ls)><a|b;c>d><&>");
	check_words("\"$x\"", "<$x>");
}

TEST(what_does_not_end_is_an_error)
{
	char **word = NULL;

	must_say(command_words("a 'b", "--launch", &word, NULL, &err), ERR_USAGE,
		 "--launch: a ' has no end");
	must_say(command_words("a \"b'", "--launch", &word, NULL, &err), ERR_USAGE,
		 "--launch: a \" has no end");
	must_say(command_words("a\\", "--launch", &word, NULL, &err), ERR_USAGE,
		 "--launch: it ends with a backslash");
	assert_null(word);
}

TEST(without_memory_there_is_an_error)
{
	char **word = NULL;

	failing_each_allocation (command_words("a b", "--launch", &word, NULL, &err), &err)
		assert_null(word);
	assert_string_equal(word[1], "b");
	free(word);
}
