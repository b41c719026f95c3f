#ifndef KB_KB_MIGRATE_RUN_TABLES_H
#define KB_KB_MIGRATE_RUN_TABLES_H
#include "kb/kb_sql.h"

/* What SQL alone cannot do of schema version 7: each table run_NAME becomes stored_NAME without its
 * derived columns, and a view run_NAME with them. The caller has a transaction open, and makes the
 * common view anew. Errors: those of a class whose definition is damaged. */
enum { MIGRATE_RUN_TABLES_VERSION = 7 };
enum err_code migrate_run_tables(struct kb *kb, struct err *e);

#endif
