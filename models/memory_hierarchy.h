#ifndef MODELS_MEMORY_HIERARCHY_H
#define MODELS_MEMORY_HIERARCHY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/memory_shape.h"
#include "domain/task_description.h"

/* One set-associative cache with least-recently-used replacement, as a set of block numbers
 * (address / line). It tells hits from misses; several of them make a hierarchy
 * (below). A translation look-aside buffer is a cache whose lines are pages. */
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

/* cache_search(), fast for what was touched last in its set, as most accesses find it. */
static inline bool cache_touch(struct cache *c, uint64_t block, uint64_t *evicted)
{
	*evicted = 0;
	return c->tag[(block & c->set_mask) * c->associativity] == block + 1 ||
	       cache_search(c, block, evicted);
}

/* Forget the block, if it is there. */
void cache_invalidate(struct cache *c, uint64_t block);

/* The caches of one processor, fed with addresses: a first level for instructions (I1) and one for
 * data (D1), then levels that both share, the last of them called LL, and a TLB for data. All are
 * write-allocate with least-recently-used replacement. With one shared level, no TLB and not
 * inclusive it counts what valgrind's cachegrind 3.19 counts, miss for miss:
 *   - an access that straddles two lines is one access, and one miss if either line is absent; both
 *     are brought in, and then the next level is asked for the whole access;
 *   - a level is asked only about what the one before it missed, and does not notice the rest;
 *   - what an instruction reads and writes back in place is one read;
 *   - an access longer than the shortest line counts as one of that length.
 * We differ in one thing: cachegrind's caches start with line 0 of the address space inside. */

enum access_kind { ACCESS_INSTRUCTION, ACCESS_READ, ACCESS_WRITE, ACCESS_KINDS };

/* By kind of access. Instructions are not translated: a loop runs on a few pages. */
struct memory_counts {
	uint64_t access[ACCESS_KINDS];
	uint64_t l1_miss[ACCESS_KINDS];
	uint64_t shared_miss[MEMORY_MAX_SHARED][ACCESS_KINDS];
	uint64_t tlb_miss[ACCESS_KINDS];
};

struct memory_hierarchy;

/* All empty. Errors: those of memory_shape_check(), NOMEM. */
enum err_code memory_hierarchy_new(const struct memory_shape *s, struct memory_hierarchy **out,
				   struct err *e);
void memory_hierarchy_free(struct memory_hierarchy *m);

/* size in bytes, 0 is taken for 1. */
void memory_hierarchy_access(struct memory_hierarchy *m, enum access_kind kind, uint64_t address,
			     uint64_t size);
/* Since the beginning, or since the counts were last cleared; caches keep their content then. */
const struct memory_counts *memory_hierarchy_counts(const struct memory_hierarchy *m);
void memory_hierarchy_clear_counts(struct memory_hierarchy *m);

/* The time of a task from what it did to the memory hierarchy:
 *
 *   cycles = instructions / instructions per cycle + sum over levels of misses * miss cycles
 *
 * (Hennessy and Patterson, "Computer Architecture", the CPU time equation with memory stalls.)
 * Nothing overlaps: a processor that hides a part of its misses is described by fewer cycles. */
struct task_time {
	double time_s;
	double issue_s; /* time without misses */
	double miss_s;	/* of caches */
	double tlb_s;
	/* Misses / data accesses (reads and writes); NaN without any, and for a TLB that there is
	 * not. As cachegrind does, LL is related to all data accesses, too. */
	double D1_miss_rate, LL_miss_rate, tlb_miss_rate;
};

struct task_time task_time_of(const struct memory_counts *counts, const struct memory_shape *shape,
			      const struct task_processor *processor);

#endif
