#include "acquire/supervised_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "acquire/launch.h"
#include "acquire/process_lock.h"
#include "base/strbuf.h"

/* A block of most file systems: what is inside one is there after a write or is not. */
enum { END_SIZE = 1024 };
/* Two seconds of grace for the command, and some for us. */
#define STOP_S 10.0

/* ---- the watching process ---- */

static volatile sig_atomic_t asked_to_stop;

static void on_stop(int number)
{
	(void)number;
	asked_to_stop = 1;
}

static bool go_on(void *arg, const char *what, uint64_t done, uint64_t total)
{
	(void)arg;
	(void)what;
	(void)done;
	(void)total;
	return !asked_to_stop;
}

/* It keeps the lock and nothing else of ours: no terminal, no base, no pipe that somebody reads. */
static void leave_everything(int lock)
{
	static const int ignored[] = {SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ};
	struct sigaction action = {.sa_handler = on_stop};
	int nowhere = open("/dev/null", O_RDWR);
	long most = sysconf(_SC_OPEN_MAX);

	setsid();
	asked_to_stop = 0;
	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
		signal(ignored[i], SIG_IGN);
	for (int fd = 0; fd < 3 && nowhere >= 0; fd++)
		dup2(nowhere, fd);
	if (most < 0 || most > 65536)
		most = 65536;
	for (int fd = 3; fd < (int)most; fd++) {
		if (fd != lock)
			close(fd);
	}
}

/* One write of a whole block: whoever reads sees it or does not. */
static bool write_block(const char *path, const char *text)
{
	char block[END_SIZE];
	int fd = open(path, O_WRONLY | O_CREAT, 0666);
	bool written;

	if (fd < 0)
		return false;
	memset(block, '\n', sizeof block);
	memcpy(block, text, strlen(text) < sizeof block ? strlen(text) : sizeof block);
	written = pwrite(fd, block, sizeof block, 0) == (ssize_t)sizeof block && !fsync(fd);
	return !close(fd) && written;
}

static void write_end(const struct supervised_end *end)
{
	char text[END_SIZE];
	char why[sizeof end->why];

	snprintf(why, sizeof why, "%s", end->why);
	for (char *p = why; *p; p++) {
		if (*p == '\n')
			*p = ' ';
	}
	snprintf(text, sizeof text,
		 "elapsed_s %.9g\nexit_status %d\nsignal %d\ntimed_out %d\nstarted %" PRId64
		 "\nended %" PRId64 "\nfault %s\nwhy %s\nend\n",
		 end->elapsed_s, end->exit_status, end->signal, end->timed_out, end->started_s,
		 end->ended_s, err_name(end->fault), why);
	write_block("end", text);
}

/* What the command wrote is on disk before its end is. */
static void sync_file(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static enum err_code work(const struct supervised_run *r, const struct progress *progress,
			  struct supervised_end *end, struct err *e)
{
	struct launch job = {.argv = r->argv,
			     .folder = SUPERVISED_WORK,
			     .stdout_path = "../stdout", /* from there */
			     .stderr_path = "../stderr",
			     .limit_s = r->limit_s,
			     .progress = progress};
	struct launch_end how = {0};
	enum err_code rc;

	if (r->instead)
		return r->instead(r->arg, progress, &end->elapsed_s, e);
	rc = launch_run(&job, &how, e);
	end->elapsed_s = how.wall_s;
	end->timed_out = how.timed_out;
	end->exit_status = how.exit_status;
	end->signal = how.signal;
	return rc;
}

static _Noreturn void watch(const struct supervised_run *r, int lock)
{
	const struct progress progress = {.step = go_on};
	struct supervised_end end = {.started_s = (int64_t)time(NULL)};
	struct err why = {0};
	enum err_code rc;

	leave_everything(lock);
	if (chdir(r->folder))
		_exit(1);
	for (const char *const *v = r->variable; v && *v; v++) {
		if (putenv((char *)(uintptr_t)*v))
			_exit(1);
	}
	rc = work(r, &progress, &end, &why);
	if (rc == ERR_INTERRUPTED)
		_exit(0); /* it never ended */
	end.ended_s = (int64_t)time(NULL);
	if (rc) {
		end.fault = rc;
		snprintf(end.why, sizeof end.why, "%.500s", why.msg);
	}
	sync_file("stdout");
	sync_file("stderr");
	write_end(&end);
	_exit(0);
}

/* ---- starting ---- */

static enum err_code cannot(const char *what, const char *path, struct err *e)
{
	return err_set(e, ERR_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

/* The lock first: the end of what runs here is not ours. */
static enum err_code prepare(const struct supervised_run *r, int *lock, struct err *e)
{
	struct strbuf end = STRBUF_INIT, path = STRBUF_INIT, inside = STRBUF_INIT;
	pid_t holder = 0;
	enum err_code rc = ERR_OK;

	*lock = -1;
	if (mkdir(r->folder, 0777) && errno != EEXIST)
		return cannot("make the folder", r->folder, e);
	strbuf_printf(&end, "%s/end", r->folder);
	strbuf_printf(&path, "%s/lock", r->folder);
	strbuf_printf(&inside, "%s/" SUPERVISED_WORK, r->folder);
	if (end.failed || path.failed || inside.failed)
		rc = err_set(e, ERR_NOMEM, "the folder of a run");
	if (!rc && !r->instead && mkdir(inside.buf, 0777) && errno != EEXIST)
		rc = cannot("make the folder", inside.buf, e);
	if (!rc && !(rc = process_lock_take(path.buf, lock, &holder, e)) && *lock < 0)
		rc = err_set(e, ERR_BUSY, "process %ld runs in %s already", (long)holder,
			     r->folder);
	if (!rc && !write_block(end.buf, "pending\n"))
		rc = cannot("write", end.buf, e);
	strbuf_release(&end);
	strbuf_release(&path);
	strbuf_release(&inside);
	return rc;
}

/* The lock is that of the watching process from its first moment, because it is ours before. */
static void hand_over(int lock)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());

	flock(lock, LOCK_EX); /* where a fork does not take it along (NFS) it waits for us */
	if (ftruncate(lock, 0) || pwrite(lock, text, (size_t)n, 0) != n)
		_exit(1);
}

enum err_code supervised_run_start(const struct supervised_run *r, pid_t *pid, struct err *e)
{
	int lock;
	enum err_code rc = prepare(r, &lock, e);

	if (rc) {
		process_lock_release(lock);
		return rc;
	}
	*pid = fork();
	if (*pid == 0) {
		hand_over(lock);
		watch(r, lock);
	}
	if (*pid < 0)
		rc = err_set(e, ERR_IO, "cannot start a process: %s", strerror(errno));
	process_lock_release(lock);
	return rc;
}

/* ---- looking ---- */

static double number_after(const char *text, const char *key, double otherwise)
{
	size_t n = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) == 0 && line[n] == ' ')
			return strtod(line + n + 1, NULL);
	}
	return otherwise;
}

