#include "kb/kb.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/whole_file.h"
#include "kb/kb_filesystem.h"
#include "kb/kb_sql.h"

enum { PAGES_AT_ONCE = 1000 }; /* between two looks for ^C */

/* What the system said to SQLite. It does not tell why a file could not be made: that is tried. */
static int reason(sqlite3 *copy, int code, const char *to)
{
	switch (code & 0xff) {
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_CANTOPEN:
		return filesystem_making_fails(to);
	case SQLITE_IOERR:
		return copy ? sqlite3_system_errno(copy) : 0;
	default:
		return 0;
	}
}

static enum err_code copy_fail(struct kb *kb, sqlite3 *copy, int code, const char *to,
			       struct err *e)
{
	int number = reason(copy, code, to);

	if ((code & 0xff) == SQLITE_NOMEM)
		return err_set(e, ERR_NOMEM, "copy of %s", kb->path);
	/* To SQLite, a lock that cannot be had is one that somebody else holds. */
	if (!filesystem_has_locks(to))
		return err_set(e, ERR_IO,
			       "cannot copy %s to %s: the file system there has no locks: copy it "
			       "to a local disk, and move the copy",
			       kb->path, to);
	return err_set(e, ERR_IO, "cannot copy %s to %s: %s", kb->path, to,
		       number ? strerror(number) : sqlite3_errstr(code));
}

/* All pages, in the state of the read transaction that the caller has open. */
static enum err_code copy_pages(struct kb *kb, sqlite3 *copy, const char *to, struct err *e)
{
	sqlite3_backup *b = sqlite3_backup_init(copy, "main", kb->db, "main");
	int code = b ? SQLITE_OK : sqlite3_extended_errcode(copy);
	bool go_on = true;

	while (b && code == SQLITE_OK && go_on) {
		code = sqlite3_backup_step(b, PAGES_AT_ONCE);
		go_on = progress_step(kb->options.progress, NULL, 0, 0);
	}
	sqlite3_backup_finish(b);
	if (code == SQLITE_OK)
		return err_set(e, ERR_INTERRUPTED, "copy of %s: interrupted", kb->path);
	return code == SQLITE_DONE ? ERR_OK : copy_fail(kb, copy, code, to, e);
}

/* The copy is one file that can be read anywhere: it is not in WAL mode, as the base may be. */
static enum err_code copy_base(struct kb *kb, sqlite3 *copy, const char *to, struct err *e)
{
	enum err_code rc = kb_begin_read(kb, e);
	int code;

	if (rc)
		return rc;
	rc = copy_pages(kb, copy, to, e);
	kb_end_read(kb);
	if (rc)
		return rc;
	code = sqlite3_exec(copy, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	return code == SQLITE_OK ? ERR_OK
				 : copy_fail(kb, copy, sqlite3_extended_errcode(copy), to, e);
}

/* Not VACUUM INTO, which does not tell a failure of the copy from one of the base. */
static enum err_code copy_into(struct kb *kb, const char *temporary, const char *to, struct err *e)
{
	struct strbuf uri = STRBUF_INIT;
	sqlite3 *copy = NULL;
	enum err_code rc = ERR_OK;
	int code;

	filesystem_put_uri(temporary, "", &uri);
	if (uri.failed) {
		rc = err_set(e, ERR_NOMEM, "copy of %s", kb->path);
	} else {
		code = sqlite3_open_v2(strbuf_text(&uri), &copy,
				       SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL);
		rc = code == SQLITE_OK ? copy_base(kb, copy, to, e)
				       : copy_fail(kb, copy, code, to, e);
	}
	sqlite3_close(copy);
	strbuf_release(&uri);
	return rc;
}

enum err_code kb_backup(struct kb *kb, const char *to, struct err *e)
{
	struct whole_file *w = NULL;
	struct stat st;
	enum err_code rc;

	assert(!kb->in_write && !kb->in_read);
	if (lstat(to, &st) == 0)
		return err_set(e, ERR_ARG, "%s exists: a backup never overwrites a file", to);
	if ((rc = whole_file_open(to, WHOLE_FILE_IS_NEW, &w, e)))
		return rc;
	if (!(rc = copy_into(kb, whole_file_temporary(w), to, e)))
		return whole_file_commit(w, e);
	whole_file_abandon(w);
	return rc;
}
