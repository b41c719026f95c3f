#ifndef INGEST_IMPORT_ROWS_H
#define INGEST_IMPORT_ROWS_H
#include "base/progress.h"
#include "ingest/refusal_log.h"
#include "ingest/run_row.h"
#include "ingest/text_table.h"

/* All rows of one import, from the table to the writer: read and checked by one thread, stored by
 * the calling one, side by side. A small table is not worth a second thread. */
struct import_rows {
	struct text_table *table;
	struct table_record record; /* the row at hand: at first the one that was looked at */
	struct run_row row;
	struct refusal_log *log;
	struct kb_run_writer *writer;
	const struct progress *progress; /* asked by the calling thread */
	/* what came of it, on errors, too */
	int64_t n_rows;
	int64_t n_refused;
	int64_t n_aggregates;
};

/* Until the table ends or something fails: then it is the failure that comes first in the table,
 * whichever thread met it. Errors: those of text_table_next(), run_row_read(), refusal_log_add()
 * and kb_run_writer_store(); INTERRUPTED. */
enum err_code import_rows_run(struct import_rows *r, struct err *e);

#endif
