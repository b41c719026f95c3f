#include "kb/kb_migrate_run_tables.h"

#include "kb/kb_run_table.h"

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

static enum err_code split(struct kb *kb, const struct application *a, struct err *e)
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

enum err_code migrate_run_tables(struct kb *kb, struct err *e)
{
	struct kb_names apps = {0};
	enum err_code rc = kb_list_applications(kb, &apps, e);

	for (size_t i = 0; !rc && i < apps.n; i++) {
		struct application *a = NULL;

		if (!(rc = kb_get_application(kb, apps.item[i].name, &a, NULL, e)))
			rc = split(kb, a, e);
		application_free(a);
	}
	kb_names_release(&apps);
	return rc;
}

enum err_code migrate_row_hash(struct kb *kb, struct err *e)
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
