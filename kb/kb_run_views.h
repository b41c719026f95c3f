#ifndef KB_KB_RUN_VIEWS_H
#define KB_KB_RUN_VIEWS_H
#include "kb/kb_sql.h"

/* How runs are read: the views that are made from the definition of an application class, over its
 * table (kb_run_table.h).
 *   run_NAME   the table, with the derived columns, which SQLite computes when they are asked for
 *   runs_NAME  the same for people: names instead of ids, exclusions
 *   run        the common columns of all classes */

/* The name of run_NAME as SQL. */
void run_views_put_name(const struct application *a, struct strbuf *sql);

/* The two views of a class. Whoever drops or makes them makes the common one anew afterwards. */
void run_views_put_create(const struct application *a, struct strbuf *sql);
void run_views_put_drop(const struct application *a, struct strbuf *sql);

/* The view over all classes, after one came or went. */
enum err_code run_views_make_common(struct kb *kb, struct err *e);

/* " -- [unit] what the column means" and a line end. */
void run_views_put_comment(const struct column *c, struct strbuf *sql);

#endif
