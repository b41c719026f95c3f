#ifndef API_IMPORT_RUNS_H
#define API_IMPORT_RUNS_H
#include "api/session.h"
#include "ingest/ingest.h"

/* Load one table of runs into the session's base, which is open for writing (shipped_open_kb()
 * makes one that knows the shipped classes). The progress of the options is that of the session.
 * Errors and *out: those of ingest_file(). */
enum err_code import_runs(struct session *session, const struct ingest_options *o,
			  struct ingest_result *out, struct err *e);

#endif