/* By its name: the numbers change when the list of errors does. One that this program does not know
 * is a fault all the same. */
static enum err_code fault_in(const char *text)
{
	static const char key[] = "\nfault ";
	const char *line = strstr(text, key);
	char name[32];
	enum err_code code = ERR_IO;

	if (!line)
		return ERR_OK;
	line += sizeof key - 1;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "\n"), line);
	err_from_name(name, &code);
	return code;
}

bool supervised_end_read(const char *text, struct supervised_end *out)
{
	const char *why = strstr(text, "\nwhy ");

	if (!strstr(text, "\nend\n"))
		return false;
	*out = (struct supervised_end){
		.elapsed_s = number_after(text, "elapsed_s", 0),
		.exit_status = (int)number_after(text, "exit_status", 0),
		.signal = (int)number_after(text, "signal", 0),
		.timed_out = number_after(text, "timed_out", 0) > 0,
		.started_s = (int64_t)number_after(text, "started", 0),
		.ended_s = (int64_t)number_after(text, "ended", 0),
		.fault = fault_in(text),
	};
	if (why)
		snprintf(out->why, sizeof out->why, "%.*s", (int)strcspn(why + 5, "\n"), why + 5);
	return true;
}

static enum err_code read_end(const char *folder, bool *ended, struct supervised_end *out,
			      struct err *e)
{
	char path[4096];
	char text[END_SIZE + 1];
	ssize_t n;
	int fd;

	*ended = false;
	if (snprintf(path, sizeof path, "%s/end", folder) >= (int)sizeof path)
		return err_set(e, ERR_IO, "the name of a folder is too long");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? ERR_OK : cannot("read", path, e);
	n = pread(fd, text, END_SIZE, 0);
	if (n < 0)
		cannot("read", path, e);
	close(fd);
	if (n < 0)
		return ERR_IO;
	text[n] = '\0';
	*ended = supervised_end_read(text, out);
	return ERR_OK;
}

enum err_code supervised_run_look(const char *folder, enum supervised_state *state,
				  struct supervised_end *out, struct err *e)
{
	char path[4096];
	bool held = false, ended = false;
	pid_t holder;
	enum err_code rc;

	if (snprintf(path, sizeof path, "%s/lock", folder) >= (int)sizeof path)
		return err_set(e, ERR_IO, "the name of a folder is too long");
	/* In this order: it may end between the two. */
	if ((rc = process_lock_look(path, &held, &holder, e)) ||
	    (rc = read_end(folder, &ended, out, e)))
		return rc;
	*state = ended ? SUPERVISED_ENDED : held ? SUPERVISED_RUNS : SUPERVISED_NEVER;
	return ERR_OK;
}

/* ---- stopping ---- */

static void wait_a_little(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

enum err_code supervised_run_stop(const char *folder, struct err *e)
{
	char path[4096];
	bool held = true;
	pid_t holder = 0;
	enum err_code rc = ERR_OK;
	int looks = (int)(STOP_S / 0.01);

	if (snprintf(path, sizeof path, "%s/lock", folder) >= (int)sizeof path)
		return err_set(e, ERR_IO, "the name of a folder is too long");
	for (; looks > 0 && held && !rc; looks--) {
		rc = process_lock_look(path, &held, &holder, e);
		/* Not our own number: a child that was forked just now has not written its own. And
		 * again after a second: it may not have listened yet. */
		if (!rc && held && looks % 100 == 0 && holder > 0 && holder != getpid())
			kill(holder, SIGTERM);
		if (!rc && held) {
			waitpid(holder, NULL, WNOHANG); /* if it is a child of ours */
			wait_a_little();
		}
	}
	if (!rc && held)
		rc = err_set(e, ERR_IO, "process %ld, which runs in %s, does not end", (long)holder,
			     folder);
	return rc;
}
