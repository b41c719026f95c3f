#include "kb/kb_imports.h"

#include <stdlib.h>
#include <string.h>

#include "kb/kb_run_keys.h"
#include "kb/kb_run_table.h"
#include "kb/kb_run_value.h"

/* ---- the record ---- */

enum err_code kb_find_import(struct kb *kb, const struct kb_import *like, int64_t *id,
			     struct err *e)
{
	return kb_sql_get_int64(
		kb, id, e,
		"SELECT import_id FROM import WHERE undone_at IS NULL "
		"AND sha256 = ?1 AND mapping = ?2 "
		"AND application IS ?3 COLLATE NOCASE AND machine IS ?4 COLLATE NOCASE",
		"tttt", like->sha256, like->mapping ? like->mapping : "", like->application,
		like->machine);
}

enum err_code kb_find_same_file(struct kb *kb, const struct kb_import *imp, int64_t *id,
				struct err *e)
{
	return kb_sql_get_int64(kb, id, e,
				"SELECT max(import_id) FROM import WHERE undone_at IS NULL "
				"AND sha256 = ?1 AND application IS ?2 COLLATE NOCASE "
				"AND import_id <> ?3 AND n_taken > 0",
				"tti", imp->sha256, imp->application, imp->id);
}

enum err_code import_open(struct kb *kb, struct kb_import *imp, struct err *e)
{
	int64_t there = 0;
	enum err_code rc = kb_find_import(kb, imp, &there, e);

	if (!rc && there)
		rc = err_set(e, ERR_ARG, "%s was imported already, as number %lld", imp->file_name,
			     (long long)there);
	if (!rc)
		rc = kb_sql_run(
			kb, e,
			"INSERT INTO import (file_name, sha256, mapping, application, machine, "
			"imported_at) VALUES (?1, ?2, ?3, ?4, ?5, "
			"ifnull(?6, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))",
			"tttttt", imp->file_name ? imp->file_name : "", imp->sha256,
			imp->mapping ? imp->mapping : "", imp->application, imp->machine,
			imp->imported_at);
	if (!rc)
		imp->id = sqlite3_last_insert_rowid(kb->db);
	return rc;
}

enum err_code import_store_counts(struct kb *kb, const struct kb_import *imp, struct err *e)
{
	return kb_sql_run(kb, e,
			  "UPDATE import SET n_taken = ?2, n_refused = ?3, n_known = ?4, "
			  "n_flagged = ?5 WHERE import_id = ?1",
			  "iiiii", imp->id, imp->n_taken, imp->n_refused, imp->n_known,
			  imp->n_flagged);
}

static enum err_code load_import(sqlite3_stmt *s, struct kb_import *imp, struct err *e)
{
	enum err_code rc;

	imp->id = sqlite3_column_int64(s, 0);
	strncpy(imp->sha256, kb_sql_text(s, 2), sizeof imp->sha256 - 1);
	imp->n_taken = sqlite3_column_int64(s, 7);
	imp->n_refused = sqlite3_column_int64(s, 8);
	imp->n_known = sqlite3_column_int64(s, 9);
	imp->n_flagged = sqlite3_column_int64(s, 10);
	imp->undone = sqlite3_column_int(s, 11);
	if ((rc = kb_sql_dup(s, 1, &imp->file_name, e)) ||
	    (rc = kb_sql_dup(s, 3, &imp->mapping, e)) ||
	    (rc = kb_sql_dup_or_null(s, 4, &imp->application, e)) ||
	    (rc = kb_sql_dup_or_null(s, 5, &imp->machine, e)))
		return rc;
	return kb_sql_dup(s, 6, &imp->imported_at, e);
}

enum err_code kb_list_imports(struct kb *kb, struct kb_imports *out, struct err *e)
{
	struct kb_imports imports = {0};
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT import_id, file_name, sha256, mapping, application, machine, imported_at, "
		"n_taken, n_refused, n_known, n_flagged, undone_at IS NOT NULL "
		"FROM import ORDER BY import_id",
		"");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		struct kb_import *grown =
			realloc(imports.item, (imports.n + 1) * sizeof *imports.item);

		if (!grown) {
			rc = err_set(e, ERR_NOMEM, "list of %zu imports", imports.n + 1);
			break;
		}
		imports.item = grown;
		grown[imports.n] = (struct kb_import){0};
		rc = load_import(s, &grown[imports.n++], e);
	}
	sqlite3_finalize(s);
	if (rc)
		kb_imports_release(&imports);
	else
		*out = imports;
	return rc;
}

