#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include "tests/faults/fault_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the cases ---- */

/* In the order in which one base comes out of another; run.sh makes the first ones and the files.
 */
const struct fault_case fault_cases[] = {
	{"init", "", "init.kb", {"init"}, IN_STEPS, NULL},
	{"migrate", "old.kb", "", {"init"}, IN_STEPS, NULL},
	{"ingest",
	 "init.kb",
	 "ingest.kb",
	 {"ingest", "runs.csv", "--app", "sweep3d"},
	 AT_ONCE,
	 NULL},
	{"ingest-many",
	 "init.kb",
	 "many.kb",
	 {"ingest", "many.csv", "--app", "sweep3d"},
	 AT_ONCE,
	 NULL},
	{"ingest-output",
	 "init.kb",
	 "",
	 {"ingest", "sweep3d.out", "--machine", "box", "--cores-per-node", "4"},
	 AT_ONCE,
	 NULL},
	{"list", "many.kb", "", {"runs", "list", "--limit", "200"}, AT_ONCE, NULL},
	{"undo", "ingest.kb", "", {"imports", "undo", "1"}, AT_ONCE, NULL},
	{"calibrate",
	 "ingest.kb",
	 "calibrate.kb",
	 {"calibrate", "--machine", "sp2like", "--pingpong", "pingpong.csv"},
	 AT_ONCE,
	 NULL},
	{"mine", "calibrate.kb", "mine.kb", {"mine"}, AT_ONCE, NULL},
	{"accept",
	 "mine.kb",
	 "accept.kb",
	 {"rules", "accept", "$RULE", "--why", "seen"},
	 AT_ONCE,
	 NULL},
	{"refuse", "accept.kb", "", {"rules", "refuse", "$RULE", "--why", "no"}, AT_ONCE, NULL},
	{"predict",
	 "accept.kb",
	 "",
	 {"predict", "--problem", "20x20x50", "--grid", "2x2", "--mk", "10", "--mmi", "3"},
	 AT_ONCE,
	 NULL},
	{"predict-file", "accept.kb", "", {"predict", "--from", "questions.csv"}, AT_ONCE, NULL},
	{"recommend",
	 "accept.kb",
	 "recommend.kb",
	 {"recommend", "--problem", "20x20x50", "--deadline", "1h", "--max-nodes", "4"},
	 ANSWERS_FIRST,
	 NULL},
	{"recommend-json",
	 "accept.kb",
	 "",
	 {"recommend", "--problem", "20x20x50", "--deadline", "1h", "--max-nodes", "4", "--format",
	  "json"},
	 ANSWERS_FIRST,
	 NULL},
	{"explain", "recommend.kb", "", {"explain"}, AT_ONCE, NULL},
	{"advice", "recommend.kb", "", {"advice"}, AT_ONCE, NULL},
	{"class", "accept.kb", "", {"apps", "show", "sweep3d"}, AT_ONCE, NULL},
	{"models", "accept.kb", "", {"model", "list"}, AT_ONCE, NULL},
	{"export", "accept.kb", "", {"rules", "export", "--format", "json"}, AT_ONCE, NULL},
	{"model",
	 "accept.kb",
	 "",
	 {"model", "run", "loggp", "--store", "--problem", "20x20x50", "--grid", "2x2", "--set",
	  "mk=10,mmi=3", "--wg", "0.2us"},
	 AT_ONCE,
	 NULL},
	{"merge", "init.kb", "", {"status", "merge", "accept.kb"}, AT_ONCE, NULL},
	{"backup", "accept.kb", "", {"status", "backup", "copy.kb"}, AT_ONCE, NULL},
};
const size_t n_fault_cases = sizeof fault_cases / sizeof fault_cases[0];

enum { HANGS_AFTER_S = 1200, NAME_SIZE = 40 };

/* A base is up to four files. */
static const char *const suffix[] = {"", "-wal", "-shm", "-journal"};
enum { N_SUFFIXES = sizeof suffix / sizeof suffix[0] };

void fault_die(const char *what)
{
	fprintf(stderr, "fault_sweep: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- files ---- */

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL, *longer;
	size_t size = 0, n = 0;

	if (!f)
		fault_die(path);
	do {
		size += 65536;
		longer = realloc(text, size + 1);
		if (!longer)
			fault_die(path);
		text = longer;
		n += fread(text + n, 1, size - n, f);
	} while (n == size);
	fclose(f);
	text[n] = '\0';
	return text;
}

void fault_copy_file(const char *from, const char *to)
{
	char block[65536];
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t n = 0;

	if (in < 0 || out < 0)
		fault_die(in < 0 ? from : to);
	while ((n = read(in, block, sizeof block)) > 0 && write(out, block, (size_t)n) == n)
		;
	if (n != 0)
		fault_die(to);
	close(in);
	close(out);
}

void *fault_share_file(const char *path, size_t size)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	void *p = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, (off_t)size) == 0)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		fault_die(path);
	close(fd);
	return p;
}

