#ifndef KB_KB_RUNS_KNOWN_H
#define KB_KB_RUNS_KNOWN_H
#include "kb/kb_run_keys.h"

/* The n_ours runs from first_run_id on are those of import import_id. Where other imports hold the
 * same run (machine, source, status, stored columns, time, number of repeats, repeat number) k
 * times, the first k of ours go, and known_run remembers which stored run each of them was.
 * keys:
 * of all runs below first_run_id. */
enum err_code runs_known_absorb(struct run_keys *keys, int64_t import_id, int64_t first_run_id,
				int64_t n_ours, int64_t *n_known, struct err *e);

#endif
