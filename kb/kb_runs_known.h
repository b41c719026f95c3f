#ifndef KB_KB_RUNS_KNOWN_H
#define KB_KB_RUNS_KNOWN_H
#include "kb/kb_sql.h"

/* The n_ours runs from first_run_id on are those of import import_id. Where other imports hold the
 * same run (machine, source, status, stored columns, time, number of repeats, repeat number) k
 * times, the first k of ours go, and known_run remembers which stored run each of them was.
 * by_index: there is an index over the hashes, and ours are few; else all runs are read, which is
 * what making it would cost at least. */
enum err_code runs_known_absorb(struct kb *kb, const struct application *a, int64_t import_id,
				int64_t first_run_id, int64_t n_ours, bool by_index,
				int64_t *n_known, struct err *e);

#endif
