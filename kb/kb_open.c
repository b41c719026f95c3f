#include "kb/kb.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "kb/kb_connect.h"
#include "kb/kb_filesystem.h"
#include "kb/kb_migrate.h"
#include "kb/kb_sql.h"

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

bool kb_is_read_only(const struct kb *kb)
{
	return kb->read_only;
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
	rc = kb_sql_get_int64(kb, &ignored, e, "SELECT count(*) FROM setting", "");
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
