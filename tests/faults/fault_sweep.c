/* Let calls of a whole command fail, or kill the command, and judge what it did:
 *   - it ends by itself, with success and the answer of an undisturbed run, or with exit status 5
 *     (or one that the case allows) and a message;
 *   - the base is sound, and holds what it held before or what it holds after the command;
 *   - the command again, undisturbed, leads to the base of an undisturbed run.
 * usage: fault_sweep LEMNOS INJECTOR KIND POINTS [CASE]...
 *   KIND: as in fault_inject.c; full-from: from the n-th on the disk stays full; time: kill -9 at
 *   random moments; interrupt: ^C at such. POINTS: every, sites, or a number (fault_points_choose);
 * of moments a number. $FAULT_SEED: of what is random, printed. Works in the current folder. The
 * last line: "N passed, M failed". */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/faults/base_digest.h"
#include "tests/faults/fault_run.h"

/* ---- which calls are to fail ---- */

struct fault_points {
	struct fault_point *item;
	long n;
	long n_sites; /* distinct places in the program that make such calls; 0: not asked for */
};

/* Uniform in [0, 1): splitmix64 (Steele, Lea, Flood, OOPSLA 2014), so that a seed is all it takes
 * to do a sweep once more. */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = (*seed += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static double uniform(uint64_t *seed)
{
	return (double)(next(seed) >> 11) * 0x1p-53;
}

static void *allocate(long n, size_t size)
{
	void *p = calloc((size_t)n + 1, size);

	if (!p)
		fault_die("points");
	return p;
}

static void add(struct fault_points *p, long at, bool serial)
{
	p->item[p->n++] = (struct fault_point){.at = at, .serial = serial};
}

struct call {
	uint64_t hash;
	long n;
};

static int by_site_and_number(const void *left, const void *right)
{
	const struct call *l = left, *r = right;

	if (l->hash != r->hash)
		return l->hash < r->hash ? -1 : 1;
	return (l->n > r->n) - (l->n < r->n);
}

static int by_number(const void *left, const void *right)
{
	const struct fault_point *l = left, *r = right;

	return (l->at > r->at) - (l->at < r->at);
}

/* calls[from..to-1] come from one place. The one at random is tried with threads: with them, the
 * n-th call comes from there only by chance anyway. */
static void add_site(struct fault_points *p, const struct call *calls, long from, long to,
		     bool first_only, uint64_t *seed)
{
	long between = to - from - 2;

	add(p, calls[from].n, true);
	p->n_sites++;
	if (first_only || to - from < 2)
		return;
	add(p, calls[to - 1].n, true);
	if (between > 0)
		add(p, calls[from + 1 + (long)(uniform(seed) * (double)between)].n, false);
}

static void add_sites(struct fault_points *p, const uint64_t *hash, long n_calls, bool first_only,
		      uint64_t *seed)
{
	struct call *calls = allocate(n_calls, sizeof *calls);

	for (long i = 0; i < n_calls; i++)
		calls[i] = (struct call){.hash = hash[i], .n = i + 1};
	qsort(calls, (size_t)n_calls, sizeof *calls, by_site_and_number);
	for (long from = 0, to = 0; from < n_calls; from = to) {
		while (to < n_calls && calls[to].hash == calls[from].hash)
			to++;
		add_site(p, calls, from, to, first_only, seed);
	}
	qsort(p->item, (size_t)p->n, sizeof *p->item, by_number);
	free(calls);
}

struct drawn {
	uint64_t lot;
	struct fault_point point;
};

static int by_lot(const void *left, const void *right)
{
	const struct drawn *l = left, *r = right;

	if (l->lot != r->lot)
		return l->lot < r->lot ? -1 : 1;
	return (l->point.at > r->point.at) - (l->point.at < r->point.at);
}

/* n of them, drawn by the place they come from: the lot of a place depends on its hash and the seed
 * alone, whatever other places there are. */
static void sample(struct fault_points *p, const uint64_t *hash, long n, uint64_t seed)
{
	struct drawn *drawn = allocate(p->n, sizeof *drawn);

	for (long i = 0; i < p->n; i++) {
		uint64_t mixed = hash[p->item[i].at - 1] ^ seed;

		drawn[i] = (struct drawn){.lot = next(&mixed), .point = p->item[i]};
	}
	qsort(drawn, (size_t)p->n, sizeof *drawn, by_lot);
	if (n < p->n)
		p->n = n;
	for (long i = 0; i < p->n; i++)
		p->item[i] = drawn[i].point;
	qsort(p->item, (size_t)p->n, sizeof *p->item, by_number);
	free(drawn);
}

/* how: "every" call of n_calls; of each of the "sites" the first and the last call, and one in
 * between at random, which is tried with the program's threads; or the first call at so many of the
 * sites, a number, drawn by hash and seed. hash[0..n_calls-1]: where each call comes from. */
static void fault_points_choose(const char *how, const uint64_t *hash, long n_calls, uint64_t *seed,
				struct fault_points *out)
{
	bool all_of_site = !strcmp(how, "sites");

	*out = (struct fault_points){.item = allocate(n_calls, sizeof *out->item)};
	if (!strcmp(how, "every")) {
		for (long at = 1; at <= n_calls; at++)
			add(out, at, false);
		return;
	}
	add_sites(out, hash, n_calls, !all_of_site, seed);
	if (!all_of_site)
		sample(out, hash, atol(how), *seed);
}

/* n moments from the start to the end of a command that takes so long [s], uniform. */
static void fault_points_times(long n, double wall_s, uint64_t *seed, struct fault_points *out)
{
	*out = (struct fault_points){.item = allocate(n, sizeof *out->item)};
	for (long i = 0; i < n; i++)
		add(out, 1 + (long)(uniform(seed) * wall_s * 1e6), false);
}

static void fault_points_release(struct fault_points *p)
{
	free(p->item);
}

enum { EXIT_FAULT = 5, EXIT_INTERRUPTED = 130, SHOWN = 10, TIMED_RUNS = 5 };

struct sweep {
	struct fault_runner runner;
	const char *how;
	bool kills;
	uint64_t seed;
	struct fault_sites *sites; /* as the last run left them */
	long n_passed, n_failed;
};

static const struct fault_point UNDISTURBED = {0}, RECORDED = {.serial = true, .sites = true};

/* ---- judging ---- */

struct expected {
	struct fault_outcome undisturbed;
	uint64_t before, after;
	char rule[40];
};

/* Does the message name what was the matter? Of a single refusal by a disk only "I/O error" may be
 * left by the time that it is told; a disk that stays full is called so. */
static bool is_named(const struct sweep *w, const char *message)
{
	if (!strcmp(w->runner.kind, "alloc"))
		return strstr(message, "memory");
	if (!strcmp(w->runner.kind, "lock"))
		return strstr(message, "locks");
	return strcmp(w->runner.kind, "full") || !w->runner.sticky || strstr(message, "full") ||
	       strstr(message, "No space") || strstr(message, "output could not be written");
}

/* By the program itself, or by the system before it could see to that. */
static bool was_interrupted(const struct fault_outcome *o)
{
	if (fault_was_ended_by(o, SIGINT))
		return true;
	return WIFEXITED(o->status) && WEXITSTATUS(o->status) == EXIT_INTERRUPTED &&
	       strstr(o->err, "interrupted");
}

/* NULL: as it should be. */
static const char *judge_run(const struct sweep *w, const struct expected *x,
			     const struct fault_outcome *o)
{
	if (w->kills && fault_was_ended_by(o, SIGKILL))
		return NULL;
	if (w->runner.at_time == SIGINT && was_interrupted(o))
		return NULL;
	if (WIFSIGNALED(o->status))
		return strsignal(WTERMSIG(o->status));
	if (fault_succeeded(o))
		return strcmp(o->out, x->undisturbed.out) ? "success with another answer" : NULL;
	if (WEXITSTATUS(o->status) != EXIT_FAULT)
		return "exit status";
	if (!strstr(o->err, "lemnos"))
		return "no message";
	return is_named(w, o->err) ? NULL : "a message that does not say what happened";
}

/* Looked at is a copy, so that the next command meets what this one left, and not what SQLite made
 * of it for us. */
static const char *judge_base(const struct fault_case *c, const struct expected *x,
			      const struct fault_outcome *o, bool *unfinished)
{
	uint64_t now;
	const char *why;

	fault_copy_base("a.kb", "seen.kb");
	if (!base_digest("seen.kb", &now, &why))
		return why;
	*unfinished = now != x->after;
	if (now == x->after)
		return NULL;
	if (fault_succeeded(o))
		return c->change == ANSWERS_FIRST && *o->err ? NULL
							     : "success, but nothing was done";
	return now == x->before || c->change == IN_STEPS
		       ? NULL
		       : "the base is neither as before nor as after";
}

static const char *judge_again(const struct sweep *w, const struct fault_case *c,
			       const struct expected *x)
{
	struct fault_outcome o = fault_run(&w->runner, c, x->rule, UNDISTURBED);
	uint64_t now;
	const char *why = NULL;

	if (!fault_succeeded(&o))
		why = "once more, undisturbed: failed";
	else if (base_digest("a.kb", &now, &why))
		why = now == x->after ? NULL : "once more, undisturbed: another base";
	fault_outcome_release(&o);
	return why;
}

static void show(const struct sweep *w, const struct fault_case *c, struct fault_point point,
		 const char *why, const struct fault_outcome *o)
{
	if (w->n_failed > SHOWN)
		return;
	printf("  FAIL  %s, %s %ld%s: %s\n", c->name, w->runner.kind, point.at,
	       point.serial ? " (FAULT_SERIAL=1)" : "", why);
	if (WIFEXITED(o->status))
		printf("        exit status %d; %.600s\n", WEXITSTATUS(o->status), o->err);
}

/* Rerunning is judged after every kill, and where a command goes in steps. */
static bool try_point(struct sweep *w, const struct fault_case *c, const struct expected *x,
		      struct fault_point point)
{
	struct fault_outcome o;
	bool unfinished = false;
	const char *why, *base;

	fault_restore_base(c);
	o = fault_run(&w->runner, c, x->rule, point);
	why = judge_run(w, x, &o);
	base = judge_base(c, x, &o, &unfinished);
	if (!why)
		why = base;
	if (!why && unfinished && (w->kills || c->change == IN_STEPS))
		why = judge_again(w, c, x);
	w->n_passed += !why;
	w->n_failed += why != NULL;
	if (why)
		show(w, c, point, why, &o);
	fault_outcome_release(&o);
	return !why;
}

/* ---- sweeping ---- */

/* Without faults: what is right. */
static void prepare(struct sweep *w, const struct fault_case *c, struct expected *x)
{
	const char *why = "";

	fault_restore_base(c);
	if (!base_digest("a.kb", &x->before, &why))
		fault_die(why);
	if (x->before) /* one of an old schema has none */
		base_text("a.kb", "SELECT rule_id FROM rule ORDER BY rule_id LIMIT 1", x->rule,
			  sizeof x->rule);
	x->undisturbed = fault_run(&w->runner, c, x->rule, RECORDED);
	if (WIFEXITED(x->undisturbed.status) &&
	    WEXITSTATUS(x->undisturbed.status) == FAULT_CANNOT_WATCH) {
		printf("LEFT OUT: this system lets nobody watch system calls (seccomp)\n");
		exit(0);
	}
	if (!fault_succeeded(&x->undisturbed) || !base_digest("a.kb", &x->after, &why)) {
		fprintf(stderr, "fault_sweep: %s undisturbed: %s%s\n", c->name, why,
			x->undisturbed.err);
		exit(1);
	}
	if (*c->makes)
		fault_copy_file("a.kb", c->makes);
}

static int by_size(const void *left, const void *right)
{
	const double *l = left, *r = right;

	return (*l > *r) - (*l < *r);
}

/* How long it takes undisturbed [s]: the median, as others may be at work on this machine. */
static double measure(const struct sweep *w, const struct fault_case *c, const struct expected *x)
{
	double wall_s[TIMED_RUNS];

	for (int i = 0; i < TIMED_RUNS; i++) {
		struct fault_outcome o;

		fault_restore_base(c);
		o = fault_run(&w->runner, c, x->rule, UNDISTURBED);
		wall_s[i] = o.wall_s;
		fault_outcome_release(&o);
	}
	qsort(wall_s, TIMED_RUNS, sizeof wall_s[0], by_size);
	return wall_s[TIMED_RUNS / 2];
}

static void report(const struct sweep *w, const struct fault_case *c,
		   const struct fault_points *points, long n_calls, double wall_s, long n_bad)
{
	printf("  %-5s %-14s %-6s %5ld", n_bad ? "FAIL" : "ok", c->name, w->runner.kind, points->n);
	if (w->runner.at_time)
		printf(" moments of %.3f s\n", wall_s);
	else if (points->n_sites)
		printf(" points, %4ld places that make %6ld calls\n", points->n_sites, n_calls);
	else
		printf(" points, every call\n");
}

/* Each case has its own, so that it draws the same alone as among the others, and not the places
 * that another one has drawn: FNV-1a of its name, from the seed on. */
static uint64_t seed_of(const struct sweep *w, const struct fault_case *c)
{
	uint64_t h = 0xcbf29ce484222325u ^ w->seed;

	for (const char *s = c->name; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

static void sweep(struct sweep *w, const struct fault_case *c, bool wanted)
{
	uint64_t seed = seed_of(w, c);
	struct fault_points points = {0};
	struct expected x = {0};
	double wall_s = 0;
	long n_calls, n_bad = 0;

	prepare(w, c, &x);
	n_calls = atomic_load(&w->runner.count->seen);
	if (wanted && w->runner.at_time) {
		wall_s = measure(w, c, &x);
		fault_points_times(atol(w->how), wall_s, &seed, &points);
	} else if (wanted) {
		fault_points_choose(w->how, w->sites->hash, n_calls, &seed, &points);
	}
	for (long i = 0; i < points.n; i++)
		n_bad += !try_point(w, c, &x, points.item[i]);
	if (wanted)
		report(w, c, &points, n_calls, wall_s, n_bad);
	fault_points_release(&points);
	fault_outcome_release(&x.undisturbed);
}

static bool is_wanted(const char *name, int n, char **names)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return n == 0;
}

int main(int argc, char **argv)
{
	const char *seed = getenv("FAULT_SEED");
	struct sweep w = {0};

	if (argc < 5) {
		fprintf(stderr, "usage: fault_sweep LEMNOS INJECTOR KIND POINTS [CASE]...\n");
		return 2;
	}
	fault_runner_start(&w.runner, argv[1], argv[2], argv[3]);
	w.how = argv[4];
	w.kills = w.runner.at_time == SIGKILL || !strcmp(argv[3], "kill");
	w.seed = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
	printf("  %s: FAULT_SEED=%llu\n", argv[3], (unsigned long long)w.seed);
	w.sites = fault_share_file("sites", sizeof *w.sites);
	for (size_t i = 0; i < n_fault_cases; i++)
		sweep(&w, &fault_cases[i], is_wanted(fault_cases[i].name, argc - 5, argv + 5));
	printf("%ld passed, %ld failed\n", w.n_passed, w.n_failed);
	return w.n_failed != 0;
}
