#ifndef KB_KB_RUN_TABLE_H
#define KB_KB_RUN_TABLE_H
#include "kb/kb_sql.h"

/* The table that is made from the definition of an application: stored_NAME, one row per run,
 * with typed columns. It has no derived ones: as generated columns SQLite would compute them for
 * each row that it stores, a third of its work. They are in the view run_NAME (below). */

/* Room for the name of any of them. */
enum { RUN_TABLE_NAME_SIZE = 200 };

/* Is the definition fit for a table? (That its columns differ from those of every run table is
 * seen to when it is parsed.) Errors: ARG (a name that is too long). */
enum err_code run_table_check(const struct application *a, struct err *e);

/* Make the table of a new application, and its views. */
enum err_code run_table_create(struct kb *kb, const struct application *a, struct err *e);
/* Give the table of application app_id, which has runs, the columns of another definition a of it.
 * What is stored stays; its views are made anew. Errors: ARG (type or role of a stored column
 * differs). */
enum err_code run_table_extend(struct kb *kb, const struct application *a, int64_t app_id,
			       struct err *e);
enum err_code run_table_drop(struct kb *kb, const struct application *a, struct err *e);

/* The name of the table, and the same as SQL. */
void run_table_name(const struct application *a, char name[RUN_TABLE_NAME_SIZE]);
void run_table_put_name(const struct application *a, struct strbuf *sql);
/* As SQL, the name of something else that belongs to the application: PREFIX NAME SUFFIX. */
void run_table_put_name_of(const struct application *a, const char *prefix, const char *suffix,
			   struct strbuf *sql);
/* Is column i stored (not derived)? */
static inline bool run_table_stores(const struct application *a, size_t i)
{
	return a->column[i].role != COL_DERIVED;
}
/* Is it a number whose definition has a range? */
bool run_table_has_range(const struct application *a, size_t i);
/* As SQL, of a column with a range: its value is outside of it. What is not known is not. */
void run_table_put_outside(const struct column *c, struct strbuf *sql);
const char *run_table_type(const struct column *c); /* "INTEGER", "REAL", "TEXT" */

/* How runs are read: the views that are made from the definition of an application, over its
 * table.
 *   run_NAME   the table, with the derived columns, which SQLite computes when they are asked for
 *   runs_NAME  the same for people: names instead of ids, exclusions
 *   run        the common columns of all applications */

/* The name of run_NAME as SQL. */
void run_views_put_name(const struct application *a, struct strbuf *sql);

/* The two views of an application. Whoever drops or makes them makes the common one anew
 * afterwards. */
void run_views_put_create(const struct application *a, struct strbuf *sql);

/* The view over all applications. */
enum err_code run_views_put_common(struct kb *kb, struct strbuf *sql, struct err *e);
/* After one came or went. */
enum err_code run_views_make_common(struct kb *kb, struct err *e);

#endif
