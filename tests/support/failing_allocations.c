#include "tests/support/failing_allocations.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_vector.h>

#include "base/splitmix.h"
#include "tests/support/call_place.h"
#include "tests/support/check.h"

/* ---- whose turn it is ---- */

enum {
	MAX_FRAMES = 48,
	N_FRAMES = 12,
	N_SITE_FRAMES = 4, /* three of this file, then the function that allocates */
	FAIL_AT_MOST = 2,
	TWICE_IN = 5, /* of a sample */
	ONCE_IN = 3,
	MAX_CANDIDATE_POINTS = 1 << 14,
	MAX_PICTURES = 1 << 16
};

/* Of the program, without its libraries (ld's own names).
 * NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const char __executable_start[], etext[];

/* A place that allocates; an open hash table of them. */
struct place {
	uint64_t hash; /* 0: free */
	long in_run;   /* of which n_seen tells */
	int n_seen, n_failed, n_to_fail;
};

/* A stack that was walked before: what lies on it, as a number (0: free), and which place it is. */
struct picture {
	uint64_t hash;
	struct place *place;
};

static struct {
	atomic_bool on;
	pthread_mutex_t lock; /* of what follows */
	unsigned how;
	long n, n_seen;
	atomic_bool has_failed;
	struct place place[MAX_CANDIDATE_POINTS];
	size_t n_places;
	uint64_t site[MAX_CANDIDATE_POINTS]; /* an open hash table, too */
	void *stack[N_FRAMES];		     /* of what failed */
	int n_stack;
	/* FAILING_REPEATED: run n goes as run n - 1 did up to the allocation that failed
	 * there, so up to it no stack is looked at. Where that was not so, a run without any
	 * skipping finds what was missed: none ends the loop before. */
	long i_allocation, n_skipped, failed_at;
	bool walks_always;
	bool spares_none; /* POINTS=every */
	uint64_t seed;	  /* $FAULT_SEED, or 0 */
	pthread_t starter;
	uintptr_t starter_frame;
	struct picture picture[MAX_PICTURES];
	size_t n_pictures;
} fault = {.lock = PTHREAD_MUTEX_INITIALIZER};

#ifndef __has_feature
#define __has_feature(x) 0 /* gcc, which defines macros instead */
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

/* A sample; with POINTS=every, all. The first place always fails, so that a loop begins. */
static int times_to_fail(uint64_t hash)
{
	uint64_t random = fault.seed, drawn;

	random = splitmix_next(&random) ^ hash;
	drawn = splitmix_next(&random);
	if (fault.spares_none || drawn % TWICE_IN == 0)
		return FAIL_AT_MOST;
	return drawn / TWICE_IN % ONCE_IN == 0 || fault.n_places == 1;
}

static bool is_new_site(uint64_t site)
{
	size_t i = site % MAX_CANDIDATE_POINTS;

	while (fault.site[i] && fault.site[i] != site)
		i = (i + 1) % MAX_CANDIDATE_POINTS;
	if (fault.site[i])
		return false;
	fault.site[i] = site;
	return true;
}

/* Under the sanitizers, which see what a failure leaves behind, one place of each site fails,
 * whatever is drawn: so each way back from a failure is walked. NULL: the table is full. */
static struct place *find_place(uint64_t hash, uint64_t site)
{
	size_t i = hash % MAX_CANDIDATE_POINTS;

	while (fault.place[i].hash && fault.place[i].hash != hash)
		i = (i + 1) % MAX_CANDIDATE_POINTS;
	if (!fault.place[i].hash) {
		if (fault.n_places == MAX_CANDIDATE_POINTS / 2)
			return NULL;
		fault.n_places++;
		fault.place[i] = (struct place){.hash = hash, .n_to_fail = times_to_fail(hash)};
		if (is_new_site(site) && sanitized && !fault.place[i].n_to_fail)
			fault.place[i].n_to_fail = 1;
	}
	return &fault.place[i];
}

/* The innermost return addresses that lie in the program; of libraries it does not matter which of
 * their functions allocates. */
