#ifndef KB_KB_RUN_FEED_H
#define KB_KB_RUN_FEED_H
#include "kb/kb_run_batch.h"

/* A batch of runs as a table of SQLite's, so that one INSERT ... SELECT stores all of them: half
 * as dear as a statement for each run, whose values would be bound one by one. Its columns are
 * run_id, import_id and those of the batch. */
struct run_feed {
	const struct kb_run_batch *batch;
	int64_t first_run_id;
	int64_t import_id;
};

/* The table's name in SQL. */
#define RUN_FEED_TABLE "lemnos_run_feed"

/* Make the table known to kb until run_feed_close(); feed (borrowed that long) may change in
 * between, but for the number of cells of its batch. */
enum err_code run_feed_open(struct kb *kb, const struct run_feed *feed, size_t n_cells,
			    struct err *e);
void run_feed_close(struct kb *kb);

#endif
