#ifndef MODELS_CACHE_H
#define MODELS_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/memory_shape.h"

/* One set-associative cache with least-recently-used replacement, as a set of block numbers
 * (address / line). It tells hits from misses; several of them make a hierarchy
 * (memory_hierarchy.h). A translation look-aside buffer is a cache whose lines are pages. */
struct cache {
	uint64_t *tag; /* [sets * associativity], a set most recent first; block + 1, 0: empty */
	uint64_t set_mask;
	size_t associativity;
	unsigned line_bits; /* block = address >> line_bits */
};

/* Empty. Errors: those of cache_shape_check(), NOMEM. c is released in any case. */
enum err_code cache_init(struct cache *c, const struct cache_shape *s, const char *name,
			 struct err *e);
void cache_release(struct cache *c);

/* Was the block there? If not, it is now, and the least recent of its set has left: that one + 1
 * in *evicted, 0: none. (For cache_touch() alone.) */
bool cache_search(struct cache *c, uint64_t block, uint64_t *evicted);

/* The same, fast for what was touched last in its set, as most accesses find it. */
static inline bool cache_touch(struct cache *c, uint64_t block, uint64_t *evicted)
{
	*evicted = 0;
	return c->tag[(block & c->set_mask) * c->associativity] == block + 1 ||
	       cache_search(c, block, evicted);
}

/* Forget the block, if it is there. */
void cache_invalidate(struct cache *c, uint64_t block);

#endif