void kb_imports_release(struct kb_imports *imports)
{
	for (size_t i = 0; i < imports->n; i++) {
		struct kb_import *imp = &imports->item[i];

		free(imp->file_name);
		free(imp->mapping);
		free(imp->application);
		free(imp->machine);
		free(imp->imported_at);
	}
	free(imports->item);
	*imports = (struct kb_imports){0};
}

/* ---- its runs ---- */

/* Run one statement over a run table, whose name takes the place of each %s; its parameters, where
 * it has any, are ?1 = id and ?2 = text. */
static enum err_code run_over(struct kb *kb, const char *sql, const char *table, int64_t id,
			      const char *text, struct err *e)
{
	const char *types = strstr(sql, "?2") ? "it" : strstr(sql, "?1") ? "i" : "";
	struct strbuf full = STRBUF_INIT;
	enum err_code rc;

	for (const char *p = sql; *p; p++) {
		if (p[0] == '%' && p[1] == 's') {
			strbuf_put_sql_name(&full, table);
			p++;
		} else {
			strbuf_putc(&full, *p);
		}
	}
	if (full.failed)
		rc = err_set(e, ERR_NOMEM, "statement over %s", table);
	else
		rc = kb_sql_run(kb, e, strbuf_text(&full), types, id, text);
	strbuf_release(&full);
	return rc;
}

enum err_code import_count_machines(struct kb *kb, int64_t id, const char *table, struct err *e)
{
	enum err_code rc = run_over(kb, "UPDATE import_machine SET n_runs = 0 WHERE import_id = ?1",
				    table, id, NULL, e);

	return rc ? rc
		  : run_over(kb,
			     "INSERT INTO import_machine SELECT import_id, machine_id, count(*) "
			     "FROM %s "
			     "WHERE import_id = ?1 GROUP BY machine_id "
			     "ON CONFLICT (import_id, machine_id) DO UPDATE SET n_runs = "
			     "excluded.n_runs",
			     table, id, NULL, e);
}

/* The j-th exclusion that waits for a content takes the j-th run of it. */
static const char *const wake[] = {
	"CREATE TEMP TABLE woken AS SELECT r.run_id, w.waiting_id FROM "
	"(SELECT rowid AS waiting_id, content_hash, row_number() OVER (PARTITION BY content_hash "
	"ORDER BY rowid) AS j FROM exclusion_waiting WHERE application = ?2 COLLATE NOCASE) AS w "
	"JOIN "
	"(SELECT run_id, content_hash, row_number() OVER (PARTITION BY content_hash ORDER BY "
	"run_id) "
	"AS j FROM %s WHERE run_id >= ?1 AND content_hash IN (SELECT content_hash FROM "
	"exclusion_waiting) AND run_id NOT IN (SELECT run_id FROM exclusion)) AS r "
	"ON r.content_hash = w.content_hash AND r.j = w.j",
	"INSERT INTO exclusion SELECT k.run_id, x.application, x.content_hash, x.excluded_by, "
	"x.excluded_at, x.why FROM temp.woken AS k JOIN exclusion_waiting AS x ON x.rowid = "
	"k.waiting_id",
	"DELETE FROM exclusion_waiting WHERE rowid IN (SELECT waiting_id FROM temp.woken)",
	"DROP TABLE temp.woken",
};

enum err_code import_wake_exclusions(struct kb *kb, const char *application, const char *table,
				     int64_t first_run_id, struct err *e)
{
	int64_t n_waiting = 0;
	enum err_code rc = kb_sql_get_int64(
		kb, &n_waiting, e,
		"SELECT count(*) FROM exclusion_waiting WHERE application = ?1 COLLATE NOCASE", "t",
		application);

	if (rc || n_waiting == 0)
		return rc;
	for (size_t i = 0; !rc && i < sizeof wake / sizeof wake[0]; i++)
		rc = run_over(kb, wake[i], table, first_run_id, application, e);
	return rc;
}

/* ---- undo ---- */

