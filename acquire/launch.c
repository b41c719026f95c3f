#include "acquire/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"

/* How long a stopped command may take to clean up. */
#define GRACE_S 2.0
/* A look at a command that runs: soon at first, as most are short, then ten times a second. */
#define FIRST_LOOK_S 0.001
#define LAST_LOOK_S 0.1

/* ---- in the child ---- */

/* What went wrong between fork and exec, sent through a pipe that a successful exec closes. */
struct fault {
	enum { FAULT_FOLDER, FAULT_FILE, FAULT_PROGRAM } where;
	int number; /* errno */
	int file;   /* 0: stdin, 1: stdout, 2: stderr */
};

static _Noreturn void report(int pipe_end, struct fault f)
{
	/* too short to be torn; if the parent is gone nobody is left to hear of it */
	ssize_t written = write(pipe_end, &f, sizeof f);

	_exit(written == (ssize_t)sizeof f ? 127 : 126);
}

static int open_as(int fd, const char *path)
{
	int opened = open(path ? path : "/dev/null",
			  fd == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int kept;

	if (opened < 0 || opened == fd)
		return opened;
	kept = dup2(opened, fd);
	close(opened);
	return kept;
}

/* Only what POSIX allows between fork and exec. */
static _Noreturn void become(const struct launch *l, int pipe_end)
{
	const char *const path[] = {NULL, l->stdout_path, l->stderr_path};
	sigset_t none;

	setpgid(0, 0);
#ifdef __linux__
	/* Whoever kills us, or presses ^C once too often, does not leave it behind. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (l->folder && chdir(l->folder))
		report(pipe_end, (struct fault){FAULT_FOLDER, errno, 0});
	for (int fd = 0; fd < 3; fd++) {
		if (open_as(fd, path[fd]) < 0)
			report(pipe_end, (struct fault){FAULT_FILE, errno, fd});
	}
	execvp(l->argv[0], (char *const *)(uintptr_t)l->argv);
	report(pipe_end, (struct fault){FAULT_PROGRAM, errno, 0});
}

/* ---- in the parent ---- */

static enum err_code say_fault(const struct launch *l, const struct fault *f, struct err *e)
{
	const char *why = strerror(f->number);

	switch (f->where) {
	case FAULT_FOLDER:
		return err_set(e, ERR_IO, "cannot run %s in %s: %s", l->argv[0], l->folder, why);
	case FAULT_FILE:
		return err_set(e, ERR_IO, "cannot write what %s prints to %s: %s", l->argv[0],
			       f->file == 1 ? l->stdout_path : l->stderr_path, why);
	case FAULT_PROGRAM:
		break;
	}
	/* Permission may be denied by a folder of PATH in which it is not. */
	if (f->number == ENOENT ||
	    (f->number == EACCES && !strchr(l->argv[0], '/') && !launch_can_find(l->argv[0])))
		return err_set(e, ERR_NOTFOUND, "there is no program %s", l->argv[0]);
	return err_set(e, ERR_IO, "cannot run %s: %s", l->argv[0], why);
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_s(double time_s)
{
	struct timespec t = {.tv_sec = (time_t)time_s};

	t.tv_nsec = (long)(1e9 * (time_s - (double)t.tv_sec));
	nanosleep(&t, NULL);
}

/* Has it ended? */
static bool reap(pid_t pid, int *status)
{
	pid_t got;

	do
		got = waitpid(pid, status, WNOHANG);
	while (got < 0 && errno == EINTR);
	return got != 0;
}

/* The leader may end before those whom it started: the group is killed in the end. */
static void stop(pid_t pid, int *status)
{
	double give_up_s = now_s() + GRACE_S;
	bool ended;

	kill(-pid, SIGTERM);
	while (!(ended = reap(pid, status)) && now_s() < give_up_s)
		wait_s(0.01);
	kill(-pid, SIGKILL);
	while (!ended && !(ended = reap(pid, status)))
		wait_s(0.01);
}

static enum err_code watch(const struct launch *l, pid_t pid, struct launch_end *out, struct err *e)
{
	double start_s = now_s(), look_s = FIRST_LOOK_S;
	int status = 0;

	*out = (struct launch_end){0};
	while (!reap(pid, &status)) {
		if (l->limit_s > 0 && now_s() - start_s >= l->limit_s) {
			out->timed_out = true;
			stop(pid, &status);
			break;
		}
		if (!progress_step(l->progress, NULL, 0, 0)) {
			stop(pid, &status);
			return err_set(e, ERR_INTERRUPTED, "interrupted");
		}
		wait_s(look_s);
		look_s = 2 * look_s < LAST_LOOK_S ? 2 * look_s : LAST_LOOK_S;
	}
	out->wall_s = now_s() - start_s;
	out->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return ERR_OK;
}

/* The fault that the child met on its way to exec; false: none. */
static bool read_fault(int pipe_end, struct fault *f)
{
	ssize_t got;

	do
		got = read(pipe_end, f, sizeof *f);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof *f;
}

enum err_code launch_run(const struct launch *l, struct launch_end *out, struct err *e)
{
	struct launch_end end;
	struct fault fault;
	int ends[2], status;
	enum err_code rc;
	pid_t pid;

	if (pipe(ends))
		return err_set(e, ERR_IO, "cannot start %s: %s", l->argv[0], strerror(errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	pid = fork();
	if (pid == 0)
		become(l, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		rc = err_set(e, ERR_IO, "cannot start %s: %s", l->argv[0], strerror(errno));
	} else if (read_fault(ends[0], &fault)) {
		while (!reap(pid, &status))
			wait_s(FIRST_LOOK_S);
		rc = say_fault(l, &fault, e);
	} else if (!(rc = watch(l, pid, &end, e))) {
		*out = end;
	}
	close(ends[0]);
	return rc;
}

enum err_code launch_check(const struct launch *l, const struct launch_end *end, struct err *e)
{
	if (end->timed_out)
		return err_set(e, ERR_IO, "%s was stopped after %g s", l->argv[0], l->limit_s);
	if (end->signal)
		return err_set(e, ERR_IO, "%s was ended by signal %d (%s)", l->argv[0], end->signal,
			       strsignal(end->signal));
	if (end->exit_status != 0)
		return err_set(e, ERR_IO, "%s ended with exit status %d", l->argv[0],
			       end->exit_status);
	return ERR_OK;
}

bool launch_can_find(const char *name)
{
	const char *path = getenv("PATH");
	bool found = false;

	while (path && *path && !found) {
		size_t length = strcspn(path, ":");
		struct strbuf file = STRBUF_INIT;

		strbuf_add(&file, path, length);
		strbuf_printf(&file, "%s%s", length ? "/" : "", name);
		found = !file.failed && !access(file.buf, X_OK);
		strbuf_release(&file);
		path += length + (path[length] == ':');
	}
	return found;
}

/* ---- the words of a command ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Copy one word to `to`, without its quotes; *from then stands behind it. Returns the end of the
 * copy, or NULL: something does not end, *why says what. */
static char *copy_word(const char **from, char *to, const char **why)
{
	const char *p = *from;
	char quote = '\0';

	for (; *p && (quote || !is_blank(*p)); p++) {
		if (quote ? *p == quote : *p == '\'' || *p == '"') {
			quote = quote ? '\0' : *p;
		} else if (*p == '\\' && quote != '\'' && (!quote || p[1] == '"' || p[1] == '\\')) {
			if (!*++p) {
				*why = "it ends with a backslash";
				return NULL;
			}
			*to++ = *p;
		} else {
			*to++ = *p;
		}
	}
	if (quote) {
		*why = quote == '"' ? "a \" has no end" : "a ' has no end";
		return NULL;
	}
	*from = p;
	*to++ = '\0';
	return to;
}

enum err_code command_words(const char *text, const char *what, char ***out, size_t *n,
			    struct err *e)
{
	/* A word takes two characters of the text or more, but for the last. */
	size_t length = strlen(text), most = length / 2 + 2, n_words = 0;
	char **word = malloc(most * sizeof *word + length + 1);
	const char *why = NULL;
	char *to;

	if (!word)
		return err_set(e, ERR_NOMEM, "the words of a command");
	to = (char *)(word + most);
	for (;;) {
		while (is_blank(*text))
			text++;
		if (!*text)
			break;
		word[n_words++] = to;
		to = copy_word(&text, to, &why);
		if (!to) {
			free(word);
			return err_set(e, ERR_USAGE, "%s: %s", what, why);
		}
	}
	word[n_words] = NULL;
	*out = word;
	if (n)
		*n = n_words;
	return ERR_OK;
}
