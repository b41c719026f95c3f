/* Records what is done to files (power_log.h), so that power_sweep can tell what a disk would hold
 * had the power failed in between. What is written through a shared mapping is not seen;
 * power_sweep holds the record against the files that the program left. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include "tests/faults/power_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/faults/fault_inject.h"
#include "tests/faults/fault_state.h"

enum { LOG_FD = 900, PATH_SIZE = 4096 };

static char folder[PATH_SIZE]; /* the working directory */

/* ---- the file system that a base is said to lie on ---- */

/* FAULT_NETWORK=1: every file system calls itself NFS. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int statfs(const char *path, struct statfs *out)
{
	int rc = (int)syscall(SYS_statfs, path, out);

	if (rc == 0 && getenv("FAULT_NETWORK"))
		out->f_type = 0x6969;
	return rc;
}

/* ---- writing the record ---- */

static void put(const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n > 0) {
		long done = syscall(SYS_write, LOG_FD, p, n, 0L, 0L, FAULT_OURS);

		if (done <= 0)
			_exit(FAULT_CANNOT_WATCH); /* a record with a hole is worse than none */
		p += done;
		n -= (size_t)done;
	}
}

static void put_op(struct power_op op, const char *name, const char *name2, const void *bytes)
{
	op.name_size = (uint16_t)strlen(name);
	op.name2_size = (uint16_t)strlen(name2);
	put(&op, sizeof op);
	put(name, op.name_size);
	put(name2, op.name2_size);
	if (bytes)
		put(bytes, op.size);
}

static uint64_t number_of(const struct stat *st)
{
	return (uint64_t)st->st_dev * 0x9e3779b97f4a7c15u + st->st_ino;
}

static void put_unknown(void)
{
	put_op((struct power_op){.kind = POWER_UNKNOWN}, "", "", NULL);
}

/* ---- names ---- */

struct entry {
	char parent[PATH_SIZE];
	const char *name;
	uint64_t dir;
};

/* False: it is not in the working directory or below, and does not matter. */
static bool find_entry(long at, const char *path, struct entry *out)
{
	size_t n = strlen(folder);
	char *slash;
	struct stat st;

	if (*path == '/' && (strncmp(path, folder, n) != 0 || path[n] != '/'))
		return false;
	if (*path != '/' && (int)at != AT_FDCWD) {
		put_unknown();
		return false;
	}
	snprintf(out->parent, sizeof out->parent, "%s", *path == '/' ? path + n + 1 : path);
	slash = strrchr(out->parent, '/');
	out->name = path + strlen(path) - strlen(slash ? slash + 1 : out->parent);
	if (slash)
		*slash = '\0';
	if (stat(slash ? out->parent : ".", &st) != 0)
		return false;
	out->dir = number_of(&st);
	return true;
}

static void record_name(enum power_op_kind kind, long at, const char *path, const struct stat *file)
{
	struct entry e;

	if (find_entry(at, path, &e))
		put_op((struct power_op){.kind = kind,
					 .file = file ? number_of(file) : 0,
					 .dir = e.dir},
		       e.name, "", NULL);
}

static void record_new(enum power_op_kind kind, long at, const char *path)
{
	struct stat st;

	if (lstat(path, &st) == 0)
		record_name(kind, at, path, &st);
}

static void record_rename(long at, const char *path, long at2, const char *path2)
{
	struct entry from, to;

	if (find_entry(at, path, &from) && find_entry(at2, path2, &to))
		put_op((struct power_op){.kind = POWER_RENAME, .dir = from.dir, .dir2 = to.dir},
		       from.name, to.name, NULL);
}

/* ---- contents ---- */

static void record_content(enum power_op_kind kind, long fd, long offset, const void *bytes,
			   long size)
{
	struct stat st;

	if (fstat((int)fd, &st) != 0 || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return;
	put_op((struct power_op){.kind = kind,
				 .file = number_of(&st),
				 .offset = (uint64_t)offset,
				 .size = (uint64_t)size},
	       "", "", bytes);
}

static void record_size(long fd)
{
	struct stat st;

	if (fstat((int)fd, &st) == 0 && S_ISREG(st.st_mode))
		record_content(POWER_TRUNCATE, fd, 0, NULL, st.st_size);
}

static void record_write(long fd, const void *bytes, long size)
{
	if (fd == STDOUT_FILENO)
		put_op((struct power_op){.kind = POWER_TOLD}, "", "", NULL);
	else if (fd != STDERR_FILENO)
		record_content(POWER_WRITE, fd, lseek((int)fd, 0, SEEK_CUR) - size, bytes, size);
}

static void record_open(long fd, long at, const char *path, long flags, bool created)
{
	struct stat st;

	if (created && fstat((int)fd, &st) == 0)
		record_name(POWER_CREATE, at, path, &st);
	else if (flags & O_TRUNC)
		record_size(fd);
}

void power_record(long number, const long arg[6], long rc, bool created)
{
	const char *path = (const char *)arg[0], *path_at = (const char *)arg[1];

	if (rc < 0)
		return;
	switch (number) {
	case SYS_write:
		record_write(arg[0], (const void *)arg[1], rc);
		break;
	case SYS_pwrite64:
		record_content(POWER_WRITE, arg[0], arg[3], (const void *)arg[1], rc);
		break;
	case SYS_ftruncate:
	case SYS_fallocate:
		record_size(arg[0]);
		break;
	case SYS_fsync:
	case SYS_fdatasync:
		record_content(POWER_SYNC, arg[0], 0, NULL, 0);
		break;
	case SYS_openat:
		record_open(rc, arg[0], path_at, arg[2], created);
		break;
	case SYS_unlinkat:
		record_name(POWER_UNLINK, arg[0], path_at, NULL);
		break;
	case SYS_mkdirat:
		record_new(POWER_MKDIR, arg[0], path_at);
		break;
	case SYS_linkat:
		record_new(POWER_LINK, arg[2], (const char *)arg[3]);
		break;
	case SYS_renameat2:
		record_rename(arg[0], path_at, arg[2], (const char *)arg[3]);
		break;
#ifdef SYS_renameat
	case SYS_renameat:
		record_rename(arg[0], path_at, arg[2], (const char *)arg[3]);
		break;
#endif
#ifdef SYS_open
	case SYS_open:
		record_open(rc, AT_FDCWD, path, arg[1], created);
		break;
	case SYS_unlink:
		record_name(POWER_UNLINK, AT_FDCWD, path, NULL);
		break;
	case SYS_mkdir:
		record_new(POWER_MKDIR, AT_FDCWD, path);
		break;
	case SYS_link:
		record_new(POWER_LINK, AT_FDCWD, path_at);
		break;
	case SYS_rename:
		record_rename(AT_FDCWD, path, AT_FDCWD, path_at);
		break;
#endif
	case SYS_writev:
	case SYS_pwritev:
	case SYS_truncate:
	case SYS_sendfile:
		put_unknown();
		break;
	default:
		break;
	}
}

bool power_record_start(const char *path)
{
	struct stat st;
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0 || dup3(fd, LOG_FD, O_CLOEXEC) < 0 || !getcwd(folder, sizeof folder) ||
	    stat(".", &st) != 0)
		return false;
	close(fd);
	put_op((struct power_op){.kind = POWER_START, .dir = number_of(&st)}, "", "", NULL);
	return true;
}
