#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): fopencookie() */
#include "base/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/strbuf.h"

struct whole_file {
	FILE *file; /* writes to fd, and sees why that fails: stdio tells only the last that asks */
	int fd;
	int failed;	 /* errno of the first write that failed; 0: none */
	char *path;	 /* as it was given, for messages */
	char *name;	 /* the same behind symbolic links */
	char *temporary; /* NULL: written as it is */
	int lock;	 /* on the temporary file, until it has its name; -1: none */
	enum whole_file_name how;
};

static enum err_code fail(const struct whole_file *w, int number, struct err *e)
{
	if (number == EEXIST && w->how == WHOLE_FILE_IS_NEW)
		return err_set(e, ERR_ARG, "%s exists already, and is not overwritten", w->path);
	return err_set(e, ERR_IO, "cannot write %s: %s", w->path, strerror(number));
}

static void release(struct whole_file *w)
{
	if (w->lock >= 0)
		close(w->lock);
	free(w->path);
	free(w->name);
	free(w->temporary);
	free(w);
}

/* ---- opening ---- */

/* umask() can only be asked by setting it, which is nobody else's business: we have one thread that
 * makes files. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* ---- what was left behind ---- */

/* PATH.part-XXXXXX has a lock as long as its maker lives, PATH.XXXXXX has none. */
static const char locked_mark[] = ".part-";
enum { RANDOM_LENGTH = 6, MOST_TRIES = 100 };

/* f_type values (statfs(2)) of file systems of this machine, where a lock ends with the process and
 * not before. Over a network it may be lost while its holder lives, and may be one of SQLite's. */
static bool has_sure_locks(int fd)
{
	static const unsigned long local[] = {0xef53 /* ext4 */,
					      0x58465342 /* XFS */,
					      0x9123683e /* btrfs */,
					      0x01021994 /* tmpfs */,
					      0xf2f52010 /* F2FS */,
					      0x2fc12fc1 /* ZFS */,
					      0x794c7630 /* overlayfs */};
	struct statfs fs;

	for (size_t i = 0; i < sizeof local / sizeof *local && fstatfs(fd, &fs) == 0; i++) {
		/* Some architectures sign-extend f_type. */
		if (((unsigned long)fs.f_type & 0xffffffffUL) == local[i])
			return true;
	}
	return false;
}

/* Its own, locked by nobody, and the one that has the name. Whoever makes one looks whether it
 * still has its name once it is locked, so that none is removed between its making and its lock. */
static void remove_if_left(int folder, const char *name)
{
	static const char *const suffix[] = {"", "-journal", "-wal", "-shm"}; /* SQLite's */
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_nlink == 1 && has_sure_locks(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    fstat(fd, &st) == 0 && st.st_nlink == 1) {
		for (size_t i = sizeof suffix / sizeof *suffix; i-- > 0;) {
			char text[NAME_MAX + 16];

			snprintf(text, sizeof text, "%s%s", name, suffix[i]);
			unlinkat(folder, text, 0);
		}
	}
	close(fd);
}

/* Temporary files of this name whose makers were killed. What cannot be removed stays. */
static void remove_left_behind(int folder, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash ? slash + 1 : name;
	const size_t n = strlen(base), n_mark = sizeof locked_mark - 1;
	DIR *d = fdopendir(dup(folder));

	for (const struct dirent *x; d && (x = readdir(d));) {
		if (!strncmp(x->d_name, base, n) && !strncmp(x->d_name + n, locked_mark, n_mark) &&
		    strlen(x->d_name + n + n_mark) == RANDOM_LENGTH)
			remove_if_left(folder, x->d_name);
	}
	if (d)
		closedir(d);
}

/* ---- beside ---- */

static bool is_locked_here(int fd)
{
	struct stat st;

	return flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 && st.st_nlink == 1;
}

/* A lock of w on the temporary file that is open as fd, and lasts beyond its closing. */
static bool lock(struct whole_file *w, int fd)
{
	if (!is_locked_here(fd))
		return false;
	w->lock = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return w->lock >= 0;
}

static int make_temporary(struct whole_file *w, const char *mark)
{
	struct strbuf name = STRBUF_INIT;
	int fd = -1;

	strbuf_printf(&name, "%s%sXXXXXX", w->name, mark);
	if (name.failed || !(w->temporary = strdup(strbuf_text(&name))))
		errno = ENOMEM;
	else
		fd = mkstemp(w->temporary);
	if (fd < 0) {
		int number = errno;

		free(w->temporary);
		w->temporary = NULL;
		errno = number;
	}
	strbuf_release(&name);
	return fd;
}

/* Locked where locks are sure. One that somebody took for left behind is not ours any more. */
static int make_locked(struct whole_file *w)
{
	for (int tries = 0; tries < MOST_TRIES; tries++) {
		int fd = make_temporary(w, locked_mark);

		if (fd < 0 || lock(w, fd))
			return fd;
		unlink(w->temporary);
		free(w->temporary);
		w->temporary = NULL;
		close(fd);
	}
	return make_temporary(w, ".");
}

