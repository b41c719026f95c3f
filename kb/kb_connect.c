#include "kb/kb_connect.h"

#include <sys/stat.h>
#include <time.h>

#include "kb/kb_filesystem.h"
#include "kb/kb_lock_holder.h"
#include "kb/kb_progress.h"

enum { BUSY_SLEEP_MAX_MS = 50 };

int64_t kb_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void tell_to_wait(const struct kb *kb)
{
	struct lock_holder h;
	char who[60];

	lock_holder_describe(lock_holder_find(kb->path, &h) ? &h : NULL, who, sizeof who);
	kb->options.on_wait(kb->options.arg, who, kb->options.busy_timeout_ms / 1000);
}

/* SQLite asks whether to try again, n_tries times so far for the same lock. */
static int on_busy(void *arg, int n_tries)
{
	struct kb *kb = arg;
	long sleep_ms = n_tries < BUSY_SLEEP_MAX_MS ? n_tries + 1 : BUSY_SLEEP_MAX_MS;

	if (!progress_step(kb->options.progress, NULL, 0, 0))
		return 0;
	if (n_tries == 0 && !filesystem_has_locks(kb->path))
		return 0;
	if (n_tries == 0)
		kb->wait_start_ms = kb_now_ms();
	else if (kb_now_ms() - kb->wait_start_ms >= kb->options.busy_timeout_ms)
		return 0;
	if (kb->in_write && !kb->told_to_wait && kb->options.on_wait) {
		kb->told_to_wait = true;
		tell_to_wait(kb);
	}
	nanosleep(&(struct timespec){.tv_nsec = sleep_ms * 1000000}, NULL);
	return 1;
}

