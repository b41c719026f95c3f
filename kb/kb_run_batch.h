#ifndef KB_KB_RUN_BATCH_H
#define KB_KB_RUN_BATCH_H
#include "kb/kb_sql.h"

/* Rows of a run table as they will be stored, without the ids that only the base gives: what
 * kb_runs_pack.c fills in and kb_run_feed.c hands to SQLite. */

enum run_cell_type {
	CELL_NULL,
	CELL_INTEGER,
	CELL_REAL,
	CELL_TEXT, /* lives longer than the batch */
	CELL_COPY  /* in the batch's own text */
};

struct run_cell {
	enum run_cell_type type;
	union {
		int64_t integer;
		double real;
		const char *text;
		size_t offset; /* in the batch's own text */
	};
};

struct kb_run_batch {
	struct run_cell *cell; /* [cap_rows * n_cells], row-major */
	size_t n_cells;	       /* of a row: the columns of run_batch_put_columns() */
	uint64_t *group;       /* [cap_rows], for kb_run_keys.h */
	size_t n_rows, cap_rows;
	struct strbuf text;
	size_t last_copy; /* offset of the text copied last; rows repeat themselves. SIZE_MAX: none
			   */
};

/* The columns of the cells, in their order: "machine_id, source, ...". */
void run_batch_put_columns(const struct application *a, struct strbuf *sql);
size_t run_batch_n_cells(const struct application *a);

/* The text of a cell of type CELL_TEXT or CELL_COPY. */
const char *run_batch_text(const struct kb_run_batch *b, const struct run_cell *cell);

int64_t run_batch_content_hash(const struct kb_run_batch *b, size_t i_row);

#endif
