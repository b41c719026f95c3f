#include "kb/kb_check_runs.h"

#include <stdlib.h>

#include "kb/kb_run_value.h"

enum { N_FIXED = 12 }; /* what prepare() puts ahead of the columns of the class */

/* Those of the table, not of the definition: it may have lost some, their values are still there.
 * Computed ones are not in table_info. */
static enum err_code put_columns(struct kb *kb, const char *table, struct strbuf *sql,
				 struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e,
		"SELECT name FROM pragma_table_info(?1) WHERE name NOT IN ('run_id', 'import_id', "
		"'machine_id', 'source', 'status', 'wall_s', 'n_repeats', 'repeat', 'line', "
		"'computed', 'flag', 'extra', 'content_hash', 'row_hash')",
		"t", table);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		strbuf_puts(sql, ", r.");
		strbuf_put_sql_name(sql, kb_sql_text(s, 0));
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code prepare(struct kb *kb, const char *table, sqlite3_stmt **out, struct err *e)
{
	struct strbuf sql = STRBUF_INIT;
	enum err_code rc;

	strbuf_puts(&sql, "SELECT r.run_id, r.content_hash, m.name, r.source, r.status, r.wall_s, "
			  "r.n_repeats, r.repeat, r.line, r.computed, r.extra, r.row_hash");
	rc = put_columns(kb, table, &sql, e);
	strbuf_puts(&sql, " FROM ");
	strbuf_put_sql_name(&sql, table);
	strbuf_puts(&sql, " AS r LEFT JOIN machine AS m USING (machine_id)");
	if (!rc)
		rc = sql.failed ? err_set(e, ERR_NOMEM, "check of the runs in %s", table)
				: kb_sql_prepare(kb, out, e, strbuf_text(&sql), "");
	strbuf_release(&sql);
	return rc;
}

static uint64_t hash_of_column(sqlite3_stmt *s, int i)
{
	struct run_value v = {.number = kb_sql_real(s, i)};

	if (sqlite3_column_type(s, i) == SQLITE_TEXT)
		v.text = kb_sql_text(s, i);
	return hash_field(hash_name(sqlite3_column_name(s, i)), &v);
}

/* As kb_run_writer_add() made it. */
static uint64_t hash_of_row(sqlite3_stmt *s)
{
	uint64_t h = hash_run(hash_name(kb_sql_text(s, 2)), kb_sql_text(s, 3), kb_sql_text(s, 4),
			      kb_sql_real(s, 5), sqlite3_column_double(s, 6),
			      sqlite3_column_double(s, 7));

	for (int i = N_FIXED; i < sqlite3_column_count(s); i++)
		h += hash_of_column(s, i);
	return h;
}

static uint64_t hash_of_rest(sqlite3_stmt *s, uint64_t content)
{
	return hash_row(content, sqlite3_column_int64(s, 8), kb_sql_text_or_null(s, 9),
			kb_sql_text_or_null(s, 10));
}

/* Runs that were found: the first ones by number, the others counted. */
struct found_runs {
	struct strbuf numbers;
	long long n;
};

enum { NAMED = 10 };

static void note(struct found_runs *f, long long run_id)
{
	if (f->n++ < NAMED)
		strbuf_printf(&f->numbers, "%s%lld", f->n > 1 ? ", " : "", run_id);
}

static void put_found(const struct found_runs *f, const char *application, const char *what,
		      struct strbuf *report)
{
	strbuf_printf(report, "run%s %s", f->n > 1 ? "s" : "", strbuf_text(&f->numbers));
	if (f->n > NAMED)
		strbuf_printf(report, " and %lld more", f->n - NAMED);
	strbuf_printf(report, " of %s %s %s\n", application, f->n > 1 ? "are" : "is", what);
	report->failed |= f->numbers.failed;
}

enum err_code check_run_contents(struct kb *kb, const char *application, const char *table,
				 struct strbuf *report, struct strbuf *notes, int *n_found,
				 struct err *e)
{
	struct found_runs other = {0};
	long long n_uncovered = 0;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = prepare(kb, table, &s, e);

	while (!rc && !(rc = kb_sql_step_lazy(kb, s, &row, e)) && row) {
		bool covered = sqlite3_column_type(s, 11) != SQLITE_NULL;
		uint64_t hash = hash_of_row(s);

		if (hash != (uint64_t)sqlite3_column_int64(s, 1) ||
		    (covered && hash_of_rest(s, hash) != (uint64_t)sqlite3_column_int64(s, 11)))
			note(&other, sqlite3_column_int64(s, 0));
		n_uncovered += !covered;
	}
	if (!rc && other.n > 0) {
		put_found(&other, application,
			  "not what was loaded: the hash of the content does not agree", report);
		++*n_found;
	}
	if (!rc && n_uncovered > 0 && notes)
		strbuf_printf(notes,
			      "note: %lld runs of %s were loaded before version 8 of the schema; a "
			      "change of their line, computed or extra is not noticed\n",
			      n_uncovered, application);
	sqlite3_finalize(s);
	strbuf_release(&other.numbers);
	return rc;
}
