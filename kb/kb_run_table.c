#include "kb/kb_run_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kb/kb_run_keys.h"
#include "kb/kb_run_views.h"

const char *run_table_type(const struct column *c)
{
	static const char *const type[] = {
		[COL_INT] = "INTEGER", [COL_REAL] = "REAL", [COL_TEXT] = "TEXT"};

	return type[c->type];
}

enum err_code run_table_check(const struct application *a, struct err *e)
{
	if (strlen(a->name) > RUN_TABLE_NAME_SIZE - 20)
		return err_set(e, ERR_ARG,
			       "the application name '%.40s...' is longer than %d bytes", a->name,
			       RUN_TABLE_NAME_SIZE - 20);
	return ERR_OK;
}

void run_table_put_name_of(const struct application *a, const char *prefix, const char *suffix,
			   struct strbuf *sql)
{
	char table[RUN_TABLE_NAME_SIZE];
	struct strbuf name = STRBUF_INIT;

	application_table(a, table, sizeof table);
	strbuf_printf(&name, "%s%s%s", prefix, table + strlen("run_"), suffix);
	strbuf_put_sql_name(sql, strbuf_text(&name));
	sql->failed |= name.failed;
	strbuf_release(&name);
}

static const char stored_prefix[] = "stored_";

void run_table_put_name(const struct application *a, struct strbuf *sql)
{
	run_table_put_name_of(a, stored_prefix, "", sql);
}

void run_table_name(const struct application *a, char name[RUN_TABLE_NAME_SIZE])
{
	char view[RUN_TABLE_NAME_SIZE - sizeof stored_prefix];

	application_table(a, view, sizeof view); /* run_table_check() says that it fits */
	snprintf(name, RUN_TABLE_NAME_SIZE, "%s%s", stored_prefix, view + strlen("run_"));
}

/* Name, type and constraint of one column, as CREATE TABLE and ALTER TABLE take them. */
static void put_column(const struct column *c, struct strbuf *sql)
{
	strbuf_put_sql_name(sql, c->name);
	strbuf_printf(sql, " %s", run_table_type(c));
	if (c->type == COL_REAL) { /* STRICT lets infinity pass */
		strbuf_puts(sql, " CHECK (abs(");
		strbuf_put_sql_name(sql, c->name);
		strbuf_puts(sql, ") <= 1.7976931348623157e308)");
	}
}

/* OR, not IN: for an IN of three values SQLite builds a table for each row inserted, which makes
 * loading three times as slow. */
static void put_create_table(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "CREATE TABLE ");
	run_table_put_name(a, sql);
	strbuf_puts(sql, " (\n"
			 "\trun_id INTEGER PRIMARY KEY, -- unique over all run tables\n"
			 "\timport_id INTEGER NOT NULL REFERENCES import,\n"
			 "\tmachine_id INTEGER NOT NULL REFERENCES machine,\n"
			 "\tsource TEXT NOT NULL CHECK "
			 "(source = 'measured' OR source = 'simulated' OR source = 'modelled'),\n"
			 "\tstatus TEXT NOT NULL CHECK "
			 "(status = 'ok' OR status = 'failed' OR status = 'timeout'),\n");
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!run_table_stores(a, i))
			continue;
		strbuf_putc(sql, '\t');
		put_column(&a->column[i], sql);
		strbuf_putc(sql, ',');
		run_views_put_comment(&a->column[i], sql);
	}
	strbuf_puts(
		sql,
		"\twall_s REAL CHECK (wall_s > 0 AND wall_s < 9e99), -- [s] run time; of a timeout "
		"a lower bound; NULL: failed without one\n"
		"\tn_repeats INTEGER NOT NULL CHECK (n_repeats >= 1), -- runs this row stands for\n"
		"\trepeat INTEGER, -- the file's number of the repeat\n"
		"\tline INTEGER NOT NULL, -- line of the file\n"
		"\tcomputed TEXT, -- columns that were computed from others, not read\n"
		"\tflag TEXT, -- why it is suspicious\n"
		"\textra TEXT, -- columns of the file that are not of the class, as JSON\n"
		"\tcontent_hash INTEGER NOT NULL, -- finds rows that came before\n"
		"\trow_hash INTEGER, -- of content_hash, line, computed, extra; NULL: from before "
		"version 8 of the schema\n"
		"\tCHECK (wall_s IS NOT NULL OR status = 'failed')\n"
		") STRICT;\n");
	run_keys_put_create(a, sql);
}

static enum err_code exec_and_release(struct kb *kb, struct strbuf *sql, struct err *e)
{
	enum err_code rc = kb_sql_exec(kb, sql, e);

	strbuf_release(sql);
	return rc;
}

enum err_code run_table_create(struct kb *kb, const struct application *a, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;

	put_create_table(a, &sql);
	run_views_put_create(a, &sql);
	return exec_and_release(kb, &sql, e);
}

enum err_code run_table_drop(struct kb *kb, const struct application *a, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;

	run_views_put_drop(a, &sql);
	run_keys_put_drop(a, &sql);
	strbuf_puts(&sql, "DROP TABLE IF EXISTS ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, ";\n");
	return exec_and_release(kb, &sql, e);
}

/* Column i of a is stored in the table already: does it still mean the same? */
static enum err_code check_same_meaning(const struct application *a, size_t i, const char *role,
					const char *type, struct err *e)
{
	const struct column *c = &a->column[i];

	if (strcmp(role, column_role_name(c->role)) != 0)
		return err_set(
			e, ERR_ARG,
			"%s: column %s was of role %s and its runs were read as such; it cannot "
			"become %s (give it another name)",
			a->name, c->name, role, column_role_name(c->role));
	if (strcmp(type, run_table_type(c)) != 0)
		return err_set(
			e, ERR_ARG,
			"%s: column %s holds values of type %s; it cannot become %s (give it "
			"another name)",
			a->name, c->name, type, run_table_type(c));
	return ERR_OK;
}

/* Mark in has[] which stored columns of a the table has, and compare them. */
static enum err_code take_stock(struct kb *kb, const struct application *a, int64_t app_id,
				bool *has, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e,
					  "SELECT name, role, type FROM application_column "
					  "WHERE application_id = ?1 AND role <> ?2",
					  "it", app_id, column_role_name(COL_DERIVED));

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		const char *name = kb_sql_text(s, 0);

		for (size_t i = 0; !rc && i < a->n_columns; i++) {
			if (strcasecmp(a->column[i].name, name) == 0) {
				has[i] = true;
				rc = check_same_meaning(a, i, kb_sql_text(s, 1), kb_sql_text(s, 2),
							e);
			}
		}
	}
	sqlite3_finalize(s);
	return rc;
}

enum err_code run_table_extend(struct kb *kb, const struct application *a, int64_t app_id,
			       struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	bool *has = calloc(a->n_columns + 1, sizeof *has);
	enum err_code rc;

	if (!has)
		return err_set(e, ERR_NOMEM, "columns of %s", a->name);
	run_views_put_drop(a, &sql);
	rc = take_stock(kb, a, app_id, has, e);
	for (size_t i = 0; i < a->n_columns; i++) {
		if (has[i] || !run_table_stores(a, i))
			continue;
		strbuf_puts(&sql, "ALTER TABLE ");
		run_table_put_name(a, &sql);
		strbuf_puts(&sql, " ADD COLUMN ");
		put_column(&a->column[i], &sql);
		strbuf_puts(&sql, ";\n");
	}
	run_views_put_create(a, &sql);
	if (!rc)
		rc = kb_sql_exec(kb, &sql, e);
	strbuf_release(&sql);
	free(has);
	return rc;
}
