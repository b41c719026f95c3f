#include "kb/kb_run_table.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kb/kb_run_keys.h"

static const char for_people[] = "runs_";

/* Text of a definition inside an SQL comment: it must not end the line. */
static void put_one_line(const char *text, struct strbuf *sql)
{
	for (; *text; text++)
		strbuf_putc(sql, iscntrl((unsigned char)*text) ? ' ' : *text);
}

/* " -- [unit] what the column means" and a line end. */
static void run_views_put_comment(const struct column *c, struct strbuf *sql)
{
	strbuf_puts(sql, " -- ");
	if (c->unit && *c->unit) {
		strbuf_putc(sql, '[');
		put_one_line(c->unit, sql);
		strbuf_puts(sql, "] ");
	}
	put_one_line(c->doc ? c->doc : "", sql);
	strbuf_putc(sql, '\n');
}

void run_views_put_name(const struct application *a, struct strbuf *sql)
{
	run_table_put_name_of(a, "run_", "", sql);
}

/* ---- run_NAME ---- */

/* How many derived columns are below each other at most: 0 of a stored one, 1 of one that uses
 * those only. A SELECT cannot use its own columns, so each level is one. */
static size_t set_levels(const struct application *a, size_t *level)
{
	size_t deepest = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		level[i] = 0;
		if (run_table_stores(a, i))
			continue;
		for (size_t k = 0; k < i; k++) { /* a derived column uses only those above it */
			if (level[k] > level[i] && expr_uses(a->column[i].derived, k))
				level[i] = level[k];
		}
		if (++level[i] > deepest)
			deepest = level[i];
	}
	return deepest;
}

static void put_derived(const struct application *a, const size_t *level, size_t at,
			struct strbuf *sql)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (level[i] != at)
			continue;
		strbuf_puts(sql, "\t, ");
		expr_put_sql(a->column[i].derived, sql);
		strbuf_puts(sql, " AS ");
		strbuf_put_sql_name(sql, a->column[i].name);
		run_views_put_comment(&a->column[i], sql);
	}
}

static void put_view_with_derived(const struct application *a, struct strbuf *sql)
{
	size_t *level = calloc(a->n_columns + 1, sizeof *level);
	size_t deepest;

	if (!level) {
		strbuf_fail(sql);
		return;
	}
	deepest = set_levels(a, level);
	strbuf_puts(sql, "CREATE VIEW ");
	run_views_put_name(a, sql);
	strbuf_puts(sql, " AS\n");
	for (size_t at = deepest; at > 0; at--) {
		strbuf_puts(sql, "SELECT *\n");
		put_derived(a, level, at, sql);
		strbuf_puts(sql, "FROM (");
	}
	strbuf_puts(sql, "SELECT * FROM ");
	run_table_put_name(a, sql);
	for (size_t at = deepest; at > 0; at--)
		strbuf_putc(sql, ')');
	strbuf_puts(sql, ";\n");
	free(level);
}

/* ---- runs_NAME ---- */

static const char excluded_sql[] = "r.run_id IN (SELECT run_id FROM exclusion) AS excluded";
static const char machine_sql[] =
	"(SELECT m.name FROM machine AS m WHERE m.machine_id = r.machine_id) AS machine";

/* Derived numbers are doubles; people see 4 processors, not 4.0. */
static void put_view_column(const struct column *c, struct strbuf *sql)
{
	bool cast = c->role == COL_DERIVED && c->type == COL_INT;

	strbuf_puts(sql, cast ? "CAST(r." : "r.");
	strbuf_put_sql_name(sql, c->name);
	if (cast) {
		strbuf_puts(sql, " AS INTEGER) AS ");
		strbuf_put_sql_name(sql, c->name);
	}
}

static void put_view_for_people(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "CREATE VIEW ");
	run_table_put_name_of(a, for_people, "", sql);
	strbuf_printf(sql, " AS\nSELECT r.run_id, r.import_id, %s,\n\tr.source, r.status,\n",
		      machine_sql);
	for (size_t i = 0; i < a->n_columns; i++) {
		strbuf_putc(sql, '\t');
		put_view_column(&a->column[i], sql);
		strbuf_putc(sql, ',');
		run_views_put_comment(&a->column[i], sql);
	}
	strbuf_printf(sql,
		      "\tr.wall_s, -- [s]\n"
		      "\tr.n_repeats, r.repeat, r.flag, %s, r.computed, r.line, r.extra\nFROM ",
		      excluded_sql);
	run_views_put_name(a, sql);
	strbuf_puts(sql, " AS r;\n");
}

void run_views_put_create(const struct application *a, struct strbuf *sql)
{
	put_view_with_derived(a, sql);
	put_view_for_people(a, sql);
}

static void run_views_put_drop(const struct application *a, struct strbuf *sql)
{
	strbuf_puts(sql, "DROP VIEW IF EXISTS run;\nDROP VIEW IF EXISTS ");
	run_table_put_name_of(a, for_people, "", sql);
	strbuf_puts(sql, ";\nDROP VIEW IF EXISTS ");
	run_views_put_name(a, sql);
	strbuf_puts(sql, ";\n");
}

/* ---- run ---- */

static void put_common_select(const char *name, const char *table, struct strbuf *sql)
{
	strbuf_puts(sql, "SELECT r.run_id, r.import_id, ");
	strbuf_put_sql(sql, name);
	strbuf_printf(
		sql,
		" AS application, %s, r.source, r.status,\n\tr.wall_s, r.n_repeats, r.repeat, "
		"r.flag, %s\nFROM ",
		machine_sql, excluded_sql);
	strbuf_put_sql_name(sql, table);
	strbuf_puts(sql, " AS r\n");
}

enum err_code run_views_put_common(struct kb *kb, struct strbuf *sql, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	size_t n = 0;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, "SELECT name, run_table FROM application ORDER BY name", "");

	strbuf_puts(sql, "CREATE VIEW run AS\n");
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		if (n++ > 0)
			strbuf_puts(sql, "UNION ALL\n");
		put_common_select(kb_sql_text(s, 0), kb_sql_text(s, 1), sql);
	}
	sqlite3_finalize(s);
	if (n == 0) /* the same columns and no row */
		strbuf_puts(sql,
			    "SELECT NULL AS run_id, NULL AS import_id, NULL AS application, "
			    "NULL AS machine, NULL AS source, NULL AS status,\n\tNULL AS wall_s, "
			    "NULL AS n_repeats, NULL AS repeat, NULL AS flag, NULL AS excluded\n"
			    "WHERE 0");
	strbuf_puts(sql, ";\n");
	return rc;
}

enum err_code run_views_make_common(struct kb *kb, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "DROP VIEW IF EXISTS run;\n");
	if (!(rc = run_views_put_common(kb, &sql, e)))
		rc = kb_sql_exec(kb, &sql, e);
	strbuf_release(&sql);
	return rc;
}

bool run_table_has_range(const struct application *a, size_t i)
{
	const struct column *c = &a->column[i];

	return run_table_stores(a, i) && c->type != COL_TEXT &&
	       (isfinite(c->min) || isfinite(c->max));
}

void run_table_put_outside(const struct column *c, struct strbuf *sql)
{
	strbuf_put_sql_name(sql, c->name);
	strbuf_puts(sql, " NOT BETWEEN ");
	strbuf_put_number(sql, fmax(c->min, -DBL_MAX));
	strbuf_puts(sql, " AND ");
	strbuf_put_number(sql, fmin(c->max, DBL_MAX));
}

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
