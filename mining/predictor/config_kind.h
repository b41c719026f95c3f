#ifndef MINING_CONFIG_KIND_H
#define MINING_CONFIG_KIND_H
#include <stdint.h>
#include "domain/application.h"

/* Configurations that are alike, from wide to narrow: the same tunables, threads and processes on a
 * node; the same nodes, too; the same problem, too. What is true of one may be true of others of
 * its kind. */
enum config_kind { SAME_PACKING, SAME_CONFIGURATION, SAME_PROBLEM, CONFIG_KINDS };

/* Alike ones have one hash, which stays whatever codes levels have. */
uint64_t config_kind_hash(const struct application *app, const double *row, enum config_kind kind);
/* Of the same nodes and processes, whatever is chosen besides. */
uint64_t config_size_hash(const struct application *app, const double *row);

/* Hashes are stored as two numbers, for 53 bits are all that a double holds. */
enum { CONFIG_HASH_HALF = 32 };

#endif
