#ifndef KB_KB_RUN_WRITER_H
#define KB_KB_RUN_WRITER_H
#include "kb/kb_run_groups.h"
#include "kb/kb_run_value.h"

/* What kb_runs_write.c (opening, one run) and kb_runs_finish.c (after the last one) share. */

struct seen_machine {
	int64_t id;
	uint64_t hash; /* of its name */
};

struct kb_run_writer {
	struct kb *kb;
	const struct application *a;
	int64_t app_id;
	int64_t import_id;
	char *file_name;
	sqlite3_stmt *insert;
	struct run_value *value; /* [n_columns] of the run at hand */
	uint64_t *name_hash;	 /* [n_columns] */
	bool **level_seen;	 /* [n_columns][levels]; NULL: not a text column, or none yet */
	size_t *n_level_seen;
	struct seen_machine *machine;
	size_t n_machines;
	struct run_groups *groups;
	int64_t first_run_id;
	int64_t next_run_id;
	uint64_t bulk; /* so many rows make it a large load */
	bool has_other_runs;
	bool index_dropped;
	double sum_wall_s;
};

#endif
