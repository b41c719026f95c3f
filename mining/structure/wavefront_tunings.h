#ifndef MINING_WAVEFRONT_TUNINGS_H
#define MINING_WAVEFRONT_TUNINGS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "mining/structure/wavefront_time.h"

/* Numbers kept by sub-grid, for a search over a million processor grids of one problem: there are
 * far fewer sub-grids it x jt than grids (about 4 sqrt(it_g jt_g) of it_g jt_g), so what is
 * computed for one is kept. */
struct sub_grid_map;

/* NULL: out of memory. */
struct sub_grid_map *sub_grid_map_new(void);
void sub_grid_map_free(struct sub_grid_map *m);

/* The numbers of it x jt (>= 1, whole), NULL: there are none yet. */
double *sub_grid_map_find(const struct sub_grid_map *m, double it, double jt);
/* n numbers, 0 each, of a sub-grid that has none yet. NULL: out of memory. */
double *sub_grid_map_add(struct sub_grid_map *m, double it, double jt, size_t n);

/* The least time that any of a fixed list of blockings gives on a processor grid, for a search over
 * a million grids of one problem: the time of a blocking is linear in the grid once it and jt are
 * fixed (wavefront_shares), so what is computed for an (it, jt) is kept (struct sub_grid_map). */
struct wavefront_tunings;

/* rows[n * n_columns] hold the tunables, with problem and workload set; w is borrowed. Errors:
 * NOMEM. */
enum err_code wavefront_tunings_new(const struct wavefront_time *w, const double *rows, size_t n,
				    size_t n_columns, struct wavefront_tunings **out,
				    struct err *e);
void wavefront_tunings_free(struct wavefront_tunings *t);

/* Of each blocking of the list on row's processor grid: what grows with the time of a cell (work,
 * and the fill with its messages), and the other messages [s], to a relative 1e-12. false: out of
 * memory. */
bool wavefront_tunings_parts(struct wavefront_tunings *t, const double *row, double *compute_s,
			     double *messages_s);
/* row with blocking k, until it is called again; and the first blocking whose messages are of the
 * same size on any grid. */
const double *wavefront_tunings_row(struct wavefront_tunings *t, const double *row, size_t k);
size_t wavefront_tunings_like(const struct wavefront_tunings *t, size_t k);
size_t wavefront_tunings_count(const struct wavefront_tunings *t);

/* The least time over the list on row's processor grid [s]; problem and workload as in the list.
 * -1: out of memory. */
double wavefront_tunings_least_s(struct wavefront_tunings *t, const double *row);

#endif
