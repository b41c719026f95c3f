#ifndef MINING_WAVEFRONT_TUNINGS_H
#define MINING_WAVEFRONT_TUNINGS_H
#include "base/err.h"
#include "mining/structure/wavefront_time.h"

/* The least time that any of a fixed list of blockings gives on a processor grid, for a search over
 * a million grids of one problem: the time of a blocking is linear in the grid once it and jt are
 * fixed (wavefront_shares), so what is computed for an (it, jt) is kept (sub_grid_map.h). */
struct wavefront_tunings;

/* rows[n * n_columns] hold the tunables, with problem and workload set; w is borrowed. Errors:
 * NOMEM. */
enum err_code wavefront_tunings_new(const struct wavefront_time *w, const double *rows, size_t n,
				    size_t n_columns, struct wavefront_tunings **out,
				    struct err *e);
void wavefront_tunings_free(struct wavefront_tunings *t);

/* The least time over the list on row's processor grid [s]; problem and workload as in the list.
 * -1: out of memory. */
double wavefront_tunings_least_s(struct wavefront_tunings *t, const double *row);

#endif
