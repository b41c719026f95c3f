#ifndef INGEST_RUN_ROW_H
#define INGEST_RUN_ROW_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"
#include "ingest/machine_cache.h"
#include "ingest/row_values.h"

/* One record as a run: the configuration and what belongs to the run beside it. */
struct run_row {
	struct row_values values;
	struct machine_cache *machines;
	const char *machine;	/* given for the whole file; NULL: from its column */
	int source;		/* given for the whole file; -1: from its column, else measured */
	struct strbuf computed; /* "procs,it_g" */
	struct strbuf extra;	/* JSON */
	struct strbuf *name;	/* [columns of the table] "compiler": of those kept beside the runs;
				 * empty: not    one of them */
	int64_t n_at_limit;	/* timeouts without a time: their limit is its lower bound */
	int64_t n_without_limit; /* timeouts with neither: kept as failed */
	char *app_seen; /* an app column's value that is this class: rows repeat themselves */
};

/* Errors: NOMEM. */
enum err_code run_row_init(struct run_row *r, const struct column_mapping *m,
			   struct application *app, struct machine_cache *machines, struct err *e);
void run_row_release(struct run_row *r);

/* *taken is false if the row is refused; *why then says it. out points into r and rec. Errors:
 * NOMEM, KB, ARG (too many machines; file and line are named). */
enum err_code run_row_read(struct run_row *r, const struct table_record *rec, struct kb_run *out,
			   bool *taken, struct refusal *why, struct err *e);

#endif
