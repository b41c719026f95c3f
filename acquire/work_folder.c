#include "acquire/work_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of the folder to be made: path, or one under $TMPDIR that mkdtemp() completes. */
static enum err_code make(const char *path, struct strbuf *name, struct err *e)
{
	const char *parent = getenv("TMPDIR");

	if (path)
		strbuf_puts(name, path);
	else
		strbuf_printf(name, "%s/lemnos-XXXXXX", parent && *parent ? parent : "/tmp");
	if (name->failed)
		return err_set(e, ERR_NOMEM, "the name of a working folder");
	if (path ? mkdir(path, 0777) && errno != EEXIST : !mkdtemp(name->buf))
		return err_set(e, ERR_IO, "cannot make the folder %s: %s", name->buf,
			       strerror(errno));
	return ERR_OK;
}

enum err_code work_folder_open(const char *path, struct work_folder *out, struct err *e)
{
	struct work_folder w = {.temporary = !path};
	struct strbuf name = STRBUF_INIT;
	char *resolved = NULL;
	enum err_code rc = make(path, &name, e);
	bool made = !rc;

	if (!rc && !(resolved = realpath(name.buf, NULL)))
		rc = err_set(e, ERR_IO, "%s: %s", name.buf, strerror(errno));
	if (!rc) {
		strbuf_puts(&w.path, resolved);
		if (w.path.failed)
			rc = err_set(e, ERR_NOMEM, "the name of a working folder");
		else
			*out = w;
	}
	if (rc && made && !path)
		rmdir(name.buf);
	strbuf_release(&name);
	free(resolved);
	return rc;
}

static FILE *open_in(const struct work_folder *w, const char *name, const char *mode)
{
	struct strbuf path = STRBUF_INIT;
	FILE *f = NULL;

	strbuf_printf(&path, "%s/%s", strbuf_text(&w->path), name);
	if (path.failed)
		errno = ENOMEM;
	else
		f = fopen(path.buf, mode);
	strbuf_release(&path);
	return f;
}

static enum err_code cannot(const char *what, const struct work_folder *w, const char *name,
			    struct err *e)
{
	int why = errno;

	return err_set(e, why == ENOMEM ? ERR_NOMEM : ERR_IO, "cannot %s %s/%s: %s", what,
		       strbuf_text(&w->path), name, strerror(why));
}

enum err_code work_folder_write(const struct work_folder *w, const char *name, const char *text,
				struct err *e)
{
	FILE *f = open_in(w, name, "w");
	int failed;

	if (!f)
		return cannot("write", w, name, e);
	failed = fputs(text, f) < 0;
	failed |= fclose(f) != 0;
	return failed ? cannot("write", w, name, e) : ERR_OK;
}

/* Stands at the last max_bytes of f. */
static bool skip_to_end(FILE *f, size_t max_bytes)
{
	long length;

	if (fseek(f, 0, SEEK_END) || (length = ftell(f)) < 0)
		return false;
	return !fseek(f, (size_t)length > max_bytes ? length - (long)max_bytes : 0, SEEK_SET);
}

enum err_code work_folder_read(const struct work_folder *w, const char *name, size_t max_bytes,
			       struct strbuf *out, struct err *e)
{
	FILE *f = open_in(w, name, "r");
	char block[4096];
	size_t n;
	int failed;

	if (!f && errno == ENOENT)
		return ERR_OK;
	if (!f)
		return cannot("read", w, name, e);
	failed = !skip_to_end(f, max_bytes);
	while (!failed && (n = fread(block, 1, sizeof block, f)) > 0)
		strbuf_add(out, block, n);
	failed |= ferror(f);
	fclose(f);
	if (failed)
		return err_set(e, ERR_IO, "cannot read %s/%s", strbuf_text(&w->path), name);
	return out->failed ? err_set(e, ERR_NOMEM, "what %s holds", name) : ERR_OK;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	remove(path); /* what cannot be removed stays; it is temporary in any case */
	return 0;
}

void work_folder_close(struct work_folder *w)
{
	enum { OPEN_FOLDERS = 16 };

	if (w->temporary && w->path.len > 0)
		nftw(w->path.buf, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
	strbuf_release(&w->path);
}
