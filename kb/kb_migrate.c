#include "kb/kb_migrate.h"

#include <string.h>

#include "kb/kb_check.h"
#include "kb/kb_run_table.h"
#include "kb/kb_sql.h"

struct migration {
	int version; /* the schema version it leads to */
	const char *file;
	const char *sql;
};
#include "kb/migrations.inc"

enum { N_MIGRATIONS = sizeof migrations / sizeof migrations[0] };

/* What the header of a file says. */
struct file_header {
	int64_t application_id;
	int64_t version;
	int64_t n_objects;
};

int kb_schema_version(void)
{
	return migrations[N_MIGRATIONS - 1].version;
}

bool kb_migrations_make_table(const char *name)
{
	static const char create[] = "CREATE TABLE ";
	size_t n = strlen(name);

	for (int i = 0; i < N_MIGRATIONS; i++) {
		for (const char *p = migrations[i].sql; (p = strstr(p, create));) {
			p += strlen(create);
			if (sqlite3_strnicmp(p, name, (int)n) == 0 && p[n] == ' ')
				return true;
		}
	}
	return false;
}

const char *kb_migrations_find_view(const char *name)
{
	static const char create[] = "CREATE VIEW ";
	const char *last = NULL;
	size_t n = strlen(name);

	for (int i = 0; i < N_MIGRATIONS; i++) {
		for (const char *p = migrations[i].sql; (p = strstr(p, create));) {
			const char *at = p;

			p += strlen(create);
			if (sqlite3_strnicmp(p, name, (int)n) == 0 && p[n] == ' ')
				last = at;
		}
	}
	return last;
}

/* The caller has a transaction open: the three must be of one state of the file. */
static enum err_code read_header(struct kb *kb, struct file_header *h, struct err *e)
{
	enum err_code rc;

	if ((rc = kb_sql_get_int64(kb, &h->application_id, e, "PRAGMA application_id", "")) ||
	    (rc = kb_sql_get_int64(kb, &h->version, e, "PRAGMA user_version", "")))
		return rc;
	return kb_sql_get_int64(kb, &h->n_objects, e, "SELECT count(*) FROM sqlite_schema", "");
}

/* Read the header in a transaction of its own. */
static enum err_code read_header_at_once(struct kb *kb, struct file_header *h, struct err *e)
{
	enum err_code rc = kb_sql_run(kb, e, "BEGIN", "");

	if (rc)
		return rc;
	kb->in_read = true;
	rc = read_header(kb, h, e);
	kb_end_read(kb);
	return rc;
}

/* *pending: it is one of ours (or may become one) and migrations are to be applied. */
static enum err_code judge(const struct kb *kb, enum kb_mode mode, const struct file_header *h,
			   bool *pending, struct err *e)
{
	bool empty = h->application_id == 0 && h->version == 0 && h->n_objects == 0;

	if (empty && mode != KB_CREATE)
		return err_set(e, ERR_SCHEMA,
			       "%s is empty: `lemnos init` makes it a knowledge base", kb->path);
	if (!empty && h->application_id != KB_APPLICATION_ID)
		return err_set(
			e, ERR_SCHEMA,
			"%s is an SQLite file of another program (application_id 0x%08llx, "
			"version %lld), no knowledge base (application_id 0x%08x, version %d)",
			kb->path, (unsigned long long)h->application_id & 0xffffffffULL,
			(long long)h->version, (unsigned)KB_APPLICATION_ID, kb_schema_version());
	if (h->version > kb_schema_version())
		return err_set(e, ERR_SCHEMA,
			       "%s has schema version %lld, made by a newer lemnos; this one knows "
			       "versions up to %d",
			       kb->path, (long long)h->version, kb_schema_version());
	*pending = h->version < kb_schema_version();
	if (*pending && mode == KB_READ)
		return err_set(
			e, ERR_SCHEMA,
			"%s has schema version %lld, this lemnos needs %d: run `lemnos init` on "
			"it where it may be written to bring it up to date",
			kb->path, (long long)h->version, kb_schema_version());
	return ERR_OK;
}

/* ---- what SQL alone cannot do ---- */

/* ALTER TABLE old DROP COLUMN ...; for each generated column, last first: one uses only columns
 * above it. No row is touched. */
