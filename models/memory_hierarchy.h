#ifndef MODELS_MEMORY_HIERARCHY_H
#define MODELS_MEMORY_HIERARCHY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/memory_shape.h"

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

#endif
