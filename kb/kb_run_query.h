#ifndef KB_KB_RUN_QUERY_H
#define KB_KB_RUN_QUERY_H
#include "kb/kb_sql.h"

/* Append " FROM ... WHERE ..." of the runs that f (NULL: all usable ones) selects. Names in it are
 * the columns of the run table, machine and excluded. Errors: PARSE (f->where). */
enum err_code run_query_put_from(const struct application *a, const struct kb_filter *f,
				 struct strbuf *sql, struct err *e);

#endif
