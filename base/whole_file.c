#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"

struct whole_file {
	FILE *file;
	char *path;	 /* as it was given, for messages */
	char *name;	 /* the same behind symbolic links */
	char *temporary; /* NULL: written as it is */
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

/* A file keeps the rights that it has. */
static int make_beside(struct whole_file *w, const struct stat *there)
{
	struct strbuf name = STRBUF_INIT;
	int fd = -1;

	strbuf_printf(&name, "%s.XXXXXX", w->name);
	if (name.failed || !(w->temporary = strdup(strbuf_text(&name))))
		errno = ENOMEM;
	else if ((fd = mkstemp(w->temporary)) >= 0)
		(void)!fchmod(fd, there ? there->st_mode & 07777 : usual_mode());
	if (fd < 0) {
		int number = errno;

		free(w->temporary);
		w->temporary = NULL;
		errno = number;
	}
	strbuf_release(&name);
	return fd;
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
	/* The file that a link leads to is replaced, not the link. */
	w->name = there ? realpath(w->path, NULL) : strdup(w->path);
	if (!w->name)
		return -1;
	if (there && !S_ISREG(st.st_mode))
		return open(w->name, O_WRONLY | O_CLOEXEC);
	if (there && access(w->name, W_OK) != 0)
		return -1;
	fd = make_beside(w, there ? &st : NULL);
	if (fd < 0 && there && (errno == EACCES || errno == EPERM || errno == EROFS))
		return open(w->name, O_WRONLY | O_TRUNC | O_CLOEXEC);
	return fd;
}

enum err_code whole_file_open(const char *path, enum whole_file_name how, struct whole_file **out,
			      struct err *e)
{
	struct whole_file *w = calloc(1, sizeof *w);
	enum err_code rc;
	int fd = -1;

	if (!w || !(w->path = strdup(path))) {
		free(w);
		return err_set(e, ERR_NOMEM, "what goes into %s", path);
	}
	w->how = how;
	if ((fd = open_file(w)) >= 0 && (w->file = fdopen(fd, "wb"))) {
		*out = w;
		return ERR_OK;
	}
	rc = errno == ENOMEM ? err_set(e, ERR_NOMEM, "what goes into %s", path) : fail(w, errno, e);
	if (fd >= 0) {
		close(fd);
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
	struct strbuf folder = STRBUF_INIT;
	const char *slash = strrchr(name, '/');
	int fd;

	strbuf_add(&folder, name, slash ? (size_t)(slash - name) + 1 : 0);
	strbuf_putc(&folder, '.');
	if (!folder.failed && (fd = open(strbuf_text(&folder), O_RDONLY | O_CLOEXEC)) >= 0) {
		fsync(fd);
		close(fd);
	}
	strbuf_release(&folder);
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

	errno = EIO; /* of a write that failed long ago nobody knows why */
	if (ferror(w->file) || fflush(w->file) != 0 ||
	    (w->temporary && fsync(fileno(w->file)) != 0))
		number = errno;
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
