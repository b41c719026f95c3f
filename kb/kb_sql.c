#include "kb/kb_sql.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The beginning of a statement is what tells it from others. */
static enum err_code statement_fail(struct kb *kb, const char *sql, struct err *e)
{
	char doing[100];
	size_t n = strcspn(sql, "(\n");

	if (n >= sizeof doing)
		n = sizeof doing - 1;
	memcpy(doing, sql, n);
	doing[n] = '\0';
	return kb_sql_fail(kb, doing, e);
}

static int bind_one(sqlite3_stmt *s, int i, char type, va_list *args)
{
	double value;

	switch (type) {
	case 't':
		return sqlite3_bind_text(s, i, va_arg(*args, const char *), -1, SQLITE_STATIC);
	case 'i':
		return sqlite3_bind_int64(s, i, va_arg(*args, int64_t));
	case 'b':
		return sqlite3_bind_int(s, i, va_arg(*args, int));
	default:
		value = va_arg(*args, double);
		return isnan(value) ? sqlite3_bind_null(s, i) : sqlite3_bind_double(s, i, value);
	}
}

static enum err_code prepare(struct kb *kb, sqlite3_stmt **out, struct err *e, const char *sql,
			     const char *types, va_list *args)
{
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(kb->db, sql, -1, &s, NULL) != SQLITE_OK)
		return statement_fail(kb, sql, e);
	for (int i = 0; types[i]; i++) {
		if (bind_one(s, i + 1, types[i], args) != SQLITE_OK) {
			enum err_code rc = statement_fail(kb, sql, e);

			sqlite3_finalize(s);
			return rc;
		}
	}
	*out = s;
	return ERR_OK;
}

enum err_code kb_sql_prepare(struct kb *kb, sqlite3_stmt **out, struct err *e, const char *sql,
			     const char *types, ...)
{
	va_list args;
	enum err_code rc;

	va_start(args, types);
	rc = prepare(kb, out, e, sql, types, &args);
	va_end(args);
	return rc;
}

enum err_code kb_sql_step_lazy(struct kb *kb, sqlite3_stmt *s, bool *row, struct err *e)
{
	int code = sqlite3_step(s);

	*row = code == SQLITE_ROW;
	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return ERR_OK;
	return statement_fail(kb, sqlite3_sql(s), e);
}

/* To hand out a text may take memory, the first time that it is asked for. */
static bool fetch_texts(sqlite3_stmt *s)
{
	for (int i = 0, n = sqlite3_data_count(s); i < n; i++) {
		if (sqlite3_column_type(s, i) == SQLITE_TEXT && !sqlite3_column_text(s, i))
			return false;
	}
	return true;
}

enum err_code kb_sql_step(struct kb *kb, sqlite3_stmt *s, bool *row, struct err *e)
{
	enum err_code rc = kb_sql_step_lazy(kb, s, row, e);

	if (!rc && *row && !fetch_texts(s))
		return statement_fail(kb, sqlite3_sql(s), e);
	return rc;
}

enum err_code kb_sql_run(struct kb *kb, struct err *e, const char *sql, const char *types, ...)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	va_list args;
	enum err_code rc;

	va_start(args, types);
	rc = prepare(kb, &s, e, sql, types, &args);
	va_end(args);
	while (!rc && row)
		rc = kb_sql_step(kb, s, &row, e);
	sqlite3_finalize(s);
	return rc;
}

enum err_code kb_sql_get_int64(struct kb *kb, int64_t *out, struct err *e, const char *sql,
			       const char *types, ...)
{
	sqlite3_stmt *s = NULL;
	bool row = false;
	va_list args;
	enum err_code rc;

	va_start(args, types);
	rc = prepare(kb, &s, e, sql, types, &args);
	va_end(args);
	if (!rc)
		rc = kb_sql_step(kb, s, &row, e);
	if (!rc)
		*out = row ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_finalize(s);
	return rc;
}

enum err_code kb_sql_exec(struct kb *kb, const struct strbuf *sql, struct err *e)
{
	if (sql->failed)
		return err_set(e, ERR_NOMEM, "%s: out of memory", kb->path);
	if (sqlite3_exec(kb->db, strbuf_text(sql), NULL, NULL, NULL) != SQLITE_OK)
		return statement_fail(kb, strbuf_text(sql), e);
	return ERR_OK;
}

bool kb_sql_lost_text(sqlite3_stmt *s)
{
	return sqlite3_errcode(sqlite3_db_handle(s)) == SQLITE_NOMEM;
}

const char *kb_sql_text(sqlite3_stmt *s, int column)
{
	const char *text = kb_sql_text_or_null(s, column);

	return text ? text : "";
}

const char *kb_sql_text_or_null(sqlite3_stmt *s, int column)
{
	return (const char *)sqlite3_column_text(s, column);
}

double kb_sql_real(sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL ? (double)NAN
							     : sqlite3_column_double(s, column);
}

enum err_code kb_dup(const char *text, char **out, struct err *e)
{
	char *copy = NULL;

	if (text && !(copy = strdup(text)))
		return err_set(e, ERR_NOMEM, "copy of a text of %zu bytes", strlen(text));
	*out = copy;
	return ERR_OK;
}

enum err_code kb_sql_dup_or_null(sqlite3_stmt *s, int column, char **out, struct err *e)
{
	const char *text = kb_sql_text_or_null(s, column);

	if (!text && sqlite3_column_type(s, column) != SQLITE_NULL)
		return err_set(e, ERR_NOMEM, "text of a column");
	return kb_dup(text, out, e);
}

enum err_code kb_sql_dup(sqlite3_stmt *s, int column, char **out, struct err *e)
{
	if (sqlite3_column_type(s, column) == SQLITE_NULL)
		return kb_dup("", out, e);
	return kb_sql_dup_or_null(s, column, out, e);
}

enum err_code kb_own_begin(struct kb *kb, bool *own, struct err *e)
{
	*own = !kb->in_write;
	return *own ? kb_begin(kb, e) : ERR_OK;
}

enum err_code kb_own_end(struct kb *kb, bool own, enum err_code rc, struct err *e)
{
	if (!own)
		return rc;
	if (!rc)
		return kb_commit(kb, e);
	kb_rollback(kb);
	return rc;
}

enum err_code kb_own_begin_read(struct kb *kb, bool *own, struct err *e)
{
	*own = !kb->in_read && !kb->in_write;
	return *own ? kb_begin_read(kb, e) : ERR_OK;
}

void kb_own_end_read(struct kb *kb, bool own)
{
	if (own)
		kb_end_read(kb);
}

/* Instructions of SQLite's machine between two calls: about a hundred calls a second. */
enum { INSTRUCTIONS = 1000000 };

static int on_progress(void *arg)
{
	const struct kb_watch *w = arg;

	return !progress_step(w->progress, w->what, 0, 0);
}

static int on_connection(void *arg)
{
	const struct kb *kb = arg;

	return !progress_step(kb->options.progress, NULL, 0, 0);
}

void kb_watch_connection(struct kb *kb)
{
	if (kb->options.progress)
		sqlite3_progress_handler(kb->db, INSTRUCTIONS, on_connection, kb);
	else
		sqlite3_progress_handler(kb->db, 0, NULL, NULL);
}

void kb_watch_start(struct kb *kb, struct kb_watch *w)
{
	if (w->progress)
		sqlite3_progress_handler(kb->db, INSTRUCTIONS, on_progress, w);
}

void kb_watch_stop(struct kb *kb)
{
	kb_watch_connection(kb);
}