static int open_folder(const char *name)
{
	struct strbuf folder = STRBUF_INIT;
	const char *slash = strrchr(name, '/');
	int fd = -1;

	strbuf_add(&folder, name, slash ? (size_t)(slash - name) + 1 : 0);
	strbuf_putc(&folder, '.');
	if (folder.failed)
		errno = ENOMEM;
	else
		fd = open(strbuf_text(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	strbuf_release(&folder);
	return fd;
}

/* A file keeps the rights that it has. */
static int make_beside(struct whole_file *w, const struct stat *there)
{
	int folder = open_folder(w->name), fd;
	bool locks = folder >= 0 && has_sure_locks(folder);

	if (folder < 0 && errno == ENOMEM)
		return -1;
	if (locks)
		remove_left_behind(folder, w->name);
	if (folder >= 0)
		close(folder);
	fd = locks ? make_locked(w) : make_temporary(w, ".");
	if (fd >= 0)
		(void)!fchmod(fd, there ? there->st_mode & 07777 : usual_mode());
	return fd;
}

/* Where standard output or errors go (/dev/stdout > FILE): nothing of it may be replaced. -1: the
 * file is neither. */
static int open_own_output(const struct stat *file)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		struct stat st;

		if (fstat(fd, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino)
			return fcntl(fd, F_DUPFD_CLOEXEC, 3);
	}
	return -1;
}

static int open_file(struct whole_file *w)
{
	struct stat st;
	bool there = stat(w->path, &st) == 0;
	int fd;

	if (there && w->how == WHOLE_FILE_IS_NEW) {
		errno = EEXIST;
		return -1;
	}
	/* The file that a link leads to is replaced, not the link. A pipe (/dev/fd/63) has no path.
	 */
	w->name = there && S_ISREG(st.st_mode) ? realpath(w->path, NULL) : strdup(w->path);
	if (!w->name)
		return -1;
	if (there && !S_ISREG(st.st_mode))
		return open(w->name, O_WRONLY | O_CLOEXEC);
	if (there && (fd = open_own_output(&st)) != -1)
		return fd;
	if (there && access(w->name, W_OK) != 0)
		return -1;
	fd = make_beside(w, there ? &st : NULL);
	if (fd < 0 && there && (errno == EACCES || errno == EPERM || errno == EROFS))
		return open(w->name, O_WRONLY | O_TRUNC | O_CLOEXEC);
	return fd;
}

/* ---- the stream ---- */

static ssize_t put(void *cookie, const char *bytes, size_t n)
{
	struct whole_file *w = cookie;
	size_t done = 0;

	while (done < n && !w->failed) {
		ssize_t now = write(w->fd, bytes + done, n - done);

		if (now < 0)
			w->failed = errno;
		else
			done += (size_t)now;
	}
	errno = w->failed;
	return w->failed ? 0 : (ssize_t)n;
}

static int close_put(void *cookie)
{
	return close(((struct whole_file *)cookie)->fd);
}

static FILE *stream_of(struct whole_file *w)
{
	return fopencookie(w, "wb", (cookie_io_functions_t){.write = put, .close = close_put});
}

enum err_code whole_file_open(const char *path, enum whole_file_name how, struct whole_file **out,
			      struct err *e)
{
	struct whole_file *w = calloc(1, sizeof *w);
	enum err_code rc;

	if (!w || !(w->path = strdup(path))) {
		free(w);
		return err_set(e, ERR_NOMEM, "what goes into %s", path);
	}
	w->how = how;
	w->lock = -1;
	if ((w->fd = open_file(w)) >= 0 && (w->file = stream_of(w))) {
		*out = w;
		return ERR_OK;
	}
	rc = errno == ENOMEM ? err_set(e, ERR_NOMEM, "what goes into %s", path) : fail(w, errno, e);
	if (w->fd >= 0) {
		close(w->fd);
		if (w->temporary)
			unlink(w->temporary);
	}
	release(w);
	return rc;
}

FILE *whole_file_stream(struct whole_file *w)
{
	return w->file;
}

const char *whole_file_temporary(const struct whole_file *w)
{
	return w->temporary ? w->temporary : w->name;
}

/* ---- the end ---- */

void whole_file_sync_folder(const char *name)
{
	int fd = open_folder(name);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

/* link() fails where there is a file already, rename() would replace it. Not all file systems have
 * links. */
static int give_new_name(const struct whole_file *w)
{
	struct stat st;

	if (link(w->temporary, w->name) == 0) {
		unlink(w->temporary);
		return 0;
	}
	if (errno == EEXIST)
		return EEXIST;
	if (lstat(w->name, &st) == 0)
		return EEXIST;
	return rename(w->temporary, w->name) == 0 ? 0 : errno;
}

static int give_name(const struct whole_file *w)
{
	if (w->how == WHOLE_FILE_IS_NEW)
		return give_new_name(w);
	return rename(w->temporary, w->name) == 0 ? 0 : errno;
}

/* A pipe and the like cannot be synced, and need not. */
static int finish_stream(struct whole_file *w)
{
	int number = 0;

	errno = EIO; /* no write of ours failed, and yet the stream is bad */
	if (ferror(w->file) || fflush(w->file) != 0 || (w->temporary && fsync(w->fd) != 0))
		number = w->failed ? w->failed : errno;
	if (fclose(w->file) != 0 && number == 0)
		number = errno;
	return number;
}

enum err_code whole_file_commit(struct whole_file *w, struct err *e)
{
	int number = finish_stream(w);
	enum err_code rc = ERR_OK;

	if (number == 0 && w->temporary)
		number = give_name(w);
	if (number != 0) {
		rc = fail(w, number, e);
		if (w->temporary)
			unlink(w->temporary);
	} else if (w->temporary) {
		whole_file_sync_folder(w->name);
	}
	release(w);
	return rc;
}

void whole_file_abandon(struct whole_file *w)
{
	if (!w)
		return;
	fclose(w->file);
	if (w->temporary)
		unlink(w->temporary);
	release(w);
}