static void name_with(char name[NAME_SIZE], const char *base, const char *end)
{
	snprintf(name, NAME_SIZE, "%s%s", base, end);
}

static void remove_base(const char *base)
{
	char name[NAME_SIZE];

	for (size_t i = 0; i < N_SUFFIXES; i++) {
		name_with(name, base, suffix[i]);
		unlink(name);
	}
}

void fault_restore_base(const struct fault_case *c)
{
	remove_base("a.kb");
	remove_base("copy.kb");
	if (*c->from)
		fault_copy_file(c->from, "a.kb");
}

void fault_copy_base(const char *from, const char *to)
{
	char source[NAME_SIZE], target[NAME_SIZE];

	remove_base(to);
	for (size_t i = 0; i < N_SUFFIXES; i++) {
		name_with(source, from, suffix[i]);
		name_with(target, to, suffix[i]);
		/* Shared memory is made anew by whoever opens it. */
		if (access(source, F_OK) == 0 && strcmp(suffix[i], "-shm") != 0)
			fault_copy_file(source, target);
	}
}

/* ---- a run ---- */

void fault_runner_start(struct fault_runner *r, const char *lemnos, const char *injector,
			const char *kind)
{
	r->lemnos = lemnos;
	r->injector = injector;
	r->kind = strcmp(kind, "full-from") ? kind : "full";
	r->sticky = r->kind != kind || !strcmp(kind, "lock");
	if (!strcmp(kind, "time") || !strcmp(kind, "interrupt"))
		r->at_time = strcmp(kind, "time") ? SIGINT : SIGKILL;
	r->count = fault_share_file("count", sizeof *r->count);
	setenv("FAULT_COUNT", "count", 1);
	setenv("FAULT_CLOCK", "1767225600", 1); /* 2026-01-01 */
}

static void become(const struct fault_runner *r, const struct fault_case *c, const char *rule,
		   struct fault_point point)
{
	const char *argv[FAULT_MAX_ARGS + 4] = {r->lemnos};
	char number[24];
	int n = 1;

	for (int i = 0; i < FAULT_MAX_ARGS && c->arg[i]; i++)
		argv[n++] = strcmp(c->arg[i], "$RULE") ? c->arg[i] : rule;
	argv[n++] = "--kb";
	argv[n++] = c->base ? c->base : "a.kb";
	snprintf(number, sizeof number, "%ld", point.at);
	setenv("FAULT", r->kind, 1);
	setenv("FAULT_AT", number, 1);
	setenv("FAULT_STICKY", r->sticky ? "1" : "0", 1);
	setenv("FAULT_SERIAL", point.serial ? "1" : "0", 1);
	if (point.sites)
		setenv("FAULT_SITES", "sites", 1);
	setenv("LD_PRELOAD", r->injector, 1);
	execv(r->lemnos, (char **)(uintptr_t)argv);
	_exit(127);
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void send_after(pid_t pid, int signal_number, long us)
{
	struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		;
	kill(pid,
	     signal_number); /* not waited for yet, so still this process, or what is left of it */
}

struct fault_outcome fault_run(const struct fault_runner *r, const struct fault_case *c,
			       const char *rule, struct fault_point point)
{
	struct fault_outcome o = {0};
	double start = now_s();
	pid_t pid;

	*r->count = (struct fault_count){0};
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		fault_die("fork");
	if (pid == 0) {
		alarm(HANGS_AFTER_S);
		if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr) ||
		    !freopen("/dev/null", "r", stdin))
			_exit(127);
		become(r, c, rule, point);
	}
	if (r->at_time && point.at)
		send_after(pid, r->at_time, point.at);
	if (waitpid(pid, &o.status, 0) != pid)
		fault_die("waitpid");
	o.wall_s = now_s() - start;
	o.out = read_file("out");
	o.err = read_file("err");
	return o;
}

void fault_outcome_release(struct fault_outcome *o)
{
	free(o->out);
	free(o->err);
}

bool fault_succeeded(const struct fault_outcome *o)
{
	return WIFEXITED(o->status) && WEXITSTATUS(o->status) == 0;
}

bool fault_was_ended_by(const struct fault_outcome *o, int signal_number)
{
	return WIFSIGNALED(o->status) && WTERMSIG(o->status) == signal_number;
}
