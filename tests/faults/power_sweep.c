/* Let the power fail in the midst of a command, and judge what the disk holds when it comes back:
 *   - the base is sound and holds what it held before, or what it holds after the command; a copy
 * is there whole, or not at all;
 *   - `status check` finds as little as it does on an undisturbed base, on what the disk holds just
 * so;
 *   - what the command has told is true: from its first word on standard output on, the base holds
 * what it holds after;
 *   - (every fourth time) the command again leads to the base of an undisturbed run.
 * Each command runs once, and what it does to files is recorded (power_record.c); power_disk.c
 * makes of it what a disk holds at a point, where each thing that was not synced is kept or lost by
 * a draw. Half of the points are drawn evenly; half lie right before or behind a sync or a change
 * of a directory. With the log (WAL) and, as on a network file system, with the rollback journal.
 * usage: power_sweep LEMNOS INJECTOR N_POINTS [CASE]...
 *   N_POINTS: of all cases together. $FAULT_SEED: of what is random. Works in the current folder.
 * The last line: "N passed, M failed". */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/faults/base_digest.h"
#include "tests/faults/fault_run.h"
#include "tests/faults/power_disk.h"

enum { SHOWN = 10, AGAIN_EVERY = 4 };

struct sweep {
	struct fault_runner record, plain;
	uint64_t seed;
	bool network;
	long n_passed, n_failed;
};

/* What is judged: the base, or the copy that is made of it. */
struct subject {
	const struct fault_case *c;
	const char *path;
	uint64_t before, after;
	int check_before, check_after; /* exit status of `status check`; -1: there is no base */
	char rule[40];
	struct power_log *log;
	size_t told;		 /* the first operation after it told something; of all that are */
	struct power_disk *last; /* at the end of the log */
};

static const struct fault_point UNDISTURBED = {.serial = true};

/* Makes its base in folders that are not there yet. */
static const struct fault_case init_deep = {"init-deep", "",	   "",
					    {"init"},	 IN_STEPS, "new/share/a.kb"};

/* The cases that change something, each kind once. */
static const char *const judged[] = {"init",  "migrate", "ingest",    "ingest-many",
				     "undo",  "mine",	 "calibrate", "accept",
				     "merge", "backup",	 NULL};

static bool is_judged(const char *name)
{
	for (size_t i = 0; judged[i]; i++) {
		if (!strcmp(name, judged[i]))
			return true;
	}
	return false;
}

/* ---- judging ---- */

static int check_status(const struct sweep *w, const char *path)
{
	struct fault_case check = {"check", "", "", {"status", "check"}, AT_ONCE, path};
	struct fault_outcome o = fault_run(&w->plain, &check, "", UNDISTURBED);
	int status = WIFEXITED(o.status) ? WEXITSTATUS(o.status) : 128;

	fault_outcome_release(&o);
	return status;
}

static bool is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_size > 0;
}

static const char *judge_again(const struct sweep *w, const struct subject *s)
{
	struct fault_outcome o = fault_run(&w->plain, s->c, s->rule, UNDISTURBED);
	const char *why = NULL;
	uint64_t now;

	if (!fault_succeeded(&o))
		why = "once more, undisturbed: failed";
	else if (base_digest(s->path, &now, &why))
		why = now == s->after ? NULL : "once more, undisturbed: another base";
	fault_outcome_release(&o);
	return why;
}

/* A base whose making was cut short may be there without a table in it; what is there of a copy is
 * whole. */
static const char *judge(const struct sweep *w, const struct subject *s, size_t at, bool again)
{
	bool is_copy = strcmp(s->path, "copy.kb") == 0;
	int check = is_there(s->path) ? check_status(w, s->path) : -1;
	const char *why = NULL;
	uint64_t now, base;

	if (!base_digest(s->path, &now, &why))
		return why;
	if (is_copy && (!base_digest("a.kb", &base, &why) || base != s->after))
		return why && *why ? why : "the base that is copied has changed";
	if (is_copy && check >= 0 && now != s->after)
		return "half a copy under its name";
	if (at >= s->told && now != s->after)
		return "told, and lost";
	if (now != s->before && now != s->after) {
		if (s->c->change != IN_STEPS)
			return "the base is neither as before nor as after";
		return check == 0 ? judge_again(w, s) : "`status check` of a base in between";
	}
	if (now == s->after && check != s->check_after)
		return "`status check` of the base as after";
	if (now == s->before && now != 0 && now != s->after && check != s->check_before)
		return "`status check` of the base as before";
	return again && now != s->after ? judge_again(w, s) : NULL;
}