static enum err_code put_drop_derived(struct kb *kb, const char *old, struct strbuf *sql,
				      struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 2 ORDER BY cid DESC", "t",
		old);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		strbuf_puts(sql, "ALTER TABLE ");
		strbuf_put_sql_name(sql, old);
		strbuf_puts(sql, " DROP COLUMN ");
		strbuf_put_sql_name(sql, kb_sql_text(s, 0));
		strbuf_puts(sql, ";\n");
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code split_run_table(struct kb *kb, const struct application *a, struct err *e)
{
	char old[RUN_TABLE_NAME_SIZE];
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	application_table(a, old, sizeof old);
	strbuf_puts(&sql, "DROP VIEW IF EXISTS run;\nDROP VIEW IF EXISTS ");
	run_table_put_name_of(a, "runs_", "", &sql);
	strbuf_puts(&sql, ";\n");
	if (!(rc = put_drop_derived(kb, old, &sql, e))) {
		strbuf_puts(&sql, "ALTER TABLE ");
		strbuf_put_sql_name(&sql, old);
		strbuf_puts(&sql, " RENAME TO ");
		run_table_put_name(a, &sql);
		strbuf_puts(&sql, ";\n");
		run_views_put_create(a, &sql);
		rc = kb_sql_exec(kb, &sql, e);
	}
	strbuf_release(&sql);
	return rc;
}

/* Of schema version 7: each table run_NAME becomes stored_NAME without its derived columns, and a
 * view run_NAME with them. The caller has a transaction open, and makes the common view anew.
 * Errors: those of an application whose definition is damaged. */
enum { MIGRATE_RUN_TABLES_VERSION = 7 };
static enum err_code migrate_run_tables(struct kb *kb, struct err *e)
{
	struct kb_names apps = {0};
	enum err_code rc = kb_list_applications(kb, &apps, e);

	for (size_t i = 0; !rc && i < apps.n; i++) {
		struct application *a = NULL;

		if (!(rc = kb_get_application(kb, apps.item[i].name, &a, NULL, e)))
			rc = split_run_table(kb, a, e);
		application_free(a);
	}
	kb_names_release(&apps);
	return rc;
}

/* Of version 8: each table stored_NAME gets its column row_hash. */
enum { MIGRATE_ROW_HASH_VERSION = 8 };
static enum err_code migrate_row_hash(struct kb *kb, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e, "SELECT run_table FROM application", "");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		strbuf_puts(&sql, "ALTER TABLE ");
		strbuf_put_sql_name(&sql, kb_sql_text(s, 0));
		strbuf_puts(&sql, " ADD COLUMN row_hash INTEGER;\n");
	}
	sqlite3_finalize(s);
	if (!rc)
		rc = kb_sql_exec(kb, &sql, e);
	strbuf_release(&sql);
	return rc;
}

/* ---- bringing a file up to date ---- */

static enum err_code apply(struct kb *kb, int64_t from, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (int i = 0; i < N_MIGRATIONS; i++) {
		if (migrations[i].version <= from)
			continue;
		strbuf_puts(&sql, migrations[i].sql);
		strbuf_printf(&sql, "PRAGMA user_version = %d;", migrations[i].version);
	}
	strbuf_printf(&sql, "PRAGMA application_id = %d;", (int)KB_APPLICATION_ID);
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "migrations");
	else if (sqlite3_exec(kb->db, strbuf_text(&sql), NULL, NULL, NULL) != SQLITE_OK)
		rc = kb_sql_fail(kb, "bring its schema up to date", e);
	strbuf_release(&sql);
	if (!rc && from < MIGRATE_RUN_TABLES_VERSION)
		rc = migrate_run_tables(kb, e);
	if (!rc && from < MIGRATE_ROW_HASH_VERSION)
		rc = migrate_row_hash(kb, e);
	return rc ? rc : run_views_make_common(kb, e);
}

enum err_code kb_migrate(struct kb *kb, enum kb_mode mode, struct err *e)
{
	struct file_header h = {0};
	bool pending = false;
	enum err_code rc;

	if ((rc = read_header_at_once(kb, &h, e)) || (rc = judge(kb, mode, &h, &pending, e)) ||
	    (!kb->inspected && (rc = schema_refuse_views(kb, pending, e))) || !pending)
		return rc;
	/* EXTRA: see choose_journal(), which comes later. */
	if ((rc = kb_sql_run(kb, e, "PRAGMA synchronous = EXTRA", "")) || (rc = kb_begin(kb, e)))
		return rc;
	/* Another process may have done it since: what counts is read inside the transaction. */
	rc = read_header(kb, &h, e);
	if (!rc)
		rc = judge(kb, mode, &h, &pending, e);
	if (!rc && pending)
		rc = apply(kb, h.version, e);
	return kb_own_end(kb, true, rc, e);
}
