#ifndef KB_KB_IMPORTS_H
#define KB_KB_IMPORTS_H
#include "kb/kb_sql.h"

/* The record of an import, inside a write transaction. */

/* Insert it and set imp->id. Time: imp->imported_at, NULL: now. Errors: ARG (it is there). */
enum err_code import_open(struct kb *kb, struct kb_import *imp, struct err *e);
/* Write the counts of imp. */
enum err_code import_store_counts(struct kb *kb, const struct kb_import *imp, struct err *e);

/* Count again the runs that each machine has of import id. table: its run table. */
enum err_code import_count_machines(struct kb *kb, int64_t id, const char *table, struct err *e);

/* Exclusions that wait for a run like one of those from first_run_id on take effect again. */
enum err_code import_wake_exclusions(struct kb *kb, const char *application, const char *table,
				     int64_t first_run_id, struct err *e);

#endif
