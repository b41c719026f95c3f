#ifndef API_IMPORT_RUNS_H
#define API_IMPORT_RUNS_H
#include "api/session.h"
#include "ingest/ingest.h"

/* Load one table of runs into the session's base, which is open for writing (shipped_open_kb()
 * makes one that knows the shipped classes). The progress of the options is that of the session.
 * Errors and *out: those of ingest_file(). */
enum err_code import_runs(struct session *session, const struct ingest_options *o,
			  struct ingest_result *out, struct err *e);

/* The i-th format of files besides CSV: what --input-format calls it, and its title for people.
 * False behind the last. */
bool import_format_at(size_t i, const char **name, const char **title);

/* The unit of a table's column of times, in seconds: that of the "COLUMN=UNIT" in unit[]
 * (NULL-terminated) that is about it, else the one in its name ("time_ms"), else a second. */
enum import_unit {
	IMPORT_UNIT_KNOWN,
	IMPORT_UNIT_NO_TIME,  /* *given, one of unit[], names no unit of time */
	IMPORT_UNIT_AMBIGUOUS /* "time_min": minutes, or the minimum? */
};
enum import_unit import_time_unit(const char *column, char *const *unit, double *out_s,
				  const char **given);

#endif
