/* Let the n-th allocation or system call of a whole command fail, or kill the command there, for
 * every n or for a sample of them, and judge what it did:
 *   - it ends by itself, with success and the answer of an undisturbed run, or with exit status 5
 *     (or one that the case allows) and a message;
 *   - the base is sound, and holds what it held before or what it holds after the command;
 *   - the command again, undisturbed, leads to the base of an undisturbed run.
 * usage: fault_sweep LEMNOS INJECTOR KIND POINTS [CASE]...
 *   KIND as in fault_inject.c, or full-from: from the n-th on the disk stays full. POINTS 0: all.
 *   Works in the current folder. The last line: "N passed, M failed". */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/faults/base_digest.h"
#include "tests/faults/fault_inject.h"

enum { MAX_ARGS = 12, EXIT_FAULT = 5, SHOWN = 10 };

/* How a command changes the base: in one transaction; in several, of which a second try makes up
 * for those that are missing; after its answer, so that failing to is only a warning. */
enum change { AT_ONCE, IN_STEPS, ANSWERS_FIRST };

/* A command on a.kb, which is a copy of the file `from` ("": there is none). What it makes is kept
 * under `makes` for later cases. $RULE is the id of a mined rule. */
static const struct scenario {
	const char *name;
	const char *from, *makes;
	const char *arg[MAX_ARGS];
	enum change change;
} scenarios[] = {
	{"init", "", "init.kb", {"init"}, IN_STEPS},
	{"migrate", "old.kb", "", {"init"}, IN_STEPS},
	{"ingest", "init.kb", "ingest.kb", {"ingest", "runs.csv", "--app", "sweep3d"}, AT_ONCE},
	{"calibrate",
	 "ingest.kb",
	 "calibrate.kb",
	 {"calibrate", "--machine", "sp2like", "--pingpong", "pingpong.csv"},
	 AT_ONCE},
	{"mine", "calibrate.kb", "mine.kb", {"mine"}, AT_ONCE},
	{"accept", "mine.kb", "accept.kb", {"rules", "accept", "$RULE", "--why", "seen"}, AT_ONCE},
	{"predict",
	 "accept.kb",
	 "",
	 {"predict", "--problem", "20x20x50", "--grid", "2x2", "--mk", "10", "--mmi", "3"},
	 AT_ONCE},
	{"predict-file", "accept.kb", "", {"predict", "--from", "questions.csv"}, AT_ONCE},
	{"recommend",
	 "accept.kb",
	 "recommend.kb",
	 {"recommend", "--problem", "20x20x50", "--deadline", "1h", "--max-nodes", "4"},
	 ANSWERS_FIRST},
	{"recommend-json",
	 "accept.kb",
	 "recommend.kb",
	 {"recommend", "--problem", "20x20x50", "--deadline", "1h", "--max-nodes", "4", "--format",
	  "json"},
	 ANSWERS_FIRST},
	{"export", "accept.kb", "", {"rules", "export", "--format", "json"}, AT_ONCE},
};
enum { N_SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

struct sweep {
	const char *lemnos, *injector;
	const char *kind;
	bool sticky, kills;
	long points;
	struct fault_count *count; /* of the last run; shared with it */
	long n_passed, n_failed;
};

struct outcome {
	int status; /* as of waitpid() */
	char *out, *err;
};

static void die(const char *what)
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
		die(path);
	do {
		size += 65536;
		longer = realloc(text, size + 1);
		if (!longer)
			die(path);
		text = longer;
		n += fread(text + n, 1, size - n, f);
	} while (n == size);
	fclose(f);
	text[n] = '\0';
	return text;
}

static void copy_file(const char *from, const char *to)
{
	char block[65536];
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t n = 0;

	if (in < 0 || out < 0)
		die(in < 0 ? from : to);
	while ((n = read(in, block, sizeof block)) > 0 && write(out, block, (size_t)n) == n)
		;
	if (n != 0)
		die(to);
	close(in);
	close(out);
}

/* The base as it is before the command, without a trace of the last one. */
static void restore_base(const struct scenario *s)
{
	unlink("a.kb");
	unlink("a.kb-wal");
	unlink("a.kb-shm");
	unlink("a.kb-journal");
	if (*s->from)
		copy_file(s->from, "a.kb");
}

