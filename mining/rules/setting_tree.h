#ifndef MINING_SETTING_TREE_H
#define MINING_SETTING_TREE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "mining/cases/conjunction.h"
#include "mining/rules/setting_cases.h"
#include "mining/rules/setting_search.h"

/* Which setting where: a shallow tree over what is known before choosing, with the best setting of
 * its cases at every node. */

enum { TREE_DEPTH = 2, TREE_NODES = (1 << (TREE_DEPTH + 1)) - 1 };

struct setting_node {
	struct conjunction where;
	struct conjunction setting; /* none: nothing saves enough */
	bool split;		    /* into nodes 2 i + 1 and 2 i + 2 */
};

struct setting_tree {
	struct setting_node node[TREE_NODES];
};

/* Learned on the cases which[0..n-1] of s, n > 0. Errors: NOMEM. */
enum err_code setting_tree_learn(const struct setting_cases *s, const uint32_t *which, size_t n,
				 struct setting_tree *out, struct err *e);
/* The node that a case belongs to when the tree ends at the given depth; SIZE_MAX: none, as a
 * column is missing that decides. */
size_t setting_tree_find(const struct setting_tree *tree, unsigned depth,
			 const struct setting_cases *s, size_t c);
unsigned setting_tree_depth(const struct setting_tree *tree);
/* Is a node an end of the tree when that ends at the given depth? */
bool setting_tree_is_end(const struct setting_tree *tree, unsigned depth, size_t at);

#endif
