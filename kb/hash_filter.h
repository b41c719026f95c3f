#ifndef KB_HASH_FILTER_H
#define KB_HASH_FILTER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of 64-bit hashes in two bytes each, which forgets none and takes one in 400 others for one
 * of its own. Source: Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 13
 * (1970); its bits are chosen as Kirsch and Mitzenmacher do, "Less hashing, same performance", ESA
 * 2006. */
struct hash_filter;

/* For n hashes; of more, it takes more for its own. NULL: no memory. */
struct hash_filter *hash_filter_new(size_t n);
void hash_filter_add(struct hash_filter *f, uint64_t hash);
/* False: it was not added. */
bool hash_filter_may_have(const struct hash_filter *f, uint64_t hash);
void hash_filter_free(struct hash_filter *f);

#endif
