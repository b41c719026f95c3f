/* Preloaded into the program under test, makes its n-th allocation or system call fail. Through the
 * environment:
 *   FAULT=KIND        alloc   malloc() and its kin, wherever they are called from: us, libc, SQLite
 *                     io      the system calls on files: EIO
 *                     full    those that take room on a disk: ENOSPC
 *                     lock    those that lock: ENOLCK, as a file system without locks has it
 *                     kill    all of these: kill -9 before one, or in the midst of it
 *                     power   none fails; what is done to files is recorded in FAULT_LOG=FILE
 *   FAULT_NETWORK=1   every file system calls itself NFS
 *   FAULT_AT=N        the first that fails; 0 or unset: none, they are only counted
 *   FAULT_STICKY=1    all later ones fail, too, as they do when a disk is full
 *   FAULT_COUNT=FILE  where to leave the number of calls seen (struct fault_count)
 *   FAULT_SITES=FILE  where to leave from where each of them came (struct fault_sites)
 *   FAULT_SERIAL=1    no thread can be made, so that the n-th call is the same in each run
 *   FAULT_TRAP=1      raise SIGTRAP there instead: gdb then shows who called
 *   FAULT_CLOCK=S     the time of day [s]; stands still, so that two runs leave the same behind
 *   FAULT_SLEEP=1     sleeping takes its time
 * Standard error is left alone: a message that cannot be written cannot be judged. Otherwise
 * sleeping takes no time, the clocks advance instead. Spared is what libconfig allocates: it looks
 * at none of it, so the program sees beforehand that there is room (domain/conf.c). */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include "tests/faults/fault_inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/faults/fault_state.h"

struct fault_state fault;

static bool sticky, trap, serial, sleeps;
static long fixed_clock_s;
static struct fault_count own_count;
static struct fault_count *count = &own_count;

bool fault_is_now(void)
{
	long n = atomic_fetch_add(&count->seen, 1) + 1;

	fault_sites_record(n);
	if (fault.at == 0 || (sticky ? n < fault.at : n != fault.at))
		return false;
	if (trap)
		raise(SIGTRAP);
	atomic_fetch_add(&count->failed, 1);
	return true;
}

/* ---- clocks ---- */

static atomic_long slept_ns;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int nanosleep(const struct timespec *time, struct timespec *left)
{
	if (sleeps)
		return (int)syscall(SYS_nanosleep, time, left);
	atomic_fetch_add(&slept_ns, time->tv_sec * 1000000000L + time->tv_nsec);
	return 0;
}

int usleep(useconds_t us)
{
	struct timespec time = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L};

	return nanosleep(&time, NULL);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	int rc = (int)syscall(SYS_clock_gettime, clock, time);

	if (clock == CLOCK_MONOTONIC) {
		long ns = time->tv_nsec + atomic_load(&slept_ns);

		time->tv_sec += ns / 1000000000L;
		time->tv_nsec = ns % 1000000000L;
	}
	return rc;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*tv = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
	if (fixed_clock_s)
		*tv = (struct timeval){.tv_sec = fixed_clock_s};
	return 0;
}

/* ---- threads ---- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *),
		   void *arg)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (serial)
		return EAGAIN;
	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	return next(thread, attr, routine, arg);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* ---- start ---- */

static long number_of(const char *variable)
{
	const char *text = getenv(variable);

	return text ? atol(text) : 0;
}

static enum fault_kind kind_of(const char *name)
{
	static const char *const names[] = {"", "alloc", "io", "full", "lock", "kill", "power"};

	for (size_t k = 0; name && k < sizeof names / sizeof names[0]; k++) {
		if (!strcmp(name, names[k]))
			return (enum fault_kind)k;
	}
	return KIND_NONE;
}

static void share_count(const char *path)
{
	int fd = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
	void *p;

	if (fd < 0 || ftruncate(fd, sizeof *count) != 0)
		return;
	p = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (p != MAP_FAILED)
		count = p;
}

/* A preloaded library is initialised last: what other libraries do before main() is not counted. */
__attribute__((constructor)) static void start(void)
{
	enum fault_kind wanted = kind_of(getenv("FAULT"));

	fixed_clock_s = number_of("FAULT_CLOCK");
	fault.at = number_of("FAULT_AT");
	sticky = number_of("FAULT_STICKY") != 0;
	trap = number_of("FAULT_TRAP") != 0;
	serial = number_of("FAULT_SERIAL") != 0;
	sleeps = number_of("FAULT_SLEEP") != 0;
	share_count(getenv("FAULT_COUNT"));
	fault_sites_start(getenv("FAULT_SITES"));
	fault_alloc_start();
	unsetenv("LD_PRELOAD"); /* programs that it starts are not under test */
	if (wanted == KIND_POWER && !power_record_start(getenv("FAULT_LOG")))
		_exit(FAULT_CANNOT_WATCH);
	if (wanted > KIND_ALLOC && !fault_calls_watch(wanted))
		_exit(FAULT_CANNOT_WATCH);
	fault.kind = wanted;
}
