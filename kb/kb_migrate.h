#ifndef KB_KB_MIGRATE_H
#define KB_KB_MIGRATE_H
#include "kb/kb.h"

/* Is the open file a base of ours, and of this schema version? A writer brings an older one up to
 * date, a creator makes an empty file into one. Errors: SCHEMA (both versions named). */
enum err_code kb_migrate(struct kb *kb, enum kb_mode mode, struct err *e);

/* Do the migrations make a table of this name, whatever its case? */
bool kb_migrations_make_table(const char *name);
/* The statement that makes a view of ours, which a semicolon ends; NULL: it is none of them. */
const char *kb_migrations_find_view(const char *name);

#endif
