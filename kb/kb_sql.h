#ifndef KB_KB_SQL_H
#define KB_KB_SQL_H
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include "kb/kb.h"

/* The room's own view of an open base, and short forms of what SQLite takes many lines for. Not
 * for other rooms. */

struct kb {
	sqlite3 *db;
	char *path;
	bool read_only;
	bool inspected; /* opened by KB_INSPECT */
	bool in_write;	/* between kb_begin() and kb_commit() */
	bool in_read;	/* between kb_begin_read() and kb_end_read() */
	char journal[16];
	struct kb_options options;
	bool told_to_wait; /* on_wait() was called in this transaction */
	int64_t wait_start_ms;
};

/* Turn SQLite's last error on kb into ours; doing: "load runs", completes "cannot ...". */
enum err_code kb_sql_fail(struct kb *kb, const char *doing, struct err *e);

/* KB: the file was deleted, renamed or replaced since it was opened. */
enum err_code kb_sql_still_there(struct kb *kb, struct err *e);

/* Statements with their parameters ?1, ?2, ... in one call. types has one letter per parameter:
 *   t  const char *, NULL allowed; must live until the statement is finalized
 *   i  int64_t
 *   b  int, bool, enum
 *   r  double; NaN becomes NULL */
enum err_code kb_sql_prepare(struct kb *kb, sqlite3_stmt **out, struct err *e, const char *sql,
			     const char *types, ...);
/* Prepare, run to the end, finalize. */
enum err_code kb_sql_run(struct kb *kb, struct err *e, const char *sql, const char *types, ...);
/* The first column of the first row; 0 when there is no row or it is NULL. */
enum err_code kb_sql_get_int64(struct kb *kb, int64_t *out, struct err *e, const char *sql,
			       const char *types, ...);
/* Step: *row says whether there is one. Its texts are there: to ask for one cannot fail. */
enum err_code kb_sql_step(struct kb *kb, sqlite3_stmt *s, bool *row, struct err *e);
/* Step of loops over millions of rows: a text that there was no memory for reads as "", until
 * the next step fails because of it. So these loops end only with *row = false or an error. */
enum err_code kb_sql_step_lazy(struct kb *kb, sqlite3_stmt *s, bool *row, struct err *e);
/* Was there no memory for the text that was asked for last? */
bool kb_sql_lost_text(sqlite3_stmt *s);
/* Several statements without parameters, built in text (checked for failed allocation). */
enum err_code kb_sql_exec(struct kb *kb, const struct strbuf *sql, struct err *e);

/* A copy of a text column. */
enum err_code kb_sql_dup_or_null(sqlite3_stmt *s, int column, char **out, struct err *e);
/* A copy of a column that is never NULL: "" if it is, as in a damaged file any column may be. */
enum err_code kb_sql_dup(sqlite3_stmt *s, int column, char **out, struct err *e);
/* strdup() with our error. text NULL: *out is NULL. */
enum err_code kb_dup(const char *text, char **out, struct err *e);
/* The texts themselves, good until the next step. */
const char *kb_sql_text_or_null(sqlite3_stmt *s, int column);
const char *kb_sql_text(sqlite3_stmt *s, int column); /* NULL: "" */
double kb_sql_real(sqlite3_stmt *s, int column);      /* NaN: NULL */

/* A write transaction around a single function, unless the caller has one open:
 *   if ((rc = kb_own_begin(kb, &own, e))) return rc;
 *   rc = ...;
 *   return kb_own_end(kb, own, rc, e);   commits when rc is ERR_OK, else rolls back */
enum err_code kb_own_begin(struct kb *kb, bool *own, struct err *e);
enum err_code kb_own_end(struct kb *kb, bool own, enum err_code rc, struct err *e);
/* A transaction that reads several statements from one state. */
enum err_code kb_own_begin_read(struct kb *kb, bool *own, struct err *e);
void kb_own_end_read(struct kb *kb, bool own);

/* Long statements report and can be stopped: between _start and _stop SQLite calls p's step with
 * `what` now and then; when it says stop, the statement fails and kb_sql_fail() makes that
 * ERR_INTERRUPTED. */
struct kb_watch {
	const struct progress *progress;
	const char *what;
};
/* For all statements that are not watched on their own: only asks, by kb->options.progress. */
void kb_watch_connection(struct kb *kb);
void kb_watch_start(struct kb *kb, struct kb_watch *w);
void kb_watch_stop(struct kb *kb);

#endif
