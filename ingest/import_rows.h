#ifndef INGEST_IMPORT_ROWS_H
#define INGEST_IMPORT_ROWS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "ingest/machine_cache.h"
#include "ingest/run_outcome.h"
#include "ingest/reject_log.h"
#include "ingest/row_parts.h"
#include "ingest/row_values.h"
#include "ingest/text_table.h"
#include "kb/kb.h"

/* One record as a run: the configuration and what belongs to the run beside it. */
struct run_row {
	struct row_values values;
	struct machine_cache *machines;
	const char *machine;	/* given for the whole file; NULL: from its column */
	int source;		/* given for the whole file; -1: from its column, else measured */
	size_t i_excluded;	/* the column that `runs export` writes; SIZE_MAX: none */
	struct strbuf computed; /* "procs,it_g" */
	struct strbuf extra;	/* JSON */
	struct strbuf *name;	/* [columns of the table] "compiler": of those kept beside the runs;
				 * empty: not    one of them */
	int64_t n_at_limit;	/* timeouts without a time: their limit is its lower bound */
	int64_t n_without_limit; /* timeouts with neither: kept as failed */
	/* what stood in place of a time, or beside it: ">3600", "OOM" */
	struct time_mark {
		int64_t n;
		uint64_t line; /* of the first */
		char text[32];
	} longer, late, failed;
	/* lines of the first time that is a mere number, and of the first that says its unit; 0:
	 * none */
	uint64_t line_bare, line_with_unit;
	bool says_ends; /* a column says how runs ended */
	/* what the row at hand is, all rows of the table say */
	enum row_wait { ROW_WAITS_NOT, ROW_WAITS_FOR_LABELS, ROW_WAITS_FOR_TIMES } waits;
	struct missing_times missing;
	struct statistic_labels labels;
	char *app_seen; /* an app column's value that is this application: rows repeat themselves */
};

/* Errors: NOMEM. */
enum err_code run_row_init(struct run_row *r, const struct column_mapping *m,
			   struct application *app, struct machine_cache *machines, struct err *e);
void run_row_release(struct run_row *r);
/* *taken is false if the row is refused, and *why says it, or if r->waits. out points into r and
 * rec. Errors: NOMEM, KB, ARG (too many machines; file and line are named). */
enum err_code run_row_read(struct run_row *r, const struct table_record *rec, struct kb_run *out,
			   bool *taken, struct reject *why, struct err *e);
/* Add a row to r->missing, unless r->waits for labels then. Errors: as above. */
enum err_code run_row_weigh(struct run_row *r, const struct table_record *rec, struct err *e);

/* All rows of one import, from the table to the writer: read and checked by one thread, stored by
 * the calling one, side by side. A small table is not worth a second thread. */
struct import_rows {
	struct text_table *table;
	struct table_record record; /* the row at hand: at first the one that was looked at */
	struct run_row row;
	struct reject_log *log;
	struct kb_run_writer *writer;
	const struct progress *progress; /* asked by the calling thread */
	uint64_t n_ahead;		 /* rows that were looked at for what all of them say */
	/* what came of it, on errors, too */
	int64_t n_rows;
	int64_t n_refused;
	int64_t n_aggregates;
	int64_t n_finished; /* runs that ended well */
	int64_t n_timed;    /* runs with a time, */
	double sum_s;	    /* their sum, */
	double last_s;	    /* the last of them, */
	uint64_t last_line; /* and where it stands */
};

/* Until the table ends or something fails: then it is the failure that comes first in the table,
 * whichever thread met it. Errors: those of text_table_next(), run_row_read(), reject_log_add()
 * and kb_run_writer_store(); INTERRUPTED. */
enum err_code import_rows_run(struct import_rows *r, struct err *e);
/* What is odd about the rows as a whole, a line each. */
void import_rows_put_notes(const struct import_rows *r, struct strbuf *notes);

#endif