static int our_frames(void *frame[N_FRAMES])
{
	void *all[MAX_FRAMES];
	int n_all = backtrace(all, MAX_FRAMES), n = 0;

	for (int i = 0; i < n_all && n < N_FRAMES; i++) {
		if ((uintptr_t)all[i] >= (uintptr_t)__executable_start &&
		    (uintptr_t)all[i] < (uintptr_t)etext)
			frame[n++] = all[i];
	}
	return n;
}

/* To walk a stack takes most of the time of a loop, so that it is done once for each that looks
 * different: in the return addresses, or what could be some, and where they lie. What earlier calls
 * left there makes pictures differ that are of one place, never the reverse: each return address of
 * the program is among them. On x86-64, where they are stored as they are. Returns 0 where there is
 * no picture: in other threads, or under valgrind, which takes it for a use of what was never set.
 */
__attribute__((no_sanitize("address"), noinline)) static uint64_t picture_of_stack(void)
{
#ifdef __x86_64__
	uintptr_t at = (uintptr_t)__builtin_frame_address(0);
	uintptr_t end = fault.starter_frame + 2 * sizeof(uintptr_t); /* its return address, too */
	uintptr_t size_of_text = (uintptr_t)etext - (uintptr_t)__executable_start;
	uint64_t h = FNV_BASIS;

	if (fault.walks_always || !pthread_equal(pthread_self(), fault.starter))
		return 0;
	for (; at < end; at += sizeof at) {
		uintptr_t word = *(const volatile uintptr_t *)at;

		if (word - (uintptr_t)__executable_start < size_of_text)
			h = fnv_add(fnv_add(h, at), word);
	}
	return h | 1;
#else
	return 0;
#endif
}

static struct place *place_of_stack(void)
{
	void *frame[N_FRAMES] = {0};
	uint64_t hash = picture_of_stack(), call = FNV_BASIS, site = FNV_BASIS;
	size_t i = hash % MAX_PICTURES;
	int n_frames;
	struct place *p;

	while (hash && fault.picture[i].hash && fault.picture[i].hash != hash)
		i = (i + 1) % MAX_PICTURES;
	if (hash && fault.picture[i].hash)
		return fault.picture[i].place;
	n_frames = our_frames(frame);
	for (int k = 0; k < n_frames; k++) { /* the same wherever the program was loaded */
		call = fnv_add(call, (uintptr_t)frame[k] - (uintptr_t)__executable_start);
		if (k < N_SITE_FRAMES)
			site = call;
	}
	p = find_place(call | 1, site | 1);
	if (hash && fault.n_pictures < MAX_PICTURES / 2) {
		fault.n_pictures++;
		fault.picture[i] = (struct picture){hash, p};
	}
	return p;
}

/* The first call from a place fails, and the second in a run of its own, as far as they are drawn.
 */
static bool is_turn_of_place(void)
{
	struct place *p;

	/* One fails in each run; those behind it need no place. */
	if (fault.has_failed || ++fault.i_allocation <= fault.n_skipped)
		return false;
	p = place_of_stack();
	if (!p)
		return false;
	if (p->in_run != fault.n && fault.n_skipped == 0)
		p->n_seen = 0;
	p->in_run = fault.n;
	p->n_seen++;
	if (p->n_failed == p->n_to_fail || p->n_seen != p->n_failed + 1)
		return false;
	p->n_failed++;
	fault.failed_at = fault.i_allocation;
	return true;
}

bool failing_now(void)
{
	bool fails;

	/* Of places one fails in each run, and what comes after it need not be counted. */
	if (!atomic_load(&fault.on) ||
	    (fault.how != FAILING_EACH && atomic_load(&fault.has_failed)))
		return false;
	pthread_mutex_lock(&fault.lock);
	fails = fault.how == FAILING_EACH ? ++fault.n_seen == fault.n : is_turn_of_place();
	if (fails) {
		fault.has_failed = true;
		fault.n_stack = our_frames(fault.stack);
	}
	pthread_mutex_unlock(&fault.lock);
	if (fails)
		errno = ENOMEM;
	return fails;
}

/* ---- the allocations ---- */

