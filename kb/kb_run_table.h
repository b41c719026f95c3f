#ifndef KB_KB_RUN_TABLE_H
#define KB_KB_RUN_TABLE_H
#include "kb/kb_sql.h"

/* The tables and views that are generated from the definition of an application class:
 *   run_NAME   one row per run, typed columns, derived ones computed by SQLite
 *   runs_NAME  the same for people: names instead of ids, exclusions
 *   run        the common columns of all classes */

/* Room for the name of any of them. */
enum { RUN_TABLE_NAME_SIZE = 200 };

/* Is the definition fit for a table? (That its columns differ from those of every run table is
 * seen to when it is parsed.) Errors: ARG (a name that is too long). */
enum err_code run_table_check(const struct application *a, struct err *e);

/* Make the table of a new class. */
enum err_code run_table_create(struct kb *kb, const struct application *a, struct err *e);
/* Give the table of class app_id, which has runs, the columns of another definition a of it. What
 * is stored stays; derived columns are made anew. Errors: ARG (type or role of a stored column
 * differs). */
enum err_code run_table_extend(struct kb *kb, const struct application *a, int64_t app_id,
			       struct err *e);
enum err_code run_table_drop(struct kb *kb, const struct application *a, struct err *e);

/* The view over all classes, after one came or went. */
enum err_code run_table_make_common_view(struct kb *kb, struct err *e);

/* The index that finds runs of equal content; dropped and made again around large loads. */
void run_table_put_content_index(const struct application *a, struct strbuf *sql);
void run_table_put_drop_content_index(const struct application *a, struct strbuf *sql);

/* The name of the table as SQL. */
void run_table_put_name(const struct application *a, struct strbuf *sql);
/* Is column i stored (not derived)? */
static inline bool run_table_stores(const struct application *a, size_t i)
{
	return a->column[i].role != COL_DERIVED;
}
const char *run_table_type(const struct column *c); /* "INTEGER", "REAL", "TEXT" */

#endif
