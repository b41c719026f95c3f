#ifndef KB_KB_MERGE_H
#define KB_KB_MERGE_H
#include "kb/kb_sql.h"

/* A merge under way: both bases open, from in a read snapshot, into in a write transaction. */
struct merge {
	struct kb *into;
	struct kb *from;
	const struct progress *progress;
	struct kb_merge_result result;
};

/* The imports of `from` that `into` does not have, with their runs and ping-pong rows. Definitions
 * are the same in both already. */
enum err_code merge_imports(struct merge *m, struct err *e);

/* The decisions about rules that `into` does not have. */
enum err_code merge_decisions(struct merge *m, struct err *e);

#endif