/* The linker gives these names to them: references to malloc() in our code become __wrap_malloc(),
 * __real_malloc() is the one that it would have called.
 * NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#define WRAP(type, name, parameters, arguments)                        \
	type __real_##name parameters;                                 \
	type __wrap_##name parameters;                                 \
	type __wrap_##name parameters                                  \
	{                                                              \
		return failing_now() ? NULL : __real_##name arguments; \
	}

WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t n, size_t size), (n, size))
WRAP(void *, realloc, (void *p, size_t size), (p, size))
WRAP(char *, strdup, (const char *text), (text))
WRAP(char *, strndup, (const char *text, size_t size), (text, size))
WRAP(gsl_vector *, gsl_vector_alloc, (size_t n), (n))
WRAP(gsl_vector *, gsl_vector_calloc, (size_t n), (n))
WRAP(gsl_matrix *, gsl_matrix_alloc, (size_t n_rows, size_t n_columns), (n_rows, n_columns))
WRAP(gsl_permutation *, gsl_permutation_alloc, (size_t n), (n))
WRAP(gsl_rng *, gsl_rng_alloc, (const gsl_rng_type *kind), (kind))
WRAP(gsl_multimin_fdfminimizer *, gsl_multimin_fdfminimizer_alloc,
     (const gsl_multimin_fdfminimizer_type *kind, size_t n), (kind, n))
WRAP(gsl_multifit_nlinear_workspace *, gsl_multifit_nlinear_alloc,
     (const gsl_multifit_nlinear_type *kind, const gsl_multifit_nlinear_parameters *how, size_t n,
      size_t p),
     (kind, how, n, p))
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* ---- the loop ---- */

uint64_t fault_seed(void)
{
	const char *seed = getenv("FAULT_SEED");

	return seed ? strtoull(seed, NULL, 10) : 0;
}

bool every_fault(void)
{
	const char *points = getenv("POINTS");

	return points && strcmp(points, "every") == 0;
}

/* Between fork() and exec() a child of ours allocates nothing; a profiler's own exec() does. */
static void leave_children_alone(void)
{
	atomic_store(&fault.on, false);
}

static void start(long n, unsigned how)
{
	static bool prepared;

	if (!prepared) {
		prepared = !pthread_atfork(NULL, NULL, leave_children_alone);
		fault.walks_always = getenv("UNDER_VALGRIND") != NULL;
	}
	fault.seed = fault_seed();
	fault.spares_none = every_fault();
	fault.how = how;
	fault.n = n;
	fault.n_seen = 0;
	fault.has_failed = false;
	fault.i_allocation = 0;
	fault.n_skipped = how & FAILING_REPEATED && n > 1 ? fault.failed_at : 0;
	fault.failed_at = 0;
	if (n == 1) {
		memset(fault.place, 0, sizeof fault.place);
		fault.n_places = 0;
		memset(fault.site, 0, sizeof fault.site);
		memset(fault.picture, 0, sizeof fault.picture);
		fault.n_pictures = 0;
	}
	atomic_store(&fault.on, true);
}

void failing_allocation_start(long n)
{
	start(n, FAILING_EACH);
}

bool failing_allocation_stop(void)
{
	atomic_store(&fault.on, false);
	return fault.has_failed;
}

long failing_allocation_count(void)
{
	return fault.n_seen;
}

void failing_start(long n, unsigned how, struct err *e)
{
	*e = (struct err){0};
	fault.starter = pthread_self();
	fault.starter_frame = (uintptr_t)__builtin_frame_address(0);
	start(n, how);
}

bool failing_goes_on(long n, enum err_code rc, const struct err *e, const char *call,
		     const char *file, int line)
{
	bool has_failed = failing_allocation_stop();
	bool did_without = fault.how & FAILING_TOLERATED && rc == ERR_OK;
	enum err_code want = has_failed && !did_without ? ERR_NOMEM : ERR_OK;

	if (rc != want || e->code != want || (want && !strstr(e->msg, "memory"))) {
		print_error("%s, %s allocation failing (call %ld): returned %d, e has %d '%s'\n",
			    call, has_failed ? "an" : "no", n, (int)rc, (int)e->code, e->msg);
		if (has_failed) /* for addr2line */
			backtrace_symbols_fd(fault.stack, fault.n_stack, STDERR_FILENO);
		_fail(file, line);
	}
	if (n == 1 && !has_failed) {
		print_error("%s allocates nothing\n", call);
		_fail(file, line);
	}
	return has_failed || fault.n_skipped > 0;
}
