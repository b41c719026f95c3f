#ifndef KB_KB_NAMES_H
#define KB_KB_NAMES_H
#include "kb/kb_sql.h"

/* ERR_NOTFOUND that lists the names that there are (the rows of sql) or, when there are none, says
 * how to make one. what: "application". */
enum err_code kb_names_not_found(struct kb *kb, const char *what, const char *name, const char *sql,
				 const char *when_none, struct err *e);

/* Runs of an application, of a machine, or of both; NULL: any. Cheap: imports keep count. */
enum err_code kb_count_all_runs(struct kb *kb, const char *application, const char *machine,
				int64_t *n, struct err *e);

/* Drop the default `what` when it is this name. */
enum err_code kb_names_forget_default(struct kb *kb, const char *what, const char *name,
				      struct err *e);

/* The text of a stored definition in this column, its hash in the next; good until the next step.
 * Errors: KB (they do not agree: the file is damaged). */
enum err_code kb_names_definition(struct kb *kb, sqlite3_stmt *s, int column, const char *name,
				  const char **out, struct err *e);

#endif
