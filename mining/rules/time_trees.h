#ifndef MINING_TIME_TREES_H
#define MINING_TIME_TREES_H
#include "base/progress.h"
#include "mining/rules/model_tree.h"
#include "mining/rules/time_target.h"

/* The tree of time rules, its size chosen by runs that it had not seen, and the trees that say how
 * good it is on such runs. */
enum { TIME_FOLDS = 5 };

struct time_trees {
	size_t max_terms, n_leaves;	    /* n_leaves 0: no tree is better than none */
	struct model_tree whole;	    /* of all configurations */
	struct model_tree fold[TIME_FOLDS]; /* of all but those of a fold */
};

/* fold[block] in 0..TIME_FOLDS-1. Errors: NOMEM, NUMERIC, INTERRUPTED. */
enum err_code time_trees_grow(const struct time_target *g, const unsigned char *fold,
			      const struct progress *p, struct time_trees *out, struct err *e);

#endif