static void show(const struct sweep *w, const struct subject *s, size_t at, uint64_t draw,
		 const char *why)
{
	if (w->n_failed <= SHOWN)
		printf("  FAIL  %s%s, after %zu of %zu operations, draw %llx: %s\n", s->c->name,
		       w->network ? " (rollback journal)" : "", at, power_log_n_ops(s->log),
		       (unsigned long long)draw, why);
}

/* ---- points ---- */

static int by_value(const void *left, const void *right)
{
	const size_t *l = left, *r = right;

	return (*l > *r) - (*l < *r);
}

static bool is_turning(const struct power_log *log, size_t i)
{
	enum power_op_kind kind = power_log_kind(log, i);

	return kind != POWER_WRITE && kind != POWER_START;
}

static size_t draw_index(size_t n, uint64_t *seed)
{
	return (size_t)(power_uniform(seed) * (double)n);
}

/* n of 0..n_ops, sorted; each tenth after everything was told. */
static size_t *choose_points(const struct subject *s, size_t n, uint64_t *seed)
{
	const struct power_log *log = s->log;
	size_t n_ops = power_log_n_ops(log), n_turning = 0;
	size_t *turning = calloc(n_ops + 1, sizeof *turning), *at = calloc(n + 1, sizeof *at);

	if (!turning || !at)
		fault_die("memory");
	for (size_t i = 0; i < n_ops; i++) {
		if (is_turning(log, i))
			turning[n_turning++] = i;
	}
	for (size_t i = 0; i < n; i++) {
		if (i % 10 == 9)
			at[i] = s->told + draw_index(n_ops + 1 - s->told, seed);
		else if (i % 2 == 0 || n_turning == 0)
			at[i] = draw_index(n_ops + 1, seed);
		else
			at[i] = turning[draw_index(n_turning, seed)] + draw_index(2, seed);
	}
	qsort(at, n, sizeof *at, by_value);
	free(turning);
	return at;
}

static long try_points(struct sweep *w, const struct subject *s, struct power_disk *disk, size_t n)
{
	uint64_t seed = w->seed;
	long n_bad = 0;
	size_t *at;

	for (const char *p = s->c->name; *p; p++)
		seed = (seed ^ (unsigned char)*p) * 0x100000001b3u;
	seed += w->network;
	at = choose_points(s, n, &seed);
	for (size_t i = 0; i < n; i++) {
		uint64_t draw = 1 + (uint64_t)(power_uniform(&seed) * 0x1p52);
		const char *why;

		power_disk_advance(disk, s->log, at[i]);
		power_disk_clean(s->last);
		power_disk_lay_out(disk, draw);
		why = judge(w, s, at[i], i % AGAIN_EVERY == 0);
		w->n_passed += !why;
		w->n_failed += why != NULL;
		n_bad += why != NULL;
		if (why)
			show(w, s, at[i], draw, why);
	}
	free(at);
	return n_bad;
}

/* ---- a case ---- */

static void must(bool holds, const struct subject *s, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "power_sweep: %s: %s\n", s->c->name, what);
	exit(1);
}

/* Run it once: what it did to files, and what the program left must be what that makes of the disk,
 * so that nothing was written that we did not see. */
