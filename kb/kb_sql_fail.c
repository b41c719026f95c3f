#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "kb/kb_filesystem.h"
#include "kb/kb_lock_holder.h"
#include "kb/kb_sql.h"

enum { HOLDER_SIZE = 60 };

/* What SQLite says of a failure, in words that somebody can act on. It does not always say what
 * the system said; then the system is asked again. */

static enum err_code no_locks(const struct kb *kb, struct err *e)
{
	return err_set(
		e, ERR_IO,
		"%s: its file system has no locks, without which two programs at a time "
		"would ruin it: keep it on a local disk, or have this one mounted with locks",
		kb->path);
}

static enum err_code held(const struct kb *kb, struct err *e)
{
	int waited_s = kb->options.busy_timeout_ms / 1000;
	struct lock_holder h;
	char who[HOLDER_SIZE];

	if (!lock_holder_find(kb->path, &h))
		return err_set(
			e, ERR_BUSY,
			"%s: another process is writing to it and did not finish within "
			"%d s; try again when it has (`fuser %s` names it if it runs on this "
			"machine)",
			kb->path, waited_s, kb->path);
	lock_holder_describe(&h, who, sizeof who);
	if (h.stopped)
		return err_set(e, ERR_BUSY,
			       "%s: %s was writing to it and keeps it locked: `kill -CONT %ld` "
			       "lets it go on, `kill -KILL %ld` ends it, and its unfinished change "
			       "is taken back",
			       kb->path, who, h.pid, h.pid);
	return err_set(e, ERR_BUSY,
		       "%s: %s is writing to it and did not finish within %d s; try again when it "
		       "has",
		       kb->path, who, waited_s);
}

static enum err_code busy(const struct kb *kb, struct err *e)
{
	if (!progress_step(kb->options.progress, NULL, 0, 0))
		return err_set(e, ERR_INTERRUPTED,
			       "%s: interrupted while waiting for another process", kb->path);
	/* A lock that cannot be had at all is one that somebody else holds, to SQLite. */
	if (!filesystem_has_locks(kb->path))
		return no_locks(kb, e);
	return held(kb, e);
}

/* Did the last call of the system that failed, on the base or on its log, say this? */
static bool system_said(struct kb *kb, int number)
{
	static const int which[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};

	for (size_t i = 0; i < sizeof which / sizeof which[0]; i++) {
		sqlite3_file *f = NULL;
		int said = 0;

		if (sqlite3_file_control(kb->db, "main", which[i], &f) == SQLITE_OK && f &&
		    f->pMethods)
			f->pMethods->xFileControl(f, SQLITE_FCNTL_LAST_ERRNO, &said);
		if (said == number)
			return true;
	}
	return false;
}

/* When these end a read SQLite calls the base corrupt (unixRead() in its os_unix.c), which it is
 * not. 0: it was something else. */
static int failed_read(struct kb *kb)
{
	static const int numbers[] = {EIO, ERANGE, ENXIO};

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		if (system_said(kb, numbers[i]))
			return numbers[i];
	}
	return 0;
}

static enum err_code corrupt(struct kb *kb, const char *doing, struct err *e)
{
	int number = failed_read(kb);

	if (number)
		return err_set(e, ERR_IO,
			       "%s: cannot %s: the disk or file system fails to read it (%s)",
			       kb->path, doing, strerror(number));
	return err_set(e, ERR_KB,
		       "%s is damaged (%s): go back to a backup, or try `sqlite3 %s .recover`",
		       kb->path, sqlite3_errmsg(kb->db), kb->path);
}

/* What cannot be opened for writing, SQLite opens for reading, whatever the reason was. */
static enum err_code read_only(const struct kb *kb, const char *doing, struct err *e)
{
	if (filesystem_may_write(kb->path) && filesystem_may_write_beside(kb->path))
		return err_set(e, ERR_IO,
			       "%s: cannot %s: the file system fails to open it for writing",
			       kb->path, doing);
	return err_set(e, ERR_KB, "%s: cannot %s: it may only be read", kb->path, doing);
}

