#ifndef API_IMPORT_RUNS_H
#define API_IMPORT_RUNS_H
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/dataset.h"
#include "domain/machine.h"
#include "ingest/ingest.h"
#include "api/session.h"

/* Load one table of runs into the session's base, which is open for writing (shipped_open_kb()
 * makes one that knows the shipped applications). The progress of the options is that of the
 * session. Errors and *out: those of ingest_file(). */
enum err_code import_runs(struct session *session, const struct ingest_options *o,
			  struct ingest_result *out, struct err *e);

/* What became of a file. */
struct imported_file {
	const char *path;
	struct ingest_result result;
	struct err why; /* why.code ERR_OK: it was taken */
};
/* {"format_version", "dry_run", "files": [...], "refused": [...], "notes": [...]}: the counts of
 * each of n files, then the reasons for which rows were refused, and the notes, each with its file.
 * NULL: out of memory. */
struct json_t;
struct json_t *import_report_json(const struct imported_file *file, size_t n, bool dry_run);

/* The i-th format of files besides CSV: what --input-format calls it, and its title for people.
 * False behind the last. */
bool import_format_at(size_t i, const char **name, const char **title);

/* The unit of a table's column of times, in seconds: that of the "COLUMN=UNIT" in unit[]
 * (NULL-terminated) that is about it, else the one in its name ("time_ms"), else a second. */
enum import_unit {
	IMPORT_UNIT_KNOWN,
	IMPORT_UNIT_NO_TIME,   /* *given, one of unit[], names no unit of time */
	IMPORT_UNIT_AMBIGUOUS, /* "time_min": minutes, or the minimum? */
	IMPORT_UNIT_UNKNOWN    /* "time (ks)": what its brackets say is no unit of time */
};
enum import_unit import_time_unit(const char *column, char *const *unit, double *out_s,
				  const char **given);

/* Runs that lemnos made itself, by a model or a simulation, on their way into the base. They take
 * the road of measured ones: a CSV table, made in memory, goes through ingest as one import, which
 * `lemnos imports` lists under `origin` and undoes. The same runs again add nothing.
 *
 *	struct generated runs = {
 *		.app = app, .machine = machine, .source = SOURCE_MODELLED,
 *		.origin = "model loggp wg=0.35us machine=sp2", .extra = columns, .n_extra = 2};
 *	generated_runs_add(&runs, row, time_s, values);
 *	rc = generated_runs_store(session, &runs, e);
 *	generated_runs_release(&runs);
 */
struct generated_runs {
	const struct application *app;
	const struct machine *machine; /* enters the base too, unless it knows one of this name */
	enum run_source source;
	const char *origin; /* what made them, with its parameters */
	/* Names of further columns, kept with each run and never used to predict: what differs from
	 * run to run of what made them. No column of the application may be called so. */
	const char *const *extra;
	size_t n_extra;

	struct strbuf csv; /* generated_runs_add() fills it */
	size_t n;
};

/* A complete row of the application, its time [s], > 0, and extra[n_extra] as text (NULL: empty).
 * What does not fit in memory is reported by generated_runs_store(). */
void generated_runs_add(struct generated_runs *runs, const double *row, double time_s,
			const char *const *extra);

/* Into the session's base, which is opened for writing (and made, with the applications that ship,
 * if there is none) and stays open. A note says what came of it. Errors: those of ingest_file(),
 * KB.
 */
enum err_code generated_runs_store(struct session *session, const struct generated_runs *runs,
				   struct err *e);
void generated_runs_release(struct generated_runs *runs);

struct ad_hoc;

/* Import of any table: ad_hoc (NULL: app is an application that the base knows) describes it as for
 * ingest; machine is a name. */
struct made_table {
	const char *csv;
	const char *app;
	const struct ad_hoc *ad_hoc;
	const char *machine;
	enum run_source source;
	const char *origin;
	const char *const *unit; /* "COLUMN=s", NULL-terminated; may be NULL */
};
enum err_code made_table_store(struct session *session, const struct made_table *t, struct err *e);

#endif
