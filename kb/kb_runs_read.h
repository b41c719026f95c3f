#ifndef KB_KB_RUNS_READ_H
#define KB_KB_RUNS_READ_H
#include "kb/kb_run_value.h"
#include "kb/kb_sql.h"

/* Prepare what can only read. A condition is SQL made from a tree, and cannot do more anyway; this
 * says so to SQLite, too, and keeps out what a base of somebody else's may have in a table's place:
 * a view without end. */
enum err_code run_query_prepare(struct kb *kb, const char *sql, sqlite3_stmt **out, struct err *e);

/* Rows of a query into a dataset, run by run. */
struct run_loader {
	const struct application *a; /* borrowed; its levels grow */
	struct dataset *runs;
	/* of the run that is read */
	struct run_value *value;
	double *row;
	size_t *code; /* of each text column, of the last run: the next mostly has the same */
};

/* Errors: NOMEM. */
enum err_code run_loader_init(struct run_loader *l, const struct application *a, struct err *e);
void run_loader_release(struct run_loader *l);
/* The columns that run_loader_add() reads, to stand first in a SELECT; prefix: "" or "r.". */
void run_loader_put_columns(const struct application *a, const char *prefix, struct strbuf *sql);
/* Append the current row of s. Errors: KB (the run is damaged), NOMEM. */
enum err_code run_loader_add(struct run_loader *l, sqlite3_stmt *s, struct err *e);
/* The runs, which are the caller's from now on. */
struct dataset *run_loader_take(struct run_loader *l);

#endif