/* Rows of import id that a later import brought too become that import's own: the first one's. */
static const char *const hand_over[] = {
	"CREATE TEMP TABLE heir AS SELECT run_id, min(import_id) AS import_id, line "
	"FROM known_run WHERE run_id IN (SELECT run_id FROM %s WHERE import_id = ?1) "
	"GROUP BY run_id",
	"UPDATE %s AS r SET import_id = h.import_id, line = h.line, row_hash = "
	"lemnos_row_hash(row_hash, r.line, h.line) FROM temp.heir AS h "
	"WHERE r.run_id = h.run_id AND r.import_id = ?1",
	"DELETE FROM known_run WHERE (import_id, run_id) IN (SELECT import_id, run_id FROM "
	"temp.heir)",
	"UPDATE import AS i SET n_taken = n_taken + n, n_known = n_known - n, n_flagged = "
	"n_flagged + f "
	"FROM (SELECT h.import_id, count(*) AS n, count(r.flag) AS f FROM temp.heir AS h "
	"JOIN %s AS r USING (run_id) GROUP BY h.import_id) AS h WHERE i.import_id = h.import_id",
};

/* In SQL a sum that leaves 64 bits becomes a real number. */
static void move_row_hash(sqlite3_context *x, int n, sqlite3_value **arg)
{
	(void)n;
	if (sqlite3_value_type(arg[0]) != SQLITE_NULL)
		sqlite3_result_int64(
			x, (sqlite3_int64)hash_row_move((uint64_t)sqlite3_value_int64(arg[0]),
							sqlite3_value_int64(arg[1]),
							sqlite3_value_int64(arg[2])));
}

static enum err_code make_functions(struct kb *kb, struct err *e)
{
	return sqlite3_create_function_v2(kb->db, "lemnos_row_hash", 3,
					  SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, move_row_hash,
					  NULL, NULL, NULL) == SQLITE_OK
		       ? ERR_OK
		       : kb_sql_fail(kb, "undo an import", e);
}

/* What is left of it goes. */
static const char *const take_away[] = {
	"INSERT INTO exclusion_waiting SELECT application, content_hash, excluded_by, excluded_at, "
	"why "
	"FROM exclusion WHERE run_id IN (SELECT run_id FROM %s WHERE import_id = ?1)",
	"DELETE FROM exclusion WHERE run_id IN (SELECT run_id FROM %s WHERE import_id = ?1)",
	"DELETE FROM known_run WHERE import_id = ?1",
	"DELETE FROM import_machine WHERE import_id = ?1",
	"DELETE FROM %s WHERE import_id = ?1",
};

/* The levels that only these runs had. */
static enum err_code forget_levels(struct kb *kb, const char *application, const char *table,
				   struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT c.name, application_id FROM application_column AS c JOIN application AS a "
		"USING "
		"(application_id) WHERE a.name = ?1 COLLATE NOCASE AND type = 'TEXT' "
		"AND role <> 'derived'",
		"t", application);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		struct strbuf sql = STRBUF_INIT;
		const char *column = kb_sql_text(s, 0);

		strbuf_puts(&sql, "DELETE FROM application_level WHERE application_id = ?1 AND "
				  "column_name = ?2 COLLATE NOCASE AND level NOT IN (SELECT ");
		strbuf_put_sql_name(&sql, column);
		strbuf_puts(&sql, " FROM ");
		strbuf_put_sql_name(&sql, table);
		strbuf_puts(&sql, " WHERE ");
		strbuf_put_sql_name(&sql, column);
		strbuf_puts(&sql, " IS NOT NULL)");
		rc = sql.failed ? err_set(e, ERR_NOMEM, "levels of %s", column)
				: kb_sql_run(kb, e, strbuf_text(&sql), "it",
					     sqlite3_column_int64(s, 1), column);
		strbuf_release(&sql);
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code count_heirs(struct kb *kb, const char *table, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc =
		kb_sql_prepare(kb, &s, e, "SELECT DISTINCT import_id FROM temp.heir", "");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = import_count_machines(kb, sqlite3_column_int64(s, 0), table, e);
	sqlite3_finalize(s);
	return rc;
}

