#include "kb/kb.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "kb/kb_filesystem.h"
#include "kb/kb_lock_holder.h"
#include "kb/kb_migrate.h"
#include "kb/kb_sql.h"

/* The connection to the file kb->path: with which rights, and with what set before its first
 * statement. Opened as kb->db; the caller closes it on errors, too. */

enum { BUSY_SLEEP_MAX_MS = 50 };

/* Milliseconds of a clock that nobody sets, to measure waits with. */
static int64_t kb_now_ms(void)
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

/* Is the file written in WAL mode? Through SQLite's own descriptor: closing another one would drop
 * its locks (sqlite.org, "How To Corrupt An SQLite Database File", 2.2). The place: "Database File
 * Format", 1.3.3. */
static bool kb_connect_says_wal(struct kb *kb)
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
 * directory, a full disk), the file is read alone. Leaves no
 * file that would be in the way of those who may write. Errors: as kb_open(). */
static enum err_code kb_connect_read(struct kb *kb, struct err *e)
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

/* Errors: KB (the file, its directory or the files of its journal may not be written). */
static enum err_code kb_connect_write(struct kb *kb, enum kb_mode mode, struct err *e)
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

enum { BUSY_TIMEOUT_MS = 60000 };

static enum err_code read_journal_mode(struct kb *kb, const char *sql, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(kb, &s, e, sql, "");

	if (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		strncpy(kb->journal, kb_sql_text(s, 0), sizeof kb->journal - 1);
	sqlite3_finalize(s);
	return rc;
}

/* Two connections that switch the journal at once could wait for each other for ever; SQLite then
 * tells one of them SQLITE_BUSY at once, without asking the busy handler: the wait is here. */
static enum err_code set_journal_mode(struct kb *kb, const char *sql, struct err *e)
{
	int64_t give_up_ms = kb_now_ms() + kb->options.busy_timeout_ms;
	struct err busy = {0};

	while (read_journal_mode(kb, sql, &busy) == ERR_BUSY && kb_now_ms() < give_up_ms) {
		nanosleep(&(struct timespec){.tv_nsec = 5 * 1000000}, NULL);
		busy = (struct err){0};
	}
	return busy.code ? err_set(e, busy.code, "%s", busy.msg) : ERR_OK;
}

/* WAL lets readers go on while one process imports. It needs memory shared by all users of the
 * file, so on a network file system the rollback journal takes its place. Commits are synced to
 * disk in both: they are few, and an import that was reported done must be there after a crash.
 * EXTRA, as a commit with the rollback journal is the removal of that, and FULL does not sync its
 * directory: after a power failure the journal could be back, and take back what was reported. */
static enum err_code choose_journal(struct kb *kb, struct err *e)
{
	bool safe = kb->options.safe_journal || filesystem_of_is_network(kb->path);
	enum err_code rc;

	if ((rc = kb_sql_run(kb, e, "PRAGMA cache_size = -16384", "")) || /* 16 MiB */
	    (rc = read_journal_mode(kb, "PRAGMA journal_mode", e)))
		return rc;
	if (kb->read_only) {
		/* One that is read as unchanging calls itself "delete". */
		if (kb_connect_says_wal(kb))
			strcpy(kb->journal, "wal");
		return ERR_OK;
	}
	if (strcmp(kb->journal, safe ? "delete" : "wal") != 0)
		rc = set_journal_mode(
			kb, safe ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL", e);
	return rc ? rc : kb_sql_run(kb, e, "PRAGMA synchronous = EXTRA", "");
}

static enum err_code may_not_read(const char *path, struct err *e)
{
	return err_set(e, ERR_KB,
		       "%s may not be read: no permission (ask its owner, or give another base "
		       "by --kb FILE)",
		       path);
}

static enum err_code find_file(const char *path, enum kb_mode mode, struct err *e)
{
	struct stat st;

	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return err_set(e, ERR_SCHEMA, "%s is a directory, no knowledge base", path);
		if (!S_ISREG(st.st_mode))
			return err_set(e, ERR_SCHEMA, "%s is no regular file, so no knowledge base",
				       path);
		return filesystem_may_read(path) ? ERR_OK : may_not_read(path, e);
	}
	if (errno == EACCES)
		return may_not_read(path, e);
	if (errno != ENOENT)
		return err_set(e, ERR_IO, "cannot open %s: %s", path, strerror(errno));
	if (mode != KB_CREATE)
		return err_set(e, ERR_NOTFOUND,
			       "there is no knowledge base %s: `lemnos init` makes one", path);
	return filesystem_make_parents(path, e);
}

enum err_code kb_open(const char *path, enum kb_mode mode, const struct kb_options *o,
		      struct kb **out, struct err *e)
{
	struct kb *kb = NULL;
	enum err_code rc;

	if ((rc = find_file(path, mode, e)))
		return rc;
	kb = calloc(1, sizeof *kb);
	if (!kb)
		return err_set(e, ERR_NOMEM, "%s: out of memory", path);
	if (o)
		kb->options = *o;
	if (kb->options.busy_timeout_ms == 0)
		kb->options.busy_timeout_ms = BUSY_TIMEOUT_MS;
	kb->inspected = mode == KB_INSPECT;
	if (kb->inspected)
		mode = KB_READ;
	kb->read_only = mode == KB_READ;
	if ((rc = kb_dup(path, &kb->path, e)) ||
	    (rc = kb->read_only ? kb_connect_read(kb, e) : kb_connect_write(kb, mode, e)) ||
	    (rc = kb_migrate(kb, mode, e)) || (rc = choose_journal(kb, e))) {
		kb_close(kb);
		return rc;
	}
	*out = kb;
	return ERR_OK;
}

void kb_close(struct kb *kb)
{
	if (!kb)
		return;
	kb_rollback(kb);
	kb_end_read(kb);
	sqlite3_close(kb->db);
	free(kb->path);
	free(kb);
}

const char *kb_sqlite_version(void)
{
	return sqlite3_libversion();
}

const char *kb_path(const struct kb *kb)
{
	return kb->path;
}

const char *kb_journal_mode(struct kb *kb)
{
	return kb->journal;
}

/* Even ROLLBACK allocates. It must not be given up: the next transaction could not begin. */
static void roll_back(struct kb *kb)
{
	for (int tries = 0; tries < 3 && !sqlite3_get_autocommit(kb->db); tries++)
		sqlite3_exec(kb->db, "ROLLBACK", NULL, NULL, NULL);
}

enum err_code kb_begin(struct kb *kb, struct err *e)
{
	enum err_code rc;

	assert(!kb->in_write && !kb->in_read);
	if (kb->read_only)
		return err_set(e, ERR_KB, "%s was opened for reading only", kb->path);
	kb->told_to_wait = false;
	if ((rc = kb_sql_still_there(kb, e)))
		return rc;
	kb->in_write = true;
	/* IMMEDIATE: a transaction that reads first and writes later cannot wait its turn. */
	rc = kb_sql_run(kb, e, "BEGIN IMMEDIATE", "");
	if (rc)
		kb->in_write = false;
	return rc;
}

enum err_code kb_commit(struct kb *kb, struct err *e)
{
	enum err_code rc;

	/* Once more afterwards, as it may happen meanwhile. */
	if ((rc = kb_sql_still_there(kb, e)) || (rc = kb_sql_run(kb, e, "COMMIT", "")) ||
	    (rc = kb_sql_still_there(kb, e)))
		kb_rollback(kb);
	kb->in_write = false;
	return rc;
}

void kb_rollback(struct kb *kb)
{
	if (kb->in_write)
		roll_back(kb);
	kb->in_write = false;
}

enum err_code kb_begin_read(struct kb *kb, struct err *e)
{
	int64_t ignored;
	enum err_code rc;

	assert(!kb->in_read);
	if (kb->in_write)
		return ERR_OK; /* which reads one state already */
	if ((rc = kb_sql_run(kb, e, "BEGIN", "")))
		return rc;
	kb->in_read = true;
	/* The snapshot is that of the first statement, so there is one now. */
	rc = kb_sql_get_int64(kb, &ignored, e, "SELECT count(*) FROM sqlite_schema", "");
	if (rc)
		kb_end_read(kb);
	return rc;
}

void kb_end_read(struct kb *kb)
{
	if (kb->in_read)
		roll_back(kb);
	kb->in_read = false;
}
