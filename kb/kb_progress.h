#ifndef KB_KB_PROGRESS_H
#define KB_KB_PROGRESS_H
#include "kb/kb_sql.h"

/* Long statements report and can be stopped: between _start and _stop SQLite calls p's step with
 * `what` now and then; when it says stop, the statement fails and kb_sql_fail() makes that
 * ERR_INTERRUPTED. */
struct kb_watch {
	const struct progress *progress;
	const char *what;
};
/* For all statements that are not watched on their own: only asks, by kb->options.progress. */
void kb_watch_connection(struct kb *kb);
void kb_watch_start(struct kb *kb, struct kb_watch *w);
void kb_watch_stop(struct kb *kb);

#endif
