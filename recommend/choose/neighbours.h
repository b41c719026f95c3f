#ifndef RECOMMEND_NEIGHBOURS_H
#define RECOMMEND_NEIGHBOURS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "recommend/choose/same_resource_set.h"

/* Which peers differ in one thing only. A dimension is a free tunable, or the shape of the
 * processor grid, whose sides move together as their product stays. One step along it leads to the
 * peer with the next larger or smaller value that is alike in all else. */
struct dimension {
	size_t *column; /* one, or the free sides of the grid */
	size_t n;
	bool ordered; /* false: of names (a text column), among which a step means nothing */
};

struct neighbours {
	const struct same_resource_set *peers;
	struct dimension *dim;
	size_t n_dims;
	size_t *other; /* all free columns */
	size_t n_other;
	/* [n_dims * peers->n]: peers in the order of all other columns, then of the dimension; and
	 * where each stands in it. */
	size_t *order, *place;
};

/* Borrows the peers. Errors: NOMEM. */
enum err_code neighbours_find(const struct search *s, const struct same_resource_set *p,
			      struct neighbours *out, struct err *e);
void neighbours_release(struct neighbours *nb);

/* The neighbour of peer i along a dimension; SIZE_MAX: none. Along one that is not ordered, every
 * peer alike in all else is come to step by step. */
size_t neighbour_of(const struct neighbours *nb, size_t i_dim, size_t i, bool above);

#endif