/* ---- a run ---- */

static void become(const struct sweep *w, const struct scenario *s, const char *rule, long at)
{
	const char *argv[MAX_ARGS + 4] = {w->lemnos};
	char number[24];
	int n = 1;

	for (int i = 0; i < MAX_ARGS && s->arg[i]; i++)
		argv[n++] = strcmp(s->arg[i], "$RULE") ? s->arg[i] : rule;
	argv[n++] = "--kb";
	argv[n++] = "a.kb";
	snprintf(number, sizeof number, "%ld", at);
	setenv("FAULT", w->kind, 1);
	setenv("FAULT_AT", number, 1);
	setenv("FAULT_STICKY", w->sticky ? "1" : "0", 1);
	setenv("LD_PRELOAD", w->injector, 1);
	execv(w->lemnos, (char **)(uintptr_t)argv);
	_exit(127);
}

/* at: the call that fails, 0: none. */
static struct outcome run(const struct sweep *w, const struct scenario *s, const char *rule,
			  long at)
{
	struct outcome o = {0};
	pid_t pid;

	*w->count = (struct fault_count){0};
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		alarm(60); /* hangs are faults, too */
		if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr) ||
		    !freopen("/dev/null", "r", stdin))
			_exit(127);
		become(w, s, rule, at);
	}
	if (waitpid(pid, &o.status, 0) != pid)
		die("waitpid");
	o.out = read_file("out");
	o.err = read_file("err");
	return o;
}

static void outcome_release(struct outcome *o)
{
	free(o->out);
	free(o->err);
}

static bool succeeded(const struct outcome *o)
{
	return WIFEXITED(o->status) && WEXITSTATUS(o->status) == 0;
}

static bool was_killed(const struct outcome *o)
{
	return WIFSIGNALED(o->status) && WTERMSIG(o->status) == SIGKILL;
}

/* ---- judging ---- */

struct expected {
	struct outcome undisturbed;
	uint64_t before, after;
	char rule[40];
};

/* Does the message name what was the matter? Of a single refusal by a disk only "I/O error" may be
 * left by the time that it is told; a disk that stays full is called so. */
static bool is_named(const struct sweep *w, const char *message)
{
	if (!strcmp(w->kind, "alloc"))
		return strstr(message, "memory");
	if (!strcmp(w->kind, "lock"))
		return strstr(message, "locks");
	return strcmp(w->kind, "full") || !w->sticky || strstr(message, "full") ||
	       strstr(message, "No space") || strstr(message, "output could not be written");
}

/* NULL: as it should be. */
static const char *judge_run(const struct sweep *w, const struct expected *x,
			     const struct outcome *o)
{
	if (w->kills && was_killed(o))
		return NULL;
	if (WIFSIGNALED(o->status))
		return strsignal(WTERMSIG(o->status));
	if (succeeded(o))
		return strcmp(o->out, x->undisturbed.out) ? "success with another answer" : NULL;
	if (WEXITSTATUS(o->status) != EXIT_FAULT)
		return "exit status";
	if (!strstr(o->err, "lemnos"))
		return "no message";
	return is_named(w, o->err) ? NULL : "a message that does not say what happened";
}

static const char *judge_base(const struct scenario *s, const struct expected *x,
			      const struct outcome *o, bool *unfinished)
{
	uint64_t now;
	const char *why;

	if (!base_digest("a.kb", &now, &why))
		return why;
	*unfinished = now != x->after;
	if (now == x->after)
		return NULL;
	if (succeeded(o))
		return s->change == ANSWERS_FIRST && *o->err ? NULL
							     : "success, but nothing was done";
	return now == x->before || s->change == IN_STEPS
		       ? NULL
		       : "the base is neither as before nor as after";
}

static const char *judge_again(struct sweep *w, const struct scenario *s, const struct expected *x)
{
	struct outcome o = run(w, s, x->rule, 0);
	uint64_t now;
	const char *why = NULL;

	if (!succeeded(&o))
		why = "once more, undisturbed: failed";
	else if (base_digest("a.kb", &now, &why))
		why = now == x->after ? NULL : "once more, undisturbed: another base";
	outcome_release(&o);
	return why;
}

