#ifndef MINING_SUB_GRID_MAP_H
#define MINING_SUB_GRID_MAP_H
#include <stddef.h>

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

#endif
