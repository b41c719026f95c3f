/* Preloaded into the program under test, makes its n-th allocation or system call fail. Through the
 * environment:
 *   FAULT=KIND        alloc   malloc() and its kin, wherever they are called from: us, libc, SQLite
 *                     io      the system calls on files: EIO
 *                     full    those that take room on a disk: ENOSPC
 *                     lock    those that lock: ENOLCK, as a file system without locks has it
 *                     kill    all of these: kill -9 before one, or in the midst of it
 *   FAULT_AT=N        the first that fails; 0 or unset: none, they are only counted
 *   FAULT_STICKY=1    all later ones fail, too, as they do when a disk is full
 *   FAULT_COUNT=FILE  where to leave the number of calls seen (struct fault_count)
 *   FAULT_TRAP=1      raise SIGTRAP there instead: gdb then shows who called
 *   FAULT_CLOCK=S     the time of day [s]; stands still, so that two runs leave the same behind
 * Standard error is left alone: a message that cannot be written cannot be judged. Sleeping takes
 * no time, the clocks advance instead. Spared is what libconfig allocates: it looks at none of it,
 * so the program sees beforehand that there is room (domain/conf.c). */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include "tests/faults/fault_inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum kind { KIND_NONE, KIND_ALLOC, KIND_IO, KIND_FULL, KIND_LOCK, KIND_KILL };

static enum kind kind;
static long fail_at;
static bool sticky, trap;
static long fixed_clock_s;
static struct fault_count own_count;
static struct fault_count *count = &own_count;

/* Is it the turn of this call to fail? */
static bool fails_now(void)
{
	long n = atomic_fetch_add(&count->seen, 1) + 1;

	if (fail_at == 0 || (sticky ? n < fail_at : n != fail_at))
		return false;
	if (trap)
		raise(SIGTRAP);
	atomic_fetch_add(&count->failed, 1);
	return true;
}

/* ---- allocations ---- */

/* The next library's, which is libc or a sanitizer. dlsym() may itself allocate a little before we
 * know them; what it gets comes from here and is never given back. */
static _Alignas(max_align_t) char early[4096];
static size_t early_used;
static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);