static void record(const struct sweep *w, struct subject *s)
{
	struct fault_outcome o = fault_run(&w->record, s->c, s->rule, UNDISTURBED);
	const char *name;

	if (WIFEXITED(o.status) && WEXITSTATUS(o.status) == FAULT_CANNOT_WATCH) {
		printf("LEFT OUT: this system lets nobody watch system calls (seccomp)\n");
		exit(0);
	}
	must(fault_succeeded(&o), s, o.err);
	fault_outcome_release(&o);
	s->log = power_log_read("power.log");
	power_disk_advance(s->last, s->log, power_log_n_ops(s->log));
	name = power_disk_differs(s->last);
	must(!name, s, name);
	s->told = power_log_n_ops(s->log);
	for (size_t i = power_log_n_ops(s->log); i-- > 0;) {
		must(power_log_kind(s->log, i) != POWER_UNKNOWN, s, "a call not understood");
		if (power_log_kind(s->log, i) == POWER_TOLD)
			s->told = i + 1;
	}
}

static struct power_disk *start_disk(const struct fault_case *c)
{
	static const char *const base = "a.kb";

	return power_disk_new(&base, *c->from != '\0');
}

static const char *path_of(const struct fault_case *c)
{
	if (c->base)
		return c->base;
	return strcmp(c->name, "backup") ? "a.kb" : "copy.kb";
}

static void run_case(struct sweep *w, const struct fault_case *c, size_t n)
{
	struct subject s = {.c = c, .path = path_of(c), .check_before = -1};
	struct power_disk *disk;
	const char *why = "";
	long n_bad;

	fault_restore_base(c);
	must(base_digest(s.path, &s.before, &why), &s, why);
	if (is_there(s.path))
		s.check_before = check_status(w, s.path);
	if (*c->from)
		base_text("a.kb", "SELECT rule_id FROM rule ORDER BY rule_id LIMIT 1", s.rule,
			  sizeof s.rule);
	fault_restore_base(c);
	disk = start_disk(c);
	s.last = start_disk(c);
	record(w, &s);
	must(base_digest(s.path, &s.after, &why), &s, why);
	s.check_after = check_status(w, s.path);
	must(s.check_after == 0, &s, "`status check` afterwards");
	if (*c->makes)
		fault_copy_file("a.kb", c->makes);
	n_bad = try_points(w, &s, disk, n);
	if (n)
		printf("  %-5s %-14s %-8s %5zu points in %6zu operations\n", n_bad ? "FAIL" : "ok",
		       c->name, w->network ? "journal" : "log", n, power_log_n_ops(s.log));
	power_disk_clean(s.last);
	power_disk_free(disk);
	power_disk_free(s.last);
	power_log_free(s.log);
}

static void run_all(struct sweep *w, size_t n_each, int n_names, char **names)
{
	for (size_t i = 0; i <= n_fault_cases; i++) {
		const struct fault_case *c = i ? &fault_cases[i - 1] : &init_deep;
		bool wanted = n_names == 0;

		for (int k = 0; k < n_names; k++)
			wanted = wanted || !strcmp(c->name, names[k]);
		if (i == 0 || is_judged(c->name))
			run_case(w, c, wanted ? n_each : 0);
	}
}

int main(int argc, char **argv)
{
	const char *seed = getenv("FAULT_SEED");
	struct sweep w = {0};
	size_t n_cases = 1, n_each;

	if (argc < 4) {
		fprintf(stderr, "usage: power_sweep LEMNOS INJECTOR N_POINTS [CASE]...\n");
		return 2;
	}
	fault_runner_start(&w.record, argv[1], argv[2], "power");
	fault_runner_start(&w.plain, argv[1], argv[2], "none");
	setenv("FAULT_LOG", "power.log", 1);
	w.seed = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
	for (size_t i = 0; judged[i]; i++)
		n_cases++;
	if (argc > 4)
		n_cases = (size_t)argc - 4;
	n_each = ((size_t)atol(argv[3]) + 2 * n_cases - 1) / (2 * n_cases);
	printf("  power loss: FAULT_SEED=%llu\n", (unsigned long long)w.seed);
	run_all(&w, n_each, argc - 4, argv + 4);
	setenv("FAULT_NETWORK", "1", 1);
	w.network = true;
	run_all(&w, n_each, argc - 4, argv + 4);
	printf("%ld passed, %ld failed\n", w.n_passed, w.n_failed);
	return w.n_failed != 0;
}
