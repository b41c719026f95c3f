#ifndef KB_KB_MIGRATE_RUN_TABLES_H
#define KB_KB_MIGRATE_RUN_TABLES_H
#include "kb/kb_sql.h"

/* What SQL alone cannot do of schema version 7: each table run_NAME becomes stored_NAME without its
 * derived columns, and a view run_NAME with them. The caller has a transaction open, and makes the
 * common view anew. Errors: those of an application whose definition is damaged. */
enum { MIGRATE_RUN_TABLES_VERSION = 7 };
enum err_code migrate_run_tables(struct kb *kb, struct err *e);
/* Of version 8: each table stored_NAME gets its column row_hash. */
enum { MIGRATE_ROW_HASH_VERSION = 8 };
enum err_code migrate_row_hash(struct kb *kb, struct err *e);

#endif
