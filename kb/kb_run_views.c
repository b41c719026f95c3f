#include "kb/kb_run_views.h"

#include <ctype.h>
#include <stdlib.h>

#include "kb/kb_run_table.h"

static const char for_people[] = "runs_";

/* Text of a definition inside an SQL comment: it must not end the line. */
static void put_one_line(const char *text, struct strbuf *sql)
{
	for (; *text; text++)
		strbuf_putc(sql, iscntrl((unsigned char)*text) ? ' ' : *text);
}

void run_views_put_comment(const struct column *c, struct strbuf *sql)
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
		sql->failed = true;
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

void run_views_put_drop(const struct application *a, struct strbuf *sql)
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

enum err_code run_views_make_common(struct kb *kb, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	size_t n = 0;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, "SELECT name, run_table FROM application ORDER BY name", "");

	strbuf_puts(&sql, "DROP VIEW IF EXISTS run;\nCREATE VIEW run AS\n");
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		if (n++ > 0)
			strbuf_puts(&sql, "UNION ALL\n");
		put_common_select(kb_sql_text(s, 0), kb_sql_text(s, 1), &sql);
	}
	sqlite3_finalize(s);
	if (n == 0) /* the same columns and no row */
		strbuf_puts(&sql,
			    "SELECT NULL AS run_id, NULL AS import_id, NULL AS application, "
			    "NULL AS machine, NULL AS source, NULL AS status,\n\tNULL AS wall_s, "
			    "NULL AS n_repeats, NULL AS repeat, NULL AS flag, NULL AS excluded\n"
			    "WHERE 0");
	if (!rc)
		rc = kb_sql_exec(kb, &sql, e);
	strbuf_release(&sql);
	return rc;
}