static void *early_alloc(size_t size)
{
	size_t step = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	char *p = early + early_used;

	if (step > sizeof early - early_used)
		return NULL;
	early_used += step;
	return p;
}

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static bool resolve(void)
{
	static bool busy;

	if (next_free)
		return true;
	if (busy)
		return false;
	busy = true;
	*(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&next_free = dlsym(RTLD_NEXT, "free");
	busy = false;
	return true;
}

/* Where the code of libconfig lies. */
static uintptr_t spared_from, spared_to;

static int find_spared(struct dl_phdr_info *library, size_t size, void *arg)
{
	(void)size, (void)arg;
	if (!strstr(library->dlpi_name, "/libconfig."))
		return 0;
	for (int i = 0; i < library->dlpi_phnum; i++) {
		if (library->dlpi_phdr[i].p_type != PT_LOAD ||
		    !(library->dlpi_phdr[i].p_flags & PF_X))
			continue;
		spared_from = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
		spared_to = spared_from + library->dlpi_phdr[i].p_memsz;
	}
	return 1;
}

static bool is_spared(const void *caller)
{
	return (uintptr_t)caller >= spared_from && (uintptr_t)caller < spared_to;
}

#define CALLER __builtin_return_address(0)

static bool no_memory(const void *caller)
{
	if (kind != KIND_ALLOC || is_spared(caller) || !fails_now())
		return false;
	errno = ENOMEM;
	return true;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc keeps its names to itself
 */
void *malloc(size_t size)
{
	if (!resolve())
		return early_alloc(size);
	return no_memory(CALLER) ? NULL : next_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	if (!resolve())
		return early_alloc(n * size);
	return no_memory(CALLER) ? NULL : next_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	if (!resolve())
		return early_alloc(size);
	return no_memory(CALLER) ? NULL : next_realloc(p, size);
}

/* libc's own would be the caller of malloc(). */
static char *copy_text(const char *text, const void *caller)
{
	size_t size = strlen(text) + 1;
	char *copy = no_memory(caller) ? NULL : next_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

char *strdup(const char *text)
{
	return copy_text(text, CALLER);
}

char *__strdup(const char *text); /* NOLINT(bugprone-reserved-identifier): as libconfig calls it */
char *__strdup(const char *text)
{
	return copy_text(text, CALLER);
}

void free(void *p)
{
	if (resolve() && !is_early(p))
		next_free(p);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* ---- system calls ---- */

/* The kernel hands the calls below to on_call() instead of doing them, whoever makes them: libc's
 * stdio does not go through write() that could be replaced. A call of our own is told by this in
 * its sixth argument, which none of them takes. */
#define OURS 0x4c454d4eL

enum { TAKES_ROOM = 1, WRITES_DATA = 2, HAS_FD = 4 };

static const struct watched {
	int number;
	int what;
} watched[] = {
	{SYS_read, HAS_FD},
	{SYS_pread64, HAS_FD},
	{SYS_write, HAS_FD | TAKES_ROOM | WRITES_DATA},
	{SYS_pwrite64, HAS_FD | TAKES_ROOM | WRITES_DATA},
	{SYS_ftruncate, HAS_FD | TAKES_ROOM},
	{SYS_fallocate, HAS_FD | TAKES_ROOM},
	{SYS_fsync, HAS_FD},
	{SYS_fdatasync, HAS_FD},
	{SYS_close, HAS_FD},
	{SYS_fcntl, HAS_FD},
	{SYS_openat, 0},
	{SYS_unlinkat, 0},
	{SYS_newfstatat, 0},
#ifdef SYS_open
	{SYS_open, 0},
	{SYS_unlink, 0},
	{SYS_mkdir, TAKES_ROOM},
	{SYS_rename, 0},
#endif
	{SYS_mkdirat, TAKES_ROOM},
};
enum { N_WATCHED = sizeof watched / sizeof watched[0] };

#if defined __x86_64__
#define RESULT(c) ((c)->uc_mcontext.gregs[REG_RAX])
static const int argument[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
#define ARGUMENT(c, i) ((c)->uc_mcontext.gregs[argument[i]])
#elif defined __aarch64__
#define RESULT(c) ((c)->uc_mcontext.regs[0])
#define ARGUMENT(c, i) ((long)(c)->uc_mcontext.regs[i])
#else
#error "the registers of a system call on this processor"
#endif

static bool is_lock(long number, const ucontext_t *c)
{
	return number == SYS_fcntl && (ARGUMENT(c, 1) == F_SETLK || ARGUMENT(c, 1) == F_SETLKW);
}

static bool creates(long number, const ucontext_t *c)
{
	return number == SYS_openat && (ARGUMENT(c, 2) & O_CREAT) &&
	       syscall(SYS_faccessat, ARGUMENT(c, 0), ARGUMENT(c, 1), F_OK) != 0;
}

static bool counts(long number, int what, const ucontext_t *c)
{
	if ((what & HAS_FD) && ARGUMENT(c, 0) == STDERR_FILENO)
		return false;
	switch (kind) {
	case KIND_FULL:
		return (what & TAKES_ROOM) || creates(number, c);
	case KIND_LOCK:
		return is_lock(number, c);
	case KIND_IO:
		return number != SYS_fcntl;
	case KIND_KILL:
		return number != SYS_fcntl || is_lock(number, c);
	default:
		return false;
	}
}

static long do_call(long number, const ucontext_t *c)
{
	long rc = syscall(number, ARGUMENT(c, 0), ARGUMENT(c, 1), ARGUMENT(c, 2), ARGUMENT(c, 3),
			  ARGUMENT(c, 4), OURS);

	return rc == -1 ? -errno : rc;
}

/* Every other time half of the data still arrive. */
static void be_killed(long number, int what, const ucontext_t *c)
{
	if ((what & WRITES_DATA) && fail_at % 2)
		syscall(number, ARGUMENT(c, 0), ARGUMENT(c, 1), ARGUMENT(c, 2) / 2, ARGUMENT(c, 3),
			0L, OURS);
	kill(getpid(), SIGKILL);
}

static long fail_call(long number, int what, const ucontext_t *c)
{
	if (kind == KIND_KILL)
		be_killed(number, what, c);
	if (number == SYS_close)
		do_call(number, c); /* it is closed all the same */
	if (is_lock(number, c))
		return -ENOLCK;
	return kind == KIND_FULL ? -ENOSPC : -EIO;
}

static void on_call(int signal_number, siginfo_t *info, void *arg)
{
	ucontext_t *c = arg;
	long number = info->si_syscall;
	int saved = errno, what = 0;

	(void)signal_number;
	for (int i = 0; i < N_WATCHED; i++) {
		if (watched[i].number == number)
			what = watched[i].what;
	}
	RESULT(c) = counts(number, what, c) && fails_now() ? fail_call(number, what, c)
							   : do_call(number, c);
	errno = saved;
}

/* Load what LOW32 of the sixth argument is; ours pass. Then the number; those watched are trapped.
 */
static bool watch_calls(void)
{
	static struct sock_filter filter[4 + N_WATCHED + 2];
	struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
	struct sock_fprog program = {.filter = filter};
	int n = 0;

	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   offsetof(struct seccomp_data, args[5]));
	filter[n++] =
		(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OURS, N_WATCHED + 1, 0);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   offsetof(struct seccomp_data, nr));
	for (int i = 0; i < N_WATCHED; i++)
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							   (unsigned)watched[i].number,
							   (unsigned char)(N_WATCHED - i), 0);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	program.len = (unsigned short)n;
	return sigaction(SIGSYS, &action, NULL) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* ---- clocks ---- */

static atomic_long slept_ns;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	atomic_fetch_add(&slept_ns, time->tv_sec * 1000000000L + time->tv_nsec);
	return 0;
}

int usleep(useconds_t us)
{
	atomic_fetch_add(&slept_ns, us * 1000L);
	return 0;
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

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* ---- start ---- */

static long number_of(const char *variable)
{
	const char *text = getenv(variable);

	return text ? atol(text) : 0;
}

static enum kind kind_of(const char *name)
{
	static const char *const names[] = {"", "alloc", "io", "full", "lock", "kill"};

	for (size_t k = 0; name && k < sizeof names / sizeof names[0]; k++) {
		if (!strcmp(name, names[k]))
			return (enum kind)k;
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
	enum kind wanted = kind_of(getenv("FAULT"));

	fixed_clock_s = number_of("FAULT_CLOCK");
	fail_at = number_of("FAULT_AT");
	sticky = number_of("FAULT_STICKY") != 0;
	trap = number_of("FAULT_TRAP") != 0;
	share_count(getenv("FAULT_COUNT"));
	dl_iterate_phdr(find_spared, NULL);
	unsetenv("LD_PRELOAD"); /* programs that it starts are not under test */
	if (wanted > KIND_ALLOC && !watch_calls())
		_exit(FAULT_CANNOT_WATCH);
	kind = wanted;
}
