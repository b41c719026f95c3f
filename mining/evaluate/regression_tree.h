#ifndef MINING_REGRESSION_TREE_H
#define MINING_REGRESSION_TREE_H
#include <stddef.h>
#include "base/err.h"
#include "mining/cases/slowdown_table.h"

/* A single regression tree on log time, constant in its leaves (Breiman, Friedman, Olshen, Stone:
 * Classification and Regression Trees, 1984): what rules are measured against. It may use every
 * column that rules may, and its size is chosen by the same held-out blocks. We differ in how it is
 * pruned: grown leaf by leaf, the most rewarding split first, smaller trees are the same tree with
 * its last splits undone; and in missing values, which go the way of the larger side. */
struct regression_tree;

/* Borrows t. Errors: NOMEM. */
enum err_code regression_tree_fit(const struct slowdown_table *t, struct regression_tree **out,
				  struct err *e);
void regression_tree_free(struct regression_tree *m);

/* Of a complete, derived row [log s]. */
double regression_tree_log_time(const struct regression_tree *m, const double *row);
size_t regression_tree_leaves(const struct regression_tree *m);

#endif
