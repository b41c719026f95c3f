#ifndef KB_KB_RUN_KEYS_H
#define KB_KB_RUN_KEYS_H
#include "kb/kb_sql.h"

/* What an import asks of all runs that were there before it, 16 bytes of each run packed into
 * blocks: its content hash, and its group with a bin of its time (kb_run_groups.h). Reading six
 * million of them takes a tenth of a second; the runs themselves, or an index over them made after
 * a large load, take many. A table keys_NAME for each application, which is a cache: what is
 * missing there, damaged or made under another definition is made again from the runs. */

enum { RUN_KEYS_PER_BLOCK = 4096, RUN_KEY_SIZE = 16 };

struct run_keys {
	struct kb *kb;
	const struct application *a;
	sqlite3_stmt *insert;
	int64_t first_run_id; /* of the block at hand */
	size_t n;
	unsigned char block[RUN_KEYS_PER_BLOCK * RUN_KEY_SIZE];
};

/* The table as SQL; part of making and dropping an application. */
void run_keys_put_create(const struct application *a, struct strbuf *sql);
void run_keys_put_drop(const struct application *a, struct strbuf *sql);

/* Have the keys of all runs below end_run_id, and be ready for those from there on. Errors: KB. */
enum err_code run_keys_open(struct kb *kb, const struct application *a, int64_t end_run_id,
			    struct run_keys *out, struct err *e);
/* Of the next run; ids may be left out. group: 0, it did not end well. */
enum err_code run_keys_add(struct run_keys *k, int64_t run_id, uint64_t content, uint64_t group,
			   struct err *e);
/* Store what is still in memory. */
enum err_code run_keys_flush(struct run_keys *k, struct err *e);
void run_keys_close(struct run_keys *k);

/* Those from run_id on are no longer the runs that there are: read them again, up to end_run_id. */
enum err_code run_keys_renew(struct run_keys *k, int64_t run_id, int64_t end_run_id, struct err *e);
/* The runs of an import, which are in table stored_NAME yet, are to be taken away: they have no
 * keys any more, and the others keep theirs. Where a block of them is damaged all go, and the next
 * import reads the runs that are left. Errors: KB, NOMEM. */
enum err_code run_keys_remove(struct kb *kb, const char *stored_table, int64_t import_id,
			      struct err *e);

typedef enum err_code run_keys_take(void *arg, int64_t run_id, uint64_t content, uint64_t group,
				    struct err *e);
/* Call take for each run below end_run_id, in their order; both keys are 0 where there is none. */
enum err_code run_keys_each(struct run_keys *k, int64_t end_run_id, run_keys_take *take, void *arg,
			    struct err *e);

#endif
