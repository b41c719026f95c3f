#ifndef KB_KB_RUN_WRITER_H
#define KB_KB_RUN_WRITER_H
#include "kb/kb_run_groups.h"
#include "kb/kb_run_keys.h"
#include "kb/kb_run_value.h"
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

/* What kb_runs_write.c (opening, storing), kb_runs_pack.c (checking and packing each run, perhaps
 * on another thread) and kb_runs_finish.c (after the last one) share. */

struct seen_machine {
	int64_t id;
	uint64_t hash; /* of its name */
	int64_t n_runs;
};

struct kb_run_writer {
	struct kb *kb;
	const struct application *a;
	int64_t app_id;
	int64_t import_id;
	char *file_name;
	struct strbuf insert; /* SQL: all runs of the feed */
	struct run_feed feed;
	bool feed_is_open;
	struct kb_run_batch *own_batch; /* of kb_run_writer_add(); NULL: none yet */
	int64_t first_run_id;
	int64_t next_run_id;
	bool has_other_runs;
	struct run_keys keys;
	/* the packer's */
	struct run_value *value; /* [n_columns] of the run at hand */
	uint64_t *name_hash;	 /* [n_columns] */
	bool **level_seen;	 /* [n_columns][levels]; NULL: not a text column, or none yet */
	size_t *n_level_seen;
	struct seen_machine *machine;
	size_t n_machines;
	size_t last_machine; /* rows repeat themselves */
	struct run_groups *groups;
	bool any_flag; /* any run came with one */
	double sum_wall_s;
};

/* NULL: not met yet. */
struct seen_machine *run_writer_machine(struct kb_run_writer *w, int64_t id);
void run_batch_clear(struct kb_run_batch *b);

#endif