/* The base itself, or what SQLite keeps next to it. */
static enum err_code cannot_open(const struct kb *kb, const char *doing, const char *why,
				 struct err *e)
{
	int number = filesystem_making_fails(kb->path);

	if (number)
		return err_set(e, ERR_IO,
			       "%s: cannot %s: no file can be made in its directory (%s)", kb->path,
			       doing, strerror(number));
	return err_set(e, ERR_IO, "%s: cannot %s: %s", kb->path, doing, why);
}

/* "disk I/O error" is all that SQLite says of these; of a full disk as long as it makes room. */
static const char *reason(struct kb *kb)
{
	if (sqlite3_system_errno(kb->db) == ENOSPC)
		return "the disk is full";
	if (system_said(kb, EDQUOT))
		return "the disk quota is used up";
	if (system_said(kb, EFBIG))
		return "the file size limit (`ulimit -f`) is reached";
	return sqlite3_errmsg(kb->db);
}

/* SQLite takes a file that the system cannot tell of, for whatever reason, for one that moved. */
static bool has_moved(struct kb *kb)
{
	struct stat st;

	for (int tries = 0; tries < 2; tries++) {
		int moved = 0;

		sqlite3_file_control(kb->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
		if (!moved)
			return false;
	}
	return stat(kb->path, &st) == 0 || errno == ENOENT || errno == ENOTDIR;
}

/* Somebody may delete, rename or replace the file while we have it open. What we write then goes
 * into one that has no name any more, or, worse, into a log that lies beside another base. */
enum err_code kb_sql_still_there(struct kb *kb, struct err *e)
{
	if (!has_moved(kb))
		return ERR_OK;
	if (!filesystem_exists(kb->path, "-wal"))
		return err_set(e, ERR_KB,
			       "%s was deleted, renamed or replaced while this command used it: "
			       "nothing was stored; run it again",
			       kb->path);
	return err_set(e, ERR_KB,
		       "%s was deleted, renamed or replaced while this command used it: nothing "
		       "was stored. %s-wal and %s-shm belong to the file that was there: put it "
		       "back, or remove them before another takes its place; then run the command "
		       "again",
		       kb->path, kb->path, kb->path);
}

enum err_code kb_sql_fail(struct kb *kb, const char *doing, struct err *e)
{
	const char *why = sqlite3_errmsg(kb->db);

	if (kb_sql_still_there(kb, e))
		return ERR_KB;
	switch (sqlite3_extended_errcode(kb->db) & 0xff) {
	case SQLITE_BUSY:
		return busy(kb, e);
	case SQLITE_NOMEM:
		return err_set(e, ERR_NOMEM, "%s: cannot %s: out of memory", kb->path, doing);
	case SQLITE_PROTOCOL: /* it gave up locking the log */
	case SQLITE_IOERR:
		if (!filesystem_has_locks(kb->path))
			return no_locks(kb, e);
		return err_set(e, ERR_IO, "%s: cannot %s: %s", kb->path, doing, reason(kb));
	case SQLITE_FULL:
		return err_set(e, ERR_IO, "%s: cannot %s: %s", kb->path, doing, why);
	case SQLITE_CANTOPEN:
		return cannot_open(kb, doing, why, e);
	case SQLITE_INTERRUPT:
		return err_set(e, ERR_INTERRUPTED, "%s: interrupted", kb->path);
	case SQLITE_NOTADB:
		return err_set(e, ERR_SCHEMA,
			       "%s is no SQLite file, so no knowledge base (this program's have "
			       "schema version %d)",
			       kb->path, kb_schema_version());
	case SQLITE_CORRUPT:
		return corrupt(kb, doing, e);
	case SQLITE_READONLY:
		return read_only(kb, doing, e);
	default:
		return err_set(e, ERR_KB, "%s: cannot %s: %s", kb->path, doing, why);
	}
}
