#ifndef DOMAIN_MEMORY_SHAPE_H
#define DOMAIN_MEMORY_SHAPE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* The memory hierarchy of one processor as data: a first level of cache for instructions (I1) and
 * one for data (D1), then levels that both share, the last of them called LL, and a TLB for data.
 * What they do with addresses is in models/memory_hierarchy.h. */

struct cache_shape {
	uint64_t size_bytes;	/* line * associativity * sets */
	uint64_t associativity; /* lines of a set; size / line: fully associative */
	uint64_t line_bytes;	/* a power of two, >= 16 */
};

struct tlb_shape {
	uint64_t entries;	/* 0: none */
	uint64_t associativity; /* entries: fully associative */
	uint64_t page_bytes;
};

enum { MEMORY_MAX_SHARED = 3 };

struct memory_shape {
	struct cache_shape I1, D1;
	struct cache_shape shared[MEMORY_MAX_SHARED]; /* from the processor outwards */
	size_t n_shared;			      /* >= 1 */
	struct tlb_shape tlb;
	bool inclusive; /* what a shared level drops, the levels before it drop too */
};

/* "LL" for the last, "L2" and "L3" before it. */
const char *memory_shared_name(const struct memory_shape *s, size_t i);

/* A set is chosen by the low bits of the line's number, so the count of sets must be a power of
 * two; size and associativity need not be (48 KiB, 12-way). name stands in messages: "D1".
 * Errors: ARG. */
enum err_code cache_shape_check(const struct cache_shape *s, const char *name, struct err *e);
/* A TLB is a cache whose lines are pages. */
struct cache_shape tlb_shape_as_cache(const struct tlb_shape *t);
/* All of it; inclusive levels must not have shorter lines outwards. Errors: ARG. */
enum err_code memory_shape_check(const struct memory_shape *s, struct err *e);

#endif
