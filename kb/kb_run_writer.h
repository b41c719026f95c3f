#ifndef KB_KB_RUN_WRITER_H
#define KB_KB_RUN_WRITER_H
#include "kb/kb_run_feed.h"
#include "kb/kb_run_groups.h"
#include "kb/kb_run_keys.h"
#include "kb/kb_run_value.h"

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
