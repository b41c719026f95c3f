/* System calls that fail: the kernel hands those below to on_call() instead of doing them, whoever
 * makes them, as libc's stdio does not go through a write() that could be replaced. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/faults/fault_state.h"

/* ONLY_RECORDED: watched for KIND_POWER alone. */
enum { TAKES_ROOM = 1, WRITES_DATA = 2, HAS_FD = 4, ONLY_RECORDED = 8 };

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
	{SYS_linkat, ONLY_RECORDED},
	{SYS_renameat2, ONLY_RECORDED},
#ifdef SYS_renameat
	{SYS_renameat, ONLY_RECORDED},
#endif
#ifdef SYS_link
	{SYS_link, ONLY_RECORDED},
#endif
	{SYS_writev, ONLY_RECORDED | HAS_FD},
	{SYS_pwritev, ONLY_RECORDED | HAS_FD},
	{SYS_truncate, ONLY_RECORDED},
	{SYS_sendfile, ONLY_RECORDED},
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
#ifdef SYS_open
	if (number == SYS_open)
		return (ARGUMENT(c, 1) & O_CREAT) &&
		       syscall(SYS_faccessat, AT_FDCWD, ARGUMENT(c, 0), F_OK) != 0;
#endif
	return number == SYS_openat && (ARGUMENT(c, 2) & O_CREAT) &&
	       syscall(SYS_faccessat, ARGUMENT(c, 0), ARGUMENT(c, 1), F_OK) != 0;
}

static bool counts(long number, int what, const ucontext_t *c)
{
	if ((what & HAS_FD) && ARGUMENT(c, 0) == STDERR_FILENO)
		return false;
	switch (fault.kind) {
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
			  ARGUMENT(c, 4), FAULT_OURS);

	return rc == -1 ? -errno : rc;
}

/* Every other time half of the data still arrive. */
static void be_killed(long number, int what, const ucontext_t *c)
{
	if ((what & WRITES_DATA) && fault.at % 2)
		syscall(number, ARGUMENT(c, 0), ARGUMENT(c, 1), ARGUMENT(c, 2) / 2, ARGUMENT(c, 3),
			0L, FAULT_OURS);
	kill(getpid(), SIGKILL);
}

static long fail_call(long number, int what, const ucontext_t *c)
{
	if (fault.kind == KIND_KILL)
		be_killed(number, what, c);
	if (number == SYS_close)
		do_call(number, c); /* it is closed all the same */
	if (is_lock(number, c))
		return -ENOLCK;
	return fault.kind == KIND_FULL ? -ENOSPC : -EIO;
}

static long record_call(long number, const ucontext_t *c)
{
	bool created = creates(number, c);
	long rc = do_call(number, c);
	long arg[6] = {0};

	for (int i = 0; i < 5; i++)
		arg[i] = ARGUMENT(c, i);
	power_record(number, arg, rc, created);
	return rc;
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
	if (fault.kind == KIND_POWER)
		RESULT(c) = record_call(number, c);
	else
		RESULT(c) = counts(number, what, c) && fault_is_now() ? fail_call(number, what, c)
								      : do_call(number, c);
	errno = saved;
}

static struct sock_filter load(size_t place)
{
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)place);
}

/* Where A is k: go on after `skipped` more instructions. */
static struct sock_filter if_equal(unsigned k, int skipped)
{
	return (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, (unsigned char)skipped,
					    0);
}

static struct sock_filter answer(unsigned what)
{
	return (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what);
}

/* Load what LOW32 of the sixth argument is; ours pass. Then the number; those watched are trapped.
 */
bool fault_calls_watch(enum fault_kind kind)
{
	static struct sock_filter filter[4 + N_WATCHED + 2];
	struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
	struct sock_fprog program = {.filter = filter};
	unsigned wanted[N_WATCHED];
	int n_wanted = 0, n = 0;

	for (int i = 0; i < N_WATCHED; i++) {
		if (kind == KIND_POWER || !(watched[i].what & ONLY_RECORDED))
			wanted[n_wanted++] = (unsigned)watched[i].number;
	}
	filter[n++] = load(offsetof(struct seccomp_data, args[5]));
	filter[n++] = if_equal(FAULT_OURS, n_wanted + 1);
	filter[n++] = load(offsetof(struct seccomp_data, nr));
	for (int i = 0; i < n_wanted; i++)
		filter[n++] = if_equal(wanted[i], n_wanted - i);
	filter[n++] = answer(SECCOMP_RET_ALLOW);
	filter[n++] = answer(SECCOMP_RET_TRAP);
	program.len = (unsigned short)n;
	return sigaction(SIGSYS, &action, NULL) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