/* Everything that a connection needs before its first statement. */
static enum err_code configure(struct kb *kb, struct err *e)
{
	static const struct {
		int what;
		int on;
	} option[] = {
		{SQLITE_DBCONFIG_DQS_DML, 0}, /* "nosuch" is an error, not a string */
		{SQLITE_DBCONFIG_DQS_DDL, 0},
		{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
		{SQLITE_DBCONFIG_ENABLE_FKEY, 1},
		{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{SQLITE_DBCONFIG_DEFENSIVE, 1},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, /* we have none */
	};

	for (size_t i = 0; i < sizeof option / sizeof option[0]; i++) {
		if (sqlite3_db_config(kb->db, option[i].what, option[i].on, NULL) != SQLITE_OK)
			return kb_sql_fail(kb, "set up the connection", e);
	}
	sqlite3_busy_handler(kb->db, on_busy, kb);
	kb_watch_connection(kb);
	return ERR_OK;
}

/* Open kb->path; parameters is "" or "?immutable=1". */
static enum err_code connect_to(struct kb *kb, int flags, const char *parameters, struct err *e)
{
	struct strbuf uri = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	sqlite3_close(kb->db);
	kb->db = NULL;
	filesystem_put_uri(kb->path, parameters, &uri);
	if (uri.failed)
		rc = err_set(e, ERR_NOMEM, "%s: out of memory", kb->path);
	else if (sqlite3_open_v2(strbuf_text(&uri), &kb->db,
				 flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		rc = kb->db ? kb_sql_fail(kb, "open it", e)
			    : err_set(e, ERR_NOMEM, "%s: out of memory", kb->path);
	strbuf_release(&uri);
	return rc ? rc : configure(kb, e);
}

/* Does the file next to path (suffix "-wal" or "-journal") hold anything? */
static bool has_log(const char *path, const char *suffix)
{
	struct strbuf log = STRBUF_INIT;
	struct stat st;
	bool has;

	strbuf_printf(&log, "%s%s", path, suffix);
	has = log.failed || (stat(strbuf_text(&log), &st) == 0 && st.st_size > 0);
	strbuf_release(&log);
	return has;
}

/* Through SQLite's own descriptor: closing another one would drop its locks (sqlite.org, "How To
 * Corrupt An SQLite Database File", 2.2). The place: "Database File Format", 1.3.3. */
bool kb_connect_says_wal(struct kb *kb)
{
	unsigned char versions[2] = {0};
	sqlite3_file *f = NULL;

	return sqlite3_file_control(kb->db, "main", SQLITE_FCNTL_FILE_POINTER, &f) == SQLITE_OK &&
	       f && f->pMethods &&
	       f->pMethods->xRead(f, versions, sizeof versions, 18) == SQLITE_OK &&
	       versions[0] == 2 && versions[1] == 2;
}

/* ---- reading ---- */

static enum err_code unfinished_change(const struct kb *kb, struct err *e)
{
	return err_set(e, ERR_KB,
		       "%s: a change is still in its -wal or -journal file, and only somebody "
		       "who may write in that directory can complete it: with `lemnos init`, or "
		       "by copying both files to a directory of their own",
		       kb->path);
}

/* The file alone, as one that does not change. A writer with more rights than we have could still
 * change it meanwhile; the alternative would be not to read it at all. */
static enum err_code connect_immutable(struct kb *kb, struct err *e)
{
	if (has_log(kb->path, "-wal") || has_log(kb->path, "-journal"))
		return unfinished_change(kb, e);
	return connect_to(kb, SQLITE_OPEN_READONLY, "?immutable=1", e);
}

/* Would our reading leave files that are in the way of those who may write? A base in WAL mode is
 * read with the help of two files next to it. Whoever may not write the base cannot remove them at
 * the end, and they would be ours: its owner could not write it any more. */
static bool would_leave_files(struct kb *kb)
{
	return !filesystem_may_write(kb->path) && kb_connect_says_wal(kb) &&
	       !(filesystem_exists(kb->path, "-wal") && filesystem_exists(kb->path, "-shm"));
}

static bool cannot_make_files(struct kb *kb)
{
	switch (sqlite3_extended_errcode(kb->db)) {
	case SQLITE_IOERR_SHMOPEN:
	case SQLITE_IOERR_SHMSIZE: /* the disk is full */
	case SQLITE_IOERR_SHMMAP:
		return true;
	default:
		return (sqlite3_errcode(kb->db) & 0xff) == SQLITE_CANTOPEN ||
		       (sqlite3_errcode(kb->db) & 0xff) == SQLITE_READONLY;
	}
}

/* Opened for reading only, SQLite would leave the two files of WAL mode behind; opened for both, it
 * removes them at the end; kb_begin() keeps us from writing. Where they cannot be made (a read-only
 * directory, a full disk), the file is read alone. */
enum err_code kb_connect_read(struct kb *kb, struct err *e)
{
	enum err_code rc;

	if ((rc = connect_to(kb, SQLITE_OPEN_READWRITE, "", e)))
		return rc;
	if (would_leave_files(kb))
		return connect_immutable(kb, e);
	if (sqlite3_exec(kb->db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_OK)
		return ERR_OK;
	return cannot_make_files(kb) ? connect_immutable(kb, e) : kb_sql_fail(kb, "read it", e);
}

/* ---- writing ---- */

/* SQLite's own words for these two ("attempt to write a readonly database") name neither. */
static enum err_code check_surroundings(const struct kb *kb, struct err *e)
{
	static const char *const suffix[] = {"-wal", "-shm"};
	if (!filesystem_may_write_beside(kb->path))
		return err_set(
			e, ERR_KB,
			"the directory of %s may not be written, and SQLite keeps its journal "
			"there while it writes (`lemnos status backup FILE` makes a copy elsewhere)",
			kb->path);
	for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
		if (!filesystem_may_write_existing(kb->path, suffix[i]))
			return err_set(
				e, ERR_KB,
				"%s%s belongs to somebody else and may not be written: have its "
				"owner run `lemnos status` on the base, or remove it when nobody "
				"uses the base and its -wal file is empty",
				kb->path, suffix[i]);
	}
	return ERR_OK;
}

enum err_code kb_connect_write(struct kb *kb, enum kb_mode mode, struct err *e)
{
	int create = mode == KB_CREATE ? SQLITE_OPEN_CREATE : 0;
	enum err_code rc = connect_to(kb, SQLITE_OPEN_READWRITE | create, "", e);

	if (rc)
		return rc;
	/* SQLite opens what it may not write for reading, without a word. */
	if (sqlite3_db_readonly(kb->db, "main") == 1)
		return filesystem_may_write(kb->path)
			       ? err_set(e, ERR_IO,
					 "%s: the file system fails to open it for writing",
					 kb->path)
			       : err_set(e, ERR_KB,
					 "%s may not be written: no permission (`lemnos status "
					 "backup FILE` makes a copy of your own)",
					 kb->path);
	return check_surroundings(kb, e);
}
