#ifndef MINING_CONFIG_KIND_H
#define MINING_CONFIG_KIND_H
#include <stdbool.h>
#include <stdint.h>
#include "domain/application.h"
#include "mining/training/config_table.h"

/* Configurations that are alike, from wide to narrow: the same tunables, threads and processes on a
 * node; the same nodes, too; the same problem, too. What is true of one may be true of others of
 * its kind. */
enum config_kind { SAME_PACKING, SAME_CONFIGURATION, SAME_PROBLEM, CONFIG_KINDS };

/* Alike ones have one hash, which stays whatever codes levels have. */
uint64_t config_kind_hash(const struct application *app, const double *row, enum config_kind kind);
/* Of the same nodes and processes, whatever is chosen besides. */
uint64_t config_size_hash(const struct application *app, const double *row);

/* What a run asks of the machine. nodes: processes in an application that has none, 1 in one
 * without either. NaN: the run does not say. */
struct config_demand {
	double nodes, procs, ppn; /* processes on a node */
};
struct config_demand config_demand_of(const struct application *app, const double *row);
/* Of the processes on a node that ran out of memory so many or fewer are a relief; a few less are
 * none. */
#define CONFIG_RELIEF_PPN 0.5
/* Is problem a no larger than b in any column, and no smaller in one of f (NULL: none)? Words must
 * be equal. */
bool config_no_larger(const struct application *app, const struct falling_columns *f,
		      const double *a, const double *b);
/* The numbers that make a problem. */
size_t config_count_sizes(const struct application *app);
/* Is column i chosen, and neither nodes nor processes nor those on a node? */
bool config_is_setting(const struct application *app, size_t i);

/* Hashes are stored as two numbers, for 53 bits are all that a double holds. */
enum { CONFIG_HASH_HALF = 32 };

#endif