static enum err_code undo_runs(struct kb *kb, int64_t id, const char *application,
			       const char *table, int64_t *n_removed, struct err *e)
{
	enum err_code rc = make_functions(kb, e);

	for (size_t i = 0; !rc && i < sizeof hand_over / sizeof hand_over[0]; i++)
		rc = run_over(kb, hand_over[i], table, id, NULL, e);
	if (!rc)
		rc = count_heirs(kb, table, e);
	if (!rc)
		rc = run_keys_remove(kb, table, id, e);
	for (size_t i = 0; !rc && i < sizeof take_away / sizeof take_away[0]; i++)
		rc = run_over(kb, take_away[i], table, id, NULL, e);
	if (rc)
		return rc;
	*n_removed = sqlite3_changes64(kb->db);
	if ((rc = kb_sql_run(kb, e, "DROP TABLE temp.heir", "")))
		return rc;
	return forget_levels(kb, application, table, e);
}

static enum err_code undo_pingpong(struct kb *kb, int64_t id, int64_t *n_removed, struct err *e)
{
	enum err_code rc =
		kb_sql_run(kb, e, "DELETE FROM import_machine WHERE import_id = ?1", "i", id);

	if (!rc)
		rc = kb_sql_run(kb, e, "DELETE FROM pingpong WHERE import_id = ?1", "i", id);
	if (!rc)
		*n_removed = sqlite3_changes64(kb->db);
	return rc;
}

static enum err_code undo(struct kb *kb, int64_t id, int64_t *n_removed, struct err *e)
{
	char *application = NULL;
	char *table = NULL;
	sqlite3_stmt *s = NULL;
	bool row = false;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT i.application, a.run_table, i.undone_at FROM import AS i LEFT JOIN "
		"application AS a ON a.name = i.application COLLATE NOCASE WHERE i.import_id = ?1",
		"i", id);

	if (rc || (rc = kb_sql_step(kb, s, &row, e)))
		goto done;
	if (!row)
		rc = err_set(e, ERR_NOTFOUND, "there is no import number %lld in %s", (long long)id,
			     kb_path(kb));
	else if (kb_sql_text_or_null(s, 2))
		rc = err_set(e, ERR_NOTFOUND, "import %lld was undone already (%s)", (long long)id,
			     kb_sql_text(s, 2));
	if (rc || (rc = kb_sql_dup_or_null(s, 0, &application, e)) ||
	    (rc = kb_sql_dup_or_null(s, 1, &table, e)))
		goto done;
	/* Tables are changed below: no statement may be reading. */
	sqlite3_reset(s);
	rc = table ? undo_runs(kb, id, application, table, n_removed, e)
		   : undo_pingpong(kb, id, n_removed, e);
	if (!rc)
		rc = kb_sql_run(
			kb, e,
			"UPDATE import SET undone_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') "
			"WHERE import_id = ?1",
			"i", id);
done:
	sqlite3_finalize(s);
	free(application);
	free(table);
	return rc;
}

enum err_code kb_undo_import(struct kb *kb, int64_t id, int64_t *n_removed, struct err *e)
{
	int64_t n = 0;
	bool own;
	enum err_code rc;

	if ((rc = kb_own_begin(kb, &own, e)))
		return rc;
	rc = kb_own_end(kb, own, undo(kb, id, &n, e), e);
	if (!rc && n_removed)
		*n_removed = n;
	return rc;
}

/* ---- what imports kept beside their runs ---- */

enum err_code kb_imports_beside(struct kb *kb, const struct application *a, size_t column,
				struct strbuf *out, struct err *e)
{
	const char *name = a->column[column].name;
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = ERR_OK;

	strbuf_puts(&sql, "SELECT DISTINCT import_id FROM ");
	run_table_put_name(a, &sql);
	strbuf_puts(&sql, " WHERE ");
	strbuf_put_sql_name(&sql, name);
	strbuf_puts(&sql,
		    " IS NULL AND json_valid(extra) AND EXISTS (SELECT 1 FROM json_each(extra) "
		    "WHERE key = ?1 COLLATE NOCASE) ORDER BY import_id");
	if (sql.failed)
		rc = err_set(e, ERR_NOMEM, "imports with a column %s", name);
	else
		rc = kb_sql_prepare(kb, &s, e, strbuf_text(&sql), "t", name);
	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		strbuf_printf(out, "%s%lld", strbuf_text(out)[0] ? ", " : "",
			      (long long)sqlite3_column_int64(s, 0));
	sqlite3_finalize(s);
	strbuf_release(&sql);
	return rc;
}
