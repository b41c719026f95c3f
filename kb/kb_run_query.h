#ifndef KB_KB_RUN_QUERY_H
#define KB_KB_RUN_QUERY_H
#include "kb/kb_sql.h"

/* Append " FROM ... WHERE ..." of the runs that f (NULL: all usable ones) selects. Names in it are
 * the columns of the run table, machine and excluded. Errors: PARSE (f->where). */
enum err_code run_query_put_from(const struct application *a, const struct kb_filter *f,
				 struct strbuf *sql, struct err *e);

/* Prepare what can only read. A condition is SQL made from a tree, and cannot do more anyway; this
 * says so to SQLite, too, and keeps out what a base of somebody else's may have in a table's place:
 * a view without end. */
enum err_code run_query_prepare(struct kb *kb, const char *sql, sqlite3_stmt **out, struct err *e);

#endif
