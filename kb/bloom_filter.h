#ifndef KB_BLOOM_FILTER_H
#define KB_BLOOM_FILTER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A Bloom filter: a set of 64-bit hashes in two bytes each, without false negatives and with 0.25 %
 * false positives. Source: Bloom, "Space/time trade-offs in hash coding with allowable errors",
 * CACM 13 (1970); its bits are chosen as Kirsch and Mitzenmacher do, "Less hashing, same
 * performance", ESA 2006. */
struct bloom_filter;

/* For n hashes; with more, there are more false positives. NULL: no memory. */
struct bloom_filter *bloom_filter_new(size_t n);
void bloom_filter_add(struct bloom_filter *f, uint64_t hash);
/* False: it was not added. */
bool bloom_filter_may_have(const struct bloom_filter *f, uint64_t hash);
void bloom_filter_free(struct bloom_filter *f);

#endif