static void show(const struct sweep *w, const struct scenario *s, long at, const char *why,
		 const struct outcome *o)
{
	if (w->n_failed > SHOWN)
		return;
	printf("  FAIL  %s, %s %ld: %s\n", s->name, w->kind, at, why);
	if (WIFEXITED(o->status))
		printf("        exit status %d; %.600s\n", WEXITSTATUS(o->status), o->err);
}

/* Rerunning is judged after every kill, and where a command goes in steps. */
static bool try_point(struct sweep *w, const struct scenario *s, const struct expected *x, long at)
{
	struct outcome o;
	bool unfinished = false;
	const char *why, *base;

	restore_base(s);
	o = run(w, s, x->rule, at);
	why = judge_run(w, x, &o);
	base = judge_base(s, x, &o, &unfinished);
	if (!why)
		why = base;
	if (!why && unfinished && (w->kills || s->change == IN_STEPS))
		why = judge_again(w, s, x);
	w->n_passed += !why;
	w->n_failed += why != NULL;
	if (why)
		show(w, s, at, why, &o);
	outcome_release(&o);
	return !why;
}

/* Without faults: how many points there are, and what is right. */
static long prepare(struct sweep *w, const struct scenario *s, struct expected *x)
{
	const char *why = "";

	restore_base(s);
	if (!base_digest("a.kb", &x->before, &why))
		die(why);
	if (x->before) /* one of an old schema has none */
		base_text("a.kb", "SELECT rule_id FROM rule ORDER BY rule_id LIMIT 1", x->rule,
			  sizeof x->rule);
	x->undisturbed = run(w, s, x->rule, 0);
	if (WIFEXITED(x->undisturbed.status) &&
	    WEXITSTATUS(x->undisturbed.status) == FAULT_CANNOT_WATCH) {
		printf("LEFT OUT: this system lets nobody watch system calls (seccomp)\n");
		exit(0);
	}
	if (!succeeded(&x->undisturbed) || !base_digest("a.kb", &x->after, &why)) {
		fprintf(stderr, "fault_sweep: %s undisturbed: %s%s\n", s->name, why,
			x->undisturbed.err);
		exit(1);
	}
	if (*s->makes)
		copy_file("a.kb", s->makes);
	return atomic_load(&w->count->seen);
}

static void sweep(struct sweep *w, const struct scenario *s, bool wanted)
{
	struct expected x = {0};
	long n_calls = prepare(w, s, &x);
	long n = w->points && w->points < n_calls ? w->points : n_calls, n_bad = 0;

	for (long i = 0; wanted && i < n; i++) {
		long at = 1 + (n == n_calls ? i : i * n_calls / n + i % 7);

		n_bad += !try_point(w, s, &x, at);
	}
	if (wanted)
		printf("  %-5s %-14s %-6s %5ld of %6ld points\n", n_bad ? "FAIL" : "ok", s->name,
		       w->kind, n, n_calls);
	outcome_release(&x.undisturbed);
}

static bool is_wanted(const char *name, int n, char **names)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return n == 0;
}

static struct fault_count *share_count(void)
{
	int fd = open("count", O_RDWR | O_CREAT, 0600);
	void *p = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, sizeof(struct fault_count)) == 0)
		p = mmap(NULL, sizeof(struct fault_count), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			 0);
	if (p == MAP_FAILED)
		die("count");
	close(fd);
	return p;
}

int main(int argc, char **argv)
{
	struct sweep w = {0};

	if (argc < 5) {
		fprintf(stderr, "usage: fault_sweep LEMNOS INJECTOR KIND POINTS [CASE]...\n");
		return 2;
	}
	w.lemnos = argv[1];
	w.injector = argv[2];
	w.kind = strcmp(argv[3], "full-from") ? argv[3] : "full";
	w.sticky = w.kind != argv[3] || !strcmp(w.kind, "lock");
	w.kills = !strcmp(w.kind, "kill");
	w.points = atol(argv[4]);
	w.count = share_count();
	setenv("FAULT_COUNT", "count", 1);
	setenv("FAULT_CLOCK", "1767225600", 1); /* 2026-01-01 */
	for (int i = 0; i < N_SCENARIOS; i++)
		sweep(&w, &scenarios[i], is_wanted(scenarios[i].name, argc - 5, argv + 5));
	printf("%ld passed, %ld failed\n", w.n_passed, w.n_failed);
	return w.n_failed != 0;
}
